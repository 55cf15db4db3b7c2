-- Wireshark and tshark learn to read Weft's datagrams: iWARP over UDP, unreliable (UD) and reliable (RD).
--
--   tshark -X lua_script:tools/wireshark/iwarp-udp.lua -o iwarp_udp.ports:40000-40010 -r file.pcap
--
-- A datagram is an RD shim (RD only), one DDP segment, and a CRC32C, or, in a job, a seal: -o iwarp_udp.sealed:TRUE. The
-- shim, Weft's additions to RDMAP and what ends the datagram are shown here; the segment goes to Wireshark's own dissector iwarp_ddp_rdmap. Two other dissectors like to guess at the
-- payload and then call it malformed: --disable-protocol rpcordma --disable-protocol smb_direct.

local protocol = Proto("iwarp_udp", "iWARP over UDP")
protocol.prefs.ports = Pref.range("UDP ports", "", "UDP ports with iWARP datagrams", 65535)
protocol.prefs.sealed = Pref.bool("Sealed", false, "Datagrams of a job: they end with a seal, not with a CRC")

local UD, RD = 1, 2
local SHIM_SIZE, TAGGED_SIZE, UNTAGGED_SIZE, CRC_SIZE, SEAL_SIZE = 16, 14, 18, 4, 28

local field = {
  service = ProtoField.string("iwarp_udp.service", "Service"),
  what = ProtoField.string("iwarp_udp.what", "Kind"),
  flags = ProtoField.uint8("iwarp_udp.flags", "Flags", base.HEX),
  data = ProtoField.bool("iwarp_udp.flags.data", "Data follows", 8, nil, 0x80),
  start = ProtoField.bool("iwarp_udp.flags.start", "Start of an epoch", 8, nil, 0x40),
  poll = ProtoField.bool("iwarp_udp.flags.poll", "Acknowledge at once", 8, nil, 0x20),
  notready = ProtoField.bool("iwarp_udp.flags.notready", "Receiver not ready", 8, nil, 0x10),
  reset = ProtoField.bool("iwarp_udp.flags.reset", "Reset", 8, nil, 0x08),
  rnr = ProtoField.uint8("iwarp_udp.rnr", "Time to wait, code", base.DEC, nil, 0xf0),
  words = ProtoField.uint8("iwarp_udp.words", "Words of the bitmap", base.DEC, nil, 0x0f),
  epoch = ProtoField.uint16("iwarp_udp.epoch", "Epoch", base.HEX),
  psn = ProtoField.uint32("iwarp_udp.psn", "Packet number"),
  apsn = ProtoField.uint32("iwarp_udp.apsn", "Next packet number expected"),
  window = ProtoField.uint16("iwarp_udp.window", "Window, datagrams"),
  peer = ProtoField.uint16("iwarp_udp.peer_epoch", "Epoch of the peer", base.HEX),
  sack = ProtoField.uint64("iwarp_udp.sack", "Received beyond", base.HEX),
  record = ProtoField.uint32("iwarp_udp.record.number", "Write-Record number"),
  length = ProtoField.uint32("iwarp_udp.record.length", "Write-Record length"),
  offset = ProtoField.uint32("iwarp_udp.record.offset", "Write-Record offset"),
  immediate = ProtoField.uint64("iwarp_udp.immediate", "Immediate data", base.HEX),
  crc = ProtoField.uint32("iwarp_udp.crc", "CRC", base.HEX),
  seal_epoch = ProtoField.uint64("iwarp_udp.seal.epoch", "Epoch of the seal", base.HEX),
  seal_number = ProtoField.uint32("iwarp_udp.seal.number", "Number of the datagram"),
  seal_tag = ProtoField.bytes("iwarp_udp.seal.tag", "Tag"),
}
protocol.fields = field
local bad_crc = ProtoExpert.new("iwarp_udp.crc.bad", "Bad CRC", expert.group.CHECKSUM, expert.severity.ERROR)
protocol.experts = { bad_crc }

-- CRC32C, byte by byte.
local table_of = {}
for byte = 0, 255 do
  local c = byte
  for _ = 1, 8 do
    local low = bit32.band(c, 1)
    c = bit32.rshift(c, 1)
    if low == 1 then c = bit32.bxor(c, 0x82f63b78) end
  end
  table_of[byte] = c
end

local function add_bytes(crc, bytes, count)
  for i = 0, count - 1 do
    crc = bit32.bxor(table_of[bit32.band(bit32.bxor(crc, bytes:get_index(i)), 0xff)], bit32.rshift(crc, 8))
  end
  return crc
end

local function checksum(buffer, count)
  return bit32.bnot(add_bytes(0xffffffff, buffer:bytes(), count))
