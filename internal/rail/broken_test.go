package rail

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/verbs/soft"
	"github.com/weft-mpi/weft/internal/wire"
)

// twoRails gives every rank two interfaces that are networks of their own.
func twoRails(rank int, cfg *Config) {
	cfg.Prefixes = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32"), netip.MustParsePrefix("127.0.0.2/32")}
}

var errBroken = errors.New("broken by the test")

// breakOne breaks a lane of a rank that is up, as a lost connection would, and tells whether there was one.
func (l *Link) breakOne(rnd *rand.Rand) bool {
	var ups []*lane
	for _, p := range l.known {
		for _, ln := range p.lanes {
			if ln != nil && ln.state == up && ln.ah == nil {
				ups = append(ups, ln)
			}
		}
	}
	if len(ups) == 0 {
		return false
	}
	ups[rnd.IntN(len(ups))].failed(errBroken) // the other side sees its end of it
	return true
}

// traffic sends short messages, reads and writes between two ranks at random while connections break, and checks
// every byte, and that nothing is lost, doubled or out of order.
type traffic struct {
	*rig
	rnd        *rand.Rand
	short      [2]int // messages sent by each
	seen       [2]int // and checked at the other
	bulks      map[int]*bulkCheck
	tokens     int
	bulksAfter int // no long messages before so many short ones

	unasked bool // some are long, and follow their RTS unasked

	reused [2][]byte // if there are any: messages come from here, and are overwritten when the link has answered
}

type bulkCheck struct {
	from, to int // who started it, and the other
	write    bool
	src, dst []byte
	key      wire.Key
	told     bool // writes: the packet behind it has come
	after    int  // short messages that were sent before it
}

func (t *traffic) step() {
	switch n := t.rnd.IntN(10); {
	case n < 8:
		from := t.rnd.IntN(2)
		i := t.short[from]
		t.short[from]++
		if n := t.lenOf(from, i); n > longFrom {
			t.sendUnasked(from, 1-from, i, pattern(n, i))
		} else if t.reused[from] != nil {
			at := t.rnd.IntN(3) * (len(t.reused[from]) / 3)
			t.sendFrom(t.reused[from][at:at+n], from, i, n)
		} else {
			t.send(from, 1-from, i, pattern(n, i))
		}
	case len(t.bulks) < 6 && t.short[0]+t.short[1] >= t.bulksAfter:
		t.startBulk()
	}
}

// lenOf is the length of a message, the same for whoever asks.
func (t *traffic) lenOf(from, i int) int {
	if t.unasked && i%9 == 4 {
		return longFrom + 1 + i*7919%500_000
	}
	return []int{0, 1, 64, 460, 3000, 9000, 30000}[(i*7+from*3+i/5)%7]
}

func (t *traffic) startBulk() {
	t.tokens++
	n := 1 + t.rnd.IntN(700_000)
	b := &bulkCheck{from: t.rnd.IntN(2), write: t.rnd.IntN(2) == 0, src: pattern(n, t.tokens), dst: make([]byte, n)}
	b.to = 1 - b.from
	b.after = t.short[b.from]
	if t.links[0].cfg.Channel == UD { // there is nothing that could read or write
		if k := t.links[b.to].Expose(b.from, b.src, false); t.links[b.from].Read(b.to, k, b.dst, t.tokens) {
			t.t.Fatal("datagrams can read")
		}
		return
	}
	t.bulks[t.tokens] = b
	if b.write {
		b.key = t.links[b.to].Expose(b.from, b.dst, true)
		then := &wire.Packet{Header: wire.Header{Kind: wire.FIN, Send: uint32(t.tokens)}, Peer: b.to}
		t.links[b.from].Write(b.to, b.key, b.src, then, t.tokens)
		return
	}
	b.key = t.links[b.to].Expose(b.from, b.src, false)
	if !t.links[b.from].Read(b.to, b.key, b.dst, t.tokens) {
		t.t.Fatal("cannot read")
	}
}

