package abi

import (
	"slices"

	"github.com/weft-mpi/weft/internal/abi/spec"
	"github.com/weft-mpi/weft/internal/datatype"
)

// envelope is how a type was made, for Type_get_contents.
type envelope struct {
	combiner               int
	ints, addresses, large []int
	types                  []*dtype
}

// chapterMakeTypes makes datatypes.
var chapterMakeTypes = map[string]row{
	"Type_contiguous":            {do: makeContiguous},
	"Type_vector":                {do: makeVector},
	"Type_create_hvector":        {do: makeVector},
	"Type_create_hvector_c":      {do: makeVector},
	"Type_indexed":               {do: makeIndexed},
	"Type_create_hindexed":       {do: makeIndexed},
	"Type_create_hindexed_c":     {do: makeIndexed},
	"Type_create_indexed_block":  {do: makeIndexedBlock},
	"Type_create_hindexed_block": {do: makeIndexedBlock},
	"Type_create_struct":         {do: makeStruct},
	"Type_create_subarray":       {do: makeSubarray},
	"Type_create_darray":         {do: makeDarray},
	"Type_create_resized":        {do: makeResized},
	"Type_dup":                   {do: dupType},
}

// finish gives a type of a new layout its handle, and returns that by argument i.
func (c call) finish(i int, made envelope, l *datatype.Layout, err error) error {
	if err != nil {
		return err
	}
	t := &dtype{l: l, size: l.Size()}
	for k, part := range made.types {
		if k == 0 {
			t.unit = part.unit
		} else if t.unit != part.unit {
			t.unit = 0
		}
	}
	return c.finishType(i, t, made)
}

func (c call) finishType(i int, t *dtype, made envelope) (err error) {
	if err := c.outs(i); err != nil {
		return err
	}
	t.made = &made
	if t.handle, err = c.p.types.add(t); err != nil {
		return err
	}
	c.setHandle(i, t.handle)
	return nil
}

// store notes counts in an envelope: among the integers, or the large counts.
func (c call) store(e *envelope, values ...int) {
	if c.f.Large {
		e.large = append(e.large, values...)
	} else {
		e.ints = append(e.ints, values...)
	}
}

// storeBytes notes displacements in bytes.
func (c call) storeBytes(e *envelope, values ...int) {
	if c.f.Large {
		e.large = append(e.large, values...)
	} else {
		e.addresses = append(e.addresses, values...)
	}
}

func makeContiguous(c call) error {
	n, err := c.count(0)
	if err != nil {
		return err
	}
	t, err := c.datatype(1)
	if err != nil {
		return err
	}
	e := envelope{combiner: spec.COMBINER_CONTIGUOUS, types: []*dtype{t}}
	c.store(&e, n)
	l, err := datatype.Contiguous(n, t.l)
	return c.finish(2, e, l, err)
}

// makeVector is Type_vector and Type_create_hvector: count, blocklength, stride, type.
func makeVector(c call) error {
	n, err := c.count(0)
	if err != nil {
		return err
	}
	length, err := c.count(1)
	if err != nil {
		return err
	}
	t, err := c.datatype(3)
	if err != nil {
		return err
	}
	e := envelope{combiner: spec.COMBINER_VECTOR, types: []*dtype{t}}
	stride := 0
	if c.f.Family.Name == "Type_vector" {
		stride = c.large(2)
		c.store(&e, n, length, stride)
		stride *= t.extent()
	} else {
		e.combiner, stride = spec.COMBINER_HVECTOR, c.long(2)
		c.store(&e, n, length)
		c.storeBytes(&e, stride)
	}
	l, err := datatype.HVector(n, length, stride, t.l)
	return c.finish(4, e, l, err)
}

// places are displacements in bytes: argument i, an array in elements of t, or in bytes.
func (c call) places(i, n int, t *dtype, inBytes bool) (raw, at []int, err error) {
	if !inBytes {
		if raw, err = c.larges(i, n); err != nil {
			return nil, nil, err
		}
		at = slices.Clone(raw)
		for k := range at {
			at[k] *= t.extent()
		}
		return raw, at, nil
	}
	addresses, err := array[int64](c, i, n)
	for _, a := range addresses {
		at = append(at, int(a))
	}
	return at, at, err
}

