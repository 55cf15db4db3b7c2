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
	Busy       bool       `json:"busy"`   // others used much of the CPUs when the measurement began
	Stolen     float64    `json:"stolen"` // share of the CPUs' time that the machine below gave to others meanwhile; 0 unless this is a virtual one

	ticks ticks // at the beginning
}

// ticks are what /proc/stat counts of all CPUs' time.
type ticks struct{ all, stolen uint64 }

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
		ticks:      parseTicks(readText("/proc/stat")),
	}
	h.Busy = h.busy()
	return h
}

const (
	busyShare   = 0.5  // load per CPU, before we add our own, above which numbers are not to be trusted
	stolenShare = 0.05 // likewise of the CPUs' time that others had
)

// busy tells whether others used much of the CPUs when the measurement began.
func (h Host) busy() bool { return h.LoadBefore[0] > busyShare*float64(h.CPUs) }

// Warning returns a line about a busy host, or nothing.
func (h Host) Warning() string {
	var warnings []string
	if h.Busy {
		warnings = append(warnings, fmt.Sprintf("this host was busy before the start (load average %.2f on %d CPUs): the numbers include the work of others",
			h.LoadBefore[0], h.CPUs))
	}
	if h.Stolen > stolenShare {
		warnings = append(warnings, fmt.Sprintf("other guests of the machine below this virtual one had %.0f%% of its CPUs' time: repeat it in a quieter hour",
			100*h.Stolen))
	}
	return strings.Join(warnings, "; ")
}

// Load tells how busy the host was, in words.
func (h Host) Load() string {
	text := fmt.Sprintf("load average %.2f before, %.2f after", h.LoadBefore[0], h.LoadAfter[0])
	if h.Stolen >= 0.005 {
		text += fmt.Sprintf(", %.0f%% of the CPUs' time stolen by other guests", 100*h.Stolen)
	}
	return text
}

// Done records the load at the end of the measurement, and what was stolen during it.
func (h *Host) Done() {
	h.LoadAfter = parseLoad(readText("/proc/loadavg"))
	h.Stolen = h.ticks.stolenUntil(parseTicks(readText("/proc/stat")))
}

func (t ticks) stolenUntil(end ticks) float64 {
	if end.all <= t.all || end.stolen <= t.stolen {
		return 0
	}
	return min(1, float64(end.stolen-t.stolen)/float64(end.all-t.all))
}

// parseTicks reads the first line of /proc/stat, of which proc(5) tells: "cpu", then user, nice, system,
// idle, iowait, irq, softirq and steal. A kernel that does not count what is stolen has fewer.
func parseTicks(text string) (t ticks) {
	line, _, _ := strings.Cut(text, "\n")
	fields := strings.Fields(line)
	if len(fields) < 9 || fields[0] != "cpu" {
		return ticks{}
	}
	for i, field := range fields[1:9] {
		v, err := strconv.ParseUint(field, 10, 56) // so that no sum overflows
		if err != nil {
			return ticks{}
		}
		t.all += v
		if i == 7 {
			t.stolen = v
		}
	}
	return t
}

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
