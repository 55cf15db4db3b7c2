package abi

import (
	"unsafe"

	"github.com/weft-mpi/weft/internal/abi/spec"
	"github.com/weft-mpi/weft/internal/comm"
	"github.com/weft-mpi/weft/internal/datatype"
	"github.com/weft-mpi/weft/internal/plan"
)

// Hooks are the functions of C's that this package calls, always with valid pointers. A nil hook answers with an error.
type Hooks struct {
	// Reduce calls a user's reduction: inout = in op inout. large says that it takes an MPI_Count.
	Reduce func(fn uintptr, in, inout unsafe.Pointer, n int, datatype uintptr, large bool)
	// Fold is a reduction that only C can compute: of long double and the like.
	Fold func(own int, op int, in, inout unsafe.Pointer, n int) bool
	// Handle calls an error handler with a handle and a code.
	Handle func(fn uintptr, handle uintptr, code int)
	// Copy and Delete call the functions of an attribute.
	Copy   func(fn, handle uintptr, keyval int, extra, value uintptr) (copied uintptr, flag bool, code int)
	Delete func(fn, handle uintptr, keyval int, value, extra uintptr) (code int)
	// Query, Free and Cancel call the functions of a generalized request.
	Query  func(fn, extra uintptr, status unsafe.Pointer) (code int)
	Free   func(fn, extra uintptr) (code int)
	Cancel func(fn, extra uintptr, complete bool) (code int)
}

// ownKind is a kind of element that only C can reduce.
type ownKind int

// The kinds. C has the same numbers.
const (
	notOwn ownKind = iota
	longDouble
	longDoubleComplex
	longDoubleInt
	quad
)

// operation is a reduction that a program has made.
type operation struct {
	handle      uintptr
	fn          uintptr
	large       bool // it takes an MPI_Count
	commutative bool
	predefined  *predefinedOp
}

// predefinedOp is a reduction of the standard.
type predefinedOp struct {
	name   string
	kernel datatype.Op
	loc    comm.Fold // MinLoc, MaxLoc; 0: not one of them
}

// standardOps are the predefined reductions.
var standardOps = map[uintptr]*operation{
	spec.SUM: kernelOp(spec.SUM, datatype.Sum), spec.PROD: kernelOp(spec.PROD, datatype.Prod), spec.MIN: kernelOp(spec.MIN, datatype.Min), spec.MAX: kernelOp(spec.MAX, datatype.Max),
	spec.LAND: kernelOp(spec.LAND, datatype.LAnd), spec.LOR: kernelOp(spec.LOR, datatype.LOr), spec.LXOR: kernelOp(spec.LXOR, datatype.LXor),
	spec.BAND: kernelOp(spec.BAND, datatype.BAnd), spec.BOR: kernelOp(spec.BOR, datatype.BOr), spec.BXOR: kernelOp(spec.BXOR, datatype.BXor),
	spec.MINLOC: locOp(spec.MINLOC, comm.MinLoc), spec.MAXLOC: locOp(spec.MAXLOC, comm.MaxLoc),
}

func kernelOp(h uintptr, k datatype.Op) *operation {
	return &operation{handle: h, commutative: true, predefined: &predefinedOp{name: k.String(), kernel: k}}
}

func locOp(h uintptr, f comm.Fold) *operation {
	return &operation{handle: h, commutative: true, predefined: &predefinedOp{name: f.String(), loc: f}}
}

// chapterOps makes reductions.
var chapterOps = map[string]row{"Op_create": {do: createOp}, "Op_free": {do: freeOp}, "Op_commutative": {do: opCommutative}}

// opOf finds a reduction for collectives.
func (p *Proc) opOf(h uintptr) (*operation, error) {
	if o := standardOps[h]; o != nil {
		return o, nil
	}
	if o := p.ops.get(h); o != nil {
		return o, nil
	}
	if h == spec.REPLACE || h == spec.NO_OP {
		return nil, bad(spec.ERR_OP, "MPI_REPLACE and MPI_NO_OP are for windows")
	}
	return nil, bad(spec.ERR_OP, "0x%x is no reduction, or it has been freed", h)
}

func createOp(c call) error {
	if c.word(0) < firstPage {
		return bad(spec.ERR_ARG, "user_fn is no function")
	}
	if err := c.outs(2); err != nil {
		return err
	}
	o := &operation{fn: c.word(0), large: c.f.Large, commutative: c.int(1) != 0}
	var err error
	if o.handle, err = c.p.ops.add(o); err != nil {
		return err
	}
	c.setHandle(2, o.handle)
	return nil
}

func freeOp(c call) error {
	h, err := c.handleAt(0)
	if err != nil {
		return err
	}
	if c.p.ops.remove(h) == nil {
		return bad(spec.ERR_OP, "0x%x is no reduction that can be freed", h)
	}
	c.setHandle(0, spec.OP_NULL)
	return nil
}

