package rd

import (
	"iter"

	"github.com/weft-mpi/weft/internal/iwarp"
)

// Peer is one entry of a table: the flow, and what the device keeps for the peer.
type Peer[K comparable, V any] struct {
	Flow
	Key   K
	Value V // the device's own
	leave bool
}

// Table finds flows by peer. K names a peer, V is what the device keeps for one.
type Table[K comparable, V any] struct {
	shared
	byKey   map[K]*Peer[K, V]
	peers   []*Peer[K, V] // by slot; nil where free
	free    []int32
	past    past[K]
	crowded int64 // until then no flow can be dropped in favour of another
}

// NewTable makes an empty table. Epoch should be random: it keeps the epochs of this process apart from those of one
// that used the same address before. (Epochs of different lives have no order: if two lives within 30 s choose the
// same, or a datagram of a life that was never heard arrives after the next one has begun, that is not noticed.)
func NewTable[K comparable, V any](cfg Config, epoch uint16) (*Table[K, V], error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	t := &Table[K, V]{byKey: map[K]*Peer[K, V]{}, past: past[K]{limit: cfg.MaxFlows, known: map[life[K]]struct{}{}}}
	t.cfg, t.epoch = cfg, epoch
	return t, nil
}

// Len is the number of flows.
func (t *Table[K, V]) Len() int { return len(t.byKey) }

// Get finds the flow with a peer, nil if there is none.
func (t *Table[K, V]) Get(key K) *Peer[K, V] { return t.byKey[key] }

// Peers lists all flows in no particular order. The table must not change meanwhile.
func (t *Table[K, V]) Peers() iter.Seq[*Peer[K, V]] {
	return func(yield func(*Peer[K, V]) bool) {
		for _, p := range t.peers {
			if p != nil && !yield(p) {
				return
			}
		}
	}
}

// Open finds or makes the flow with a peer, for sending. It answers nil if the table is full: then Expire may
// have flows to drop, and Open may succeed after it.
func (t *Table[K, V]) Open(now int64, key K) *Peer[K, V] {
	if p := t.byKey[key]; p != nil {
		p.leave = false
		return p
	}
	return t.add(now, key)
}

func (t *Table[K, V]) add(now int64, key K) *Peer[K, V] {
	if len(t.byKey) >= t.cfg.MaxFlows {
		t.press(now)
		return nil
	}
	p := &Peer[K, V]{Key: key}
	p.shared = &t.shared
	p.out.usedAt, p.in.heardAt = now, now
	p.out.renew(t.firstEpoch(), &t.cfg)
	p.in.renew(now, 0)
	p.wakeAt = p.Deadline()
	if n := len(t.free); n > 0 {
		p.slot = t.free[n-1]
		t.free = t.free[:n-1]
		t.peers[p.slot] = p
	} else {
		p.slot = int32(len(t.peers))
		t.peers = append(t.peers, p)
	}
	t.byKey[key] = p
	t.timers.add(&p.Flow)
	return p
}

func (t *Table[K, V]) remove(p *Peer[K, V]) {
	t.timers.remove(&p.Flow)
	delete(t.byKey, p.Key)
	t.peers[p.slot] = nil
	t.free = append(t.free, p.slot)
}

// pressIdle is how long a flow must have been idle to be dropped in favour of another: so long that a peer begins
// its next message in a new epoch and does not miss the old one.
func (t *Table[K, V]) pressIdle() int64 { return 2 * t.cfg.IdleSend }

// press asks idle flows to leave; Expire drops them. It looks at all flows, but not again before one can have
// become idle.
func (t *Table[K, V]) press(now int64) {
	if now < t.crowded {
		return
	}
	t.crowded = now + t.pressIdle()
	for p := range t.Peers() {
		if p.idle(now, t.pressIdle()) {
			p.leave = true
			p.arm(now)
			t.crowded = now
		} else {
			t.crowded = min(t.crowded, max(now+t.cfg.AckDelay, p.lastUse()+t.pressIdle()))
		}
	}
}

