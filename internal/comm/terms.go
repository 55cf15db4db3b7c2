package comm

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/datatype"
	"github.com/weft-mpi/weft/internal/plan"
	"github.com/weft-mpi/weft/internal/progress"
)

// Fold is which reduction a call has, as ranks compare it: 0 for none, or nobody says which.
type Fold uint8

// The reductions that are not datatype's, whose numbers are below.
const (
	MinLoc Fold = 100 + iota
	MaxLoc
	Own // the program's
)

// FoldOf is a reduction of datatype's.
func FoldOf(op datatype.Op) Fold { return Fold(op) + 1 }

// String names the reduction.
func (f Fold) String() string {
	switch f {
	case 0:
		return ""
	case MinLoc:
		return "minloc"
	case MaxLoc:
		return "maxloc"
	case Own:
		return "user"
	}
	return datatype.Op(f - 1).String()
}

// The digests of a call are remainders of one sum by two primes. Each of the terms is multiplied by a
// number that neither divides, so that a difference in one of them alone is seen: always, if it is less
// than the prime. A length that differs by more in messages is seen by its receiver, see progress.Unequal.
const (
	shortPrime = 251
	longPrime  = 65521
	bothPrimes = shortPrime * longPrime

	choiceFactor    = 1
	rootFactor      = 3
	kindFactor      = 7
	reductionFactor = 31
	bytesFactor     = 1
)

const _ = uint(31 - (coll.Last + 1)) // an operation and 1 fit into the tag

// digestOf is the sum for what a plan was made for.
func digestOf(call *Call, choice uint8) uint32 {
	sum := uint64(choice)*choiceFactor + uint64(max(call.alike(), 0))%bothPrimes*bytesFactor
	if call.Op.Rooted() {
		sum += uint64(call.Root) * rootFactor
	}
	return uint32(sum % bothPrimes)
}

// alike is what of the lengths of a call all ranks have alike, or a number made of it; -1 if that is nothing.
func (call *Call) alike() int {
	switch {
	case call.Op.Private():
		return -1
	case call.RecvCounts == nil || call.Op != coll.Allgatherv && call.Op != coll.ReduceScatter:
		return call.Bytes
	}
	n := uint32(call.Elem)
	for i, count := range call.RecvCounts {
		n = n*31 + uint32(count) + uint32(i)
	}
	return int(n)
}

// setTerms fills in what the ranks of a call must have alike. In check mode they meet whatever they have
// called, and compare it then.
func setTerms(t *progress.Terms, call *Call, p *plan.Plan, seq uint32) {
	t.Choice, t.Number = p.Choice, seq
	if p.Choice == coll.NoChoice {
		return
	}
	if p.Choice == coll.BetweenChoice { // who has no part in it knows no more than the operation
		call = &Call{Op: call.Op, Root: -1, Bytes: -1}
	}
	t.Op, t.Kind, t.Reduction, t.Root, t.Bytes = uint8(call.Op)+1, uint8(call.Kind), uint8(call.Fold), int32(call.Root), call.Bytes
	sum := p.Digest + uint32(t.Kind)*kindFactor + uint32(t.Reduction)*reductionFactor
	t.Short, t.Long = uint8(sum%shortPrime), uint16(sum%longPrime)
}

// Dispute is the error of a collective that a process has called on other terms than we have.
func (c *Comm) Dispute(d progress.Dispute) error {
	ours, them := words(d.Ours), c.group.Rank(d.Proc)
	if d.Stray {
		return fmt.Errorf("%w: rank %d called %s, call %d on its communicator, and rank %d did not; WEFT_CHECK=on tells where", ErrMismatch,
			them, OpName(d.Theirs), d.Theirs.Number, c.rank)
	}
	if op, _, _ := strings.Cut(ours, " "); d.Call != "" && op != d.Call {
		ours = fmt.Sprintf("%s (%s)", d.Call, ours)
	}
	if !d.Known {
		return fmt.Errorf("%w: rank %d calls %s, rank %d calls %s; WEFT_CHECK=on tells where", ErrMismatch, c.rank, ours, them, guess(d.Ours, d.Theirs))
	}
	theirs := words(d.Theirs)
	switch {
	case words(d.Ours) != theirs:
		return fmt.Errorf("%w: rank %d calls %s, rank %d calls %s; WEFT_CHECK=on tells where", ErrMismatch, c.rank, ours, them, theirs)
	case d.Ours.Choice != d.Theirs.Choice:
		return fmt.Errorf("%w: rank %d takes part in %s, rank %d in %s. What all ranks know alike: %v", ErrMismatch,
			c.rank, coll.ChoiceName(d.Ours.Choice), them, coll.ChoiceName(d.Theirs.Choice), c.group.shared(c.env.Facts))
	}
	return fmt.Errorf("%w: rank %d calls %s, rank %d calls it with other counts; WEFT_CHECK=on tells where", ErrMismatch, c.rank, ours, them)
}

// words says what was called.
func words(t *progress.Terms) string {
	if t.Op == 0 {
		return OpName(t)
	}
	op := coll.Op(t.Op - 1)
	s := signature{op: op.String(), root: -1, bytes: -1}
	if op.Rooted() {
		s.root = int64(t.Root)
	}
	if t.Bytes >= 0 && op != coll.Barrier && !op.Private() && op != coll.Allgatherv {
		s.bytes = int64(t.Bytes)
	}
	if t.Kind != 0 {
		s.typ = reflect.Kind(t.Kind).String()
	}
	s.reduction = Fold(t.Reduction).String()
	return s.String()
}

// OpName is the operation of a call of which that is known.
func OpName(t *progress.Terms) string {
	if t.Op == 0 || int(t.Op) > len(coll.Ops()) {
		return "another operation"
	}
	return coll.Op(t.Op - 1).String()
}

// guess says what a rank has called of which nothing but the operation is known, and that it is not what we
// have called.
func guess(ours, theirs *progress.Terms) string {
	if ours.Op != theirs.Op {
		return OpName(theirs)
	}
	op := coll.Op(theirs.Op - 1)
	var what []string
	if op.Rooted() {
		what = append(what, "root")
	}
	if !op.Private() {
		what = append(what, "length")
	}
	what = append(what, "type")
	if ours.Reduction != 0 {
		what = append(what, "reduction")
	}
	last := len(what) - 1
	if last == 0 {
		return fmt.Sprintf("%v with another %s", op, what[0])
	}
	return fmt.Sprintf("%v with another %s or %s", op, strings.Join(what[:last], ", "), what[last])
}

// unequal says of which rank other bytes were expected.
func (c *Comm) unequal(err error) error {
	var u *progress.Unequal
	if !errors.As(err, &u) {
		return err
	}
	return fmt.Errorf("%w: rank %d sent %d bytes, and rank %d expects %d of it", ErrMismatch, c.group.Rank(u.Proc), u.Sent, c.rank, u.Room)
}

// Disagreed is the error of ranks of a node that have made one of their last calls differently, and that
// none of them has noticed: each may have done its part without waiting for the others. All ranks have made
// their last call.
func (e *Env) Disagreed() error {
	for _, c := range e.alive.all() {
		if made := c.node.commons.Load(); made != nil {
			if d, found := e.Loop.SaidOtherwise(made, c.seq.Load()); found {
				return (&Comm{core: c}).Dispute(d)
			}
		}
	}
	return nil
}
