package engine

import (
	"errors"
	"fmt"
	"slices"

	"github.com/weft-mpi/weft/internal/match"
	"github.com/weft-mpi/weft/internal/wire"
)

// A duel is two engines on a link that speculates: rank 0 sends, rank 1 receives. It is world without names, logs and
// maps, because it is played millions of times. Packets of one direction keep their order; payloads that are written,
// and the DONE behind each, take as long as they like.
type duel struct {
	*duelProgram
	eng     [2]*Engine
	wires   [2][]duelPacket // by sender
	backlog []*wire.Packet  // of rank 0, while its link is busy
	exposed [2][][]byte     // by rank and key; nil when hidden
	reads   []*Req
	writes  []duelWrite
	dones   []wire.Header
	sends   []Req
	recvs   []Req
	claimed []*Message // by receives to come
	sent    int
	posted  int
	asked   int // bits: receives whose cancel has been asked for
	left    int // bits: sends whose cancel has been
	fault   error
}

type duelPacket struct {
	header wire.Header
	data   []byte
}

type duelWrite struct {
	req  *Req
	then *wire.Packet
}

// duelProgram is what the two ranks do, each in its order.
type duelProgram struct {
	sends []duelSend
	recvs []duelRecv
	cfg   Config
	off   string // the rule that both engines lack
	busy  bool   // rank 0's link takes packets only when a step says so
	// The link of a rank may speculate only after its first sends or receives; until then it says pull to the sends.
	lateSends, lateRecvs int
	pull                 wire.Rendezvous
}

type duelSend struct {
	len, tag int
	mode     Mode
	cancel   bool // cancelled at any time after the post
}

type duelRecv struct {
	from, tag, room int
	cancel          bool // cancelled at any time after the post
	claim           bool // taken by a matched probe and received later
}

func (s duelSend) String() string {
	return fmt.Sprintf("%d bytes tag %d mode %d", s.len, s.tag, s.mode)
}

const duelEager = 16

func newDuel(p *duelProgram) *duel {
	d := &duel{
		duelProgram: p, sends: make([]Req, len(p.sends)), recvs: make([]Req, len(p.recvs)), claimed: make([]*Message, len(p.recvs)),
	}
	for i := range d.eng {
		d.eng[i] = New(p.cfg)
	}
	away = p.off
	return d
}

// The steps: what can happen next. Those with a number concern one of several.
const (
	stepSend = iota << 4
	stepRecv
	stepOut  // a packet reaches rank 1
	stepBack // a packet reaches rank 0
	stepTake // the busy link takes a packet
	stepRead
	stepWrite
	stepDone
	stepCancel
	stepFetch // a claimed message is received
	stepLeave // a send is cancelled
)

var stepNames = []string{"send", "recv", "out", "back", "take", "read", "write", "done", "cancel", "fetch", "leave"}

func describeSteps(path []uint8) string {
	s := ""
	for _, p := range path {
		s += fmt.Sprintf("%s%d ", stepNames[p>>4], p&15)
	}
	return s
}

// steps lists what can happen next.
func (d *duel) steps(all []uint8) []uint8 {
	if d.sent < len(d.duelProgram.sends) {
		all = append(all, stepSend)
	}
	if d.posted < len(d.duelProgram.recvs) && d.canReceive() {
		all = append(all, stepRecv)
	}
	if len(d.wires[0]) > 0 {
		all = append(all, stepOut)
	}
	if len(d.wires[1]) > 0 {
		all = append(all, stepBack)
	}
	if len(d.backlog) > 0 {
		all = append(all, stepTake)
	}
	for i := range d.reads {
		all = append(all, stepRead|uint8(i))
	}
	for i := range d.writes {
		all = append(all, stepWrite|uint8(i))
	}
	for i := range d.dones {
		all = append(all, stepDone|uint8(i))
	}
	for i, s := range d.duelProgram.sends[:d.sent] {
		if s.cancel && d.left>>i&1 == 0 {
			all = append(all, stepLeave|uint8(i))
		}
	}
	for i, v := range d.duelProgram.recvs[:d.posted] {
		if v.cancel && d.asked>>i&1 == 0 {
			all = append(all, stepCancel|uint8(i))
		}
		if d.claimed[i] != nil {
			all = append(all, stepFetch|uint8(i))
		}
	}
	return all
}

// canReceive tells whether the next receive can be started: a claim needs its message.
func (d *duel) canReceive() bool {
	v := d.duelProgram.recvs[d.posted]
	_, ok := d.eng[1].Peek(envelope(v.from, 0, v.tag))
	return ok || !v.claim
}

