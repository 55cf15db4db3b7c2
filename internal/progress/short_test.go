package progress_test

import (
	"context"
	"errors"
	"testing"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/progress"
	"github.com/weft-mpi/weft/internal/wire"
)

// thrower is a link that delivers messages, by their tags, from within Ready.
type thrower struct {
	progress.Transport // for what no test asks
	sink               wire.Sink
	throws             []int // with the next call of Ready, once there is a sink
	more               bool  // Poll has something more to do then
	caught             bool
	busy               bool // there is no room for packets
	sent               int
	readies            int
	polls              int
}

func (t *thrower) Ready() bool {
	t.readies++
	if t.sink == nil || len(t.throws) == 0 {
		return false
	}
	for _, tag := range t.throws {
		t.sink.Arrive(1, &wire.Header{Kind: wire.Eager, Ctx: 8, Tag: int32(tag), Len: 1}, []byte{byte(tag)})
	}
	t.throws, t.caught = nil, true
	return true
}

func (t *thrower) Caught() bool {
	if !t.caught || t.more {
		return false
	}
	t.caught = false
	return true
}

func (t *thrower) Poll(s wire.Sink) bool {
	t.polls++
	moved := t.caught
	t.sink, t.caught, t.more = s, false, false
	return moved
}

func (t *thrower) Send(*wire.Packet) bool {
	if t.busy {
		return false
	}
	t.sent++
	return true
}

func (t *thrower) EagerMax(int) int { return 1 << 10 }

// deepBell is a bell at which one sleeps until it is rung, and no shorter.
type deepBell struct{ ring, asleep chan struct{} }

func (b *deepBell) Arm()     {}
func (b *deepBell) Disarm()  {}
func (b *deepBell) Forward() { b.Ring() }

func (b *deepBell) Ring() {
	select {
	case b.ring <- struct{}{}:
	default:
	}
}

func (b *deepBell) Sleep(int64) {
	select {
	case b.asleep <- struct{}{}:
	default:
	}
	<-b.ring
}

// newThrower makes a loop on a thrower that has been polled once.
func newThrower(t *testing.T) (*progress.Loop, *thrower) {
	l, link, _ := newDeepThrower(t)
	return l, link
}

func newDeepThrower(t *testing.T) (*progress.Loop, *thrower, *deepBell) {
	link, bell := new(thrower), &deepBell{make(chan struct{}, 1), make(chan struct{}, 1)}
	loops := newLoops(t, []end{{link: &progress.Link{Transport: link, Catcher: link}, bell: bell}}, func(c *progress.Config) {
		c.Mode, c.Policy = progress.Poll, clock.Policy{Spins: 1000, Yields: 5}
	})
	loops[0].Unmatched()
	link.polls = 0
	return loops[0], link, bell
}

// A receive that somebody spins for ends with the message that is caught for it, and the link is not polled.
func TestSpinCatches(t *testing.T) {
	l, link := newThrower(t)
	for tag := range 3 {
		link.throws = []int{tag}
		b := make([]byte, 1)
		if st, err := recv(l, b, 1, tag); err != nil || st.Len != 1 || int(st.Tag) != tag || int(b[0]) != tag {
			t.Fatal(st, err, b)
		}
	}
	if link.polls != 0 {
		t.Errorf("polled %d times", link.polls)
	}
	if l.Pending() != 0 || len(l.Unmatched()) != 0 {
		t.Errorf("%d pending, %v unmatched", l.Pending(), l.Unmatched())
	}
}

// Nor is one that was left in flight before somebody spins for it, and it is in flight no more.
func TestSpinCatchesWhatWasLeft(t *testing.T) {
	l, link := newThrower(t)
	for tag := range 3 {
		b := make([]byte, 1)
		h := l.Irecv(b, at(1, tag), why("irecv"))
		link.throws = []int{tag}
		if st, bad, taken, err := l.One(h, true); err != nil || bad != nil || !taken || st.Len != 1 || int(b[0]) != tag {
			t.Fatal(st, bad, taken, err, b)
		}
		if _, _, _, err := l.One(h, true); !errors.Is(err, progress.ErrStale) {
			t.Errorf("waited for twice: %v", err)
		}
	}
	if link.polls != 0 || l.Pending() != 0 {
		t.Errorf("polled %d times, %d pending", link.polls, l.Pending())
	}
}

