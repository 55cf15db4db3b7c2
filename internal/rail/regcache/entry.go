package regcache

import (
	"unsafe"

	"github.com/weft-mpi/weft/internal/verbs"
)

// Entry is a registration that may serve several buffers at a time. It is valid from Acquire to Release.
type Entry struct {
	mr     verbs.MR
	buf    []byte // what is registered
	access verbs.Access
	kept   bool   // in the cache's tree
	refs   int    // Acquires without a Release
	cycle  uint32 // collections seen at the last Release

	newer, older *Entry // neighbours in the list of idle entries
}

// LKey is the local key, for gather and scatter lists with any part of the buffer.
func (e *Entry) LKey() uint32 { return e.mr.LKey() }

// RKey is the key for peers. If a peer made the last one invalid, it is a new one.
func (e *Entry) RKey() uint32 {
	if k := e.mr.RKey(); k != 0 {
		return k
	}
	if e.mr.Rekey() != nil {
		return 0
	}
	return e.mr.RKey()
}

// RailKey is RKey for peers who come over a rail.
func (e *Entry) RailKey(rail int) uint32 {
	return e.mr.RailKey(rail)
}

// Addr is the remote address of buf's first byte, where buf is the acquired buffer or a part of it.
func (e *Entry) Addr(buf []byte) uint64 {
	return e.mr.Addr() + uint64(addressOf(buf)-addressOf(e.buf))
}

// covers tells whether n bytes at an address that is not below the entry's lie within it.
func (e *Entry) covers(at uintptr, n int) bool {
	off := at - addressOf(e.buf)
	return off < uintptr(len(e.buf)) && uintptr(n) <= uintptr(len(e.buf))-off
}

func addressOf(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

// list is a list of entries through their links.
type list struct{ newest, oldest *Entry }

func (l *list) push(e *Entry) {
	e.newer, e.older = nil, l.newest
	if l.newest == nil {
		l.oldest = e
	} else {
		l.newest.newer = e
	}
	l.newest = e
}

func (l *list) remove(e *Entry) {
	if e.newer == nil {
		l.newest = e.older
	} else {
		e.newer.older = e.older
	}
	if e.older == nil {
		l.oldest = e.newer
	} else {
		e.older.newer = e.newer
	}
	e.newer, e.older = nil, nil
}
