package rail

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/pages"
	"github.com/weft-mpi/weft/internal/verbs/soft"
	"github.com/weft-mpi/weft/internal/wire"
)

// box is a Sink that keeps what it gets.
type box struct {
	got    []letter
	reads  map[any]error
	writes map[any]error
	lost   map[int]error
}

type letter struct {
	peer int
	h    wire.Header
	data []byte
	open bool
}

func newBox() *box {
	return &box{reads: map[any]error{}, writes: map[any]error{}, lost: map[int]error{}}
}

func (b *box) Arrive(peer int, h *wire.Header, payload []byte) {
	b.got = append(b.got, letter{peer: peer, h: *h, data: bytes.Clone(payload)})
}

func (b *box) Begin(peer int, h *wire.Header) ([]byte, any) {
	b.got = append(b.got, letter{peer: peer, h: *h, data: make([]byte, h.Payload()), open: true})
	return b.got[len(b.got)-1].data, len(b.got) - 1
}

func (b *box) End(token any)                  { b.got[token.(int)].open = false }
func (b *box) ReadDone(token any, err error)  { b.reads[token] = err }
func (b *box) WriteDone(token any, err error) { b.writes[token] = err }
func (b *box) Lost(peer int, err error)       { b.lost[peer] = err }

// rig is a job of ranks in this process, each with a device of its own on the loopback interface.
type rig struct {
	t     testing.TB
	links []*Link
	boxes []*box
	devs  []*soft.Device
	asks  bool // packets ask for rails
}

func newRig(t testing.TB, n int, change func(rank int, c *Config)) *rig {
	return newRigOn(t, n, nil, change)
}

// newRigOn makes one whose devices are configured by the caller.
func newRigOn(t testing.TB, n int, device func(rank int) soft.Config, change func(rank int, c *Config)) *rig {
	r := &rig{t: t}
	for i := range n {
		sc := soft.Config{KeyedDatagrams: true}
		if device != nil {
			sc = device(i)
		}
		sc.Key, sc.ReceiveWait, sc.NoCRC = []byte("secret"), 3600e9, true
		cfg := Config{Self: i, Size: n, Prefixes: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/8")},
			Address: func(peer int) (string, error) { return r.links[peer].Address(), nil }, Bell: func() {}, Options: Defaults()}
		cfg.Hold, cfg.Reuse.On = 0, false // tests that want them say so
		if change != nil {
			change(i, &cfg)
		}
		for _, p := range cfg.Prefixes {
			sc.Rails = append(sc.Rails, p.Addr())
		}
		dev, err := soft.Open(sc)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { dev.Close() })
		cfg.Device = dev
		l, err := New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		r.links, r.boxes, r.devs = append(r.links, l), append(r.boxes, newBox()), append(r.devs, dev)
	}
	return r
}

// patience is how long tests poll for what must come. It is long, because the machine may be busy.
const patience = 2 * time.Minute

// until polls all links until the condition holds.
func (r *rig) until(what string, ok func() bool) {
	r.t.Helper()
	for end := time.Now().Add(patience); !ok(); {
		r.poll(1)
		if time.Now().After(end) {
			r.describe()
			r.t.Fatalf("no %s after %v", what, patience)
		}
	}
}

// describe logs the state of all links.
func (r *rig) describe() {
	r.t.Helper()
	for i, l := range r.links {
		r.t.Logf("rank %d: %d of %d shared receives, %d surplus, next tick in %v, %+v", i, l.srq.Len()+len(l.repost), l.given, l.surplus,
			time.Duration(l.nextTick-clock.Now()), l.Counters)
		for _, p := range l.known {
			r.t.Logf("  peer %d: %d in flight, %d unsent, credit %d, %d active, %d limbo, %d words, ack due %v, ring %d used %d freed, %+v", p.rank,
				p.out.InFlight(), len(p.unsent), p.out.Credit(), len(p.bulk.in.active)+len(p.bulk.out.active), len(p.bulk.limbo), len(p.words), p.in.Due(),
				p.ring.out.used, p.ring.out.freed, p.climb)
			for _, ln := range p.lanes {
				if ln != nil {
					r.t.Logf("    lane %+v state %d gen %d ours %v, qp %v, %d open", ln.class, ln.state, ln.gen, ln.ours, ln.qp.State(), len(ln.bulkLane.open))
				}
			}
		}
	}
}

