package experiments

import (
	"fmt"
	"slices"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/plan"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/sim"
	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/measure"
)

// The algorithms of chapters 3 and 4 of document 002 are programs of remote writes: on QsNetII everybody
// knows everybody's memory, so that a block is written to where it belongs, without a copy and without a
// word before it. Here the library's plans are played like that: a send is a write, its receive an event,
// and a send has ended when the target's interface has it (elan_wait). Steps within a node use its memory,
// as in the library.

// stage is a collective operation played by all ranks of a job, who share it: they run in virtual time, one at a time.
type stage struct {
	plans   []*plan.Plan
	targets [][]target        // per rank and step: where a send goes
	senders [][]int           // per rank and step: which step of its peer a receive meets
	homes   [][homes]verbs.MR // per rank: its buffers
	nodes   map[int]*neighbourhood
	players []*player
	rails   int
	staged  bool          // what is sent from In is copied first, to the same place in Tmp, which the interface knows
	blocked uint64        // sends to a rank that had not said where it wants them, behind which another send waited
	watch   *lab.Recorder // nil: nobody watches
	left    [][]int64     // per rank and step: when its last message left, a block or the word of a receive
	chain   chained       // its lists are nil if hosts begin everything
}

// What a rank has registered: the buffers of its plan, and a slot for the word of each rank that it has arrived.
const (
	words   = plan.Node + 1
	homes   = words + 1
	wordLen = 16
)

// target is the receive that a send meets.
type target struct {
	step int
	span plan.Span
}

// neighbourhood is a node.
type neighbourhood struct {
	memory []byte
	raised [2][]uint64 // per rank of all and flag: the last call in which it was raised, as those see it who are near, and who are far
}

// newStage makes a stage for the plans of all ranks.
func newStage(plans []*plan.Plan, rails int) (*stage, error) {
	ranks := len(plans)
	s := &stage{plans: plans, homes: make([][homes]verbs.MR, ranks), nodes: map[int]*neighbourhood{}, players: make([]*player, ranks), rails: max(rails, 1)}
	for rank, p := range plans {
		if s.nodes[p.Group] == nil && p.Shares() {
			n := &neighbourhood{memory: make([]byte, p.NodeLen)}
			for i := range n.raised {
				n.raised[i] = make([]uint64, ranks*p.Flags)
			}
			s.nodes[p.Group] = n
		}
		targets, err := s.aim(rank)
		if err != nil {
			return nil, err
		}
		s.targets = append(s.targets, targets)
		s.senders = append(s.senders, make([]int, len(p.Steps)))
		s.left = append(s.left, make([]int64, len(p.Steps)))
	}
	for rank, p := range plans {
		for i, st := range p.Steps {
			if st.Kind == plan.Send {
				s.senders[st.Peer][s.targets[rank][i].step] = i
			}
		}
	}
	return s, nil
}

// aim finds the receives that a rank's sends meet: the first send to a rank meets the first receive from it
// there, and so on.
func (s *stage) aim(rank int) ([]target, error) {
	targets := make([]target, len(s.plans[rank].Steps))
	sent := make([]int, len(s.plans))
	for i, st := range s.plans[rank].Steps {
		if st.Kind != plan.Send {
			continue
		}
		there := s.plans[st.Peer]
		number := sent[st.Peer]
		sent[st.Peer]++
		at := slices.IndexFunc(there.Steps, func(r plan.Step) bool {
			if r.Kind == plan.Recv && int(r.Peer) == rank {
				number--
			}
			return number < 0
		})
		switch {
		case at < 0:
			return nil, fmt.Errorf("%s: rank %d receives no message %d of rank %d", there.Name, st.Peer, sent[st.Peer], rank)
		case !isFree(there, at):
			return nil, fmt.Errorf("%s: rank %d has no place for step %d from the beginning, so nobody can write there", there.Name, st.Peer, at)
		}
		targets[i] = target{at, there.Steps[at].Dst}
	}
	return targets, nil
}

