package flow

import (
	"slices"
	"strings"
	"testing"
	"unsafe"
)

const start = 1000 * millisecond

// tested are the values that the tests count on: unlike those of a job, the shortest time-out is
// longer than an acknowledgement waits.
func tested() Config {
	c := Defaults()
	c.AckDelay, c.MinTimeout = 5*millisecond, 20*millisecond
	return c
}

func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// desk is a sender with a record of what it releases and sends again.
type desk struct {
	Sender[int]
	cfg      Config
	count    Counters
	released []int
	dead     bool
}

// newDesk is a sender whose first number is 4 before the wrap, with n frames in flight.
func newDesk(timed bool, n int, change func(*Config)) *desk {
	d := &desk{cfg: tested()}
	d.cfg.First = 1<<32 - 4
	if change != nil {
		change(&d.cfg)
	}
	d.Init(&d.cfg, &d.count)
	d.SetTimed(timed, start)
	d.push(n, start)
	return d
}

func (d *desk) push(n int, now int64) {
	for range n {
		d.Push(int(d.Sender.next-d.cfg.First), now)
	}
}

// ack acknowledges the first n frames of the stream, with credit as the default window gives it.
func (d *desk) ack(n int, now int64) bool {
	at := d.cfg.First + uint32(n)
	return d.Acked(at, at+uint32(d.cfg.Window), now, func(f int) { d.released = append(d.released, f) })
}

// nack tells that the first n frames are there, and those after the missing one that early names.
func (d *desk) nack(n int, early uint64, now int64) bool {
	return d.Nack(d.cfg.First+uint32(n), early, now)
}

// resent is what Expire sends again, counted from the first frame of the stream.
func (d *desk) resent(now int64) []int {
	var got []int
	d.dead = d.Expire(now, func(seq uint32, f int) {
		if int(seq-d.cfg.First) != f {
			panic("a frame is sent again under another number")
		}
		got = append(got, f)
	})
	return got
}

