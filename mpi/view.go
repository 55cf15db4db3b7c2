package mpi

import (
	"fmt"
	"reflect"
	"sync"
	"unsafe"

	"github.com/weft-mpi/weft/internal/comm"
	"github.com/weft-mpi/weft/internal/datatype"
)

// view returns the memory of buf as bytes. It shares it. Its capacity is buf's: nothing is written there, but what is
// registered for a message may cover the neighbouring one's memory too, up to the end of its page.
func view[T any](buf []T) []byte {
	size := int(unsafe.Sizeof(*new(T)))
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(buf))), cap(buf)*size)[:len(buf)*size]
}

// sizeOf is the size of an element.
func sizeOf[T any]() int { return int(unsafe.Sizeof(*new(T))) }

// pointerFree remembers which composite types have no pointers.
var pointerFree sync.Map // reflect.Type -> bool

// movable tells whether values of T mean the same in another process.
func movable[T any]() bool {
	t := reflect.TypeFor[T]()
	if k := t.Kind(); k >= reflect.Bool && k <= reflect.Complex128 {
		return true
	}
	ok, found := pointerFree.Load(t)
	if !found {
		ok = datatype.PointerFree(t)
		pointerFree.Store(t, ok)
	}
	return ok.(bool)
}

// badType is the error of an operation on elements with pointers.
func badType[T any](c *Comm, op string, peer, tag int) error {
	return &Error{Op: op, Comm: c.c.Name(), Peer: peer, Tag: tag,
		Err: fmt.Errorf("%w: %v; use SendValue and RecvValue for such values", comm.ErrType, reflect.TypeFor[T]())}
}