// isFree tells whether the place of a receive is free from the beginning: no step that goes before it uses it.
func isFree(p *plan.Plan, recv int) bool {
	place := p.Steps[recv].Dst
	before := slices.Clone(p.Deps(recv))
	seen := make([]bool, len(p.Steps))
	for len(before) > 0 {
		i := before[len(before)-1]
		before = before[:len(before)-1]
		if seen[i] {
			continue
		}
		seen[i] = true
		for _, s := range []plan.Span{p.Steps[i].Src, p.Steps[i].Dst} {
			if s.Buf == place.Buf && s.Off < place.End() && place.Off < s.End() {
				return false
			}
		}
		before = append(before, p.Deps(int(i))...)
	}
	return true
}

// player is one rank on a stage. It is the port of its plan.
type player struct {
	plan.Port  // plans that reduce are not played
	stage      *stage
	puts       *measure.Puts
	rank       int
	node       *neighbourhood
	run        plan.Run
	bufs       plan.Bufs
	call       uint64
	came       [2][]int  // per parity of calls and step: parts that have come
	wanted     [2][]bool // likewise: the receiver of a send has said where it wants it
	waiting    []bool    // per step: a send that waits for that
	left       []int     // per step: parts that are on their way
	ended      []int     // receives that had come before they were posted
	posted     []bool    // receives
	awaits     []await
	turn       int
	puttingOff bool         // copies to Out wait for catchUp
	putOff     []*plan.Step // copies that do
	err        error
}

// await is a flag that a step waits for.
type await struct {
	flag *uint64
	step int
}

// join makes a rank's player. All ranks of the stage join before any plays.
func (s *stage) join(k *measure.Rank, bufs plan.Bufs) (*player, error) {
	rank := k.World.Rank()
	p := &player{stage: s, puts: k.Puts, rank: rank, bufs: bufs}
	own := s.plans[rank]
	p.bufs.Tmp = make([]byte, own.TmpLen)
	if p.node = s.nodes[own.Group]; p.node != nil {
		p.bufs.Node = p.node.memory
	}
	for i, buf := range [homes][]byte{p.bufs.In, p.bufs.Out, p.bufs.Tmp, p.bufs.Node, make([]byte, wordLen*len(s.plans))} {
		if len(buf) == 0 {
			continue
		}
		mr, err := k.Puts.Global(buf)
		if err != nil {
			return nil, err
		}
		s.homes[rank][i] = mr
	}
	p.left, p.posted = make([]int, len(own.Steps)), make([]bool, len(own.Steps))
	for i := range p.came {
		p.came[i], p.wanted[i] = make([]int, len(own.Steps)), make([]bool, len(own.Steps))
	}
	p.waiting = make([]bool, len(own.Steps))
	s.players[rank] = p
	return p, nil
}

// play runs the plan once.
func (p *player) play() error {
	p.call++
	p.puts.Host.Spend(clock.Call, 1)
	clear(p.posted)
	for by := p.stage.plans[p.rank].ByArrival; by; { // who has come while we were away?
		by, _ = p.look()
	}
	finished := p.run.Start(p.stage.plans[p.rank], &p.bufs, nil, p)
	for !finished && p.err == nil {
		moved := false
		if moved, finished = p.look(); !moved {
			p.puts.CQ.Wait(-1)
		}
	}
	clear(p.came[p.call%2])
	clear(p.wanted[p.call%2])
	if p.err != nil {
		return p.err
	}
	return p.run.Err()
}

// look goes on with what has ended.
func (p *player) look() (moved, finished bool) {
	var steps []int
	n, err := p.puts.Poll(func(id uint64) {
		if id == aWord {
			return
		}
		if p.left[id]--; p.left[id] == 0 {
			steps = append(steps, int(id))
		}
	}, func(event uint32) {
		event &^= sim.ChainEvent
		step, call := int(event>>2), uint64(event&1)
		p.note(step, event&wordEvent != 0)
		if event&wordEvent != 0 {
			p.wanted[call][step] = true
			if call == p.call%2 && p.waiting[step] {
				p.waiting[step] = false
				p.write(step)
			}
			return
		}
		p.came[call][step]++
		if call == p.call%2 && p.posted[step] && p.whole(step) {
			steps = append(steps, step)
		}
	})
	if err != nil {
		p.err = err
		return true, false
	}
	steps = append(steps, p.ended...)
	p.ended = p.ended[:0]
	p.puts.Settle()
	p.awaits = slices.DeleteFunc(p.awaits, func(a await) bool {
		if *a.flag != p.call {
			return false
		}
		p.puts.Near.Saw()
		steps = append(steps, a.step)
		return true
	})
	for _, step := range steps {
		finished = p.run.Done(step, nil)
	}
	return n > 0 || len(steps) > 0, finished
}

