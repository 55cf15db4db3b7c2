/* Written by go generate from internal/abi/spec. Do not edit. */

/* name, bytes, handle of the interface, number in Fortran */
#define OBJECTS(X) \
  X(ompi_mpi_op_null, 2048, 0x20, 0) \
  X(ompi_mpi_op_sum, 2048, 0x21, 3) \
  X(ompi_mpi_op_min, 2048, 0x22, 2) \
  X(ompi_mpi_op_max, 2048, 0x23, 1) \
  X(ompi_mpi_op_prod, 2048, 0x24, 4) \
  X(ompi_mpi_op_band, 2048, 0x28, 6) \
  X(ompi_mpi_op_bor, 2048, 0x29, 8) \
  X(ompi_mpi_op_bxor, 2048, 0x2a, 10) \
  X(ompi_mpi_op_land, 2048, 0x30, 5) \
  X(ompi_mpi_op_lor, 2048, 0x31, 7) \
  X(ompi_mpi_op_lxor, 2048, 0x32, 9) \
  X(ompi_mpi_op_minloc, 2048, 0x38, 12) \
  X(ompi_mpi_op_maxloc, 2048, 0x39, 11) \
  X(ompi_mpi_op_replace, 2048, 0x3c, 13) \
  X(ompi_mpi_op_no_op, 2048, 0x3d, 14) \
  X(ompi_mpi_comm_null, 512, 0x100, 2) \
  X(ompi_mpi_comm_world, 512, 0x101, 0) \
  X(ompi_mpi_comm_self, 512, 0x102, 1) \
  X(ompi_mpi_group_null, 256, 0x108, 0) \
  X(ompi_mpi_group_empty, 256, 0x109, 1) \
  X(ompi_mpi_win_null, 512, 0x110, 0) \
  X(ompi_mpi_file_null, 1536, 0x118, 0) \
  X(ompi_message_null, 256, 0x128, 0) \
  X(ompi_message_no_proc, 256, 0x129, 1) \
  X(ompi_mpi_info_null, 256, 0x130, 0) \
  X(ompi_mpi_info_env, 256, 0x131, 1) \
  X(ompi_mpi_errhandler_null, 1024, 0x140, 0) \
  X(ompi_mpi_errors_are_fatal, 1024, 0x141, 1) \
  X(ompi_mpi_errors_return, 1024, 0x143, 2) \
  X(ompi_request_null, 256, 0x180, 0) \
  X(ompi_mpi_datatype_null, 512, 0x200, 0) \
  X(ompi_mpi_aint, 512, 0x201, 66) \
  X(ompi_mpi_count, 512, 0x202, 72) \
  X(ompi_mpi_offset, 512, 0x203, 67) \
  X(ompi_mpi_packed, 512, 0x207, 2) \
  X(ompi_mpi_short, 512, 0x208, 37) \
  X(ompi_mpi_int, 512, 0x209, 39) \
  X(ompi_mpi_long, 512, 0x20a, 41) \
  X(ompi_mpi_long_long_int, 512, 0x20b, 43) \
  X(ompi_mpi_unsigned_short, 512, 0x20c, 38) \
  X(ompi_mpi_unsigned, 512, 0x20d, 40) \
  X(ompi_mpi_unsigned_long, 512, 0x20e, 42) \
  X(ompi_mpi_unsigned_long_long, 512, 0x20f, 44) \
  X(ompi_mpi_float, 512, 0x210, 45) \
  X(ompi_mpi_c_float_complex, 512, 0x212, 69) \
  X(ompi_mpi_cxx_cplex, 512, 0x213, 55) \
  X(ompi_mpi_double, 512, 0x214, 46) \
  X(ompi_mpi_c_double_complex, 512, 0x216, 70) \
  X(ompi_mpi_cxx_dblcplex, 512, 0x217, 56) \
  X(ompi_mpi_logical, 512, 0x218, 6) \
  X(ompi_mpi_integer, 512, 0x219, 7) \
  X(ompi_mpi_real, 512, 0x21a, 13) \
  X(ompi_mpi_cplex, 512, 0x21b, 18) \
  X(ompi_mpi_dblprec, 512, 0x21c, 17) \
  X(ompi_mpi_dblcplex, 512, 0x21d, 22) \
  X(ompi_mpi_character, 512, 0x21e, 5) \
  X(ompi_mpi_long_double, 512, 0x220, 47) \
  X(ompi_mpi_c_long_double_complex, 512, 0x224, 71) \
  X(ompi_mpi_cxx_ldblcplex, 512, 0x225, 57) \
  X(ompi_mpi_float_int, 512, 0x228, 48) \
  X(ompi_mpi_double_int, 512, 0x229, 49) \
  X(ompi_mpi_long_int, 512, 0x22a, 51) \
  X(ompi_mpi_2int, 512, 0x22b, 52) \
  X(ompi_mpi_short_int, 512, 0x22c, 53) \
  X(ompi_mpi_longdbl_int, 512, 0x22d, 50) \
  X(ompi_mpi_2real, 512, 0x230, 23) \
  X(ompi_mpi_2dblprec, 512, 0x231, 24) \
  X(ompi_mpi_2integer, 512, 0x232, 25) \
  X(ompi_mpi_c_bool, 512, 0x238, 68) \
  X(ompi_mpi_cxx_bool, 512, 0x239, 54) \
  X(ompi_mpi_wchar, 512, 0x23c, 33) \
  X(ompi_mpi_int8_t, 512, 0x240, 58) \
  X(ompi_mpi_uint8_t, 512, 0x241, 59) \
  X(ompi_mpi_char, 512, 0x243, 34) \
  X(ompi_mpi_signed_char, 512, 0x244, 36) \
  X(ompi_mpi_unsigned_char, 512, 0x245, 35) \
  X(ompi_mpi_byte, 512, 0x247, 1) \
  X(ompi_mpi_int16_t, 512, 0x248, 60) \
  X(ompi_mpi_uint16_t, 512, 0x249, 61) \
  X(ompi_mpi_int32_t, 512, 0x250, 62) \
  X(ompi_mpi_uint32_t, 512, 0x251, 63) \
  X(ompi_mpi_int64_t, 512, 0x258, 64) \
  X(ompi_mpi_uint64_t, 512, 0x259, 65) \
  X(ompi_mpi_logical1, 512, 0x2c0, 29) \
  X(ompi_mpi_integer1, 512, 0x2c1, 8) \
  X(ompi_mpi_logical2, 512, 0x2c8, 30) \
  X(ompi_mpi_integer2, 512, 0x2c9, 9) \
  X(ompi_mpi_logical4, 512, 0x2d0, 31) \
  X(ompi_mpi_integer4, 512, 0x2d1, 10) \
  X(ompi_mpi_real4, 512, 0x2d2, 14) \
  X(ompi_mpi_logical8, 512, 0x2d8, 32) \
  X(ompi_mpi_integer8, 512, 0x2d9, 11) \
  X(ompi_mpi_real8, 512, 0x2da, 15) \
  X(ompi_mpi_complex8, 512, 0x2db, 19) \
  X(ompi_mpi_real16, 512, 0x2e2, 16) \
  X(ompi_mpi_complex16, 512, 0x2e3, 20) \
  X(ompi_mpi_complex32, 512, 0x2eb, 21)

