package comm

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/plan"
	"github.com/weft-mpi/weft/internal/wire"
)

// Two groups in one communicator: messages go from each to the other, and collectives between them. Below, it
// is a communicator of all ranks, those of the first group before those of the second; plans are of all of
// them, and so are its context, its memory and its end. What a program sees are ranks of the groups.

// twoGroups is what a rank sees of the groups.
type twoGroups struct {
	first         int // ranks of the first group
	before        int // ranks before those of our own group
	local, remote *Group
}

// Root is the root of a call between two groups, for the root itself; others of its group give ProcNull.
const Root = -4

// pairUp makes two groups of the ranks, the first of which has so many.
func (c *core) pairUp(first int) {
	t := &twoGroups{first: first, local: NewGroup(c.group.procs[:first:first]), remote: NewGroup(c.group.procs[first:])}
	if c.rank >= first {
		t.before, t.local, t.remote = first, t.remote, t.local
	}
	c.two, c.peers = t, t.remote
}

// Remote is the other group, if there are two; else nil.
func (c *Comm) Remote() *Group {
	if c.two == nil || c.whole {
		return nil
	}
	return c.two.remote
}

// between tells whether calls are between two groups.
func (c *Comm) between() bool { return c.two != nil && !c.whole }

// oneGroup refuses what is not for two groups.
func (c *Comm) oneGroup(op string) error {
	if c.between() {
		return c.fail(op, ErrTwo)
	}
	return nil
}

// asOne is the communicator with calls of all ranks.
func (c *Comm) asOne() *Comm {
	if c.two == nil {
		return c
	}
	return &Comm{core: c.core, goctx: c.goctx, choosing: c.choosing, label: c.label, whole: true}
}

// Intercomm makes a communicator of two groups: that of c, all ranks of which call it, and the one whose ranks
// call it with our leader as theirs. The leaders, one rank of each group, reach each other in bridge, by
// messages with this tag; the bridge and the other leader's rank there do not matter to others.
func (c *Comm) Intercomm(leader int, bridge *Comm, remote, tag int) (*Comm, error) {
	const op = "intercomm"
	switch {
	case c.state.Load() != usable:
		return nil, c.unusable(op)
	case c.between():
		return nil, c.fail(op, fmt.Errorf("%w: each of them has to be in a communicator of its own", ErrTwo))
	case uint(leader) >= uint(c.Size()):
		return nil, c.fail(op, fmt.Errorf("%w: leader %d; the communicator has ranks 0 to %d", ErrRank, leader, c.Size()-1))
	}
	var news introduction
	var err error
	if c.rank == leader {
		news, err = c.meet(bridge, remote, tag)
	}
	own := c.rank == leader && err == nil && c.env.Self < news.procs[0] // the number is
	if news, err = c.spreadNews(op, leader, news, err); err != nil {
		if own {
			c.env.withdraw(news.id)
		}
		return nil, err
	}
	if c.rank != leader {
		bridge = nil
	}
	return c.join(op, leader, bridge, remote, tag, news)
}

// introduction is what leaders tell each other, and then their groups: the number of the new communicator,
// which the leader of the first group gives it, and the processes of the other group with its leader before them.
type introduction struct {
	id    uint32
	procs []int // the leader's, then all
}

func (n introduction) bytes() []byte {
	b := binary.LittleEndian.AppendUint32(nil, n.id)
	for _, p := range n.procs {
		b = binary.LittleEndian.AppendUint32(b, uint32(p))
	}
	return b
}

func parseIntroduction(b []byte) (n introduction) {
	n.id = binary.LittleEndian.Uint32(b)
	for b = b[4:]; len(b) >= 4; b = b[4:] {
		n.procs = append(n.procs, int(binary.LittleEndian.Uint32(b)))
	}
	return n
}

