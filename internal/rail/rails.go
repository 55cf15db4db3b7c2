package rail

import "github.com/weft-mpi/weft/internal/wire"

// A packet may ask for a rail (wire.Packet.Rail), and so do partners of algorithms that send on all rails
// at a time. All frames of it leave there, and a long message that it announces is read or written there,
// unless it is long enough to use all paths.
//
// The first packet to a peer decides where its express lane is made. Packets that ask for another rail have
// a side lane made there and take it as soon as it stands: until then, and if it breaks, they take the
// lanes there are. The frames of all these lanes are one stream, which the peer puts in order by their
// numbers. Side lanes end with the express lane. Which of them a frame took is remembered until it is
// acknowledged, because a side lane that breaks leaves it to the express lane.

// hintedPath is where the express lane to a peer is tried first: on the rail that the first packet asked for.
func (p *peer) hintedPath() int {
	if p.hint == 0 {
		return 0
	}
	return p.pathTo(p.hint)
}

// pathTo is the path of a rail that a packet asks for.
func (p *peer) pathTo(rail uint8) int {
	want := int(rail-1) % len(p.paths)
	if i := p.pathAt(want); i >= 0 {
		return i
	}
	return want
}

// pathAt is the first path that begins at one of our rails, or -1.
func (p *peer) pathAt(local int) int {
	for i, pa := range p.paths {
		if pa.local == local {
			return i
		}
	}
	return -1
}

// laneTo is the lane for a packet that asks for a rail: the one there, or on the next rail that has one.
// Nil is the express lane.
func (p *peer) laneTo(rail uint8) *lane {
	l := p.link
	if rail == 0 || p.express == nil || len(p.paths) < 2 || !l.traits.sides {
		return nil
	}
	want := p.pathTo(rail)
	for k := range p.paths {
		i := (want + k) % len(p.paths)
		if i == p.express.path {
			return nil
		}
		if k == 0 {
			p.dial(side, i)
		}
		if ln := p.standing(side, i); ln != nil {
			p.sided = true
			return ln
		}
	}
	return nil
}

// sameLane is the beginning of a batch that leaves by one lane.
func sameLane(frames []*buffer) []*buffer {
	for i, b := range frames {
		if b.via != frames[0].via {
			return frames[:i]
		}
	}
	return frames
}

// leaves counts the payload of a frame for the rail by which it leaves.
func (p *peer) leaves(payload int) {
	ln := p.via
	if ln == nil {
		ln = p.express
	}
	if ln != nil {
		p.link.railShort[ln.rail] += uint64(payload)
	} else {
		p.link.railShort[0] += uint64(payload) // datagrams
	}
}

// forgo has nothing leave by a side lane any more, and returns the frames that have and are not acknowledged.
func (p *peer) forgo(ln *lane) (gone []*buffer) {
	if p.via == ln {
		p.via = nil
	}
	forget := func(frames []*buffer) {
		for _, b := range frames {
			if b.via == ln {
				b.via = nil
			}
		}
	}
	forget(p.unsent)
	if p.link.holder == p {
		forget(p.link.batch)
	}
	p.out.Each(func(b *buffer) {
		if b.via == ln {
			b.via = nil
			gone = append(gone, b)
		}
	})
	return gone
}

// sideGone sends what a side lane may have lost by the express lane; the peer drops what it has. Without an
// express lane the one that will be made brings everything.
func (p *peer) sideGone(ln *lane) {
	gone := p.forgo(ln)
	if p.express == nil || p.lost != nil {
		return
	}
	for _, b := range gone {
		p.resend(0, b)
	}
	p.flush()
	if p.torn {
		p.lose(errBare)
	}
}

// closeSides closes all side lanes: the express lane is gone, and what comes after it sends everything that
// they may have lost.
func (p *peer) closeSides() {
	for i := range p.paths {
		if ln := p.lanes[p.slot(side, i)]; ln != nil {
			ln.close()
			p.forgo(ln)
		}
	}
}

// A key that travels with a packet which asks for a rail names the rail of its reader, in bits that no address has.
const (
	railShift = 60
	railMost  = 1<<(64-railShift) - 1
)

// nameRail puts the rail that a packet asks for into the key that it brings.
func (p *peer) nameRail(pk *wire.Packet) wire.Key {
	k := pk.Key
	if at := p.paths[p.pathTo(pk.Rail)].remote + 1; at <= railMost && k.Addr>>railShift == 0 {
		k.Addr |= uint64(at) << railShift
	}
	return k
}

// pathOfTransfer is the path that a long message should take, or -1. Of a read its key tells, which is left
// as the peer's device knows it.
func (p *peer) pathOfTransfer(t *transfer) int {
	at := int(t.key.Addr >> railShift)
	t.key.Addr &= 1<<railShift - 1
	switch {
	case at > 0:
		return p.pathAt(at - 1)
	case t.rail > 0:
		return p.pathTo(t.rail)
	}
	return -1
}

// appendHeader writes the header of a packet.
func (p *peer) appendHeader(b []byte, pk *wire.Packet) []byte {
	if pk.Rail == 0 || pk.Kind != wire.RTS || pk.Key == (wire.Key{}) || len(p.paths) < 2 {
		return wire.Append(b, &pk.Header)
	}
	h := &p.link.named
	*h = pk.Header
	h.Key = p.nameRail(pk)
	return wire.Append(b, h)
}
