// Package flow makes one peer's stream of numbered frames whole again, whatever carries it: datagrams that are lost,
// repeated and overtaken, a connection that breaks and is opened anew, or first the one and then the other.
//
// It owns the numbers, the frames that are not acknowledged (Sender), the frames that came too early (Receiver), the
// credit, and the times at which something must be said again. It knows no carrier, no packet format, no clock and no
// chance: time comes in as nanoseconds of any clock that is above 0 and does not run backwards. A Sender and a Receiver
// belong to one goroutine at a time; they share nothing with each other but Config and Counters.
//
// What it promises, between ends that use the same Config.First, whatever the network does:
//
//   - frames are delivered in the order in which they were pushed, each exactly once;
//   - a frame is released once, in order, and only after the peer has said that it and all before it were delivered;
//   - while the timers are on, everything pushed arrives in the end, or Expire says that the peer is dead;
//   - what a hostile peer says never panics, never releases a frame out of turn, and costs no more memory than Config
//     allows: Window frames kept by the Sender, OutOfOrder by the Receiver;
//   - a stream in order neither allocates nor looks anything up. A quiet peer costs less than 200 bytes after Rest.
//
// # Repair
//
// Repair is selective: the Receiver keeps what comes early, so to send all from the first hole again
// (go-back) would repeat what is already there, up to a whole window for each loss. A notice tells, beside
// the cumulative acknowledgement, which of the next 64 frames are here. A frame that three later ones have
// overtaken is sent again at once, and once more per round trip at most; fewer than three may be mere
// reordering. What no notice shows (the last frames of a burst) is found by the time-out, which sends only
// what is overdue, a few frames at first and then as fast as acknowledgements come back, and never beyond
// what a notice could tell of: frames further on may well be there. The time-out follows the round trips
// measured (on frames sent once), is doubled when nothing comes back, and stays between Config.MinTimeout
// and Config.Timeout. There is no congestion window: Window and the peer's credit bound what is in flight.
//
// Copies must not crowd out the acknowledgements that would end them, as they do when many peers send to
// one that has few receives. So when a time-out brings no news, the next ones send the oldest frame alone,
// and from Config.Timeout on each waits twice as long as the one before, up to Config.Patience times
// Config.Timeout, and no longer than leaves 64 copies before the peer is dead. Any news ends that. The time
// after which a silent peer is dead does not depend on it.
//
// # Credit
//
// Each acknowledgement carries a limit, the first number that may not be sent yet; a promise is never taken
// back. Before the first acknowledgement the limit is Config.Credit (0: Config.Window). On a carrier that
// loses frames one frame may be in flight without credit: it is repeated until answered, so the loss of the
// notice that gave new credit does no harm.
//
// # Change of carrier
//
// Numbers belong to the stream, not to the carrier: frames that are still in flight on datagrams when the first frame
// arrives over the connection are put in order by the Receiver. The Sender keeps its timers running for what it
// pushed before SetTimed(false) until that is acknowledged; what is repeated goes over the carrier of the day.
//
// # The owner's loop
//
// To send: if Full, queue; else write Push's number and the Receiver's Ack into the frame and transmit. On arrival:
//
//	sender.Acked(ack, limit, now, release)
//	if it is a notice { sender.Nack(ack, early, now) }
//	switch receiver.Arrive(seq, f, now) {
//	case flow.Deliver:
//		take f; for f, ok := receiver.Next(); ok; f, ok = receiver.Next() { take f }
//	case flow.Duplicate, flow.Beyond:
//		drop f
//	}
//
// then, and whenever the time that Due names has come (0: never; it may be in the past, which means at once):
//
//	if sender.Expire(now, resend) { the peer is dead: Drop both halves }
//	if receiver.AckDue(now) { transmit receiver.Notice() }
//
// After a connection was opened anew each side tells what it Expected, and the other calls Acked and Replay with it.
package flow
