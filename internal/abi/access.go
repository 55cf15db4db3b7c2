package abi

import (
	"unsafe"

	"github.com/weft-mpi/weft/internal/abi/spec"
	"github.com/weft-mpi/weft/internal/comm"
	"github.com/weft-mpi/weft/internal/datatype"
	winpkg "github.com/weft-mpi/weft/internal/window"
	"github.com/weft-mpi/weft/internal/wire"
)

// chapterAccess has the operations on windows.
var chapterAccess = map[string]row{
	"Put": {do: put}, "Rput": {do: put}, "Get": {do: get}, "Rget": {do: get}, "Accumulate": {do: accumulate}, "Raccumulate": {do: accumulate},
	"Get_accumulate": {do: getAccumulate}, "Rget_accumulate": {do: getAccumulate}, "Fetch_and_op": {do: fetchAndOp}, "Compare_and_swap": {do: compareAndSwap},
}

// access is an operation on a window: what underneath takes, and what is left to do with the result.
type access struct {
	w     *window
	o     winpkg.Operation
	after func() // unpacks; nil: nothing
}

// aim begins the description of an operation: rank, displacement, count and type at the target, and the window, from argument
// i on, where the window is argument win.
func (c call) aim(i, win int, name string) (*access, view, error) {
	w, err := c.win(win)
	if err != nil {
		return nil, view{}, err
	}
	a := &access{w: w, o: winpkg.Operation{Name: name, Target: c.int(i), Elem: winpkg.Elem{Size: 1, Align: 1}}}
	n, err := c.count(i + 2)
	if err != nil {
		return nil, view{}, err
	}
	t, err := c.committedType(i + 3)
	if err != nil {
		return nil, view{}, err
	}
	if err := a.target(c.long(i + 1)); err != nil {
		return nil, view{}, err
	}
	at := view{n: n, t: t}
	return a, at, nil
}

// target sets rank and displacement, in the target's units.
func (a *access) target(disp int) error {
	o := &a.o
	if o.Target == spec.PROC_NULL {
		o.Target = comm.ProcNull
		return nil
	}
	if o.Target < 0 || o.Target >= len(a.w.units) {
		return bad(spec.ERR_RANK, "rank %d; the window has ranks 0 to %d", o.Target, len(a.w.units)-1)
	}
	unit := a.w.units[o.Target]
	if disp > maxElements/unit || disp < 0 && a.w.flavor != spec.WIN_FLAVOR_DYNAMIC {
		return bad(spec.ERR_DISP, "target_disp is %d", disp)
	}
	o.Disp = disp * unit
	return nil
}

// lay says where the data lie at the target: size is the bytes of an element that must not be torn apart.
func (a *access) lay(at view, size int) error {
	if a.o.Target == comm.ProcNull {
		return nil
	}
	a.o.Elem = winpkg.Elem{Size: size, Align: 1}
	lo, hi, err := datatype.Span(at.n, at.t.l)
	if err != nil {
		return err
	}
	if at.bytes() > 0 && at.t.l.Plain() || at.bytes() == 0 {
		return nil
	}
	if a.o.Disp+lo < 0 || hi-lo > maxElements {
		return bad(spec.ERR_RMA_RANGE, "the data begin %d bytes before the window", -(a.o.Disp + lo))
	}
	a.o.At, err = datatype.Contiguous(at.n, at.t.l)
	return err
}

// carry carries an operation out, or starts it if it has a request.
func (c call) carry(a *access) error {
	if last := c.last(1); c.f.Args[last].Kind == "request*" {
		if err := c.outs(last); err != nil {
			return err
		}
		r := &request{r: a.w.w.Start(&a.o)}
		if after := a.after; after != nil {
			r.end = func(st comm.Status, err error) (comm.Status, error) { after(); return st, err }
		}
		return c.start(last, r)
	}
	a.o.Wait = a.after != nil
	err := a.w.w.Do(&a.o)
	if err == nil && a.after != nil {
		a.after()
	}
	return err
}

// equal says that origin and target have different lengths.
func equal(origin, target view) error {
	if origin.bytes() != target.bytes() {
		return bad(spec.ERR_COUNT, "%d bytes at the origin, %d at the target", origin.bytes(), target.bytes())
	}
	return nil
}

// put is Put and Rput: buffer, count, type, rank, displacement, count, type, window.
func put(c call) error {
	a, at, err := c.aim(3, 7, "put")
	if err != nil {
		return err
	}
	v, err := c.view(0, 1, 2)
	if err != nil {
		return err
	}
	if err := equal(v, at); err != nil {
		return err
	}
	a.o.Verb, a.o.Src = wire.RMAPut, v.packed()
	if err := a.lay(at, 1); err != nil {
		return err
	}
	return c.carry(a)
}

