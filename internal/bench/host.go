package bench

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
)

// Host is what a reader must know about the machine to judge a number.
type Host struct {
	Name       string     `json:"name"`
	CPU        string     `json:"cpu"`
	CPUs       int        `json:"cpus"` // usable by this process
	Kernel     string     `json:"kernel"`
	Go         string     `json:"go"`
	LoadBefore [3]float64 `json:"load_before"` // 1, 5 and 15 minutes
	LoadAfter  [3]float64 `json:"load_after"`
	Busy       bool       `json:"busy"` // others used much of the CPUs when the measurement began
}

// Observe reads the facts of this host and its load now. What cannot be read stays empty: a missing fact is no
// reason not to measure.
func Observe() Host {
	name, _ := os.Hostname()
	h := Host{
		Name:       name,
		CPU:        cpuModel(readText("/proc/cpuinfo")),
		CPUs:       runtime.NumCPU(),
		Kernel:     strings.TrimSpace(readText("/proc/sys/kernel/osrelease")),
		Go:         runtime.Version(),
		LoadBefore: parseLoad(readText("/proc/loadavg")),
	}
	h.Busy = h.LoadBefore[0] > busyShare*float64(h.CPUs)
	return h
}

// busyShare is the load per CPU, before we add our own, above which numbers are not to be trusted.
const busyShare = 0.5

// Warning returns a line about a busy host, or nothing.
func (h Host) Warning() string {
	if !h.Busy {
		return ""
	}
	return fmt.Sprintf("this host was busy before the start (load average %.2f on %d CPUs): the numbers include the work of others",
		h.LoadBefore[0], h.CPUs)
}

// Done records the load at the end of the measurement.
func (h *Host) Done() { h.LoadAfter = parseLoad(readText("/proc/loadavg")) }

func readText(path string) string {
	b, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return string(b)
}

func cpuModel(cpuinfo string) string {
	for line := range strings.Lines(cpuinfo) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

func parseLoad(text string) (load [3]float64) {
	fields := strings.Fields(text)
	for i := range load {
		if i >= len(fields) {
			break
		}
		if v, err := strconv.ParseFloat(fields[i], 64); err == nil && v >= 0 {
			load[i] = v
		}
	}
	return load
}
