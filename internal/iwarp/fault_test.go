package iwarp

import (
	"errors"
	"fmt"
	"testing"
)

func TestFaultNames(t *testing.T) {
	for _, c := range []struct {
		fault Fault
		want  string
	}{
		{Fault{}, "no fault"},
		{FaultDDPSTag, "DDP: invalid STag (1/1/00)"},
		{FaultCRC, "MPA: CRC mismatch (2/0/02)"},
		{FaultProtection, "RDMAP: protection error (0/1/ff)"},
		{Fault{0, 0, 0x17, true}, "RDMAP: local catastrophe (0/0/17)"},
		{Fault{1, 2, 0x55, true}, "DDP: unknown fault (1/2/55)"},
		{Fault{9, 2, 0, true}, "unknown layer: unknown fault (9/2/00)"},
	} {
		if got := c.fault.Error(); got != c.want {
			t.Errorf("%v: %q, want %q", c.fault, got, c.want)
		}
	}
}

func TestFaultZeroIsNone(t *testing.T) {
	if !(Fault{}).OK() || (Fault{}).Registered() {
		t.Error("the zero value is a fault")
	}
	for f, name := range faultNames {
		if f.OK() || !f.Registered() || name == "" {
			t.Errorf("%v counts as no fault", f)
		}
	}
}

// TestFaultAsError: a fault is found by value in whatever wraps it.
func TestFaultAsError(t *testing.T) {
	for _, err := range []error{FaultCRC, FaultCRC.err(), fmt.Errorf("frame 7: %w", FaultCRC.err())} {
		other := FaultCRC
		if !errors.Is(err, FaultCRC) || !errors.Is(err, &other) || errors.Is(err, FaultMarker) || errors.Is(err, ErrShort) {
			t.Errorf("%#v is not recognised", err)
		}
		if got := FaultOf(err); got != FaultCRC {
			t.Errorf("FaultOf(%#v) = %v", err, got)
		}
	}
	for _, err := range []error{nil, ErrShort, (*Fault)(nil)} {
		if got := FaultOf(err); !got.OK() {
			t.Errorf("FaultOf(%#v) = %v", err, got)
		}
	}
}

func TestOpcodes(t *testing.T) {
	for _, c := range []struct {
		op     Opcode
		name   string
		tagged bool
		queue  uint32
	}{
		{OpWrite, "Write", true, 0},
		{OpReadResponse, "Read Response", true, 0},
		{OpReadRequest, "Read Request", false, QueueRead},
		{OpSend, "Send", false, QueueSend},
		{OpTerminate, "Terminate", false, QueueTerminate},
		{OpImmediateSolicited, "Immediate with Solicited Event", false, QueueSend},
		{OpAtomicRequest, "Atomic Request", false, QueueRead},
		{OpAtomicResponse, "Atomic Response", false, QueueAtomic},
		{12, "opcode 12", false, QueueSend},
		{255, "opcode 255", false, QueueSend},
	} {
		if c.op.String() != c.name || c.op.Tagged() != c.tagged || c.op.Queue() != c.queue || c.op.Known() != (c.op < 12) {
			t.Errorf("%d: %q, tagged %v, queue %d", c.op, c.op, c.op.Tagged(), c.op.Queue())
		}
	}
}
