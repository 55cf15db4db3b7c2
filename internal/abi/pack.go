package abi

import (
	"unsafe"

	"github.com/weft-mpi/weft/internal/abi/spec"
)

// chapterTypes tells about datatypes and ends them.
var chapterTypes = map[string]row{
	"Type_commit": {do: commitType}, "Type_free": {do: freeType}, "Type_size": {do: typeSize}, "Type_size_x": {do: typeSize},
	"Type_get_extent": {do: typeExtent}, "Type_get_extent_x": {do: typeExtent}, "Type_get_true_extent": {do: typeExtent}, "Type_get_true_extent_x": {do: typeExtent},
	"Type_get_envelope": {do: typeEnvelope}, "Type_get_envelope_c": {do: typeEnvelope}, "Type_get_contents": {do: typeContents}, "Type_get_contents_c": {do: typeContents},
	"Type_get_value_index": {do: valueIndex}, "Get_address": {do: getAddress, always: true},
	"Aint_add": {always: true}, "Aint_diff": {always: true},
}

// chapterPack packs.
var chapterPack = map[string]row{
	"Pack": {do: pack}, "Unpack": {do: unpack}, "Pack_size": {do: packSize},
}

// typeAt is the datatype that argument i points to.
func (c call) typeAt(i int) (*dtype, error) {
	h, err := c.handleAt(i)
	if err != nil {
		return nil, err
	}
	return c.p.typeOf(h)
}

func commitType(c call) error {
	t, err := c.typeAt(0)
	if err == nil && !t.committed {
		t.committed = true
	}
	return err
}

func freeType(c call) error {
	t, err := c.typeAt(0)
	if err != nil {
		return err
	}
	if t.made == nil || t.permanent {
		return bad(spec.ERR_TYPE, "%s cannot be freed", t.name)
	}
	if err := c.p.deleteAttributes(typeKind, t.handle, &t.attributes); err != nil {
		return err
	}
	c.p.types.remove(t.handle)
	c.setHandle(0, spec.DATATYPE_NULL)
	return nil
}

func typeSize(c call) error {
	t, err := c.datatype(0)
	if err != nil {
		return err
	}
	if err := c.outs(1); err != nil {
		return err
	}
	if c.f.Name == "Type_size_x" {
		c.setLong(1, t.size)
	} else {
		c.setLarge(1, t.size)
	}
	return nil
}

// typeExtent is Type_get_extent and its relatives: type, lower bound, extent, both of 64 bits.
func typeExtent(c call) error {
	t, err := c.datatype(0)
	if err != nil {
		return err
	}
	if err := c.outs(1, 2); err != nil {
		return err
	}
	lb, extent := t.l.LB(), t.l.Extent()
	if name := c.f.Family.Name; name == "Type_get_true_extent" || name == "Type_get_true_extent_x" {
		lb, extent = t.l.TrueLB(), t.l.TrueExtent()
	}
	c.setLong(1, lb)
	c.setLong(2, extent)
	return nil
}

// typeEnvelope is Type_get_envelope and its large twin, which has one number more.
func typeEnvelope(c call) error {
	t, err := c.datatype(0)
	if err != nil {
		return err
	}
	e := t.made
	if e == nil {
		e = &envelope{combiner: spec.COMBINER_NAMED}
	}
	numbers := []int{len(e.ints), len(e.addresses), len(e.types)}
	set := c.setInt
	if c.f.Name == "Type_get_envelope_c" {
		numbers, set = []int{len(e.ints), len(e.addresses), len(e.large), len(e.types)}, c.setLong
	} else if len(e.large) > 0 {
		return bad(spec.ERR_TYPE, "the datatype was made with large counts; use MPI_Type_get_envelope_c")
	}
	for i, n := range numbers {
		if err := c.outs(1 + i); err != nil {
			return err
		}
		set(1+i, n)
	}
	c.setInt(c.last(1), e.combiner)
	return c.outs(c.last(1))
}

// typeContents is Type_get_contents and its large twin: type, how many of each there is room for, arrays.
func typeContents(c call) error {
	t, err := c.datatype(0)
	if err != nil {
		return err
	}
	if t.made == nil {
		return bad(spec.ERR_TYPE, "%s is predefined, and has no contents", t.name)
	}
	e, large := t.made, c.f.Name == "Type_get_contents_c"
	lists, types := [][]int{e.ints, e.addresses}, 6
	if large {
		lists, types = append(lists, e.large), 8
	} else if len(e.large) > 0 {
		return bad(spec.ERR_TYPE, "the datatype was made with large counts; use MPI_Type_get_contents_c")
	}
	room := func(i int) int {
		if large {
			return c.long(i)
		}
		return c.int(i)
	}
	first := 1 + len(lists) + 1 // of the arrays
	for i, list := range lists {
		if room(1+i) < len(list) {
			return bad(spec.ERR_ARG, "%s is %d, and there are %d", c.f.Args[1+i].Name, room(1+i), len(list))
		}
	}
	if room(first-1) < len(e.types) {
		return bad(spec.ERR_ARG, "%s is %d, and there are %d", c.f.Args[first-1].Name, room(first-1), len(e.types))
	}
	ints, err := c.ints(first, len(e.ints))
	if err != nil {
		return err
	}
	for i, v := range e.ints {
		ints[i] = int32(v)
	}
	for i, list := range lists[1:] {
		to, err := array[int64](c, first+1+i, len(list))
		if err != nil {
			return err
		}
		for k, v := range list {
			to[k] = int64(v)
		}
	}
	handles, err := array[uintptr](c, types, len(e.types))
	if err != nil {
		return err
	}
	for i, inner := range e.types {
		if handles[i], err = c.p.handOut(inner); err != nil {
			return err
		}
	}
	return nil
}

