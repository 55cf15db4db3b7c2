package engine

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/weft-mpi/weft/internal/match"
	"github.com/weft-mpi/weft/internal/wire"
	"pgregory.net/rapid"
)

// twin is the naive model of one receiving rank: two lists searched from the front.
type twin struct {
	posted []twinEntry // receives that wait
	queued []twinEntry // messages that wait
	met    map[string]string
}

type twinEntry struct {
	name string
	env  match.Envelope
}

// arrive tells the model that a message has come.
func (t *twin) arrive(name string, env match.Envelope) {
	for i, r := range t.posted {
		if r.env.Fits(env) {
			t.posted = slices.Delete(t.posted, i, i+1)
			t.met[r.name] = name
			return
		}
	}
	t.queued = append(t.queued, twinEntry{name, env})
}

// post tells it of a receive.
func (t *twin) post(name string, env match.Envelope) {
	if m := t.find(env); m >= 0 {
		t.met[name] = t.queued[m].name
		t.queued = slices.Delete(t.queued, m, m+1)
		return
	}
	t.posted = append(t.posted, twinEntry{name, env})
}

func (t *twin) find(env match.Envelope) int {
	return slices.IndexFunc(t.queued, func(m twinEntry) bool { return env.Fits(m.env) })
}

// cancel withdraws a receive and tells whether it was waiting.
func (t *twin) cancel(name string) bool {
	i := slices.IndexFunc(t.posted, func(r twinEntry) bool { return r.name == name })
	if i >= 0 {
		t.posted = slices.Delete(t.posted, i, i+1)
	}
	return i >= 0
}

// chaos is a world of three ranks under random events, each rank with its model.
type chaos struct {
	*rapid.T
	*world
	twins     []*twin
	rank      map[string]int // where a receive was posted
	cancelled map[string]bool
	cancels   map[string]bool // asked for, not answered yet
	thrown    map[string]bool // sends that were taken back in time
	n         int
}

func newChaos(t *rapid.T) *chaos {
	how := rapid.SampledFrom([]wire.Rendezvous{wire.Pull, wire.Put, wire.Speculate, wire.Speculate}).Draw(t, "rendezvous")
	cfg := Config{
		HoldDone: rapid.Bool().Draw(t, "hold"), SpecMinSamples: rapid.IntRange(1, 3).Draw(t, "samples"),
		SpecScope: Scope(rapid.IntRange(0, 1).Draw(t, "scope")), RoundTrip: 150,
	}
	c := &chaos{
		T: t, world: makeWorld(3, worldConfig{eager: 16, rendezvous: how, cfg: cfg, prefix: rapid.SampledFrom([]int{0, 5, 16}).Draw(t, "prefix"), unasked: rapid.Bool().Draw(t, "unasked"), tick: 100}),
		rank: map[string]int{}, cancelled: map[string]bool{}, cancels: map[string]bool{}, thrown: map[string]bool{},
	}
	for range c.ranks {
		c.twins = append(c.twins, &twin{met: map[string]string{}})
	}
	return c
}

var chaosLens = rapid.SampledFrom([]int{0, 1, 15, 16, 17, 40})

func (c *chaos) someRank() int { return rapid.IntRange(0, 2).Draw(c.T, "rank") }

func (c *chaos) pattern() match.Envelope {
	return envelope(rapid.IntRange(-1, 2).Draw(c.T, "from"), uint32(rapid.IntRange(0, 1).Draw(c.T, "ctx")), rapid.IntRange(-1, 1).Draw(c.T, "tag"))
}

func (c *chaos) fresh(prefix string) string {
	c.n++
	return fmt.Sprint(prefix, c.n)
}

func (c *chaos) postSend() {
	mode := Mode(rapid.IntRange(0, 1).Draw(c.T, "mode"))
	p := pair{c.someRank(), c.someRank()}
	ctx, tag := uint32(rapid.IntRange(0, 1).Draw(c.T, "ctx")), rapid.IntRange(0, 1).Draw(c.T, "tag")
	c.send(c.fresh("s"), p, ctx, tag, chaosLens.Draw(c.T, "len"), mode)
}

