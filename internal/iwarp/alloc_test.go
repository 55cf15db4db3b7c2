package iwarp

import "testing"

// TestNoAllocations: the codecs of the data path leave the heap alone.
func TestNoAllocations(t *testing.T) {
	var buf [MaxDatagram]byte
	var sum uint32
	b := buf[:0]
	body := make([]byte, 1000)
	header, record := writeHeader(OpWrite, 1, 2), Record{RMSN: 1, Length: 1 << 20}
	read, atomic, response := ReadRequest{Size: 1}, AtomicRequest{Op: FetchAdd}, AtomicResponse{ID: 1}
	shim, fpdu := Shim{Data: true, Words: 15}, frame(body, true)
	inStream, stripper := marked(nil, body, 512, true), MarkerStripper{crcOn: true, fpdu: make([]byte, 0, 2000)}
	message := (&Terminate{Fault: FaultSTag, HasHeader: true, Header: header}).Append(nil)
	for _, c := range []struct {
		name string
		run  func()
	}{
		{"header", func() { ParseHeader(buf[:header.Put(buf[:])]) }},
		{"header append", func() { header.Append(b) }},
		{"shim", func() { ParseShim(buf[:shim.Put(buf[:])], &shim) }},
		{"shim append", func() { shim.Append(b) }},
		{"record", func() { ParseRecord(buf[:record.Put(buf[:])]) }},
		{"read request", func() { ParseReadRequest(buf[:read.Put(buf[:])]) }},
		{"atomic request", func() { ParseAtomicRequest(buf[:atomic.Put(buf[:])]) }},
		{"atomic response", func() { ParseAtomicResponse(buf[:response.Put(buf[:])]) }},
		{"immediate", func() { ParseImmediate(AppendImmediate(b, 7)) }},
		{"terminate", func() { ParseTerminate(message) }},
		{"crc", func() { sum = NewCRC().Add(body).Sum() }},
		{"datagram", func() { OpenDatagram(SealDatagram(buf[:900], 0)) }},
		{"fpdu", func() {
			AppendFPDUTail(AppendFPDUHead(b, 997), 997, NewCRC(), true)
			ParseFPDU(fpdu, true)
		}},
		{"markers", func() {
			marked(b, body, 512, true)
			stripper.pos = 512
			stripper.Parse(inStream)
		}},
	} {
		if n := testing.AllocsPerRun(100, c.run); n != 0 {
			t.Errorf("%s: %v allocations", c.name, n)
		}
	}
	_ = sum
}