func (d *duel) step(s uint8) {
	for _, e := range d.eng {
		e.Tick(e.now + 100) // a silent receive looks early enough for an RTR
	}
	i := int(s & 15)
	switch s &^ 15 {
	case stepSend:
		d.startSend()
	case stepRecv:
		d.startRecv()
	case stepOut:
		d.deliver(0)
	case stepBack:
		d.deliver(1)
	case stepTake:
		p := d.backlog[0]
		d.backlog = d.backlog[1:]
		d.fly(0, p)
		d.carry(0)
	case stepRead:
		r := d.reads[i]
		d.reads = append(d.reads[:i:i], d.reads[i+1:]...)
		_, key, dst := r.ReadArgs()
		copy(dst, d.memory(0, key, "reads"))
		d.eng[1].ReadDone(r, nil)
		d.carry(1)
	case stepWrite:
		w := d.writes[i]
		d.writes = append(d.writes[:i:i], d.writes[i+1:]...)
		_, key, src := w.req.WriteArgs()
		copy(d.memory(1, key, "writes"), src)
		if w.then != nil {
			d.dones = append(d.dones, w.then.Header)
		}
		d.eng[0].WriteDone(w.req, nil)
		d.carry(0)
	case stepDone:
		h := d.dones[i]
		d.dones = append(d.dones[:i:i], d.dones[i+1:]...)
		d.eng[1].Arrive(0, &h, nil)
		d.carry(1)
	case stepCancel:
		d.asked |= 1 << i
		d.eng[1].Cancel(&d.recvs[i])
		d.carry(1)
	case stepLeave:
		d.left |= 1 << i
		d.eng[0].Cancel(&d.sends[i])
		d.carry(0)
	case stepFetch:
		d.eng[1].RecvClaimed(&d.recvs[i], d.claimed[i])
		d.claimed[i] = nil
		d.carry(1)
	}
}

func (d *duel) startSend() {
	s, r := d.duelProgram.sends[d.sent], &d.sends[d.sent]
	d.sent++
	r.Buf = make([]byte, s.len)
	for i := range r.Buf {
		r.Buf[i] = byte(d.sent)
	}
	r.Envelope, r.Mode = envelope(1, 0, s.tag), s.mode
	r.EagerMax, r.Rendezvous = duelEager, wire.Speculate
	if d.sent <= d.lateSends {
		r.Rendezvous = d.pull
	}
	d.eng[0].PostSend(r)
	d.carry(0)
}

func (d *duel) startRecv() {
	i := d.posted
	v, r := d.duelProgram.recvs[i], &d.recvs[i]
	r.Buf = make([]byte, v.room)
	r.Envelope = envelope(v.from, 0, v.tag)
	r.EagerMax, r.Rendezvous = duelEager, wire.Speculate
	if v.from == match.Any || i < d.lateRecvs {
		r.Rendezvous = wire.Pull
	}
	d.posted++
	if v.claim {
		d.claimed[i] = d.eng[1].Claim(r.Envelope)
	} else {
		d.eng[1].PostRecv(r)
	}
	d.carry(1)
}

func (d *duel) deliver(from int) {
	p := d.wires[from][0]
	d.wires[from] = d.wires[from][1:]
	d.eng[1-from].Arrive(from, &p.header, p.data)
	d.carry(1 - from)
}

// memory is what a rank exposes under a key.
func (d *duel) memory(rank int, k wire.Key, verb string) []byte {
	if k.Addr == 0 || int(k.Addr) > len(d.exposed[rank]) || d.exposed[rank][k.Addr-1] == nil {
		if d.fault == nil {
			d.fault = fmt.Errorf("a peer %s memory that rank %d no longer exposes", verb, rank)
		}
		return nil
	}
	return d.exposed[rank][k.Addr-1]
}

func (d *duel) fly(rank int, p *wire.Packet) {
	d.wires[rank] = append(d.wires[rank], duelPacket{p.Header, slices.Clone(p.Data)})
	d.eng[rank].Gone(p)
}

func (d *duel) carry(rank int) {
	e := d.eng[rank]
	for i := 0; i < len(e.Actions()); i++ {
		a := e.Actions()[i]
		switch a.Kind {
		case Expose, ExposeWrite, SendPacket:
			if a.Kind != SendPacket {
				d.exposed[rank] = append(d.exposed[rank], a.Req.Exposed())
				a.Packet.Key = wire.Key{Addr: uint64(len(d.exposed[rank]))}
			}
			if rank == 0 && d.busy {
				d.backlog = append(d.backlog, a.Packet)
				break
			}
			d.fly(rank, a.Packet)
		case Hide:
			if d.memory(rank, a.Packet.Key, "hides") != nil {
				d.exposed[rank][a.Packet.Key.Addr-1] = nil
			}
		case StartRead:
			d.reads = append(d.reads, a.Req)
		case StartWrite:
			d.writes = append(d.writes, duelWrite{a.Req, a.Packet})
		case Retract:
			at := slices.Index(d.backlog, a.Packet)
			kept := at >= 0 && e.Retractable(a.Req)
			if kept {
				d.backlog = slices.Delete(d.backlog, at, at+1)
			}
			e.Retracted(a.Req, kept)
		case Complete:
			if rank == 0 { // the buffer is the program's again, which uses it for something else
				for i := range a.Req.Buf {
					a.Req.Buf[i] = 255
				}
			}
		}
	}
	e.Clear()
}

