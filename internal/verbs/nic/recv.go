package nic

import (
	"github.com/weft-mpi/weft/internal/verbs"
)

// Receives is a receive queue, of one queue pair or shared.
type Receives struct {
	ring  ring[Receive]
	sges  int
	limit int // low watermark that rings, 0 if none
	Users int // queue pairs that share it

	// Newest has the newest receive taken first, not the oldest: its memory is still in the cache.
	Newest bool
}

// Receive is one posted receive.
type Receive struct {
	ID  uint64
	SGL []verbs.SGE
	Len int // bytes it has room for
}

// NewReceives makes a queue of depth receives with up to sges scatter entries each.
func NewReceives(depth, sges int) *Receives {
	return &Receives{ring: ring[Receive]{limit: depth}, sges: max(1, sges)}
}

// Len is how many receives wait.
func (q *Receives) Len() int { return q.ring.n }

// Post adds a receive after checking it for domain pd.
func (q *Receives) Post(t *Regions, pd uint32, wr *verbs.RecvWR) error {
	if len(wr.SGL) > q.sges {
		return errTooManySGE
	}
	if q.ring.full() {
		return verbs.ErrFull
	}
	if err := t.LocalList(pd, wr.SGL, true); err != nil {
		return err
	}
	r := q.ring.push()
	r.ID, r.SGL, r.Len = wr.ID, append(r.SGL[:0], wr.SGL...), length(wr.SGL)
	return nil
}

// Unpost takes the newest receive back.
func (q *Receives) Unpost() {
	clear(q.ring.at(q.ring.n - 1).SGL)
	q.ring.n--
}

// Next is the receive whose turn it is. There must be one.
func (q *Receives) Next() *Receive {
	if q.Newest {
		return q.ring.at(q.ring.n - 1)
	}
	return q.ring.at(0)
}

// Take removes the receive whose turn it is into out, whose former list it keeps for another one; low tells
// that the watermark was passed just now. It answers false if there is none.
func (q *Receives) Take(out *Receive) (ok, low bool) {
	if q.ring.n == 0 {
		return false, false
	}
	r := q.Next()
	for i := range out.SGL {
		out.SGL[i] = verbs.SGE{} // do not keep the caller's memory alive
	}
	out.ID, out.Len, out.SGL, r.SGL = r.ID, r.Len, r.SGL, out.SGL[:0]
	if q.Newest {
		q.ring.n--
	} else {
		q.ring.drop()
	}
	if q.limit > 0 && q.ring.n < q.limit {
		q.limit, low = 0, true
	}
	return true, low
}

// Limit sets the low watermark; it answers true if the queue is below it already.
func (q *Receives) Limit(low int) bool {
	if q.limit = low; low > 0 && q.ring.n < low {
		q.limit = 0
		return true
	}
	return false
}

// length is the number of bytes in a list.
func length(list []verbs.SGE) int {
	n := 0
	for i := range list {
		n += len(list[i].Buf)
	}
	return n
}
