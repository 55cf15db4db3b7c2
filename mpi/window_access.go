package mpi

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/weft-mpi/weft/internal/comm"
	"github.com/weft-mpi/weft/internal/datatype"
	"github.com/weft-mpi/weft/internal/window"
	"github.com/weft-mpi/weft/internal/wire"
)

// Reductions of [Accumulate] and its relatives, besides [Sum] and the other predefined ones.
var (
	Replace = Op{name: "replace", commutative: true, sided: window.Replace} // what comes takes the place of what is there
	NoOp    = Op{name: "no_op", commutative: true, sided: window.NoOp}      // what is there stays: with GetAccumulate, an atomic Get
)

func typeName[T any]() string { return reflect.TypeFor[T]().String() }

func (w *Window) badType(op string, target int, name string) error {
	return &Error{Op: op, Comm: w.Name(), Peer: target, Tag: comm.None, Err: fmt.Errorf("%w: %s", ErrType, name)}
}

func elemOf[T any]() window.Elem {
	return window.Elem{Size: sizeOf[T](), Align: int(unsafe.Alignof(*new(T)))}
}

// Put writes src into the part of rank target, from element disp on. src may be changed again when
// the epoch ends, or after a flush.
func Put[T any](w *Window, src []T, target, disp int) error {
	if !movable[T]() {
		return w.badType("put", target, typeName[T]())
	}
	return w.w.Put(view(src), target, disp, elemOf[T]())
}

// Get reads elements of the part of rank target, from element disp on, into dst. They are there
// when the epoch ends, or after a flush.
func Get[T any](w *Window, dst []T, target, disp int) error {
	if !movable[T]() {
		return w.badType("get", target, typeName[T]())
	}
	return w.w.Get(view(dst), target, disp, elemOf[T]())
}

// PutLayout is [Put] to elements that do not lie next to each other: src, whose elements do, goes
// to those that the layout names, counted from disp.
func PutLayout[T any](w *Window, src []T, target, disp int, at Layout) error {
	return doAt[T](w, &window.Operation{Name: "put", Verb: wire.RMAPut, Target: target, Disp: disp, Src: view(src)}, at)
}

// GetLayout is [Get] from elements that do not lie next to each other: those that the layout names,
// counted from disp, come one after the other to dst.
func GetLayout[T any](w *Window, dst []T, target, disp int, at Layout) error {
	return doAt[T](w, &window.Operation{Name: "get", Verb: wire.RMAGet, Target: target, Disp: disp, Dst: view(dst)}, at)
}

// describeAccess fills in what the type says.
func describeAccess[T any](w *Window, o *window.Operation) error {
	if !movable[T]() {
		return w.badType(o.Name, o.Target, typeName[T]())
	}
	o.Elem = elemOf[T]()
	return nil
}

// do carries an operation out.
func do[T any](w *Window, o *window.Operation) error {
	if err := describeAccess[T](w, o); err != nil {
		return err
	}
	return w.w.Do(o)
}

// doAt carries an operation out on the elements that a layout names at the target.
func doAt[T any](w *Window, o *window.Operation, at Layout) (err error) {
	if at != nil && movable[T]() {
		if o.At, err = layoutOf[T](at); err != nil {
			return &Error{Op: o.Name, Comm: w.Name(), Peer: o.Target, Tag: comm.None, Err: inClass(err)}
		}
	}
	return do[T](w, o)
}

// PutLayouts is [PutLayout] of elements of src that do not lie next to each other either: those that of names.
func PutLayouts[T any](w *Window, src []T, of Layout, target, disp int, at Layout) error {
	packed, err := w.packed(packable("put", src, of))
	if err != nil {
		return err
	}
	return doAt[T](w, &window.Operation{Name: "put", Verb: wire.RMAPut, Target: target, Disp: disp, Src: packed}, at)
}

// AccumulateLayouts is [AccumulateLayout] of those elements of src that of names.
func AccumulateLayouts[T any](w *Window, src []T, of Layout, target, disp int, at Layout, op Op) error {
	fold, err := foldFor[T](w, "accumulate", target, op)
	if err != nil {
		return err
	}
	packed, err := w.packed(packable("accumulate", src, of))
	if err != nil {
		return err
	}
	return doAt[T](w, &window.Operation{Name: "accumulate", Verb: wire.RMAAcc, Target: target, Disp: disp, Src: packed, Fold: fold}, at)
}

