package engine

import (
	"hash/maphash"

	"github.com/weft-mpi/weft/internal/match"
	"github.com/weft-mpi/weft/internal/wire"
)

var duelSeed = maphash.MakeSeed()

// fingerprint is the same for two duels that cannot be told apart from here on. Numbers of requests and keys stand
// for what they name, since they depend on the past.
func (d *duel) fingerprint(b []byte) uint64 {
	b = append(b[:0], byte(d.sent), byte(d.posted), byte(d.asked), byte(d.left), bit(d.fault != nil))
	for i := range d.sends[:d.sent] {
		r := &d.sends[i]
		b = append(b, 's', byte(r.state), bit(r.pkt.Flags&wire.StopRTR != 0)|bit(r.Queued())<<1|bit(r.turn != 0)<<2|bit(r.Cancelled)<<3, d.recvOf(r.dest.recv), byte(r.pkt.Kind))
	}
	for i := range d.recvs {
		r := &d.recvs[i]
		b = append(b, 'r', byte(r.state), bit(r.grant != nil)|bit(r.Queued())<<1|bit(r.Cancelled)<<2|bit(d.claimed[i] != nil)<<3,
			bit(r.id != 0), bit(r.turn != 0), byte(r.Status.Len), d.sendOf(r.pkt.Send))
		if r.state == reading {
			b = append(b, byte(r.answer))
		}
		if i < d.posted {
			b = append(b, byte(d.holds(i)))
		}
	}
	for _, w := range d.wires {
		b = append(b, 'w', byte(len(w)))
		for i := range w {
			b = d.appendHeader(b, &w[i].header)
			b = append(b, w[i].data[:min(1, len(w[i].data))]...)
		}
	}
	for _, p := range d.backlog {
		b = d.appendHeader(append(b, 'b'), &p.Header)
	}
	for i := range d.dones {
		b = d.appendHeader(append(b, 'd'), &d.dones[i])
	}
	for _, r := range d.reads {
		b = append(b, 'R', d.recvOf(r.id))
	}
	for _, w := range d.writes {
		b = append(b, 'W', d.sendOf(w.req.id), bit(w.then != nil))
	}
	for i, e := range d.eng {
		b = append(d.appendEngine(b, e), 'x')
		for _, m := range d.exposed[i] {
			if m != nil {
				b = append(b, 'x')
			}
		}
	}
	return maphash.Bytes(duelSeed, b)
}

func bit(v bool) byte {
	if v {
		return 1
	}
	return 0
}

// sendOf and recvOf tell which request a number names now.
func (d *duel) sendOf(id uint32) byte {
	for i := range d.sends {
		if id != 0 && d.sends[i].id == id {
			return byte(i + 1)
		}
	}
	return bit(id != 0) << 7
}

func (d *duel) recvOf(id uint32) byte {
	for i := range d.recvs {
		if id != 0 && d.recvs[i].id == id {
			return byte(i + 1)
		}
	}
	return bit(id != 0) << 7
}

func (d *duel) appendHeader(b []byte, h *wire.Header) []byte {
	b = append(b, byte(h.Kind), byte(h.Flags), d.sendOf(h.Send), d.recvOf(h.Recv), byte(h.Len), byte(h.Tag))
	if r := d.eng[1].known(h.Recv); h.Kind == wire.RTRCancel || h.Kind == wire.RTRCancelAck {
		b[len(b)-4] = bit(r != nil && r.turn == h.Send) // not a send
	}
	if h.Key.Addr != 0 {
		rank := bit(h.Kind == wire.RTR)
		b = append(b, bit(d.exposed[rank][h.Key.Addr-1] != nil))
	}
	return b
}

// appendEngine adds what an engine remembers beyond its requests. The programs use two tags.
func (d *duel) appendEngine(b []byte, e *Engine) []byte {
	b = append(b, 'e', bit(e.Counters.BadPackets > 0), byte(e.posted.Len()))
	e.unexpected.Each(func(en *match.Entry[*Message]) {
		b = append(b, 'u', bit(en.Value.acked))
		b = d.appendHeader(b, &en.Value.header)
		b = append(b, en.Value.buf...)
	})
	if e.spec == nil {
		return b
	}
	for tag := range 2 {
		for peer := range 2 {
			env := envelope(peer, 0, tag)
			b = append(b, bit(e.spec.marks.has(env.Hash())))
			if s := e.spec.supplies[env]; s != nil {
				b = append(b, 'S', byte(s.race), bit(s.eager), bit(s.stopped))
				b = d.appendHistory(b, &s.used)
				for _, t := range s.kept {
					b = append(b, d.recvOf(t.recv))
				}
			}
			if g := e.spec.gates[env]; g != nil {
				b = append(b, 'G', bit(g.stop), bit(g.silent), byte(g.unused))
				b = d.appendHistory(b, &g.usable)
				b = d.appendTrial(b, &g.trial)
			}
		}
	}
	return append(b, byte(e.Counters.RTSSent), byte(e.Counters.RTRUsed))
}

func (d *duel) appendHistory(b []byte, h *history) []byte {
	if d.cfg.NoAdapt {
		return b
	}
	return append(b, byte(h.bits), byte(h.n))
}

func (d *duel) appendTrial(b []byte, t *trial) []byte {
	if d.cfg.NoAdapt {
		return b
	}
	return append(b, bit(t.resumed), byte(t.taken), byte(t.watched), byte(t.patience))
}
