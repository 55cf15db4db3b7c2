package window

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/comm"
	"github.com/weft-mpi/weft/internal/datatype"
	"github.com/weft-mpi/weft/internal/wire"
)

// access encodes an access.
func encode(a wire.Access, blocks ...wire.Block) []byte {
	b := wire.AppendAccess(nil, &a, len(blocks))
	for _, k := range blocks {
		b = wire.AppendBlock(b, k)
	}
	return append(b, a.Data...)
}

const int64Kind = uint8(datatype.Int64)

// attacks are payloads that no window of 16 bytes may carry out. Those with a number expect an answer.
var attacks = map[string][]byte{
	"a put beyond the end":                 encode(wire.Access{Verb: wire.RMAPut, Data: make([]byte, 8)}, wire.Block{Off: 9, Len: 8}),
	"a put far beyond the end":             encode(wire.Access{Verb: wire.RMAPut, Data: make([]byte, 8)}, wire.Block{Off: 1 << 61, Len: 8}),
	"a put whose second block is outside":  encode(wire.Access{Verb: wire.RMAPut, Data: make([]byte, 16)}, wire.Block{Len: 8}, wire.Block{Off: 12, Len: 8}),
	"a put with less data than blocks":     encode(wire.Access{Verb: wire.RMAPut, Data: make([]byte, 3)}, wire.Block{Len: 8}),
	"a put with more data than blocks":     encode(wire.Access{Verb: wire.RMAPut, Data: make([]byte, 9)}, wire.Block{Len: 8}),
	"a get of more than there is":          encode(wire.Access{Verb: wire.RMAGet, ID: 7}, wire.Block{Len: 17}),
	"a get of the same again and again":    encode(wire.Access{Verb: wire.RMAGet, ID: 7}, slicesOf(wire.Block{Len: 16}, 10_000)...),
	"a get with data":                      encode(wire.Access{Verb: wire.RMAGet, ID: 7, Data: []byte{1}}, wire.Block{Len: 8}),
	"a get that nobody waits for":          encode(wire.Access{Verb: wire.RMAGet}, wire.Block{Len: 8}),
	"an accumulate of half an element":     encode(wire.Access{Verb: wire.RMAAcc, Elem: int64Kind, Data: make([]byte, 4)}, wire.Block{Len: 4}),
	"an accumulate of an unknown kind":     encode(wire.Access{Verb: wire.RMAAcc, Elem: 200, Data: make([]byte, 8)}, wire.Block{Len: 8}),
	"an accumulate of no kind":             encode(wire.Access{Verb: wire.RMAAcc, Data: make([]byte, 8)}, wire.Block{Len: 8}),
	"an accumulate by an unknown function": encode(wire.Access{Verb: wire.RMAAcc, Elem: int64Kind, Op: 99, Data: make([]byte, 8)}, wire.Block{Len: 8}),
	"a fetch outside":                      encode(wire.Access{Verb: wire.RMAFetch, Elem: int64Kind, ID: 9, Data: make([]byte, 8)}, wire.Block{Off: 16, Len: 8}),
	"a swap of two blocks":                 encode(wire.Access{Verb: wire.RMASwap, Elem: int64Kind, ID: 9, Data: make([]byte, 32)}, wire.Block{Len: 8}, wire.Block{Off: 8, Len: 8}),
	"a swap with one operand":              encode(wire.Access{Verb: wire.RMASwap, Elem: int64Kind, ID: 9, Data: make([]byte, 8)}, wire.Block{Len: 8}),
	"a swap of the wrong size":             encode(wire.Access{Verb: wire.RMASwap, Elem: int64Kind, ID: 9, Data: make([]byte, 8)}, wire.Block{Len: 4}),
	"an answer that nobody waits for":      wire.AppendRMAAnswer(nil, wire.RMAAnswer{Verb: wire.RMAData, ID: 1 << 30, Data: make([]byte, 8)}),
	"an answer to nobody":                  wire.AppendRMAAnswer(nil, wire.RMAAnswer{Verb: wire.RMADone}),
	"no verb":                              {0xee, 1, 2, 3},
	"nothing":                              {},
}

func slicesOf(b wire.Block, n int) (all []wire.Block) {
	for range n {
		all = append(all, b)
	}
	return all
}

// TestAttacksAreRefused: what must not be done is not done, in part neither, is counted, and leaves the
// window as it was.
func TestAttacksAreRefused(t *testing.T) {
	onRanks(t, 2, false, func(c *comm.Comm) error {
		guarded := bytes.Repeat([]byte{0x55}, 48)
		w, err := New(c, Config{Op: "create_window", Mem: guarded[16:32:32], Unit: 1})
		if err != nil {
			return err
		}
		if w.native {
			return errors.New("the window is native")
		}
		if c.Rank() == 0 {
			for _, b := range attacks {
				w.loop.Enter()
				pkt := w.loop.Packet(w.parts[1].proc, w.id)
				pkt.Data = append(pkt.Data, b...)
				w.loop.Post(pkt)
				w.loop.Exit()
			}
			// Refusals come back without a number or with one that nobody knows; a flush brings the first
			// kind to light.
			if err := w.Lock(1, false, 0); !errors.Is(err, ErrRange) {
				return fmt.Errorf("the lock tells %v of refusals", err)
			}
			old := make([]byte, 8)
			if err := errors.Join(w.Lock(1, true, 0), w.Get(old, 1, 3, Elem{1, 1}), w.Unlock(1)); err != nil || old[0] != 0x55 {
				return fmt.Errorf("afterwards %v, %w", old, err)
			}
		}
		if err := barrier(c); err != nil {
			return err
		}
		if c.Rank() == 1 && !bytes.Equal(guarded, bytes.Repeat([]byte{0x55}, 48)) {
			return fmt.Errorf("memory has become %x", guarded)
		}
		w.loop.Enter()
		refused := w.loop.RMA().Refused
		w.loop.Exit()
		if c.Rank() == 1 && refused != uint64(len(attacks)) {
			return fmt.Errorf("%d of %d attacks were refused", refused, len(attacks))
		}
		return w.Free()
	})
}