func (c *chaos) postRecv() {
	name, rank, env := c.fresh("r"), c.someRank(), c.pattern()
	c.rank[name] = rank
	c.twins[rank].post(name, env)
	c.recv(name, rank, env, chaosLens.Draw(c.T, "room"))
}

// deliverOne moves one wire on, whole or in pieces.
func (c *chaos) deliverOne() {
	p := pair{c.someRank(), c.someRank()}
	q := c.wires[p]
	if len(q) == 0 {
		return
	}
	f := q[0]
	if c.endOne(p) {
		return
	}
	if f.unasked() && rapid.Bool().Draw(c.T, "pieces") && c.begin(p) {
		if !f.thrown() {
			c.announceArrival(f)
		}
		return
	}
	c.announceArrival(f)
	if !f.unasked() && len(f.payload) > 0 && rapid.Bool().Draw(c.T, "pieces") && c.begin(p) {
		return
	}
	c.deliver(p)
	c.endCancels()
}

// endOne ends the oldest packet of a wire, if that is arriving.
func (c *chaos) endOne(p pair) bool {
	if q := c.wires[p]; len(q) > 0 && q[0].thrown() { // it is known of only now
		c.announceArrival(q[0])
	}
	return c.end(p)
}

// announceArrival tells the model of the message that a packet stands for, if it stands for one.
func (c *chaos) announceArrival(f *flight) {
	h, name := &f.header, f.name
	switch h.Kind {
	case wire.Eager, wire.Sync, wire.RTS:
		name = c.names[f.pkt.Owner.(*Req)]
	case wire.RTRAck:
	case wire.Withdraw:
		t := c.twins[f.at.to]
		if i := slices.IndexFunc(t.queued, func(m twinEntry) bool { return m.name == name }); i >= 0 {
			t.queued = slices.Delete(t.queued, i, i+1)
			c.thrown[name] = true
		}
		return
	default:
		return
	}
	r := c.reqs[name]
	c.twins[f.at.to].arrive(name, envelope(f.at.from, r.Ctx, int(r.Tag)))
}

// endCancels tells the models of receives whose cancel the sender has agreed to.
func (c *chaos) endCancels() {
	for name := range c.cancels {
		if r := c.reqs[name]; r.Done() {
			delete(c.cancels, name)
			c.cancelled[name] = r.Cancelled
			if r.Cancelled && !c.twins[c.rank[name]].cancel(name) {
				c.Fatalf("%s was cancelled though it had met its message", name)
			}
		}
	}
}

// writeOne moves a payload that is being written, or a DONE.
func (c *chaos) writeOne(rank int) {
	if n := len(c.ranks[rank].writes); n > 0 {
		var err error
		if rapid.IntRange(0, 3).Draw(c.T, "no path") == 0 {
			err = wire.ErrNoPath
		}
		c.finishWrite(rank, rapid.IntRange(0, n-1).Draw(c.T, "which"), err)
	} else if n := len(c.late); n > 0 {
		c.deliverLate(rapid.IntRange(0, n-1).Draw(c.T, "which"))
	}
}

func (c *chaos) readOne(rank int) {
	if n := len(c.ranks[rank].reads); n > 0 {
		var err error
		if rapid.Bool().Draw(c.T, "denied") {
			err = errors.New("not permitted")
		}
		c.finishRead(rank, rapid.IntRange(0, n-1).Draw(c.T, "which"), err)
	}
}

func (c *chaos) cancelOne() {
	if len(c.rank) == 0 {
		return
	}
	names := make([]string, 0, len(c.rank))
	for name := range c.rank {
		names = append(names, name)
	}
	slices.Sort(names)
	name := rapid.SampledFrom(names).Draw(c.T, "request")
	rank := c.rank[name]
	if r := c.reqs[name]; r.state == queued && r.grant != nil {
		c.cancels[name] = true
		c.ranks[rank].eng.Cancel(r)
		c.carry(rank)
		return
	}
	delete(c.cancels, name)
	want := c.twins[rank].cancel(name)
	if got := c.ranks[rank].eng.Cancel(c.reqs[name]); got != want {
		c.Fatalf("cancel of %s: %v, want %v", name, got, want)
	}
	c.carry(rank)
	c.cancelled[name] = c.cancelled[name] || want
}

