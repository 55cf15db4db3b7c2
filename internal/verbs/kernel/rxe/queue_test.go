package rxe

import (
	"encoding/binary"
	"errors"
	"syscall"
	"testing"
	"unsafe"

	"github.com/weft-mpi/weft/internal/verbs/kernel/ibv"
)

// shape is what the header of a queue says of itself.
type shape struct{ shift, mask, producer, consumer uint32 }

// memory is that of a queue whose header says so, with so many bytes behind it.
func memory(s shape, bytes int) []byte {
	words := make([]uint64, (entriesAt+bytes+7)/8) // aligned, as pages are
	b := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), entriesAt+bytes)
	for at, v := range map[int]uint32{sizeAt: s.shift, maskAt: s.mask, producerAt: s.producer, consumerAt: s.consumer} {
		binary.NativeEndian.PutUint32(b[at:], v)
	}
	return b
}

// TestQueueRefuses: memory that does not look like a queue is none.
func TestQueueRefuses(t *testing.T) {
	const entry, room = 256, 16 * 256
	whole := shape{shift: 8, mask: 15}
	for what, row := range map[string]struct {
		shape
		bytes int
		want  bool
	}{
		"a queue":                 {whole, room, true},
		"with something in it":    {shape{8, 15, 3, 15}, room, true},
		"a byte too short":        {whole, room - 1, false},
		"entries too short":       {shape{shift: 7, mask: 15}, room, false},
		"entries without end":     {shape{shift: 64, mask: 15}, room, false},
		"no power of two":         {shape{shift: 8, mask: 14}, room, false},
		"one entry":               {shape{shift: 8}, room, false},
		"more entries than bytes": {shape{shift: 8, mask: 1<<32 - 1}, room, false},
		"an index outside":        {shape{8, 15, 16, 16}, room, false},
	} {
		for _, producer := range []bool{false, true} {
			if _, ok := newQueue(memory(row.shape, row.bytes), entry, producer); ok != row.want {
				t.Errorf("%s: %v", what, ok)
			}
		}
	}
	if _, ok := newQueue(make([]byte, entriesAt-1), entry, true); ok {
		t.Error("half a header is a queue")
	}
}

// TestQueueIndexes: an index that leaves the queue while it is used ends its use; a full one is full.
func TestQueueIndexes(t *testing.T) {
	b := memory(shape{shift: 8, mask: 3}, 4*256)
	q, ok := newQueue(b, recvPieces, true)
	if !ok {
		t.Fatal("refused")
	}
	r := recvQueue{q}
	for range 3 {
		if err := r.post(&ibv.RecvWR{}); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.post(&ibv.RecvWR{}); err != syscall.ENOMEM {
		t.Errorf("into a full queue: %v", err)
	}
	binary.NativeEndian.PutUint32(b[consumerAt:], 4)
	if err := r.post(&ibv.RecvWR{}); !errors.Is(err, errIndex) {
		t.Errorf("with an index outside: %v", err)
	}
	c, ok := newQueue(memory(shape{shift: 8, mask: 3, producer: 2}, 4*256), wcSize, false)
	if !ok {
		t.Fatal("refused")
	}
	out := make([]ibv.WC, 8)
	if n, err := c.poll(out); n != 2 || err != nil {
		t.Errorf("polled %d, %v", n, err)
	}
	*c.producer = 1 << 20
	if n, err := c.poll(out); n != 0 || !errors.Is(err, errIndex) {
		t.Errorf("with an index outside: polled %d, %v", n, err)
	}
}

// FuzzQueue: whatever memory says of itself, and whatever it says later, nothing outside of it is touched, and nobody polls for ever.
func FuzzQueue(f *testing.F) {
	f.Add(uint32(8), uint32(15), uint32(3), uint32(15), uint32(7), uint32(7), uint16(16*256))
	f.Add(uint32(16), uint32(0), uint32(1<<31), uint32(1<<32-1), uint32(1<<30), uint32(0), uint16(0))
	f.Fuzz(func(t *testing.T, shift, mask, producer, consumer, laterProducer, laterConsumer uint32, bytes uint16) {
		b := memory(shape{shift, mask, producer, consumer}, int(bytes))
		out := make([]ibv.WC, 4)
		payload := make([]byte, 40)
		piece := ibv.SGE{Addr: uint64(uintptr(unsafe.Pointer(&payload[0]))), Length: uint32(len(payload))}
		polls, polled := newQueue(b, wcSize, false)
		sends, sent := newQueue(b, sendPieces, true)
		for range 3 {
			if polled {
				if n, err := polls.poll(out); n > len(out) || n > 0 && err != nil && !errors.Is(err, errIndex) {
					t.Fatalf("polled %d, %v", n, err)
				}
			}
			if sent {
				s := sendQueue{queue: sends}
				s.post(&ibv.SendWR{List: &piece, Count: 1, Flags: ibv.SendInline})
				s.post(&ibv.SendWR{List: &piece, Count: 1})
				sends = s.queue
			}
			if len(b) >= entriesAt {
				binary.NativeEndian.PutUint32(b[producerAt:], laterProducer)
				binary.NativeEndian.PutUint32(b[consumerAt:], laterConsumer)
			}
			if polled { // from what is left: at most as many as a queue has
				n := 0
				for {
					k, err := polls.poll(out)
					if n += k; k == 0 || err != nil {
						break
					}
				}
				if uint64(n) > uint64(mask) {
					t.Fatalf("%d completions in a queue with room for %d", n, mask)
				}
			}
		}
	})
}
