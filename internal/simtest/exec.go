package simtest

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/weft-mpi/weft/mpi"
)

// stage is what a run offers to the ranks of a program.
type stage interface {
	compute(rank int, nanos int64)           // lets time pass while the rank is outside of the library
	trace(rank int, format string, a ...any) // notes what happens
	now(rank int) int64
	within(rank int, nanos int64) (ctx context.Context, stop func()) // a context that ends so much later
}

// actor is a rank that performs its script.
type actor struct {
	rank    int
	stage   stage
	comms   map[int]*[layers]*mpi.Comm
	flights []*live
	slots   map[int]*memory
	kept    map[keptKey]*keptRequest
	claims  map[int]claim // by handle
	repeats map[int]*repeated
	pending map[int]*mpi.NewComm // by number
	parted  map[partedKey]*partedEnd
	notes   []*note    // what was received, in the order of posting
	sent    []*sending // what was sent, in order
	draws   []draw     // from windows
	step    *step      // where it is
	checked int64      // bytes that were compared with what they must be
	over    bool       // its script has ended
	crew    []*actor   // all ranks of a job in virtual time, where one runs at a time; nil on a host
	err     error

	elsewhere bool // another process performs its script: no more is known than what it sends
}

// live is a request in flight.
type live struct {
	handle int
	legal  int64
	alone  bool // it may fail, so nobody waits for it together with others
	wild   bool // only its status tells where its message came from
	req    mpi.Request
	finish func(mpi.Status, error) error
}

// claim is a message that a matched probe has taken and that is not received yet, with what was asked for.
type claim struct {
	m *mpi.Message
	n *note
}

// note is one receive or probe of a rank, as it was asked for and what came of it.
type note struct {
	r         *receiving
	comm      *group
	layer     layer
	from, tag int // or mpi.AnySource, mpi.AnyTag
	kind      noteKind
	done      bool
	st        mpi.Status
	cut       bool   // the message was longer than the room
	id        int    // what the data said it is; 0: too short
	short     []byte // such data
	keep      []byte // what must still be there at the end, if nobody else uses the buffer
	keepID    int
}

type noteKind uint8

const (
	took      noteKind = iota // received
	saw                       // found by a probe, and left
	withdrawn                 // cancelled
)

func newActor(rank int, st stage) *actor {
	return &actor{rank: rank, stage: st, comms: map[int]*[layers]*mpi.Comm{}, slots: map[int]*memory{}, kept: map[keptKey]*keptRequest{},
		claims: map[int]claim{}, repeats: map[int]*repeated{}, pending: map[int]*mpi.NewComm{}, parted: map[partedKey]*partedEnd{}}
}

// elsewhere is a rank whose script another process performs.
func elsewhere(rank int, script []*step) *actor {
	a := &actor{rank: rank, elsewhere: true}
	for _, s := range script {
		if s.kind == doSend || s.kind == doExchange {
			a.sent = append(a.sent, s.send)
		}
	}
	return a
}

// perform takes all steps of the script.
func (a *actor) perform(world *mpi.Comm, script []*step) error {
	a.comms[0] = &[layers]*mpi.Comm{tame: world}
	for _, s := range script {
		a.step = s
		a.stage.trace(a.rank, "%v", s)
		if err := a.take(s); err != nil {
			a.err = fmt.Errorf("%v: %w", s, err)
			a.stage.trace(a.rank, "failed: %v", err)
			return a.err
		}
	}
	for _, k := range a.kept {
		if err := k.req.Free(); err != nil {
			return fmt.Errorf("free a persistent request: %w", err)
		}
	}
	a.over = true
	a.stage.trace(a.rank, "has ended")
	return nil
}

// take takes one step.
func (a *actor) take(s *step) error {
	switch s.kind {
	case doSend:
		return a.send(s)
	case doRecv:
		return a.receive(s)
	case doReplace:
		if !s.recv.withdrew {
			return nil
		}
		return a.receivePlain(&step{key: s.key, block: true, handle: s.recv.flight.handle}, s.recv)
	case doTake:
		return a.takeClaimed(s, s.recv)
	case doWait:
		return a.wait(s)
	case doCancel:
		return a.cancel(s)
	case doCollective:
		return a.collective(s)
	case doShare:
		return a.share(s.share)
	case doImpatient:
		return a.impatient(s.hurry)
	case doMake:
		return a.makeComm(s)
	case doMade:
		c, err := a.pending[s.make.ID].Wait()
		if err != nil {
			return err
		}
		delete(a.pending, s.make.ID)
		return a.given(s, c)
	case doParted:
		return a.inParts(s)
	case doBrief:
		return a.brief(s.brief)
	case doLayers:
		return a.makeLayers(s.comm)
	case doFree:
		return a.freeComm(s.comm)
	case doGlance:
		return a.glance(s)
	case doExchange:
		return a.exchange(s)
	case doCompute:
		a.stage.compute(a.rank, s.nanos)
	}
	return nil
}

// comm is the communicator of a group's layer.
func (a *actor) comm(g *group, l layer) *mpi.Comm { return a.comms[g.number][l] }

