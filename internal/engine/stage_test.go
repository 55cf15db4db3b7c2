package engine

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/weft-mpi/weft/internal/engine/record"
	"github.com/weft-mpi/weft/internal/match"
	"github.com/weft-mpi/weft/internal/wire"
)

// world drives several engines against each other without a network. Every ordered pair of ranks has a wire
// that keeps order; nothing moves until a test says so. Payload that a peer may read is only reachable while
// its sender exposes it.
type world struct {
	worldConfig
	ranks   []*node
	wires   map[pair][]*flight
	late    []*flight     // DONEs behind writes, which anything may overtake
	held    map[pair]bool // links that take packets only when told to
	reqs    map[string]*Req
	names   map[*Req]string
	datas   map[string][]byte // payload of sends, by name
	msgs    map[string]*Message
	log     func(format string, args ...any)
	now     int64
	step    int // counts what happens, for the witness
	witness witness
}

// worldConfig is what all ranks of a world have in common.
type worldConfig struct {
	eager      int
	rendezvous wire.Rendezvous
	cfg        Config
	off        string
	prefix     int
	unasked    bool  // long messages follow their RTS
	tick       int64 // nanoseconds that every event takes
}

type pair struct{ from, to int }

// node is one rank.
type node struct {
	eng     *Engine
	exposed map[wire.Key][]byte
	keys    uint64
	reads   []*Req
	begun   []int     // the steps at which they began
	writes  []*flight // payloads on their way to a peer's memory, with the packets behind them
	done    []string  // names of completed requests, in order
}

// flight is a packet on its wire. gone: its link has taken all of it.
type flight struct {
	pkt     *wire.Packet
	header  wire.Header
	payload []byte
	at      pair
	name    string // of the send that an RTR_ACK stands for, or that WITHDRAW takes back
	req     *Req   // writes
	left    int    // the step at which it left
	gone    bool
	begun   bool
	dst     []byte
	token   any
}

func newWorld(ranks, eager int) *world { return makeWorld(ranks, worldConfig{eager: eager}) }

func makeWorld(ranks int, c worldConfig) *world {
	w := &world{
		worldConfig: c, wires: map[pair][]*flight{}, held: map[pair]bool{}, reqs: map[string]*Req{},
		names: map[*Req]string{}, datas: map[string][]byte{}, msgs: map[string]*Message{},
		log: func(string, ...any) {},
	}
	for range ranks {
		w.ranks = append(w.ranks, &node{eng: New(c.cfg), exposed: map[wire.Key][]byte{}})
	}
	away = c.off
	return w
}

func (w *world) name(r *Req, name string) {
	r.Value = r
	w.reqs[name], w.names[r] = r, name
}

// pass lets time pass.
func (w *world) pass(ns int64) {
	w.now += ns
	for _, n := range w.ranks {
		n.eng.Tick(w.now)
	}
}

// during lets an event happen at a rank and tells how it moved requests.
func (w *world) during(rank int, event string, happen func()) {
	w.step++
	w.pass(w.tick)
	if w.witness.Move == nil {
		happen()
		return
	}
	eng, before := w.ranks[rank].eng, map[*Req]state{}
	for r := range w.names {
		before[r] = r.state
	}
	asked := len(eng.Actions())
	happen()
	for r, from := range before {
		if r.state != from {
			_, send := w.datas[w.names[r]]
			w.witness.Move(record.Move{Send: send, From: from.String(), To: r.state.String(), Event: event, Does: doings(eng.Actions()[asked:])})
		}
	}
}

// calls tells of a request that a rank posts.
func (w *world) calls(rank int, what string) {
	if w.witness.Call != nil {
		w.witness.Call(record.Call{Rank: rank, Step: w.step, What: what})
	}
}

// passes tells that something has come from one rank to another.
func (w *world) passes(p record.Passage) {
	if w.witness.Passage != nil {
		p.Arrived = w.step
		w.witness.Passage(p)
	}
}

// doings names actions, without those that only follow from others.
func doings(actions []Action) []string {
	var all []string
	for _, a := range actions {
		switch a.Kind {
		case SendPacket, Expose, ExposeWrite:
			all = append(all, "send "+nameOf(&a.Packet.Header))
		case StartRead:
			all = append(all, "read")
		case StartWrite:
			all = append(all, "write")
		case Complete:
			all = append(all, "complete")
		}
	}
	return all
}