// GetLayouts is [GetLayout] into those elements of dst that to names, all of them different.
func GetLayouts[T any](w *Window, dst []T, to Layout, target, disp int, at Layout) error {
	s, err := packable("get", dst, to)
	if err != nil {
		return w.named(err)
	}
	o := window.Operation{Name: "get", Verb: wire.RMAGet, Target: target, Disp: disp}
	if plain, ok := s.Plain(); ok {
		o.Dst = plain
	} else if s.Overlaps() {
		return &Error{Op: "get", Comm: w.Name(), Peer: target, Tag: comm.None, Err: comm.ErrTwice}
	} else {
		o.Dst = make([]byte, s.Len())
		o.Then = func() { s.Unpack(o.Dst, 0) }
	}
	return doAt[T](w, &o, at)
}

// packed is the elements of a shape one after the other.
func (w *Window) packed(s datatype.Shape, err error) ([]byte, error) {
	if err != nil {
		return nil, w.named(err)
	}
	if plain, ok := s.Plain(); ok {
		return plain, nil
	}
	b := make([]byte, s.Len())
	s.Pack(b, 0)
	return b, nil
}

// named has an error of Pack's name the window.
func (w *Window) named(err error) error {
	if e, ok := err.(*Error); ok {
		e.Comm = w.Name()
	}
	return err
}

// begin starts an operation.
func begin[T any](w *Window, o *window.Operation) Request {
	if err := describeAccess[T](w, o); err != nil {
		return Request{comm.Failed(err)}
	}
	return Request{w.w.Start(o)}
}

// foldFor says how windows reduce elements of type T.
func foldFor[T any](w *Window, op string, target int, o Op) (window.Fold, error) {
	kind := kindFor[T]()
	f := window.Fold{Op: window.Reduction(o.kind), Kind: kind}
	if o.sided != 0 {
		f.Op = o.sided
	}
	if !movable[T]() {
		return f, w.badType(op, target, typeName[T]())
	}
	var why error
	switch {
	case o.name == "":
		why = fmt.Errorf("%w: the zero Op; use a predefined one", ErrOp)
	case o.combine != nil && o.sided == 0:
		why = fmt.Errorf("%w: a function of this process cannot run at the target; use a predefined reduction, Replace or NoOp", ErrOp)
	case o.combine != nil && reflect.TypeFor[T]() != o.elem:
		why = fmt.Errorf("%w: %s is for %v, the buffer is of %v", ErrOp, o.name, o.elem, reflect.TypeFor[T]())
	case o.combine != nil:
		f.Kind = o.value
	}
	if why == nil && !f.Valid() {
		why = fmt.Errorf("%w: %s of %v; see which reductions go with which elements in the documentation of Accumulate", ErrOp, o.name, reflect.TypeFor[T]())
	}
	if why != nil {
		return f, &Error{Op: op, Comm: w.Name(), Peer: target, Tag: comm.None, Err: why}
	}
	return f, nil
}

// Accumulate combines src with elements of the part of rank target, from element disp on: each
// becomes the reduction of what was there and what comes. Accumulates of all ranks on one element
// happen one after the other, those of one rank in its order. src may be changed again when the
// epoch ends, or after a flush.
//
// The reductions are [Replace] and [NoOp] for every type; [Sum] and [Prod] for numbers; [Min] and [Max] for
// those of them that have an order; [Band], [Bor] and [Bxor] for integers; [Land], [Lor] and [Lxor] for
// integers and bools; [MinLoc] and [MaxLoc] for [Loc].
func Accumulate[T any](w *Window, src []T, target, disp int, op Op) error {
	return accumulate(w, src, target, disp, nil, op)
}

// AccumulateLayout is [Accumulate] to elements that do not lie next to each other.
func AccumulateLayout[T any](w *Window, src []T, target, disp int, at Layout, op Op) error {
	return accumulate(w, src, target, disp, at, op)
}

func accumulate[T any](w *Window, src []T, target, disp int, at Layout, op Op) error {
	fold, err := foldFor[T](w, "accumulate", target, op)
	if err != nil {
		return err
	}
	return doAt[T](w, &window.Operation{Name: "accumulate", Verb: wire.RMAAcc, Target: target, Disp: disp, Src: view(src), Fold: fold}, at)
}

