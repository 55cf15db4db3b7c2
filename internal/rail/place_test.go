package rail

import (
	"bytes"
	"testing"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/wire"
)

// Place takes packets with odd tags, as if receives waited for them.
func (b *box) Place(peer int, h *wire.Header) ([]byte, any) {
	if h.Tag%2 == 0 {
		return nil, nil
	}
	return b.Begin(peer, h)
}

// Payloads that somebody waits for go past the receives, unless that is switched off.
func TestPlace(t *testing.T) {
	for _, off := range []bool{false, true} {
		r := newRig(t, 2, func(_ int, cfg *Config) { cfg.NoPlace, cfg.Vbuf = off, 33<<10 })
		const count = 40
		for i := range count {
			n := []int{3000, 28 << 10, 32 << 10, 60 << 10}[i%4]
			r.send(0, 1, i/4*2+1, pattern(n, i)) // some tags twice in a row, so that headers are left out
			r.until("arrival", func() bool { return len(r.boxes[1].got) == i+1 && !r.boxes[1].got[i].open })
			if m := r.boxes[1].got[i]; int(m.h.Tag) != i/4*2+1 || !bytes.Equal(m.data, pattern(n, i)) {
				t.Fatalf("message %d of %d bytes: tag %d, %d bytes", i, n, m.h.Tag, len(m.data))
			}
		}
		if n := r.links[1].Counters.Placed; (n == 0) != off {
			t.Errorf("switched off: %v, and %d frames were placed", off, n)
		}
	}
}

// handmade is a frame of the stream from rank 0 that rank 1 waits for.
func handmade(r *rig, k kind, body []byte) []byte {
	h := header{kind: k, from: 0, seq: r.links[1].peer(0).in.Expected()}
	frame := make([]byte, headerSize, headerSize+len(body))
	h.put(frame)
	r.links[1].peer(0).stamp(frame) // acknowledges nothing new
	return append(frame, body...)
}

// foretell has rank 1 say where a frame goes, of which only the beginning has come.
func foretell(r *rig, frame []byte) (int, []byte) {
	return r.links[1].peer(0).express.placeOf(frame[:min(len(frame), 60)], len(frame))
}

// A frame whose lane broke before it was in place is copied when another carrier brings it.
func TestPlacedFrameComesAgain(t *testing.T) {
	r := newRig(t, 2, nil)
	meet(r)
	p, b := r.links[1].peer(0), r.boxes[1]
	payload := pattern(9000, 1)
	packet := wire.Header{Kind: wire.Eager, Ctx: 4, Tag: 7, Len: len(payload)}
	before := len(b.got)
	for _, kinds := range [][]kind{{kWhole}, {kRepeat}, {kFirst, kPiece, kLast}} {
		for i, k := range kinds {
			each := len(payload) / len(kinds)
			body := payload[i*each : (i+1)*each]
			if k == kWhole || k == kFirst {
				body = append(wire.Append(nil, &packet), body...)
			}
			frame := handmade(r, k, body)
			if at, dst := foretell(r, frame); len(dst) != each || at != len(frame)-each {
				t.Fatalf("%v: %d bytes from %d on", k, len(dst), at)
			}
			if _, dst := foretell(r, frame); dst != nil {
				t.Fatalf("%v: told twice", k)
			}
			p.placed.lane = &lane{state: closed}
			p.frame(nil, frame, nil)
		}
		if m := b.got[len(b.got)-1]; len(b.got) != before+1 || m.open || m.h.Tag != 7 || !bytes.Equal(m.data, payload) {
			t.Fatalf("%v: %d messages, open %v, equal %v", kinds, len(b.got)-before, m.open, bytes.Equal(m.data, payload))
		}
		before++
	}
}

// The first bytes of a long message are placed too, and the header cache knows only of short ones.
func TestPrefixIsPlaced(t *testing.T) {
	r := newRig(t, 2, nil)
	meet(r)
	p, b := r.links[1].peer(0), r.boxes[1]
	cached := p.lastIn
	payload := pattern(9000, 1)
	packet := wire.Header{Kind: wire.RTS, Ctx: 4, Tag: 9, Send: 3, Len: 1 << 20, Prefix: len(payload)}
	frame := handmade(r, kWhole, append(wire.Append(nil, &packet), payload...))
	at, dst := foretell(r, frame)
	if len(dst) != len(payload) || at != len(frame)-len(payload) {
		t.Fatalf("%d bytes from %d on", len(dst), at)
	}
	copy(dst, payload)
	p.frame(nil, frame, p.express)
	if m := b.got[len(b.got)-1]; m.open || m.h != packet || !bytes.Equal(m.data, payload) {
		t.Errorf("%+v, open %v", m.h, m.open)
	}
	if p.lastIn != cached {
		t.Error("an offer is in the header cache")
	}
}

// A peer that sends something else in the place of such a frame is lost, and its message with it.
func TestPlacedFrameSwapped(t *testing.T) {
	r := newRig(t, 2, nil)
	meet(r)
	p := r.links[1].peer(0)
	packet := wire.Header{Kind: wire.Eager, Ctx: 4, Tag: 7, Len: 9000}
	frame := handmade(r, kWhole, append(wire.Append(nil, &packet), pattern(9000, 1)...))
	if _, dst := foretell(r, frame); len(dst) == 0 {
		t.Fatal("nobody wants it")
	}
	p.placed.lane = &lane{state: closed}
	p.frame(nil, frame[:len(frame)-1], nil)
	if p.lost == nil {
		t.Fatal("the peer is not lost")
	}
	r.until("word of it", func() bool { return r.boxes[1].lost[0] != nil })
}

