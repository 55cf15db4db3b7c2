package plan

import "fmt"

// Buffer names one of the memories a plan works on.
type Buffer uint8

// The buffers of a plan.
const (
	In   Buffer = iota // what the caller contributes; never written
	Out                // the caller's result
	Tmp                // scratch of TmpLen bytes, contents undefined at the start
	Node               // NodeLen bytes that the ranks of a node share, contents undefined at the start
	buffers
)

// String returns the lower-case name used by the printer.
func (b Buffer) String() string {
	switch b {
	case In:
		return "in"
	case Out:
		return "out"
	case Tmp:
		return "tmp"
	case Node:
		return "node"
	}
	return fmt.Sprintf("buffer(%d)", uint8(b))
}

// Span is a run of bytes in one buffer.
type Span struct {
	Buf      Buffer
	Off, Len int
}

// End returns the offset just behind the span.
func (s Span) End() int { return s.Off + s.Len }

// Sub returns the n bytes that start off bytes into the span. It panics when
// they are not inside it, as slicing does.
func (s Span) Sub(off, n int) Span {
	if off < 0 || n < 0 || off+n > s.Len {
		panic(fmt.Sprintf("plan: [%d:%d] is outside a span of %d bytes", off, off+n, s.Len))
	}
	return Span{Buf: s.Buf, Off: s.Off + off, Len: n}
}

// String returns the span as the printer writes it, such as out[64:128].
func (s Span) String() string { return fmt.Sprintf("%s[%d:%d]", s.Buf, s.Off, s.End()) }

// overlaps reports whether the two spans share a byte.
func (s Span) overlaps(t Span) bool {
	return s.Buf == t.Buf && s.Off < t.End() && t.Off < s.End() && s.Len > 0 && t.Len > 0
}

// Kind says what a step does.
type Kind uint8

// The kinds of steps.
const (
	Send   Kind = iota // Src goes to Peer
	Recv               // Dst comes from Peer
	Copy               // Dst = Src
	Reduce             // Dst = Dst∘Src, or Src∘Dst with SrcFirst
	Verify             // Src (own signature) is held against Dst (a neighbour's)
	Gate               // nothing: ends when its dependencies have ended
	Set                // raises this rank's Flag for the ranks of its node
	Await              // ends once Peer, of the same node, has raised its Flag
	Lend               // Dst, KeyLen bytes of Node, tells the ranks of the node where Src is
	Fetch              // Dst = what Peer has lent with the key at Src, from byte At on
)

// TmpAlign is what the scratch of a run is aligned to, and so what Builder.Tmp gives.
const TmpAlign = 16

// KeyLen is the length of what a Lend writes.
const KeyLen = 16

