package progress_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/wire"
)

// The conformance suite: what every link promises to progress. It skips by capability, never by name.

// inbox is a Sink that keeps what it gets.
type inbox struct {
	msgs  []*letter
	reads map[any]error
}

type letter struct {
	peer  int
	h     wire.Header
	data  []byte
	whole bool
}

func (b *inbox) Arrive(peer int, h *wire.Header, payload []byte) {
	b.msgs = append(b.msgs, &letter{peer, *h, bytes.Clone(payload), true})
}

func (b *inbox) Begin(peer int, h *wire.Header) ([]byte, any) {
	l := &letter{peer: peer, h: *h, data: make([]byte, h.Len)}
	b.msgs = append(b.msgs, l)
	return l.data, l
}

func (b *inbox) End(token any) { token.(*letter).whole = true }

func (b *inbox) WriteDone(any, error)                  {}
func (b *inbox) Place(int, *wire.Header) ([]byte, any) { return nil, nil }

func (b *inbox) Lost(int, error) {}

func (b *inbox) ReadDone(token any, err error) {
	if b.reads == nil {
		b.reads = map[any]error{}
	}
	b.reads[token] = err
}

func packet(peer, tag int, data []byte) *wire.Packet {
	return &wire.Packet{Header: wire.Header{Kind: wire.Eager, Ctx: 4, Tag: int32(tag), Len: len(data)}, Peer: peer, Data: data}
}

// pollAll delivers all that has come to the second end: at once, or as soon as there is enough.
func pollAll(t *testing.T, ends []end, b *inbox, enough func() bool) {
	t.Helper()
	for limit := time.Now().Add(patience); ends[1].eventual && !enough(); {
		for i, e := range ends {
			if i != 1 {
				e.link.Poll(new(inbox))
			}
		}
		ends[1].link.Poll(b)
		if time.Now().After(limit) {
			t.Fatalf("%d messages and %d reads after 20 s, and not enough", len(b.msgs), len(b.reads))
		}
	}
	for ends[1].link.Ready() && ends[1].link.Poll(b) {
	}
}

// whole tells whether n messages have come.
func (b *inbox) whole(n int) func() bool {
	return func() bool { return len(b.msgs) == n && b.msgs[n-1].whole }
}

// push sends to the second end, which polls while the link is busy.
func push(t *testing.T, ends []end, from int, p *wire.Packet, b *inbox) {
	t.Helper()
	for limit := time.Now().Add(patience); !ends[from].link.Send(p); {
		ends[1].link.Poll(b)
		if ends[from].eventual {
			ends[from].link.Poll(new(inbox))
		}
		if time.Now().After(limit) {
			t.Fatalf("busy for 20 s with message %d", p.Tag)
		}
	}
}

// expect holds the messages of one peer against tags and lengths in order.
func (b *inbox) expect(peer int, lens []int) error {
	i := 0
	for _, m := range b.msgs {
		if m.peer != peer {
			continue
		}
		if i == len(lens) {
			return fmt.Errorf("more than %d messages from %d", len(lens), peer)
		}
		if int(m.h.Tag) != i || m.h.Ctx != 4 || m.h.Len != lens[i] || !m.whole || !bytes.Equal(m.data, pattern(lens[i], i)) {
			return fmt.Errorf("message %d from %d: %+v, %d bytes, whole %v; want %d bytes", i, peer, m.h, len(m.data), m.whole, lens[i])
		}
		i++
	}
	if i != len(lens) {
		return fmt.Errorf("%d of %d messages from %d", i, len(lens), peer)
	}
	return nil
}

// Messages between two ranks arrive whole and in the order of Send, whatever their lengths, also when the link
// has to be asked again, and without mixing with a third rank's.
func TestLinkOrder(t *testing.T) {
	onEveryLink(t, 3, func(t *testing.T, ends []end) {
		var lens []int
		for i := range 300 {
			lens = append(lens, []int{0, 1, 8, 100, 113, 4096, 4097, 11000}[i%8])
		}
		box := new(inbox)
		for i, n := range lens {
			for _, from := range []int{0, 2} {
				push(t, ends, from, packet(1, i, pattern(n, i)), box)
			}
		}
		pollAll(t, ends, box, func() bool { return len(box.msgs) == 2*len(lens) && box.msgs[2*len(lens)-1].whole })
		for _, from := range []int{0, 2} {
			if err := box.expect(from, lens); err != nil {
				t.Error(err)
			}
		}
	})
}

