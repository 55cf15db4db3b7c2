package experiments

import (
	"github.com/weft-mpi/weft/lab/measure"
)

// hall is where the ranks of a node meet when all ranks synchronize, as elan_hgsync has them: through the
// memory of their node, and the first of them by the barrier of the network's hardware.
type hall struct {
	ranks []int
	here  map[int]*seen // per rank
	open  seen          // raised by the first
}

// seen is the last call for which a flag was raised, as those see it who are near, and who are far.
type seen [2]uint64

// halls makes those of all nodes.
func halls(nodes []int) map[int]*hall {
	all := map[int]*hall{}
	for rank, node := range nodes {
		if all[node] == nil {
			all[node] = &hall{here: map[int]*seen{}}
		}
		h := all[node]
		h.ranks = append(h.ranks, rank)
		h.here[rank] = new(seen)
	}
	return all
}

// sync waits until all ranks have come to it in this call.
func (p *player) sync(h *hall, gate measure.Barrier) error {
	first := h.ranks[0]
	if p.rank != first {
		p.raise(h, h.here[p.rank])
		return p.sees(first, &h.open)
	}
	for _, mate := range h.ranks[1:] {
		if err := p.sees(mate, h.here[mate]); err != nil {
			return err
		}
	}
	if gate != nil {
		open := false
		gate.Enter(func() {
			open = true
			p.puts.CQ.Wake()
		})
		if err := p.until(func() bool { return open }); err != nil {
			return err
		}
	}
	p.raise(h, &h.open)
	return nil
}

// raise has the ranks of the node see a flag.
func (p *player) raise(h *hall, flag *seen) {
	call := p.call
	p.puts.Near.Later(func(far bool) {
		side := 0
		if far {
			side = 1
		}
		flag[side] = call
		for _, rank := range h.ranks {
			if mate := p.stage.players[rank]; mate != nil && mate != p {
				mate.puts.CQ.Wake()
			}
		}
	})
}

// sees waits for a flag of a rank of the node.
func (p *player) sees(of int, flag *seen) error {
	side := 0
	if p.puts.Near.Far(of) {
		side = 1
	}
	err := p.until(func() bool { return flag[side] >= p.call })
	p.puts.Near.Saw()
	return err
}

// until takes what comes until a condition holds, which others bring about.
func (p *player) until(holds func() bool) error {
	for p.err == nil {
		p.puts.Settle()
		if holds() {
			break
		}
		if moved, _ := p.look(); !moved {
			p.puts.CQ.Wait(-1)
		}
	}
	return p.err
}
