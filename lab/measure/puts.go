package measure

import (
	"errors"
	"fmt"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/verbs"
)

// Puts is a rank's end of remote writes below MPI, on a network whose memory is global: everybody knows
// where everybody's memory is, so that a write needs neither registration nor an exchange of addresses
// before it. A write raises an event at its target, and its sender learns when the target's interface has
// it.
type Puts struct {
	PutsConfig
	done  [16]verbs.Completion
	taker map[uint32]verbs.QP // by number, where connections have receives of their own
}

// PutsConfig is what an end is made of. The maker owns it and closes it.
type PutsConfig struct {
	PD     verbs.PD
	CQ     verbs.CQ
	SRQ    verbs.SRQ    // where events come in; nil: each connection has receives of its own
	Lines  [][]verbs.QP // to each rank, by each rail; none to the own
	Host   clock.Clock  // of the rank's processor
	Settle func()       // has everything happen that happens until now
	Near   Neighbours   // the ranks of the node
}

// Neighbours are the ranks of a node that share memory, in virtual time.
type Neighbours interface {
	// Later has see called when ranks near this one see what it has written by now, and again when those
	// far from it do.
	Later(see func(far bool))
	// Far tells whether a rank of the node sees our writes as late as those do who are far.
	Far(rank int) bool
	// Saw charges for having found a flag of another rank raised.
	Saw()
}

// putEvents is how many events may come before a rank takes them, LineEvents how many over one connection.
const (
	putEvents  = 4096
	LineEvents = 64
)

// errPut is the class of errors of remote writes.
var errPut = errors.New("remote write")

// NewPuts makes an end whose queue pairs are being connected.
func NewPuts(c PutsConfig) (*Puts, error) {
	p := &Puts{PutsConfig: c, taker: map[uint32]verbs.QP{}}
	if c.SRQ != nil {
		return p, expect(c.SRQ, putEvents)
	}
	for _, line := range c.Lines {
		for _, qp := range line {
			p.taker[qp.Num()] = qp
			if err := expect(qp, LineEvents); err != nil {
				return nil, err
			}
		}
	}
	return p, nil
}

// expect makes room for as many events.
func expect(in interface {
	PostRecv(room []verbs.RecvWR) (int, error)
}, events int) error {
	if n, err := in.PostRecv(make([]verbs.RecvWR, events)); err != nil || n < events {
		return fmt.Errorf("%w: room for %d of %d events: %w", errPut, n, events, err)
	}
	return nil
}

// again makes room for another event in place of one that has come over a connection.
func (p *Puts) again(connection uint32) error {
	if p.SRQ != nil {
		return expect(p.SRQ, 1)
	}
	return expect(p.taker[connection], 1)
}

// Rails is by how many rails a rank can write.
func (p *Puts) Rails() int {
	for _, line := range p.Lines {
		if line != nil {
			return len(line)
		}
	}
	return 0
}

// Global makes memory known to all.
func (p *Puts) Global(buf []byte) (verbs.MR, error) {
	return p.PD.Register(buf, verbs.LocalWrite|verbs.RemoteWrite)
}

// WriteTo is a remote write.
type WriteTo struct {
	To, Rail int
	From     verbs.SGE
	Addr     uint64
	Key      uint32
	Event    uint32 // raised at the target
	ID       uint64 // told the sender when it has ended
}

func (w WriteTo) request() verbs.SendWR {
	return verbs.SendWR{ID: w.ID, Op: verbs.WriteImm, Flags: verbs.Signaled, SGL: []verbs.SGE{w.From}, RemoteAddr: w.Addr, RKey: w.Key, Imm: w.Event}
}

// Write begins a write. What it sends belongs to it until it has ended.
func (p *Puts) Write(w WriteTo) error {
	if _, err := p.Lines[w.To][w.Rail].PostSend([]verbs.SendWR{w.request()}); err != nil {
		return fmt.Errorf("%w to rank %d: %w", errPut, w.To, err)
	}
	return nil
}

// Chainer is a queue pair whose interface begins a write by itself when events have come that were marked for it.
type Chainer interface {
	Chain(wr verbs.SendWR, after ...uint32) error
}

// Chain has the interface begin a write when these events have come.
func (p *Puts) Chain(w WriteTo, after ...uint32) error {
	c, can := p.Lines[w.To][w.Rail].(Chainer)
	if !can {
		return fmt.Errorf("%w to rank %d: this network has no chains", errPut, w.To)
	}
	if err := c.Chain(w.request(), after...); err != nil {
		return fmt.Errorf("%w to rank %d: %w", errPut, w.To, err)
	}
	return nil
}

// Barrier is one of the network's hardware between nodes. A node enters it, and leave is called when all have.
type Barrier interface {
	Enter(leave func())
}

// Poll tells which writes have ended and which events have come, and how many that were.
func (p *Puts) Poll(ended func(id uint64), came func(event uint32)) (int, error) {
	n := p.CQ.Poll(p.done[:])
	for _, d := range p.done[:n] {
		switch {
		case d.Status != verbs.OK:
			return 0, fmt.Errorf("%w: %v", errPut, d.Status)
		case d.Op == verbs.RecvImm:
			if err := p.again(d.QP); err != nil {
				return 0, err
			}
			came(d.Imm)
		default:
			ended(d.ID)
		}
	}
	return n, nil
}

// Copy copies, and charges the processor for it.
func (p *Puts) Copy(dst, src []byte) {
	p.Host.Spend(clock.Copy, copy(dst, src))
}

// Together runs call as a collective operation of all ranks, to be timed; see NewGroup.
func Together(k *Rank, call func() error) *Group { return &Group{k: k, call: call} }