// If more happens than that it ends, the rest is done, too: other requests end, and the link is polled if
// it wants to be.
func TestSpinLeavesNothing(t *testing.T) {
	l, link := newThrower(t)
	other := l.Irecv(make([]byte, 1), at(1, 7), why("irecv"))
	link.throws = []int{7, 1}
	if _, err := recv(l, make([]byte, 1), 1, 1); err != nil {
		t.Fatal(err)
	}
	if _, errs, err := collect(l, progress.Want{Need: 1}, other); err != nil || errs[0] != nil || l.Pending() != 0 {
		t.Fatal(errs, err, l.Pending())
	}
	polled := link.polls
	link.throws, link.more = []int{2}, true
	if _, err := recv(l, make([]byte, 1), 1, 2); err != nil || link.polls == polled {
		t.Errorf("%v; polled %d times more", err, link.polls-polled)
	}
	got := async(func() { // what is caught need not be what somebody waits for
		if _, err := recv(l, make([]byte, 1), 1, 3); err != nil {
			t.Error(err)
		}
	})
	link.deliver(l, 4)
	link.deliver(l, 3)
	within(t, "the receive", got)
	if left := l.Unmatched(); len(left) != 1 || left[0].Tag != 4 {
		t.Errorf("unmatched: %v", left)
	}
}

// A message that is caught is received, though the context of the call has ended and the link has more to do.
func TestSpinCatchesInVain(t *testing.T) {
	l, link := newThrower(t)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	link.throws, link.more = []int{1}, true
	b := make([]byte, 1)
	if st, err := l.Recv(over, b, at(1, 1), why("recv")); err != nil || st.Len != 1 || b[0] != 1 || link.polls == 0 {
		t.Error(st, err, b, link.polls)
	}
	if _, err := l.Recv(over, b, at(1, 2), why("recv")); !errors.Is(err, context.Canceled) {
		t.Errorf("a receive that nothing came for: %v", err)
	}
}

// deliver throws a message to a loop that somebody drives.
func (t *thrower) deliver(l *progress.Loop, tag int) {
	l.Locked(func() { t.throws = append(t.throws, tag) })
	l.Ring()
}

// Packets that wait for room are offered again though every receive is caught at once.
func TestSpinOffersTheBacklog(t *testing.T) {
	l, link := newThrower(t)
	link.busy = true
	out := l.Isend(make([]byte, 1), at(1, 5), 0, why("isend"))
	link.busy = false
	link.throws = []int{1}
	if _, err := recv(l, make([]byte, 1), 1, 1); err != nil {
		t.Fatal(err)
	}
	if link.sent != 1 {
		t.Error("what waits for room has not been offered")
	}
	if _, _, err := collect(l, progress.Want{Need: 1}, out); err != nil {
		t.Error(err)
	}
}

// Who finds that somebody else drives does not look at the links.
func TestSpinsAlone(t *testing.T) {
	l, link, bell := newDeepThrower(t)
	first := async(func() {
		if _, err := recv(l, make([]byte, 1), 1, 1); err != nil {
			t.Error(err)
		}
	})
	<-bell.asleep
	before := 0
	l.Locked(func() { before = link.readies })
	second := async(func() {
		if _, err := recv(l, make([]byte, 1), 1, 2); err != nil {
			t.Error(err)
		}
	})
	waiting(t, l, 2)
	l.Locked(func() {
		if link.readies != before {
			t.Errorf("looked %d times", link.readies-before)
		}
	})
	link.deliver(l, 2)
	link.deliver(l, 1)
	within(t, "the first", first)
	within(t, "the second", second)
}