// pattern fills n bytes that tell the message called name from all others.
func pattern(name string, n int) []byte {
	b := make([]byte, n)
	h := byte(17)
	for _, c := range []byte(name) {
		h = h*31 + c
	}
	for i := range b {
		b[i] = h + byte(i)*3
	}
	return b
}

func (w *world) send(name string, p pair, ctx uint32, tag, n int, mode Mode) {
	r := &Req{Buf: pattern(name, n), Mode: mode, EagerMax: w.eager, Rendezvous: w.rendezvous, Prefix: w.prefix}
	if w.unasked {
		r.Prefix = Whole
	}
	r.Envelope = match.Envelope{Ctx: ctx, Peer: int32(p.to), Tag: int32(tag)}
	w.datas[name] = r.Buf
	w.name(r, name)
	w.calls(p.from, "send "+name)
	w.during(p.from, "posted", func() { w.ranks[p.from].eng.PostSend(r) })
	w.carry(p.from)
}

func envelope(from int, ctx uint32, tag int) match.Envelope {
	return match.Envelope{Ctx: ctx, Peer: int32(from), Tag: int32(tag)}
}

func (w *world) recv(name string, rank int, e match.Envelope, n int) {
	r := &Req{Buf: make([]byte, n), EagerMax: w.eager, Rendezvous: w.rendezvous}
	r.Envelope = e
	if e.Peer == match.Any {
		r.Rendezvous = wire.Pull
	}
	w.name(r, name)
	w.calls(rank, "recv "+name)
	w.during(rank, "posted", func() { w.ranks[rank].eng.PostRecv(r) })
	w.carry(rank)
}

func (w *world) probe(name string, rank int, e match.Envelope) {
	r := &Req{}
	r.Envelope = e
	w.name(r, name)
	w.ranks[rank].eng.PostProbe(r)
	w.carry(rank)
}

// carry does what progress does with a rank's actions.
func (w *world) carry(rank int) {
	n := w.ranks[rank]
	for i := 0; i < len(n.eng.Actions()); i++ {
		a := n.eng.Actions()[i]
		switch a.Kind {
		case Expose, ExposeWrite:
			n.keys++
			a.Packet.Key = wire.Key{Addr: n.keys, Slot: uint32(rank)}
			n.exposed[a.Packet.Key] = a.Req.Exposed()
			w.fly(rank, a.Packet)
		case StartWrite:
			_, _, src := a.Req.WriteArgs()
			w.log("%d write %s len=%d", rank, w.names[a.Req], len(src))
			n.writes = append(n.writes, &flight{pkt: a.Packet, req: a.Req, left: w.step})
		case SendPacket:
			w.fly(rank, a.Packet)
		case Retract:
			n.eng.Retracted(a.Req, n.eng.Retractable(a.Req) && w.retract(rank, a.Packet))
		case Hide:
			w.log("%d hide %s", rank, w.names[a.Req])
			delete(n.exposed, a.Packet.Key)
		case StartRead:
			_, _, dst := a.Req.ReadArgs()
			w.log("%d read %s len=%d", rank, w.names[a.Req], len(dst))
			n.reads = append(n.reads, a.Req)
			n.begun = append(n.begun, w.step)
		case Cut:
			w.log("%d cut %d", rank, a.Packet.Peer)
			at := pair{rank, a.Packet.Peer}
			for _, f := range w.wires[at] {
				if !f.gone {
					n.eng.Drop(f.pkt, n.eng.PeerError(at.to))
				}
			}
			delete(w.wires, at)
		case Complete:
			w.completed(rank, a.Req)
		}
	}
	n.eng.Clear()
}

// fly puts a packet on its wire.
func (w *world) fly(rank int, p *wire.Packet) {
	at := pair{rank, p.Peer}
	w.log("%d->%d %s", at.from, at.to, describe(&p.Header))
	f := &flight{pkt: p, header: p.Header, payload: bytes.Clone(p.Data), gone: !w.held[at], at: at, left: w.step}
	if p.Kind == wire.RTRAck || p.Kind == wire.Withdraw {
		f.name = w.names[w.ranks[rank].eng.known(p.Send)]
	}
	w.wires[at] = append(w.wires[at], f)
	if f.gone {
		w.during(rank, "the link takes "+p.Kind.String(), func() { w.ranks[rank].eng.Gone(p) })
	}
}

