package iwarp

import (
	"errors"
	"fmt"
)

// The layers that find faults.
const (
	LayerRDMAP = 0
	LayerDDP   = 1
	LayerMPA   = 2
)

// Fault is what is wrong with what a peer sent, as a Terminate message reports it (RFC 5040 §4.8, RFC 6580). The
// zero value means that nothing is. Faults can be compared with ==, and errors that carry one with errors.Is.
type Fault struct {
	Layer, Type, Code uint8
	Set               bool // false only in the zero value
}

// Found by RDMAP: the peer's rights to memory, then what it asks for.
var (
	FaultLocal      = Fault{0, 0, 0x00, true}
	FaultSTag       = Fault{0, 1, 0x00, true}
	FaultBounds     = Fault{0, 1, 0x01, true}
	FaultAccess     = Fault{0, 1, 0x02, true}
	FaultSTagStream = Fault{0, 1, 0x03, true}
	FaultTOWrap     = Fault{0, 1, 0x04, true}
	FaultInvalidate = Fault{0, 1, 0x09, true}
	FaultProtection = Fault{0, 1, 0xff, true}

	FaultVersion             = Fault{0, 2, 0x05, true}
	FaultOpcode              = Fault{0, 2, 0x06, true}
	FaultStream              = Fault{0, 2, 0x07, true}
	FaultGlobal              = Fault{0, 2, 0x08, true}
	FaultInvalidateOperation = Fault{0, 2, 0x09, true}
	FaultOperation           = Fault{0, 2, 0xff, true}
)

// Found by DDP: in general, in tagged and in untagged segments.
var (
	FaultDDPLocal = Fault{1, 0, 0x00, true}

	FaultDDPSTag          = Fault{1, 1, 0x00, true}
	FaultDDPBounds        = Fault{1, 1, 0x01, true}
	FaultDDPSTagStream    = Fault{1, 1, 0x02, true}
	FaultDDPTOWrap        = Fault{1, 1, 0x03, true}
	FaultDDPTaggedVersion = Fault{1, 1, 0x04, true}

	FaultQN                 = Fault{1, 2, 0x01, true}
	FaultNoBuffer           = Fault{1, 2, 0x02, true}
	FaultMSN                = Fault{1, 2, 0x03, true}
	FaultMO                 = Fault{1, 2, 0x04, true}
	FaultTooLong            = Fault{1, 2, 0x05, true}
	FaultDDPUntaggedVersion = Fault{1, 2, 0x06, true}
)

// Found by MPA.
var (
	FaultTCP      = Fault{2, 0, 0x01, true}
	FaultCRC      = Fault{2, 0, 0x02, true}
	FaultMarker   = Fault{2, 0, 0x03, true} // also: a length that cannot be
	FaultStart    = Fault{2, 0, 0x04, true}
	FaultMPALocal = Fault{2, 0, 0x05, true}
	FaultIRD      = Fault{2, 0, 0x06, true}
	FaultNoRTR    = Fault{2, 0, 0x07, true}
)

var layerNames = [...]string{LayerRDMAP: "RDMAP", LayerDDP: "DDP", LayerMPA: "MPA"}

var faultNames = map[Fault]string{
	FaultLocal:      "local catastrophe",
	FaultSTag:       "invalid STag",
	FaultBounds:     "base or bounds violation",
	FaultAccess:     "access rights violation",
	FaultSTagStream: "STag not associated with the stream",
	FaultTOWrap:     "tagged offset wraps",
	FaultInvalidate: "STag cannot be invalidated",
	FaultProtection: "protection error",

	FaultVersion:             "invalid RDMAP version",
	FaultOpcode:              "unexpected opcode",
	FaultStream:              "catastrophe of the stream",
	FaultGlobal:              "catastrophe of the device",
	FaultInvalidateOperation: "STag cannot be invalidated by this operation",
	FaultOperation:           "operation error",

	FaultDDPLocal:           "local catastrophe",
	FaultDDPSTag:            "invalid STag",
	FaultDDPBounds:          "base or bounds violation",
	FaultDDPSTagStream:      "STag not associated with the stream",
	FaultDDPTOWrap:          "tagged offset wraps",
	FaultDDPTaggedVersion:   "invalid DDP version in a tagged segment",
	FaultQN:                 "invalid queue number",
	FaultNoBuffer:           "no receive is posted",
	FaultMSN:                "message number out of range",
	FaultMO:                 "invalid message offset",
	FaultTooLong:            "message too long for the receive",
	FaultDDPUntaggedVersion: "invalid DDP version in an untagged segment",

	FaultTCP:      "TCP connection lost",
	FaultCRC:      "CRC mismatch",
	FaultMarker:   "marker or length does not fit",
	FaultStart:    "bad start-up frame",
	FaultMPALocal: "local catastrophe",
	FaultIRD:      "too few inbound reads",
	FaultNoRTR:    "no common ready-to-receive message",
}

// OK says that there is no fault.
func (f Fault) OK() bool { return !f.Set }

// Registered says whether the RFCs know the fault.
func (f Fault) Registered() bool {
	return faultNames[f] != "" || f.Set && f.Layer == LayerRDMAP && f.Type == FaultLocal.Type
}

// Error names the fault in words and in numbers, for example "DDP: invalid STag (1/1/00)".
func (f Fault) Error() string {
	if f.OK() {
		return "no fault"
	}
	layer, name := "unknown layer", faultNames[f]
	if int(f.Layer) < len(layerNames) {
		layer = layerNames[f.Layer]
	}
	switch {
	case name == "" && f.Registered():
		name = faultNames[FaultLocal]
	case name == "":
		name = "unknown fault"
	}
	return fmt.Sprintf("%s: %s (%d/%d/%02x)", layer, name, f.Layer, f.Type, f.Code)
}

// Is makes errors.Is compare faults by value, whether either side is a Fault or a *Fault.
func (f Fault) Is(target error) bool {
	switch t := target.(type) {
	case Fault:
		return f == t
	case *Fault:
		return t != nil && f == *t
	}
	return false
}

// FaultOf returns the fault that err carries; a fault that is OK when it carries none.
func FaultOf(err error) Fault {
	if p := (*Fault)(nil); errors.As(err, &p) && p != nil {
		return *p
	}
	var f Fault
	errors.As(err, &f)
	return f
}

// err is the fault as an error of type *Fault, the one dynamic type that this package returns.
func (f Fault) err() error { return &f }
