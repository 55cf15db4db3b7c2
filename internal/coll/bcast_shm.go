package coll

import "github.com/weft-mpi/weft/internal/plan"

// bcast/shm: the root puts the vector into the memory of the node, segment by
// segment, each with a flag; everybody copies a segment out while the next one
// is put in. A few bytes stand in one line with the flag.
//
// Steps: no message, one flag per segment (one more per rank for segments whose
// slot is used again). Cost: one copy in and one copy out, which overlap from
// the second segment on. Limits: all ranks on one node with memory in common.
// Source: Qian, thesis, 4.3 (shm_bcast).
func bcastShm(b *plan.Builder, c Case) {
	if !c.fitsSlip(c.Bytes) {
		bcastNodes(b, c, 1, false)
		return
	}
	r := newRoom(b, c, c.layout())
	s, flag := r.each(c.Bytes), r.flags(1)
	if c.Rank == c.Root {
		r.put(s.at(r.me, 0), c.vector(), flag)
	} else {
		b.Copy(c.vector(), s.at(c.Root, 0), b.Await(c.Root, flag))
	}
	r.close()
}

func bcastShmFits(c Case) bool { return onOneNode(c) && (c.empty() || c.bcastShape(1).fits()) }
