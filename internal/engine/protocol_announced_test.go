package engine

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/weft-mpi/weft/internal/wire"
)

// way is a path that is lengthened by random choices, if there is chance.
type way struct {
	path
	random *rand.Rand
}

// announcedRun is a small program of announced messages from rank 0 to rank 1 along a path.
type announcedRun struct {
	*world
	sends, recvs []int // lengths
	cancels      int   // receives from this one on are cancelled; len(recvs): none
	sent, posted int
	asked        int
	at           int
}

// steps lists what can happen next.
func (r *announcedRun) steps() (all []func()) {
	if r.sent < len(r.sends) {
		all = append(all, func() {
			r.send(fmt.Sprint("s", r.sent), pair{0, 1}, 0, 0, r.sends[r.sent], Standard)
			r.sent++
		})
	}
	if r.posted < len(r.recvs) {
		all = append(all, func() {
			r.recv(fmt.Sprint("r", r.posted), 1, envelope(0, 0, 0), r.recvs[r.posted])
			r.posted++
		})
	}
	if next := r.cancels + r.asked; next < r.posted {
		all = append(all, func() {
			r.ranks[1].eng.Cancel(r.reqs[fmt.Sprint("r", next)])
			r.asked++
			r.carry(1)
		})
	}
	for _, p := range []pair{{0, 1}, {1, 0}} {
		if len(r.wires[p]) > 0 {
			all = append(all, func() { r.deliver(p) })
		}
	}
	if len(r.ranks[0].writes) > 0 {
		all = append(all, func() { r.finishWrite(0, 0, nil) })
	}
	if len(r.late) > 0 {
		all = append(all, func() { r.deliverLate(0) })
	}
	return all
}

// check holds the end against what plans rely on: the n-th send that meets a receive at all meets the n-th that was not
// withdrawn, whole, and a receive that was withdrawn holds nothing.
func (r *announcedRun) check() error {
	next := 0
	for i, room := range r.recvs {
		name := fmt.Sprint("r", i)
		req, done := r.reqs[name], slices.Contains(r.ranks[1].done, name)
		if done && req.Cancelled {
			if i < r.cancels {
				return fmt.Errorf("%s was withdrawn and nobody asked for it", name)
			}
			continue
		}
		if next == len(r.sends) {
			if done {
				return fmt.Errorf("%s has met a message, and there is none", name)
			}
			continue
		}
		n := r.sends[next]
		want := Status{Peer: 0, Len: min(n, room)}
		if !done || req.Status != want || errors.Is(req.Err, ErrTruncate) != (n > room) {
			return fmt.Errorf("%s: done %v, %+v, %v; want s%d", name, done, req.Status, req.Err, next)
		}
		if want.Len > 0 && r.source(req) != fmt.Sprint("s", next) {
			return fmt.Errorf("%s holds %s, not s%d", name, r.source(req), next)
		}
		if !slices.Contains(r.ranks[0].done, fmt.Sprint("s", next)) {
			return fmt.Errorf("s%d was received and has not ended", next)
		}
		next++
	}
	for ; next < len(r.sends); next++ {
		if slices.Contains(r.ranks[0].done, fmt.Sprint("s", next)) {
			return fmt.Errorf("s%d has ended, and nobody received it", next)
		}
	}
	for _, n := range r.ranks {
		if c := n.eng.Counters; c.BadPackets != 0 {
			return fmt.Errorf("%d bad packets", c.BadPackets)
		}
	}
	if open := len(r.ranks[1].exposed); len(r.ranks[1].done) == len(r.recvs) && open > 0 {
		return fmt.Errorf("%d keys that nobody hid", open)
	}
	return nil
}

// playAnnounced plays a program along a path.
func playAnnounced(t *testing.T, hold bool, sends, recvs []int, cancels int, along *way) {
	t.Helper()
	c := worldConfig{eager: 16, rendezvous: wire.Announced, cfg: Config{HoldDone: hold}}
	r := &announcedRun{world: makeWorld(2, c), sends: sends, recvs: recvs, cancels: cancels}
	r.walk(along)
	if err := r.check(); err != nil {
		t.Fatalf("sends %v, receives %v, withdrawn from %d, along %v: %v", sends, recvs, cancels, along.taken, err)
	}
}

// TestEveryAnnouncedInterleaving walks programs of one announced message and two receives through every order of posts,
// deliveries, writes and withdrawals.
func TestEveryAnnouncedInterleaving(t *testing.T) {
	walks := 0
	for _, hold := range []bool{false, true} {
		for _, n := range []int{40, 4, 0, 60} {
			for _, recvs := range [][]int{{50}, {0}, {50, 8}} {
				for cancels := range len(recvs) + 1 {
					if len(recvs) == 2 && (n != 40 || cancels == 0 || hold) { // they take long
						continue
					}
					along := new(way)
					for ok := true; ok; ok = along.next() {
						walks++
						playAnnounced(t, hold, []int{n}, recvs, cancels, along)
					}
				}
			}
		}
	}
	t.Logf("%d walks", walks)
	if walks < 500 {
		t.Errorf("only %d walks", walks)
	}
}

// TestRandomAnnounced walks larger programs along random paths.
func TestRandomAnnounced(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		var sends, recvs []int
		for range 1 + chance.IntN(4) {
			sends = append(sends, []int{40, 4, 0, 60}[chance.IntN(4)])
		}
		for range 1 + chance.IntN(4) {
			recvs = append(recvs, []int{50, 8, 0}[chance.IntN(3)])
		}
		along := &way{random: chance}
		playAnnounced(t, chance.IntN(2) == 0, sends, recvs, chance.IntN(len(recvs)+1), along)
	}
}

// walk goes along the path, which it lengthens by first choices, or random ones.
func (r *announcedRun) walk(along *way) {
	for {
		all := r.steps()
		if len(all) == 0 {
			return
		}
		if r.at == len(along.taken) {
			first := 0
			if along.random != nil {
				first = along.random.IntN(len(all))
			}
			along.taken, along.width = append(along.taken, first), append(along.width, len(all))
		}
		along.width[r.at] = len(all)
		all[along.taken[r.at]]()
		r.at++
	}
}

// An announced receive allocates nothing, and neither does its send.
func TestAnnouncedAllocates(t *testing.T) {
	a, b := New(Config{}), New(Config{})
	s, r := &Req{Buf: make([]byte, 4)}, &Req{Buf: make([]byte, 4)}
	once := func() {
		for _, q := range []*Req{s, r} {
			q.Buf, q.EagerMax, q.Rendezvous = s.Buf[:4:4], 16, wire.Announced
			if q.Buf == nil {
				q.Buf = make([]byte, 4)
			}
		}
		s.Envelope, r.Envelope = envelope(1, 0, 0), envelope(0, 0, 0)
		a.PostSend(s)
		b.PostRecv(r)
		relay(b, a, 1)
		relay(a, b, 0)
	}
	once()
	if n := testing.AllocsPerRun(100, once); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if !r.Done() || a.Counters.AnnouncedSends != 102 {
		t.Errorf("%+v", a.Counters)
	}
}

var relayed wire.Header // the link's memory: it makes none for a packet

// relay gives the packets that one engine asks for to another.
func relay(from, to *Engine, rank int) {
	for i := 0; i < len(from.Actions()); i++ {
		if a := from.Actions()[i]; a.Kind == SendPacket {
			relayed = a.Packet.Header
			payload := a.Packet.Data
			from.Gone(a.Packet)
			to.Arrive(rank, &relayed, payload)
		}
	}
	from.Clear()
}
