package plan

import (
	"fmt"
	"slices"
)

// None is a dependency on nothing. The Builder drops it, so an algorithm may
// start a chain with last := plan.None.
const None = -1

// Builder collects the steps of one rank. Its methods return the index of the
// step they add, to be used as a dependency of later ones. Misuse (a
// dependency on a step that does not exist yet, a copy between different
// lengths) is a mistake in the algorithm and panics.
type Builder struct {
	p    Plan // its slices are the Builder's
	way  Way
	rail uint8
	next []int32 // of Build
}

// NewBuilder starts the plan of one rank.
func NewBuilder(name string, rank, ranks int) *Builder {
	b := &Builder{}
	b.Begin(name, rank, ranks)
	return b
}

// Begin starts the plan of one rank and forgets the one before, so that who makes many plans needs
// one Builder only.
func (b *Builder) Begin(name string, rank, ranks int) {
	b.p = Plan{Name: name, Rank: rank, Ranks: ranks, Steps: b.p.Steps[:0], deps: b.p.deps[:0], depStart: append(b.p.depStart[:0], 0)}
	b.way, b.rail = Auto, 0
}

// Tmp sets n fresh bytes of scratch aside, aligned for elements of any type.
func (b *Builder) Tmp(n int) Span {
	s := Span{Buf: Tmp, Off: (b.p.TmpLen + TmpAlign - 1) &^ (TmpAlign - 1), Len: n}
	if n > 0 {
		b.p.TmpLen = s.End()
	}
	return s
}

// OnNode says which node the rank is on and how many bytes and flags the ranks of that node share in this plan.
func (b *Builder) OnNode(group, bytes, flags int) {
	b.p.Group, b.p.NodeLen, b.p.Flags = group, bytes, flags
}

// OnSlips says which node the rank is on, that it has so many ranks, each with a slip (see Plan.Slips), and
// how many flags a rank has.
func (b *Builder) OnSlips(group, ranks, flags int) {
	if flags > SlipFlags {
		panic(fmt.Sprintf("plan %s: %d flags; a plan on slips has at most %d", b.p.Name, flags, SlipFlags))
	}
	b.OnNode(group, ranks*SlipLen, flags)
	b.p.Slips = true
}

// ByArrival has ready sends go first to those who have arrived, see Plan.ByArrival.
func (b *Builder) ByArrival() { b.p.ByArrival = true }

// Travel says how the messages that are added from now on travel, and on which rail (see Step.Rail). At
// first it is Auto and 0.
func (b *Builder) Travel(way Way, rail int) { b.way, b.rail = way, uint8(rail) }

// Send adds a message from src to peer.
func (b *Builder) Send(peer int, src Span, deps ...int) int {
	return b.add(Step{Kind: Send, Way: b.way, Rail: b.rail, Peer: int32(peer), Src: src}, deps)
}

// Recv adds a message from peer into dst, of exactly dst.Len bytes.
func (b *Builder) Recv(peer int, dst Span, deps ...int) int {
	return b.add(Step{Kind: Recv, Way: b.way, Peer: int32(peer), Dst: dst}, deps)
}

// Copy adds dst = src; the spans have the same length and do not overlap.
func (b *Builder) Copy(dst, src Span, deps ...int) int {
	return b.add(Step{Kind: Copy, Src: src, Dst: dst}, deps)
}

// Reduce adds dst = dst∘src, or dst = src∘dst when srcFirst, element by
// element.
func (b *Builder) Reduce(dst, src Span, srcFirst bool, deps ...int) int {
	return b.add(Step{Kind: Reduce, Src: src, Dst: dst, SrcFirst: srcFirst}, deps)
}

// Gate adds a step that does nothing, so that many steps can wait for many
// others through one index.
func (b *Builder) Gate(deps ...int) int { return b.add(Step{Kind: Gate}, deps) }

// Set raises this rank's flag for the other ranks of its node. A plan raises a flag once.
func (b *Builder) Set(flag int, deps ...int) int {
	return b.add(Step{Kind: Set, Flag: int32(flag)}, deps)
}

// Await adds a step that ends when peer, a rank of the same node, has raised its flag.
func (b *Builder) Await(peer, flag int, deps ...int) int {
	return b.add(Step{Kind: Await, Peer: int32(peer), Flag: int32(flag)}, deps)
}

