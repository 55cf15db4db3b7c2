package wire

import "fmt"

// RMA: ctx(4) tag(4) len(8), as EAGER; tag is 0. The payload follows: what one rank asks of another's window, or the
// answer. Its first byte is the verb.
const rmaSize = eagerSize

func appendRMA(b []byte, h *Header) []byte { return appendEager(b, h) }

func parseRMA(b []byte, h *Header) (rest []byte, err error) { return parseEager(b, h) }

// Verb says what the payload of an RMA packet asks for, or answers.
type Verb uint8

// The verbs. Each kind of payload has its file with an append and a parse twin.
const (
	RMAPut    Verb = iota + 1 // access: write the data to the blocks
	RMAGet                    // access: answer with the blocks' bytes
	RMAAcc                    // access: fold the data into the blocks
	RMAFetch                  // access: the same, and answer with what was there
	RMASwap                   // access: write the second half of the data if the first is there, and answer with what was
	RMAFlush                  // sync: answer when all that came before is done
	RMALock                   // sync: answer when the lock is held
	RMAUnlock                 // sync: give the lock back, and answer if there is a number
	RMALost                   // sync: a rank of the window has died; no answer
	RMAData                   // answer: the bytes asked for
	RMADone                   // answer: done
	RMAFail                   // answer: refused, and why; number 0 for an access that expects no answer
	lastVerb
)

var verbNames = [...]string{
	RMAPut: "PUT", RMAGet: "GET", RMAAcc: "ACCUMULATE", RMAFetch: "FETCH", RMASwap: "SWAP", RMAFlush: "FLUSH", RMALock: "LOCK",
	RMAUnlock: "UNLOCK", RMALost: "LOST", RMAData: "DATA", RMADone: "DONE", RMAFail: "FAIL",
}

// String gives the word used in traces and documents.
func (v Verb) String() string {
	if v > 0 && v < lastVerb {
		return verbNames[v]
	}
	return fmt.Sprintf("Verb(%d)", uint8(v))
}

// RMAVerb tells what an RMA payload is, so that the right twin can parse it; 0 if nothing can.
func RMAVerb(b []byte) Verb {
	if len(b) == 0 || Verb(b[0]) >= lastVerb {
		return 0
	}
	return Verb(b[0])
}

// ErrVerb is the error of a twin that was given another's payload.
var ErrVerb = fmt.Errorf("%w: not a verb of this kind", ErrKind)