// withoutEmpty is displacements of which those of empty blocks, which may be anything, are 0.
func withoutEmpty(lengths, at []int) []int {
	if !slices.Contains(lengths, 0) {
		return at
	}
	at = slices.Clone(at)
	for i, n := range lengths {
		if n == 0 {
			at[i] = 0
		}
	}
	return at
}

// makeIndexed is Type_indexed and Type_create_hindexed: count, blocklengths, displacements, type.
func makeIndexed(c call) error {
	n, err := c.count(0)
	if err != nil {
		return err
	}
	t, err := c.datatype(3)
	if err != nil {
		return err
	}
	lengths, err := c.counts(1, n)
	if err != nil {
		return err
	}
	inBytes := c.f.Family.Name != "Type_indexed"
	raw, at, err := c.places(2, n, t, inBytes)
	if err != nil {
		return err
	}
	e := envelope{combiner: spec.COMBINER_INDEXED, types: []*dtype{t}}
	c.store(&e, n)
	c.store(&e, lengths...)
	if inBytes {
		e.combiner = spec.COMBINER_HINDEXED
		c.storeBytes(&e, raw...)
	} else {
		c.store(&e, raw...)
	}
	l, err := datatype.HIndexed(lengths, withoutEmpty(lengths, at), t.l)
	return c.finish(4, e, l, err)
}

// makeIndexedBlock is Type_create_indexed_block and Type_create_hindexed_block: count, blocklength, displacements, type.
func makeIndexedBlock(c call) error {
	n, err := c.count(0)
	if err != nil {
		return err
	}
	length, err := c.count(1)
	if err != nil {
		return err
	}
	t, err := c.datatype(3)
	if err != nil {
		return err
	}
	inBytes := c.f.Family.Name != "Type_create_indexed_block"
	raw, at, err := c.places(2, n, t, inBytes)
	if err != nil {
		return err
	}
	e := envelope{combiner: spec.COMBINER_INDEXED_BLOCK, types: []*dtype{t}}
	c.store(&e, n, length)
	if inBytes {
		e.combiner = spec.COMBINER_HINDEXED_BLOCK
		c.storeBytes(&e, raw...)
	} else {
		c.store(&e, raw...)
	}
	l, err := datatype.HIndexedBlock(length, at, t.l)
	return c.finish(4, e, l, err)
}

// makeStruct is Type_create_struct: count, blocklengths, displacements, types.
func makeStruct(c call) error {
	n, err := c.count(0)
	if err != nil {
		return err
	}
	lengths, err := c.counts(1, n)
	if err != nil {
		return err
	}
	_, at, err := c.places(2, n, nil, true)
	if err != nil {
		return err
	}
	handles, err := array[uintptr](c, 3, n)
	if err != nil {
		return err
	}
	e := envelope{combiner: spec.COMBINER_STRUCT}
	c.store(&e, n)
	c.store(&e, lengths...)
	c.storeBytes(&e, at...)
	layouts := make([]*datatype.Layout, n)
	for i, h := range handles {
		t, err := c.p.typeOf(h)
		if err != nil {
			return err
		}
		e.types, layouts[i] = append(e.types, t), t.l
	}
	l, err := datatype.Struct(lengths, withoutEmpty(lengths, at), layouts)
	return c.finish(4, e, l, err)
}

// order is argument i, the order of an array's elements.
func (c call) order(i int) (datatype.Order, error) {
	switch c.int(i) {
	case spec.ORDER_C:
		return datatype.LastFastest, nil
	case spec.ORDER_FORTRAN:
		return datatype.FirstFastest, nil
	}
	return 0, bad(spec.ERR_ARG, "order %d", c.int(i))
}

// dimensions is argument i, how many an array has.
func (c call) dimensions(i int) (int, error) {
	const most = 1 << 16
	if d := c.int(i); d >= 1 && d <= most {
		return d, nil
	}
	return 0, bad(spec.ERR_ARG, "%d dimensions", c.int(i))
}

