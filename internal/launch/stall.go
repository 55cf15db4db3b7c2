package launch

import (
	"time"

	"github.com/weft-mpi/weft/internal/pmi"
	"github.com/weft-mpi/weft/internal/stall"
)

// stalls is what the loop knows of complaints.
type stalls struct {
	collecting bool
	next       time.Time // no report before
	reports    int
}

// onStall takes a rank's complaint. The first one makes the launcher ask all ranks; one report follows.
func (r *run) onStall(s pmi.Stall) {
	now := time.Now()
	if s.Ask == 0 && !r.stalls.collecting && !now.Before(r.stalls.next) && !r.ending.active {
		r.stalls.collecting = true
		period := time.Duration(min(s.Seconds, 3600) * float64(time.Second))
		r.stalls.next = now.Add(max(period, time.Second))
		r.ask(r.reportStalls)
	}
	r.onAnswer(s)
}

// sameWait tells whether b is a later report of the call in a.
func sameWait(a, b pmi.Stall) bool {
	return a.Op == b.Op && a.Comm == b.Comm && a.Seq == b.Seq && a.Peer == b.Peer && a.Tag == b.Tag && a.Site == b.Site
}

func (r *run) reportStalls() {
	r.stalls.collecting = false
	if r.ending.active {
		return
	}
	r.stalls.reports++
	all := make([]stall.Rank, len(r.ranks))
	for i, rk := range r.ranks {
		all[i] = stall.Rank{Phase: r.server.Phase(i), Ended: rk.ended, Waits: r.census.answers[i].waits}
	}
	r.say(levelWarning, "stall", "%s", stall.Report(all))
}
