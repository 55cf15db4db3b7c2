package nic

import (
	"fmt"

	"github.com/weft-mpi/weft/internal/verbs"
)

var errTooManySGE = fmt.Errorf("%w: more gather or scatter entries than the queue was made for", verbs.ErrArgument)

// Sends is a send queue: work requests in the order of posting. A device works on them in order, may finish them
// out of order, and retires them in order again.
type Sends struct {
	ring   ring[Sending]
	sges   int
	inline int
	first  uint64 // sequence number of the oldest entry
	next   uint64 // sequence number of the next entry to be started
	all    bool   // every entry is signaled
}

// Sending is one work request under way.
type Sending struct {
	WR     verbs.SendWR // SGL belongs to the queue
	Len    int          // bytes in the list
	Status verbs.Status
	Done   bool
	Extra  uint64 // the device's own note

	copied []byte // what an inline send carries
}

// keptInline is how many bytes an entry keeps for the next inline send.
const keptInline = 4096

// NewSends makes a queue for cfg.
func NewSends(cfg *verbs.QPConfig) *Sends {
	return &Sends{ring: ring[Sending]{limit: cfg.SendDepth}, sges: max(1, cfg.SendSGE), inline: cfg.Inline, all: cfg.SignalAll}
}

// Open is how many work requests have not been retired.
func (q *Sends) Open() int { return q.ring.n }

// Full tells whether another one would find no room.
func (q *Sends) Full() bool { return q.ring.full() }

// Waiting is how many have not been started.
func (q *Sends) Waiting() int { return q.ring.n - int(q.next-q.first) }

// Post adds a work request after checking its list for domain pd; what else it says is the device's to check.
func (q *Sends) Post(t *Regions, pd uint32, wr *verbs.SendWR) error {
	if q.ring.full() {
		return verbs.ErrFull
	}
	if len(wr.SGL) > q.sges {
		return errTooManySGE
	}
	n := length(wr.SGL)
	inline := wr.Flags&verbs.Inline != 0
	if inline && n > q.inline {
		return fmt.Errorf("%w: inline send of %d bytes, the queue pair was made for %d", verbs.ErrArgument, n, q.inline)
	}
	if !inline {
		if err := t.LocalList(pd, wr.SGL, wr.Op == verbs.Read || wr.Op == verbs.FetchAdd || wr.Op == verbs.CompareSwap); err != nil {
			return err
		}
	}
	s := q.ring.push()
	list := append(s.WR.SGL[:0], wr.SGL...)
	if inline {
		s.copied = s.copied[:0]
		for i := range list {
			s.copied = append(s.copied, list[i].Buf...)
		}
		clear(list)
		list = append(list[:0], verbs.SGE{Buf: s.copied})
	}
	s.WR = *wr
	s.WR.SGL, s.Len, s.Status, s.Done, s.Extra = list, n, verbs.OK, false, 0
	return nil
}

// Unpost takes the newest work request back, which must not have been started.
func (q *Sends) Unpost() {
	s := q.ring.at(q.ring.n - 1)
	clear(s.WR.SGL)
	s.WR.AH = nil
	q.ring.n--
}

// Next returns the oldest work request that has not been started, and its number, or nil.
func (q *Sends) Next() (*Sending, uint64) {
	if q.Waiting() == 0 {
		return nil, 0
	}
	return q.ring.at(int(q.next - q.first)), q.next
}

// Start marks the work request that Next showed as started.
func (q *Sends) Start() { q.next++ }

// Get returns the work request with a number that Next gave, or nil once it has been retired.
func (q *Sends) Get(number uint64) *Sending {
	if number-q.first >= uint64(q.ring.n) {
		return nil
	}
	return q.ring.at(int(number - q.first))
}

// First is the number of the oldest open work request, End that of the next to be posted.
func (q *Sends) First() uint64 { return q.first }

// End is the number that the next posted work request will have.
func (q *Sends) End() uint64 { return q.first + uint64(q.ring.n) }

// Retire removes finished work requests from the front, calling report for those whose completion is due: the
// failed and the signaled.
func (q *Sends) Retire(report func(*Sending)) {
	for q.ring.n > 0 && q.ring.at(0).Done {
		s := q.ring.at(0)
		if s.Status != verbs.OK || q.all || s.WR.Flags&verbs.Signaled != 0 {
			report(s)
		}
		for i := range s.WR.SGL {
			s.WR.SGL[i] = verbs.SGE{}
		}
		if s.WR.AH = nil; cap(s.copied) > keptInline {
			s.copied = nil
		}
		q.ring.drop()
		q.first++
		q.next = max(q.next, q.first)
	}
}

// Flush finishes everything that is still open as flushed.
func (q *Sends) Flush() {
	for i := range q.ring.n {
		if s := q.ring.at(i); !s.Done {
			s.Done, s.Status = true, verbs.Flushed
		}
	}
	q.next = q.End()
}

// Clear forgets everything.
func (q *Sends) Clear() {
	q.first, q.next = q.End(), q.End()
	q.ring = ring[Sending]{limit: q.ring.limit}
}