end

-- what_is names an RD datagram by its flags.
local function what_is(flags)
  if bit32.btest(flags, 0x80) then return "Data" end
  if bit32.btest(flags, 0x08) then return "Reset" end
  if bit32.btest(flags, 0x10) then return "Not ready" end
  return "Acknowledgement"
end

-- show_shim shows the RD shim and returns its size, or nil if the datagram is too short for it.
local function show_shim(buffer, stop, tree, info)
  local size = SHIM_SIZE + 8 * bit32.band(buffer(1, 1):uint(), 0x0f)
  if stop < size then return nil end
  local what = what_is(buffer(0, 1):uint())
  tree:add(field.what, what):set_generated()
  local flags = tree:add(field.flags, buffer(0, 1))
  for _, f in ipairs({ field.data, field.start, field.poll, field.notready, field.reset }) do
    flags:add(f, buffer(0, 1))
  end
  tree:add(field.rnr, buffer(1, 1))
  tree:add(field.words, buffer(1, 1))
  tree:add(field.epoch, buffer(2, 2))
  tree:add(field.psn, buffer(4, 4))
  tree:add(field.apsn, buffer(8, 4))
  tree:add(field.window, buffer(12, 2))
  tree:add(field.peer, buffer(14, 2))
  for at = SHIM_SIZE, size - 8, 8 do tree:add(field.sack, buffer(at, 8)) end
  info:append(string.format("%s psn=%d ack=%d window=%d ", what, buffer(4, 4):uint(), buffer(8, 4):uint(), buffer(12, 2):uint()))
  return size
end

-- show_additions shows what Wireshark's dissector does not know: Write-Record and Immediate Data.
local function show_additions(buffer, at, stop, tree)
  local control = buffer(at + 1, 1):uint()
  local opcode = bit32.band(control, 0x0f)
  if opcode == 0 and bit32.btest(control, 0x20) and stop - at >= TAGGED_SIZE + 12 then
    tree:add(field.record, buffer(at + TAGGED_SIZE, 4))
    tree:add(field.length, buffer(at + TAGGED_SIZE + 4, 4))
    tree:add(field.offset, buffer(at + TAGGED_SIZE + 8, 4))
  elseif (opcode == 8 or opcode == 9) and stop - at >= UNTAGGED_SIZE + 8 then
    tree:add(field.immediate, buffer(at + UNTAGGED_SIZE, 8))
  end
end

-- show_crc shows the CRC and whether it is good.
local function show_crc(buffer, at, tree)
  local good = checksum(buffer, at) == buffer(at, CRC_SIZE):le_uint()
  local item = tree:add_le(field.crc, buffer(at, CRC_SIZE))
  item:append_text(good and " (Good CRC32)" or " (Bad CRC32)")
  if not good then item:add_proto_expert_info(bad_crc) end
end

-- show_seal shows a seal, which nobody can check who does not know the key.
local function show_seal(buffer, at, tree)
  tree:add(field.seal_epoch, buffer(at, 8))
  tree:add(field.seal_number, buffer(at + 8, 4))
  tree:add(field.seal_tag, buffer(at + 12, 16))
end

local segment = Dissector.get("iwarp_ddp_rdmap")

function protocol.dissector(buffer, packet, root)
  local stop = buffer:len() - (protocol.prefs.sealed and SEAL_SIZE or CRC_SIZE)
  if stop < TAGGED_SIZE then return 0 end
  local service = bit32.band(buffer(0, 1):uint(), 3)
  if service ~= UD and service ~= RD then return 0 end
  local tree = root:add(protocol, buffer())
  local name = service == UD and "UD" or "RD"
  packet.cols.protocol = "iWARP/" .. name
  packet.cols.info = name .. " "
  tree:add(field.service, name):set_generated()
  local at, data = 0, true
  if service == RD then
    at = show_shim(buffer, stop, tree, packet.cols.info)
    if not at then return 0 end
    data = bit32.btest(buffer(0, 1):uint(), 0x80)
  end
  packet.cols.info:fence()
  if protocol.prefs.sealed then
    show_seal(buffer, stop, tree)
  else
    show_crc(buffer, stop, tree)
  end
  if data and stop - at >= TAGGED_SIZE then
    show_additions(buffer, at, stop, tree)
    segment:call(buffer(at, stop - at):tvb(), packet, root)
  end
  return buffer:len()
end

-- The ports follow the preference.
local ports = ""
function protocol.prefs_changed()
  local udp = DissectorTable.get("udp.port")
  if ports ~= "" then udp:remove(ports, protocol) end
  ports = protocol.prefs.ports
  if ports ~= "" then udp:add(ports, protocol) end
end
