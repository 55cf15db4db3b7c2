package sim

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/wire"
)

// mailSink is a Sink that keeps what it gets.
type mailSink struct {
	from  []int
	bytes []byte
	reads int
	lost  []int
}

func (c *mailSink) Arrive(peer int, _ *wire.Header, payload []byte) {
	c.from = append(c.from, peer)
	c.bytes = append(c.bytes, payload...)
}
func (c *mailSink) Begin(int, *wire.Header) ([]byte, any) { panic("letters come whole") }
func (c *mailSink) End(any)                               {}
func (c *mailSink) ReadDone(any, error)                   { c.reads++ }
func (c *mailSink) WriteDone(any, error)                  {}
func (c *mailSink) Place(int, *wire.Header) ([]byte, any) { return nil, nil }
func (c *mailSink) Lost(peer int, _ error)                { c.lost = append(c.lost, peer) }

// TestSharedCosts: a letter costs its sender a copy, and is seen later by a core of another chip.
func TestSharedCosts(t *testing.T) {
	s, f := cluster(t, "myri10g-mx", 1)
	boxes, err := f.Shared(0, seats(s, 10, 11, 12, 13, 14))
	if err != nil {
		t.Fatal(err)
	}
	seen := make([]int64, 5)
	for _, i := range []int{1, 4} {
		s.Go("receiver", func() {
			var c mailSink
			x := boxes[i]
			for !x.Ready() {
				x.bell.Arm()
				x.bell.Sleep(0)
			}
			seen[i] = s.Now()
			if !x.Poll(&c) || len(c.from) != 1 || c.from[0] != 10 || string(c.bytes) != "hello" || x.Poll(&c) {
				t.Errorf("got %+v", c)
			}
		})
	}
	var sent [2]int64
	s.Go("sender", func() {
		s.Sleep(1000)
		for i, to := range []int{11, 14} {
			p := &wire.Packet{Peer: to, Data: []byte("hello")}
			if !boxes[0].Send(p) || p.Sent != 5 {
				t.Error("busy")
			}
			sent[i] = s.Now()
		}
	})
	if err := s.Run(); err != nil {
		t.Fatal(err)
	}
	if sent[0] != 1000+f.cost.sharedPacket.get()+f.cost.work[0].get().of(5) {
		t.Errorf("a letter of 5 bytes costs %d ns", sent[0]-1000)
	}
	near, far := seen[1]-sent[0], seen[4]-sent[1]
	if far != f.cost.sharedSee.get() || near != int64(float64(far)*f.cost.sharedChip.get()) {
		t.Errorf("seen after %d ns on the same chip, %d ns on another", near, far)
	}
}

// TestSharedRead: a long message is copied once, by and at the cost of the receiver.
func TestSharedRead(t *testing.T) {
	s, f := cluster(t, "myri10g-mx", 1)
	boxes, _ := f.Shared(0, seats(s, 0, 1))
	src, dst := bytes.Repeat([]byte{7}, 100_000), make([]byte, 100_000)
	s.Go("reader", func() {
		var c mailSink
		key := boxes[0].Expose(1, src, false)
		if !boxes[1].Read(0, key, dst, "token") {
			t.Error("refused")
		}
		if got, want := s.Now(), f.cost.sharedRead.get()+f.cost.work[0].get().of(len(dst)); got != want {
			t.Errorf("the read took %d ns, want %d", got, want)
		}
		if !boxes[1].Ready() || !boxes[1].Poll(&c) || c.reads != 1 || boxes[1].Ready() {
			t.Errorf("got %+v", c)
		}
		boxes[0].Hide(1, key)
	})
	if err := s.Run(); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(src, dst) {
		t.Error("the bytes differ")
	}
}

// TestCopiesShareMemory: as many copies as the profile says run at full speed; more take longer.
func TestCopiesShareMemory(t *testing.T) {
	s, f := cluster(t, "ne020-r805", 1)
	took := make([]int64, 4)
	for i := range took {
		h, err := f.Host(0, i)
		if err != nil {
			t.Fatal(err)
		}
		s.Go("copy", func() {
			h.Spend(0, 1<<20)
			took[i] = h.Now()
			h.Sleep(1)
		})
	}
	if err := s.Run(); err != nil {
		t.Fatal(err)
	}
	if alone := f.cost.work[0].get().of(1<<20) + f.cost.far(1<<20); took[0] != alone || took[1] != alone || took[3] != 2*alone {
		t.Errorf("copies take %v ns, one takes %d", took, alone)
	}
}

// TestCopiesInARowShareMemory: whoever copies again and again does not get ahead of the others, and they
// take as long together as the memory needs for all of it, on cores of their own and where places share
// these.
func TestCopiesInARowShareMemory(t *testing.T) {
	const places, copies = 8, 20
	for _, cores := range []int{places, places / 2} {
		s, f := unevenCluster(t, "ne020", Node{Cores: cores})
		var last int64
		for place := range places {
			h, err := f.Host(0, place)
			if err != nil {
				t.Fatal(err)
			}
			s.Go("copy", func() {
				for range copies {
					h.Spend(clock.Copy, 32<<10)
				}
				last = max(last, h.Now())
			})
		}
		if err := s.Run(); err != nil {
			t.Fatal(err)
		}
		all := float64(places*copies*f.cost.work[clock.Copy].get().of(32<<10)) / f.cost.copyParallel.get()
		if took := float64(last); took < 0.9*all || took > 1.1*all {
			t.Errorf("%d cores: %.0f ns, the memory needs %.0f", cores, took, all)
		}
	}
}

