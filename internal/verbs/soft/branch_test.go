package soft

import (
	"encoding/binary"
	"net/netip"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/verbs"
)

// numbered is an end that notes which numbers of which sender have come, once each.
type numbered struct {
	*end
	came map[netip.AddrPort]map[uint32]bool
}

func numbering(t *testing.T, e *end) *numbered {
	n := &numbered{e, map[netip.AddrPort]map[uint32]bool{}}
	e.qp.(*dgram).Catch(catchFunc(func(b []byte, from netip.AddrPort) bool {
		n.note(t, b, from)
		return true
	}))
	return n
}

func (n *numbered) note(t *testing.T, b []byte, from netip.AddrPort) {
	if n.came[from] == nil {
		n.came[from] = map[uint32]bool{}
	}
	number := binary.LittleEndian.Uint32(b)
	if n.came[from][number] {
		t.Errorf("number %d of %v has come twice", number, from)
	}
	n.came[from][number] = true
}

// until polls until so many numbers of a sender have come.
func (n *numbered) until(t *testing.T, from *numbered, count int) {
	t.Helper()
	var out [1]verbs.Completion
	for end := time.Now().Add(20 * time.Second); len(n.came[from.qp.Addr()]) < count; {
		if n.cq.Poll(out[:]) == 1 { // the device's own goroutine, which shows nobody, was there first
			n.note(t, n.buf, out[0].Src)
			n.receives(1, len(n.buf))
		}
		if time.Now().After(end) {
			t.Fatalf("%d of %d have come", len(n.came[from.qp.Addr()]), count)
		}
	}
}

// tell sends a number.
func (n *numbered) tell(t *testing.T, to *numbered, number int) {
	t.Helper()
	binary.LittleEndian.PutUint32(n.buf, uint32(number))
	at, err := n.pd.NewAH(to.qp.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer at.Close()
	if !n.qp.(*dgram).SendNow(at, to.qp.Num(), n.buf[:100]) {
		t.Fatal("not taken")
	}
}

// branched has n exchange messages with one peer until there is a branch for it. A test that stands still for a moment has the device's
// own goroutine take the branch away, so it may take more than one attempt.
func (n *numbered) branched(t *testing.T, peer *numbered, sent int) int {
	t.Helper()
	for attempt := 0; n.branchedTo() != peer.qp.Addr(); attempt++ {
		if attempt == 20 {
			t.Fatalf("after %d messages there is no branch", sent)
		}
		for range branchAfter {
			detaching(n.end)
			n.tell(t, peer, sent)
			sent++
			peer.until(t, n, sent)
		}
	}
	return sent
}

// branchedTo is whom the branch is for, if there is one.
func (n *numbered) branchedTo() netip.AddrPort {
	n.dev.mu.Lock()
	defer n.dev.mu.Unlock()
	if n.dev.branch == nil {
		return netip.AddrPort{}
	}
	return n.dev.branch.sock.Peer()
}

// A queue pair that goes on talking with one peer has a branch for it, until it talks with another one, and messages of all come once,
// whomever the branch is for.
func TestBranchOfSocket(t *testing.T) {
	cfg := Config{Key: []byte("k"), KeyedDatagrams: true}
	a, b, _, _ := readied(t, cfg, verbs.UD, 1<<10)
	c, _, _, _ := readied(t, cfg, verbs.UD, 1<<10)
	x, y, z := numbering(t, a), numbering(t, b), numbering(t, c)
	for _, e := range []*numbered{x, y, z} {
		e.receives(1, len(e.buf))
	}
	sent, answers := map[*numbered]int{}, 0
	for _, peer := range []*numbered{y, z, y} {
		sent[peer] = x.branched(t, peer, sent[peer])
		before := counter(t, x.dev, "served_alone")
		for range branchBefore {
			x.tell(t, peer, sent[peer])
			sent[peer]++
			peer.until(t, x, sent[peer])
			for _, e := range []*numbered{y, z} { // one after the other, for there is one receive
				e.tell(t, x, answers)
				x.until(t, e, answers+1)
			}
			answers++
		}
		if to := x.branchedTo(); to != peer.qp.Addr() && counter(t, x.dev, "served_alone") == before {
			t.Errorf("a word now and then from others, and the branch is for %v", to)
		}
	}
	branch, direct := (*branch)(nil), 0
	for branch == nil {
		sent[y] = x.branched(t, y, sent[y])
		x.dev.mu.Lock()
		branch, direct = x.dev.branch, len(x.dev.direct)
		x.dev.mu.Unlock()
	}
	if err := x.qp.Close(); err != nil {
		t.Fatal(err)
	}
	x.dev.mu.Lock()
	defer x.dev.mu.Unlock()
	if direct != 2 || len(x.dev.direct) != 0 || x.dev.branch != nil || branch.sock.FD() >= 0 {
		t.Errorf("after Close: %d sources in place of %d, the branch's socket is %d", len(x.dev.direct), direct, branch.sock.FD())
	}
}

// Whoever sleeps gives the branch back, and hears what had come to it.
func TestBranchOfSleeper(t *testing.T) {
	a, b, _, _ := readied(t, Config{}, verbs.UD, 1<<10)
	x, y := numbering(t, a), numbering(t, b)
	y.receives(1, len(y.buf))
	x.receives(1, len(x.buf))
	sent := 0
	for i := range 3 {
		sent = x.branched(t, y, sent)
		y.tell(t, x, i)
		x.cq.Wait(int64(10 * time.Second))
		if to := x.branchedTo(); to.IsValid() {
			t.Errorf("one who has slept has a branch for %v", to)
		}
		x.until(t, y, i+1)
	}
	if n := counter(t, x.dev, "datagram_branches"); n < 3 {
		t.Errorf("%d branches", n)
	}
}

// detaching polls until the poller is left aside.
func detaching(e *end) {
	e.t.Helper()
	for range 100 * detachAfter {
		e.cq.Poll(make([]verbs.Completion, 1))
		e.dev.mu.Lock()
		detached := e.dev.detached
		e.dev.mu.Unlock()
		if detached {
			return
		}
	}
	e.t.Fatal("the poller is always asked")
}

// Sockets of several queue pairs, devices that have another one to ask, and those that are not polled all the time have no branches.
func TestNoBranchOfSocket(t *testing.T) {
	for _, c := range []struct {
		name         string
		cfg          Config
		more         int // queue pairs
		polled, want bool
	}{
		{"alone", Config{}, 0, true, true},
		{"shared", Config{ShareSockets: true}, 0, true, false},
		{"two", Config{}, 1, true, false},
		{"not polled", Config{}, 0, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, b, _, _ := readied(t, c.cfg, verbs.UD, 1<<10)
			for range c.more {
				if e := newEnd(t, a.dev, verbs.UD, 1<<10); e.qp.Modify(verbs.RTS) != nil {
					t.Fatal("not ready")
				}
			}
			x, y := numbering(t, a), numbering(t, b)
			y.receives(1, len(y.buf))
			for i := range 2 * branchAfter {
				if c.polled {
					detaching(x.end)
				}
				x.tell(t, y, i)
				y.until(t, x, i+1)
			}
			if n := counter(t, x.dev, "datagram_branches"); (n > 0) != c.want {
				t.Errorf("%d branches", n)
			}
		})
	}
}
