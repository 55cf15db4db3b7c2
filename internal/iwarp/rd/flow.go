package rd

import "github.com/weft-mpi/weft/internal/iwarp"

// Verdict says what a datagram that arrived means to the device.
type Verdict uint8

const (
	None      Verdict = iota // it carries no segment, or one to be ignored
	InOrder                  // the segment expected: deliver it and call Advance, or call Refuse
	Ahead                    // one further on: if it can be placed or kept, do so and call Hold; else it comes again
	Duplicate                // one that was delivered or is held: drop it
	Beyond                   // one outside the window: drop it
)

func (v Verdict) String() string {
	if int(v) < len(verdictNames) {
		return verdictNames[v]
	}
	return "unknown verdict"
}

var verdictNames = [...]string{"none", "in order", "ahead", "duplicate", "beyond"}

// Outcome is what an arriving datagram means.
type Outcome struct {
	Acked    uint32  // this many of the oldest datagrams in flight are delivered: complete them
	Verdict  Verdict // of the segment it carries
	Reset    bool    // the peer does not know our epoch: all open work to it fails, the next Send begins another
	NewEpoch bool    // the peer begins anew: what is held of its former epoch is void
	Unknown  bool    // it belongs to no flow: answer with Table.FillReset
}

// shared is what the flows of a table have in common.
type shared struct {
	cfg    Config
	epoch  uint16
	timers timers
}

// epochStep is odd, so that all 65536 values are passed before one returns.
const epochStep = 0x9e37

// firstEpoch gives the first epochs of flows: they look random, are not 0, and do not repeat while a peer may
// remember them.
func (h *shared) firstEpoch() uint16 {
	if h.epoch += epochStep; h.epoch == 0 {
		h.epoch += epochStep
	}
	return h.epoch
}

// successor is the epoch that follows another in the same flow. They count up, so that a receiver recognizes those
// that its peer has left, even if it never heard them.
func successor(epoch uint16) uint16 { return max(epoch+1, 1) }

// predecessors is how many epochs before the one listened to are taken for past.
const predecessors = 16

// precedes tells whether a is one of the epochs just before b.
func precedes(a, b uint16) bool { return b-a-1 < predecessors }

// Flow is the conversation with one peer, both directions. Tables make flows.
type Flow struct {
	shared *shared
	out    sender
	in     receiver
	alarm
}

// Room is how many new datagrams may be sent now.
func (f *Flow) Room() int { return f.out.room() }

// InFlight is how many datagrams are sent and not acknowledged: PSNs Una up to Una+InFlight.
func (f *Flow) InFlight() int { return f.out.inFlight() }

// Una is the oldest PSN that is not acknowledged, the next one to be used if there is none in flight.
func (f *Flow) Una() uint32 { return f.out.una() }

// Epoch is the current incarnation of our numbering.
func (f *Flow) Epoch() uint16 { return f.out.epoch }

// PeerEpoch is the peer's, 0 if nothing was heard.
func (f *Flow) PeerEpoch() uint16 { return f.in.epoch }

// Refusing tells whether the peer waits because of Refuse.
func (f *Flow) Refusing() bool { return f.in.standing&refused != 0 }

// Send claims the PSN of a new datagram; call it only while Room is above 0. The caller remembers what the PSN
// carries until it is acknowledged. First says that the datagram begins a message and none is half sent: only then a
// sender that was idle for long begins a new epoch. Fresh tells that the PSN is the first of an epoch.
func (f *Flow) Send(now int64, first bool) (psn uint32, fresh bool) {
	if first && f.out.begun && f.out.inFlight() == 0 && now-f.out.usedAt >= f.shared.cfg.IdleSend {
		f.out.renew(successor(f.out.epoch), &f.shared.cfg)
	}
	fresh = !f.out.begun
	psn = f.out.send(now, &f.shared.cfg)
	f.arm(f.out.timer)
	return psn, fresh
}

// Resend claims the next datagram that must be sent again, if there is one and the path can take it.
func (f *Flow) Resend(now int64) (psn uint32, ok bool) { return f.out.resend(now) }

// Fill makes the shim of a datagram that Send or Resend claimed. Poll asks the peer to acknowledge at once and
// belongs on the last datagram of a burst; Fill adds it where it is needed in any case. The shim also carries the
// acknowledgement, which from then on counts as sent.
func (f *Flow) Fill(s *iwarp.Shim, psn uint32, poll bool) {
	*s = iwarp.Shim{Data: true, Start: !f.out.heard, Epoch: f.out.epoch, PSN: psn}
	again := f.out.inFlight() > 0 && f.out.board.inFlight(psn) && f.out.board.at(psn).state&resent != 0
	s.Poll = poll || again || psn+1 == f.out.next && f.Room() == 0
	f.in.fill(s, f.shared.cfg.Window)
}

