package progress

import "github.com/weft-mpi/weft/internal/plan"

// CommonsCounters tell what plans have done with memory of their node.
type CommonsCounters struct {
	Runs    uint64 // plans that shared memory or flags
	Held    uint64 // of these, such as had to wait until others had left their memory
	Grown   uint64 // times that memory had to grow
	Flags   uint64 // flags raised
	Woken   uint64 // ranks woken that slept until a flag was raised
	Fetches uint64 // blocks copied straight from the memory of other ranks
	AtOnce  uint64 // plans that ended as they were started
	Lacking uint64 // communicators that do without, since some node has no memory for them
	Slips   uint64 // plans whose few bytes stood beside their flags
	Ahead   uint64 // times that lines of the next plan were asked for ahead
}

// begin counts a plan that shares memory or flags.
func (n *CommonsCounters) begin(p *plan.Plan) {
	n.Runs++
	if p.Slips {
		n.Slips++
	}
}

// Commons tells them.
func (l *Loop) Commons() CommonsCounters {
	l.lock()
	defer l.unlock()
	return l.shared
}