// get is Get and Rget: buffer, count, type, rank, displacement, count, type, window.
func get(c call) error {
	a, at, err := c.aim(3, 7, "get")
	if err != nil {
		return err
	}
	v, err := c.view(0, 1, 2)
	if err != nil {
		return err
	}
	if err := equal(v, at); err != nil {
		return err
	}
	b, scratch := v.room()
	a.o.Verb, a.o.Dst = wire.RMAGet, b
	if scratch && a.o.Target != spec.PROC_NULL && a.o.Target != comm.ProcNull {
		a.after = func() { v.unpack(b) }
	}
	if err := a.lay(at, 1); err != nil {
		return err
	}
	return c.carry(a)
}

// fold is the reduction of argument i, on elements of a type at the target.
func (c call) fold(i int, t *dtype) (f winpkg.Fold, size int, err error) {
	kind, same := t.l.Kinds().Uniform()
	h := c.word(i)
	switch h {
	case spec.REPLACE, spec.NO_OP:
		f.Op = winpkg.Replace
		if h == spec.NO_OP {
			f.Op = winpkg.NoOp
		}
		if size = kind.Size(); !same || size == 0 {
			size = 1
		}
		return f, size, nil
	}
	o := standardOps[h]
	if o == nil {
		return f, 0, bad(spec.ERR_OP, "windows take predefined reductions")
	}
	if o.predefined.loc != 0 {
		return c.foldLoc(o, t)
	}
	if !same || kind == datatype.Invalid {
		return f, 0, bad(spec.ERR_OP, "%s of %s is not defined for windows", o.predefined.name, t.name)
	}
	f = winpkg.Fold{Op: winpkg.Reduction(o.predefined.kernel), Kind: kind}
	if !f.Valid() {
		return f, 0, bad(spec.ERR_OP, "%s is not defined for the datatype %s", o.predefined.name, t.name)
	}
	return f, kind.Size(), nil
}

// foldLoc is MINLOC or MAXLOC on elements of a pair type: whole ones, with what lies between value and place.
func (c call) foldLoc(o *operation, t *dtype) (f winpkg.Fold, size int, err error) {
	f = winpkg.Fold{Op: winpkg.MinLocInt32, Kind: t.pair}
	if t.unit > 0 && t.pair != datatype.Int32 {
		f.Op = winpkg.MinLocAlike
	}
	if o.predefined.loc == comm.MaxLoc {
		f.Op++
	}
	if t.pair == datatype.Invalid || !f.Valid() {
		return f, 0, bad(spec.ERR_OP, "%s of %s is not defined for windows", o.predefined.name, t.name)
	}
	return f, t.extent(), nil
}

// located tells whether a reduction is of pairs.
func located(f winpkg.Fold) bool {
	return f.Op >= winpkg.MinLocInt32
}

// whole is all bytes of pairs, which lie in a row; at is the same at the target. Both ends must have the same type.
func (v view) whole(at view) ([]byte, error) {
	if v.t != at.t {
		return nil, bad(spec.ERR_TYPE, "%s here and %s at the target", v.t.name, at.t.name)
	}
	if v.n == 0 {
		return nil, nil
	}
	return unsafe.Slice((*byte)(v.base), v.n*v.t.extent()), nil
}

// accumulate is Accumulate and Raccumulate: buffer, count, type, rank, displacement, count, type, operation, window.
func accumulate(c call) error {
	a, at, err := c.aim(3, 8, "accumulate")
	if err != nil {
		return err
	}
	v, err := c.view(0, 1, 2)
	if err != nil {
		return err
	}
	if err := equal(v, at); err != nil {
		return err
	}
	f, size, err := c.fold(7, at.t)
	if err != nil {
		return err
	}
	a.o.Verb, a.o.Fold = wire.RMAAcc, f
	if located(f) {
		a.o.Elem = winpkg.Elem{Size: size, Align: 1}
		if a.o.Src, err = v.whole(at); err != nil {
			return err
		}
		return c.carry(a)
	}
	a.o.Src = v.packed()
	if err := a.lay(at, size); err != nil {
		return err
	}
	return c.carry(a)
}