// TestStrangersAreRefused: packets for windows that are not there, or from ranks that are not in them, touch nothing.
func TestStrangersAreRefused(t *testing.T) {
	onRanks(t, 2, false, func(c *comm.Comm) error {
		alone, err := c.Split(c.Rank(), 0)
		if err != nil {
			return err
		}
		mem := make([]byte, 8)
		w, err := New(alone, Config{Op: "create_window", Mem: mem, Unit: 1})
		if err != nil {
			return err
		}
		other := 1 - c.Rank()
		w.loop.Enter()
		for _, id := range []uint32{w.id, w.id ^ 1<<20, 1<<32 - 1} {
			pkt := w.loop.Packet(other, id)
			pkt.Data = encode(wire.Access{Verb: wire.RMAPut, Data: []byte{1}}, wire.Block{Len: 1})
			w.loop.Post(pkt)
		}
		// One of a peer's windows, by its number, though we are not in it.
		pkt := w.loop.Packet(other, uint32(other)<<16|w.id&0xffff)
		pkt.Data = encode(wire.Access{Verb: wire.RMAPut, Data: []byte{1}}, wire.Block{Len: 1})
		w.loop.Post(pkt)
		w.loop.Exit()
		if err := barrier(c); err != nil {
			return err
		}
		w.loop.Enter()
		strangers := w.loop.RMA().Strangers
		w.loop.Exit()
		if mem[0] != 0 || strangers != 4 {
			return fmt.Errorf("memory is %v, %d strangers", mem, strangers)
		}
		return w.Free()
	})
}

// TestRefusalNamesTheReason: a target's refusal arrives with its words.
func TestRefusalNamesTheReason(t *testing.T) {
	onRanks(t, 2, false, func(c *comm.Comm) error {
		w, err := New(c, Config{Op: "dynamic_window", Kind: Dynamic, Unit: 1})
		if err != nil {
			return err
		}
		if c.Rank() == 0 {
			err = errors.Join(w.Lock(1, false, 0), w.Put([]byte{1}, 1, 1<<40, Elem{1, 1}))
			if err != nil {
				return err
			}
			if err := w.Unlock(1); !errors.Is(err, ErrRange) || !strings.Contains(err.Error(), "not attached at the target; call Attach there") {
				return fmt.Errorf("the unlock tells %v", err)
			}
			if err := errors.Join(w.Lock(1, true, 0), w.Unlock(1)); err != nil {
				return fmt.Errorf("an error is told twice: %w", err)
			}
		}
		return errors.Join(barrier(c), w.Free())
	})
}

// FuzzPacket: whatever a peer sends, nothing outside the window is touched, and nothing panics.
func FuzzPacket(f *testing.F) {
	for _, b := range attacks {
		f.Add(b)
	}
	f.Add(encode(wire.Access{Verb: wire.RMAPut, Data: make([]byte, 16)}, wire.Block{Len: 16}))
	f.Add(encode(wire.Access{Verb: wire.RMASwap, Elem: int64Kind, ID: 1, Data: make([]byte, 16)}, wire.Block{Len: 8}))
	f.Add(encode(wire.Access{Verb: wire.RMAFetch, Elem: int64Kind, Op: 65, ID: 1}, wire.Block{Len: 8}))
	for _, v := range []wire.Verb{wire.RMAFlush, wire.RMALock, wire.RMAUnlock} {
		f.Add(wire.AppendRMASync(nil, wire.RMASync{Verb: v, ID: 1, Exclusive: v == wire.RMALock}))
	}
	f.Add(wire.AppendRMAAnswer(nil, wire.RMAAnswer{Verb: wire.RMAFail, Data: []byte("no")}))
	f.Fuzz(func(t *testing.T, b []byte) {
		onRanks(t, 1, true, func(c *comm.Comm) error {
			guarded := bytes.Repeat([]byte{0x55}, 48)
			w, err := New(c, Config{Op: "create_window", Mem: guarded[16:32:32], Unit: 1})
			if err != nil {
				return err
			}
			w.packetsOnly()
			w.loop.Enter()
			for range 3 {
				w.Packet(0, b)
			}
			w.loop.Exit()
			outside := append(guarded[:16:16], guarded[32:]...)
			if !bytes.Equal(outside, bytes.Repeat([]byte{0x55}, 32)) {
				return fmt.Errorf("memory around the window has become %x", outside)
			}
			return nil
		})
	})
}
