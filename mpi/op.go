package mpi

import (
	"cmp"
	"fmt"
	"reflect"
	"unsafe"

	"github.com/weft-mpi/weft/internal/comm"
	"github.com/weft-mpi/weft/internal/datatype"
	"github.com/weft-mpi/weft/internal/plan"
	"github.com/weft-mpi/weft/internal/window"
)

// Op is a reduction: how [Reduce], [Accumulate] and their relatives combine two elements. It is a
// predefined one, or made by [NewOp].
type Op struct {
	name        string
	fold        comm.Fold // which it is, for ranks to compare
	kind        datatype.Op
	commutative bool
	elem        reflect.Type     // user-made: the element type it is for
	combine     plan.Combine     // user-made
	sided       window.Reduction // as windows name it, if they do so in their own way; 0 for others
	value       datatype.Kind    // MinLoc and MaxLoc: the kind of the values
}

// Predefined reductions. Sum and Prod are for numbers, complex ones too; Min and Max for integers
// and floats. Land, Lor and Lxor are for integers and bools and treat non-zero as true; Band, Bor
// and Bxor are for integers and work bit by bit. Other element types fail with [ErrOp].
var (
	Sum  = predefined(datatype.Sum)
	Prod = predefined(datatype.Prod)
	Min  = predefined(datatype.Min)
	Max  = predefined(datatype.Max)
	Land = predefined(datatype.LAnd)
	Lor  = predefined(datatype.LOr)
	Lxor = predefined(datatype.LXor)
	Band = predefined(datatype.BAnd)
	Bor  = predefined(datatype.BOr)
	Bxor = predefined(datatype.BXor)
)

func predefined(k datatype.Op) Op {
	return Op{name: k.String(), fold: comm.FoldOf(k), kind: k, commutative: true}
}

// foreign tells whose code the reduction is.
func (o Op) foreign() comm.Foreign {
	if o.combine != nil && o.sided == 0 {
		return comm.Anybody
	}
	return comm.Ours
}

// String names the reduction.
func (o Op) String() string { return o.name }

// combines holds the predefined reductions in the form that plans use, by operation and element kind.
var combines = func() (table [datatype.BXor + 1][datatype.KindCount]plan.Combine) {
	for op := range table {
		for kind := range table[op] {
			if fn, ok := datatype.Kernel(datatype.Op(op), datatype.Kind(kind)); ok {
				table[op][kind] = func(dst, src []byte, _ bool) { fn(dst, src) }
			}
		}
	}
	return table
}()

// combineFor returns how to reduce elements of type T, or an error that says why it cannot.
func combineFor[T any](o Op) (plan.Combine, error) {
	if o.combine != nil {
		if t := reflect.TypeFor[T](); t != o.elem {
			return nil, fmt.Errorf("%w: %s is for %v, the buffer is of %v", ErrOp, o.name, o.elem, t)
		}
		return o.combine, nil
	}
	if o.sided != 0 {
		return nil, fmt.Errorf("%w: %s is for windows only", ErrOp, o.name)
	}
	if o.name == "" {
		return nil, fmt.Errorf("%w: the zero Op; use a predefined one or NewOp", ErrOp)
	}
	kind := kindFor[T]()
	if c := combines[o.kind][kind]; c != nil {
		return c, nil
	}
	return nil, fmt.Errorf("%w: %s of %v", ErrOp, o.name, reflect.TypeFor[T]())
}

// NewOp makes a reduction from a function of two elements, which must be associative. Of a and b, a
// comes from the lower rank; a function that is not commutative is applied in the order of ranks.
// It runs on any goroutine of the rank that waits in a call, or on one of the library's, for several
// collectives at the same time if there are several. It may take its time, and call the library. If
// it panics, the rank has failed: its other calls end with [ErrAborted].
func NewOp[T any](commutative bool, f func(a, b T) T) Op {
	return Op{name: "user", fold: comm.Own, commutative: commutative, elem: reflect.TypeFor[T](), combine: func(dst, src []byte, srcFirst bool) {
		d, s := elements[T](dst), elements[T](src)
		if srcFirst {
			for i := range d {
				d[i] = f(s[i], d[i])
			}
			return
		}
		for i := range d {
			d[i] = f(d[i], s[i])
		}
	}}
}

// elements is the inverse of view.
func elements[T any](b []byte) []T {
	size := sizeOf[T]()
	if size == 0 || len(b) == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/size)
}

// Loc is a value with the place it came from, for [MinLoc] and [MaxLoc].
type Loc[T cmp.Ordered] struct {
	Value T
	Index int // a rank, or any number that tells places apart
}

// MinLoc finds the smallest value and the lowest index that has it, in slices of [Loc].
func MinLoc[T cmp.Ordered]() Op {
	return loc(comm.MinLoc, window.MinLoc, func(a, b T) bool { return a < b })
}

// MaxLoc finds the largest value and the lowest index that has it, in slices of [Loc].
func MaxLoc[T cmp.Ordered]() Op {
	return loc(comm.MaxLoc, window.MaxLoc, func(a, b T) bool { return a > b })
}

func loc[T cmp.Ordered](fold comm.Fold, sided window.Reduction, better func(a, b T) bool) Op {
	o := NewOp(true, func(a, b Loc[T]) Loc[T] {
		if better(b.Value, a.Value) || b.Value == a.Value && b.Index < a.Index {
			return b
		}
		return a
	})
	o.name, o.fold, o.sided, o.value = fold.String(), fold, sided, datatype.KindOf(reflect.TypeFor[T]().Kind())
	return o
}