func opCommutative(c call) error {
	if err := c.outs(1); err != nil {
		return err
	}
	if h := c.word(0); h == spec.REPLACE || h == spec.NO_OP {
		c.setFlag(1, false)
		return nil
	}
	o, err := c.p.opOf(c.word(0))
	if err == nil {
		c.setFlag(1, o.commutative)
	}
	return err
}

// reduction is an operation on elements of a type, as collectives need it.
type reduction struct {
	combine     plan.Combine
	commutative bool
	foreign     comm.Foreign
	name        string
	fold        comm.Fold
}

// reduction finds how elements of a type are reduced.
func (p *Proc) reduction(o *operation, t *dtype) (reduction, error) {
	if o.predefined == nil {
		if p.cfg.Hooks.Reduce == nil {
			return reduction{}, bad(spec.ERR_INTERN, "there is nobody to call reductions")
		}
		return reduction{p.userCombine(o, t), o.commutative, comm.Callers, "user", comm.Own}, nil
	}
	d := o.predefined
	no := bad(spec.ERR_OP, "%s is not defined for the datatype %s", d.name, t.name)
	switch {
	case t.own != notOwn:
		if p.cfg.Hooks.Fold == nil || !p.cfg.Hooks.Fold(int(t.own), int(o.handle), nil, nil, 0) {
			return reduction{}, no
		}
		return reduction{p.ownCombine(o, t), true, comm.Ours, d.name, comm.Own}, nil
	case d.loc != 0 && t.pair != datatype.Invalid:
		return reduction{locCombine(d.loc, t), true, comm.Ours, d.name, d.loc}, nil
	case d.loc != 0 || t.kind == datatype.Invalid:
		return reduction{}, no
	}
	kernel, ok := datatype.Kernel(d.kernel, t.kind)
	if !ok || t.logical && !isLogical(d.kernel) {
		return reduction{}, no
	}
	return reduction{func(dst, src []byte, _ bool) { kernel(dst, src) }, true, comm.Ours, d.name, comm.FoldOf(d.kernel)}, nil
}

func isLogical(op datatype.Op) bool {
	return op == datatype.LAnd || op == datatype.LOr || op == datatype.LXor
}

// userCombine calls a reduction of the program's. It computes a op b into b: if a stands in dst, b is a copy.
// Elements with holes are spread out for it first.
func (p *Proc) userCombine(o *operation, t *dtype) plan.Combine {
	call := func(in, inout []byte) {
		n := len(in) / max(t.size, 1)
		if t.l.Plain() {
			p.cfg.Hooks.Reduce(o.fn, unsafe.Pointer(unsafe.SliceData(in)), unsafe.Pointer(unsafe.SliceData(inout)), n, t.handle, o.large)
			return
		}
		a, b := spread(in, n, t), spread(inout, n, t)
		p.cfg.Hooks.Reduce(o.fn, a.base, b.base, n, t.handle, o.large)
		b.pack(inout)
	}
	return func(dst, src []byte, srcFirst bool) {
		if len(dst) == 0 {
			return
		}
		if srcFirst || o.commutative {
			withAligned(src, dst, call)
			return
		}
		inout := alignedCopy(src)
		withAligned(dst, inout, call)
		copy(dst, inout)
	}
}

// spread is packed elements at their places, in scratch.
func spread(packed []byte, n int, t *dtype) view {
	low, high, _ := datatype.Span(n, t.l) // the packed form exists, so it fits
	low = min(low, 0)                     // no pointer may leave the scratch
	room := alignedRoom(high - low)
	v := view{unsafe.Add(unsafe.Pointer(unsafe.SliceData(room)), -low), n, t}
	v.unpack(packed)
	return v
}

// elementAlign is the alignment that every element of C's has enough of.
const elementAlign = 16

func isAligned(b []byte) bool {
	return uintptr(unsafe.Pointer(unsafe.SliceData(b)))%elementAlign == 0
}

// alignedRoom is n bytes, aligned for every element.
func alignedRoom(n int) []byte {
	words := make([][2]uint64, n/elementAlign+2)
	b := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), len(words)*elementAlign)
	for !isAligned(b) {
		b = b[1:]
	}
	return b[:n]
}

func alignedCopy(b []byte) []byte {
	d := alignedRoom(len(b))
	copy(d, b)
	return d
}

// withAligned calls f with buffers that are aligned for every element: copies, if those are not.
func withAligned(in, inout []byte, f func(in, inout []byte)) {
	if !isAligned(in) {
		in = alignedCopy(in)
	}
	if isAligned(inout) {
		f(in, inout)
		return
	}
	d := alignedCopy(inout)
	f(in, d)
	copy(inout, d)
}

// ownCombine has C compute a predefined reduction.
func (p *Proc) ownCombine(o *operation, t *dtype) plan.Combine {
	return func(dst, src []byte, _ bool) {
		withAligned(src, dst, func(in, inout []byte) {
			p.cfg.Hooks.Fold(int(t.own), int(o.handle), unsafe.Pointer(unsafe.SliceData(in)), unsafe.Pointer(unsafe.SliceData(inout)), len(in)/t.size)
		})
	}
}