func same(t *testing.T, what string, got []int, want ...int) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func TestReleaseInOrder(t *testing.T) {
	d := newDesk(false, 10, nil)
	equal(t, "acknowledged", d.ack(3, start), true)
	same(t, "released", d.released, 0, 1, 2)
	equal(t, "the same once more", d.ack(3, start), true)
	equal(t, "all", d.ack(10, start), true)
	same(t, "released", d.released, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
	equal(t, "in flight", d.InFlight(), 0)
	equal(t, "due", d.Due(), 0)
}

// Each shows what is in flight, across the wrap, and nothing else.
func TestEach(t *testing.T) {
	d := newDesk(false, 9, nil)
	d.ack(2, start)
	var seen []int
	d.Each(func(f int) { seen = append(seen, f) })
	same(t, "in flight", seen, 2, 3, 4, 5, 6, 7, 8)
}

// What was never sent, and what is old, changes nothing.
func TestAbsurdAcks(t *testing.T) {
	for _, c := range []struct {
		name       string
		ack, limit uint32 // from the first frame of the stream; 2 are acknowledged, 8 were sent
		stale, bad uint64
	}{
		{"one too many", 9, 409, 0, 1},
		{"far ahead", 2 + 1<<31 - 1, 1<<31 + 300, 0, 1},
		{"stale", 1, 401, 1, 0},
		{"very stale", 1 << 31, 1<<31 + 300, 0, 1},
		{"just stale", 3 + 1<<31, 1<<31 + 300, 1, 0},
		{"before the stream", 1<<32 - 1, 399, 1, 0},
		{"credit before the acknowledgement", 5, 4, 0, 1},
		{"absurd credit", 5, 5 + most + 1, 0, 1},
	} {
		d := newDesk(true, 8, nil)
		d.ack(2, start)
		before := d.Sender
		ok := d.Acked(d.cfg.First+c.ack, d.cfg.First+c.limit, start+5, func(int) { t.Errorf("%s: released", c.name) })
		equal(t, c.name, ok, false)
		equal(t, c.name+": stale", d.count.StaleAcks, c.stale)
		equal(t, c.name+": bad", d.count.BadAcks, c.bad)
		equal(t, c.name+": limit", d.limit, before.limit)
		equal(t, c.name+": in flight", d.InFlight(), 6)
		equal(t, c.name+": due", d.Due(), before.Due())
	}
}

func TestAbsurdNotices(t *testing.T) {
	for _, c := range []struct {
		name       string
		ack        int
		early      uint64
		ok         bool
		stale, bad uint64
	}{
		{"nothing early", 2, 0, true, 0, 0},
		{"the last is there", 2, 1 << 4, true, 0, 0},
		{"never sent", 2, 1 << 5, false, 0, 1},
		{"never sent, and others", 2, 1<<63 | 7, false, 0, 1},
		{"stale", -3, 3, false, 1, 0},
		{"partly stale", -3, 0x7f, true, 0, 0},
		{"far ahead", 1 << 30, 1, false, 0, 1},
	} {
		d := newDesk(true, 8, nil)
		d.ack(2, start)
		due := d.Due()
		equal(t, c.name, d.nack(c.ack, c.early, start+5), c.ok)
		equal(t, c.name+": stale", d.count.StaleAcks, c.stale)
		equal(t, c.name+": bad", d.count.BadAcks, c.bad)
		equal(t, c.name+": in flight", d.InFlight(), 6)
		if c.bad+c.stale > 0 {
			equal(t, c.name+": due", d.Due(), due)
		}
	}
}

func TestWindowAndCredit(t *testing.T) {
	d := newDesk(false, 0, func(c *Config) { c.Window = 5 })
	for range 5 {
		equal(t, "full", d.Full(), false)
		d.push(1, start)
	}
	equal(t, "full at the window", d.Full(), true)
	first := d.cfg.First
	nothing := func(int) {}
	d.Acked(first+4, first+6, start, nothing)
	equal(t, "credit for one", d.Full(), false)
	d.push(1, start)
	equal(t, "credit used up", d.Full(), true)
	d.Acked(first+5, first+5, start, nothing) // a promise is not taken back, nor does it come back
	equal(t, "limit", d.limit, first+6)
	d.Acked(first+6, first+6, start, nothing)
	equal(t, "full with nothing in flight", d.Full(), true)
	d.SetTimed(true, start)
	equal(t, "full on a carrier that loses", d.Full(), false)
	d.push(1, start)
	equal(t, "full after the one frame", d.Full(), true)
	defer func() { equal(t, "push into a full window panics", recover() != nil, true) }()
	d.push(1, start)
}

// Time-outs double until the longest one; after MaxRetry of them the peer is dead. The second in a row and
// those that follow send the oldest frame alone.
func TestTimeouts(t *testing.T) {
	d := newDesk(true, 1, func(c *Config) { c.MaxRetry = 8 })
	d.ack(1, start+10*millisecond) // round trip 10 ms: time-out 10 + 4*5 + 5 ms
	d.push(3, start+20*millisecond)
	now := start + 20*millisecond
	for i, wait := range []int64{35, 70, 140, 280, 500, 500, 500, 500, 500} {
		equal(t, "due", d.Due()-now, wait*millisecond)
		same(t, "too soon", d.resent(d.Due()-1))
		now = d.Due()
		got := d.resent(now)
		equal(t, "dead", d.dead, i == 8)
		switch {
		case i == 0:
			same(t, "sent again", got, 1, 2, 3)
		case !d.dead:
			same(t, "sent once more", got, 1)
		}
	}
	equal(t, "time-outs", d.count.Timeouts, 9)
	equal(t, "retransmits", d.count.Retransmits, 3+7)
	equal(t, "alone", d.count.Alone, 7)
}

// An answer to what was sent again starts the count anew, but the time-out stays long until a round trip is measured.
func TestAnswerAfterTimeouts(t *testing.T) {
	d := newDesk(true, 1, func(c *Config) { c.MaxRetry = 2 })
	now := start + 10*millisecond
	d.ack(1, now)
	for i := 1; i < 6; i++ {
		d.push(1, now)
		now = d.Due()
		same(t, "sent again", d.resent(now), i)
		now = d.Due()
		same(t, "and again", d.resent(now), i)
		equal(t, "dead", d.dead, false)
		d.ack(i+1, now)
	}
	d.push(1, now)
	equal(t, "long time-out", d.Due()-now, d.cfg.Timeout)
	d.ack(7, now+10*millisecond)
	d.push(1, now)
	equal(t, "time-out after a measured round trip", d.Due() < now+40*millisecond, true)
}

// The time-out keeps within its bounds however fast or slow the path is.
func TestTimeoutBounds(t *testing.T) {
	for _, c := range []struct{ rtt, want int64 }{{1, 20}, {1000, 20}, {20 * millisecond, 65}, {4000 * millisecond, 500}, {-5, 20}} {
		d := newDesk(true, 1, nil)
		equal(t, "first time-out", d.Due()-start, 500*millisecond)
		d.ack(1, start+c.rtt)
		d.push(1, start)
		equal(t, "time-out in ms", (d.Due()-start)/millisecond, c.want)
	}
}

// Three later frames show a loss; it is repaired once per round trip, not more.
func TestOvertaken(t *testing.T) {
	d := newDesk(true, 1, nil)
	d.ack(1, start+millisecond) // round trip 1 ms + 4 * 0.5
	d.push(9, start+2*millisecond)
	now := start + 3*millisecond
	d.nack(1, 0b11, now)
	same(t, "two later ones", d.resent(now))
	d.nack(1, 0b10111, now) // frames 1 and 5 are missing, 2 3 4 6 are there
	equal(t, "due", d.Due(), atOnce)
	same(t, "three later ones", d.resent(now), 1)
	equal(t, "due once done", d.Due() > now, true)
	d.nack(1, 0b1110111, now)
	same(t, "the other one, and not again within a round trip", d.resent(now), 5)
	d.nack(1, 0b1110111, now+5*millisecond)
	same(t, "again after a round trip", d.resent(now+5*millisecond), 1, 5)
	d.ack(5, now+6*millisecond)
	d.nack(5, 0b111, now+20*millisecond)
	same(t, "the hole that is left", d.resent(now+20*millisecond), 5)
	equal(t, "time-outs", d.count.Timeouts, 0)
	d.ack(10, now+21*millisecond)
	equal(t, "due", d.Due(), 0)
}

// A time-out sends a few frames; more follow as acknowledgements come, and nothing that the peer has.
func TestTimeoutBurst(t *testing.T) {
	d := newDesk(true, 200, nil)
	now := d.Due()
	same(t, "first", d.resent(now), 0, 1, 2, 3, 4, 5, 6, 7)
	equal(t, "due", d.Due() > now, true)
	d.ack(8, now+millisecond)
	d.nack(8, 0b1110, now+millisecond) // 10, 11 and 12 were not lost, and so 8 and 9 were
	got := d.resent(now + millisecond)
	equal(t, "as many as were acknowledged, twice", len(got), 16)
	same(t, "not what is there", got[:4], 8, 9, 13, 14)
	d.ack(200, now+2*millisecond)
	equal(t, "due", d.Due(), 0)
	equal(t, "lost", d.lost, 0)
}

// A peer that claims to have all but sends no acknowledgement is dead in the end.
func TestClaimsWithoutAck(t *testing.T) {
	d := newDesk(true, 60, func(c *Config) { c.MaxRetry = 3 })
	for range 5 {
		d.nack(-1, 1<<60-1, d.Due())
		if d.resent(d.Due()); d.dead {
			return
		}
	}
	t.Error("the peer lives")
}

// Timers off: nothing is ever due. What was pushed before they went off is watched to its end.
func TestTimersOff(t *testing.T) {
	d := newDesk(false, 5, nil)
	equal(t, "due", d.Due(), 0)
	d.nack(0, 0b1111, start)
	equal(t, "due after a notice", d.Due(), 0)
	d.SetTimed(true, start)
	equal(t, "due on datagrams", d.Due(), start+d.cfg.Timeout)
	d.SetTimed(false, start)
	d.push(5, start)
	equal(t, "due for what is watched", d.Due(), start+d.cfg.Timeout)
	same(t, "sent again", d.resent(d.Due()), 0) // of 1 to 4 the peer said that they are there
	d.ack(4, start+millisecond)
	equal(t, "due for the last one watched", d.Due() > start, true)
	d.ack(5, start+millisecond)
	equal(t, "due for what the connection carries", d.Due(), 0)
}

func TestReplay(t *testing.T) {
	d := newDesk(true, 8, nil)
	d.SetTimed(false, start)
	d.ack(2, start)
	var got []int
	again := func(_ uint32, f int) { got = append(got, f) }
	for _, from := range []uint32{1, 9, 1 << 31} {
		err := d.Replay(d.cfg.First+from, start, again)
		if err == nil || !strings.Contains(err.Error(), "expects frame") {
			t.Errorf("replay from %d: %v", from, err)
		}
	}
	same(t, "replayed by mistake", got)
	if err := d.Replay(d.cfg.First+5, start, again); err != nil {
		t.Fatal(err)
	}
	same(t, "replayed", got, 5, 6, 7)
	equal(t, "due", d.Due(), 0)
	equal(t, "in flight", d.InFlight(), 6)
	if err := d.Replay(d.cfg.First+8, start, again); err != nil {
		t.Fatal(err)
	}
	equal(t, "counted", d.count.Replayed, 3)
	d.SetTimed(true, start)
	if err := d.Replay(d.cfg.First+2, start+7, again); err != nil {
		t.Fatal(err)
	}
	equal(t, "due on datagrams", d.Due(), start+7+d.cfg.MinTimeout)
}

func TestDrop(t *testing.T) {
	d := newDesk(true, 20, nil)
	d.ack(5, start)
	var got []int
	d.Drop(func(f int) { got = append(got, f) })
	equal(t, "released", len(got) == 15 && got[0] == 5 && got[14] == 19, true)
	equal(t, "in flight", d.InFlight(), 0)
	equal(t, "due", d.Due(), 0)
	same(t, "sent again", d.resent(start+10*d.cfg.Timeout))

	r, _ := newReceiver(nil)
	r.Arrive(r.Expected()+3, 3, start)
	got = nil
	r.Drop(func(f int) { got = append(got, f) })
	same(t, "kept", got, 3)
	equal(t, "acknowledgement due", r.Due(), 0)
}

// A ring grows with what is in flight, shrinks when it stays empty, and is given back at rest.
func TestMemory(t *testing.T) {
	if size := unsafe.Sizeof(Sender[*int]{}) + unsafe.Sizeof(Receiver[*int]{}); size >= 200 {
		t.Errorf("a quiet peer costs %d bytes", size)
	}
	d := newDesk(false, 300, nil)
	equal(t, "slots", len(d.ring.buf), 512)
	d.Rest()
	equal(t, "slots in use at rest", len(d.ring.buf), 512)
	n := 300
	d.ack(n, start)
	for range 10 * calmTimes {
		d.push(8, start)
		n += 8
		d.ack(n, start)
	}
	equal(t, "slots after calm times", len(d.ring.buf), 16)
	d.push(60, start)
	for range 3 * calmTimes {
		n += 60
		d.ack(n, start)
		d.push(60, start)
	}
	n += 60
	d.ack(n, start)
	equal(t, "slots that are needed", len(d.ring.buf), 64)
	for _, slot := range d.ring.buf {
		equal(t, "slot is clean", slot, flight[int]{})
	}
	d.Rest()
	equal(t, "slots at rest", len(d.ring.buf), 0)
	d.push(1, start)
	equal(t, "acknowledged", d.ack(n+1, start), true)
}

func TestConfig(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"":             func(*Config) {},
		"window":       func(c *Config) { c.Window = 0 },
		"out of order": func(c *Config) { c.OutOfOrder = c.Window - 1 },
		"kept":         func(c *Config) { c.OutOfOrder = most + 1 },
		"every":        func(c *Config) { c.AckEvery = 0 },
		"after":        func(c *Config) { c.AckDelay = -1 },
		"half":         func(c *Config) { c.AckDelay = c.Timeout },
		"time-out":     func(c *Config) { c.MinTimeout = c.Timeout + 1 },
		"at most":      func(c *Config) { c.Timeout = longest + 1 },
		"dead":         func(c *Config) { c.MaxRetry = 0 },
		"grow":         func(c *Config) { c.Patience = -1 },
	} {
		c := tested()
		change(&c)
		err := c.Check()
		if (err == nil) != (name == "") || err != nil && !strings.Contains(err.Error(), name) {
			t.Errorf("%q: %v", name, err)
		}
	}
}