// String returns the lower-case name of the kind.
func (k Kind) String() string {
	switch k {
	case Send:
		return "send"
	case Recv:
		return "recv"
	case Copy:
		return "copy"
	case Reduce:
		return "reduce"
	case Verify:
		return "verify"
	case Gate:
		return "gate"
	case Set:
		return "set"
	case Await:
		return "await"
	case Lend:
		return "lend"
	case Fetch:
		return "fetch"
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

// Way says how a message travels. Both ends of a message have the same.
type Way uint8

// The ways of a message.
const (
	Auto      Way = iota // as its length suggests
	Copied               // with its envelope, whatever its length, into memory that waits at the receiver: nobody waits for anybody
	Announced            // the receiver tells where it wants the bytes when it gets there; the sender, silent until then, puts them there
)

// String returns the lower-case name of the way.
func (w Way) String() string {
	switch w {
	case Auto:
		return "auto"
	case Copied:
		return "copied"
	case Announced:
		return "announced"
	}
	return fmt.Sprintf("way(%d)", uint8(w))
}

// Step is one node of the graph. What it depends on is kept by the Plan.
type Step struct {
	Kind     Kind
	SrcFirst bool  // Reduce: Src holds the lower ranks and stands on the left
	Way      Way   // Send, Recv: how the message travels
	Rail     uint8 // Send: the message leaves by rail Rail-1 (modulo those there are), or 0: by whichever is best
	Peer     int32 // Send, Recv, Await, Fetch: rank in the communicator
	Flag     int32 // Set, Await: which of the flags of a rank
	Src, Dst Span  // Send: Src; Recv: Dst; Copy, Reduce, Verify, Lend, Fetch: both
	At       int   // Fetch: first byte of what was lent
}

// hasPeer reports whether the step concerns another rank, waits whether it ends with something that this rank does.
func (s *Step) hasPeer() bool { return s.waits() || s.Kind == Fetch }
func (s *Step) waits() bool   { return s.Kind == Send || s.Kind == Recv || s.Kind == Await }

// reads returns the spans whose bytes the step looks at.
func (s *Step) reads() (spans [2]Span) {
	switch s.Kind {
	case Send, Copy, Fetch, Lend: // who fetches what was lent reads it, too: see checkLent
		spans[0] = s.Src
	case Reduce, Verify:
		spans[0], spans[1] = s.Src, s.Dst
	}
	return spans
}

// writes returns the span whose bytes the step changes; empty when none.
func (s *Step) writes() Span {
	switch s.Kind {
	case Recv, Copy, Reduce, Lend, Fetch:
		return s.Dst
	}
	return Span{}
}

// Plan is one rank's schedule. Nobody changes it after Build.
type Plan struct {
	Name   string // which algorithm, for people
	Choice uint8  // which algorithm, for ranks: those of one call compare it
	Digest uint32 // of what else ranks of one call compare, and that they say before they know their elements
	Rank   int    // whose share this is
	Ranks  int    // size of the communicator
	Steps  []Step // every dependency of a step has a smaller index
	TmpLen int    // bytes of scratch a run needs

	// Group is the number of the node this rank is on. Ranks with the same Group share the Node buffer of
	// NodeLen bytes and can await each other's Flags flags. All ranks of a group give the same NodeLen and
	// Flags.
	Group   int
	NodeLen int
	Flags   int
	// Slips: the Node buffer consists of a slip for each rank of the node, in the order of ranks: SlipLen
	// bytes of which the first SlipRoom hold data, beside the rank's flag 0. Who finds that flag raised has
	// the last of the data with it.
	Slips bool
	// ByArrival: of several sends that are ready, one to a rank whose own message of this plan has come goes first.
	ByArrival bool

	// SigSend and SigRecv are where a plan made by WithCheck expects the
	// caller's own signature and puts the neighbour's; both empty otherwise.
	SigSend, SigRecv Span

	puts      Span         // see Puts
	brisk     bool         // see Brisk
	need      [buffers]int // bytes each buffer must have
	indegree  []int32      // per step: how many dependencies
	roots     []int32      // steps without dependencies, largest first
	succStart []int32      // per step: where its successors begin in succ
	succ      []int32      // successors of each step, largest first
	depStart  []int32      // per step: where its dependencies begin in deps
	deps      []int32      // dependencies of each step, smallest first
}

// A slip is two lines of cache, which processors fetch as a pair: a rank's must not be in one pair with
// those of another. Behind its data is room for the flag, once for ranks that are near and once for those
// that are far; the last bytes of the data are in one line with it.
const (
	SlipLen   = 2 * 64
	SlipRoom  = SlipLen - 16
	SlipFlags = 8 // a plan on slips has at most so many flags
)

// ShortNode is how much of the Node buffer a plan may ask for that starts without waiting for
// others to leave the memory of earlier ones.
const ShortNode = 8 << 10

// Deps returns the steps that step i waits for, smallest first. The caller
// must not change the slice.
func (p *Plan) Deps(i int) []int32 { return p.deps[p.depStart[i]:p.depStart[i+1]] }

// Followers returns the steps that wait for step i, largest first. The caller must not change the
// slice.
func (p *Plan) Followers(i int) []int32 { return p.succ[p.succStart[i]:p.succStart[i+1]] }

// SendsAfter tells whether a send waits for step i.
func (p *Plan) SendsAfter(i int) bool {
	for _, next := range p.Followers(i) {
		if kind := p.Steps[next].Kind; kind == Send || kind == Gate && p.SendsAfter(int(next)) {
			return true
		}
	}
	return false
}

// Puts returns what the plan first copies into the memory of its node, so that whoever runs it can have
// these lines at hand when it runs again; empty if nothing.
func (p *Plan) Puts() Span { return p.puts }

// Brisk reports that the plan needs nothing but the memory and the flags of its node, so that whoever has
// these at hand may take its steps one by one in their order: each finds what it depends on.
func (p *Plan) Brisk() bool { return p.brisk }

// Shares reports whether the plan uses memory or flags of its node.
func (p *Plan) Shares() bool { return p.NodeLen > 0 || p.Flags > 0 }

// Need returns how many bytes the plan touches in buffer b: a run refuses to
// start with less.
func (p *Plan) Need(b Buffer) int { return p.need[b] }
