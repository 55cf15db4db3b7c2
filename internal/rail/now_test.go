package rail

import (
	"bytes"
	"testing"

	"github.com/weft-mpi/weft/internal/rail/regcache"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/wire"
)

// scribe is a queue pair that keeps what it is to send.
type scribe struct {
	verbs.QP
	frames [][]byte
}

func (s *scribe) PostSend(wrs []verbs.SendWR) (int, error) {
	for i := range wrs {
		var b []byte
		for _, e := range wrs[i].SGL {
			b = append(b, e.Buf...)
		}
		s.frames = append(s.frames, b)
	}
	return len(wrs), nil
}

// An answer is the frame that the usual way makes, but for its number, and is counted like that.
func TestAnswerIsUsual(t *testing.T) {
	r := newRig(t, 2, nil)
	meet(r)
	l := r.links[1]
	p := l.peer(0)
	s := &scribe{QP: p.express.qp}
	p.express.qp = s
	defer func() { p.express.qp = s.QP }()
	for i, data := range [][]byte{nil, {1}, pattern(8, 1), pattern(shortFrame, 2), pattern(3000, 3)} {
		p.lastOut = envelope{4, int32(i), true}
		pk := func() *wire.Packet {
			return &wire.Packet{Header: wire.Header{Kind: wire.Eager, Ctx: 4, Tag: int32(i), Len: len(data)}, Data: data}
		}
		s.frames = nil
		first, counts, short := p.out.InFlight(), l.Counters, l.railShort[0]
		p.received++
		a := pk()
		if !p.answer(a) || a.Sent != len(data) {
			t.Fatalf("%d bytes: no answer", len(data))
		}
		gained, bytesOut := l.Counters, l.railShort[0]-short
		p.received++
		if !p.sendWhole(pk()) || p.out.InFlight() != first+2 || len(s.frames) != 2 {
			t.Fatalf("%d bytes: %d frames left, %d are in flight", len(data), len(s.frames), p.out.InFlight()-first)
		}
		le.PutUint32(s.frames[0][8:], le.Uint32(s.frames[0][8:])+1)
		if !bytes.Equal(s.frames[0], s.frames[1]) {
			t.Errorf("%d bytes: answered\n%x, usually\n%x", len(data), s.frames[0], s.frames[1])
		}
		if gained.Copies-counts.Copies != l.Counters.Copies-gained.Copies || gained.HeaderHits-counts.HeaderHits != l.Counters.HeaderHits-gained.HeaderHits || bytesOut != uint64(len(data)) {
			t.Errorf("%d bytes: counted %+v, usually %+v; %d bytes", len(data), gained, l.Counters, bytesOut)
		}
	}
}

// Only what may leave at once, alone and by the express lane is an answer. What is none has changed nothing.
func TestWhatIsNoAnswer(t *testing.T) {
	pk := wire.Packet{Header: wire.Header{Kind: wire.Eager, Ctx: 4, Tag: 7, Len: 8}, Data: pattern(8, 1)}
	for what, change := range map[string]func(l *Link, p *peer, pk *wire.Packet){
		"no answer":      func(_ *Link, p *peer, _ *wire.Packet) { p.answered = p.received },
		"no lane":        func(_ *Link, p *peer, _ *wire.Packet) { p.express = nil },
		"another kind":   func(_ *Link, _ *peer, pk *wire.Packet) { pk.Kind = wire.Sync },
		"another tag":    func(_ *Link, _ *peer, pk *wire.Packet) { pk.Tag++ },
		"another ctx":    func(_ *Link, _ *peer, pk *wire.Packet) { pk.Ctx++ },
		"begun":          func(_ *Link, _ *peer, pk *wire.Packet) { pk.Sent = 1 },
		"by a rail":      func(_ *Link, _ *peer, pk *wire.Packet) { pk.Rail = 1 },
		"behind a rail":  func(_ *Link, p *peer, _ *wire.Packet) { p.via = p.express },
		"too long":       func(_ *Link, p *peer, _ *wire.Packet) { p.whole = headerSize + 7 },
		"lent":           func(l *Link, _ *peer, _ *wire.Packet) { l.lendMin, l.cfg.NoReconnect = 8, true },
		"behind a loan":  func(_ *Link, p *peer, _ *wire.Packet) { p.loan.entry = new(regcache.Entry) },
		"behind a burst": func(l *Link, _ *peer, _ *wire.Packet) { l.batch = append(l.batch, new(buffer)) },
		"behind unsent":  func(_ *Link, p *peer, _ *wire.Packet) { p.unsent = append(p.unsent, new(buffer)) },
		"by a ring":      func(_ *Link, p *peer, _ *wire.Packet) { p.ring.out.slots = 1 },
		"no credit":      func(l *Link, _ *peer, _ *wire.Packet) { l.cfg.Flow.Window = 0 },
	} {
		r := newRig(t, 2, nil)
		meet(r)
		l, pk := r.links[1], pk
		p := l.peer(0)
		s := &scribe{QP: p.express.qp}
		p.express.qp, p.lastOut = s, envelope{4, 7, true}
		p.received++
		change(l, p, &pk)
		next, used := p.next, l.sending[0].used
		if p.answer(&pk) || len(s.frames) > 0 || p.next != next || l.sending[0].used != used {
			t.Errorf("%s: answered", what)
		}
	}
}
