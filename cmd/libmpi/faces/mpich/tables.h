/* Written by go generate from internal/abi/spec. Do not edit. */

static NOINLINE abi_handle in_Comm(MPI_Comm h) {
  switch ((int)(intptr_t)h) {
  case 67108864: return (abi_handle)0x100;
  case 1140850688: return (abi_handle)0x101;
  case 1140850689: return (abi_handle)0x102;
  }
  return made((int)(intptr_t)h);
}
static NOINLINE MPI_Comm out_Comm(abi_handle h) {
  switch ((uintptr_t)h) {
  case 0x100: return (MPI_Comm)(intptr_t)67108864;
  case 0x101: return (MPI_Comm)(intptr_t)1140850688;
  case 0x102: return (MPI_Comm)(intptr_t)1140850689;
  }
  return (MPI_Comm)(intptr_t)mark(h);
}
static NOINLINE abi_handle in_Datatype(MPI_Datatype h) {
  switch ((int)(intptr_t)h) {
  case 201326592: return (abi_handle)0x200;
  case 1275070531: return (abi_handle)0x201;
  case 1275070533: return (abi_handle)0x202;
  case 1275070532: return (abi_handle)0x203;
  case 1275068687: return (abi_handle)0x207;
  case 1275068931: return (abi_handle)0x208;
  case 1275069445: return (abi_handle)0x209;
  case 1275070471: return (abi_handle)0x20a;
  case 1275070473: return (abi_handle)0x20b;
  case 1275068932: return (abi_handle)0x20c;
  case 1275069446: return (abi_handle)0x20d;
  case 1275070472: return (abi_handle)0x20e;
  case 1275070489: return (abi_handle)0x20f;
  case 1275069450: return (abi_handle)0x210;
  case 1275070528: return (abi_handle)0x212;
  case 1275070516: return (abi_handle)0x213;
  case 1275070475: return (abi_handle)0x214;
  case 1275072577: return (abi_handle)0x216;
  case 1275072565: return (abi_handle)0x217;
  case 1275069469: return (abi_handle)0x218;
  case 1275069467: return (abi_handle)0x219;
  case 1275069468: return (abi_handle)0x21a;
  case 1275070494: return (abi_handle)0x21b;
  case 1275070495: return (abi_handle)0x21c;
  case 1275072546: return (abi_handle)0x21d;
  case 1275068698: return (abi_handle)0x21e;
  case 1275072524: return (abi_handle)0x220;
  case 1275076674: return (abi_handle)0x224;
  case 1275076662: return (abi_handle)0x225;
  case -1946157056: return (abi_handle)0x228;
  case -1946157055: return (abi_handle)0x229;
  case -1946157054: return (abi_handle)0x22a;
  case 1275070486: return (abi_handle)0x22b;
  case -1946157053: return (abi_handle)0x22c;
  case -1946157052: return (abi_handle)0x22d;
  case 1275070497: return (abi_handle)0x230;
  case 1275072547: return (abi_handle)0x231;
  case 1275070496: return (abi_handle)0x232;
  case 1275068735: return (abi_handle)0x238;
  case 1275068723: return (abi_handle)0x239;
  case 1275069454: return (abi_handle)0x23c;
  case 1275068727: return (abi_handle)0x240;
  case 1275068731: return (abi_handle)0x241;
  case 1275068673: return (abi_handle)0x243;
  case 1275068696: return (abi_handle)0x244;
  case 1275068674: return (abi_handle)0x245;
  case 1275068685: return (abi_handle)0x247;
  case 1275068984: return (abi_handle)0x248;
  case 1275068988: return (abi_handle)0x249;
  case 1275069497: return (abi_handle)0x250;
  case 1275069501: return (abi_handle)0x251;
  case 1275070522: return (abi_handle)0x258;
  case 1275070526: return (abi_handle)0x259;
  case 1275068717: return (abi_handle)0x2c1;
  case 1275068975: return (abi_handle)0x2c9;
  case 1275069488: return (abi_handle)0x2d1;
  case 1275069479: return (abi_handle)0x2d2;
  case 1275070513: return (abi_handle)0x2d9;
  case 1275070505: return (abi_handle)0x2da;
  case 1275070504: return (abi_handle)0x2db;
  case 1275072555: return (abi_handle)0x2e2;
  case 1275072554: return (abi_handle)0x2e3;
  case 1275076652: return (abi_handle)0x2eb;
  }
  return made((int)(intptr_t)h);
}
static NOINLINE MPI_Datatype out_Datatype(abi_handle h) {
  switch ((uintptr_t)h) {
  case 0x200: return (MPI_Datatype)(intptr_t)201326592;
  case 0x201: return (MPI_Datatype)(intptr_t)1275070531;
  case 0x202: return (MPI_Datatype)(intptr_t)1275070533;
  case 0x203: return (MPI_Datatype)(intptr_t)1275070532;
  case 0x207: return (MPI_Datatype)(intptr_t)1275068687;
  case 0x208: return (MPI_Datatype)(intptr_t)1275068931;
  case 0x209: return (MPI_Datatype)(intptr_t)1275069445;
  case 0x20a: return (MPI_Datatype)(intptr_t)1275070471;
  case 0x20b: return (MPI_Datatype)(intptr_t)1275070473;
  case 0x20c: return (MPI_Datatype)(intptr_t)1275068932;
  case 0x20d: return (MPI_Datatype)(intptr_t)1275069446;
  case 0x20e: return (MPI_Datatype)(intptr_t)1275070472;
  case 0x20f: return (MPI_Datatype)(intptr_t)1275070489;
  case 0x210: return (MPI_Datatype)(intptr_t)1275069450;
  case 0x212: return (MPI_Datatype)(intptr_t)1275070528;
  case 0x213: return (MPI_Datatype)(intptr_t)1275070516;
  case 0x214: return (MPI_Datatype)(intptr_t)1275070475;
  case 0x216: return (MPI_Datatype)(intptr_t)1275072577;
  case 0x217: return (MPI_Datatype)(intptr_t)1275072565;
  case 0x218: return (MPI_Datatype)(intptr_t)1275069469;
  case 0x219: return (MPI_Datatype)(intptr_t)1275069467;
  case 0x21a: return (MPI_Datatype)(intptr_t)1275069468;
  case 0x21b: return (MPI_Datatype)(intptr_t)1275070494;
  case 0x21c: return (MPI_Datatype)(intptr_t)1275070495;
  case 0x21d: return (MPI_Datatype)(intptr_t)1275072546;
  case 0x21e: return (MPI_Datatype)(intptr_t)1275068698;
  case 0x220: return (MPI_Datatype)(intptr_t)1275072524;
  case 0x224: return (MPI_Datatype)(intptr_t)1275076674;
  case 0x225: return (MPI_Datatype)(intptr_t)1275076662;
  case 0x228: return (MPI_Datatype)(intptr_t)-1946157056;
  case 0x229: return (MPI_Datatype)(intptr_t)-1946157055;
  case 0x22a: return (MPI_Datatype)(intptr_t)-1946157054;
  case 0x22b: return (MPI_Datatype)(intptr_t)1275070486;
  case 0x22c: return (MPI_Datatype)(intptr_t)-1946157053;
  case 0x22d: return (MPI_Datatype)(intptr_t)-1946157052;
  case 0x230: return (MPI_Datatype)(intptr_t)1275070497;
  case 0x231: return (MPI_Datatype)(intptr_t)1275072547;
  case 0x232: return (MPI_Datatype)(intptr_t)1275070496;
  case 0x238: return (MPI_Datatype)(intptr_t)1275068735;
  case 0x239: return (MPI_Datatype)(intptr_t)1275068723;
  case 0x23c: return (MPI_Datatype)(intptr_t)1275069454;
  case 0x240: return (MPI_Datatype)(intptr_t)1275068727;
  case 0x241: return (MPI_Datatype)(intptr_t)1275068731;
  case 0x243: return (MPI_Datatype)(intptr_t)1275068673;
  case 0x244: return (MPI_Datatype)(intptr_t)1275068696;
  case 0x245: return (MPI_Datatype)(intptr_t)1275068674;
  case 0x247: return (MPI_Datatype)(intptr_t)1275068685;
  case 0x248: return (MPI_Datatype)(intptr_t)1275068984;
  case 0x249: return (MPI_Datatype)(intptr_t)1275068988;
  case 0x250: return (MPI_Datatype)(intptr_t)1275069497;
  case 0x251: return (MPI_Datatype)(intptr_t)1275069501;
  case 0x258: return (MPI_Datatype)(intptr_t)1275070522;
  case 0x259: return (MPI_Datatype)(intptr_t)1275070526;
  case 0x2c1: return (MPI_Datatype)(intptr_t)1275068717;
  case 0x2c9: return (MPI_Datatype)(intptr_t)1275068975;
  case 0x2d1: return (MPI_Datatype)(intptr_t)1275069488;
  case 0x2d2: return (MPI_Datatype)(intptr_t)1275069479;
  case 0x2d9: return (MPI_Datatype)(intptr_t)1275070513;
  case 0x2da: return (MPI_Datatype)(intptr_t)1275070505;
  case 0x2db: return (MPI_Datatype)(intptr_t)1275070504;
  case 0x2e2: return (MPI_Datatype)(intptr_t)1275072555;
  case 0x2e3: return (MPI_Datatype)(intptr_t)1275072554;
  case 0x2eb: return (MPI_Datatype)(intptr_t)1275076652;
  }
  return (MPI_Datatype)(intptr_t)mark(h);
}
static NOINLINE abi_handle in_Errhandler(MPI_Errhandler h) {
  switch ((int)(intptr_t)h) {
  case 335544320: return (abi_handle)0x140;
  case 1409286144: return (abi_handle)0x141;
  case 1409286147: return (abi_handle)0x142;
  case 1409286145: return (abi_handle)0x143;
  }
  return made((int)(intptr_t)h);
}
static NOINLINE MPI_Errhandler out_Errhandler(abi_handle h) {
  switch ((uintptr_t)h) {
  case 0x140: return (MPI_Errhandler)(intptr_t)335544320;
  case 0x141: return (MPI_Errhandler)(intptr_t)1409286144;
  case 0x142: return (MPI_Errhandler)(intptr_t)1409286147;
  case 0x143: return (MPI_Errhandler)(intptr_t)1409286145;
  }
  return (MPI_Errhandler)(intptr_t)mark(h);
}
static NOINLINE abi_handle in_File(MPI_File h) {
  switch ((int)(intptr_t)h) {
  case 0: return (abi_handle)0x118;
  }
  return made((int)(intptr_t)h);
}
static NOINLINE MPI_File out_File(abi_handle h) {
  switch ((uintptr_t)h) {
  case 0x118: return (MPI_File)(intptr_t)0;
  }
  return (MPI_File)(intptr_t)mark(h);
}
static NOINLINE abi_handle in_Group(MPI_Group h) {
  switch ((int)(intptr_t)h) {
  case 134217728: return (abi_handle)0x108;
  case 1207959552: return (abi_handle)0x109;
  }
  return made((int)(intptr_t)h);
}
static NOINLINE MPI_Group out_Group(abi_handle h) {
  switch ((uintptr_t)h) {
  case 0x108: return (MPI_Group)(intptr_t)134217728;
  case 0x109: return (MPI_Group)(intptr_t)1207959552;
  }
  return (MPI_Group)(intptr_t)mark(h);
}
static NOINLINE abi_handle in_Info(MPI_Info h) {
  switch ((int)(intptr_t)h) {
  case 469762048: return (abi_handle)0x130;
  case 1543503873: return (abi_handle)0x131;
  }
  return made((int)(intptr_t)h);
}
static NOINLINE MPI_Info out_Info(abi_handle h) {
  switch ((uintptr_t)h) {
  case 0x130: return (MPI_Info)(intptr_t)469762048;
  case 0x131: return (MPI_Info)(intptr_t)1543503873;
  }
  return (MPI_Info)(intptr_t)mark(h);
}
static NOINLINE abi_handle in_Message(MPI_Message h) {
  switch ((int)(intptr_t)h) {
  case 738197504: return (abi_handle)0x128;
  case 1811939328: return (abi_handle)0x129;
  }
  return made((int)(intptr_t)h);
}
static NOINLINE MPI_Message out_Message(abi_handle h) {
  switch ((uintptr_t)h) {
  case 0x128: return (MPI_Message)(intptr_t)738197504;
  case 0x129: return (MPI_Message)(intptr_t)1811939328;
  }
  return (MPI_Message)(intptr_t)mark(h);
}
static NOINLINE abi_handle in_Op(MPI_Op h) {
  switch ((int)(intptr_t)h) {
  case 402653184: return (abi_handle)0x20;
  case 1476395011: return (abi_handle)0x21;
  case 1476395010: return (abi_handle)0x22;
  case 1476395009: return (abi_handle)0x23;
  case 1476395012: return (abi_handle)0x24;
  case 1476395014: return (abi_handle)0x28;
  case 1476395016: return (abi_handle)0x29;
  case 1476395018: return (abi_handle)0x2a;
  case 1476395013: return (abi_handle)0x30;
  case 1476395015: return (abi_handle)0x31;
  case 1476395017: return (abi_handle)0x32;
  case 1476395019: return (abi_handle)0x38;
  case 1476395020: return (abi_handle)0x39;
  case 1476395021: return (abi_handle)0x3c;
  case 1476395022: return (abi_handle)0x3d;
  }
  return made((int)(intptr_t)h);
}
static NOINLINE MPI_Op out_Op(abi_handle h) {
  switch ((uintptr_t)h) {
  case 0x20: return (MPI_Op)(intptr_t)402653184;
  case 0x21: return (MPI_Op)(intptr_t)1476395011;
  case 0x22: return (MPI_Op)(intptr_t)1476395010;
  case 0x23: return (MPI_Op)(intptr_t)1476395009;
  case 0x24: return (MPI_Op)(intptr_t)1476395012;
  case 0x28: return (MPI_Op)(intptr_t)1476395014;
  case 0x29: return (MPI_Op)(intptr_t)1476395016;
  case 0x2a: return (MPI_Op)(intptr_t)1476395018;
  case 0x30: return (MPI_Op)(intptr_t)1476395013;
  case 0x31: return (MPI_Op)(intptr_t)1476395015;
  case 0x32: return (MPI_Op)(intptr_t)1476395017;
  case 0x38: return (MPI_Op)(intptr_t)1476395019;
  case 0x39: return (MPI_Op)(intptr_t)1476395020;
  case 0x3c: return (MPI_Op)(intptr_t)1476395021;
  case 0x3d: return (MPI_Op)(intptr_t)1476395022;
  }
  return (MPI_Op)(intptr_t)mark(h);
}
static NOINLINE abi_handle in_Request(MPI_Request h) {
  switch ((int)(intptr_t)h) {
  case 738197504: return (abi_handle)0x180;
  }
  return made((int)(intptr_t)h);
}
static NOINLINE MPI_Request out_Request(abi_handle h) {
  switch ((uintptr_t)h) {
  case 0x180: return (MPI_Request)(intptr_t)738197504;
  }
  return (MPI_Request)(intptr_t)mark(h);
}
static NOINLINE abi_handle in_Session(MPI_Session h) {
  switch ((int)(intptr_t)h) {
  case 939524096: return (abi_handle)0x120;
  }
  return made((int)(intptr_t)h);
}
static NOINLINE MPI_Session out_Session(abi_handle h) {
  switch ((uintptr_t)h) {
  case 0x120: return (MPI_Session)(intptr_t)939524096;
  }
  return (MPI_Session)(intptr_t)mark(h);
}
static NOINLINE abi_handle in_Win(MPI_Win h) {
  switch ((int)(intptr_t)h) {
  case 536870912: return (abi_handle)0x110;
  }
  return made((int)(intptr_t)h);
}
static NOINLINE MPI_Win out_Win(abi_handle h) {
  switch ((uintptr_t)h) {
  case 0x110: return (MPI_Win)(intptr_t)536870912;
  }
  return (MPI_Win)(intptr_t)mark(h);
}
static NOINLINE int in_rank(int v) {
  switch (v) {
  case -2: return -1;
  case -1: return -3;
  case -3: return -4;
  }
  return v;
}
static NOINLINE int out_rank(int v) {
  switch (v) {
  case -1: return -2;
  case -3: return -1;
  case -4: return -3;
  }
  return v;
}
static NOINLINE int in_tag(int v) {
  switch (v) {
  case -1: return -2;
  }
  return v;
}
static NOINLINE int out_tag(int v) {
  switch (v) {
  case -2: return -1;
  }
  return v;
}
static NOINLINE int in_error(int v) {
  switch (v) {
  case 1: return 1;
  case 2: return 2;
  case 3: return 3;
  case 4: return 4;
  case 5: return 5;
  case 6: return 6;
  case 19: return 7;
  case 7: return 8;
  case 8: return 9;
  case 9: return 10;
  case 10: return 11;
  case 11: return 12;
  case 12: return 13;
  case 13: return 14;
  case 14: return 15;
  case 15: return 16;
  case 16: return 17;
  case 18: return 18;
  case 17: return 19;
  case 20: return 20;
  case 21: return 21;
  case 53: return 22;
  case 22: return 23;
  case 46: return 24;
  case 23: return 25;
  case 52: return 26;
  case 24: return 27;
  case 25: return 28;
  case 26: return 29;
  case 27: return 30;
  case 29: return 31;
  case 31: return 32;
  case 30: return 33;
  case 28: return 34;
  case 32: return 35;
  case 48: return 36;
  case 47: return 37;
  case 33: return 38;
  case 34: return 39;
  case 35: return 40;
  case 36: return 41;
  case 37: return 42;
  case 38: return 43;
  case 39: return 44;
  case 40: return 45;
  case 56: return 46;
  case 49: return 47;
  case 55: return 48;
  case 57: return 49;
  case 50: return 50;
  case 41: return 51;
  case 51: return 52;
  case 42: return 53;
  case 43: return 54;
  case 44: return 55;
  case 45: return 56;
  case 58: return 57;
  case 76: return 58;
  case 77: return 59;
  case 75: return 60;
  case 61: return 1001;
  case 60: return 1003;
  case 78: return 1004;
  case 59: return 1005;
  case 74: return 1006;
  case 62: return 1007;
  case 63: return 1008;
  case 67: return 1009;
  case 64: return 1010;
  case 73: return 1011;
  case 65: return 1012;
  case 66: return 1013;
  case 68: return 1014;
  case 69: return 1015;
  case 71: return 1016;
  case 70: return 1017;
  case 72: return 1018;
  default: if (v >= 1073741823) return v - 1073741823 + 16383;
  }
  return v;
}
static NOINLINE int out_error(int v) {
  switch (v) {
  case 1: return 1;
  case 2: return 2;
  case 3: return 3;
  case 4: return 4;
  case 5: return 5;
  case 6: return 6;
  case 7: return 19;
  case 8: return 7;
  case 9: return 8;
  case 10: return 9;
  case 11: return 10;
  case 12: return 11;
  case 13: return 12;
  case 14: return 13;
  case 15: return 14;
  case 16: return 15;
  case 17: return 16;
  case 18: return 18;
  case 19: return 17;
  case 20: return 20;
  case 21: return 21;
  case 22: return 53;
  case 23: return 22;
  case 24: return 46;
  case 25: return 23;
  case 26: return 52;
  case 27: return 24;
  case 28: return 25;
  case 29: return 26;
  case 30: return 27;
  case 31: return 29;
  case 32: return 31;
  case 33: return 30;
  case 34: return 28;
  case 35: return 32;
  case 36: return 48;
  case 37: return 47;
  case 38: return 33;
  case 39: return 34;
  case 40: return 35;
  case 41: return 36;
  case 42: return 37;
  case 43: return 38;
  case 44: return 39;
  case 45: return 40;
  case 46: return 56;
  case 47: return 49;
  case 48: return 55;
  case 49: return 57;
  case 50: return 50;
  case 51: return 41;
  case 52: return 51;
  case 53: return 42;
  case 54: return 43;
  case 55: return 44;
  case 56: return 45;
  case 57: return 58;
  case 58: return 76;
  case 59: return 77;
  case 60: return 75;
  case 1001: return 61;
  case 1003: return 60;
  case 1004: return 78;
  case 1005: return 59;
  case 1006: return 74;
  case 1007: return 62;
  case 1008: return 63;
  case 1009: return 67;
  case 1010: return 64;
  case 1011: return 73;
  case 1012: return 65;
  case 1013: return 66;
  case 1014: return 68;
  case 1015: return 69;
  case 1016: return 71;
  case 1017: return 70;
  case 1018: return 72;
  default: if (v >= 16383) return v - 16383 + 1073741823;
  }
  return v;
}
static NOINLINE int in_thread(int v) {
  switch (v) {
  case 0: return 0;
  case 1: return 1024;
  case 2: return 2048;
  case 3: return 4096;
  }
  return v;
}
static NOINLINE int out_thread(int v) {
  switch (v) {
  case 0: return 0;
  case 1024: return 1;
  case 2048: return 2;
  case 4096: return 3;
  }
  return v;
}
static NOINLINE int in_order(int v) {
  switch (v) {
  case 56: return 12;
  case 57: return 15;
  }
  return v;
}
static NOINLINE int out_order(int v) {
  switch (v) {
  case 12: return 56;
  case 15: return 57;
  }
  return v;
}
static NOINLINE int in_distribution(int v) {
  switch (v) {
  case 123: return 16;
  case 121: return 17;
  case 122: return 18;
  }
  return v;
}
static NOINLINE int out_distribution(int v) {
  switch (v) {
  case 16: return 123;
  case 17: return 121;
  case 18: return 122;
  }
  return v;
}
static NOINLINE int in_distarg(int v) {
  switch (v) {
  case -49767: return 19;
  }
  return v;
}
static NOINLINE int out_distarg(int v) {
  switch (v) {
  case 19: return -49767;
  }
  return v;
}
static NOINLINE int in_combiner(int v) {
  switch (v) {
  case 1: return 101;
  case 2: return 102;
  case 3: return 103;
  case 4: return 104;
  case 6: return 105;
  case 7: return 106;
  case 9: return 107;
  case 10: return 108;
  case 19: return 109;
  case 12: return 110;
  case 13: return 111;
  case 14: return 112;
  case 15: return 113;
  case 16: return 114;
  case 17: return 115;
  case 18: return 116;
  }
  return v;
}
static NOINLINE int out_combiner(int v) {
  switch (v) {
  case 101: return 1;
  case 102: return 2;
  case 103: return 3;
  case 104: return 4;
  case 105: return 6;
  case 106: return 7;
  case 107: return 9;
  case 108: return 10;
  case 109: return 19;
  case 110: return 12;
  case 111: return 13;
  case 112: return 14;
  case 113: return 15;
  case 114: return 16;
  case 115: return 17;
  case 116: return 18;
  }
  return v;
}
static NOINLINE int in_typeclass(int v) {
  switch (v) {
  case 2: return 192;
  case 1: return 193;
  case 3: return 194;
  }
  return v;
}
static NOINLINE int out_typeclass(int v) {
  switch (v) {
  case 192: return 2;
  case 193: return 1;
  case 194: return 3;
  }
  return v;
}
static NOINLINE int in_comparison(int v) {
  switch (v) {
  case 0: return 201;
  case 1: return 202;
  case 2: return 203;
  case 3: return 204;
  }
  return v;
}
static NOINLINE int out_comparison(int v) {
  switch (v) {
  case 201: return 0;
  case 202: return 1;
  case 203: return 2;
  case 204: return 3;
  }
  return v;
}
static NOINLINE int in_topology(int v) {
  switch (v) {
  case 2: return 211;
  case 1: return 212;
  case 3: return 213;
  }
  return v;
}
static NOINLINE int out_topology(int v) {
  switch (v) {
  case 211: return 2;
  case 212: return 1;
  case 213: return 3;
  }
  return v;
}
static NOINLINE int in_split(int v) {
  switch (v) {
  case 1: return 221;
  case 3: return 222;
  case 2: return 223;
  }
  return v;
}
static NOINLINE int out_split(int v) {
  switch (v) {
  case 221: return 1;
  case 222: return 3;
  case 223: return 2;
  }
  return v;
}
static NOINLINE int in_lock(int v) {
  switch (v) {
  case 234: return 301;
  case 235: return 302;
  }
  return v;
}
static NOINLINE int out_lock(int v) {
  switch (v) {
  case 301: return 234;
  case 302: return 235;
  }
  return v;
}
static NOINLINE int in_flavor(int v) {
  switch (v) {
  case 1: return 311;
  case 2: return 312;
  case 3: return 313;
  case 4: return 314;
  }
  return v;
}
static NOINLINE int out_flavor(int v) {
  switch (v) {
  case 311: return 1;
  case 312: return 2;
  case 313: return 3;
  case 314: return 4;
  }
  return v;
}
static NOINLINE int in_model(int v) {
  switch (v) {
  case 2: return 321;
  case 1: return 322;
  }
  return v;
}
static NOINLINE int out_model(int v) {
  switch (v) {
  case 321: return 2;
  case 322: return 1;
  }
  return v;
}
static NOINLINE int in_whence(int v) {
  switch (v) {
  case 602: return 401;
  case 604: return 402;
  case 600: return 403;
  }
  return v;
}
static NOINLINE int out_whence(int v) {
  switch (v) {
  case 401: return 602;
  case 402: return 604;
  case 403: return 600;
  }
  return v;
}
static NOINLINE int in_keyval(int v) {
  switch (v) {
  case 603979776: return 0;
  case 1681915905: return 501;
  case 1681915909: return 502;
  case 1681915907: return 503;
  case 1681915911: return 504;
  case 1681915917: return 505;
  case 1681915915: return 506;
  case 1681915913: return 507;
  case 1711276033: return 601;
  case 1711276037: return 602;
  case 1711276035: return 603;
  case 1711276039: return 604;
  case 1711276041: return 605;
  }
  return v;
}
static NOINLINE int out_keyval(int v) {
  switch (v) {
  case 0: return 603979776;
  case 501: return 1681915905;
  case 502: return 1681915909;
  case 503: return 1681915907;
  case 504: return 1681915911;
  case 505: return 1681915917;
  case 506: return 1681915915;
  case 507: return 1681915913;
  case 601: return 1711276033;
  case 602: return 1711276037;
  case 603: return 1711276035;
  case 604: return 1711276039;
  case 605: return 1711276041;
  }
  return v;
}
static NOINLINE MPI_Offset in_displacement(MPI_Offset v) {
  switch (v) {
  case -54278278: return -1;
  }
  return v;
}
static NOINLINE MPI_Offset out_displacement(MPI_Offset v) {
  switch (v) {
  case -1: return -54278278;
  }
  return v;
}
static NOINLINE int in_access(int v) {
  int r = 0;
  if (v & 128) r |= 1;
  if (v & 1) r |= 2;
  if (v & 16) r |= 4;
  if (v & 64) r |= 8;
  if (v & 2) r |= 16;
  if (v & 8) r |= 32;
  if (v & 256) r |= 64;
  if (v & 32) r |= 128;
  if (v & 4) r |= 256;
  return r;
}
static NOINLINE int out_access(int v) {
  int r = 0;
  if (v & 1) r |= 128;
  if (v & 2) r |= 1;
  if (v & 4) r |= 16;
  if (v & 8) r |= 64;
  if (v & 16) r |= 2;
  if (v & 32) r |= 8;
  if (v & 64) r |= 256;
  if (v & 128) r |= 32;
  if (v & 256) r |= 4;
  return r;
}
static NOINLINE int in_assertion(int v) {
  int r = 0;
  if (v & 1024) r |= 1024;
  if (v & 8192) r |= 2048;
  if (v & 4096) r |= 4096;
  if (v & 2048) r |= 8192;
  if (v & 16384) r |= 16384;
  return r;
}
static NOINLINE int out_assertion(int v) {
  int r = 0;
  if (v & 1024) r |= 1024;
  if (v & 2048) r |= 8192;
  if (v & 4096) r |= 4096;
  if (v & 8192) r |= 2048;
  if (v & 16384) r |= 16384;
  return r;
}
static NOINLINE int in_verbosity(int v) {
  switch (v) {
  case 221: return 9;
  case 222: return 10;
  case 223: return 12;
  case 224: return 17;
  case 225: return 18;
  case 226: return 20;
  case 227: return 33;
  case 228: return 34;
  case 229: return 36;
  }
  return v;
}
static NOINLINE int out_verbosity(int v) {
  switch (v) {
  case 9: return 221;
  case 10: return 222;
  case 12: return 223;
  case 17: return 224;
  case 18: return 225;
  case 20: return 226;
  case 33: return 227;
  case 34: return 228;
  case 36: return 229;
  }
  return v;
}
static NOINLINE int in_bind(int v) {
  switch (v) {
  case 9700: return 1;
  case 9701: return 2;
  case 9702: return 3;
  case 9703: return 4;
  case 9704: return 5;
  case 9705: return 6;
  case 9706: return 7;
  case 9707: return 8;
  case 9708: return 9;
  case 9709: return 10;
  case 9710: return 11;
  }
  return v;
}
static NOINLINE int out_bind(int v) {
  switch (v) {
  case 1: return 9700;
  case 2: return 9701;
  case 3: return 9702;
  case 4: return 9703;
  case 5: return 9704;
  case 6: return 9705;
  case 7: return 9706;
  case 8: return 9707;
  case 9: return 9708;
  case 10: return 9709;
  case 11: return 9710;
  }
  return v;
}
static NOINLINE int in_scope(int v) {
  switch (v) {
  case 60438: return 1;
  case 60439: return 2;
  case 60440: return 3;
  case 60441: return 4;
  case 60442: return 5;
  case 60443: return 6;
  case 60444: return 7;
  }
  return v;
}
static NOINLINE int out_scope(int v) {
  switch (v) {
  case 1: return 60438;
  case 2: return 60439;
  case 3: return 60440;
  case 4: return 60441;
  case 5: return 60442;
  case 6: return 60443;
  case 7: return 60444;
  }
  return v;
}
static NOINLINE int in_class(int v) {
  switch (v) {
  case 240: return 1;
  case 241: return 2;
  case 242: return 3;
  case 243: return 4;
  case 244: return 5;
  case 245: return 6;
  case 246: return 7;
  case 247: return 8;
  case 248: return 9;
  case 249: return 10;
  }
  return v;
}
static NOINLINE int out_class(int v) {
  switch (v) {
  case 1: return 240;
  case 2: return 241;
  case 3: return 242;
  case 4: return 243;
  case 5: return 244;
  case 6: return 245;
  case 7: return 246;
  case 8: return 247;
  case 9: return 248;
  case 10: return 249;
  }
  return v;
}