// GetAccumulate is [Accumulate] that also gets what was there before, into result, which is as long
// as src. With [NoOp], src may be nil.
func GetAccumulate[T any](w *Window, src, result []T, target, disp int, op Op) error {
	return getAccumulate(w, src, result, target, disp, nil, op)
}

// GetAccumulateLayout is [GetAccumulate] with elements that do not lie next to each other.
func GetAccumulateLayout[T any](w *Window, src, result []T, target, disp int, at Layout, op Op) error {
	return getAccumulate(w, src, result, target, disp, at, op)
}

func getAccumulate[T any](w *Window, src, result []T, target, disp int, at Layout, op Op) error {
	fold, err := foldFor[T](w, "get_accumulate", target, op)
	if err != nil {
		return err
	}
	o := fetchOf(view(src), view(result), window.Operation{Name: "get_accumulate", Target: target, Disp: disp, Fold: fold})
	return doAt[T](w, &o, at)
}

// fetchOf completes an operation that gets what was there.
func fetchOf(src, result []byte, o window.Operation) window.Operation {
	o.Verb, o.Src, o.Dst = wire.RMAFetch, src, result
	if o.Fold.Op == window.NoOp {
		o.Src = nil
	}
	return o
}

// FetchOp combines one value with element disp of the part of rank target and returns what was
// there before, in one step that nobody comes between. It waits for the answer; [RgetAccumulate]
// does not.
func FetchOp[T any](w *Window, value T, target, disp int, op Op) (old T, err error) {
	fold, err := foldFor[T](w, "fetch_op", target, op)
	if err != nil {
		return old, err
	}
	src, dst := [1]T{value}, [1]T{}
	err = w.w.Fetch("fetch_op", wire.RMAFetch, view(src[:]), view(dst[:]), target, disp, elemOf[T](), fold)
	return dst[0], err
}

// CompareSwap writes value to element disp of the part of rank target if old is there, and returns
// what was there, in one step that nobody comes between. It waits for the answer. T is a number or
// a bool; floats are compared bit by bit.
func CompareSwap[T comparable](w *Window, old, value T, target, disp int) (was T, err error) {
	if !movable[T]() {
		return was, w.badType("compare_swap", target, typeName[T]())
	}
	pair, dst := [2]T{old, value}, [1]T{}
	fold := window.Fold{Kind: kindFor[T]()}
	err = w.w.Fetch("compare_swap", wire.RMASwap, view(pair[:]), view(dst[:]), target, disp, elemOf[T](), fold)
	return dst[0], err
}

// Rput is [Put] with a request of its own: when it has been waited for, src may be changed again,
// though what was put may be on its way. The target must be locked.
func Rput[T any](w *Window, src []T, target, disp int) Request {
	return begin[T](w, &window.Operation{Name: "rput", Verb: wire.RMAPut, Target: target, Disp: disp, Src: view(src)})
}

// Rget is [Get] with a request of its own: when it has been waited for, dst has what was there. The
// target must be locked.
func Rget[T any](w *Window, dst []T, target, disp int) Request {
	return begin[T](w, &window.Operation{Name: "rget", Verb: wire.RMAGet, Target: target, Disp: disp, Dst: view(dst)})
}

// Raccumulate is [Accumulate] with a request of its own: when it has been waited for, src may be
// changed again. The target must be locked.
func Raccumulate[T any](w *Window, src []T, target, disp int, op Op) Request {
	fold, err := foldFor[T](w, "raccumulate", target, op)
	if err != nil {
		return Request{comm.Failed(err)}
	}
	return begin[T](w, &window.Operation{Name: "raccumulate", Verb: wire.RMAAcc, Target: target, Disp: disp, Src: view(src), Fold: fold})
}

// RgetAccumulate is [GetAccumulate] with a request of its own: when it has been waited for, result
// has what was there. The target must be locked.
func RgetAccumulate[T any](w *Window, src, result []T, target, disp int, op Op) Request {
	fold, err := foldFor[T](w, "rget_accumulate", target, op)
	if err != nil {
		return Request{comm.Failed(err)}
	}
	o := fetchOf(view(src), view(result), window.Operation{Name: "rget_accumulate", Target: target, Disp: disp, Fold: fold})
	return begin[T](w, &o)
}
