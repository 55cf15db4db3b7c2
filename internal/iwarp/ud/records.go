package ud

import "github.com/weft-mpi/weft/internal/iwarp"

// Limits of Records.
const (
	RecordTimeout = 10_000_000 // nanoseconds after its latest piece that a record is given up
	MaxRecords    = 64         // open at a time; one more closes the one that has been quiet the longest

	maxClosed    = 256           // closed records that are remembered
	closedMemory = 1_000_000_000 // and for how long: a source that restarts counts from the beginning again
)

// State says how a record ended.
type State uint8

// The ends of a record: None is "not yet", Valid "every byte has arrived", Partial "the bytes of Ranges have".
const (
	None State = iota
	Valid
	Partial
)

// String names the state.
func (s State) String() string {
	switch s {
	case None:
		return "open"
	case Valid:
		return "valid"
	case Partial:
		return "partial"
	}
	return "unknown"
}

// Done is a record that has ended. With State None there is none.
type Done[K comparable] struct {
	State  State
	Source K
	RMSN   uint32
	STag   uint32
	TO     uint64 // where the record begins in the memory of STag
	Length uint32
	Ranges Ranges // what has arrived of it, as offsets in the record
}

// Records is the receiver's table of Write-Records that have begun to arrive. A record is known by its source and its
// number. It ends once: valid when all of it is here, partial when RecordTimeout, MaxRecords or MaxRanges is
// exceeded; pieces that come later are dropped. A record of one datagram ends at once and leaves no trace.
//
// The zero value is ready for use.
type Records[K comparable] struct {
	slots []Done[K] // State None while open
	last  []int64   // when the latest piece of the slot's record arrived

	// order is a permutation of the slots. The first open ones are in use, the one longest without a piece first.
	order []uint8
	open  int

	closed []closedRecord[K] // a ring
	next   int               // where the ring is overwritten
}

type closedRecord[K comparable] struct {
	source K
	rmsn   uint32
	at     int64 // 0 in a place not used yet
}

// Piece takes note of a Write-Record datagram: n bytes of payload for offset to of stag. The caller has checked that
// it may write them there. If place is true it does so, before it reports done; otherwise it drops the datagram.
// done need not be the record of this piece: it may be an older one that had to make room.
func (r *Records[K]) Piece(now int64, source K, rec iwarp.Record, stag uint32, to uint64, n int) (place bool, done Done[K]) {
	if n < 0 || uint64(rec.Offset)+uint64(n) > uint64(rec.Length) || n == 0 && rec.Length != 0 {
		return false, done
	}
	begin, end := to-uint64(rec.Offset), rec.Offset+uint32(n)
	at := r.find(source, rec.RMSN)
	if at < 0 {
		piece := Done[K]{Source: source, RMSN: rec.RMSN, STag: stag, TO: begin, Length: rec.Length}
		piece.Ranges.Add(rec.Offset, end)
		if uint32(n) == rec.Length {
			piece.State = Valid
			return true, piece
		}
		return r.begin(now, piece)
	}
	slot := &r.slots[r.order[at]]
	if slot.Length != rec.Length || slot.STag != stag || slot.TO != begin {
		return false, done // another record under the same number: neither can be trusted more, the first stays
	}
	if !slot.Ranges.Add(rec.Offset, end) {
		return false, r.end(now, at, Partial)
	}
	if slot.Ranges.Covers(0, slot.Length) {
		return true, r.end(now, at, Valid)
	}
	r.last[r.order[at]] = now
	r.move(at, r.open-1)
	return true, done
}

// Deadline is when Expire will next have something, unless pieces arrive.
func (r *Records[K]) Deadline() int64 {
	if r.open == 0 {
		return 0
	}
	return r.last[r.order[0]] + RecordTimeout
}

// Expire ends one record that is overdue and returns it; State is None when there is no more. With a time far in the
// future it empties the table.
func (r *Records[K]) Expire(now int64) (done Done[K]) {
	if r.open == 0 || r.Deadline() > now {
		return done
	}
	return r.end(now, 0, Partial)
}

// find returns where in order an open record is, or -1.
func (r *Records[K]) find(source K, rmsn uint32) int {
	for at, i := range r.order[:r.open] {
		if slot := &r.slots[i]; slot.RMSN == rmsn && slot.Source == source {
			return at
		}
	}
	return -1
}

// begin opens the record of which piece is the first, unless it was closed before.
func (r *Records[K]) begin(now int64, piece Done[K]) (place bool, done Done[K]) {
	if r.wasClosed(now, piece.Source, piece.RMSN) {
		return false, done
	}
	if r.slots == nil {
		r.allocate()
	}
	if r.open == MaxRecords {
		done = r.end(now, 0, Partial)
	}
	i := r.order[r.open]
	r.slots[i], r.last[i] = piece, now
	r.open++
	return true, done
}

func (r *Records[K]) allocate() {
	r.slots, r.last = make([]Done[K], MaxRecords), make([]int64, MaxRecords)
	r.closed = make([]closedRecord[K], maxClosed)
	r.order = make([]uint8, MaxRecords)
	for i := range r.order {
		r.order[i] = uint8(i)
	}
}

// end closes the open record at place at of the order.
func (r *Records[K]) end(now int64, at int, state State) Done[K] {
	i := r.order[at]
	done := r.slots[i]
	done.State = state
	r.slots[i] = Done[K]{} // keep no reference in the source
	r.move(at, r.open-1)
	r.open--
	r.closed[r.next] = closedRecord[K]{done.Source, done.RMSN, now}
	r.next = (r.next + 1) % maxClosed
	return done
}

// move takes one place of the order to a later one.
func (r *Records[K]) move(from, to int) {
	i := r.order[from]
	copy(r.order[from:to], r.order[from+1:to+1])
	r.order[to] = i
}

func (r *Records[K]) wasClosed(now int64, source K, rmsn uint32) bool {
	for i := range r.closed {
		c := &r.closed[i]
		if c.rmsn == rmsn && c.at != 0 && now-c.at < closedMemory && c.source == source {
			return true
		}
	}
	return false
}
