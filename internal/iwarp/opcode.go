package iwarp

import "strconv"

// Opcode says which RDMAP message a segment belongs to.
type Opcode uint8

// The messages of RFC 5040 and, from OpImmediate on, of RFC 7306.
const (
	OpWrite Opcode = iota
	OpReadRequest
	OpReadResponse
	OpSend
	OpSendInvalidate
	OpSendSolicited
	OpSendSolicitedInvalidate
	OpTerminate
	OpImmediate
	OpImmediateSolicited
	OpAtomicRequest
	OpAtomicResponse

	opcodes // how many there are
)

// The queues of untagged messages. Each has its own sequence of MSNs, in each direction.
const (
	QueueSend      = 0 // Send and Immediate
	QueueRead      = 1 // Read Request and Atomic Request
	QueueTerminate = 2
	QueueAtomic    = 3 // Atomic Response
)

var opcodeTable = [opcodes]struct {
	name   string
	tagged bool
	queue  uint32
}{
	OpWrite:                   {"Write", true, 0},
	OpReadRequest:             {"Read Request", false, QueueRead},
	OpReadResponse:            {"Read Response", true, 0},
	OpSend:                    {"Send", false, QueueSend},
	OpSendInvalidate:          {"Send with Invalidate", false, QueueSend},
	OpSendSolicited:           {"Send with Solicited Event", false, QueueSend},
	OpSendSolicitedInvalidate: {"Send with Solicited Event and Invalidate", false, QueueSend},
	OpTerminate:               {"Terminate", false, QueueTerminate},
	OpImmediate:               {"Immediate", false, QueueSend},
	OpImmediateSolicited:      {"Immediate with Solicited Event", false, QueueSend},
	OpAtomicRequest:           {"Atomic Request", false, QueueRead},
	OpAtomicResponse:          {"Atomic Response", false, QueueAtomic},
}

// String is the name of the message, in the words of the RFCs.
func (o Opcode) String() string {
	if !o.Known() {
		return "opcode " + strconv.Itoa(int(o))
	}
	return opcodeTable[o].name
}

// Known says whether there is such a message.
func (o Opcode) Known() bool { return o < opcodes }

// Tagged says whether the message names its target memory itself; false for unknown opcodes.
func (o Opcode) Tagged() bool { return o.Known() && opcodeTable[o].tagged }

// Queue is the queue on which an untagged message must travel; it means nothing for others.
func (o Opcode) Queue() uint32 {
	if !o.Known() {
		return QueueSend
	}
	return opcodeTable[o].queue
}
