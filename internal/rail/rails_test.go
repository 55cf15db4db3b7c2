package rail

import (
	"bytes"
	"fmt"
	"net/netip"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/wire"
)

// read has a rank read n bytes from the other and checks them.
func (r *rig) read(to, from, n, seed int) {
	r.t.Helper()
	src, dst := pattern(n, seed), make([]byte, n)
	k := r.links[from].Expose(to, src, false)
	token := fmt.Sprintf("read %d of %d by %d", seed, n, to)
	if !r.links[to].Read(from, k, dst, token) {
		r.t.Fatal("cannot read")
	}
	r.until(token, func() bool { _, done := r.boxes[to].reads[token]; return done })
	if err := r.boxes[to].reads[token]; err != nil || !bytes.Equal(src, dst) {
		r.t.Fatalf("%s: %v, equal %v", token, err, bytes.Equal(src, dst))
	}
	delete(r.boxes[to].reads, token)
	r.links[from].Hide(to, k)
}

// write has a rank write n bytes to the other and checks them, and that the packet behind them comes.
func (r *rig) write(from, to, n, seed int) {
	r.t.Helper()
	src, dst := pattern(n, seed), make([]byte, n)
	k := r.links[to].Expose(from, dst, true)
	token := fmt.Sprintf("write %d of %d by %d", seed, n, from)
	before := len(r.boxes[to].got)
	r.links[from].Write(to, k, src, &wire.Packet{Header: wire.Header{Kind: wire.FIN, Send: 9}, Peer: to}, token)
	r.until(token, func() bool { _, done := r.boxes[from].writes[token]; return done && len(r.boxes[to].got) > before })
	if err := r.boxes[from].writes[token]; err != nil || !bytes.Equal(src, dst) {
		r.t.Fatalf("%s: %v, equal %v", token, err, bytes.Equal(src, dst))
	}
	r.links[to].Hide(from, k)
}

// railLanes is how many bulk lanes are up, by path.
func (l *Link) railLanes(peer int) (ups int) {
	for _, ln := range l.peers.at(peer).lanes[1:] {
		if ln != nil && ln.state == up {
			ups++
		}
	}
	return ups
}

func newTwoRails(t *testing.T, change func(cfg *Config)) *rig {
	r := newRig(t, 2, func(rank int, cfg *Config) {
		twoRails(rank, cfg)
		if change != nil {
			change(cfg)
		}
	})
	r.read(0, 1, 100, 0)
	r.until("both rails", func() bool { return r.links[0].railLanes(1) == 2 && r.links[1].railLanes(0) == 2 })
	clear(r.links[0].railBytes)
	return r
}

// Long messages use both rails alike, short ones take turns, and whole messages do when they are not to be cut.
func TestRails(t *testing.T) {
	const chunk = 256 << 10
	for _, striping := range []string{"even", "rate"} {
		t.Run(striping, func(t *testing.T) {
			for _, n := range []int{64 << 10, 1 << 20, 4<<20 + 77} {
				r := newTwoRails(t, func(cfg *Config) { cfg.Striping = striping })
				r.read(0, 1, n, 1)
				r.write(0, 1, n, 2)
				a, b := r.links[0].railBytes[0], r.links[0].railBytes[1]
				if a+b != uint64(2*n) {
					t.Errorf("%d and %d bytes of %d", a, b, 2*n)
				}
				if striping == "even" && (a > b+chunk || b > a+chunk) {
					t.Errorf("%d bytes by one rail, %d by the other", a, b)
				} else if a == 0 || b == 0 {
					t.Errorf("one rail is not used: %d, %d", a, b)
				}
			}
		})
	}
	t.Run("short", func(t *testing.T) {
		r := newTwoRails(t, nil)
		for i := range 8 {
			before := r.links[0].railBytes
			was := [2]uint64{before[0], before[1]}
			r.read(0, 1, 64<<10-1, i)
			if now := r.links[0].railBytes; now[0] != was[0] && now[1] != was[1] {
				t.Error("a short message was cut")
			}
		}
		if b := r.links[0].railBytes; b[0] != b[1] {
			t.Errorf("short messages do not take turns: %v", b)
		}
	})
	t.Run("off", func(t *testing.T) {
		r := newTwoRails(t, func(cfg *Config) { cfg.Striping = "off" })
		const n = 1 << 20
		for i := range 4 {
			r.read(0, 1, n, i)
		}
		if b := r.links[0].railBytes; b[0] != 2*n || b[1] != 2*n {
			t.Errorf("whole messages do not take turns: %v", b)
		}
	})
}

