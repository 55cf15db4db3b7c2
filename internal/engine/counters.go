package engine

// Counters prove which mechanism served a message.
type Counters struct {
	EagerSends, SyncSends, RendezvousSends uint64 // sends that travelled with their envelope, waited for their receive, were negotiated
	EagerAlone                             uint64 // eager sends that were longer than usual, as nothing else was on its way to their peer
	AnnouncedSends                         uint64 // sends that kept silent until their receiver had announced itself
	AnnouncedWrites                        uint64 // of these, such as were written to where the receiver wanted them
	Reads, Pushes, Puts                    uint64 // rendezvous receives by pull, by push, by put
	Short                                  uint64 // rendezvous receives that had no room for more than came with the RTS
	Prefixes, PrefixBytes                  uint64 // RTS that carried the first bytes of their message, and how many those were
	Unasked, Taken                         uint64 // RTS that carried all of it, and those among a receiver's that met a receive which waited
	Writes                                 uint64 // sends that wrote to the receiver's memory
	Expected, Unexpected                   uint64 // arrivals that found, did not find, a posted receive
	Holds, Held                            uint64 // HOLDs sent to peers, and sends that were offered because a peer had sent one
	UnexpectedPeak                         uint64 // most bytes that messages without a receive have taken, where they are bounded
	BadPackets                             uint64 // packets that name no request of ours

	Volume
	Speculated
	Undone
	Started Started
}

// Volume is what messages amount to, and what short cuts have done for them.
type Volume struct {
	Picked                  uint64 // of Expected, those that receives took out of shared memory themselves
	SentBytes, ArrivedBytes uint64 // bytes of all messages that were sent, and of all that arrived
}

// Speculated counts what links that speculate do.
type Speculated struct {
	RTSSent                   uint64 // RTS sent; every long send is in one of RTSSent and RTRUsed
	RTRSent, RTRRecv, RTRUsed uint64 // RTRs sent, received, answered by a write
	RTRDropped                RTRDropped
	RTRSuppressed             RTRSuppressed
	RTRAcks, RTSAcks          uint64 // packets sent
	RTRCancels                uint64 // packets sent
	Stops, Resumes            uint64 // flags sent
	AdaptStops, AdaptResumes  uint64 // stops sent by senders, resumes sent by receivers
	Mispredicted              uint64 // eager messages that met a receive whose RTR was out
	ExtraBytes                uint64 // of RTRs that came to nothing, and of RTR_ACK and RTS_ACK
}

// Undone counts messages that were not received.
type Undone struct {
	Withdraws uint64 // packets sent
	Retracted uint64 // sends that were taken back before anybody had heard of them
	Refused   uint64 // messages that came for a dead context
	LongGone  uint64 // long messages that were retracted, refused, or thrown away though they had been kept
}

// RTRDropped counts the RTRs that a sender did not use, by reason.
type RTRDropped struct {
	Crossed  uint64 // the RTS was on its way already
	Deleted  uint64 // void after an eager message
	TooSmall uint64 // the message is longer, or the link cannot write yet
	Withdrew uint64 // the receive was cancelled
}

// RTRSuppressed counts the long receives that sent no RTR, by reason.
type RTRSuppressed struct {
	Stop     uint64 // the sender said STOP
	Adapt    uint64 // too few were of use
	Order    uint64 // a silent receive is before it
	Wildcard uint64 // it has a wildcard, or one that fits its envelope is before it
	Guard    uint64 // too many void RTRs lie at the sender
	Full     uint64 // too many envelopes
}

// Started counts the reads and writes by the call they were started in.
type Started struct {
	Irecv, Isend, Progress uint64 // reads and writes that were started in such a call
	Background             uint64 // those that were started while the program made none
}

// Place is where the program is while the engine works.
type Place uint8

// The places.
const (
	InProgress   Place = iota // waiting or testing
	InIrecv                   // starting a receive
	InIsend                   // starting a send
	InBackground              // elsewhere: the background serves
)

// expected counts the arrival of a message of n bytes that a receive waits for.
func (e *Engine) expected(n int) {
	e.Counters.Expected++
	e.Counters.ArrivedBytes += uint64(n)
}

// Enter tells that the events up to the next Enter happen at a place.
func (e *Engine) Enter(p Place) { e.place = p }

// transferStarts counts a read or a write.
func (e *Engine) transferStarts() {
	switch e.place {
	case InIrecv:
		e.Counters.Started.Irecv++
	case InIsend:
		e.Counters.Started.Isend++
	case InBackground:
		e.Counters.Started.Background++
	default:
		e.Counters.Started.Progress++
	}
}