// parts is into how many writes a message is cut.
func (p *player) parts(bytes int) int {
	if bytes > stripeOver {
		return p.stage.rails
	}
	return 1
}

// stripeOver is the longest message that goes by one rail, in the document.
const stripeOver = 1 << 10

// whole tells whether all parts of a receive have come.
func (p *player) whole(step int) bool {
	return p.came[p.call%2][step] == p.parts(p.stage.plans[p.rank].Steps[step].Dst.Len)
}

// An event tells the step that it is about, whether it is the word of a receiver, and the parity of the
// call. The end of such a word ends no step.
const (
	wordEvent = 2
	aWord     = 1 << 63
)

func (p *player) event(step int) uint32 { return uint32(step)<<2 | uint32(p.call%2) }

// Send writes to where the receiver wants it, once it has said so if the plan has it say so.
func (p *player) Send(s *plan.Step, _ []byte, step int) (gone bool) {
	if s.Way == plan.Announced && !p.wanted[p.call%2][step] {
		p.waiting[step] = true
		if p.stage.plans[p.rank].SendsAfter(step) {
			p.stage.blocked++
		}
		return false
	}
	p.write(step)
	return false
}

// write begins the writes of a send.
func (p *player) write(step int) {
	s := &p.stage.plans[p.rank].Steps[step]
	from := p.source(s)
	b := p.bufs.Bytes(&from)
	to, parts := p.stage.targets[p.rank][step], p.parts(len(b))
	home, own := p.stage.homes[s.Peer][to.span.Buf], p.stage.homes[p.rank][from.Buf]
	p.left[step] = parts
	p.stage.left[p.rank][step] = p.puts.Host.Now()
	for i := range parts {
		from, end := len(b)*i/parts, len(b)*(i+1)/parts
		w := measure.WriteTo{To: int(s.Peer), Rail: i, From: verbs.SGE{Buf: b[from:end], LKey: own.LKey()}, Addr: home.Addr() + uint64(to.span.Off+from), Key: home.RKey(),
			Event: p.event(to.step), ID: uint64(step)}
		if parts == 1 {
			w.Rail = p.rail(s)
		}
		if err := p.post(w, step); err != nil {
			p.err = err
		}
	}
}

// source is from where a message leaves: its place in the plan, or where it is copied first.
func (p *player) source(s *plan.Step) plan.Span {
	if !p.stage.staged || s.Src.Buf != plan.In {
		return s.Src
	}
	from := plan.Span{Buf: plan.Tmp, Off: s.Src.Off, Len: s.Src.Len}
	p.puts.Copy(p.bufs.Bytes(&from), p.bufs.Bytes(&s.Src))
	return from
}

// rail is by which rail a message leaves that is not cut.
func (p *player) rail(s *plan.Step) int {
	if s.Rail > 0 {
		return int(s.Rail-1) % p.stage.rails
	}
	p.turn++
	return p.turn % p.stage.rails
}

// Recv has nothing to do but to know what has come, and to tell the sender where it is wanted if the plan
// has it say so.
func (p *player) Recv(s *plan.Step, _ []byte, step int) {
	p.posted[step] = true
	if s.Way == plan.Announced {
		own, there := p.stage.homes[p.rank][words], p.stage.homes[s.Peer][words]
		at := p.rank * wordLen
		p.stage.left[p.rank][step] = p.puts.Host.Now()
		w := measure.WriteTo{To: int(s.Peer), Rail: p.rail(s), From: verbs.SGE{Buf: own.Bytes()[at : at+wordLen], LKey: own.LKey()}, Addr: there.Addr() + uint64(at), Key: there.RKey(),
			Event: p.event(p.stage.senders[p.rank][step]) | wordEvent, ID: aWord}
		if err := p.puts.Write(w); err != nil {
			p.err = err
		}
	}
	if p.whole(step) {
		p.ended = append(p.ended, step)
	}
}