// stopRail has a rank no longer listen on a rail, and returns what starts it again.
func (r *rig) stopRail(rank, rail int) (start func()) {
	l := r.links[rank]
	port := l.listen[rail].Addr().Port()
	_ = l.listen[rail].Close()
	return func() {
		ln, err := l.cfg.Device.Listen(verbs.ListenConfig{Rail: rail, Port: port})
		if err != nil {
			r.t.Fatal(err)
		}
		l.listen[rail] = ln
	}
}

// breakRail breaks the lanes of a rail at one rank.
func (r *rig) breakRail(rank, rail int) {
	for _, p := range r.links[rank].known {
		for _, ln := range p.lanes {
			if ln != nil && ln.state == up && p.paths[ln.path].local == rail {
				ln.failed(errBroken)
			}
		}
	}
}

// A rail that is cut is done without: what was on it takes the other one. It is used again when it is back.
func TestRailCut(t *testing.T) {
	for rail := range 2 {
		t.Run(fmt.Sprint(rail), func(t *testing.T) {
			t.Parallel()
			r := newTwoRails(t, func(cfg *Config) { cfg.Striping = "even" })
			r.oneWay(10) // the express lane is on rail 0
			src, dst := pattern(longerThanBuffers, 1), make([]byte, longerThanBuffers)
			k := r.links[1].Expose(0, src, false)
			var starts []func()
			for rank := range 2 {
				starts = append(starts, r.stopRail(rank, rail))
			}
			if !r.links[0].Read(1, k, dst, "read") {
				t.Fatal("cannot read")
			}
			r.breakRail(0, rail) // with the read under way: it is longer than what may have come already
			r.until("read", func() bool { _, done := r.boxes[0].reads["read"]; return done })
			if err := r.boxes[0].reads["read"]; err != nil || !bytes.Equal(src, dst) {
				t.Fatalf("read: %v, equal %v", err, bytes.Equal(src, dst))
			}
			if r.links[0].Counters.Moved == 0 {
				t.Error("nothing had to take the other rail: the test shows nothing")
			}
			r.write(0, 1, 3<<20, 2)
			r.oneWay(30)
			for _, start := range starts {
				start()
			}
			r.usedAgain(rail)
			if len(r.boxes[0].lost)+len(r.boxes[1].lost) != 0 {
				t.Errorf("lost: %v %v", r.boxes[0].lost, r.boxes[1].lost)
			}
		})
	}
}

// usedAgain sends long messages until a rail carries its share of one.
func (r *rig) usedAgain(rail int) {
	r.t.Helper()
	end := time.Now().Add(15 * time.Second)
	for i := 0; ; i++ {
		before := r.links[0].railBytes[rail]
		r.read(0, 1, 2<<20, 100+i)
		if r.links[0].railBytes[rail] >= before+1<<19 {
			return
		}
		if time.Now().After(end) {
			r.t.Fatalf("rail %d is not used again", rail)
		}
	}
}

// A rail that cannot be connected at all does not keep messages from the other.
func TestRailNeverThere(t *testing.T) {
	for rail := range 2 {
		r := newRig(t, 2, twoRails)
		for rank := range 2 {
			r.stopRail(rank, rail)
		}
		for i := range 3 {
			r.oneWay(5)
			r.read(0, 1, 1<<20, i)
			r.write(1, 0, 1<<20, i)
			r.boxes[0].got = nil
		}
		if b := r.links[0].railBytes[rail]; b != 0 {
			t.Errorf("%d bytes by a rail that is not there", b)
		}
	}
}

// Ranks with different networks, or none in common, find what paths there are.
func TestFindPaths(t *testing.T) {
	ours := prefixes("10.0.0.1/24", "10.1.0.1/24")
	cases := []struct {
		theirs []string
		want   string
	}{
		{[]string{"10.0.0.2/24", "10.1.0.2/24"}, "[{0 0} {1 1}]"},
		{[]string{"10.1.0.2/24", "10.0.0.2/24"}, "[{0 1} {1 0}]"},
		{[]string{"10.1.0.2/24"}, "[{1 0}]"},
		{[]string{"192.168.0.2/24", "192.168.1.2/24"}, "[{1 0}]"},
		{[]string{"fd00::2/64"}, "[]"},
		{[]string{"10.0.0.2/24", "10.0.0.3/24"}, "[{0 0}]"},
	}
	for _, c := range cases {
		var theirs []railAddress
		for _, p := range prefixes(c.theirs...) {
			theirs = append(theirs, railAddress{net: p})
		}
		got := findPaths(ours, theirs, func(to netip.Addr) int { return 1 })
		if fmt.Sprint(got) != c.want {
			t.Errorf("paths to %v: %v, want %s", c.theirs, got, c.want)
		}
	}
}

func prefixes(texts ...string) (list []netip.Prefix) {
	for _, text := range texts {
		list = append(list, netip.MustParsePrefix(text))
	}
	return list
}