// getAccumulate is Get_accumulate and Rget_accumulate: buffer, count, type, result, count, type, rank, displacement, count, type,
// operation, window.
func getAccumulate(c call) error {
	a, at, err := c.aim(6, 11, "get_accumulate")
	if err != nil {
		return err
	}
	result, err := c.view(3, 4, 5)
	if err != nil {
		return err
	}
	f, size, err := c.fold(10, at.t)
	if err != nil {
		return err
	}
	if err := equal(result, at); err != nil {
		return err
	}
	if f.Op != winpkg.NoOp {
		v, err := c.view(0, 1, 2)
		if err != nil {
			return err
		}
		if err := equal(v, at); err != nil {
			return err
		}
		if located(f) {
			return c.getLocated(a, v, result, at, f)
		}
		a.o.Src = v.packed()
	}
	b, scratch := result.room()
	a.o.Verb, a.o.Dst, a.o.Fold = wire.RMAFetch, b, f
	if scratch && a.o.Target != comm.ProcNull {
		a.after = func() { result.unpack(b) }
	}
	if err := a.lay(at, size); err != nil {
		return err
	}
	return c.carry(a)
}

// getLocated is getAccumulate with MINLOC or MAXLOC.
func (c call) getLocated(a *access, v, result, at view, f winpkg.Fold) (err error) {
	a.o.Verb, a.o.Fold, a.o.Elem = wire.RMAFetch, f, winpkg.Elem{Size: at.t.extent(), Align: 1}
	if a.o.Src, err = v.whole(at); err != nil {
		return err
	}
	if a.o.Dst, err = result.whole(at); err != nil {
		return err
	}
	return c.carry(a)
}

// one is the data of a buffer with one element.
func (c call) one(buf, typ int) (view, error) {
	t, err := c.committedType(typ)
	if err != nil {
		return view{}, err
	}
	if t.made != nil && !t.permanent || t.kind == datatype.Invalid {
		return view{}, bad(spec.ERR_TYPE, "%s is no type for one element", t.name)
	}
	return c.viewAt(buf, 1, t)
}

// fetchAndOp is Fetch_and_op: buffer, result, type, rank, displacement, operation, window.
func fetchAndOp(c call) error {
	w, err := c.win(6)
	if err != nil {
		return err
	}
	if t, err := c.committedType(2); err == nil && t.pair != datatype.Invalid {
		return c.fetchPair(w, t)
	}
	old, err := c.one(1, 2)
	if err != nil {
		return err
	}
	f, size, err := c.fold(5, old.t)
	if err != nil {
		return err
	}
	a := &access{w: w, o: winpkg.Operation{Target: c.int(3)}}
	if err := a.target(c.long(4)); err != nil || a.o.Target == comm.ProcNull {
		return err
	}
	src := make([]byte, size)
	if f.Op != winpkg.NoOp {
		v, err := c.one(0, 2)
		if err != nil {
			return err
		}
		v.pack(src)
	}
	to, _ := old.plain()
	return w.w.Fetch("fetch_and_op", wire.RMAFetch, src, to, a.o.Target, a.o.Disp, winpkg.Elem{Size: size, Align: 1}, f)
}

// fetchPair is fetchAndOp with a pair.
func (c call) fetchPair(w *window, t *dtype) error {
	if t.made != nil && !t.permanent {
		return bad(spec.ERR_TYPE, "%s is no type for one element", t.name)
	}
	old, err := c.viewAt(1, 1, t)
	if err != nil {
		return err
	}
	f, _, err := c.fold(5, t)
	if err != nil {
		return err
	}
	a := &access{w: w, o: winpkg.Operation{Target: c.int(3)}}
	if err := a.target(c.long(4)); err != nil || a.o.Target == comm.ProcNull {
		return err
	}
	src := make([]byte, t.extent())
	if f.Op != winpkg.NoOp {
		v, err := c.viewAt(0, 1, t)
		if err != nil {
			return err
		}
		whole, _ := v.whole(old)
		copy(src, whole)
	}
	to, _ := old.whole(old)
	whole := winpkg.Elem{Size: len(src), Align: 1}
	return w.w.Fetch("fetch_and_op", wire.RMAFetch, src, to, a.o.Target, a.o.Disp, whole, f)
}

// compareAndSwap is Compare_and_swap: buffer, what should be there, result, type, rank, displacement, window.
func compareAndSwap(c call) error {
	w, err := c.win(6)
	if err != nil {
		return err
	}
	var vs [3]view
	for i := range vs {
		if vs[i], err = c.one(i, 3); err != nil {
			return err
		}
	}
	a := &access{w: w, o: winpkg.Operation{Target: c.int(4)}}
	if err := a.target(c.long(5)); err != nil || a.o.Target == comm.ProcNull {
		return err
	}
	t := vs[0].t
	pair := make([]byte, 2*t.size)
	vs[1].pack(pair[:t.size])
	vs[0].pack(pair[t.size:])
	to, _ := vs[2].plain()
	return w.w.Fetch("compare_and_swap", wire.RMASwap, pair, to, a.o.Target, a.o.Disp, winpkg.Elem{Size: t.size, Align: 1}, winpkg.Fold{Kind: t.kind})
}
