package inproc

import (
	"testing"

	"github.com/weft-mpi/weft/internal/wire"
)

// counter is a Sink that counts what it gets.
type counter struct{ letters, bytes, reads int }

func (c *counter) Arrive(_ int, _ *wire.Header, payload []byte) {
	c.letters++
	c.bytes += len(payload)
}
func (c *counter) Begin(int, *wire.Header) ([]byte, any) { panic("letters come whole") }
func (c *counter) End(any)                               {}
func (c *counter) ReadDone(any, error)                   { c.reads++ }
func (c *counter) WriteDone(any, error)                  {}
func (c *counter) Place(int, *wire.Header) ([]byte, any) { return nil, nil }
func (c *counter) Lost(int, error)                       {}

func letterTo(peer, n int) *wire.Packet {
	return &wire.Packet{Header: wire.Header{Kind: wire.Eager, Len: n}, Peer: peer, Data: make([]byte, n)}
}

// TestNumbers: mailboxes answer to the job's numbers, wherever a process's ranks begin.
func TestNumbers(t *testing.T) {
	x := NewExchange(10, 3)
	var c counter
	x.Box(2).Send(letterTo(10, 5))
	if !x.Box(0).Ready() || !x.Box(0).Poll(&c) || c.letters != 1 || c.bytes != 5 {
		t.Errorf("got %+v", c)
	}
	if x.Box(0).Ready() || x.Box(0).Poll(&c) {
		t.Error("ready with nothing there")
	}
}

// TestBatches: a poll is bounded, and what is left keeps the box ready.
func TestBatches(t *testing.T) {
	x := NewExchange(0, 2)
	for range 3*batchMax + 1 {
		x.Box(0).Send(letterTo(1, 1))
	}
	var c counter
	polls := 0
	for x.Box(1).Ready() {
		before := c.letters
		x.Box(1).Poll(&c)
		if polls++; c.letters-before > batchMax {
			t.Fatalf("%d letters in one poll", c.letters-before)
		}
	}
	if polls != 4 || c.letters != 3*batchMax+1 {
		t.Errorf("%d letters in %d polls", c.letters, polls)
	}
}

// TestSelfSendWakes: another goroutine of the same rank may sleep while we send to ourselves.
func TestSelfSendWakes(t *testing.T) {
	b := NewExchange(0, 1).Box(0)
	b.Bell().Arm()
	b.Send(letterTo(0, 1))
	b.Bell().Sleep(0) // hangs if the bell was not rung
}

// TestShortLettersAllocateNothing once the box is warm.
func TestShortLettersAllocateNothing(t *testing.T) {
	x := NewExchange(0, 2)
	p, c := letterTo(1, 1000), new(counter)
	exchange := func() {
		x.Box(0).Send(p)
		x.Box(1).Poll(c)
	}
	exchange()
	if n := testing.AllocsPerRun(100, exchange); n != 0 {
		t.Errorf("%v allocations per letter", n)
	}
}

// TestMemoryIsBounded: after a flood a box keeps only a few letters and no large buffers.
func TestMemoryIsBounded(t *testing.T) {
	x := NewExchange(0, 2)
	for range 10_000 {
		x.Box(0).Send(letterTo(1, EagerMax))
	}
	c := new(counter)
	for x.Box(1).Poll(c) {
	}
	n := 0
	for l := x.Box(1).free; l != nil; l = l.next {
		if n++; cap(l.data) > keptData {
			t.Fatalf("keeps a buffer of %d bytes", cap(l.data))
		}
	}
	if n > keptLetters+batchMax || n != x.Box(1).kept {
		t.Errorf("keeps %d letters, counts %d", n, x.Box(1).kept)
	}
}
