package launch

import (
	"fmt"
	"os"
	"strings"

	"github.com/weft-mpi/weft/internal/pmi"
	"golang.org/x/sys/unix"
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

// AllowedCPUs returns the CPUs this process may run on, in ascending order.
func AllowedCPUs() ([]int, error) {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return nil, fmt.Errorf("cannot read the CPU affinity: %w", err)
	}
	var cpus []int
	for cpu := 0; len(cpus) < set.Count(); cpu++ {
		if set.IsSet(cpu) {
			cpus = append(cpus, cpu)
		}
	}
	return cpus, nil
}

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

// bindings returns the CPUs of each rank, nil for no binding.
func (r *run) bindings() ([][]int, error) {
	if r.job.Bind == BindNone {
		return nil, nil
	}
	cpus, err := AllowedCPUs()
	if err != nil {
		return nil, err
	}
	groups, unit := cores(cpus, kernelSiblings), "cores"
	if r.job.Bind == BindHWThread {
		groups, unit = cores(cpus, func(int) string { return "" }), "hardware threads"
	}
	n := len(r.ranks)
	out := shares(r.job.Bind, groups, n)
	if out == nil && r.job.Bind != BindAuto {
		r.say("%d ranks do not fit on %d %s, so none is bound", n, len(groups), unit)
	}
	return out, nil
}

func (r *run) reportBindings(bound [][]int) {
	if !r.job.ReportBindings {
		return
	}
	for rank := range r.ranks {
		if bound == nil {
			r.say("rank %d is not bound", rank)
		} else {
			r.say("rank %d is bound to CPUs %s", rank, pmi.FormatRanks(bound[rank]))
		}
	}
}
