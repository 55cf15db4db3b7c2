package wire

import "fmt"

// RMAAnswer is the payload of DATA, DONE and FAIL: verb(1) 0(3) id(4), then the data, or the reason.
type RMAAnswer struct {
	Verb Verb
	ID   uint32
	Data []byte
}

// RMAAnswerSize is how many bytes an answer takes before its data.
const RMAAnswerSize = 8

// AppendRMAAnswer adds the payload.
func AppendRMAAnswer(b []byte, a RMAAnswer) []byte {
	b = le.AppendUint32(append(b, byte(a.Verb), 0, 0, 0), a.ID)
	return append(b, a.Data...)
}

// ParseRMAAnswer reads it. Its data share b's memory.
func ParseRMAAnswer(b []byte) (a RMAAnswer, err error) {
	switch {
	case len(b) < RMAAnswerSize:
		return a, ErrShort
	case Verb(b[0]) < RMAData || Verb(b[0]) > RMAFail:
		return a, ErrVerb
	case b[1]|b[2]|b[3] != 0 || Verb(b[0]) == RMADone && len(b) > RMAAnswerSize:
		return a, fmt.Errorf("%w: %v", ErrRange, Verb(b[0]))
	}
	return RMAAnswer{Verb: Verb(b[0]), ID: le.Uint32(b[4:]), Data: b[RMAAnswerSize:]}, nil
}