// A link that says it is busy has kept what it took and nothing else, and takes the rest later.
func TestLinkBusy(t *testing.T) {
	onEveryLink(t, 2, func(t *testing.T, ends []end) {
		box := new(inbox)
		push(t, ends, 0, packet(1, 0, pattern(1000, 0)), box)
		pollAll(t, ends, box, box.whole(1))
		lens := []int{1000}
		var stuck *wire.Packet
		for stuck == nil && len(lens) < 10_000 {
			p := packet(1, len(lens), pattern(1000, len(lens)))
			lens = append(lens, 1000)
			if !ends[0].link.Send(p) {
				stuck = p
			}
		}
		if stuck == nil {
			t.Skip("never busy")
		}
		pollAll(t, ends, box, box.whole(len(lens)-1))
		if ends[0].eventual {
			push(t, ends, 0, stuck, box)
		} else if !ends[0].link.Send(stuck) {
			t.Fatal("busy although the receiver has read everything")
		}
		pollAll(t, ends, box, box.whole(len(lens)))
		if err := box.expect(0, lens); err != nil {
			t.Error(err)
		}
	})
}

// The longest message that should travel with its envelope does, in pieces if the link likes.
func TestLinkPieces(t *testing.T) {
	onEveryLink(t, 2, func(t *testing.T, ends []end) {
		n := ends[0].link.EagerMax(1)
		if n < 1024 {
			t.Fatalf("EagerMax is %d", n)
		}
		box := new(inbox)
		push(t, ends, 0, packet(1, 0, pattern(n, 0)), box)
		pollAll(t, ends, box, box.whole(1))
		if err := box.expect(0, []int{n}); err != nil {
			t.Error(err)
		}
	})
}

// A read fetches what the peer exposes; several reads may be under way.
func TestLinkRead(t *testing.T) {
	onEveryLink(t, 2, func(t *testing.T, ends []end) {
		var srcs, dsts [][]byte
		var keys []wire.Key
		for i, n := range []int{1, 5000, 300_000, 2 << 20} {
			srcs, dsts = append(srcs, pattern(n, i)), append(dsts, make([]byte, n))
			keys = append(keys, ends[0].link.Expose(1, srcs[i], false))
		}
		for i, k := range keys {
			if !ends[1].link.Read(0, k, dsts[i], i) {
				t.Skip("cannot read from a peer")
			}
		}
		box := new(inbox)
		for range 10_000 {
			ends[0].link.Poll(new(inbox))
			if ends[1].link.Poll(box); len(box.reads) == len(keys) {
				break
			}
		}
		pollAll(t, ends, box, func() bool { return len(box.reads) == len(keys) })
		for i, k := range keys {
			if err, done := box.reads[i]; !done || err != nil || !bytes.Equal(srcs[i], dsts[i]) {
				t.Errorf("read of %d bytes: done %v, %v, equal %v", len(srcs[i]), done, err, bytes.Equal(srcs[i], dsts[i]))
			}
			ends[0].link.Hide(1, k)
		}
	})
}

// Ready is false when there is nothing and true when there is.
func TestLinkReady(t *testing.T) {
	onEveryLink(t, 2, func(t *testing.T, ends []end) {
		box := new(inbox)
		if ends[0].eventual {
			readyInTime(t, ends, box)
			return
		}
		for i := range 3 {
			if ends[1].link.Ready() || ends[1].link.Poll(box) {
				t.Fatal("ready with nothing there")
			}
			ends[0].link.Send(packet(1, i, pattern(8, i)))
			if !ends[1].link.Ready() {
				t.Fatal("not ready with a message there")
			}
			pollAll(t, ends, box, box.whole(i+1))
		}
	})
}

// readyInTime: a link that takes its time says in the end that there is a message, and in the end that
// there is nothing.
func readyInTime(t *testing.T, ends []end, box *inbox) {
	idle := 0
	for i := range 3 {
		push(t, ends, 0, packet(1, i, pattern(8, i)), box)
		pollAll(t, ends, box, box.whole(i+1))
		pollAll(t, ends, box, func() bool {
			if idle++; ends[1].link.Ready() {
				idle = 0
			}
			return idle > 100
		})
		if got := len(box.msgs); got != i+1 {
			t.Fatalf("%d messages of %d", got, i+1)
		}
	}
}

// Whoever sends rings: a rank that arms, looks and sleeps is woken by every message.
func TestLinkBell(t *testing.T) {
	onEveryLink(t, 2, func(t *testing.T, ends []end) {
		const rounds = 2000
		play := func(self int) {
			box := new(inbox)
			for i := range rounds {
				if i%2 == self {
					for !ends[self].link.Send(packet(1-self, i, nil)) {
						ends[self].link.Poll(box)
					}
					continue
				}
				for len(box.msgs) == 0 {
					ends[self].bell.Arm()
					if !ends[self].link.Ready() {
						ends[self].bell.Sleep(0)
					}
					ends[self].bell.Disarm()
					ends[self].link.Poll(box)
				}
				box.msgs = box.msgs[:0]
			}
		}
		other := async(func() { play(1) })
		within(t, "ping", async(func() { play(0) }))
		within(t, "pong", other)
	})
}