// makeSubarray is Type_create_subarray: dimensions, sizes, subsizes, starts, order, type.
func makeSubarray(c call) error {
	d, err := c.dimensions(0)
	if err != nil {
		return err
	}
	order, err := c.order(4)
	if err != nil {
		return err
	}
	t, err := c.datatype(5)
	if err != nil {
		return err
	}
	var all [3][]int
	for i := range all {
		if all[i], err = c.larges(1+i, d); err != nil {
			return err
		}
	}
	for i, sub := range all[1] {
		if sub < 1 {
			return bad(spec.ERR_ARG, "the part has %d places in dimension %d", sub, i)
		}
	}
	e := envelope{combiner: spec.COMBINER_SUBARRAY, types: []*dtype{t}, ints: []int{d}}
	c.store(&e, slices.Concat(all[0], all[1], all[2])...)
	e.ints = append(e.ints, c.int(4))
	l, err := datatype.Subarray(all[0], all[1], all[2], order, t.l)
	return c.finish(6, e, l, err)
}

// makeDarray is Type_create_darray: processes, rank, dimensions, sizes, ways, blocks, processes of each, order, type.
func makeDarray(c call) error {
	d, err := c.dimensions(2)
	if err != nil {
		return err
	}
	order, err := c.order(7)
	if err != nil {
		return err
	}
	t, err := c.datatype(8)
	if err != nil {
		return err
	}
	sizes, err := c.counts(3, d)
	if err != nil {
		return err
	}
	e := envelope{combiner: spec.COMBINER_DARRAY, types: []*dtype{t}, ints: []int{c.int(0), c.int(1), d}}
	c.store(&e, sizes...)
	var lists [3][]int32 // ways, blocks, processes
	for i := range lists {
		if lists[i], err = c.ints(4+i, d); err != nil {
			return err
		}
		for _, v := range lists[i] {
			e.ints = append(e.ints, int(v))
		}
	}
	e.ints = append(e.ints, c.int(7))
	dims, procs := make([]datatype.Dealt, d), 1
	for i := range dims {
		if dims[i], err = dealt(sizes[i], lists[0][i], lists[1][i], lists[2][i]); err != nil {
			return err
		}
		procs *= dims[i].Procs
	}
	if procs != c.int(0) || c.int(1) < 0 || c.int(1) >= procs {
		return bad(spec.ERR_ARG, "rank %d of %d, in a grid of %d", c.int(1), c.int(0), procs)
	}
	l, err := datatype.Darray(c.int(1), dims, order, t.l)
	return c.finish(9, e, l, err)
}

// dealt is how a dimension is dealt to processes.
func dealt(size int, way, block, procs int32) (datatype.Dealt, error) {
	d := datatype.Dealt{Size: size, Procs: int(procs)}
	if procs < 1 {
		return d, bad(spec.ERR_ARG, "%d processes in a dimension", procs)
	}
	switch way {
	case spec.DISTRIBUTE_NONE:
		d.Way = datatype.Whole
		return d, nil
	case spec.DISTRIBUTE_BLOCK:
		d.Way = datatype.Block
	case spec.DISTRIBUTE_CYCLIC:
		d.Way = datatype.Cyclic
	default:
		return d, bad(spec.ERR_ARG, "distribution %d", way)
	}
	if block != spec.DISTRIBUTE_DFLT_DARG {
		if d.Block = int(block); block < 1 {
			return d, bad(spec.ERR_ARG, "blocks of %d", block)
		}
	}
	return d, nil
}

// makeResized is Type_create_resized: type, lb, extent.
func makeResized(c call) error {
	t, err := c.datatype(0)
	if err != nil {
		return err
	}
	lb, extent := c.long(1), c.long(2)
	e := envelope{combiner: spec.COMBINER_RESIZED, types: []*dtype{t}}
	c.storeBytes(&e, lb, extent)
	l, err := datatype.Resized(t.l, lb, extent)
	return c.finish(3, e, l, err)
}

// copyType is a type of the same data, without what belongs to the object.
func copyType(t *dtype) *dtype {
	return &dtype{l: t.l, size: t.size, unit: t.unit, kind: t.kind, pair: t.pair, own: t.own, logical: t.logical}
}

// dupType is Type_dup: attributes are copied as their owners say.
func dupType(c call) error {
	t, err := c.datatype(0)
	if err != nil {
		return err
	}
	d := copyType(t)
	d.committed = t.committed
	if err := c.finishType(1, d, envelope{combiner: spec.COMBINER_DUP, types: []*dtype{t}}); err != nil {
		return err
	}
	if err := c.p.copyAttributes(typeKind, t.handle, &t.attributes, &d.attributes); err != nil {
		c.p.types.remove(d.handle)
		c.setHandle(1, spec.DATATYPE_NULL)
		return err
	}
	return nil
}
