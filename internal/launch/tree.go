package launch

import "math"

// Agents are started from the launcher's host while those are few, and otherwise by each other, as a tree whose root is
// the launcher. A host that is reached through another has a link of its own all the same, which passes through the
// other's (link.reach, hops): whoever talks to an agent does not know where it was started.

// Star as Job.FanOut has all agents started from the launcher's host.
const Star = -1

// starMax is up to how many other hosts the launcher starts all agents itself, unless it is told otherwise.
const starMax = 32

// fanOut is how many agents a host starts, the launcher's included, if there are so many other hosts. By default the
// tree is two levels deep. A scheduler's starter works only where the launcher is. A job that survives a host shall not
// lose others with it.
func (j *Job) fanOut(others int) int {
	switch {
	case j.Starter != nil || j.FanOut == Star:
		return others
	case j.FanOut > 0:
		return j.FanOut
	case others <= starMax || j.Recover:
		return others
	}
	return int(math.Ceil(math.Sqrt(float64(others))))
}

// plant says who starts whose agent: those that come earlier start those that come later, level by level.
func plant(all []*host, fanOut func(others int) int) {
	var away []*host
	for _, h := range all {
		if h.away {
			away = append(away, h)
		}
	}
	width := fanOut(len(away))
	for i, h := range away {
		if i >= width {
			h.via = away[i/width-1]
		}
	}
}

// isBelow tells whether what is said to h passes through other.
func (h *host) isBelow(other *host) bool {
	for v := h.via; v != nil; v = v.via {
		if v == other {
			return true
		}
	}
	return false
}
