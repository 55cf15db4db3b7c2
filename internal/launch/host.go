package launch

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/weft-mpi/weft/internal/launch/frame"
	"github.com/weft-mpi/weft/internal/launch/hosts"
	"github.com/weft-mpi/weft/internal/pmi"
	"github.com/weft-mpi/weft/internal/stall"
	"golang.org/x/sys/unix"
)

// host is one machine of the job as the loop sees it: this one, with a crew, or another, with a link to its agent.
type host struct {
	at    hosts.Host
	node  int    // its number in the job
	name  string // for messages and for its ranks
	ranks []int  // in the order of their local ranks

	crew *crew // nil for another host, and before the start
	link *link // nil for this host, and before it is connected
	away bool  // another host
	lost bool  // its agent is gone, and its ranks with it

	via    *host         // whose agent starts this one's; nil if the launcher does
	up     chan struct{} // closed when its agent can start others
	barren atomic.Bool   // it cannot
}

// hostsOf groups the ranks by host. Everything that is this host is one host, whatever names the user gave it.
func hostsOf(job *Job, self string) []*host {
	if len(job.Hosts) == 0 {
		h := &host{name: self}
		for i := range job.size() {
			h.ranks = append(h.ranks, i)
		}
		return []*host{h}
	}
	here := make([]bool, len(job.Hosts))
	for i, at := range job.Hosts {
		here[i] = hosts.Here(at.Name)
	}
	var all []*host
	known := map[int]*host{}
	var own *host
	for rank, i := range job.Node {
		h := known[i]
		if h == nil && here[i] {
			h = own
		}
		if h == nil {
			h = &host{at: job.Hosts[i], node: len(all), name: job.Hosts[i].Name, away: !here[i], up: make(chan struct{})}
			if here[i] {
				own, h.name = h, self
			}
			all = append(all, h)
		}
		known[i] = h
		h.ranks = append(h.ranks, rank)
	}
	return all
}

// nodes returns the number of the host of each rank.
func nodes(all []*host, size int) []int {
	node := make([]int, size)
	for _, h := range all {
		for _, rank := range h.ranks {
			node[rank] = h.node
		}
	}
	return node
}

// signal signals the process groups of the host's ranks.
func (h *host) signal(sig unix.Signal) {
	switch {
	case h.crew != nil:
		h.crew.signal(sig)
	case h.link != nil && !h.lost:
		h.link.put(&frame.Signal{Rank: frame.Everyone, Signal: int(sig)})
	}
}

// signalAlone signals the ranks and not their children.
func (h *host) signalAlone(sig unix.Signal) {
	switch {
	case h.crew != nil:
		h.crew.signalAlone(sig)
	case h.link != nil && !h.lost:
		h.link.put(&frame.Signal{Rank: frame.Everyone, Signal: int(sig), Alone: true})
	}
}

// signalRank signals the process group of one rank.
func (h *host) signalRank(rk *rank, sig unix.Signal) {
	switch {
	case h.crew != nil:
		h.crew.signalOne(rk.local, sig)
	case h.link != nil && !h.lost:
		h.link.put(&frame.Signal{Rank: rk.number, Signal: int(sig)})
	}
}

// tell sends a line to one of the host's ranks, without waiting.
func (h *host) tell(rk *rank, m pmi.Message) error {
	line, err := pmi.AppendMessage(nil, m)
	switch {
	case err != nil:
		return err
	case h.crew != nil:
		return h.crew.tell(rk.local, line)
	case h.link != nil && !h.lost:
		h.link.put(&frame.Data{Rank: rk.number, Stream: frame.Control, Data: line})
	}
	return nil
}

// pauseHosts tells the agents that the launcher will be stopped and silent, or is back.
func (r *run) pauseHosts(on bool) {
	for _, h := range r.hosts {
		if h.link != nil && !h.lost {
			h.link.put(&frame.Pause{On: on})
			h.link.pause(on)
		}
	}
	// What a host is told passes through those that lead to it, which come before it.
	for _, h := range slices.Backward(r.hosts) {
		if on && h.link != nil && !h.lost {
			h.link.out.flush(300 * time.Millisecond)
		}
	}
}

// onHostEnded ends the job because a host is gone, or its agent, and with it those that were reached through it: nobody
// can tell what their ranks do now. The agents, if they live, end them for the same reason. A job that survives goes on
// without them.
func (r *run) onHostEnded(h *host, cause error) {
	if h.lost {
		return
	}
	left := r.lose(h)
	var below []string // hosts with ranks that have not ended
	var theirs []int
	for _, b := range r.hosts {
		if !b.lost && b.link != nil && b.isBelow(h) {
			if ranks := r.lose(b); len(ranks) > 0 {
				below, theirs = append(below, b.name), append(theirs, ranks...)
			}
		}
	}
	if len(left)+len(theirs) > 0 {
		text := fmt.Sprintf("host %s %v", h.name, cause)
		if len(left) > 0 {
			text += fmt.Sprintf("; %s %s there", stall.RankList(left), wasWere(left))
		}
		if len(below) > 0 {
			slices.Sort(theirs)
			text += fmt.Sprintf("; through it went the %s to %s, with %s",
				connections(len(below)), strings.Join(below, ", "), stall.RankList(theirs))
		}
		r.sayOfHost(h, "%s", text)
		if !r.survives() {
			r.end(CodeHostLost, unix.SIGTERM, r.job.CrashGrace)
		}
	}
	r.settle()
}

func connections(n int) string {
	if n == 1 {
		return "connection"
	}
	return "connections"
}

// lose takes note that a host is lost and returns its ranks that had not ended.
func (r *run) lose(h *host) []int {
	h.lost = true
	h.link.abandon()
	return r.markEnded(h, status{lost: true}, false)
}

func wasWere(ranks []int) string {
	if len(ranks) == 1 {
		return "was"
	}
	return "were"
}

// markEnded takes the host's ranks that have not ended as ended with s: all of them, or only those that never started.
func (r *run) markEnded(h *host, s status, unstarted bool) (marked []int) {
	for _, i := range h.ranks {
		rk := r.ranks[i]
		if rk.ended || unstarted && rk.pid != 0 {
			continue
		}
		marked = append(marked, i)
		r.noteExit(i, s)
	}
	return marked
}

// onStartFailed ends the job because a host could not start a rank, or none of its ranks.
func (r *run) onStartFailed(h *host, err *StartError) {
	if r.startErr == nil {
		r.startErr = err
	}
	for _, i := range r.markEnded(h, status{code: err.Code}, true) {
		h.link.closeStreams(i)
	}
	r.end(err.Code, unix.SIGTERM, r.job.CrashGrace)
	r.settle()
}

// lostAfter says how long a host was silent.
type lostAfter time.Duration

func (d lostAfter) Error() string { return fmt.Sprintf("has been silent for %v", time.Duration(d)) }