#define UNKNOWN_OBJECTS(X) \
  X(ompi_mpi_lb, 512, 0, 4) \
  X(ompi_mpi_ub, 512, 0, 3) \
  X(ompi_mpi_c_complex, 512, 0x212, 69) \
  X(ompi_mpi_2cplex, 512, 0, 26) \
  X(ompi_mpi_2dblcplex, 512, 0, 27) \
  X(ompi_mpi_integer16, 512, 0, 12) \
  X(ompi_mpi_real2, 512, 0, 28)

#define in_Comm(h) in_object(h)
#define out_Comm(h) ((MPI_Comm)out_object(h))
#define FORTRAN_Comm case 2: return &ompi_mpi_comm_null; \
  case 0: return &ompi_mpi_comm_world; \
  case 1: return &ompi_mpi_comm_self;
#define in_Datatype(h) in_object(h)
#define out_Datatype(h) ((MPI_Datatype)out_object(h))
#define FORTRAN_Datatype case 0: return &ompi_mpi_datatype_null; \
  case 66: return &ompi_mpi_aint; \
  case 72: return &ompi_mpi_count; \
  case 67: return &ompi_mpi_offset; \
  case 2: return &ompi_mpi_packed; \
  case 37: return &ompi_mpi_short; \
  case 39: return &ompi_mpi_int; \
  case 41: return &ompi_mpi_long; \
  case 43: return &ompi_mpi_long_long_int; \
  case 38: return &ompi_mpi_unsigned_short; \
  case 40: return &ompi_mpi_unsigned; \
  case 42: return &ompi_mpi_unsigned_long; \
  case 44: return &ompi_mpi_unsigned_long_long; \
  case 45: return &ompi_mpi_float; \
  case 69: return &ompi_mpi_c_float_complex; \
  case 55: return &ompi_mpi_cxx_cplex; \
  case 46: return &ompi_mpi_double; \
  case 70: return &ompi_mpi_c_double_complex; \
  case 56: return &ompi_mpi_cxx_dblcplex; \
  case 6: return &ompi_mpi_logical; \
  case 7: return &ompi_mpi_integer; \
  case 13: return &ompi_mpi_real; \
  case 18: return &ompi_mpi_cplex; \
  case 17: return &ompi_mpi_dblprec; \
  case 22: return &ompi_mpi_dblcplex; \
  case 5: return &ompi_mpi_character; \
  case 47: return &ompi_mpi_long_double; \
  case 71: return &ompi_mpi_c_long_double_complex; \
  case 57: return &ompi_mpi_cxx_ldblcplex; \
  case 48: return &ompi_mpi_float_int; \
  case 49: return &ompi_mpi_double_int; \
  case 51: return &ompi_mpi_long_int; \
  case 52: return &ompi_mpi_2int; \
  case 53: return &ompi_mpi_short_int; \
  case 50: return &ompi_mpi_longdbl_int; \
  case 23: return &ompi_mpi_2real; \
  case 24: return &ompi_mpi_2dblprec; \
  case 25: return &ompi_mpi_2integer; \
  case 68: return &ompi_mpi_c_bool; \
  case 54: return &ompi_mpi_cxx_bool; \
  case 33: return &ompi_mpi_wchar; \
  case 58: return &ompi_mpi_int8_t; \
  case 59: return &ompi_mpi_uint8_t; \
  case 34: return &ompi_mpi_char; \
  case 36: return &ompi_mpi_signed_char; \
  case 35: return &ompi_mpi_unsigned_char; \
  case 1: return &ompi_mpi_byte; \
  case 60: return &ompi_mpi_int16_t; \
  case 61: return &ompi_mpi_uint16_t; \
  case 62: return &ompi_mpi_int32_t; \
  case 63: return &ompi_mpi_uint32_t; \
  case 64: return &ompi_mpi_int64_t; \
  case 65: return &ompi_mpi_uint64_t; \
  case 29: return &ompi_mpi_logical1; \
  case 8: return &ompi_mpi_integer1; \
  case 30: return &ompi_mpi_logical2; \
  case 9: return &ompi_mpi_integer2; \
  case 31: return &ompi_mpi_logical4; \
  case 10: return &ompi_mpi_integer4; \
  case 14: return &ompi_mpi_real4; \
  case 32: return &ompi_mpi_logical8; \
  case 11: return &ompi_mpi_integer8; \
  case 15: return &ompi_mpi_real8; \
  case 19: return &ompi_mpi_complex8; \
  case 16: return &ompi_mpi_real16; \
  case 20: return &ompi_mpi_complex16; \
  case 21: return &ompi_mpi_complex32;