// meet exchanges introductions with the other leader. That of the first group, whose leader's process has the
// lower number, has the number of the new communicator.
func (c *Comm) meet(bridge *Comm, remote, tag int) (theirs introduction, err error) {
	if bridge == nil || bridge.between() {
		return theirs, fmt.Errorf("%w: the leaders need a bridge, a communicator of one group that has both", ErrComm)
	}
	peer, ok, err := bridge.target("intercomm", remote, tag)
	if err != nil || !ok || peer.Peer == c.env.Self {
		return theirs, fmt.Errorf("%w: rank %d of the bridge cannot lead the other group (%v)", ErrRank, remote, err)
	}
	if bridge.littered.Load() {
		return theirs, errLittered
	}
	id, err := c.env.propose()
	if err != nil {
		return theirs, err
	}
	own := introduction{id: id, procs: append([]int{c.env.Self}, c.group.procs...)}
	b, err := bridge.swap(own.bytes(), remote, tag)
	if err != nil {
		c.env.withdraw(id)
		return theirs, err
	}
	theirs = parseIntroduction(b)
	switch {
	case overlap(c.group, theirs.procs[1:]) >= 0:
		c.env.withdraw(id)
	case c.env.Self < theirs.procs[0]:
		theirs.id = id
	default:
		c.env.withdraw(id)
	}
	return theirs, nil
}

// overlap is the first of the processes that is in the group, too; -1 if none is.
func overlap(g *Group, procs []int) int {
	for _, p := range procs {
		if g.Rank(p) != Undefined {
			return p
		}
	}
	return -1
}

// swap sends bytes to a rank that sends us some, by messages of which the program knows nothing.
func (c *Comm) swap(own []byte, peer, tag int) (theirs []byte, err error) {
	h := c.hidden()
	length := make([]byte, 4)
	if err := h.exchange(binary.LittleEndian.AppendUint32(nil, uint32(len(own))), length, peer, tag); err != nil {
		c.litter()
		return nil, err
	}
	theirs = make([]byte, binary.LittleEndian.Uint32(length))
	if err := h.exchange(own, theirs, peer, tag); err != nil {
		c.litter()
		return nil, err
	}
	return theirs, nil
}

// hidden is a handle for messages of which the program knows nothing.
func (c *Comm) hidden() *Comm {
	return &Comm{core: &core{env: c.env, group: c.group, peers: c.peers, rank: c.rank, name: c.name,
		in: wire.ContextOf(c.in, wire.Service), out: wire.ContextOf(c.out, wire.Service)}, goctx: c.goctx}
}

// exchange sends to a rank and receives from it.
func (c *Comm) exchange(out, in []byte, peer, tag int) error {
	came, gone := c.Irecv(in, peer, tag), c.Isend(out, peer, tag, c.wordMode())
	_, _, err := gone.One(true)
	_, _, late := came.One(true)
	return errors.Join(err, late)
}

// spreadNews tells our group what its leader has learnt, or that it has learnt nothing.
func (c *Comm) spreadNews(op string, leader int, news introduction, failed error) (introduction, error) {
	b := news.bytes()
	if failed != nil {
		b = nil
		if errors.Is(failed, ErrProcFailed) {
			b = []byte{0} // shorter than any introduction
		}
	}
	size := binary.LittleEndian.AppendUint32(nil, uint32(len(b)))
	if err := c.Run(&Call{Op: coll.Bcast, Name: op, Root: leader, Bytes: len(size), Elem: 1, Out: size}); err != nil {
		return news, err
	}
	switch n := binary.LittleEndian.Uint32(size); {
	case failed != nil:
		return news, c.fail(op, failed)
	case n == 1:
		return news, c.fail(op, fmt.Errorf("%w: the leader, rank %d, has an error that says which", ErrProcFailed, leader))
	case n == 0:
		return news, c.fail(op, fmt.Errorf("%w: the leader, rank %d, did not find the other one, and has an error that says why", ErrRank, leader))
	case c.rank != leader:
		b = make([]byte, n)
	}
	if err := c.Run(&Call{Op: coll.Bcast, Name: op, Root: leader, Bytes: len(b), Elem: 1, Out: b}); err != nil {
		return news, err
	}
	return parseIntroduction(b), nil
}

// join makes the communicator. bridge is nil for who does not lead.
func (c *Comm) join(op string, leader int, bridge *Comm, remote, tag int, news introduction) (*Comm, error) {
	lead, theirs := c.group.procs[leader], news.procs[1:]
	if p := overlap(c.group, theirs); p >= 0 {
		return nil, c.fail(op, fmt.Errorf("%w: rank %d is in both groups", ErrGroup, c.group.Rank(p)))
	}
	all, first, owner := slices.Concat(c.group.procs, theirs), c.Size(), lead
	if news.procs[0] < lead {
		all, first, owner = slices.Concat(theirs, c.group.procs), len(theirs), news.procs[0]
	}
	d := c.env.newComm(NewGroup(all), owner, news.id&^again, c.name+"."+op)
	d.goctx = c.goctx
	if news.id&again != 0 { // all must know before the first message
		if err := c.meetBoth(op, bridge, remote, tag); err != nil {
			d.Leave()
			return nil, err
		}
	}
	d, err := d.settled(op)
	if err != nil {
		return nil, err
	}
	d.pairUp(first)
	return d, nil
}