// Set raises a flag of this rank.
func (p *player) Set(flag int) {
	own := p.stage.plans[p.rank]
	at, call := p.rank*own.Flags+flag, p.call
	p.puts.Near.Later(func(far bool) {
		side := 0
		if far {
			side = 1
		}
		p.node.raised[side][at] = call
		for rank, mate := range p.stage.players {
			if rank != p.rank && mate != nil && mate.node == p.node {
				mate.puts.CQ.Wake()
			}
		}
	})
}

// Await waits for a flag of a rank of the node.
func (p *player) Await(peer, flag, step int) (raised bool) {
	side := 0
	if p.puts.Near.Far(peer) {
		side = 1
	}
	a := await{&p.node.raised[side][peer*p.stage.plans[p.rank].Flags+flag], step}
	p.puts.Settle()
	if *a.flag == p.call {
		p.puts.Near.Saw()
		return true
	}
	p.awaits = append(p.awaits, a)
	return false
}

// Copy copies within the rank, or from and to the memory of its node.
func (p *player) Copy(s *plan.Step, dst, src []byte) {
	if p.puttingOff && s.Dst.Buf == plan.Out {
		p.putOff = append(p.putOff, s)
		return
	}
	p.puts.Copy(dst, src)
}

// gathered returns the memory from which the plan copies everything to Out in the end, as it stands there,
// and has these copies wait for catchUp: who goes on with what it has gathered need not wait for them. Nil
// means that there is no such memory.
func (p *player) gathered() []byte {
	var from plan.Span
	n := 0
	for i := range p.stage.plans[p.rank].Steps {
		s := &p.stage.plans[p.rank].Steps[i]
		switch {
		case s.Kind == plan.Recv && s.Dst.Buf == plan.Out:
			return nil
		case s.Kind != plan.Copy || s.Dst.Buf != plan.Out:
			continue
		case n > 0 && (s.Src.Buf != from.Buf || s.Src.Off-s.Dst.Off != from.Off):
			return nil
		}
		from = plan.Span{Buf: s.Src.Buf, Off: s.Src.Off - s.Dst.Off}
		n += s.Src.Len
	}
	if n < len(p.bufs.Out) || from.Off < 0 {
		return nil
	}
	from.Len = n
	p.puttingOff = true
	return p.bufs.Bytes(&from)
}

// catchUp makes the copies that were put off.
func (p *player) catchUp() {
	for _, s := range p.putOff {
		p.puts.Copy(p.bufs.Bytes(&s.Dst), p.bufs.Bytes(&s.Src))
	}
	p.putOff = p.putOff[:0]
}

// Arrived tells whether something of a rank has come in this call: its block, or its word where it wants one.
func (p *player) Arrived(peer int) bool {
	for i, s := range p.stage.plans[p.rank].Steps {
		if int(s.Peer) == peer && (s.Kind == plan.Recv && p.came[p.call%2][i] > 0 || s.Kind == plan.Send && p.wanted[p.call%2][i]) {
			return true
		}
	}
	return false
}

// note has who watches know of a message that has come: a block for a receive, or the word of a receiver for a send.
func (p *player) note(step int, word bool) {
	if p.stage.watch == nil {
		return
	}
	s := &p.stage.plans[p.rank].Steps[step]
	a := lab.Arrow{From: int(s.Peer), To: p.rank, Received: p.puts.Host.Now()}
	if word {
		a.What, a.Bytes, a.Sent = "here", wordLen, p.stage.left[s.Peer][p.stage.targets[p.rank][step].step]
	} else {
		a.What, a.Bytes, a.Sent = "block", s.Dst.Len, p.stage.left[s.Peer][p.stage.senders[p.rank][step]]
	}
	p.stage.watch.Arrow(a)
}

// Lend and Fetch are for ranks that copy from each other's memory, which processes of the document cannot.
func (p *player) Lend(_, _ []byte) {}

// Fetch says so.
func (p *player) Fetch(int, []byte, []byte, int) error {
	return fmt.Errorf("rank %d cannot copy from another rank's memory", p.rank)
}

// Cancel has nothing to withdraw: a play that fails ends.
func (p *player) Cancel(int) {}
