package verbs

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
)

// ErrKilled is why a queue pair died that Fault killed.
var ErrKilled = errors.New("killed by fault injection")

// FaultConfig says what goes wrong, and how often: probabilities lie between 0 and 1. The same seed brings the same
// faults to the same sequence of datagrams, posts and polls.
type FaultConfig struct {
	Seed uint64

	// Datagrams of UD and RD and messages of UC, on devices that are Tapped.
	Drop      float64
	Duplicate float64
	Reorder   float64 // held back by up to ReorderBy, so that others overtake
	ReorderBy int64   // nanoseconds, default 1 ms
	Corrupt   float64 // one byte is turned over
	Delay     int64   // nanoseconds added to every datagram
	Jitter    int64   // up to so many more, each its own

	// Stall is the chance per poll that a completion queue goes silent for StallFor nanoseconds, as it does when
	// the program was not scheduled. Arm and Wait end it: who sleeps must not miss the bell.
	Stall    float64
	StallFor int64
	Now      func() int64 // the time in nanoseconds; needed for Stall

	// Kill is the chance per work request posted to a send queue that its queue pair goes to Error.
	Kill float64
}

// Fault wraps a device and makes things go wrong. What it did is counted in Counters. It fails with ErrUnsupported
// if datagram faults are asked of a device that is not Tapped, and with ErrArgument if the numbers make no sense.
// Without faults to inject it costs one comparison per call.
func Fault(dev Device, cfg FaultConfig) (Device, error) {
	for _, p := range []float64{cfg.Drop, cfg.Duplicate, cfg.Reorder, cfg.Corrupt, cfg.Stall, cfg.Kill} {
		if !(p >= 0 && p <= 1) {
			return nil, fmt.Errorf("fault: probability %v, want 0 to 1: %w", p, ErrArgument)
		}
	}
	if cfg.ReorderBy < 0 || cfg.Delay < 0 || cfg.Jitter < 0 || cfg.StallFor < 0 || cfg.Stall > 0 && cfg.Now == nil {
		return nil, fmt.Errorf("fault: a negative time, or stalls without a clock: %w", ErrArgument)
	}
	if cfg.ReorderBy == 0 {
		cfg.ReorderBy = 1_000_000
	}
	f := &faulty{cfg: cfg, packets: rand.NewPCG(cfg.Seed, 1), calls: rand.NewPCG(cfg.Seed, 2)}
	d := &wrapDevice{Device: dev, layer: f}
	if cfg.wire() {
		t, ok := dev.(Tapped)
		if caps := dev.Caps(); !ok || !caps.Wire {
			return nil, fmt.Errorf("fault: datagrams of %q cannot be tampered with: %w", caps.Name, ErrUnsupported)
		}
		t.Tap(f.fate)
	}
	return d, nil
}

func (c *FaultConfig) wire() bool {
	return c.Drop > 0 || c.Duplicate > 0 || c.Reorder > 0 || c.Corrupt > 0 || c.Delay > 0 || c.Jitter > 0
}

type faulty struct {
	passLayer
	cfg FaultConfig

	wire    sync.Mutex // what belongs to datagrams; taken under the device's lock, so never around a call
	packets *rand.PCG
	next    func(Datagram) Fate // a tap that was set on this device

	mu    sync.Mutex // what belongs to calls
	calls *rand.PCG
	own   []Event
	lost  int
	bell  func()

	seen, dropped, duplicated, reordered, corrupted, stalls, killed atomic.Uint64
}

// maxFaultEvents is how many events of its own a faulty device keeps.
const maxFaultEvents = 1024

// chance draws from src: true with probability p. It draws nothing if p is 0.
func chance(src *rand.PCG, p float64) bool {
	return p > 0 && float64(src.Uint64()>>11)/(1<<53) < p
}

// upTo draws a number from 1 to most.
func upTo(src *rand.PCG, most int64) int64 { return 1 + int64(src.Uint64()%uint64(most)) }

// fate decides about one datagram.
func (f *faulty) fate(d Datagram) (fate Fate) {
	f.wire.Lock()
	defer f.wire.Unlock()
	if f.next != nil {
		fate = f.next(d)
	}
	f.seen.Add(1)
	c, src := &f.cfg, f.packets
	if chance(src, c.Drop) {
		fate.Drop = true
		f.dropped.Add(1)
	}
	if chance(src, c.Duplicate) {
		fate.Copies++
		f.duplicated.Add(1)
	}
	if chance(src, c.Reorder) {
		fate.Delay += upTo(src, c.ReorderBy)
		f.reordered.Add(1)
	}
	if d.Size > 0 && chance(src, c.Corrupt) {
		fate.Corrupt = int(upTo(src, int64(d.Size)))
		f.corrupted.Add(1)
	}
	fate.Delay += c.Delay
	if c.Jitter > 0 {
		fate.Delay += upTo(src, c.Jitter)
	}
	return fate
}

