package coll

import "github.com/weft-mpi/weft/internal/plan"

// gather/shm: everybody puts its block into the memory of the node and raises a
// flag; the root copies the blocks out as they come. A few bytes stand in one
// line with the flag; long blocks go in turns.
//
// Steps: no message, one flag per rank and turn. Cost: one copy in, all ranks
// at once, and p-1 copies out. Limits: all ranks on one node with memory in
// common; blocks of up to 64 turns. Source: Qian, thesis, 4.3 (shm_gather).
func gatherShm(b *plan.Builder, c Case) {
	l := c.layout()
	r := newRoom(b, c, l)
	s := r.eachInTurns(c)
	flag := r.flags(s.turns())
	defer r.close()
	if c.Rank != c.Root {
		filled := plan.None
		for t := range s.turns() {
			free := plan.None
			if t >= 2 {
				free = b.Await(c.Root, flag+t-2)
			}
			filled = r.put(s.at(c.Rank, t), s.of(c.source(), t), flag+t, free, filled)
		}
		return
	}
	if !c.inPlace() {
		b.Copy(c.recvBlock(c.Rank), c.source())
	}
	for t := range s.turns() {
		var copied []int
		for v := 1; v < c.Ranks; v++ {
			from := actual(v, c.Root, c.Ranks)
			copied = append(copied, b.Copy(s.of(c.recvBlock(from), t), s.at(from, t), b.Await(from, flag+t)))
		}
		if t+2 < s.turns() {
			b.Set(flag+t, copied...)
		}
	}
}

// blocksFitInTurns is what the algorithms ask that pass a block per rank
// through the memory of one node.
func blocksFitInTurns(c Case) bool {
	return onOneNode(c) && c.inTurns(c.Bytes, 1, c.Ranks)
}
