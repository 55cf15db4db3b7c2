package soak

import (
	"fmt"
	"math/rand/v2"
)

// way is how a message is sent.
type way uint8

const (
	send way = iota
	isend
	ssend
	issend
	bsend // short ones only: copies are limited
	persistent
	ways
)

var wayNames = [ways]string{"send", "isend", "ssend", "issend", "bsend", "persistent send"}

func (w way) String() string { return wayNames[w] }

// taking is how a message is received. Messages of one sender that are taken in one way form a stream: they share a
// tag, and MPI promises their order.
type taking uint8

const (
	received   taking = iota // Recv by sender and tag
	posted                   // Irecv before anything else happens
	probed                   // Probe, then Recv
	matched                  // Mprobe, then Mrecv
	polled                   // Improbe until it comes, then Imrecv
	withdrawn                // Irecv, Cancel; if it was withdrawn, Recv
	fromAny                  // Recv by tag alone, of any sender
	fromAnyPre               // the same by Irecv before anything else happens
	anyTag                   // Recv of any tag, on a communicator of its own
	takings
)

var takingNames = [takings]string{"receive", "posted receive", "probe and receive", "matched probe", "polled probe",
	"cancelled receive", "receive from any", "posted receive from any", "receive of any tag"}

func (t taking) String() string { return takingNames[t] }

// message is one message of a round.
type message struct {
	index    int
	from, to int
	way      way
	taking   taking
	tag      int
	bytes    int
	key      uint64
}

func (m *message) String() string {
	return fmt.Sprintf("message %d from %d to %d (%d bytes, %v, %v, tag %d)", m.index, m.from, m.to, m.bytes, m.way, m.taking, m.tag)
}

// plan is what happens in one storm: every rank of a communicator derives the same.
type plan struct {
	messages []message
	oneByOne bool // anyTag: the receiver asks for each sender in turn, not for any
}

// Tags: one per taking, a few for anyTag, and different ones in rounds that follow each other.
const (
	anyTags   = 5
	roundTags = int(takings) + anyTags
	tagRounds = 1000
)

func tagOf(round int, t taking, extra int) int {
	tag := round % tagRounds * roundTags
	if t == anyTag {
		return tag + int(takings) + extra
	}
	return tag + int(t)
}

// Limits of a storm.
const (
	longest   = 2 << 20
	longWild  = 64 << 10 // where the receiver cannot know the length
	longBsend = 32 << 10
)

// newPlan makes the plan of a storm among so many ranks. part tells apart the storms of one round.
func newPlan(seed uint64, round, part, ranks int) *plan {
	rng := rand.New(rand.NewPCG(seed, mix(uint64(round), uint64(part))))
	p := &plan{oneByOne: rng.IntN(2) == 0}
	switch {
	case rng.IntN(8) == 0:
		p.burst(rng, ranks)
	default:
		p.scatter(rng, ranks)
	}
	for i := range p.messages {
		m := &p.messages[i]
		m.index = i
		m.tag = tagOf(round, m.taking, rng.IntN(anyTags))
		m.key = mix(seed, uint64(round), uint64(part), uint64(m.from), uint64(m.to), uint64(i))
		if m.taking >= fromAny {
			m.bytes %= longWild
		}
		if m.way == bsend && m.bytes > longBsend {
			m.way = isend
		}
	}
	return p
}

// scatter is messages of all sizes between everybody, itself included.
func (p *plan) scatter(rng *rand.Rand, ranks int) {
	for range 4*ranks + rng.IntN(12*ranks) {
		p.messages = append(p.messages, message{from: rng.IntN(ranks), to: rng.IntN(ranks),
			way: way(rng.IntN(int(ways))), taking: taking(rng.IntN(int(takings))), bytes: randomSize(rng)})
	}
}

// burst is many short messages to one rank at once.
func (p *plan) burst(rng *rand.Rand, ranks int) {
	target := rng.IntN(ranks)
	ways := []way{send, isend, isend, bsend}
	for range 100*ranks + rng.IntN(200*ranks) {
		p.messages = append(p.messages, message{from: rng.IntN(ranks), to: target, way: ways[rng.IntN(len(ways))],
			taking: taking(rng.IntN(int(takings))), bytes: rng.IntN(600)})
	}
}

// randomSize is mostly short, sometimes nothing, sometimes long; each power of two in a class is as likely as another.
func randomSize(rng *rand.Rand) int {
	span := func(low, high int) int { return 1<<low + rng.IntN(1<<(low+rng.IntN(high-low)+1)-1<<low) }
	switch n := rng.IntN(100); {
	case n < 8:
		return 0
	case n < 60:
		return span(0, 10)
	case n < 85:
		return span(10, 16)
	case n < 97:
		return span(16, 19)
	}
	return min(span(19, 21), longest)
}

// toTake returns what a rank receives in some of the ways, in the plan's order.
func (p *plan) toTake(rank int, from, upTo taking) []*message {
	var mine []*message
	for i := range p.messages {
		if m := &p.messages[i]; m.to == rank && m.taking >= from && m.taking <= upTo {
			mine = append(mine, m)
		}
	}
	return mine
}

// whose says which other message of the plan a payload looks like, nothing if none.
func (p *plan) whose(b []byte) string {
	for i := range p.messages {
		if m := &p.messages[i]; len(b) >= 8 && differs(b[:8], m.key) < 0 {
			return "; it looks like " + m.String()
		}
	}
	return ""
}
