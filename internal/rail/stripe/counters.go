package stripe

import (
	"iter"
	"strconv"
)

// Counters prove what the scheduler did since it was made.
type Counters struct {
	Whole    uint64           // transfers that were not cut
	Cut      uint64           // transfers that were
	Stolen   uint64           // pieces that an idle path took out of turn
	Returned uint64           // pieces that failed
	Downs    uint64           // times a path went down
	Probes   uint64           // pieces and messages for paths on probation
	Bytes    [MaxPaths]uint64 // of pieces given to each path
	Pieces   [MaxPaths]uint64
	Paths    int
}

// Counters returns what was counted so far.
func (s *Scheduler) Counters() Counters {
	n := s.count
	n.Paths = s.cfg.Paths
	return n
}

// All lists the counters by name, in a fixed order.
func (n Counters) All() iter.Seq2[string, uint64] {
	return func(yield func(string, uint64) bool) {
		ok := yield("stripe_whole", n.Whole) &&
			yield("stripe_cut", n.Cut) &&
			yield("stripe_stolen", n.Stolen) &&
			yield("stripe_returned", n.Returned) &&
			yield("stripe_downs", n.Downs) &&
			yield("stripe_probes", n.Probes)
		for i := range n.Paths {
			ok = ok && yield("stripe_bytes_"+strconv.Itoa(i), n.Bytes[i]) &&
				yield("stripe_pieces_"+strconv.Itoa(i), n.Pieces[i])
		}
	}
}
