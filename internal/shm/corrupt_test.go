package shm

import (
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/match"
	"github.com/weft-mpi/weft/internal/wire"
)

// FuzzCells lets a peer write whatever it likes into the cells of its ring. We may get nonsense messages, but
// must neither crash nor read or write outside.
func FuzzCells(f *testing.F) {
	cellOf := func(c cell) []byte { return append([]byte(nil), (*[cellSize]byte)(unsafe.Pointer(&c))[:]...) }
	f.Add(cellOf(cell{kind: wire.Eager, how: inline, n: 65535}))
	f.Add(cellOf(cell{kind: wire.Eager, how: encoded, n: 100}))
	for _, kind := range []wire.Kind{0, wire.Eager, wire.Sync, wire.Data, wire.RTS, 200} {
		for _, how := range []uint8{inSmall, inBulk, inBulk | more, inBulk | piece, inBulk | piece | more, 3, 255} {
			for _, at := range []place{{}, {off: 1 << 31, len: 5}, {off: 10, end: 1 << 30, len: 1 << 63}, {len: 1 << 40}, {len: ^uint64(0)}} {
				c := cell{kind: kind, how: how, n: 5, ctx: 1}
				*c.place() = at
				f.Add(cellOf(c))
			}
		}
	}
	first, last := cell{kind: wire.Sync, how: inBulk | more, n: 100}, cell{kind: wire.Sync, how: inBulk | piece, n: 60000}
	*first.place() = place{len: 10, send: 9}
	*last.place() = place{off: 100}
	f.Add(append(cellOf(first), cellOf(last)...))
	f.Fuzz(func(t *testing.T, data []byte) {
		links := newLinks(t, smallGeometry(2), Config{NoCMA: true})
		eng := engine.New(engine.Config{})
		for range 3 {
			r := &engine.Req{Buf: make([]byte, 20)}
			r.Envelope = match.Envelope{Ctx: 1, Peer: match.Any, Tag: match.Any}
			eng.PostRecv(r)
		}
		cells, _, _, _ := links[0].seg.pair(1, 0)
		links[1].outbox(0) // says hello
		for i := 0; len(data) >= cellSize && i < len(cells); i++ {
			*(*[cellSize]byte)(unsafe.Pointer(&cells[i])) = [cellSize]byte(data)
			atomic.StoreUint32(&cells[i].seq, uint32(i)+1)
			data = data[cellSize:]
			links[0].Poll(eng)
		}
		eng.Unmatched(func(st engine.Status) {
			if st.Len < 0 {
				t.Errorf("a message of %d bytes", st.Len)
			}
		})
	})
}

// FuzzSlots lets a peer write whatever it likes into the slots where long messages meet.
func FuzzSlots(f *testing.F) {
	slotOf := func(s slot) []byte { return append([]byte(nil), (*[slotSize]byte)(unsafe.Pointer(&s))[:]...) }
	f.Add(slotOf(slot{claim: 10 << 32, raddr: 1, total: 1 << 40, chunk: 1 << 31, chunks: 10}))
	f.Add(slotOf(slot{claim: 1<<63 | 1<<31, raddr: 1, total: 5, chunk: 0, chunks: 1}))
	f.Add(slotOf(slot{claim: ^uint64(0) - 1, raddr: 1, total: ^uint64(0), chunk: ^uint32(0), chunks: ^uint32(0)}))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < slotSize {
			return
		}
		links := newLinks(t, smallGeometry(2), Config{Help: true})
		src := fill(100, 1)
		k := links[0].Expose(1, src, false)
		room := make([]byte, 300) // the reader's memory, with a guard on both sides
		if !links[1].Read(0, k, room[100:200], "token") {
			t.Skip("no single copy here")
		}
		own := *links[0].seg.slot(0, k.Slot-1)
		wild := *(*slot)(unsafe.Pointer(unsafe.SliceData(data)))
		wild.raddr = own.raddr // a wrong address is the receiver's own doing
		*links[0].seg.slot(0, k.Slot-1) = wild
		for range 10 {
			links[0].Poll(new(mailbag))
			links[1].Poll(new(mailbag))
		}
		for i, v := range room {
			if (i < 100 || i >= 200) && v != 0 {
				t.Fatalf("byte %d next to the buffer was written", i-100)
			}
		}
	})
}

// TestStrangers: bits of ranks that do not exist are passed over.
func TestStrangers(t *testing.T) {
	links := newLinks(t, smallGeometry(2), Config{})
	atomic.OrUint64(links[0].seg.talkers(0, 0), 1<<63|1<<40)
	bag := new(mailbag)
	links[0].Poll(bag)
	pass(links[1], links[0], bag, eager(0, 1, wire.Eager, []byte("hello")))
	if len(links[0].ins) != 1 || len(bag.got) != 1 {
		t.Errorf("%d inboxes, %d messages", len(links[0].ins), len(bag.got))
	}
}