#define in_Errhandler(h) in_object(h)
#define out_Errhandler(h) ((MPI_Errhandler)out_object(h))
#define FORTRAN_Errhandler case 0: return &ompi_mpi_errhandler_null; \
  case 1: return &ompi_mpi_errors_are_fatal; \
  case 2: return &ompi_mpi_errors_return;
#define in_File(h) in_object(h)
#define out_File(h) ((MPI_File)out_object(h))
#define FORTRAN_File case 0: return &ompi_mpi_file_null;
#define in_Group(h) in_object(h)
#define out_Group(h) ((MPI_Group)out_object(h))
#define FORTRAN_Group case 0: return &ompi_mpi_group_null; \
  case 1: return &ompi_mpi_group_empty;
#define in_Info(h) in_object(h)
#define out_Info(h) ((MPI_Info)out_object(h))
#define FORTRAN_Info case 0: return &ompi_mpi_info_null; \
  case 1: return &ompi_mpi_info_env;
#define in_Message(h) in_object(h)
#define out_Message(h) ((MPI_Message)out_object(h))
#define FORTRAN_Message case 0: return &ompi_message_null; \
  case 1: return &ompi_message_no_proc;
#define in_Op(h) in_object(h)
#define out_Op(h) ((MPI_Op)out_object(h))
#define FORTRAN_Op case 0: return &ompi_mpi_op_null; \
  case 3: return &ompi_mpi_op_sum; \
  case 2: return &ompi_mpi_op_min; \
  case 1: return &ompi_mpi_op_max; \
  case 4: return &ompi_mpi_op_prod; \
  case 6: return &ompi_mpi_op_band; \
  case 8: return &ompi_mpi_op_bor; \
  case 10: return &ompi_mpi_op_bxor; \
  case 5: return &ompi_mpi_op_land; \
  case 7: return &ompi_mpi_op_lor; \
  case 9: return &ompi_mpi_op_lxor; \
  case 12: return &ompi_mpi_op_minloc; \
  case 11: return &ompi_mpi_op_maxloc; \
  case 13: return &ompi_mpi_op_replace; \
  case 14: return &ompi_mpi_op_no_op;
