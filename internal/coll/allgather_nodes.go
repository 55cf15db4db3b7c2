package coll

import (
	"slices"

	"github.com/weft-mpi/weft/internal/plan"
)

// The SMP-aware allgathers. The memory of every node is an image of the result,
// node by node. Ranks put their blocks into the image of their node; the
// masters, one per node, exchange what their nodes have by messages that land
// in the images of the others; everybody copies parts of the image out as soon
// as they are there, those of its own node while messages run.

// nodeGather is such an allgather(v) while the plan of one rank is made.
type nodeGather struct {
	image
	b       *plan.Builder
	c       Case
	l       layout
	r       *room
	memory  plan.Span
	masters []int
	me      int // own node
	here    int // the step after which this rank's block is in the image
	local   int // the step after which all blocks of this node are
}

// startNodeGather puts the own block into an image whose parts stand in the
// given order of nodes, and waits for those of the neighbours.
func startNodeGather(b *plan.Builder, c Case, l layout, parts [][]int) *nodeGather {
	g := &nodeGather{image: c.image(parts), b: b, c: c, l: l, r: newRoom(b, c, l), masters: l.masters(), me: l.node[c.Rank]}
	g.memory = g.r.space(g.end)
	flag := g.r.flags(1)
	g.here = g.r.put(g.block(g.memory, c.Rank), c.source(), flag)
	g.local = all(b, append(g.r.others(flag), g.here))
	return g
}

// of returns the part of the image that belongs to a node.
func (g *nodeGather) of(node int) plan.Span { return g.part(g.memory, g.l.ranks[node]) }

// isMaster reports whether this rank speaks for its node.
func (g *nodeGather) isMaster() bool { return g.r.me == 0 }

// takeLocal copies the blocks of this node out. Only steps that were added
// before go first, so messages belong in front.
func (g *nodeGather) takeLocal() { g.copyOut(g.b, g.c, g.memory, g.r.ranks, g.local) }

// take copies the parts of nodes out when the master, for which it is step
// came, raises the flag.
func (g *nodeGather) take(nodes []int, flag, came int) {
	ready := came
	if !g.isMaster() {
		ready = g.b.Await(g.masters[g.me], flag)
	}
	var ranks []int
	for _, node := range nodes {
		ranks = append(ranks, g.l.ranks[node]...)
	}
	g.copyOut(g.b, g.c, g.memory, ranks, ready, g.here)
}

// imageFits reports that the memory of a node takes the blocks of all ranks,
// and its flags one for each node.
func imageFits(c Case) bool {
	if !c.Shares || c.NodeCount()+1 > FlagMax {
		return false
	}
	if c.RecvCounts != nil {
		return sum(c.RecvCounts) <= NodeMax
	}
	return c.Ranks*c.Bytes <= NodeMax
}

// direct exchanges the parts among masters, each with each, in steps of ports
// messages: those of a step wait until those of the step before have ended; all
// leave at once if ports is 0. Every arrival has a flag of its own, or one flag
// tells of all.
func (g *nodeGather) direct(ports int, each bool) {
	n := len(g.l.ranks)
	flags := 1
	if each {
		flags = n
	}
	flag := g.r.flags(flags)
	came := slices.Repeat([]int{plan.None}, n)
	if g.isMaster() {
		for d := 1; d < n; d++ {
			from := (g.me - d + n) % n
			g.c.travel(g.b, g.of(from).Len, 0)
			if g.of(from).Len > 0 {
				came[from] = g.b.Recv(g.masters[from], g.of(from))
			}
		}
		g.sendParts(ports)
		g.raise(flag, each, came)
	}
	g.takeLocal()
	if each {
		for d := 1; d < n; d++ {
			from := (g.me - d + n) % n
			g.take([]int{from}, flag+from, came[from])
		}
	} else if n > 1 {
		var others []int
		for d := 1; d < n; d++ {
			others = append(others, (g.me+d)%n)
		}
		whole := plan.None
		if g.isMaster() {
			whole = g.b.Gate(came...)
		}
		g.take(others, flag, whole)
	}
	g.r.close()
}

// sendParts sends what this node has to the other masters, nearest first.
func (g *nodeGather) sendParts(ports int) {
	n, own := len(g.l.ranks), g.of(g.me)
	steps := pace{b: g.b, k: max(ports, 1), before: plan.None}
	for d := 1; d < n && own.Len > 0; d++ {
		if ports > 0 {
			steps.turn(d - 1)
		}
		g.c.travel(g.b, own.Len, g.me+d)
		steps.add(g.b.Send(g.masters[(g.me+d)%n], own, g.local, steps.before))
	}
}

// raise tells the node what has come: each part by itself, or all at once.
func (g *nodeGather) raise(flag int, each bool, came []int) {
	if g.r.alone() || len(came) == 1 {
		return
	}
	if !each {
		g.b.Set(flag, came...)
		return
	}
	for node, step := range came {
		if node != g.me {
			g.b.Set(flag+node, step)
		}
	}
}
