package launch

import (
	"fmt"
	"os"
	"strings"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/pmi"
)

// Bind says which CPUs a rank may use.
type Bind int

// The policies.
const (
	BindAuto     Bind = iota // BindCore if there are cores enough, BindNone otherwise
	BindNone                 // all that the launcher may use
	BindCore                 // an equal share of whole cores, no core in two shares
	BindHWThread             // one hardware thread
)

// cores groups cpus by the core they belong to, in the order of each core's first CPU. siblings returns the list of
// hardware threads that share a core with a CPU, in the kernel's notation; where it knows nothing a CPU is a core.
func cores(cpus []int, siblings func(cpu int) string) [][]int {
	var groups [][]int
	index := map[string]int{}
	for _, cpu := range cpus {
		key := siblings(cpu)
		if key == "" {
			key = fmt.Sprint("cpu ", cpu)
		}
		i, known := index[key]
		if !known {
			i = len(groups)
			index[key] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], cpu)
	}
	return groups
}

func kernelSiblings(cpu int) string {
	text, err := os.ReadFile(fmt.Sprintf("/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// shares deals the groups (cores, or single hardware threads) out to n ranks: contiguous shares of equal size, and
// leftover groups stay free, so that no rank is faster than another. With fewer groups than ranks there is nothing
// to deal: nil.
func shares(policy Bind, groups [][]int, n int) [][]int {
	if policy == BindNone || n > len(groups) {
		return nil
	}
	each := len(groups) / n
	if policy == BindHWThread {
		each = 1
	}
	out := make([][]int, n)
	for rank := range out {
		for _, g := range groups[rank*each : (rank+1)*each] {
			out[rank] = append(out[rank], g...)
		}
	}
	return out
}

// bindings returns the CPUs of each of n ranks on this host, nil for no binding.
func bindings(policy Bind, n int, note func(format string, args ...any)) ([][]int, error) {
	if policy == BindNone {
		return nil, nil
	}
	cpus, err := clock.AllowedCPUs()
	if err != nil {
		return nil, err
	}
	groups, unit := cores(cpus, kernelSiblings), "cores"
	if policy == BindHWThread {
		groups, unit = cores(cpus, func(int) string { return "" }), "hardware threads"
	}
	out := shares(policy, groups, n)
	if out == nil && policy != BindAuto {
		note("%d ranks do not fit on %d %s, so none is bound", n, len(groups), unit)
	}
	return out, nil
}

// reportBindings says which CPUs the ranks have, and on which host where there are several.
func (c *crew) reportBindings(note func(format string, args ...any)) {
	where := ""
	if c.hosts > 1 {
		where = " on " + c.host
	}
	for local, rank := range c.ranks {
		if c.bound == nil {
			note("rank %d%s is not bound", rank, where)
		} else {
			note("rank %d%s is bound to CPUs %s", rank, where, pmi.FormatRanks(c.bound[local]))
		}
	}
}