#define in_Request(h) in_object(h)
#define out_Request(h) ((MPI_Request)out_object(h))
#define FORTRAN_Request case 0: return &ompi_request_null;
#define in_Session(h) in_object(h)
#define out_Session(h) ((MPI_Session)out_object(h))
#define FORTRAN_Session 
#define in_Win(h) in_object(h)
#define out_Win(h) ((MPI_Win)out_object(h))
#define FORTRAN_Win case 0: return &ompi_mpi_win_null;
static NOINLINE int in_rank(int v) {
  switch (v) {
  case -1: return -1;
  case -2: return -3;
  case -4: return -4;
  }
  return v;
}
static NOINLINE int out_rank(int v) {
  switch (v) {
  case -1: return -1;
  case -3: return -2;
  case -4: return -4;
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
  case 7: return 7;
  case 8: return 8;
  case 9: return 9;
  case 10: return 10;
  case 11: return 11;
  case 12: return 12;
  case 13: return 13;
  case 14: return 14;
  case 15: return 15;
  case 16: return 16;
  case 17: return 17;
  case 19: return 18;
  case 18: return 19;
  case 20: return 20;
  case 21: return 21;
  case 22: return 22;
  case 23: return 23;
  case 24: return 24;
  case 25: return 25;
  case 26: return 26;
  case 27: return 27;
  case 28: return 28;
  case 29: return 29;
  case 30: return 30;
  case 31: return 31;
  case 32: return 32;
  case 33: return 33;
  case 34: return 34;
  case 35: return 35;
  case 36: return 36;
  case 37: return 37;
  case 38: return 38;
  case 39: return 39;
  case 40: return 40;
  case 41: return 41;
  case 42: return 42;
  case 43: return 43;
  case 44: return 44;
  case 45: return 45;
  case 69: return 46;
  case 46: return 47;
  case 68: return 48;
  case 71: return 49;
  case 47: return 50;
  case 48: return 51;
  case 49: return 52;
  case 50: return 53;
  case 51: return 54;
  case 52: return 55;
  case 53: return 56;
  case 70: return 57;
  case 56: return 1001;
  case 55: return 1003;
  case 54: return 1005;
  case 72: return 1006;
  case 57: return 1007;
  case 58: return 1008;
  case 62: return 1009;
  case 59: return 1010;
  case 73: return 1011;
  case 60: return 1012;
  case 61: return 1013;
  case 63: return 1014;
  case 64: return 1015;
  case 66: return 1016;
  case 65: return 1017;
  case 67: return 1018;
  default: if (v >= 92) return v - 92 + 16383;
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
  case 7: return 7;
  case 8: return 8;
  case 9: return 9;
  case 10: return 10;
  case 11: return 11;
  case 12: return 12;
  case 13: return 13;
  case 14: return 14;
  case 15: return 15;
  case 16: return 16;
  case 17: return 17;
  case 18: return 19;
  case 19: return 18;
  case 20: return 20;
  case 21: return 21;
  case 22: return 22;
  case 23: return 23;
  case 24: return 24;
  case 25: return 25;
  case 26: return 26;
  case 27: return 27;
  case 28: return 28;
  case 29: return 29;
  case 30: return 30;
  case 31: return 31;
  case 32: return 32;
  case 33: return 33;
  case 34: return 34;
  case 35: return 35;
  case 36: return 36;
  case 37: return 37;
  case 38: return 38;
  case 39: return 39;
  case 40: return 40;
  case 41: return 41;
  case 42: return 42;
  case 43: return 43;
  case 44: return 44;
  case 45: return 45;
  case 46: return 69;
  case 47: return 46;
  case 48: return 68;
  case 49: return 71;
  case 50: return 47;
  case 51: return 48;
  case 52: return 49;
  case 53: return 50;
  case 54: return 51;
  case 55: return 52;
  case 56: return 53;
  case 57: return 70;
  case 1001: return 56;
  case 1003: return 55;
  case 1005: return 54;
  case 1006: return 72;
  case 1007: return 57;
  case 1008: return 58;
  case 1009: return 62;
  case 1010: return 59;
  case 1011: return 73;
  case 1012: return 60;
  case 1013: return 61;
  case 1014: return 63;
  case 1015: return 64;
  case 1016: return 66;
  case 1017: return 65;
  case 1018: return 67;
  default: if (v >= 16383) return v - 16383 + 92;
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
  case 0: return 12;
  case 1: return 15;
  }
  return v;
}
static NOINLINE int out_order(int v) {
  switch (v) {
  case 12: return 0;
  case 15: return 1;
  }
  return v;
}
static NOINLINE int in_distribution(int v) {
  switch (v) {
  case 2: return 16;
  case 0: return 17;
  case 1: return 18;
  }
  return v;
}
static NOINLINE int out_distribution(int v) {
  switch (v) {
  case 16: return 2;
  case 17: return 0;
  case 18: return 1;
  }
  return v;
}
static NOINLINE int in_distarg(int v) {
  switch (v) {
  case -1: return 19;
  }
  return v;
}
static NOINLINE int out_distarg(int v) {
  switch (v) {
  case 19: return -1;
  }
  return v;
}
static NOINLINE int in_combiner(int v) {
  switch (v) {
  case 0: return 101;
  case 1: return 102;
  case 2: return 103;
  case 3: return 104;
  case 5: return 105;
  case 6: return 106;
  case 8: return 107;
  case 9: return 108;
  case 18: return 109;
  case 11: return 110;
  case 12: return 111;
  case 13: return 112;
  case 14: return 113;
  case 15: return 114;
  case 16: return 115;
  case 17: return 116;
  }
  return v;
}
static NOINLINE int out_combiner(int v) {
  switch (v) {
  case 101: return 0;
  case 102: return 1;
  case 103: return 2;
  case 104: return 3;
  case 105: return 5;
  case 106: return 6;
  case 107: return 8;
  case 108: return 9;
  case 109: return 18;
  case 110: return 11;
  case 111: return 12;
  case 112: return 13;
  case 113: return 14;
  case 114: return 15;
  case 115: return 16;
  case 116: return 17;
  }
  return v;
}
static NOINLINE int in_typeclass(int v) {
  switch (v) {
  case 1: return 192;
  case 2: return 193;
  case 3: return 194;
  }
  return v;
}
static NOINLINE int out_typeclass(int v) {
  switch (v) {
  case 192: return 1;
  case 193: return 2;
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
  case 1: return 211;
  case 2: return 212;
  case 3: return 213;
  }
  return v;
}
static NOINLINE int out_topology(int v) {
  switch (v) {
  case 211: return 1;
  case 212: return 2;
  case 213: return 3;
  }
  return v;
}
static NOINLINE int in_split(int v) {
  switch (v) {
  case 0: return 221;
  }
  return v;
}
static NOINLINE int out_split(int v) {
  switch (v) {
  case 221: return 0;
  }
  return v;
}
static NOINLINE int in_lock(int v) {
  switch (v) {
  case 1: return 301;
  case 2: return 302;
  }
  return v;
}
static NOINLINE int out_lock(int v) {
  switch (v) {
  case 301: return 1;
  case 302: return 2;
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
  case 0: return 321;
  case 1: return 322;
  }
  return v;
}
static NOINLINE int out_model(int v) {
  switch (v) {
  case 321: return 0;
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
  case -1: return 0;
  case 0: return 501;
  case 2: return 502;
  case 1: return 503;
  case 3: return 504;
  case 4: return 505;
  case 5: return 506;
  case 6: return 507;
  case 7: return 601;
  case 9: return 602;
  case 8: return 603;
  case 10: return 604;
  case 11: return 605;
  }
  return v;
}
static NOINLINE int out_keyval(int v) {
  switch (v) {
  case 0: return -1;
  case 501: return 0;
  case 502: return 2;
  case 503: return 1;
  case 504: return 3;
  case 505: return 4;
  case 506: return 5;
  case 507: return 6;
  case 601: return 7;
  case 602: return 9;
  case 603: return 8;
  case 604: return 10;
  case 605: return 11;
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
  if (v & 1) r |= 1024;
  if (v & 2) r |= 2048;
  if (v & 4) r |= 4096;
  if (v & 8) r |= 8192;
  if (v & 16) r |= 16384;
  return r;
}
static NOINLINE int out_assertion(int v) {
  int r = 0;
  if (v & 1024) r |= 1;
  if (v & 2048) r |= 2;
  if (v & 4096) r |= 4;
  if (v & 8192) r |= 8;
  if (v & 16384) r |= 16;
  return r;
}
static NOINLINE int in_verbosity(int v) {
  switch (v) {
  case 0: return 9;
  case 1: return 10;
  case 2: return 12;
  case 3: return 17;
  case 4: return 18;
  case 5: return 20;
  case 6: return 33;
  case 7: return 34;
  case 8: return 36;
  }
  return v;
}
static NOINLINE int out_verbosity(int v) {
  switch (v) {
  case 9: return 0;
  case 10: return 1;
  case 12: return 2;
  case 17: return 3;
  case 18: return 4;
  case 20: return 5;
  case 33: return 6;
  case 34: return 7;
  case 36: return 8;
  }
  return v;
}
static NOINLINE int in_bind(int v) {
  switch (v) {
  case 0: return 1;
  case 1: return 2;
  case 2: return 3;
  case 3: return 4;
  case 4: return 5;
  case 5: return 6;
  case 6: return 7;
  case 7: return 8;
  case 8: return 9;
  case 9: return 10;
  case 10: return 11;
  }
  return v;
}
static NOINLINE int out_bind(int v) {
  switch (v) {
  case 1: return 0;
  case 2: return 1;
  case 3: return 2;
  case 4: return 3;
  case 5: return 4;
  case 6: return 5;
  case 7: return 6;
  case 8: return 7;
  case 9: return 8;
  case 10: return 9;
  case 11: return 10;
  }
  return v;
}
static NOINLINE int in_scope(int v) {
  switch (v) {
  case 0: return 1;
  case 1: return 2;
  case 2: return 3;
  case 3: return 4;
  case 4: return 5;
  case 5: return 6;
  case 6: return 7;
  }
  return v;
}
static NOINLINE int out_scope(int v) {
  switch (v) {
  case 1: return 0;
  case 2: return 1;
  case 3: return 2;
  case 4: return 3;
  case 5: return 4;
  case 6: return 5;
  case 7: return 6;
  }
  return v;
}
static NOINLINE int in_class(int v) {
  switch (v) {
  case 0: return 1;
  case 1: return 2;
  case 2: return 3;
  case 3: return 4;
  case 4: return 5;
  case 5: return 6;
  case 6: return 7;
  case 7: return 8;
  case 8: return 9;
  case 9: return 10;
  }
  return v;
}
static NOINLINE int out_class(int v) {
  switch (v) {
  case 1: return 0;
  case 2: return 1;
  case 3: return 2;
  case 4: return 3;
  case 5: return 4;
  case 6: return 5;
  case 7: return 6;
  case 8: return 7;
  case 9: return 8;
  case 10: return 9;
  }
  return v;
}