// fly adds a request.
func (a *actor) fly(l *live) { a.flights = append(a.flights, l) }

// find returns a request in flight, nil if it has ended.
func (a *actor) find(handle int) *live {
	i := slices.IndexFunc(a.flights, func(l *live) bool { return l.handle == handle })
	if i < 0 {
		return nil
	}
	return a.flights[i]
}

// land ends a request.
func (a *actor) land(l *live, st mpi.Status, err error) error {
	a.flights = slices.DeleteFunc(a.flights, func(m *live) bool { return m == l })
	a.stage.trace(a.rank, "#%d is done: %+v %v", l.handle, st, err)
	if err := l.finish(st, err); err != nil {
		return fmt.Errorf("request #%d: %w", l.handle, err)
	}
	return nil
}

// makeComm makes a communicator, or begins to.
func (a *actor) makeComm(s *step) error {
	parent, me := a.comm(s.comm, tame), s.comm.rankOf(a.rank)
	var c *mpi.Comm
	var err error
	switch m := s.make; m.How {
	case "graph", "grid", "hood":
		c, err = a.makeNear(parent, m, me)
	case "dup":
		c, err = parent.Dup()
	case "idup":
		a.pending[m.ID], err = parent.Idup()
		return err
	case "create", "group":
		c, err = a.makeOf(parent, s)
	case "inter":
		c, err = a.makeInter(parent, m, me)
	case "merge":
		c, err = parent.Merge((me >= s.comm.first) == (m.High > 0))
	case "split":
		color := m.Colors[me]
		if color < 0 {
			color = mpi.Undefined
		}
		c, err = parent.Split(color, m.Keys[me])
	}
	if err != nil {
		return err
	}
	return a.given(s, c)
}

// makeOf makes a communicator of some ranks, which all ranks call, or those alone.
func (a *actor) makeOf(parent *mpi.Comm, s *step) (*mpi.Comm, error) {
	n := s.groups[0]
	ranks := make([]int, len(n.members))
	for i, world := range n.members {
		ranks[i] = s.comm.rankOf(world)
	}
	if s.make.How == "group" && n.rankOf(a.rank) < 0 {
		return nil, nil
	}
	g, err := parent.Group().Incl(ranks...)
	if err != nil {
		return nil, err
	}
	if s.make.How == "group" {
		return parent.CreateGroup(g, s.make.ID)
	}
	return parent.Create(g)
}

// given takes a communicator that was made, if it is the one that it should be.
func (a *actor) given(s *step, c *mpi.Comm) error {
	i := slices.IndexFunc(s.groups, func(g *group) bool { return g.rankOf(a.rank) >= 0 })
	switch {
	case i < 0 && c != nil:
		return errors.New("a rank outside the new communicator got one")
	case i < 0:
		return nil
	case c == nil:
		return errors.New("a rank of the new communicator got none")
	}
	g := s.groups[i]
	me, remote := g.rankOf(a.rank), 0
	if r := c.Remote(); r != nil {
		remote = r.Size()
	}
	if own, others := g.size(me); c.Rank() != g.called(me) || c.Size() != own || remote != others {
		return fmt.Errorf("the new communicator has us as rank %d of %d, and %d in the other group; should be %d of %d, and %d",
			c.Rank(), c.Size(), remote, g.called(me), own, others)
	}
	a.comms[g.number] = &[layers]*mpi.Comm{tame: c}
	if g.near != nil {
		return checkNear(c, g.near)
	}
	return nil
}

// makeLayers makes the communicators that stand beside one.
func (a *actor) makeLayers(g *group) (err error) {
	all := a.comms[g.number]
	for l := wild; l < layers && err == nil; l++ {
		if g.used[l] {
			all[l], err = all[tame].Dup()
		}
	}
	return err
}

// freeComm frees them all.
func (a *actor) freeComm(g *group) error {
	for _, c := range slices.Backward(a.comms[g.number][:]) {
		if c == nil {
			continue
		}
		if err := c.Free(); err != nil {
			return err
		}
	}
	delete(a.comms, g.number)
	return nil
}

// glance looks at what there is, without waiting for anything.
func (a *actor) glance(s *step) error {
	if s.probe {
		n := &note{comm: s.comm, from: mpi.AnySource, tag: mpi.AnyTag, kind: saw}
		st, found, err := mpi.Iprobe(a.comm(s.comm, tame), mpi.AnySource, mpi.AnyTag)
		if found {
			st.Source = s.comm.heard(s.comm.rankOf(a.rank), st.Source)
			n.st, n.done = st, true
			a.notes = append(a.notes, n)
		}
		return err
	}
	pending := a.together(a.flights)
	if len(pending) == 0 {
		return nil
	}
	switch s.how {
	case TestAny, Any, TestSome, Some:
		_, err := a.testSome(pending)
		return err
	case TestAll, All:
		_, err := a.testAll(pending)
		return err
	}
	l := pending[0]
	st, done, err := l.req.Test()
	if done || err != nil {
		return a.land(l, st, err)
	}
	return nil
}
