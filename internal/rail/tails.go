package rail

import (
	"errors"
	"maps"
	"slices"

	"github.com/weft-mpi/weft/internal/wire"
)

// heldTail is a write whose packet cannot be delivered yet.
type heldTail struct {
	missing uint64 // bytes
	after   uint32
	packet  []byte
}

// tailsMax is how many writes of a peer may wait, and wordsMax how many frames of our own; far more than
// lanes can carry at a time, so that only a peer that has gone wild gets there.
const (
	tailsMax = 1 << 12
	wordsMax = 1 << 12
)

// tailArrived: bytes of a write are in place. What a lane brings that is gone already (late) is
// delivered by the next Poll.
func (p *peer) tailArrived(ln *lane, body []byte, late bool) {
	var t tail
	packet, err := t.parse(body)
	if err != nil {
		p.link.Counters.BadFrames++
		return
	}
	ln.tailsIn++
	if !late && t.n == t.total && !before(p.in.Expected(), t.after) {
		p.deliverTail(packet)
		return
	}
	switch h := p.holdTail(&t, packet); {
	case late:
		p.link.heard = append(p.link.heard, p)
	case h != nil:
		p.settleTail(t.id, h)
	}
}

// lateFrame takes a frame that came over a bulk lane before it was closed.
func (p *peer) lateFrame(ln *lane, frame []byte) {
	var h header
	body, err := h.parse(frame)
	if err != nil || int(h.from) != p.rank || h.kind != kTail {
		p.link.Counters.BadFrames++
		return
	}
	p.tailArrived(ln, body, true)
}

// holdTail counts the bytes that a tail tells of; it returns nil for what cannot be.
func (p *peer) holdTail(t *tail, packet []byte) *heldTail {
	h := p.bulk.tails[t.id]
	if h == nil {
		if len(p.bulk.tails) == tailsMax {
			p.link.Counters.BadFrames++
			return nil
		}
		if p.bulk.tails == nil {
			p.bulk.tails = make(map[uint32]*heldTail)
		}
		h = &heldTail{missing: t.total, after: t.after, packet: append([]byte(nil), packet...)}
		p.bulk.tails[t.id] = h
	}
	if t.n > h.missing {
		p.link.Counters.BadFrames++
		return nil
	}
	h.missing -= t.n
	return h
}

// settleLate delivers what came over lanes that are gone.
func (l *Link) settleLate() {
	heard := l.heard
	l.heard = nil
	for _, p := range heard {
		p.settleTails()
	}
}

// settleTails delivers the packets that waited for the stream.
func (p *peer) settleTails() {
	if len(p.bulk.tails) == 0 {
		return
	}
	for _, id := range slices.Sorted(maps.Keys(p.bulk.tails)) { // in order, so that nothing depends on chance
		if h := p.bulk.tails[id]; h != nil {
			p.settleTail(id, h)
		}
	}
}

func (p *peer) settleTail(id uint32, h *heldTail) {
	if h.missing == 0 && !before(p.in.Expected(), h.after) {
		delete(p.bulk.tails, id)
		p.deliverTail(h.packet)
	}
}

func (p *peer) deliverTail(packet []byte) {
	l := p.link
	if len(packet) == 0 {
		return
	}
	if rest, err := wire.Parse(packet, &l.arrived); err != nil || len(rest) != 0 || l.arrived.Payload() != 0 {
		l.Counters.BadFrames++
		return
	}
	l.sink.Arrive(p.rank, &l.arrived, nil)
}

// before compares numbers of the stream, which wrap.
func before(a, b uint32) bool { return int32(a-b) < 0 }

// graves remember how many tails came over bulk lanes that are gone.
type graves []grave

type grave struct {
	path  path
	gen   uint32
	ours  bool
	tails uint32
}

// gravesMax is how many are remembered. A peer asks soon after a lane is gone, and before it uses another one for long.
const gravesMax = 32

func (g *graves) bury(ln *lane) {
	if len(*g) == gravesMax {
		*g = (*g)[1:]
	}
	*g = append(*g, grave{ln.peer.paths[ln.path], ln.gen, ln.ours, ln.tailsIn})
}

// laneDown takes a DOWN or its answer.
func (p *peer) laneDown(k kind, body []byte) {
	var n laneName
	if n.parse(body) != nil {
		p.link.Counters.BadFrames++
		return
	}
	if k == kDown {
		p.closeFor(&n)
	} else {
		p.buried(&n)
	}
}

// closeFor closes the lane that the peer has lost and tells what came over it.
func (p *peer) closeFor(n *laneName) {
	at := path{int(n.toRail), int(n.fromRail)}
	for _, ln := range p.lanes[1:] {
		if ln != nil && ln.ah == nil && p.paths[ln.path] == at && ln.gen == n.gen && ln.ours == !n.asked {
			ln.lostTo()
		}
	}
	reply := laneName{fromRail: n.toRail, toRail: n.fromRail, asked: !n.asked, gen: n.gen}
	for _, g := range p.bulk.graves {
		if g.path == at && g.gen == n.gen && g.ours == !n.asked {
			reply.tails = g.tails
		}
	}
	p.say(kDownAck, reply.append(nil))
	p.pump()
}

// buried: the peer has closed a lane that we had lost, and tells how many of our writes it has.
func (p *peer) buried(n *laneName) {
	for i, b := range p.bulk.limbo {
		if b.name.fromRail != n.toRail || b.name.toRail != n.fromRail || b.name.gen != n.gen || b.name.asked == n.asked {
			continue
		}
		p.bulk.limbo = append(p.bulk.limbo[:i], p.bulk.limbo[i+1:]...)
		for _, a := range b.parts {
			if before(n.tails, a.tailNo) {
				p.putBack(a)
			} else {
				p.partDone(a)
			}
		}
		p.pump()
		return
	}
}

// say sends a frame of the stream that is not a packet. There is always memory for it.
func (p *peer) say(k kind, body []byte) {
	if len(p.words) == wordsMax {
		p.lose(errWild)
		return
	}
	p.words = append(p.words, word{k, body})
	p.sayAll()
}

var errWild = errors.New("it asks without end and takes no answer")

// word is a frame that waits for room in the stream.
type word struct {
	kind kind
	body []byte
}

// sayAll sends words that wait, if there is room.
func (p *peer) sayAll() {
	for len(p.words) > 0 && p.reach() {
		w := p.words[0]
		b := p.room(headerSize + len(w.body))
		if b == nil {
			break
		}
		b.n = headerSize + copy(b.mem[headerSize:], w.body)
		p.push(w.kind, b)
		p.flush()
		p.words = p.words[1:]
	}
	p.heed()
}
