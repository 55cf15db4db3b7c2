// Package rd makes datagrams reliable: for each peer a flow that numbers what is sent, acknowledges what came,
// and says what must be sent again (selective repeat). One word per thing, as in the shim: an epoch is one
// incarnation of a sender's numbering, a PSN the number of a datagram in it.
//
// It owns the numbers and the times, nothing else: no socket, no buffer, no payload, no clock, no chance. Time
// comes in as nanoseconds of any clock that does not run backwards and is above 0; chance as the first epoch of
// a table. The device above keeps what a PSN carries until it is acknowledged, and gathers it again when Resend
// asks. A Table and its flows belong to one goroutine at a time.
//
// What it promises, for each peer and epoch, whatever the network loses, repeats, delays or invents:
//
//   - the segments that Arrive calls InOrder, or Advance calls held, are those the peer sent, each once, in order;
//   - a datagram counts as acknowledged only after the peer delivered it and everything before it;
//   - every datagram sent is acknowledged in the end, or the flow fails (Expired.Failed, Outcome.Reset), provided
//     the device follows the loop below. A peer that answers "not ready" is waited for without end;
//   - memory is bounded by Config, and a steady conversation allocates nothing. A silent peer costs nothing, one that
//     is known some 120 bytes, one that is sent to 16 bytes for each datagram of the window in addition, until idle.
//
// The caller's loop. A datagram came from peer key:
//
//	p, out := table.Arrive(now, key, &shim)
//	if out.Unknown { table.FillReset(&answer, &shim); transmit answer; return }
//	if p == nil { return }                       // stray, stale or no room for another flow
//	if out.Reset { fail all open work to p }
//	complete the out.Acked oldest datagrams in flight to p
//	if out.NewEpoch { forget segments kept for p and the message half received }
//	switch out.Verdict {
//	case rd.InOrder:
//		deliver the segment, or p.Refuse(now, code) and leave the switch
//		for psn, held := p.Advance(now); held; psn, held = p.Advance(now) {
//			deliver the segment kept as psn, or p.Refuse(now, code) and leave the switch
//		}
//	case rd.Ahead:
//		if it can be placed or kept { p.Hold(shim.PSN) }
//	}
//
// then, and whenever there is something new to send to p:
//
//	for psn, ok := p.Resend(now); ok; psn, ok = p.Resend(now) { p.Fill(&shim, psn, false); transmit }
//	for p.Room() > 0 && there is a segment to send {
//		psn, fresh := p.Send(now, it begins a message)   // fresh: a new epoch, message numbers begin at 1
//		p.Fill(&shim, psn, it is the last of this burst); transmit
//	}
//	if p.AckDue(now) { p.FillAck(&shim); transmit the shim alone }
//
// and at the time that table.Deadline gives, the same for each p of
//
//	for p, what := table.Expire(now); p != nil; p, what = table.Expire(now) {
//		if what.Failed { fail all open work to p }
//		if what.Forgotten { drop all that is kept for p }
//	}
//
// A segment that was refused may be kept all the same (Hold); when there is a receive for it, it is delivered and
// Advance called as above. If it was dropped, Ready tells the peer to send it again.
package rd