// Arrive takes in the shim of a datagram from a peer and says what it means. The peer is nil if the datagram
// means nothing.
func (t *Table[K, V]) Arrive(now int64, key K, s *iwarp.Shim) (*Peer[K, V], Outcome) {
	p := t.byKey[key]
	if s.Epoch == 0 {
		return nil, Outcome{}
	}
	if s.Reset {
		if p == nil || !p.out.begun || s.PeerEpoch != p.out.epoch {
			return nil, Outcome{}
		}
		p.Abort()
		return p, Outcome{Reset: true}
	}
	var out Outcome
	if p == nil || s.Epoch != p.in.epoch {
		var known bool
		if p, known = t.strange(now, key, p, s, &out); !known {
			return p, out
		}
	}
	p.leave = false
	p.arrive(now, s, &out)
	return p, out
}

// strange handles a datagram whose epoch is not the one listened to: a peer begins anew, a former life of it speaks, or
// it only acknowledges. It tells whether the datagram is to be looked at further.
func (t *Table[K, V]) strange(now int64, key K, p *Peer[K, V], s *iwarp.Shim, out *Outcome) (*Peer[K, V], bool) {
	former := uint16(0)
	if p != nil {
		former = p.in.epoch
	}
	switch {
	case !s.Data && p != nil && s.PeerEpoch == p.out.epoch:
		return p, true // the peer has a new epoch of its own and still knows ours
	case !s.Start && (s.Data || s.Poll) && former == 0:
		out.Unknown = true
		return nil, false
	case !s.Data || !s.Start || s.PSN-1 >= uint32(t.cfg.Window) || t.past.has(now, key, s.Epoch):
		return nil, false
	case former != 0 && precedes(s.Epoch, former) && now-p.in.since < t.cfg.IdleRecv:
		return nil, false // the peer had left it before it began the present one
	case former != 0 && !t.past.bury(now, now+t.cfg.IdleRecv, key, former):
		return nil, false
	}
	if p == nil {
		if p = t.add(now, key); p == nil {
			return nil, false
		}
	}
	p.in.renew(now, s.Epoch)
	out.NewEpoch = former != 0
	return p, true
}

// Renounce gives up the conversation with a peer in both directions: everything in flight, and whatever the peer still
// sends in its current epoch, which is answered as of an unknown flow. Tell the peer with Flow.FillReset before.
func (t *Table[K, V]) Renounce(now int64, p *Peer[K, V]) {
	p.Abort()
	if p.in.epoch != 0 {
		t.past.bury(now, now+t.cfg.IdleRecv, p.Key, p.in.epoch)
		p.in.renew(now, 0)
	}
}

// FillReset makes the answer to a datagram of an unknown flow.
func (t *Table[K, V]) FillReset(answer, to *iwarp.Shim) {
	*answer = iwarp.Shim{Reset: true, Epoch: max(t.epoch, 1), PSN: 1, PeerEpoch: to.Epoch}
}

// Deadline is the time at which Expire should be called, 0 if there are no flows. It may be earlier than anything
// happens.
func (t *Table[K, V]) Deadline() int64 {
	if len(t.timers) == 0 {
		return 0
	}
	return t.timers[0].wakeAt
}

// Expired says what time has brought a peer. If it says nothing, there is something to send: Resend, Room, AckDue.
type Expired struct {
	Failed    bool // the peer did not answer: all open work to it fails, the next Send begins a new epoch
	Forgotten bool // the flow was idle and is gone: drop what is kept for the peer, and the Peer itself
}

// Expire gives the next peer for which something has become due, nil if there is none. Call it until then.
func (t *Table[K, V]) Expire(now int64) (*Peer[K, V], Expired) {
	for len(t.timers) > 0 && t.timers[0].wakeAt <= now {
		f := t.timers[0]
		p := t.peers[f.slot]
		failed, work := f.tick(now)
		if t.forget(now, p) {
			return p, Expired{Forgotten: true}
		}
		t.timers.set(f, max(now+1, min(f.timersAt(), f.reminder(now))))
		if work {
			return p, Expired{Failed: failed}
		}
	}
	return nil, Expired{}
}

// forget drops a flow that has been idle for long, or for a while if another needs its place. In the latter case
// datagrams of it may still be under way, so its epoch is remembered.
func (t *Table[K, V]) forget(now int64, p *Peer[K, V]) bool {
	switch {
	case p.idle(now, t.cfg.IdleRecv):
	case p.leave && p.idle(now, t.pressIdle()) &&
		(p.in.epoch == 0 || t.past.bury(now, now+t.cfg.IdleRecv, p.Key, p.in.epoch)):
	default:
		return false
	}
	t.remove(p)
	return true
}