// A datagram that is a copy of a frame which a connection is bringing to its place does not end the
// receive, which the connection goes on to write to. What the connection brings does.
func TestPlacedFrameCopied(t *testing.T) {
	r := newRig(t, 2, nil)
	meet(r)
	p, b := r.links[1].peer(0), r.boxes[1]
	payload := pattern(9000, 1)
	packet := wire.Header{Kind: wire.Eager, Ctx: 4, Tag: 7, Len: len(payload)}
	frame := handmade(r, kWhole, append(wire.Append(nil, &packet), payload...))
	_, dst := foretell(r, frame)
	p.frame(nil, frame, nil)
	if m := b.got[len(b.got)-1]; !m.open || p.lost != nil {
		t.Fatalf("the receive has ended: %+v, %v", m.h, p.lost)
	}
	copy(dst, payload)
	p.frame(nil, frame, p.express)
	if m := b.got[len(b.got)-1]; m.open || !bytes.Equal(m.data, payload) {
		t.Errorf("open %v, equal %v", m.open, bytes.Equal(m.data, payload))
	}
}

// What is not the next frame of the stream, or not what it says, is not placed.
func TestNotPlaced(t *testing.T) {
	r := newRig(t, 2, nil)
	meet(r)
	packet := wire.Header{Kind: wire.Eager, Ctx: 4, Tag: 7, Len: 9000}
	good := handmade(r, kWhole, append(wire.Append(nil, &packet), pattern(9000, 1)...))
	spoilt := map[string]func(f []byte) []byte{
		"another number":     func(f []byte) []byte { f[8]++; return f },
		"another rank":       func(f []byte) []byte { f[4]++; return f },
		"a wrong length":     func(f []byte) []byte { return f[:len(f)-1] },
		"a piece of nothing": func(f []byte) []byte { f[0] = byte(kPiece); return f },
		"a first too long":   func(f []byte) []byte { f[0] = byte(kFirst); return f },
		"no stream":          func(f []byte) []byte { f[0] = byte(kAck); return f },
		"another packet":     func(f []byte) []byte { f[headerSize] = byte(wire.Sync); return f },
		"an even tag":        func(f []byte) []byte { f[headerSize+1+4] = 8; return f },
	}
	for name, spoil := range spoilt {
		if _, dst := foretell(r, spoil(bytes.Clone(good))); dst != nil {
			t.Errorf("a frame with %s was placed", name)
		}
	}
	if _, dst := foretell(r, good); dst == nil {
		t.Error("nor was a good one")
	}
}

// A frame whose place the device is told too late is copied.
func TestPlacedTooLate(t *testing.T) {
	r := newRig(t, 2, nil)
	meet(r)
	l, b := r.links[1], r.boxes[1]
	payload := pattern(9000, 1)
	packet := wire.Header{Kind: wire.Eager, Ctx: 4, Tag: 7, Len: len(payload)}
	frame := handmade(r, kWhole, append(wire.Append(nil, &packet), payload...))
	p := l.peer(0)
	l.place(&verbs.Completion{QP: p.express.num, Op: verbs.RecvHead, Len: len(frame), Data: frame[:60]}) // of which the device knows nothing
	if m := b.got[len(b.got)-1]; !m.open || !p.placed.on {
		t.Fatal("nobody wants it")
	}
	p.frame(nil, frame, p.express)
	if m := b.got[len(b.got)-1]; m.open || !bytes.Equal(m.data, payload) {
		t.Errorf("open %v, equal %v", m.open, bytes.Equal(m.data, payload))
	}
}

// Frames that the device lends and that come early are copied, and those that come twice are not kept.
func TestLentFrameKept(t *testing.T) {
	r := newRig(t, 2, nil)
	meet(r)
	l, p, b := r.links[1], r.links[1].peer(0), r.boxes[1]
	body := wire.Append(nil, &wire.Header{Kind: wire.Eager, Ctx: 4, Tag: 8, Len: 3})
	first, second := handmade(r, kWhole, append(bytes.Clone(body), 1, 2, 3)), handmade(r, kWhole, append(bytes.Clone(body), 4, 5, 6))
	le.PutUint32(second[8:], p.in.Expected()+1)
	before, used := len(b.got), l.recvPool.used
	for range 2 { // one is enough
		lent := bytes.Clone(second)
		l.complete(loaned(l, lent))
		clear(lent) // it is the device's again
	}
	if len(b.got) != before || l.recvPool.used != used+1 {
		t.Fatalf("%d delivered, %d buffers kept", len(b.got)-before, l.recvPool.used-used)
	}
	l.complete(loaned(l, first))
	if len(b.got) != before+2 || !bytes.Equal(b.got[before].data, []byte{1, 2, 3}) || !bytes.Equal(b.got[before+1].data, []byte{4, 5, 6}) || l.recvPool.used != used {
		t.Errorf("%d delivered, %d buffers kept", len(b.got)-before, l.recvPool.used-used)
	}
}