// meetBoth waits until all ranks of both groups have called it. bridge is nil for who does not lead.
func (c *Comm) meetBoth(op string, bridge *Comm, remote, tag int) error {
	if err := c.Run(&Call{Op: coll.Barrier, Name: op}); err != nil {
		return err
	}
	if bridge != nil {
		if _, err := bridge.swap([]byte{0}, remote, tag); err != nil {
			return c.fail(op, err)
		}
	}
	return c.Run(&Call{Op: coll.Barrier, Name: op})
}

// tellBoth tells all ranks of both groups two numbers of each.
func (c *Comm) tellBoth(op string, a, b int) ([][2]int, error) {
	const size = 16
	own := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, uint64(a)), uint64(b))
	all := make([]byte, size*c.group.Size())
	if err := c.asOne().Run(&Call{Op: coll.Allgather, Name: op, Bytes: size, Elem: 1, In: own, Out: all}); err != nil {
		return nil, err
	}
	told := make([][2]int, c.group.Size())
	for r := range told {
		told[r] = [2]int{int(binary.LittleEndian.Uint64(all[r*size:])), int(binary.LittleEndian.Uint64(all[r*size+8:]))}
	}
	return told, nil
}

// Merge makes a communicator of one group of all ranks: those of the group that says high behind the others. If
// both say the same, one of them is first, for all ranks the same one. The ranks of a group say the same.
func (c *Comm) Merge(high bool) (*Comm, error) {
	const op = "merge"
	if !c.between() {
		return nil, c.fail(op, fmt.Errorf("%w: there is one group only", ErrComm))
	}
	own := 0
	if high {
		own = 1
	}
	told, err := c.tellBoth(op, own, 0)
	if err != nil {
		return nil, err
	}
	for r, said := range told {
		if first := told[c.two.before]; (r >= c.two.first) == (c.two.before > 0) && said != first {
			return nil, c.fail(op, fmt.Errorf("%w: rank %d says high %v, and rank 0 of its group does not", ErrMismatch, r-c.two.before, said[0] == 1))
		}
	}
	key := c.rank
	if told[0][0] > told[c.two.first][0] && c.two.before == 0 { // the first group goes behind
		key += c.group.Size()
	}
	return c.asOne().Split(0, key)
}

// splitBoth splits both groups: ranks of one color make a communicator of two groups, unless all are of one.
func (c *Comm) splitBoth(color, key int) (*Comm, error) {
	if color < 0 && color != Undefined {
		return nil, c.fail("split", fmt.Errorf("%w: color %d; it must be 0 or more, or Undefined", ErrCount, color))
	}
	told, err := c.tellBoth("split", color, key)
	if err != nil {
		return nil, err
	}
	var order []int // of those of our color: first group, second group, each by key and rank
	first := 0
	for r, said := range told {
		if said[0] == color {
			order = append(order, r)
			if r < c.two.first {
				first++
			}
		}
	}
	byKey := func(a, b int) int { return told[a][1] - told[b][1] }
	slices.SortStableFunc(order[:first], byKey)
	slices.SortStableFunc(order[first:], byKey)
	if color == Undefined || first == 0 || first == len(order) {
		return c.asOne().Split(Undefined, 0)
	}
	d, err := c.asOne().Split(color, slices.Index(order, c.rank))
	if err != nil {
		return nil, err
	}
	d.pairUp(first)
	return d, nil
}

