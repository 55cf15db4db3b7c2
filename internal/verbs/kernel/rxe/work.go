package rxe

import (
	"syscall"
	"unsafe"

	"github.com/weft-mpi/weft/internal/verbs/kernel/ibv"
)

// Layout of work, structs rxe_send_wqe and rxe_recv_wqe.
const (
	sendOp       = 12
	sendFlags    = 16
	sendImm      = 20
	sendAddr     = 24
	sendKey      = 32 // of Writes and Reads
	sendCompare  = 32 // of atomics
	sendSwap     = 40
	sendAtomKey  = 48
	sendIOVA     = 152
	sendSequence = 176
	sendDMA      = 184
	sendPieces   = 208

	recvDMA    = 16
	recvPieces = 40

	// Of struct rxe_dma_info.
	dmaRest  = 4
	dmaCount = 12

	pieceSize = 16
	wcSize    = 48
)

func put32(b []byte, at int, v uint32) { *(*uint32)(unsafe.Pointer(&b[at])) = v }
func put64(b []byte, at int, v uint64) { *(*uint64)(unsafe.Pointer(&b[at])) = v }

// list is the list of a work request.
func list(first *ibv.SGE, count int32) []ibv.SGE { return unsafe.Slice(first, count) }

// gather writes what a work request says of memory: lengths, and the list behind them.
func gather(b []byte, pieces []ibv.SGE, at int) (n uint32) {
	for i := range pieces {
		p := &pieces[i]
		put64(b, at, p.Addr)
		put32(b, at+8, p.Length)
		put32(b, at+12, p.LKey)
		at += pieceSize
		n += p.Length
	}
	return n
}

// copied writes bytes themselves.
func copied(b []byte, pieces []ibv.SGE, at int) (n uint32) {
	for i := range pieces {
		from := uintptr(pieces[i].Addr)
		n += uint32(copy(b[at+int(n):], unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&from))), pieces[i].Length)))
	}
	return n
}

// length is how many bytes a list has.
func length(pieces []ibv.SGE) (n int) {
	for i := range pieces {
		n += int(pieces[i].Length)
	}
	return n
}

// dma writes lengths.
func dma(b []byte, at int, n uint32, count int) {
	put32(b, at, n)
	put32(b, at+dmaRest, n)
	put32(b, at+dmaCount, uint32(count))
}

// sendQueue is the send queue of a connection.
type sendQueue struct {
	queue
	sequence uint32
}

// post writes a send. The caller tells the kernel.
func (q *sendQueue) post(wr *ibv.SendWR) error {
	if err := q.room(); err != nil {
		return err
	}
	b, pieces := q.entry(), list(wr.List, wr.Count)
	inline := wr.Flags&ibv.SendInline != 0
	if room := len(b) - sendPieces; inline && length(pieces) > room || !inline && len(pieces)*pieceSize > room {
		return syscall.EINVAL
	}
	clear(b[:sendPieces])
	put64(b, 0, wr.ID)
	put32(b, sendOp, uint32(wr.Op))
	put32(b, sendFlags, wr.Flags)
	put32(b, sendImm, wr.Imm)
	if wr.Op == ibv.OpFetchAdd || wr.Op == ibv.OpCompareSwap {
		addr, compare, swap, key := wr.Atomic()
		put64(b, sendAddr, addr)
		put64(b, sendCompare, compare)
		put64(b, sendSwap, swap)
		put32(b, sendAtomKey, key)
		put64(b, sendIOVA, addr)
	} else {
		addr, key := wr.Remote()
		put64(b, sendAddr, addr)
		put32(b, sendKey, key)
		put64(b, sendIOVA, addr)
	}
	put32(b, sendSequence, q.sequence)
	if inline {
		dma(b, sendDMA, copied(b, pieces, sendPieces), len(pieces))
	} else {
		dma(b, sendDMA, gather(b, pieces, sendPieces), len(pieces))
	}
	q.sequence++
	q.publish()
	return nil
}

// recvQueue is a receive queue, of a queue pair or shared.
type recvQueue struct{ queue }

// post writes a receive; the kernel looks for it when a message comes.
func (q *recvQueue) post(wr *ibv.RecvWR) error {
	if err := q.room(); err != nil {
		return err
	}
	b, pieces := q.entry(), list(wr.List, wr.Count)
	if len(pieces)*pieceSize > len(b)-recvPieces {
		return syscall.EINVAL
	}
	clear(b[:recvPieces])
	put64(b, 0, wr.ID)
	dma(b, recvDMA, gather(b, pieces, recvPieces), len(pieces))
	q.publish()
	return nil
}

// poll takes completions, which the kernel writes as the library gives them.
func (q *queue) poll(out []ibv.WC) (n int, err error) {
	for n < len(out) {
		some, err := q.some()
		if !some {
			return n, err
		}
		out[n] = *(*ibv.WC)(unsafe.Pointer(&q.entry()[0]))
		q.consumed()
		n++
	}
	return n, nil
}