// cancelSend takes a send back, in time or not.
func (c *chaos) cancelSend() {
	if len(c.datas) == 0 {
		return
	}
	name := rapid.SampledFrom(slices.Sorted(maps.Keys(c.datas))).Draw(c.T, "request")
	r := c.reqs[name]
	for rank := range c.ranks {
		if r.id != 0 && c.ranks[rank].eng.known(r.id) == r {
			c.ranks[rank].eng.Cancel(r)
			c.carry(rank)
		}
	}
}

func (c *chaos) peek() {
	rank, env := c.someRank(), c.pattern()
	st, ok := c.ranks[rank].eng.Peek(env)
	i := c.twins[rank].find(env)
	if ok != (i >= 0) {
		c.Fatalf("peek on %d for %+v: %v, want %v", rank, env, ok, i >= 0)
	}
	if ok && st.Len != len(c.datas[c.twins[rank].queued[i].name]) {
		c.Fatalf("peek found %+v, want %s", st, c.twins[rank].queued[i].name)
	}
}

// finish lets everything still under way end, telling the models.
func (c *chaos) finish() {
	for moved := true; moved; {
		moved = false
		for from := range 3 {
			for to := range 3 {
				p := pair{from, to}
				for len(c.wires[p]) > 0 {
					moved = true
					if c.endOne(p) {
						continue
					}
					c.announceArrival(c.wires[p][0])
					c.deliver(p)
					c.endCancels()
				}
			}
		}
		for rank := range 3 {
			for len(c.ranks[rank].reads) > 0 {
				moved = true
				c.finishRead(rank, 0, nil)
			}
			for len(c.ranks[rank].writes)+len(c.late) > 0 {
				moved = true
				c.writeOne(rank)
			}
		}
	}
}

// check holds every receive against the model.
func (c *chaos) check() {
	matched := map[string]bool{}
	for name, rank := range c.rank {
		done := slices.Contains(c.ranks[rank].done, name)
		sent, met := c.twins[rank].met[name]
		if done != (met || c.cancelled[name]) {
			c.Fatalf("%s: done %v, matched %v, cancelled %v", name, done, met, c.cancelled[name])
		}
		if !met {
			continue
		}
		matched[sent] = true
		r, data := c.reqs[name], c.datas[sent]
		n := min(len(data), len(r.Buf))
		if r.Status.Len != n || string(r.Buf[:n]) != string(data[:n]) || errors.Is(r.Err, ErrTruncate) != (len(data) > len(r.Buf)) {
			c.Fatalf("%s: %+v, error %v, holds %s; want %s", name, r.Status, r.Err, c.source(r), sent)
		}
	}
	for name, data := range c.datas {
		r := c.reqs[name]
		want := matched[name] || r.Mode == Standard && len(data) <= 16 || c.thrown[name]
		if r.Cancelled != c.thrown[name] {
			c.Fatalf("%s: cancelled %v, want %v", name, r.Cancelled, c.thrown[name])
		}
		if r.Done() != want {
			c.Fatalf("%s of %d bytes, mode %d: done %v, want %v", name, len(data), r.Mode, r.Done(), want)
		}
	}
	for i, n := range c.ranks {
		if n.eng.Counters.BadPackets > 0 {
			c.Fatalf("rank %d saw %d bad packets", i, n.eng.Counters.BadPackets)
		}
		waiting := 0
		n.eng.Unmatched(func(Status) { waiting++ })
		if waiting != len(c.twins[i].queued) {
			c.Fatalf("rank %d: %d messages wait, want %d", i, waiting, len(c.twins[i].queued))
		}
	}
}

// TestAgainstNaive runs random programs of three ranks, wildcards and cancellations included, and compares
// every match with the naive model's.
func TestAgainstNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := newChaos(t)
		for range rapid.IntRange(1, 80).Draw(t, "events") {
			switch rapid.IntRange(0, 11).Draw(t, "event") {
			case 0, 1:
				c.postSend()
			case 2, 3:
				c.postRecv()
			case 4, 5, 6:
				c.deliverOne()
			case 7:
				c.readOne(c.someRank())
			case 8:
				c.cancelOne()
			case 9:
				c.peek()
			case 10:
				c.writeOne(c.someRank())
			case 11:
				c.cancelSend()
			}
		}
		c.finish()
		c.check()
	})
}