// retract keeps a packet from leaving that its link has not taken, and nobody has seen anything of.
func (w *world) retract(rank int, p *wire.Packet) bool {
	at := pair{rank, p.Peer}
	for i, f := range w.wires[at] {
		if f.pkt == p && !f.gone && !f.begun {
			w.wires[at] = append(w.wires[at][:i:i], w.wires[at][i+1:]...)
			w.log("%d retract %s", rank, p.Kind)
			return true
		}
	}
	return false
}

// nameOf names a packet and its flags, describe tells also of what message it speaks.
func nameOf(h *wire.Header) string { return withFlags(h.Kind.String(), h.Flags) }

func describe(h *wire.Header) string {
	text := h.Kind.String()
	switch h.Kind {
	case wire.Eager, wire.Sync, wire.RTS, wire.RTR, wire.Announce:
		text = fmt.Sprintf("%v tag=%d len=%d", h.Kind, h.Tag, h.Len)
		if h.Prefix > 0 {
			text += fmt.Sprintf(" prefix=%d", h.Prefix)
		}
	case wire.CTS, wire.Data, wire.Done, wire.RTRAck:
		text = fmt.Sprintf("%v len=%d", h.Kind, h.Len)
	}
	return withFlags(text, h.Flags)
}

func withFlags(text string, flags wire.Flags) string {
	for i, name := range []string{"by-write", "", "STOP", "RESUME", "ADAPT_STOP", "ADAPT_RESUME"} {
		if flags>>i&1 != 0 && name != "" {
			text += " " + name
		}
	}
	return text
}

// completed notes the end of a request and says what a receive found.
func (w *world) completed(rank int, r *Req) {
	name := w.names[r]
	w.ranks[rank].done = append(w.ranks[rank].done, name)
	_, isSend := w.datas[name]
	for _, f := range w.wires[pair{rank, int(r.Peer)}] {
		if isSend && r.Err == nil && !f.gone && f.pkt == &r.pkt {
			panic(fmt.Sprintf("%s completes before its link has taken its packet", name))
		}
	}
	switch {
	case errors.Is(r.Err, ErrCancelled):
		w.log("%d complete %s cancelled=%v", rank, name, r.Cancelled)
	case r.Err != nil && isSend:
		w.log("%d complete %s: %v", rank, name, r.Err)
	case isSend:
		w.log("%d complete %s", rank, name)
	case r.Err != nil:
		w.log("%d complete %s from=%d tag=%d len=%d data=%s: %v", rank, name, r.Status.Peer, r.Status.Tag, r.Status.Len, w.source(r), r.Err)
	default:
		w.log("%d complete %s from=%d tag=%d len=%d data=%s", rank, name, r.Status.Peer, r.Status.Tag, r.Status.Len, w.source(r))
	}
}

// source names the send whose payload a receive's buffer holds; "-" if it holds none.
func (w *world) source(r *Req) string {
	n := min(r.Status.Len, len(r.Buf))
	if n == 0 {
		return "-"
	}
	for name, data := range w.datas {
		if len(data) >= n && bytes.Equal(data[:n], r.Buf[:n]) {
			return name
		}
	}
	return "garbage"
}

// deliver hands the oldest packet of a wire to its receiver, whole; false if there is none that could move.
func (w *world) deliver(p pair) bool {
	q := w.wires[p]
	if len(q) == 0 || !q[0].gone || q[0].begun {
		return false
	}
	f := q[0]
	if f.unasked() {
		return w.begin(p) && w.end(p)
	}
	w.wires[p] = q[1:]
	w.passes(record.Passage{From: p.from, To: p.to, Left: f.left, What: nameOf(&f.header)})
	w.during(p.to, f.header.Kind.String()+" arrives", func() { w.ranks[p.to].eng.Arrive(p.from, &f.header, f.payload) })
	w.carry(p.to)
	return true
}

// unasked tells that the packet is an RTS with all of its message. If nobody waits for it when it begins to
// arrive it is thrown away.
func (f *flight) unasked() bool {
	return f.header.Kind == wire.RTS && f.header.Prefix > 0 && f.header.Prefix == f.header.Len
}

// thrown tells that it is being thrown away.
func (f *flight) thrown() bool { return f.begun && f.unasked() && f.token == nil }

// begin delivers the first piece of the oldest packet, which need not be gone yet; end delivers the rest.
func (w *world) begin(p pair) bool {
	q := w.wires[p]
	if len(q) == 0 || q[0].begun || q[0].header.Payload() == 0 {
		return false
	}
	f := q[0]
	f.begun = true
	if f.dst, f.token = w.ranks[p.to].eng.Place(p.from, &f.header); f.token == nil && !f.unasked() {
		f.dst, f.token = w.ranks[p.to].eng.Begin(p.from, &f.header)
	}
	w.carry(p.to)
	return true
}