// Lend lets the ranks of the node fetch src: what is written to key, KeyLen bytes of the node's memory,
// tells them where it is. Nobody changes src, and the plan does not end, before all have fetched what they
// want: they have to say so.
func (b *Builder) Lend(key, src Span, deps ...int) int {
	return b.add(Step{Kind: Lend, Src: src, Dst: key}, deps)
}

// Fetch adds dst = the bytes from at on of what peer, a rank of the same node, has lent with key.
func (b *Builder) Fetch(peer int, dst, key Span, at int, deps ...int) int {
	return b.add(Step{Kind: Fetch, Peer: int32(peer), Src: key, Dst: dst, At: at}, deps)
}

// Len returns the number of steps so far, which is the index of the next one.
func (b *Builder) Len() int { return len(b.p.Steps) }

// add appends a step and its dependencies, sorted and each once.
func (b *Builder) add(s Step, deps []int) int {
	id := len(b.p.Steps)
	if (s.Kind == Copy || s.Kind == Reduce || s.Kind == Verify) && s.Src.Len != s.Dst.Len {
		panic(fmt.Sprintf("plan %s: %s %s -> %s has different lengths", b.p.Name, s.Kind, s.Src, s.Dst))
	}
	first := len(b.p.deps)
	for _, d := range deps {
		if d == None {
			continue
		}
		if d < 0 || d >= id {
			panic(fmt.Sprintf("plan %s: step %d depends on %d, which is not an earlier step", b.p.Name, id, d))
		}
		b.p.deps = append(b.p.deps, int32(d))
	}
	own := b.p.deps[first:]
	slices.Sort(own)
	b.p.deps = b.p.deps[:first+len(slices.Compact(own))]
	b.p.depStart = append(b.p.depStart, int32(len(b.p.deps)))
	b.p.Steps = append(b.p.Steps, s)
	return id
}

// Build returns the finished plan, which shares no memory with the Builder. What is added
// afterwards is not part of it.
func (b *Builder) Build() *Plan {
	p := new(Plan)
	*p = b.p
	n, d := len(p.Steps), len(p.deps)
	p.Steps = slices.Clone(b.p.Steps)
	memory := make([]int32, 4*n+2+2*d)
	take := func(n int) []int32 {
		s := memory[:n:n]
		memory = memory[n:]
		return s
	}
	p.depStart, p.deps, p.indegree, p.succStart, p.succ = take(n+1), take(d), take(n), take(n+1), take(d)
	copy(p.depStart, b.p.depStart)
	copy(p.deps, b.p.deps)
	for i := range n {
		p.indegree[i] = p.depStart[i+1] - p.depStart[i]
	}
	for _, d := range p.deps {
		p.succStart[d+1]++
	}
	for i := range n {
		p.succStart[i+1] += p.succStart[i]
	}
	// Walking the steps backwards fills each successor list largest first.
	b.next = append(b.next[:0], p.succStart...)
	p.roots = take(n)[:0]
	for i := n - 1; i >= 0; i-- {
		if p.indegree[i] == 0 {
			p.roots = append(p.roots, int32(i))
		}
		for _, d := range p.Deps(i) {
			p.succ[b.next[d]] = int32(i)
			b.next[d]++
		}
	}
	p.measure()
	return p
}

// measure finds the extent of each buffer, and what is put into the memory of the node.
func (p *Plan) measure() {
	p.need = [buffers]int{Tmp: p.TmpLen, Node: p.NodeLen}
	p.brisk = p.Shares() && p.TmpLen == 0
	for i := range p.Steps {
		switch p.Steps[i].Kind {
		case Copy, Reduce, Gate, Set, Await:
		default:
			p.brisk = false
		}
		if s := &p.Steps[i]; s.Kind == Copy && s.Dst.Buf == Node && p.puts.Len == 0 {
			p.puts = s.Dst
		}
		for _, span := range [...]Span{p.Steps[i].Src, p.Steps[i].Dst} {
			if span.Len > 0 {
				p.need[span.Buf] = max(p.need[span.Buf], span.End())
			}
		}
	}
}