// check looks at everything that has come.
func (t *traffic) check() {
	for rank, box := range t.boxes {
		for _, m := range box.got {
			if m.h.Kind == wire.FIN {
				b := t.bulks[int(m.h.Send)]
				if b == nil || b.told || !bytes.Equal(b.src, b.dst) {
					t.t.Fatalf("the packet behind write %d came early, twice, or behind other bytes", m.h.Send)
				}
				if t.seen[b.from] < b.after {
					t.t.Fatalf("the packet behind write %d has overtaken messages that were sent before", m.h.Send)
				}
				b.told = true
				continue
			}
			from := 1 - rank
			i := t.seen[from]
			if m.open {
				t.t.Fatalf("message %d from %d is not whole", i, from)
			}
			if thrown := m.h.Kind == wire.RTS && m.h.Prefix == 0; thrown && int(m.h.Tag) == i && m.h.Len == t.lenOf(from, i) && len(m.data) == 0 {
				t.seen[from]++
				continue
			}
			if int(m.h.Tag) != i || !bytes.Equal(m.data, pattern(t.lenOf(from, i), i)) {
				t.t.Fatalf("message %d from rank %d: got tag %d, %d bytes", i, from, m.h.Tag, len(m.data))
			}
			t.seen[from]++
		}
		box.got = nil
		for token, err := range box.reads {
			t.endBulk(token.(int), err)
		}
		for token, err := range box.writes {
			if b := t.bulks[token.(int)]; b != nil && b.told {
				t.endBulk(token.(int), err)
				delete(box.writes, token)
			}
		}
		clear(box.reads)
		for peer, err := range box.lost {
			t.t.Fatalf("rank %d lost rank %d: %v", rank, peer, err)
		}
	}
}

func (t *traffic) endBulk(token int, err error) {
	b := t.bulks[token]
	if b == nil || err != nil || !bytes.Equal(b.src, b.dst) {
		t.t.Fatalf("transfer %d: %v, equal %v", token, err, b != nil && bytes.Equal(b.src, b.dst))
	}
	t.links[b.to].Hide(b.from, b.key)
	delete(t.bulks, token)
}

// whole tells whether no message is half arrived, so that check can look.
func (t *traffic) whole() bool {
	for _, l := range t.links {
		for _, p := range l.known {
			if p.streaming || p.placed.on {
				return false
			}
		}
	}
	return true
}

func (t *traffic) run(steps int, disturb func()) {
	for i := range steps {
		t.step()
		disturb()
		for k, l := range t.links {
			l.Poll(t.boxes[k])
		}
		if i%8 == 0 {
			t.until("whole messages", t.whole)
			t.check()
		}
	}
	t.t.Cleanup(t.missing)
	t.until("the end of everything", func() bool {
		if t.whole() {
			t.check()
		}
		return t.seen == t.short && len(t.bulks) == 0
	})
	t.until("rest", func() bool { return t.links[0].Idle() && t.links[1].Idle() })
	for i, l := range t.links {
		t.until(fmt.Sprintf("end to what holds shared receives of rank %d", i), func() bool { // datagrams may be late
			return l.srq.Len()+len(l.repost) == l.given
		})
		for _, p := range l.sending {
			if p.used != 0 {
				t.t.Errorf("rank %d: %d buffers of %d bytes are still in use", i, p.used, p.size)
			}
		}
	}
}

// missing says, for a test that has failed, what did not arrive.
func (t *traffic) missing() {
	if !t.t.Failed() {
		return
	}
	t.t.Logf("messages sent %v, seen %v, all whole %v", t.short, t.seen, t.whole())
	for token, b := range t.bulks {
		_, done := t.boxes[b.from].writes[token]
		t.t.Logf("transfer %d by %d, write %v, %d bytes: equal %v, told %v, done %v", token, b.from, b.write, len(b.src), bytes.Equal(b.src, b.dst), b.told, done)
	}
}

func newTraffic(t *testing.T, seed uint64, devices func(rank int) soft.Config, change func(rank int, c *Config)) *traffic {
	return &traffic{rig: newRigOn(t, 2, devices, change), rnd: rand.New(rand.NewPCG(seed, 1)), bulks: map[int]*bulkCheck{}}
}

// Connections break at random, on one and on two rails, in every channel that has them: everything arrives once, whole
// and in order.
func TestBrokenConnections(t *testing.T) {
	for _, c := range []Channel{SRQ, SR, ArdmaSR, ArdmaSRQ, Hybrid} {
		for rails := 1; rails <= 2; rails++ {
			t.Run(fmt.Sprintf("%v/%d", c, rails), func(t *testing.T) {
				t.Parallel()
				tr := newTraffic(t, uint64(rails), nil, func(rank int, cfg *Config) {
					cfg.Channel = c
					if rails == 2 {
						twoRails(rank, cfg)
					}
				})
				last, breaks := time.Now(), 0
				tr.run(soak(1500, 150_000), func() {
					if time.Since(last) > 5*time.Millisecond {
						if tr.links[tr.rnd.IntN(2)].breakOne(tr.rnd) {
							breaks++
						}
						last = time.Now()
					}
				})
				broken := tr.links[0].Counters.Broken + tr.links[1].Counters.Broken
				if breaks == 0 || broken == 0 {
					t.Errorf("%d connections were broken, %d noticed: the test shows nothing", breaks, broken)
				}
			})
		}
	}
}