// handOut is a handle for a part of a datatype: a new one, which the program frees, unless it is predefined.
func (p *Proc) handOut(t *dtype) (uintptr, error) {
	if t.made == nil {
		return t.handle, nil
	}
	d := copyType(t)
	d.made, d.name, d.committed = t.made, t.name, t.committed
	h, err := p.types.add(d)
	d.handle = h
	return h, err
}

// valueIndex is Type_get_value_index: types of value and index, and the pair of them; null if there is none.
func valueIndex(c call) error {
	v, err := c.datatype(0)
	if err != nil {
		return err
	}
	i, err := c.datatype(1)
	if err != nil {
		return err
	}
	if err := c.outs(2); err != nil {
		return err
	}
	pair := map[[2]uintptr]uintptr{
		{spec.FLOAT, spec.INT}: spec.FLOAT_INT, {spec.DOUBLE, spec.INT}: spec.DOUBLE_INT, {spec.LONG, spec.INT}: spec.LONG_INT, {spec.INT, spec.INT}: spec.TYPE_2INT,
		{spec.SHORT, spec.INT}: spec.SHORT_INT, {spec.LONG_DOUBLE, spec.INT}: spec.LONG_DOUBLE_INT, {spec.REAL, spec.REAL}: spec.TYPE_2REAL,
		{spec.DOUBLE_PRECISION, spec.DOUBLE_PRECISION}: spec.TYPE_2DOUBLE_PRECISION, {spec.INTEGER, spec.INTEGER}: spec.TYPE_2INTEGER,
	}[[2]uintptr{v.handle, i.handle}]
	if pair == 0 {
		pair = spec.DATATYPE_NULL
	}
	c.setHandle(2, pair)
	return nil
}

func getAddress(c call) error {
	if err := c.outs(1); err != nil {
		return err
	}
	c.setHandle(1, c.word(0))
	return nil
}

// position is argument i, where the next byte goes or comes from in a buffer of size bytes.
func (c call) position(i, size int) (int, error) {
	p, err := c.out(i)
	if err != nil {
		return 0, err
	}
	at := int(*(*int32)(p))
	if c.f.Large {
		at = int(*(*int64)(p))
	}
	if at < 0 || at > size {
		return 0, bad(spec.ERR_ARG, "position %d in a buffer of %d bytes", at, size)
	}
	return at, nil
}

// bytesAt is argument i, a buffer of n bytes.
func (c call) bytesAt(i, n int) ([]byte, error) {
	if n == 0 {
		return nil, nil
	}
	p := c.ptr(i)
	if p == nil {
		return nil, bad(spec.ERR_BUFFER, "%s is no address", c.f.Args[i].Name)
	}
	return unsafe.Slice((*byte)(p), n), nil
}

// pack is Pack: data, count, type, buffer, size, position, communicator.
func pack(c call) error {
	if _, err := c.comm(6); err != nil {
		return err
	}
	v, err := c.view(0, 1, 2)
	if err != nil {
		return err
	}
	size, err := c.count(4)
	if err != nil {
		return err
	}
	at, err := c.position(5, size)
	if err != nil {
		return err
	}
	b, err := c.bytesAt(3, size)
	if err != nil {
		return err
	}
	if v.bytes() > size-at {
		return bad(spec.ERR_TRUNCATE, "%d bytes do not fit the %d that are left", v.bytes(), size-at)
	}
	v.pack(b[at : at+v.bytes()])
	c.setLarge(5, at+v.bytes())
	return nil
}

// unpack is Unpack: buffer, size, position, data, count, type, communicator.
func unpack(c call) error {
	if _, err := c.comm(6); err != nil {
		return err
	}
	v, err := c.view(3, 4, 5)
	if err != nil {
		return err
	}
	size, err := c.count(1)
	if err != nil {
		return err
	}
	at, err := c.position(2, size)
	if err != nil {
		return err
	}
	b, err := c.bytesAt(0, size)
	if err != nil {
		return err
	}
	if v.bytes() > size-at {
		return bad(spec.ERR_TRUNCATE, "%d bytes are wanted, and %d are left", v.bytes(), size-at)
	}
	v.unpack(b[at : at+v.bytes()])
	c.setLarge(2, at+v.bytes())
	return nil
}

// packSize is Pack_size: count, type, communicator, size.
func packSize(c call) error {
	if _, err := c.comm(2); err != nil {
		return err
	}
	n, err := c.count(0)
	if err != nil {
		return err
	}
	t, err := c.datatype(1)
	if err != nil {
		return err
	}
	if err := c.outs(3); err != nil {
		return err
	}
	if t.size > 0 && n > maxElements/t.size {
		return bad(spec.ERR_COUNT, "%d elements of %d bytes", n, t.size)
	}
	c.setLarge(3, n*t.size)
	return nil
}
