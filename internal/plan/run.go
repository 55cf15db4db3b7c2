package plan

import "fmt"

// Combine merges src into dst element by element: dst = dst∘src, or
// dst = src∘dst when srcFirst. The slices have the same length and do not
// overlap.
type Combine func(dst, src []byte, srcFirst bool)

// Port is what a running plan posts to; peers are ranks of the communicator.
// Its methods return at once and never call back into the Run from inside:
// the end of a posted step arrives later, exactly once, through Run.Done. The
// slice of a Send or Recv belongs to the port until then.
type Port interface {
	// Send reports whether the message is gone already; then no Done comes. The step s is only read.
	Send(s *Step, b []byte, step int) (gone bool)
	Recv(s *Step, b []byte, step int)
	// Set raises a flag of this rank, after everything this rank has written to its node's memory.
	Set(flag int)
	// Await reports whether peer has raised the flag already; else Done comes when it has.
	Await(peer, flag, step int) (raised bool)
	// Arrived reports whether a message of this plan from peer has come, posted or not.
	Arrived(peer int) bool
	// Copy does dst = src; the port counts and charges it.
	Copy(s *Step, dst, src []byte)
	// Reduce does dst = dst∘src, or src∘dst if the step says so, of a run that has no Combine; Done comes
	// when it has.
	Reduce(s *Step, dst, src []byte, step int)
	// Lend writes to key, KeyLen bytes of the node's memory, where b is; Fetch copies to dst from byte at
	// on of what peer has lent so. The memory stays the lender's.
	Lend(key, b []byte)
	Fetch(peer int, dst, key []byte, at int) error
	// Cancel takes a posted message or wait back if that can be done. Done still
	// comes for it, with an error if it was taken back.
	Cancel(step int)
}

// Bufs is the memory of one run. The caller owns it, and the struct itself, and leaves both alone until the
// run has finished. Node is the same memory for all ranks of a node; whoever provides it sees to it that
// nobody still uses it in an earlier run.
type Bufs struct{ In, Out, Tmp, Node []byte }

// of returns one of the buffers.
func (b *Bufs) of(which Buffer) []byte {
	switch which {
	case In:
		return b.In
	case Out:
		return b.Out
	case Node:
		return b.Node
	}
	return b.Tmp
}

// Bytes returns the memory of a span. Its capacity ends with it.
func (b *Bufs) Bytes(s *Span) []byte {
	if s.Len == 0 {
		return nil
	}
	return b.of(s.Buf)[s.Off : s.Off+s.Len : s.Off+s.Len]
}

// Run is one execution of a plan. The zero value is ready for Start; after it
// has finished it may be started again, with any plan. A Run is not safe for
// concurrent use.
type Run struct {
	// Verify compares the signatures of a plan made by WithCheck; nil means
	// they are the same. It is set before Start; a Run without it takes every
	// signature.
	Verify func(own, other []byte) error

	plan    *Plan
	bufs    *Bufs
	combine Combine
	port    Port
	err     error
	refused bool    // by Verify
	counts  bool    // a step did not end at once; the rest only then
	left    []int32 // per step: dependencies that have not ended
	open    []bool  // per step: posted and not ended
	ready   []int32 // steps to start, largest first: the last one is next
	nopen   int     // how many open
	fed     []int32 // of Enough: all zero between calls
}

// Start begins p and reports whether it has already finished, which is the
// case when nothing has to be waited for or when the buffers are too small
// (see Err). Without combine the port reduces, in its own time.
func (r *Run) Start(p *Plan, bufs *Bufs, combine Combine, port Port) (finished bool) {
	if r.nopen > 0 {
		panic("plan: Start of a run that has not finished")
	}
	r.plan, r.bufs, r.combine, r.port = p, bufs, combine, port
	r.refused, r.counts, r.open = false, false, r.open[:0]
	if r.err = p.Lacks(bufs); r.err != nil {
		return true
	}
	if p.ByArrival { // it changes the order
		r.count(0, 0)
	}
	return r.drain()
}

// count begins to count what steps wait for: the first ones, so many, have ended, and those from from on
// are to be started.
func (r *Run) count(ended, from int) {
	p := r.plan
	r.counts = true
	r.left = append(r.left[:0], p.indegree...)
	for i := range ended {
		for _, s := range r.followers(i) {
			r.left[s]--
		}
	}
	if cap(r.open) < len(p.Steps) {
		r.open = make([]bool, len(p.Steps))
	}
	r.open = r.open[:len(p.Steps)]
	clear(r.open)
	r.ready = r.ready[:0]
	for i := len(p.Steps) - 1; i >= from; i-- {
		if r.left[i] == 0 {
			r.ready = append(r.ready, int32(i))
		}
	}
}

// Lacks tells which of the buffers are too short for the plan.
func (p *Plan) Lacks(bufs *Bufs) error {
	if n := &p.need; len(bufs.In) >= n[In] && len(bufs.Out) >= n[Out] && len(bufs.Tmp) >= n[Tmp] && len(bufs.Node) >= n[Node] {
		return nil
	}
	return p.lacking(bufs)
}

func (p *Plan) lacking(bufs *Bufs) error {
	for b, need := range p.need {
		if len(bufs.of(Buffer(b))) < need {
			return fmt.Errorf("plan %s on rank %d: buffer %s has %d bytes, the plan needs %d",
				p.Name, p.Rank, Buffer(b), len(bufs.of(Buffer(b))), need)
		}
	}
	return nil
}

