package iwarp

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"
)

var (
	failedWrite = writeHeader(OpWrite, 0xdead0001, 0x1000)
	failedSend  = sendHeader(OpSend, 5)
	failedRead  = queueHeader(OpReadRequest, 1)
	lostRead    = queueHeader(OpReadRequest, 0)
	readRequest = ReadRequest{SinkSTag: 0x22220200, SinkTO: 0x20000, Size: 32, SourceSTag: 0xdead0001, SourceTO: 0x1000}
)

// terminateCase is a message and, where siw made it in a form that Append does not write, its bytes.
type terminateCase struct {
	want Terminate
	siw  string
}

func (c terminateCase) bytes() []byte {
	if c.siw != "" {
		return []byte(c.siw)
	}
	return c.want.Append(nil)
}

var terminateVectors = map[string]terminateCase{
	"terminate-stag-siw": {Terminate{Fault: FaultDDPSTag, HasHeader: true, SegmentLen: 20, Header: failedWrite, Foreign: true},
		"\x11\x00\x03\x00" + "\x00\x06" + string(failedWrite.Append(nil))},
	"terminate-stag": {Terminate{Fault: FaultDDPSTag, HasHeader: true, SegmentLen: 20, Header: failedWrite}, ""},
	"terminate-msn-siw": {Terminate{Fault: FaultMSN, HasHeader: true, SegmentLen: 34, Header: failedSend, Foreign: true},
		"\x21\x03\x03\x00" + "\x00\x10" + string(failedSend.Append(nil))},
	"terminate-msn": {Terminate{Fault: FaultMSN, HasHeader: true, SegmentLen: 34, Header: failedSend}, ""},
	"terminate-read-siw": {Terminate{Fault: FaultSTag, HasHeader: true, SegmentLen: 46, Header: lostRead,
		HasRead: true, Read: readRequest, Foreign: true},
		"\x10\x00\x07\x00" + "\x00\x00" + "\x41\x41\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x20\x00\x00\x00\x00" +
			string(readRequest.Append(nil))},
	"terminate-read": {Terminate{Fault: FaultSTag, HasHeader: true, SegmentLen: 46, Header: failedRead,
		HasRead: true, Read: readRequest}, ""},
	"terminate-crc-siw":    {Terminate{Fault: FaultCRC, Foreign: true}, "\x02\x02\x00\x00"},
	"terminate-crc":        {Terminate{Fault: FaultCRC}, ""},
	"terminate-opcode-siw": {Terminate{Fault: FaultIRD}, ""}, // it cannot be told from the RFC's form
	"terminate-opcode":     {Terminate{Fault: FaultOpcode}, ""},
}

// TestTerminateVectors checks the decoding; that the bytes are those of the vectors is for TestFPDUVectors.
func TestTerminateVectors(t *testing.T) {
	for name, c := range terminateVectors {
		if got, ok := ParseTerminate(c.bytes()); !ok || got != c.want {
			t.Errorf("%s:\ngot  %+v, %v\nwant %+v", name, got, ok, c.want)
		}
		got, ok := ParseTerminate(append(c.bytes(), "more"...))
		if !ok || got != c.want {
			t.Errorf("%s: disturbed by what follows: %+v", name, got)
		}
	}
}

// TestTerminateCut: what is left of a message that is cut short still names the fault.
func TestTerminateCut(t *testing.T) {
	for name, c := range terminateVectors {
		whole := c.bytes()
		for n := range whole {
			got, ok := ParseTerminate(whole[:n])
			if ok {
				t.Errorf("%s cut to %d of %d bytes passes", name, n, len(whole))
			}
			if n >= 4 && got.Fault != c.want.Fault {
				t.Errorf("%s cut to %d bytes: %v", name, n, got.Fault)
			}
		}
	}
}

func drawTerminate(t *rapid.T) Terminate {
	faults := []Fault{FaultSTag, FaultCRC, FaultMSN, FaultOpcode, FaultDDPBounds, FaultLocal, FaultNoRTR}
	m := Terminate{Fault: rapid.SampledFrom(faults).Draw(t, "fault"), HasHeader: rapid.Bool().Draw(t, "header")}
	if !m.HasHeader {
		return m
	}
	m.SegmentLen, m.Header = rapid.Uint16().Draw(t, "length"), drawHeader(t)
	if m.HasRead = rapid.Bool().Draw(t, "read"); m.HasRead {
		m.Read = drawReadRequest(t)
	}
	return m
}

func TestTerminateRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawTerminate(t)
		b := m.Append(nil)
		if got, ok := ParseTerminate(b); !ok || got != m || len(b) > MaxTerminateSize {
			t.Fatalf("%+v became %+v, %v", m, got, ok)
		}
	})
}

func FuzzTerminate(f *testing.F) {
	for _, c := range terminateVectors {
		f.Add(c.bytes())
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		m, ok := ParseTerminate(b)
		if !ok {
			return
		}
		again := m.Append(nil)
		if len(again) > len(b) || !m.Foreign && !bytes.Equal(again[:2], b[:2]) {
			t.Fatalf("%x became %x", b, again)
		}
		m.Foreign = false // Append writes the RFC's form, unless the fault is one that reads as siw's
		if twin, ok := ParseTerminate(again); !ok || !twin.Foreign && twin != m {
			t.Fatalf("%+v became %+v", m, twin)
		}
	})
}
