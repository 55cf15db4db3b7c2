package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/pmi"
)

// Where the kernel tells of processors and of nodes of memory.
const (
	cpuDir  = "/sys/devices/system/cpu"
	nodeDir = "/sys/devices/system/node"
)

// cpuFact counts the processors that a job may use, and names their kind.
func cpuFact() fact {
	cpus, err := clock.AllowedCPUs()
	if err != nil {
		return fact{Name: "CPUs", Value: err.Error()}
	}
	f := fact{Name: "CPUs", Value: fmt.Sprintf("%d (%s)", len(cpus), pmi.FormatRanks(cpus))}
	var cores []string // by the processors that share each
	for _, c := range cpus {
		if core := readWord(fmt.Sprintf("%s/cpu%d/topology/thread_siblings_list", cpuDir, c)); core != "" && !slices.Contains(cores, core) {
			cores = append(cores, core)
		}
	}
	if len(cores) > 0 && len(cores) < len(cpus) {
		f.Value += fmt.Sprintf(" on %d cores", len(cores))
	}
	if name := cpuName(readWord("/proc/cpuinfo")); name != "" {
		f.Value += ", " + name
	}
	if online := readWord(cpuDir + "/online"); online != "" && online != pmi.FormatRanks(cpus) {
		f.Note = "of " + online + " on this host"
	}
	return f
}

// cpuName is the kind of processor by what /proc/cpuinfo says, "" if it does not.
func cpuName(text string) string {
	for line := range strings.Lines(text) {
		if name, value, found := strings.Cut(line, ":"); found && strings.TrimSpace(name) == "model name" {
			return strings.Join(strings.Fields(value), " ")
		}
	}
	return ""
}

// cacheFact tells the caches of the first processor that a job may use, and how many processors share each.
func cacheFact() fact {
	f := fact{Name: "caches", Value: "the kernel does not tell"}
	cpus, err := clock.AllowedCPUs()
	if err != nil || len(cpus) == 0 {
		return f
	}
	dirs, _ := filepath.Glob(fmt.Sprintf("%s/cpu%d/cache/index*", cpuDir, cpus[0]))
	var caches []string
	for _, dir := range dirs {
		level, kind, size := readWord(dir+"/level"), readWord(dir+"/type"), readWord(dir+"/size")
		if kind == "Instruction" || size == "" {
			continue
		}
		text := "L" + level + " " + cacheSize(size)
		if shared := listLength(readWord(dir + "/shared_cpu_list")); shared > 1 {
			text += fmt.Sprintf(" for %d CPUs", shared)
		}
		caches = append(caches, text)
	}
	if caches != nil {
		f.Value = strings.Join(caches, ", ")
	}
	return f
}

// cacheSize writes 32768K as 32 MB.
func cacheSize(text string) string {
	n, err := strconv.ParseUint(strings.TrimSuffix(text, "K"), 10, 40)
	if err != nil {
		return text
	}
	return sizeText(n << 10)
}

// listLength counts what a list of the kernel has, such as 0-3,8.
func listLength(list string) (n int) {
	for part := range strings.SplitSeq(list, ",") {
		low, high, isRange := strings.Cut(part, "-")
		if !isRange {
			high = low
		}
		a, err1 := strconv.Atoi(low)
		b, err2 := strconv.Atoi(high)
		if err1 == nil && err2 == nil && b >= a {
			n += b - a + 1
		}
	}
	return n
}

// nodeFact tells the nodes of memory, and which processors are near each.
func nodeFact() fact {
	dirs, _ := filepath.Glob(nodeDir + "/node[0-9]*")
	if len(dirs) < 2 {
		return fact{Name: "memory nodes", Value: "1"}
	}
	var near []string
	for _, dir := range dirs {
		near = append(near, fmt.Sprintf("%s: CPUs %s", strings.TrimPrefix(filepath.Base(dir), "node"), readWord(dir+"/cpulist")))
	}
	return fact{Name: "memory nodes", Value: fmt.Sprintf("%d (%s)", len(dirs), strings.Join(near, "; "))}
}

// hugePages tells when the kernel makes pages huge.
func hugePages() string {
	_, rest, found := strings.Cut(readWord("/sys/kernel/mm/transparent_hugepage/enabled"), "[")
	how, _, _ := strings.Cut(rest, "]")
	if !found {
		return ""
	}
	return map[string]string{"always": ", huge ones wherever they fit", "madvise": ", huge ones where a program asks", "never": ", never huge"}[how]
}
