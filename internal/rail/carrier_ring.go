package rail

import (
	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/wire"
)

// ringState is the pair of rings between two peers: one that the peer writes into, in our memory, and one in its
// memory that we write into. A slot holds one frame; writing it consumes a receive, which tells its owner, so that it
// may sleep; the receive's own buffer stays untouched and is posted again at once.
type ringState struct {
	in struct {
		mem   []byte
		mr    verbs.MR
		slots uint16
		freed uint16 // slots emptied since the ring was made
	}
	out struct {
		addr  uint64
		key   uint32
		slots uint16
		size  int
		at    uint16 // the next slot
		used  uint16 // slots written since the ring was made, modulo 2^16
		freed uint16 // slots that the peer has emptied, likewise
	}
}

// ringSlotsMax keeps counts of slots, which are modulo 2^16, apart.
const ringSlotsMax = 1 << 14

// rings is a carrier with rings: frames that find a slot in the peer's ring are written there.
type rings struct{ carrier }

func (r rings) send(p *peer, frames []*buffer) (done int) {
	if p.ring.out.slots > 0 && frames[0].via == nil {
		done = p.sendRing(frames)
	}
	if done < len(frames) {
		done += r.carrier.send(p, frames[done:])
	}
	return done
}

func (r rings) gone(p *peer) {
	p.ring.out.slots = 0
	p.ring.dropIn(p)
}

// earn gives a peer a ring once it has sent enough of what travels by rings.
func (r rings) earn(p *peer, ln *lane) {
	r.carrier.earn(p, ln)
	l := p.link
	if p.ring.in.slots > 0 || p.ringable < uint64(l.cfg.RingAfter) || l.rings >= l.cfg.RingPeers {
		return
	}
	slots := min(l.cfg.RingBytes/l.cfg.Vbuf, ringSlotsMax)
	if slots == 0 { // it would hold no frame
		return
	}
	mem := make([]byte, l.cfg.RingBytes)
	mr, err := l.mem.Register(mem, verbs.LocalWrite|verbs.RemoteWrite)
	if err != nil {
		return
	}
	l.addMemory(len(mem))
	l.rings++
	l.Counters.Rings++
	p.ring.in.mem, p.ring.in.mr, p.ring.in.slots, p.ring.in.freed = mem, mr, uint16(slots), 0
	o := ringOffer{addr: mr.Addr(), key: mr.RailKey(p.express.rail), slots: uint16(slots), size: uint32(l.cfg.Vbuf)}
	if !p.sendControl(kRing, o.append(l.scratch[:0])) {
		p.ring.dropIn(p)
	}
}

// word: the peer has a ring for us, or no longer. Rings belong to the express lane.
func (rings) word(p *peer, k kind, body []byte, ln *lane) {
	var o ringOffer
	if k != kRing || o.parse(body) != nil || o.size < headerSize || ln == nil || ln != p.express {
		p.link.Counters.BadFrames++
		return
	}
	r := &p.ring.out
	r.addr, r.key, r.slots, r.size, r.at, r.used, r.freed = o.addr, o.key, o.slots, int(o.size), 0, 0, 0
}

// emptied takes the peer's word for how many slots are free again.
func (r *ringState) emptied(freed uint16) {
	if r.out.used-freed <= r.out.slots {
		r.out.freed = freed
	}
}

// sendRing writes frames into the peer's ring and tells how many found a slot. Control packets of long messages do
// not use it, as in the seeds; neither do frames that were sent before.
func (p *peer) sendRing(frames []*buffer) (n int) {
	l, r := p.link, &p.ring.out
	for _, b := range frames {
		if r.used-r.freed >= r.slots || b.n+len(b.user) > r.size || b.again ||
			!eager(kind(b.mem[0]), b.mem[headerSize:b.n]) {
			break
		}
		p.stamp(b.mem)
		slot := r.at
		wrs := l.wrs[:1]
		wrs[0] = verbs.SendWR{ID: idSend, Op: verbs.WriteImm, SGL: l.gather(0, b), RemoteAddr: r.addr + uint64(slot)*uint64(r.size),
			RKey: r.key, Imm: uint32(slot)}
		if b.user != nil {
			wrs[0].ID, wrs[0].Flags = b.id(), verbs.Signaled
		}
		p.express.mark(&wrs[0], 1)
		if k, _ := p.express.qp.PostSend(wrs); k != 1 {
			break
		}
		if b.user != nil {
			p.express.hold(b)
		}
		r.used++
		r.at = (r.at + 1) % r.slots
		n++
		l.Counters.EagerRing++
	}
	return n
}

// eager tells whether a frame is an eager packet: rings carry these, and those who send many get one.
func eager(k kind, body []byte) bool {
	return k == kRepeat || k == kWhole && len(body) > 0 && wire.Kind(body[0]) == wire.Eager
}

// inRing takes a frame that the peer has written into our ring.
func (p *peer) inRing(ln *lane, c *verbs.Completion) {
	in := &p.ring.in
	size := p.link.cfg.Vbuf
	if in.slots == 0 || c.Imm >= uint32(in.slots) || c.Len > size {
		p.link.Counters.BadFrames++
		return
	}
	at := int(c.Imm) * size
	in.freed++
	frame := in.mem[at : at+c.Len]
	if c.Len >= headerSize && le.Uint32(frame[8:]) == p.in.Expected() {
		p.frame(nil, frame, ln) // it is not kept
		return
	}
	b := p.link.recvPool.get()
	if b == nil {
		return
	}
	b.n = copy(b.mem, frame)
	p.link.spend(clock.Copy, b.n)
	if !p.frame(b, b.mem[:b.n], ln) {
		b.pool.put(b)
	}
}

// dropIn takes the ring back that the peer writes into.
func (r *ringState) dropIn(p *peer) {
	if r.in.slots == 0 {
		return
	}
	l := p.link
	_ = r.in.mr.Close()
	l.addMemory(-len(r.in.mem))
	l.rings--
	r.in.mem, r.in.mr, r.in.slots, r.in.freed = nil, nil, 0, 0
}