// TestSharedDeath: ranks of the node are told that one of them has died, after what it has written, also if
// that is on its way.
func TestSharedDeath(t *testing.T) {
	for _, pause := range []int64{0, 1000} {
		sharedDeath(t, pause)
	}
}

func sharedDeath(t *testing.T, pause int64) {
	t.Helper()
	s, f := cluster(t, "myri10g-mx", 1)
	boxes, _ := f.Shared(0, seats(s, 7, 8))
	died := int64(0)
	s.Go("victim", func() {
		boxes[0].Send(&wire.Packet{Peer: 8, Data: []byte("last words")})
		s.Sleep(pause)
		s.Charge(300)
		died = s.Now()
		boxes[0].Die(errors.New("gone"))
	})
	s.Go("witness", func() {
		var c mailSink
		for len(c.lost) == 0 {
			boxes[1].bell.Arm()
			if !boxes[1].Ready() {
				boxes[1].bell.Sleep(0)
			}
			boxes[1].Poll(&c)
		}
		if string(c.bytes) != "last words" || c.lost[0] != 7 || s.Now() < died {
			t.Errorf("got %q, lost %v at %d ns, which happened at %d", c.bytes, c.lost, s.Now(), died)
		}
	})
	if err := s.Run(); err != nil {
		t.Fatal(err)
	}
}

// seats puts ranks on the cores of a node in order.
func seats(s *clock.Scheduler, ranks ...int) (all []Seat) {
	for i, r := range ranks {
		all = append(all, Seat{r, i, clock.NewTaskBell(s, nil)})
	}
	return all
}

// TestSeenInOrder: what a rank writes is seen in the order of writing, whichever of its goroutines writes.
func TestSeenInOrder(t *testing.T) {
	s, f := cluster(t, "myri10g-mx", 1)
	boxes, _ := f.Shared(0, seats(s, 0, 1))
	var near, far []int
	write := func(n int) {
		boxes[0].Later(func(all bool) {
			if all {
				far = append(far, n)
			} else {
				near = append(near, n)
			}
		})
	}
	s.Go("program", func() {
		s.Charge(1000)
		write(1)
	})
	s.Go("background", func() {
		write(2)
		s.Sleep(100_000)
	})
	if err := s.Run(); err != nil {
		t.Fatal(err)
	}
	if want := []int{1, 2}; !slices.Equal(near, want) || !slices.Equal(far, want) {
		t.Errorf("seen near by in the order %v, far away %v", near, far)
	}
}

// TestSharedOrder: letters of one rank do not overtake each other, whichever of its goroutines sends them:
// one that has been charged with much work may run before another whose time is earlier.
func TestSharedOrder(t *testing.T) {
	s, f := cluster(t, "myri10g-mx", 1)
	boxes, err := f.Shared(0, seats(s, 10, 11))
	if err != nil {
		t.Fatal(err)
	}
	send := func(text string, after int64) {
		s.Go("sender", func() {
			s.Charge(after)
			boxes[0].Send(&wire.Packet{Peer: 11, Data: []byte(text)})
		})
	}
	send("first ", 1000)
	send("second", 0)
	var c mailSink
	s.Go("receiver", func() {
		s.Sleep(100_000)
		for boxes[1].Poll(&c) {
		}
	})
	if err := s.Run(); err != nil {
		t.Fatal(err)
	}
	if string(c.bytes) != "first second" {
		t.Errorf("got %q", c.bytes)
	}
}

// TestFarCopies: data that the cache does not hold is copied more slowly, as far as it does not, and
// reduced as much more slowly; without a cache's size all is held.
func TestFarCopies(t *testing.T) {
	p, err := LoadProfile("ne020")
	if err != nil {
		t.Fatal(err)
	}
	for name, v := range map[string]float64{"cache_bytes": 1 << 20, "copy_us_per_kb": 0.25, "copy_far_us_per_kb": 1, "reduce_us_per_kb": 0.5} {
		if p, err = p.With(name, v); err != nil {
			t.Fatal(err)
		}
	}
	endless, _ := p.With("cache_bytes", 0)
	cheap, _ := p.With("copy_far_us_per_kb", 0.1)
	for _, c := range []struct {
		profile *Profile
		work    clock.Work
		n       int
		us      float64
	}{{p, clock.Copy, 512 << 10, 128}, {p, clock.Copy, 1 << 20, 128 + 512}, {p, clock.Reduce, 1 << 20, 512 + 0.75*512}, {p, clock.Call, 2 << 20, 0.05 * (2 << 20)},
		{endless, clock.Copy, 1 << 20, 256}, {cheap, clock.Copy, 1 << 20, 256}} {
		s := clock.NewScheduler(0)
		f, err := New(s, Cluster{Nodes: 1, Profile: c.profile})
		if err != nil {
			t.Fatal(err)
		}
		h, _ := f.Host(0, 0)
		s.Go("copier", func() {
			h.Spend(c.work, c.n)
			if us := float64(s.Now()) / 1e3; us < 0.999*c.us || us > 1.001*c.us {
				t.Errorf("%v of %d bytes takes %v us, want %v", c.work, c.n, us, c.us)
			}
		})
		if err := s.Run(); err != nil {
			t.Fatal(err)
		}
	}
}
