package abi

import (
	"sync"

	"github.com/weft-mpi/weft/internal/abi/spec"
	"github.com/weft-mpi/weft/internal/comm"
)

// A handle is 4 bits of kind, 4 of generation and 20 of index, so that it fits a C int, and Fortran has the
// same numbers. Predefined ones are below firstPage.
const (
	indexBits      = 20
	generationBits = 4
)

// kind is the kind of an object that has handles.
type kind uintptr

// The kinds.
const (
	commKind kind = 1 + iota
	groupKind
	typeKind
	opKind
	requestKind
	messageKind
	winKind
	infoKind
	errhandlerKind
	sessionKind
	cvarKind
	pvarSessionKind
	pvarKind
	fileKind
)

// table holds the objects of one kind.
type table[T any] struct {
	kind  kind
	mu    sync.RWMutex
	slots []slot[T]
	free  []uint32
}

type slot[T any] struct {
	object     *T
	generation uint8
}

// add gives an object a handle.
func (t *table[T]) add(o *T) (uintptr, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var i uint32
	if n := len(t.free); n > 0 {
		i, t.free = t.free[n-1], t.free[:n-1]
	} else {
		if len(t.slots) == 1<<indexBits {
			return 0, bad(spec.ERR_NO_MEM, "there are %d objects of this kind already; free some", len(t.slots))
		}
		i = uint32(len(t.slots))
		t.slots = append(t.slots, slot[T]{})
	}
	s := &t.slots[i]
	s.object = o
	return uintptr(t.kind)<<(indexBits+generationBits) | uintptr(s.generation)<<indexBits | uintptr(i), nil
}

// get finds the object of a handle; nil if there is none.
func (t *table[T]) get(h uintptr) *T {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if s := t.at(h); s != nil {
		return s.object
	}
	return nil
}

// at is the slot of a handle; nil if it is none. The lock is held.
func (t *table[T]) at(h uintptr) *slot[T] {
	i := h & (1<<indexBits - 1)
	if h>>(indexBits+generationBits) != uintptr(t.kind) || i >= uintptr(len(t.slots)) {
		return nil
	}
	s := &t.slots[i]
	if uintptr(s.generation) != h>>indexBits&(1<<generationBits-1) {
		return nil
	}
	return s
}

// remove takes the object of a handle out of the table; nil if there is none.
func (t *table[T]) remove(h uintptr) *T {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.at(h)
	if s == nil || s.object == nil {
		return nil
	}
	o := s.object
	s.object, s.generation = nil, (s.generation+1)&(1<<generationBits-1)
	t.free = append(t.free, uint32(h&(1<<indexBits-1)))
	return o
}

// objects are those that the program has made.
type objects struct {
	comms       table[communicator]
	groups      table[group]
	types       table[dtype]
	ops         table[operation]
	requests    table[request]
	messages    table[message]
	wins        table[window]
	infos       table[info]
	errhandlers table[errhandler]
	sessions    table[session]
}

func (o *objects) init() {
	o.comms.kind, o.groups.kind, o.types.kind, o.ops.kind = commKind, groupKind, typeKind, opKind
	o.requests.kind, o.messages.kind, o.wins.kind = requestKind, messageKind, winKind
	o.infos.kind, o.errhandlers.kind, o.sessions.kind = infoKind, errhandlerKind, sessionKind
	_, _ = o.requests.add(&request{handle: sentHandle, sent: true, r: comm.Failed(nil)})
}
