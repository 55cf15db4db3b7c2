package sim

import "github.com/weft-mpi/weft/internal/verbs"

// rebasing is a queue pair of a connection whose work requests may get other memory while they wait, as those of the device made of
// software: see Cluster.Inline.
type rebasing struct{ *qp }

// public is q as its program has it.
func (q *qp) public() verbs.QP {
	if q.p.d.f.cluster.Inline > 0 && q.cfg.Type == verbs.RC {
		return rebasing{q}
	}
	return q
}

// qpOf is the reverse of public; nil if it is of another device.
func qpOf(v verbs.QP) *qp {
	switch v := v.(type) {
	case *qp:
		return v
	case rebasing:
		return v.qp
	}
	return nil
}

// Rebase has work requests that are not done, and gather what begins b and another piece, take that from b, too, where it has been copied.
func (r rebasing) Rebase(b []byte, lkey uint32) { r.sends.Rebase(b, lkey) }