// Done tells that a posted step has ended, well or with err, starts what
// became ready and reports whether the whole run has finished. The first
// error stops the run: nothing more is posted, receives, waits and reductions under
// way are cancelled, and the run finishes when every posted step has ended.
func (r *Run) Done(step int, err error) (finished bool) {
	if !r.open[step] {
		panic(fmt.Sprintf("plan: Done(%d) for a step that is not under way", step))
	}
	r.open[step] = false
	r.nopen--
	r.fail(err)
	if r.err == nil {
		r.release(int32(step))
	}
	return r.drain()
}

// Stop ends the run early with err, unless it has failed already: nothing more is
// posted, and what is under way is cancelled, sends too. The run finishes when
// every posted step has ended.
func (r *Run) Stop(err error) {
	r.fail(err)
	for i, open := range r.open {
		if open && r.plan.Steps[i].Kind == Send {
			r.port.Cancel(i)
		}
	}
}

// Refused reports whether it was Verify that stopped the run.
func (r *Run) Refused() bool { return r.refused }

// Err returns the error that stopped the run, nil when none did.
func (r *Run) Err() error { return r.err }

// Reset drops every reference the finished run holds to memory, port and
// plan, and keeps its own slices for the next Start.
func (r *Run) Reset() {
	if r.nopen > 0 {
		panic("plan: Reset of a run that has not finished")
	}
	r.plan, r.bufs, r.port, r.combine, r.Verify, r.err, r.refused = nil, nil, nil, nil, nil, nil, false
	r.open = r.open[:0]
}

// drain starts steps until none is ready or the run has failed. As long as each ends at once, they
// are taken in their order: every step finds what it depends on, and nothing is counted. From the
// first on that does not, those are started that wait for nothing.
func (r *Run) drain() (finished bool) {
	for pc := int32(0); r.err == nil; pc++ {
		i := pc
		switch {
		case !r.counts && int(pc) < len(r.plan.Steps):
		case !r.counts || len(r.ready) == 0:
			return r.nopen == 0
		default:
			i = r.next()
		}
		s, ended := &r.plan.Steps[i], true
		switch s.Kind {
		case Send:
			ended = r.port.Send(s, r.bytes(&s.Src), int(i))
		case Recv:
			r.port.Recv(s, r.bytes(&s.Dst), int(i))
			ended = false
		case Set:
			r.port.Set(int(s.Flag))
		case Await:
			ended = r.port.Await(int(s.Peer), int(s.Flag), int(i))
		case Copy:
			r.port.Copy(s, r.bytes(&s.Dst), r.bytes(&s.Src))
		case Lend:
			r.port.Lend(r.bytes(&s.Dst), r.bytes(&s.Src))
		case Fetch:
			r.fail(r.port.Fetch(int(s.Peer), r.bytes(&s.Dst), r.bytes(&s.Src), s.At))
		case Reduce:
			if ended = r.combine != nil; ended {
				r.combine(r.bytes(&s.Dst), r.bytes(&s.Src), s.SrcFirst)
			} else {
				r.port.Reduce(s, r.bytes(&s.Dst), r.bytes(&s.Src), int(i))
			}
		case Verify:
			if r.Verify != nil {
				r.fail(r.Verify(r.bytes(&s.Src), r.bytes(&s.Dst)))
				r.refused = r.err != nil
			}
		}
		switch {
		case !ended:
			r.post(i)
		case r.counts && r.err == nil:
			r.release(i)
		}
	}
	return r.nopen == 0
}

// post notes that a step is under way.
func (r *Run) post(i int32) {
	if !r.counts {
		r.count(int(i), int(i)+1)
	}
	r.open[i] = true
	r.nopen++
}

// next takes the step to start out of the ready ones: the first, or, in a plan by arrival whose first is a
// send to somebody who has not arrived, the first send to somebody who has.
func (r *Run) next() int32 {
	last := len(r.ready) - 1
	k := last
	if r.plan.ByArrival && r.waitsFor(r.ready[last]) {
		for j := last - 1; j >= 0 && r.plan.Steps[r.ready[j]].Kind == Send; j-- {
			if !r.waitsFor(r.ready[j]) {
				k = j
				break
			}
		}
	}
	i := r.ready[k]
	r.ready = append(r.ready[:k], r.ready[k+1:]...)
	return i
}

// waitsFor reports that step i is a send to a rank that has not arrived.
func (r *Run) waitsFor(i int32) bool {
	s := &r.plan.Steps[i]
	return s.Kind == Send && !r.port.Arrived(int(s.Peer))
}

// bytes returns the memory of a span. Its capacity ends with it, so that
// nobody below grows into a neighbour's block.
func (r *Run) bytes(s *Span) []byte { return r.bufs.Bytes(s) }

// release counts step i off its successors and puts those that became ready
// in their place. Successors come largest first, so the common case is an
// append.
func (r *Run) release(i int32) {
	p := r.plan
	for _, s := range p.succ[p.succStart[i]:p.succStart[i+1]] {
		r.left[s]--
		if r.left[s] != 0 {
			continue
		}
		r.ready = append(r.ready, s)
		for k := len(r.ready) - 1; k > 0 && r.ready[k-1] < s; k-- {
			r.ready[k-1], r.ready[k] = s, r.ready[k-1]
		}
	}
}

// fail keeps the first error, if err is one, and cancels what is under way but for sends.
func (r *Run) fail(err error) {
	if r.err != nil || err == nil {
		return
	}
	r.err = err
	for i, open := range r.open {
		if open && r.plan.Steps[i].Kind != Send {
			r.port.Cancel(i)
		}
	}
}
