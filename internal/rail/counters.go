package rail

// Counters prove which mechanism served a message.
type Counters struct {
	EagerSR, EagerRing, Datagrams uint64 // frames that came by send and receive, into rings, as datagrams
	Copies                        uint64 // payloads copied on their way out
	ZeroCopies, LateCopies        uint64 // payloads sent from where the user has them; of these, copied after they were sent
	CreditStalls, PoolEmpty       uint64 // times a frame had to wait for credit, for a buffer
	Acks                          uint64 // acknowledgements that travelled alone
	Resent                        uint64 // frames sent again
	Dials, Lanes, Broken, Crossed uint64 // connections asked for, made, broken, refused because the peer's went first
	ClimbsRefused                 uint64 // hybrid: connections that the peer refused
	Rings, FullSets               uint64 // rings given to peers; connections that got the full set of receives
	Watermarks                    uint64 // low-watermark events
	Reads, Writes                 uint64 // long messages
	Moved                         uint64 // long messages, or parts, that went another way than begun
	BadFrames, Strangers          uint64 // what could not be understood, what came from nobody we know
	PostErrors, EventsLost        uint64
	Memory, MemoryHigh            int64 // bytes of buffers and rings
}
