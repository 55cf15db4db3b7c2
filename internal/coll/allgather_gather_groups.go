package coll

import (
	"slices"

	"github.com/weft-mpi/weft/internal/plan"
)

// allgather/gather_groups, allgatherv/gather_groups: ranks of the same number on
// their nodes form a group, each with a master on a node of its own. All ranks
// of a node collect its blocks through memory, each sends them to the master of
// its group, which so has everything and writes it into the memory of its node
// for everybody to copy out. If there are more nodes than groups, groups have
// several masters with the same duties.
//
// Steps: 1 round, m-1 connections in and out of each of m nodes of l ranks, out
// of different cores. Cost: a + (m-1)lnb; memory traffic of a node: ln + lln +
// (1 + l)pn. Limits: nodes have memory that takes pn and their own blocks again.
// For the shortest blocks. Source: Qian, thesis, 5.5.2.
func allgatherGatherGroups(b *plan.Builder, c Case) {
	l := c.layout()
	r := newRoom(b, c, l)
	img := c.image(l.ranks)
	me, n, groups := l.node[c.Rank], len(l.ranks), l.least()
	mine := img.part(plan.Span{Buf: plan.Node, Len: img.end}, r.ranks)
	here, memory := r.space(mine.Len), r.space(img.end)
	put, done := r.flags(1), r.flags(1)
	master := func(node int) int { return l.ranks[node][node%groups] }

	own := r.put(here.Sub(img.at[c.Rank]-mine.Off, img.len[c.Rank]), c.source(), put)
	written := plan.None
	if group := l.local[c.Rank]; group < groups && (group < n || group == me%groups) {
		buffer := b.Tmp(img.end)
		collected := b.Copy(img.part(buffer, r.ranks), here, append(r.others(put), own)...)
		have := []int{collected}
		for d := 1; d < n && c.Rank == master(me); d++ {
			from := (me - d + n) % n
			if piece := img.part(buffer, l.ranks[from]); piece.Len > 0 {
				c.travel(b, piece.Len, 0)
				have = append(have, b.Recv(l.ranks[from][group], piece))
			}
		}
		for d := 1; d < n; d++ {
			if to := (me + d) % n; to%groups == group && mine.Len > 0 {
				c.travel(b, mine.Len, group)
				b.Send(master(to), img.part(buffer, r.ranks), collected)
			}
		}
		if c.Rank == master(me) {
			written = b.Copy(memory, buffer, have...)
			b.Set(done, written)
		}
	}
	ready := r.await(master(me), done, written)
	img.copyOut(b, c, memory, slices.Concat(l.ranks...), ready, own)
	r.close()
}

func gatherGroupsFit(c Case) bool {
	if c.RecvCounts != nil {
		return c.Shares && 2*toLine(sum(c.RecvCounts)) <= NodeMax
	}
	return c.Shares && toLine(c.Ranks*c.Bytes)+toLine(c.MostLocal()*c.Bytes) <= NodeMax
}