// FillAck makes the shim of a bare acknowledgement.
func (f *Flow) FillAck(s *iwarp.Shim) {
	*s = iwarp.Shim{Epoch: f.out.epoch, PSN: f.out.next}
	f.in.fill(s, f.shared.cfg.Window)
}

// FillReset makes the shim that tells the peer that its epoch is no longer served: what a device sends when it goes
// out of service.
func (f *Flow) FillReset(s *iwarp.Shim) {
	*s = iwarp.Shim{Reset: true, Epoch: f.out.epoch, PSN: f.out.next, PeerEpoch: f.in.epoch}
}

// Hold promises that the device keeps or has placed a segment that was Ahead, or one InOrder that it refused. The
// promise stands until Advance has passed it or the peer begins a new epoch.
func (f *Flow) Hold(psn uint32) { f.in.hold(psn, f.shared.cfg.Window) }

// Advance tells that the segment expected was delivered. It returns the PSN expected next and whether the device
// holds it; if so, it is to be delivered now.
func (f *Flow) Advance(now int64) (next uint32, held bool) {
	if f.in.epoch == 0 {
		return 0, false
	}
	held = f.in.advance(now, &f.shared.cfg)
	f.arm(f.reminder(now))
	return f.in.expect, held
}

// Refuse tells that there is no receive for the segment expected. The peer is told to try again after
// 0.1 ms * 2^code, code 0..15. The segment is dropped unless the device holds it or calls Hold.
func (f *Flow) Refuse(now int64, code uint8) {
	if f.in.epoch == 0 {
		return
	}
	f.in.standing = f.in.standing&headHeld | refused | min(code, codeMask)
	f.in.ackAt = now
	f.arm(f.reminder(now))
}

// Ready takes back Refuse: there is a receive again. If the refused segment is held, the device delivers it and calls
// Advance instead.
func (f *Flow) Ready(now int64) {
	if f.Refusing() {
		f.in.standing &= headHeld
		f.in.ackAt = now
		f.arm(f.reminder(now))
	}
}

// AckDue tells whether an acknowledgement must leave now, if no data takes it along.
func (f *Flow) AckDue(now int64) bool { return f.in.ackAt <= now }

// Abort gives up everything in flight; the next Send begins a new epoch, so that the peer drops the old one.
func (f *Flow) Abort() {
	if f.out.begun {
		f.out.srtt, f.out.rttvar = 0, 0 // the path may be another one
		f.out.renew(successor(f.out.epoch), &f.shared.cfg)
	}
}

// Deadline is the next time that something happens by itself; there is always one, since idle flows are forgotten.
func (f *Flow) Deadline() int64 { return min(f.in.ackAt, f.timersAt()) }

// timersAt is the deadline but for the acknowledgement owed.
func (f *Flow) timersAt() int64 {
	at := min(f.out.timer, f.lastUse()+f.shared.cfg.IdleRecv)
	if f.out.board != nil && f.out.board.count == 0 {
		at = min(at, f.out.usedAt+f.shared.cfg.IdleSend)
	}
	return at
}

// lastUse is when the flow last did something.
func (f *Flow) lastUse() int64 { return max(f.out.usedAt, f.in.heardAt) }

// idle tells whether the flow has done nothing for some time and nothing is in flight.
func (f *Flow) idle(now, time int64) bool { return f.out.inFlight() == 0 && now-f.lastUse() >= time }

// reminder is when to wake for the acknowledgement owed. One that is due leaves with what the device does next; the
// reminder is for the case that it does not.
func (f *Flow) reminder(now int64) int64 {
	if f.in.ackAt <= now {
		return now + f.shared.cfg.AckDelay
	}
	return f.in.ackAt
}

// arrive takes in a shim whose epoch, if it carries data, is the one listened to.
func (f *Flow) arrive(now int64, s *iwarp.Shim, out *Outcome) {
	if s.PeerEpoch == f.out.epoch && f.out.begun {
		out.Acked = uint32(f.out.acknowledge(now, s, &f.shared.cfg))
		f.arm(f.out.timer)
	}
	if s.Epoch != f.in.epoch {
		return
	}
	f.in.heardAt = now
	if s.Data {
		out.Verdict = f.in.judge(now, s, f.shared.cfg.Window)
	} else if s.Poll {
		f.in.ackAt = now
	}
	f.arm(f.reminder(now))
}

// tick handles the timers that have come. Work tells that the device has something to do.
func (f *Flow) tick(now int64) (failed, work bool) {
	if f.out.timer <= now {
		work = true
		if failed = f.out.expire(now, &f.shared.cfg); failed {
			f.Abort()
		}
	}
	if f.out.board != nil && f.out.board.count == 0 && now-f.out.usedAt >= f.shared.cfg.IdleSend {
		f.out.board = nil
	}
	return failed, work || f.AckDue(now)
}