// tap keeps what somebody else wants to do to datagrams, and does it first.
func (f *faulty) tap(d *wrapDevice, next func(Datagram) Fate) {
	if !f.cfg.wire() {
		f.passLayer.tap(d, next)
		return
	}
	f.wire.Lock()
	defer f.wire.Unlock()
	f.next = next
}

// postSend posts, and then may kill the queue pair.
func (f *faulty) postSend(q *wrapQP, wrs []SendWR) (int, error) {
	n, err := q.QP.PostSend(wrs)
	if f.cfg.Kill > 0 && f.strikes(n) && q.QP.State() != Error && q.QP.Modify(Error) == nil {
		f.killed.Add(1)
		f.add(Event{Kind: QPFatal, Num: q.Num(), Err: ErrKilled})
	}
	return n, err
}

// strikes tells whether one of n work requests is the last.
func (f *faulty) strikes(n int) (hit bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for range n {
		hit = chance(f.calls, f.cfg.Kill) || hit
	}
	return hit
}

// add keeps an event of this device's own and rings the bell.
func (f *faulty) add(e Event) {
	f.mu.Lock()
	if len(f.own) < maxFaultEvents {
		f.own = append(f.own, e)
	} else {
		f.lost++
	}
	bell := f.bell
	f.mu.Unlock()
	if bell != nil {
		bell()
	}
}

func (f *faulty) pollEvents(d *wrapDevice, out []Event) int {
	if f.cfg.Kill == 0 {
		return d.Device.PollEvents(out)
	}
	f.mu.Lock()
	n := copy(out, f.own)
	f.own = f.own[:copy(f.own, f.own[n:])]
	if n < len(out) && f.lost > 0 {
		out[n] = Event{Kind: EventsLost, Lost: f.lost}
		f.lost = 0
		n++
	}
	f.mu.Unlock()
	return n + d.Device.PollEvents(out[n:])
}

func (f *faulty) notifyEvents(d *wrapDevice, bell func()) {
	f.mu.Lock()
	f.bell = bell
	f.mu.Unlock()
	d.Device.NotifyEvents(bell)
}

// stall says until when a completion queue is silent; 0 if it is not.
type stall struct{ until atomic.Int64 }

// honest as the end of a stall: none begins before the next completion is polled.
const honest = -1

func (f *faulty) poll(c *wrapCQ, out []Completion) int {
	if f.cfg.Stall > 0 && f.silent(&c.stalled) {
		return 0
	}
	n := c.CQ.Poll(out)
	if n > 0 {
		c.stalled.until.CompareAndSwap(honest, 0)
	}
	return n
}

// silent tells whether a completion queue is stalled, and may begin a stall.
func (f *faulty) silent(s *stall) bool {
	if until := s.until.Load(); until != 0 {
		if until == honest {
			return false
		}
		if f.cfg.Now() < until {
			return true
		}
		s.until.Store(0)
		return false
	}
	f.mu.Lock()
	hit := chance(f.calls, f.cfg.Stall)
	f.mu.Unlock()
	if hit {
		f.stalls.Add(1)
		s.until.Store(f.cfg.Now() + f.cfg.StallFor)
	}
	return hit
}

func (f *faulty) arm(c *wrapCQ, solicited bool) {
	c.stalled.until.Store(honest)
	c.CQ.Arm(solicited)
}

func (f *faulty) wait(c *wrapCQ, limit int64) bool {
	c.stalled.until.Store(honest)
	return c.CQ.Wait(limit)
}

func (f *faulty) counters(yield func(string, uint64) bool) {
	_ = yield("fault_datagrams", f.seen.Load()) &&
		yield("fault_dropped", f.dropped.Load()) &&
		yield("fault_duplicated", f.duplicated.Load()) &&
		yield("fault_reordered", f.reordered.Load()) &&
		yield("fault_corrupted", f.corrupted.Load()) &&
		yield("fault_stalls", f.stalls.Load()) &&
		yield("fault_killed", f.killed.Load())
}
