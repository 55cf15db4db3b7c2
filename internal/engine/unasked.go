package engine

// A message may follow its RTS unasked, all of it. A receiver that waits for it has it put in place without asking, and
// answers by FIN. One that does not throws the bytes away, keeps the RTS, whose key is that of the whole message, and reads it
// later as it would have read any other: so nobody needs memory for what nobody waits for, but the way was made twice.
//
//	sender                      receiver            sender                      receiver
//	Isend                          Irecv            Isend
//	  |--- RTS(key) + all ----->|                     |--- RTS(key) + all ----->|  thrown away
//	  |<------- FIN ------------|                     |                         |  Irecv
//	done                      done                    |<===== read all =========|
//	                                                  |<------- FIN ------------|
//	                                                done                      done
//
// Whether it is worth trying the sender learns from FIN, which says whether the receive was there before the RTS. Such a message
// holds up those behind it, so it must not be longer than what is moved in a moment.

const (
	readyAfter = 2         // receives in a row that were there in time make their rank one to send to unasked
	lateFor    = 8         // beyond these, after one that was not
	moment     = 2_000_000 // in nanoseconds: a message on its way must not hold up those behind it for longer
)

// pace is what a sender knows of the receives of a peer.
type pace struct {
	timely int   // how many were there in time, at most readyAfter; less than 0 after one that was not
	moves  int64 // bytes that moved there in a moment, from the RTS to FIN, when last one was in time
}

// addAll has the RTS of r carry its message.
func (e *Engine) addAll(r *Req) {
	e.Counters.Unasked++
	r.first, r.pkt.Prefix, r.pkt.Data = 0, len(r.Buf), r.Buf
}

// learn notes, at the end of send r, whether the receive was there in time and how long it took.
func (e *Engine) learn(r *Req, waited bool) {
	peer := int(r.Peer)
	for len(e.paces) <= peer {
		e.paces = append(e.paces, pace{})
	}
	p := &e.paces[peer]
	if !waited {
		p.timely = -lateFor
		return
	}
	p.timely = min(p.timely+1, readyAfter)
	p.moves = int64(len(r.Buf)) * moment / max(e.cfg.Now()-r.since, 1)
}

// Ready tells whether a message of n bytes to the peer may be sent unasked: the peer's receives are there in time, it is moved in a
// moment, and no receive of ours waits. Who sends and receives at a time has two connections do it, one for each direction.
func (e *Engine) Ready(peer, n int) bool {
	return peer < len(e.paces) && e.posted.Len() == 0 && e.paces[peer].timely == readyAfter && int64(n) <= e.paces[peer].moves
}
