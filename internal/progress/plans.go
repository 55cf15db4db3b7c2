package progress

import (
	"maps"

	"github.com/weft-mpi/weft/internal/plan"
)

// PlanCounters tell which algorithms of collectives a rank has run, and whom they have waited for.
type PlanCounters struct {
	Runs         map[string]uint64 // plans begun, by algorithm
	BlockedSends uint64            // announced sends to a rank that had not arrived, behind which another send of the plan waited; 0 by arrival
	EarlyBytes   uint64            // bytes copied out of the memory of a node while flags or messages of the plan were still to come
}

// plansCounted are they while they are counted: of a plan that is run over and over, only the number changes.
type plansCounted struct {
	PlanCounters
	last *plan.Plan
	runs uint64 // of it, not yet in Runs
}

// begin counts a run of a plan.
func (n *plansCounted) begin(p *plan.Plan) {
	if p != n.last {
		n.settle()
		n.last = p
	}
	n.runs++
}

// settle puts what was counted of the last plan into Runs.
func (n *plansCounted) settle() {
	if n.runs == 0 {
		return
	}
	if n.Runs == nil {
		n.Runs = map[string]uint64{}
	}
	n.Runs[n.last.Name] += n.runs
	n.runs = 0
}

// Plans tells them.
func (l *Loop) Plans() PlanCounters {
	l.lock()
	defer l.unlock()
	l.plans.settle()
	n := l.plans.PlanCounters
	n.Runs = maps.Clone(n.Runs)
	return n
}
