package launch

import (
	"time"

	"github.com/weft-mpi/weft/internal/pmi"
	"github.com/weft-mpi/weft/internal/stall"
)

// stallCollect is how long ranks may take to say what they wait for, once one has complained.
const stallCollect = 300 * time.Millisecond

// stalls collects complaints of ranks for one report.
type stalls struct {
	collecting bool
	waits      map[int][]pmi.Stall
	next       time.Time // no report before
}

// onStall takes a rank's complaint. The first one makes the launcher ask all ranks; one report follows.
func (r *run) onStall(s pmi.Stall) {
	now := time.Now()
	if !r.stalls.collecting {
		if now.Before(r.stalls.next) || r.ending.active {
			return
		}
		r.stalls.collecting = true
		r.stalls.waits = map[int][]pmi.Stall{}
		period := time.Duration(min(s.Seconds, 3600) * float64(time.Second))
		r.stalls.next = now.Add(max(period, time.Second))
		for i := range r.ranks {
			if r.server.Phase(i) == pmi.Joined && !r.ranks[i].controlClosed {
				_ = r.tell(i, r.server.DumpRequest()) // a rank that cannot be told will not be heard either
			}
		}
		r.after(stallCollect, stallTime)
	}
	for i, old := range r.stalls.waits[s.Rank] {
		if sameWait(old, s) {
			r.stalls.waits[s.Rank][i] = s
			return
		}
	}
	r.stalls.waits[s.Rank] = append(r.stalls.waits[s.Rank], s)
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
	all := make([]stall.Rank, len(r.ranks))
	for i, rk := range r.ranks {
		all[i] = stall.Rank{Phase: r.server.Phase(i), Ended: rk.ended, Waits: r.stalls.waits[i]}
	}
	r.say("%s", stall.Report(all))
}
