package abi

import (
	"github.com/weft-mpi/weft/internal/abi/spec"
	"github.com/weft-mpi/weft/internal/datatype"
)

// chapterExternal has what layers above MPI need: fields of statuses, and types by size.
var chapterExternal = map[string]row{
	"Status_get_error": {do: getField, always: true}, "Status_get_source": {do: getField, always: true}, "Status_get_tag": {do: getField, always: true},
	"Status_set_error": {do: setField, always: true}, "Status_set_source": {do: setField, always: true}, "Status_set_tag": {do: setField, always: true},
	"Status_set_cancelled": {do: setField, always: true}, "Status_set_elements": {do: setElements, always: true}, "Status_set_elements_x": {do: setElements, always: true},
	"Type_match_size": {do: matchSize}, "Type_create_f90_integer": {do: f90Type}, "Type_create_f90_real": {do: f90Type}, "Type_create_f90_complex": {do: f90Type},
}

// statusIn is argument 0, a status.
func (c call) statusIn() (*status, error) {
	s := c.statusAt(0)
	if s == nil {
		return nil, bad(spec.ERR_ARG, "status is a null pointer")
	}
	return s, nil
}

func getField(c call) error {
	s, err := c.statusIn()
	if err != nil {
		return err
	}
	if err := c.outs(1); err != nil {
		return err
	}
	switch c.f.Name {
	case "Status_get_error":
		c.setInt(1, int(s.err))
	case "Status_get_source":
		c.setInt(1, int(s.source))
	default:
		c.setInt(1, int(s.tag))
	}
	return nil
}

func setField(c call) error {
	s, err := c.statusIn()
	if err != nil {
		return err
	}
	switch v := int32(c.int(1)); c.f.Name {
	case "Status_set_error":
		s.err = v
	case "Status_set_source":
		s.source = v
	case "Status_set_tag":
		s.tag = v
	default:
		s.cancelled = min(max(v, -v), 1)
	}
	return nil
}

// setElements is Status_set_elements and Status_set_elements_x: status, type, count of basic elements.
func setElements(c call) error {
	s, err := c.statusIn()
	if err != nil {
		return err
	}
	t, err := c.datatype(1)
	if err != nil {
		return err
	}
	n := c.large(2)
	if c.f.Name == "Status_set_elements_x" {
		n = c.long(2)
	}
	if n < 0 {
		return bad(spec.ERR_COUNT, "count is %d", n)
	}
	s.bytes, s.elements = int64(t.bytesOf(n)), int64(n)+1
	return nil
}

// bytesOf is how many bytes the first n basic elements of data of the type have.
func (t *dtype) bytesOf(n int) (bytes int) {
	if t.unit > 0 || t.size == 0 {
		return n * t.unit
	}
	kinds := t.l.Kinds()
	each := max(kinds.Elements(), 1)
	bytes = n / each * t.size
	n %= each
	kinds.Runs(func(k datatype.Kind, count int) bool {
		take := min(n, count)
		bytes += take * max(k.Size(), 1)
		n -= take
		return n > 0
	})
	return bytes
}

// matchSize is Type_match_size: class, size, type.
func matchSize(c call) error {
	if err := c.outs(2); err != nil {
		return err
	}
	h := map[[2]int]uintptr{
		{spec.TYPECLASS_INTEGER, 1}: spec.INTEGER1, {spec.TYPECLASS_INTEGER, 2}: spec.INTEGER2, {spec.TYPECLASS_INTEGER, 4}: spec.INTEGER4,
		{spec.TYPECLASS_INTEGER, 8}: spec.INTEGER8, {spec.TYPECLASS_INTEGER, 16}: spec.INTEGER16,
		{spec.TYPECLASS_REAL, 2}: spec.REAL2, {spec.TYPECLASS_REAL, 4}: spec.REAL4, {spec.TYPECLASS_REAL, 8}: spec.REAL8, {spec.TYPECLASS_REAL, 16}: spec.REAL16,
		{spec.TYPECLASS_COMPLEX, 4}: spec.COMPLEX4, {spec.TYPECLASS_COMPLEX, 8}: spec.COMPLEX8, {spec.TYPECLASS_COMPLEX, 16}: spec.COMPLEX16,
		{spec.TYPECLASS_COMPLEX, 32}: spec.COMPLEX32,
	}[[2]int{c.int(0), c.int(1)}]
	if h == 0 {
		return bad(spec.ERR_ARG, "no type of class %d has %d bytes", c.int(0), c.int(1))
	}
	c.setHandle(2, h)
	return nil
}

// f90Type is Type_create_f90_integer (range), Type_create_f90_real and Type_create_f90_complex (precision, range): the
// smallest type that has as many decimal digits, and as large exponents. Equal arguments give the same type.
func f90Type(c call) error {
	if err := c.outs(c.last(1)); err != nil {
		return err
	}
	if c.f.Name == "Type_create_f90_integer" {
		return c.f90(f90Key{"integer", spec.UNDEFINED, c.int(0)}, spec.COMBINER_F90_INTEGER, []f90Choice{
			{2, 2, spec.INTEGER1}, {4, 4, spec.INTEGER2}, {9, 9, spec.INTEGER4}, {18, 18, spec.INTEGER8}})
	}
	p, r := c.int(0), c.int(1)
	if p == spec.UNDEFINED && r == spec.UNDEFINED {
		return bad(spec.ERR_ARG, "neither precision nor range is given")
	}
	if c.f.Name == "Type_create_f90_real" {
		return c.f90(f90Key{"real", p, r}, spec.COMBINER_F90_REAL, []f90Choice{{6, 37, spec.REAL4}, {15, 307, spec.REAL8}, {33, 4931, spec.REAL16}})
	}
	return c.f90(f90Key{"complex", p, r}, spec.COMBINER_F90_COMPLEX, []f90Choice{{6, 37, spec.COMPLEX8}, {15, 307, spec.COMPLEX16}, {33, 4931, spec.COMPLEX32}})
}

// f90Choice is a type and what it can hold.
type f90Choice struct {
	digits, exponent int
	handle           uintptr
}

// f90Key is what a program asked for.
type f90Key struct {
	what string
	p, r int
}

// f90 makes a type that cannot be freed, or finds the one it has made for the same arguments.
func (c call) f90(key f90Key, combiner int, choices []f90Choice) error {
	p := c.p
	p.mu.Lock()
	defer p.mu.Unlock()
	if h, found := p.f90Types[key]; found {
		c.setHandle(c.last(1), h)
		return nil
	}
	for _, choice := range choices {
		if key.p > choice.digits || key.r > choice.exponent {
			continue
		}
		base, err := p.typeOf(choice.handle)
		if err != nil {
			return err
		}
		t := copyType(base)
		t.committed, t.name, t.permanent = true, base.name, true
		e := envelope{combiner: combiner, ints: []int{key.p, key.r}}
		if combiner == spec.COMBINER_F90_INTEGER {
			e.ints = e.ints[1:]
		}
		if err := c.finishType(c.last(1), t, e); err != nil {
			return err
		}
		if p.f90Types == nil {
			p.f90Types = map[f90Key]uintptr{}
		}
		p.f90Types[key] = t.handle
		return nil
	}
	return bad(spec.ERR_ARG, "no type has %d digits and range %d", key.p, key.r)
}
