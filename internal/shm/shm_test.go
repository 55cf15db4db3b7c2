package shm

import (
	"bytes"
	"fmt"

	"github.com/weft-mpi/weft/internal/wire"
)

// smallGeometry is one whose rings wrap and fill soon.
func smallGeometry(ranks int) Geometry {
	return Geometry{Ranks: ranks, Cells: 8, Small: 4 * smallMax, Bulk: 16 << 10, Arena: arenaAlign}
}

// tester is what the helpers need of *testing.T, *testing.F and *rapid.T.
type tester interface {
	Helper()
	Fatal(...any)
	Cleanup(func())
}

// openSegment makes a segment and unmaps it when the test ends.
func openSegment(t tester, g Geometry) *Segment {
	t.Helper()
	f, err := Create(g)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s, err := Open(f)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// newLinks attaches every rank of a segment in this process: the kernel lets a process read its own memory
// through process_vm_readv, so single copies work as they do between processes.
func newLinks(t tester, g Geometry, cfg Config) []*Link {
	t.Helper()
	seg := openSegment(t, g)
	links := make([]*Link, g.Ranks)
	for i := range links {
		c := cfg
		c.Segment, c.Self = seg, i
		links[i] = NewLink(c)
	}
	return links
}

// message is what a mailbag has received.
type message struct {
	peer    int
	header  wire.Header
	payload []byte
	ended   bool
}

// mailbag is a Sink that keeps everything.
type mailbag struct {
	got   []*message
	reads map[any]error // reads that have ended
	lost  map[int]error // peers
}

func (m *mailbag) Arrive(peer int, h *wire.Header, payload []byte) {
	m.got = append(m.got, &message{peer, *h, bytes.Clone(payload), true})
}

func (m *mailbag) Begin(peer int, h *wire.Header) ([]byte, any) {
	msg := &message{peer: peer, header: *h, payload: make([]byte, h.Len)}
	m.got = append(m.got, msg)
	return msg.payload, msg
}

func (m *mailbag) End(token any) {
	if msg, ok := token.(*message); ok {
		msg.ended = true
	}
}

func (m *mailbag) WriteDone(any, error)                  {}
func (m *mailbag) Place(int, *wire.Header) ([]byte, any) { return nil, nil }

func (m *mailbag) Lost(peer int, err error) {
	if m.lost == nil {
		m.lost = map[int]error{}
	}
	m.lost[peer] = err
}

func (m *mailbag) ReadDone(token any, err error) {
	if m.reads == nil {
		m.reads = map[any]error{}
	}
	m.reads[token] = err
}

// drain polls until nothing moves.
func drain(l *Link, m *mailbag) {
	for l.Ready() && l.Poll(m) {
	}
}

// eager makes a packet whose payload is told from others by seed.
func eager(peer, tag int, kind wire.Kind, payload []byte) *wire.Packet {
	h := wire.Header{Kind: kind, Ctx: 7, Tag: int32(tag), Len: len(payload)}
	switch kind {
	case wire.Sync:
		h.Send = uint32(tag) + 1
	case wire.Data:
		h.Ctx, h.Tag, h.Recv = 0, 0, uint32(tag)
	}
	return &wire.Packet{Header: h, Peer: peer, Data: payload}
}

// fill makes n bytes that depend on seed and position.
func fill(n, seed int) []byte {
	b := make([]byte, n)
	x := uint32(seed)*2654435761 + 12345
	for i := range b {
		x = x*1664525 + 1013904223
		b[i] = byte(x >> 24)
	}
	return b
}

// pass sends packets from one link to another in order, polling the receiver whenever the sender is busy.
func pass(from, to *Link, bag *mailbag, packets ...*wire.Packet) {
	for _, p := range packets {
		for !from.Send(p) {
			to.Poll(bag)
		}
	}
	drain(to, bag)
}

// equal compares what has arrived with what was sent.
func (m *mailbag) equal(from int, sent []*wire.Packet) error {
	if len(m.got) != len(sent) {
		return fmt.Errorf("%d messages arrived, %d were sent", len(m.got), len(sent))
	}
	for i, p := range sent {
		g := m.got[i]
		h := p.Header
		if h.Kind == wire.Data { // its envelope is the receiver's request alone
			g.header.Ctx, g.header.Tag = 0, 0
		}
		if h.Kind == wire.Eager {
			g.header.Send = 0
		}
		g.header.Recv = map[bool]uint32{true: h.Recv}[h.Kind == wire.Data]
		if g.peer != from || g.header != h || !g.ended {
			return fmt.Errorf("message %d: peer %d, header %+v, ended %v; sent %+v", i, g.peer, g.header, g.ended, h)
		}
		if !bytes.Equal(g.payload, p.Data) {
			return fmt.Errorf("message %d of %d bytes: payload differs", i, len(p.Data))
		}
	}
	return nil
}
