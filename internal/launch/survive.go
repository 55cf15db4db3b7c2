package launch

import (
	"github.com/weft-mpi/weft/internal/council"
	"github.com/weft-mpi/weft/internal/pmi"
	"golang.org/x/sys/unix"
)

// A job with Recover goes on without ranks that die, as soon as all ranks have said that they can live with that. The
// others are told of every death, and what they agree on is decided here: nobody else outlives them all.

// survivors is what the loop knows of a job that goes on.
type survivors struct {
	council *council.Council // nil if the job ends with the first rank that dies
	deaths  int
	code    int // of the first rank that was killed or lost: the job's, should nobody end well
}

func (s *survivors) init(job *Job) {
	if job.Recover {
		s.council = council.New(job.size())
	}
}

// survives tells whether the others go on if rank i ends as it has.
func (r *run) survives() bool {
	return r.survivors.council != nil && r.server.AllUp() && !r.ending.active
}

// bury has the job go on without rank i. A rank that was killed, or lost with its host, leaves no code if others end
// well; one that has ended itself has a reason, and its code is the job's.
func (r *run) bury(i int, v verdict) {
	rk := r.ranks[i]
	r.survivors.deaths++
	if !rk.status.lost { // which was said of the host
		why := "and the others go on"
		if v.why != "" {
			why = v.why + ", " + why
		}
		r.mourn(i, why, rk.status.signal == 0)
	}
	if r.survivors.code == 0 {
		r.survivors.code = v.code
	}
	if rk.status.signal == 0 && !rk.status.lost {
		r.ending.note(v.code)
	}
	r.forgo(i)
}

// forgo has nobody wait for rank i any more: it is dead, or has ended.
func (r *run) forgo(i int) {
	if r.survivors.council == nil || r.survivors.council.Dead(i) {
		return
	}
	if r.server.Phase(i) == pmi.Joined { // else nobody misses it
		for other, rk := range r.ranks {
			if other != i && !rk.ended {
				r.notify(other, pmi.DeadMessage(i))
			}
		}
	}
	r.announce(r.survivors.council.Bury(i))
	for _, reply := range r.server.Bury(i).Replies {
		r.notify(reply.Rank, reply.Message)
	}
}

// notify tells a rank something that it need not hear: if it cannot be told, its own end follows.
func (r *run) notify(i int, m pmi.Message) {
	if err := r.tell(i, m); err != nil {
		r.blame(i, err)
	}
}

// announce tells ranks what they have agreed on.
func (r *run) announce(all []council.Answer) {
	for _, a := range all {
		r.notify(a.To, pmi.WordMessage(pmi.Word(a.Word)))
	}
}

// onBallot lets the council decide.
func (r *run) onBallot(i int, b pmi.Ballot) {
	all, err := r.survivors.council.Vote(i, council.Ballot(b))
	if err != nil {
		r.blame(i, err)
		return
	}
	r.announce(all)
}

// onRevocation tells all members that live.
func (r *run) onRevocation(v pmi.Revocation) {
	for _, m := range v.Members {
		if !r.ranks[m].ended && r.server.Phase(m) == pmi.Joined {
			r.notify(m, pmi.RevokedMessage(v.Comm))
		}
	}
}

// kill ends the process group of rank i.
func (r *run) kill(i int) { r.ranks[i].host.signalRank(r.ranks[i], unix.SIGKILL) }

// lastCode sets the exit code of a job that has lost ranks and has no other: 0 if a rank has ended well.
func (r *run) lastCode() {
	for i, rk := range r.ranks {
		if rk.status.exitCode() == 0 && r.server.Phase(i) == pmi.Finalised {
			return
		}
	}
	r.ending.note(r.survivors.code)
}