// send sends a packet, polling while the link is busy.
func (r *rig) send(from, to int, tag int, data []byte) {
	r.t.Helper()
	p := &wire.Packet{Header: wire.Header{Kind: wire.Eager, Ctx: 4, Tag: int32(tag), Len: len(data)}, Peer: to, Data: data}
	if r.asks {
		p.Rail = uint8(tag/2) % 3 // none, and both
	}
	r.until(fmt.Sprintf("room for message %d", tag), func() bool { return r.links[from].Send(p) })
}

// pattern is n bytes that depend on seed.
func pattern(n, seed int) []byte {
	b := make([]byte, n)
	from := noise()[seed*7919%(1<<20):]
	for done := copy(b, from); done < n; {
		done += copy(b[done:], noise())
	}
	return b
}

// softChannels are the channels but the last, which the software device cannot carry; internal/simtest tries that one.
const softChannels = XRC

// noise is drawn once: the race detector is slow with single bytes.
var noise = sync.OnceValue(func() []byte {
	b := make([]byte, 2<<20)
	rand.NewChaCha8([32]byte{}).Read(b)
	return b
})

func eachChannel(t *testing.T, test func(t *testing.T, c Channel)) {
	for c := range softChannels {
		t.Run(c.String(), func(t *testing.T) { test(t, c) })
	}
}

// Messages of all lengths arrive whole and in order on every channel.
func TestOrder(t *testing.T) {
	eachChannel(t, func(t *testing.T, c Channel) {
		r := newRig(t, 3, func(_ int, cfg *Config) { cfg.Channel = c })
		lens := []int{0, 1, 8, 100, 470, 480, 500, 4096, 8000, 8192, 20000, 32768, 100000}
		const rounds = 20
		for i := range rounds * len(lens) {
			n := lens[i%len(lens)]
			r.send(0, 1, i, pattern(n, i))
			r.send(2, 1, i, pattern(n, i))
			r.send(1, 0, i, pattern(n, i))
		}
		want := rounds * len(lens)
		r.until("arrival", func() bool {
			return len(r.boxes[1].got) == 2*want && len(r.boxes[0].got) == want && !slices.ContainsFunc(append(r.boxes[1].got, r.boxes[0].got...),
				func(m letter) bool { return m.open })
		})
		for b := range 2 {
			next := map[int]int{}
			for _, m := range r.boxes[b].got {
				i := next[m.peer]
				next[m.peer]++
				if int(m.h.Tag) != i || m.open || !bytes.Equal(m.data, pattern(lens[i%len(lens)], i)) {
					t.Fatalf("rank %d, message %d from %d: tag %d, %d bytes, open %v", b, i, m.peer, m.h.Tag, len(m.data), m.open)
				}
			}
		}
	})
}

// Long messages are read and written, and what follows a write comes after its bytes.
func TestReadWrite(t *testing.T) {
	for _, c := range []Channel{SRQ, SR, ArdmaSRQ, Hybrid, RD} {
		t.Run(c.String(), func(t *testing.T) {
			told := new(pages.Huge)
			r := newRig(t, 2, func(_ int, cfg *Config) { cfg.Channel, cfg.Pages = c, told })
			for i, n := range []int{1, 1000, 65536, 1 << 20, 5 << 20} {
				src := pattern(n, i)
				dst := make([]byte, n)
				k := r.links[0].Expose(1, src, false)
				if !r.links[1].Read(0, k, dst, i) {
					t.Fatal("cannot read")
				}
				r.until("read", func() bool { _, ok := r.boxes[1].reads[i]; return ok })
				if err := r.boxes[1].reads[i]; err != nil || !bytes.Equal(src, dst) {
					t.Fatalf("read of %d bytes: %v, equal %v", n, err, bytes.Equal(src, dst))
				}
				r.links[0].Hide(1, k)
				dst = make([]byte, n)
				k = r.links[1].Expose(0, dst, true)
				then := &wire.Packet{Header: wire.Header{Kind: wire.FIN, Send: uint32(i)}, Peer: 1}
				r.links[0].Write(1, k, src, then, i)
				before := len(r.boxes[1].got)
				r.until("write", func() bool { return len(r.boxes[1].got) > before })
				if m := r.boxes[1].got[before]; !bytes.Equal(src, dst) || m.h.Kind != wire.FIN || m.h.Send != uint32(i) {
					t.Fatalf("write of %d bytes: equal %v, then %+v", n, bytes.Equal(src, dst), m.h)
				}
				r.until("end of the write", func() bool { _, ok := r.boxes[0].writes[i]; return ok })
				r.links[1].Hide(0, k)
			}
			if n := told.Counters().Uses; n != 2*4 {
				t.Errorf("the keeper of huge pages was told of %d uses, want source and target of two reads and two writes", n)
			}
		})
	}
}
