package abi

import (
	"math"
	"unsafe"

	"github.com/weft-mpi/weft/internal/abi/spec"
)

// call is one call of a function: its row and its arguments.
type call struct {
	p *Proc
	f *entry
	a unsafe.Pointer
}

const wordSize = unsafe.Sizeof(uintptr(0))

// word is argument i as a number.
func (c call) word(i int) uintptr { return *(*uintptr)(unsafe.Add(c.a, uintptr(i)*wordSize)) }

// firstPage is where no object of C's lies: smaller words are constants.
const firstPage = 4096

// ptr is argument i as a pointer; nil for constants.
func (c call) ptr(i int) unsafe.Pointer {
	if c.word(i) < firstPage {
		return nil
	}
	return *(*unsafe.Pointer)(unsafe.Add(c.a, uintptr(i)*wordSize))
}

// int is argument i, of C's type int.
func (c call) int(i int) int { return int(int32(c.word(i))) }

// long is argument i, of a type of 64 bits.
func (c call) long(i int) int { return int(c.word(i)) }

// large is argument i of kind count or displ.
func (c call) large(i int) int {
	if c.f.Large {
		return c.long(i)
	}
	return c.int(i)
}

// count is argument i of kind count, which is not negative.
func (c call) count(i int) (int, error) {
	n := c.large(i)
	if n < 0 {
		return 0, bad(spec.ERR_COUNT, "%s is %d", c.f.Args[i].Name, n)
	}
	return n, nil
}

// out is argument i, a pointer to where something is returned.
func (c call) out(i int) (unsafe.Pointer, error) {
	p := c.ptr(i)
	if p == nil {
		return nil, bad(spec.ERR_ARG, "%s is a null pointer", c.f.Args[i].Name)
	}
	return p, nil
}

// outs checks that some arguments are pointers to where something is returned.
func (c call) outs(args ...int) error {
	for _, i := range args {
		if _, err := c.out(i); err != nil {
			return err
		}
	}
	return nil
}

// setInt returns a C int by argument i; nowhere if that is null.
func (c call) setInt(i, v int) {
	if p := c.ptr(i); p != nil {
		*(*int32)(p) = int32(v)
	}
}

// setFlag returns a truth value by argument i.
func (c call) setFlag(i int, v bool) {
	n := 0
	if v {
		n = 1
	}
	c.setInt(i, n)
}

// setLong returns a value of 64 bits by argument i.
func (c call) setLong(i, v int) {
	if p := c.ptr(i); p != nil {
		*(*int64)(p) = int64(v)
	}
}

// setLarge returns a value of kind count or displ by argument i. One that an int cannot hold is UNDEFINED.
func (c call) setLarge(i, v int) {
	switch {
	case c.f.Large:
		c.setLong(i, v)
	case v > math.MaxInt32 || v < math.MinInt32:
		c.setInt(i, spec.UNDEFINED)
	default:
		c.setInt(i, v)
	}
}

// setHandle returns a handle by argument i.
func (c call) setHandle(i int, h uintptr) {
	if p := c.ptr(i); p != nil {
		*(*uintptr)(p) = h
	}
}

// handleAt is the handle that argument i points to.
func (c call) handleAt(i int) (uintptr, error) {
	p, err := c.out(i)
	if err != nil {
		return 0, err
	}
	return *(*uintptr)(p), nil
}

// ints is argument i as an array of n C ints.
func (c call) ints(i, n int) ([]int32, error) { return array[int32](c, i, n) }

// array is argument i as an array of n elements.
func array[T any](c call, i, n int) ([]T, error) {
	if n == 0 {
		return nil, nil
	}
	p := c.ptr(i)
	if p == nil {
		return nil, bad(spec.ERR_ARG, "%s is a null pointer", c.f.Args[i].Name)
	}
	return unsafe.Slice((*T)(p), n), nil
}

// larges is argument i, an array of n elements of kind count or displ, as numbers.
func (c call) larges(i, n int) ([]int, error) {
	all := make([]int, n)
	if c.f.Large {
		from, err := array[int64](c, i, n)
		for k, v := range from {
			all[k] = int(v)
		}
		return all, err
	}
	from, err := array[int32](c, i, n)
	for k, v := range from {
		all[k] = int(v)
	}
	return all, err
}

// counts is larges of which none is negative.
func (c call) counts(i, n int) ([]int, error) {
	all, err := c.larges(i, n)
	for _, v := range all {
		if err == nil && v < 0 {
			err = bad(spec.ERR_COUNT, "%s has %d", c.f.Args[i].Name, v)
		}
	}
	return all, err
}

// text is argument i as a string of C's.
func (c call) text(i int) (string, error) {
	p, err := c.out(i)
	if err != nil {
		return "", err
	}
	return cString(p), nil
}

// cString copies a string of C's.
func cString(p unsafe.Pointer) string {
	n := 0
	for *(*byte)(unsafe.Add(p, n)) != 0 {
		n++
	}
	return string(unsafe.Slice((*byte)(p), n))
}

// setText returns a string by argument i, cut to room bytes with the zero behind it, and its length by
// argument length, unless that is negative.
func (c call) setText(i, length, room int, s string) {
	if len(s) >= room {
		s = s[:room-1]
	}
	if p := c.ptr(i); p != nil && room > 0 {
		b := unsafe.Slice((*byte)(p), len(s)+1)
		copy(b, s)
		b[len(s)] = 0
	}
	if length >= 0 {
		c.setInt(length, len(s))
	}
}

// last is the place of the argument k from the end.
func (c call) last(k int) int { return len(c.f.Args) - k }