func (w *world) end(p pair) bool {
	q := w.wires[p]
	if len(q) == 0 || !q[0].begun || !q[0].gone {
		return false
	}
	f := q[0]
	w.wires[p] = q[1:]
	if f.thrown() {
		f.header.Prefix = 0
		w.ranks[p.to].eng.Arrive(p.from, &f.header, nil)
	} else {
		copy(f.dst, f.payload)
		w.ranks[p.to].eng.End(f.token)
	}
	w.carry(p.to)
	return true
}

// take lets the link take the oldest packet that it has not taken.
func (w *world) take(p pair) bool {
	for _, f := range w.wires[p] {
		if !f.gone {
			f.gone = true
			if f.header.Kind != f.pkt.Kind { // an RTR has come meanwhile
				f.header = f.pkt.Header
				w.log("%d->%d %s", p.from, p.to, describe(&f.header))
			}
			w.during(p.from, "the link takes "+f.pkt.Kind.String(), func() { w.ranks[p.from].eng.Gone(f.pkt) })
			w.carry(p.from)
			return true
		}
	}
	return false
}

// finishRead ends the i-th read of a rank, well or with err.
func (w *world) finishRead(rank, i int, err error) {
	n := w.ranks[rank]
	r := n.reads[i]
	n.reads = append(n.reads[:i:i], n.reads[i+1:]...)
	begun := n.begun[i]
	n.begun = append(n.begun[:i:i], n.begun[i+1:]...)
	peer, key, dst := r.ReadArgs()
	w.passes(record.Passage{From: peer, To: rank, Left: begun, What: "read"})
	if err == nil {
		src, ok := w.ranks[peer].exposed[key]
		if !ok {
			panic(fmt.Sprintf("rank %d reads memory that rank %d no longer exposes", rank, peer))
		}
		copy(dst, src)
	}
	w.during(rank, "the read ends", func() { n.eng.ReadDone(r, err) })
	w.carry(rank)
}

// finishWrite ends the i-th write of a rank: the bytes are in place, the packet behind them is on its way; or with err.
func (w *world) finishWrite(rank, i int, err error) {
	n := w.ranks[rank]
	f := n.writes[i]
	n.writes = append(n.writes[:i:i], n.writes[i+1:]...)
	peer, key, src := f.req.WriteArgs()
	w.passes(record.Passage{From: rank, To: peer, Left: f.left, What: "write"})
	dst, ok := w.ranks[peer].exposed[key]
	if !ok {
		panic(fmt.Sprintf("rank %d writes memory that rank %d no longer exposes", rank, peer))
	}
	if err == nil {
		copy(dst, src)
	}
	if err == nil && f.pkt != nil {
		w.log("%d->%d %s", rank, peer, describe(&f.pkt.Header))
		w.late = append(w.late, &flight{header: f.pkt.Header, at: pair{rank, peer}, left: w.step})
	}
	w.during(rank, "the write ends", func() { n.eng.WriteDone(f.req, err) })
	w.carry(rank)
}

// deliverLate delivers the i-th DONE that a write has left behind.
func (w *world) deliverLate(i int) {
	f := w.late[i]
	w.late = append(w.late[:i:i], w.late[i+1:]...)
	w.passes(record.Passage{From: f.at.from, To: f.at.to, Left: f.left, What: nameOf(&f.header)})
	w.during(f.at.to, f.header.Kind.String()+" arrives", func() { w.ranks[f.at.to].eng.Arrive(f.at.from, &f.header, nil) })
	w.carry(f.at.to)
}

// settle moves everything that can move, pair by pair, until all is quiet.
func (w *world) settle() {
	for moved := true; moved; {
		moved = false
		for from := range w.ranks {
			for to := range w.ranks {
				p := pair{from, to}
				for w.deliver(p) || w.end(p) {
					moved = true
				}
			}
		}
		for rank, n := range w.ranks {
			for len(n.reads) > 0 {
				w.finishRead(rank, 0, nil)
				moved = true
			}
			for len(n.writes) > 0 {
				w.finishWrite(rank, 0, nil)
				moved = true
			}
			for len(w.late) > 0 {
				w.deliverLate(0)
				moved = true
			}
		}
	}
}
