package arrival

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/comm"
)

// Start aligns this rank's clock with rank 0's, measures what a message costs, and returns a recorder. All
// ranks of world call it. now is the rank's time in nanoseconds, where tells the call site (nil if it need
// not be known), limit how many calls are recorded.
func Start(world *comm.Comm, now func() int64, where func() string, limit int) (*Recorder, error) {
	private, err := world.Dup()
	if err != nil {
		return nil, fmt.Errorf("arrival: %w", err)
	}
	r := &Recorder{now: now, where: where, private: private, limit: limit, index: map[string]int{}}
	if err := r.align(); err != nil {
		return nil, fmt.Errorf("arrival: aligning clocks: %w", err)
	}
	if err := r.measure(); err != nil {
		return nil, fmt.Errorf("arrival: measuring a message: %w", err)
	}
	if err := private.Run(&comm.Call{Op: coll.Barrier}); err != nil {
		return nil, fmt.Errorf("arrival: %w", err)
	}
	return r, nil
}

// Align compares this rank's clock with rank 0's, which is offset nanoseconds ahead, give or take bound.
// All ranks of world call it.
func Align(world *comm.Comm, now func() int64) (offset, bound int64, err error) {
	private, err := world.Dup()
	if err != nil {
		return 0, 0, err
	}
	r := &Recorder{now: now, private: private}
	if err := r.align(); err != nil {
		return 0, 0, fmt.Errorf("aligning clocks: %w", err)
	}
	return r.offset, r.bound, private.Free()
}

// trips is how many round trips a clock is compared over: the shortest counts, since it leaves the least
// room for error.
const trips = 20

const (
	alignTag = iota
	costTag
	recordTag
)

// align finds the difference to rank 0's clock. Rank 0 answers one rank after the other, so that nobody disturbs.
func (r *Recorder) align() error {
	if r.private.Rank() != 0 {
		return r.ask()
	}
	for peer := 1; peer < r.private.Size(); peer++ {
		var b [8]byte
		for range trips {
			if _, err := r.private.Recv(b[:], peer, alignTag); err != nil {
				return err
			}
			binary.LittleEndian.PutUint64(b[:], uint64(r.now()))
			if err := r.private.Send(b[:], peer, alignTag, comm.Standard); err != nil {
				return err
			}
		}
	}
	return nil
}

// ask compares our clock with rank 0's. Its reading was taken between our two, so the middle of them is
// wrong by at most half of what lies between.
func (r *Recorder) ask() error {
	var b [8]byte
	best := int64(math.MaxInt64)
	for range trips {
		from := r.now()
		if err := r.private.Send(b[:], 0, alignTag, comm.Standard); err != nil {
			return err
		}
		if _, err := r.private.Recv(b[:], 0, alignTag); err != nil {
			return err
		}
		to := r.now()
		if to-from < best {
			best = to - from
			r.offset = int64(binary.LittleEndian.Uint64(b[:])) - (from+to)/2
			r.bound = (best + 1) / 2
		}
	}
	return nil
}

// Cost is what one message takes, from the call of its sender to the end of its receive.
type Cost struct {
	Bytes int   `json:"bytes"`
	Nanos int64 `json:"ns"`
}

// lengths are those of the messages that are timed; what lies between is interpolated.
var lengths = []int{0, 64, 1 << 10, 16 << 10, 256 << 10, 1 << 20}

// measure times messages between rank 0 and the last rank, which is on another node if any is.
func (r *Recorder) measure() error {
	const rounds = 5
	last := r.private.Size() - 1
	me := r.private.Rank()
	if last == 0 || me != 0 && me != last {
		return nil
	}
	buf := make([]byte, lengths[len(lengths)-1])
	for _, n := range lengths {
		best := int64(math.MaxInt64)
		for range rounds {
			from := r.now()
			if err := r.bounce(buf[:n], last-me, me == 0); err != nil {
				return err
			}
			best = min(best, r.now()-from)
		}
		r.costs = append(r.costs, Cost{n, max(best/2, 1)})
	}
	return nil
}

// bounce sends a message to peer and back.
func (r *Recorder) bounce(b []byte, peer int, first bool) error {
	if first {
		if err := r.private.Send(b, peer, costTag, comm.Standard); err != nil {
			return err
		}
	}
	if _, err := r.private.Recv(b, peer, costTag); err != nil || first {
		return err
	}
	return r.private.Send(b, peer, costTag, comm.Standard)
}
