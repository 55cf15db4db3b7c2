package live

import (
	"time"

	"github.com/weft-mpi/weft/internal/pmi"
	"github.com/weft-mpi/weft/internal/stall"
)

// Job is a job at one moment.
type Job struct {
	Time     time.Time `json:"time"`
	Pid      int       `json:"pid"` // of the launcher: the number of the job
	Host     string    `json:"host"`
	Programs []string  `json:"programs"` // command lines
	Started  time.Time `json:"started"`
	Ending   bool      `json:"ending,omitempty"`  // it is being ended
	Recover  bool      `json:"recover,omitempty"` // it goes on without ranks that die
	Deaths   int       `json:"deaths"`            // ranks that have died, and the others went on
	Stalls   int       `json:"stalls"`            // reports of a stall so far
	Launcher Launcher  `json:"launcher"`
	Ranks    []Rank    `json:"ranks"`
}

// Launcher is what the launcher itself takes.
type Launcher struct {
	Version    string  `json:"version"`
	Memory     uint64  `json:"memory"`      // bytes that are there
	CPUSeconds float64 `json:"cpu_seconds"` // processor time so far
	Questions  int     `json:"questions"`   // it has asked its ranks so often
}

// State is how far a rank has come.
type State string

// The states.
const (
	Starting State = "starting" // it has not called Init
	Running  State = "running"
	Finished State = "finished" // it is through Finalize and still runs
	Ended    State = "ended"    // its process has ended
)

// Rank is one process of a job.
type Rank struct {
	Rank  int    `json:"rank"`
	Host  string `json:"host"`
	Pid   int    `json:"pid"` // on its host; 0: not started
	State State  `json:"state"`
	Code  *int   `json:"code,omitempty"` // exit code, once it has ended

	// Age is how old the numbers are, in seconds; nil if the rank has never told any. Silent says that it did not
	// answer this time.
	Age    *float64          `json:"age,omitempty"`
	Silent bool              `json:"silent,omitempty"`
	Up     float64           `json:"up,omitempty"` // seconds since Init, when the numbers were read
	Waits  []Wait            `json:"waits,omitempty"`
	Counts map[string]uint64 `json:"counts,omitempty"`
}

// Wait is one call that waits: a pmi.Stall in JSON.
type Wait struct {
	Op      string      `json:"op"`
	Comm    string      `json:"comm"`
	Call    *int        `json:"call,omitempty"` // number of the collective on its communicator
	Peer    *int        `json:"peer,omitempty"` // world rank; -1: any
	Tag     *int        `json:"tag,omitempty"`  // negative: any
	Bytes   int64       `json:"bytes"`
	Seconds float64     `json:"seconds"`
	Site    string      `json:"site,omitempty"`
	Members string      `json:"members,omitempty"` // world ranks of the communicator, as 0-3,8
	Unasked []pmi.Lying `json:"unasked,omitempty"` // messages that have come and that nobody asks for
	More    int         `json:"more,omitempty"`    // and how many more there are
}

// WaitOf is a pmi.Stall as a Wait.
func WaitOf(s pmi.Stall) Wait {
	w := Wait{Op: s.Op, Comm: s.Comm, Bytes: s.Bytes, Seconds: s.Seconds, Site: s.Site, Members: pmi.FormatRanks(s.Members),
		Unasked: s.Lying, More: s.More}
	if s.Seq != pmi.NoSeq {
		w.Call = &s.Seq
	}
	if s.Peer != pmi.NoPeer {
		w.Peer, w.Tag = &s.Peer, &s.Tag
	}
	return w
}

// stall is the Wait of a rank as a pmi.Stall, in a job of size ranks.
func (w *Wait) stall(rank, size int) pmi.Stall {
	s := pmi.Stall{Rank: rank, Op: w.Op, Comm: w.Comm, Seq: pmi.NoSeq, Peer: pmi.NoPeer, Bytes: w.Bytes, Seconds: w.Seconds, Site: w.Site,
		Lying: w.Unasked, More: w.More}
	s.Members, _ = pmi.ParseRanks(w.Members, size) // a launcher that writes nonsense is shown without
	if w.Call != nil {
		s.Seq = *w.Call
	}
	if w.Peer != nil && *w.Peer < size {
		s.Peer = max(*w.Peer, pmi.AnyPeer)
	}
	if w.Tag != nil {
		s.Tag = *w.Tag
	}
	return s
}

// phases are the states in the words of the control protocol.
var phases = map[State]pmi.Phase{Starting: pmi.Silent, Running: pmi.Joined, Finished: pmi.Finalised, Ended: pmi.Joined}

// stalls is the job as a report of who waits for whom wants it.
func (j *Job) stalls() []stall.Rank {
	all := make([]stall.Rank, len(j.Ranks))
	for i := range j.Ranks {
		r := &j.Ranks[i]
		all[i] = stall.Rank{Phase: phases[r.State], Ended: r.State == Ended}
		for k := range r.Waits {
			w := r.Waits[k].stall(i, len(j.Ranks))
			for _, m := range w.Lying {
				if m.Peer < 0 || m.Peer >= len(j.Ranks) {
					w.Lying = nil
				}
			}
			all[i].Waits = append(all[i].Waits, w)
		}
	}
	return all
}

// count is how many ranks are in a state.
func (j *Job) count(s State) (n int) {
	for _, r := range j.Ranks {
		if r.State == s {
			n++
		}
	}
	return n
}