// holds tells which send's bytes a finished receive holds: its number plus one, 0 for none, -1 for a mixture.
func (d *duel) holds(i int) int {
	r := &d.recvs[i]
	n := min(r.Status.Len, len(r.Buf))
	if n == 0 {
		return 0
	}
	for _, b := range r.Buf[:n] {
		if b != r.Buf[0] {
			return -1
		}
	}
	return int(r.Buf[0])
}

// expected is MPI's answer once it is known which requests were cancelled: the send of each receive, or -1.
func (d *duel) expected() []int {
	taken, got := 0, make([]int, len(d.recvs))
	for i, v := range d.duelProgram.recvs {
		got[i] = -1
		if d.recvs[i].Cancelled || i >= d.posted {
			continue
		}
		for j, s := range d.duelProgram.sends {
			if !d.sends[j].Cancelled && taken>>j&1 == 0 && (v.tag == match.Any || v.tag == s.tag) {
				got[i] = j
				taken |= 1 << j
				break
			}
		}
	}
	return got
}

// check holds the end of a duel against MPI's answer.
func (d *duel) check() error {
	if d.fault != nil {
		return d.fault
	}
	met, over := 0, true
	for i, j := range d.expected() {
		r := &d.recvs[i]
		if r.Cancelled {
			continue
		}
		if j < 0 {
			over = over && i >= d.posted
			if i < d.posted && r.Done() {
				return fmt.Errorf("receive %d has completed without a message", i)
			}
			continue
		}
		met |= 1 << j
		s := d.duelProgram.sends[j]
		want := Status{Tag: int32(s.tag), Len: min(s.len, len(r.Buf))}
		if !r.Done() || r.Status != want || errors.Is(r.Err, ErrTruncate) != (s.len > len(r.Buf)) {
			return fmt.Errorf("receive %d: state %s, %+v, error %v; want send %d", i, r.State(), r.Status, r.Err, j)
		}
		if got := d.holds(i); got != j+1 && want.Len > 0 {
			return fmt.Errorf("receive %d holds the bytes of send %d, want send %d", i, got-1, j)
		}
	}
	long := uint64(0)
	for j, s := range d.duelProgram.sends {
		r, received := &d.sends[j], met>>j&1 != 0
		waits := s.mode == Sync || s.len > duelEager
		if want := received || !waits || s.cancel; r.Done() != want || r.Cancelled != errors.Is(r.Err, ErrCancelled) {
			return fmt.Errorf("send %d: state %s, error %v, received: %v", j, r.State(), r.Err, received)
		}
		over = over && (received || r.Cancelled)
		if s.len > duelEager {
			long++
		}
	}
	if err := d.checkBooks(long, over); err != nil {
		return fmt.Errorf("%w: %w", errBooks, err)
	}
	return nil
}

// errBooks: every message has landed where it should, but the engines have kept or counted something wrong.
var errBooks = errors.New("books")

// checkBooks looks at what the engines have counted and kept; over: every message has met its receive.
func (d *duel) checkBooks(long uint64, over bool) error {
	c := &d.eng[0].Counters
	if c.RTSSent+c.RTRUsed != long {
		return fmt.Errorf("%d long sends, but %d RTS and %d RTRs used", long, c.RTSSent, c.RTRUsed)
	}
	for i, e := range d.eng {
		if e.Counters.BadPackets > 0 {
			return fmt.Errorf("rank %d saw %d bad packets", i, e.Counters.BadPackets)
		}
		if !over {
			continue
		}
		if used := len(e.ids) - len(e.freeIDs); used != 0 || e.posted.Len() != 0 || e.unexpected.Len() != 0 || e.spec != nil && e.spec.offers.Len()+e.spec.debts.Len() != 0 {
			return fmt.Errorf("rank %d: %d named requests, %d receives, %d messages left", i, used, e.posted.Len(), e.unexpected.Len())
		}
		for _, b := range d.exposed[i] {
			if b != nil {
				return fmt.Errorf("rank %d still exposes memory", i)
			}
		}
	}
	if over && d.eng[0].spec != nil {
		for _, s := range d.eng[0].spec.supplies {
			if len(s.kept) > 0 && !s.eager {
				return fmt.Errorf("%d RTRs left that a send would use", len(s.kept))
			}
		}
	}
	return nil
}