// planBetween chooses the plan of a call between two groups, and makes the call one of all ranks.
func (c *Comm) planBetween(call *Call) (*plan.Plan, error) {
	switch call.Op {
	case coll.Scan, coll.Exscan, coll.NeighborAllgather, coll.NeighborAllgatherv, coll.NeighborAlltoall, coll.NeighborAlltoallv:
		return nil, fmt.Errorf("%w: %s is a call of one group", ErrTwo, call.name())
	case coll.Barrier:
		return c.asOne().planOf(call)
	case coll.Allgather, coll.Allgatherv, coll.Alltoall, coll.Alltoallv:
		if n := c.peers.Size(); call.Op == coll.Alltoallv && len(call.SendCounts) != n || call.RecvCounts != nil && len(call.RecvCounts) != n {
			return nil, fmt.Errorf("%w: %d and %d counts for the %d ranks of the other group", ErrCount, len(call.SendCounts), len(call.RecvCounts), n)
		}
		*call = *c.blocksBetween(call)
		return c.asOne().planOf(call)
	}
	if call.InPlace && !call.Op.Rooted() {
		return nil, fmt.Errorf("%w: there is no %s in place", ErrTwo, call.name())
	}
	cs := c.Case(call)
	cs.InPlace = false
	var err error
	if call.Op.Rooted() {
		cs.Root, err = c.rootBetween(call.Root)
	}
	if err = errors.Join(err, c.checkBetween(&cs, call)); err != nil {
		return nil, err
	}
	p := c.selector().Between(coll.Two{Case: cs, First: c.two.first})
	if c.checks() { // who has no part in it knows no more than the operation
		p = plan.WithCheck(p, signatureLen)
		p.Choice = coll.NoChoice
		*call = Call{Op: call.Op, Name: call.Name, Root: -1, Bytes: -1, In: call.In, Out: call.Out, Combine: call.Combine, Foreign: call.Foreign}
	}
	return p, nil
}

// rootBetween is the root among all ranks.
func (c *Comm) rootBetween(root int) (int, error) {
	switch {
	case root == Root:
		return c.rank, nil
	case root == ProcNull:
		return coll.NoPart, nil
	case uint(root) >= uint(c.peers.Size()):
		return 0, fmt.Errorf("%w: root %d; the other group has ranks 0 to %d, and in the root's group Root and ProcNull say who it is", ErrRoot, root, c.peers.Size()-1)
	case c.two.before > 0:
		return root, nil
	}
	return c.two.first + root, nil
}

// checkBetween refuses a description that does not fit the groups.
func (c *Comm) checkBetween(cs *coll.Case, call *Call) error {
	n := c.peers.Size()
	if call.Op == coll.ReduceScatter {
		n = c.two.local.Size()
	}
	for _, counts := range [][]int{cs.SendCounts, cs.RecvCounts} {
		if counts != nil && len(counts) != n {
			return fmt.Errorf("%w: %d counts for %d ranks", ErrCount, len(counts), n)
		}
	}
	if cs.Bytes < 0 || slices.ContainsFunc(slices.Concat(cs.SendCounts, cs.RecvCounts), func(n int) bool { return n < 0 }) {
		return fmt.Errorf("%w: a count is negative", ErrCount)
	}
	return nil
}

// blocksBetween is a call in which all ranks of both groups exchange blocks, as one of all ranks, whose blocks within
// a group are empty.
func (c *Comm) blocksBetween(call *Call) *Call {
	own := *call
	own.Op, own.Name, own.InPlace = coll.Alltoallv, call.name(), false
	n := c.peers.Size()
	switch call.Op {
	case coll.Allgather, coll.Allgatherv: // the same goes to all
		own.SendCounts, own.SendDispls = slices.Repeat([]int{call.Bytes / call.Elem}, n), make([]int, n)
	case coll.Alltoall:
		own.SendCounts, own.SendDispls = slices.Repeat([]int{call.Bytes / call.Elem}, n), nil
	}
	if call.Op == coll.Allgather || call.Op == coll.Alltoall {
		own.RecvCounts, own.RecvDispls = slices.Repeat([]int{call.Back / call.Elem}, n), nil
	}
	own.Bytes, own.Back = 0, 0
	own.SendCounts, own.SendDispls = c.besideOwn(own.SendCounts, own.SendDispls)
	own.RecvCounts, own.RecvDispls = c.besideOwn(own.RecvCounts, own.RecvDispls)
	return &own
}

// besideOwn puts empty blocks for the ranks of our own group beside those for the other one's.
func (c *Comm) besideOwn(counts, displs []int) (all, at []int) {
	all, at = make([]int, c.group.Size()), make([]int, c.group.Size())
	first, next := 0, 0
	if c.two.before == 0 {
		first = c.two.first
	}
	for i, n := range counts {
		if displs != nil {
			next = displs[i]
		}
		all[first+i], at[first+i] = n, next
		next += n
	}
	return all, at
}
