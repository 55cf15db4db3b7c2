package window

import (
	"fmt"

	"github.com/weft-mpi/weft/internal/comm"
	"github.com/weft-mpi/weft/internal/wire"
)

// Packet takes what a peer asks of our part, or answers. The loop's lock is held: nobody else changes our
// part by packets meanwhile, which makes accumulates atomic.
func (w *Window) Packet(peer int, payload []byte) {
	if w.c.Group().Rank(peer) == comm.Undefined {
		w.loop.RMA().Strangers++
		return
	}
	verb := wire.RMAVerb(payload)
	switch {
	case verb >= wire.RMAData:
		if a, err := wire.ParseRMAAnswer(payload); err == nil {
			w.answered(peer, a)
			return
		}
	case verb >= wire.RMAFlush:
		if s, err := wire.ParseRMASync(payload); err == nil {
			w.loop.RMA().Served++
			w.serveSync(peer, s)
			return
		}
	default:
		if a, err := wire.ParseAccess(payload); err == nil {
			w.loop.RMA().Served++
			w.serve(peer, &a)
			return
		}
	}
	w.loop.RMA().Refused++
}

func (w *Window) serveSync(peer int, s wire.RMASync) {
	switch s.Verb {
	case wire.RMALock:
		if !w.locks.want(w, wish{peer, s.Exclusive, s.ID}) {
			w.refuse(peer, s.ID, "the lock is held, or wanted, by the same rank")
		}
		return
	case wire.RMAUnlock:
		w.locks.release(w, peer)
	case wire.RMALost:
		w.noteLost(fmt.Errorf("%w: rank %d says that a rank of the window has died", comm.ErrProcFailed, w.c.Group().Rank(peer)))
		return
	case wire.RMAFlush:
		w.knocked()
	}
	if s.ID != 0 {
		w.send(peer, wire.RMAAnswer{Verb: wire.RMADone, ID: s.ID})
	}
}

func (w *Window) send(peer int, a wire.RMAAnswer) {
	pkt := w.loop.Packet(peer, w.id)
	pkt.Data = wire.AppendRMAAnswer(pkt.Data, a)
	w.loop.Post(pkt)
}

// refuse tells a peer why what it asked for was not done.
func (w *Window) refuse(peer int, id uint32, format string, args ...any) {
	w.loop.RMA().Refused++
	w.send(peer, wire.RMAAnswer{Verb: wire.RMAFail, ID: id, Data: fmt.Appendf(nil, format, args...)})
}

// answerMax is the longest answer that a peer may ask for at once.
const answerMax = 128 << 10

// serve carries out an access, all of it or nothing.
func (w *Window) serve(peer int, a *wire.Access) {
	if why := w.judge(a); why != "" {
		w.refuse(peer, a.ID, "%s", why)
		return
	}
	if a.ID == 0 || a.Verb == wire.RMAPut || a.Verb == wire.RMAAcc {
		w.apply(a, nil)
		if a.ID != 0 {
			w.send(peer, wire.RMAAnswer{Verb: wire.RMADone, ID: a.ID})
		}
		return
	}
	pkt := w.loop.Packet(peer, w.id)
	pkt.Data = w.apply(a, wire.AppendRMAAnswer(pkt.Data, wire.RMAAnswer{Verb: wire.RMAData, ID: a.ID}))
	w.loop.Post(pkt)
}

// judge says why an access must not be carried out; nothing if it may.
func (w *Window) judge(a *wire.Access) string {
	n := a.Blocks.Bytes()
	fold := Fold{Reduction(a.Op), kindOf(a.Elem)}
	data, answers, elem := n, true, 1
	switch a.Verb {
	case wire.RMAPut:
		answers = false
	case wire.RMAGet:
		data = 0
	case wire.RMASwap:
		data = 2 * n
		if a.Blocks.Len() != 1 || n == 0 || n != fold.Kind.Size() {
			return fmt.Sprintf("a swap of %d bytes in %d blocks", n, a.Blocks.Len())
		}
	default:
		answers = a.Verb == wire.RMAFetch
		if !fold.Valid() {
			return fmt.Sprintf("no reduction %d of elements of kind %d", a.Op, a.Elem)
		}
		elem = fold.size()
		if fold.Op == NoOp {
			data = 0
		}
	}
	switch {
	case len(a.Data) != data:
		return fmt.Sprintf("%v of %d bytes with %d bytes of data", a.Verb, n, len(a.Data))
	case answers && (a.ID == 0 || n > answerMax):
		return fmt.Sprintf("%v of %d bytes, answered as number %d", a.Verb, n, a.ID)
	}
	for i := range a.Blocks.Len() {
		b := a.Blocks.At(i)
		if b.Len%elem != 0 || w.memory(b) == nil {
			return w.unknown(b)
		}
	}
	return ""
}

func (w *Window) unknown(b wire.Block) string {
	if w.kind == Dynamic {
		return fmt.Sprintf("%d bytes at address %#x are not attached at the target; call Attach there, and use the address that it returns", b.Len, b.Off)
	}
	return fmt.Sprintf("%d bytes at byte %d of a part that has %d", b.Len, b.Off, len(w.mem))
}

// memory returns a block of our part; nil if it is none.
func (w *Window) memory(b wire.Block) []byte {
	if w.kind == Dynamic {
		return w.regions.find(b)
	}
	if b.Off < 0 || b.Len < 0 || b.Len > len(w.mem) || b.Off > len(w.mem)-b.Len {
		return nil
	}
	if b.Len == 0 {
		return []byte{}
	}
	return w.mem[b.Off : b.Off+b.Len]
}

// apply carries out an access that has been judged, and adds what was there before to out, unless that is nil.
func (w *Window) apply(a *wire.Access, out []byte) []byte {
	data, fold := a.Data, Fold{Reduction(a.Op), kindOf(a.Elem)}
	for i := range a.Blocks.Len() {
		mem := w.memory(a.Blocks.At(i))
		if out != nil {
			out = append(out, mem...)
		}
		switch a.Verb {
		case wire.RMAPut:
			copy(mem, data)
		case wire.RMAGet:
		case wire.RMASwap:
			swap(mem, data)
		default:
			fold.into(mem, data[:min(len(mem), len(data))])
		}
		data = data[min(len(mem), len(data)):]
		w.loop.Copied(len(mem))
	}
	return out
}

// serveOwn carries out our own access to our own part, in a window that is not native. The loop's lock is held.
func (w *Window) serveOwn(a *access) error {
	for _, b := range a.blocks() {
		if w.memory(b) == nil {
			return refusal([]byte(w.unknown(b)))
		}
	}
	if a.verb <= wire.RMAGet {
		moveBlocks(a, w.memory)
		w.loop.Copied(a.bytes())
		return nil
	}
	done := 0
	for _, b := range a.blocks() {
		src, dst := a.src, a.dst
		if src != nil && a.verb != wire.RMASwap {
			src = src[done : done+b.Len]
		}
		if dst != nil {
			dst = dst[done : done+b.Len]
		}
		change(a.verb, a.fold, w.memory(b), src, dst)
		done += b.Len
	}
	w.loop.Copied(a.bytes())
	return nil
}
