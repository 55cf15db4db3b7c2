package engine

// unasked: as rget, but a message may follow its RTS unasked, all of it. A receiver that waits for
// it has it put in place without asking, and answers by FIN. One that does not throws the bytes
// away, keeps the RTS, whose key is that of the whole message, and reads it later as it would have
// read any other: so nobody needs memory for what nobody waits for, but the way was made twice.
//
//	sender                      receiver            sender                      receiver
//	Isend                          Irecv            Isend
//	  |--- RTS(key) + all ----->|                     |--- RTS(key) + all ----->|  thrown away
//	  |<------- FIN ------------|                     |                         |  Irecv
//	done                      done                    |<===== read all =========|
//	                                                  |<------- FIN ------------|
//	                                                done                      done
//
// Whether it is worth trying the sender learns from FIN, which says whether the receive was there
// before the RTS. Such messages hold up those behind them, so all that is under way to a peer must
// not be longer than what is moved in a moment: of a window of messages the first ones go unasked,
// if they are not too long, and the others are offered.
var unasked = &protocol{
	Name: "unasked", About: "an offer that all bytes follow; a receiver that does not wait throws them away and reads later", Trips: 2,
	fits:   func(r *Req) bool { return r.pulls() && r.Prefix == Whole },
	limits: "long, to peers whose receives have been in time",
	start:  (*Engine).offer,
	answer: (*Engine).answerOffer,
	abort:  (*Engine).takeBack,
}

const (
	readyAfter = 2         // receives in a row that were there in time make their rank one to send to unasked
	lateFor    = 8         // beyond these, after one that was not
	moment     = 2_000_000 // in nanoseconds: messages on their way must not hold up those behind them for longer
	amid       = 384 << 10 // the longest that follows others: longer ones are read as fast
)

// pace is what a sender knows of the receives of a peer.
type pace struct {
	timely int   // how many were there in time, at most readyAfter; less than 0 after one that was not
	moves  int64 // bytes that moved there in a moment, from the RTS to FIN, when last one was in time, those before it among them
	under  int64 // bytes of messages that are offered and not answered
}

// pace is what is known of a peer.
func (e *Engine) pace(peer int32) *pace {
	for len(e.paces) <= int(peer) {
		e.paces = append(e.paces, pace{})
	}
	return &e.paces[peer]
}

// setOut notes that r is being offered, to be read or unasked. hideOffer ends it.
func (e *Engine) setOut(r *Req) {
	p := e.pace(r.Peer)
	p.under += int64(len(r.Buf))
	r.since, r.behind = e.now, p.under
}

// learn notes, at the end of send r, whether the receive was there in time and how long it took.
func (e *Engine) learn(r *Req, waited bool) {
	p := e.pace(r.Peer)
	if !waited {
		p.timely = -lateFor
		return
	}
	p.timely = min(p.timely+1, readyAfter)
	p.moves = r.behind * moment / max(e.now-r.since, 1)
}

// Ready tells whether a message of n bytes to the peer may be sent unasked: the peer's receives are
// there in time, it is moved in a moment, with all that is under way before it, and no receive of
// ours waits. Who sends and receives at a time has two connections do it, one for each direction.
func (e *Engine) Ready(peer, n int) bool {
	if peer >= len(e.paces) || e.posted.Len() > 0 {
		return false
	}
	p := &e.paces[peer]
	return p.timely == readyAfter && p.under+int64(n) <= p.moves && (p.under == 0 || n <= amid)
}
