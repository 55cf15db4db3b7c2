// Package tune owns the tunables: their names, defaults, meaning, and where a value came from.
//
// It promises that a value it hands out has been checked, and that a bad one is an error which names the
// variable, the value and what would be right. It keeps no state: Read makes settings from an environment.
package tune

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Info describes one tunable with its value in some environment.
type Info struct {
	Name    string // environment variable
	Value   string
	Default string
	Origin  string // "default" or "environment"
	Alike   bool   // all ranks of a job must have the same
	Text    string
}

// Settings are the tunables of a process.
type Settings struct {
	Stall    time.Duration // 0: never report
	Check    string        // "on", "off", "auto"
	Progress string        // "auto", "poll", "wake"
	Wait     string        // "hybrid", "spin", "park"
	EagerMax int           // 0: the link decides
	CMA      bool
	Help     string // "on", "off", "auto"
	Arena    int
	Bsend    int
	// Unexpected is how many bytes messages without a receive may take; 0: any number.
	Unexpected int
	Coll       string
	Machine    string
	Net        Net
	Spec       Spec
	Window     Window
	Node       Node
	Report     string // directory for a report per rank, "" for none
	Arrivals   string // file for the profile of arrivals, "" for none

	infos []Info
}

// tunable is one row of the table: how to check a value and where to put it.
type tunable struct {
	name, fallback, text string
	set                  func(*Settings, string) error
}

var table = []tunable{
	{"WEFT_STALL", "60s", "report who waits for what after waiting this long; 0 never does", func(s *Settings, v string) (err error) {
		s.Stall, err = parseDuration(v)
		return err
	}},
	{"WEFT_CHECK", "auto", "compare every collective call with the neighbour rank's: on, off, auto (on in test binaries)", func(s *Settings, v string) error {
		return choice(&s.Check, v, "on", "off", "auto")
	}},
	{"WEFT_PROGRESS", "auto", "who makes progress while the program computes: auto, wake (a goroutine, at once), poll (nobody)", func(s *Settings, v string) error {
		return choice(&s.Progress, v, "auto", "poll", "wake")
	}},
	{"WEFT_WAIT", "hybrid", "how to wait: hybrid (poll, yield, sleep), spin (never sleep), park (sleep at once)", func(s *Settings, v string) error {
		return choice(&s.Wait, v, "hybrid", "spin", "park")
	}},
	{"WEFT_EAGER_MAX", "0", "longest message in bytes that is copied through shared memory; 0 lets the link decide", func(s *Settings, v string) (err error) {
		s.EagerMax, err = parseBytes(v, 16<<20)
		return err
	}},
	{"WEFT_CMA", "on", "move long messages by one copy between processes where the kernel allows it: on, off", func(s *Settings, v string) error {
		var word string
		err := choice(&word, v, "on", "off")
		s.CMA = word == "on"
		return err
	}},
	{"WEFT_HELP", "auto", "a waiting sender copies half of its long message: on, off, auto (off when ranks outnumber processors)", func(s *Settings, v string) error {
		return choice(&s.Help, v, "on", "off", "auto")
	}},
	{"WEFT_ARENA", "1G", "shared memory per rank that mpi.Alloc can hand out; only touched pages cost memory", func(s *Settings, v string) (err error) {
		s.Arena, err = parseBytes(v, 1<<44)
		return err
	}},
	{"WEFT_BSEND", "256M", "bytes of buffered sends that may be on their way at a time", func(s *Settings, v string) (err error) {
		s.Bsend, err = parseBytes(v, 1<<44)
		return err
	}},
	{"WEFT_UNEXPECTED", "256M", "memory of a rank for messages that no receive asks for; beyond it, senders keep their messages and offer them (their sends end when they are received); 0: no limit", func(s *Settings, v string) (err error) {
		s.Unexpected, err = parseBytes(v, 1<<44)
		return err
	}},
	{"WEFT_COLL", "", "rules that choose collective algorithms before the built-in ones; see docs/collectives.md", func(s *Settings, v string) error {
		s.Coll = v
		return nil
	}},
	{"WEFT_MACHINE", "", "what messages, copies and flags cost here, by which collective algorithms are chosen: name=value,... or @FILE as weft tune writes it; empty: as on a usual host; see docs/collectives.md", func(s *Settings, v string) error {
		s.Machine = v
		return nil
	}},
	{"WEFT_ARRIVALS", "", "file where rank 0 writes when each rank came to each collective call, for weft profile; empty: nowhere", func(s *Settings, v string) error {
		if v != "" && !strings.HasPrefix(v, "/") {
			return errors.New("must be the full path of a file, because rank 0 may run elsewhere")
		}
		s.Arrivals = v
		return nil
	}},
	{"WEFT_REPORT", "", "directory where every rank leaves its counters, rank-N.json, when it ends; empty: nowhere", func(s *Settings, v string) error {
		if v != "" && !strings.HasPrefix(v, "/") {
			return errors.New("must be the full path of a directory, because ranks may run in others")
		}
		s.Report = v
		return nil
	}},
}

func init() { table = append(table, netTable...) }

// alike are the tunables by which ranks decide together without talking, or that say how they talk:
// Init fails if ranks differ in one. All others may differ from host to host.
var alike = []string{
	"WEFT_CHECK", "WEFT_COLL", "WEFT_MACHINE", "WEFT_ARRIVALS", "WEFT_LINKS", "WEFT_CHANNEL", "WEFT_STRIPE", "WEFT_VBUF", "WEFT_RMA_MEET",
	"WEFT_COLL_NODE", "WEFT_COLL_SCHEME", "WEFT_COLL_SLIPS", "WEFT_NODES",
}

// reserved are the variables that a launcher or weft awake sets; they are not tunables.
var reserved = []string{
	"WEFT_LAUNCHER", "WEFT_RANK", "WEFT_SIZE", "WEFT_LOCAL_RANK", "WEFT_LOCAL_SIZE", "WEFT_LOCAL_CPUS", "WEFT_JOB", "WEFT_SHM_FD",
	"WEFT_LOCAL_RANKS", "WEFT_HOSTS", "WEFT_NODE", "WEFT_HOST", "WEFT_SSH", "WEFT_AWAKE",
}

// ErrBad is the class of all errors from Read.
var ErrBad = errors.New("bad setting")

// Read takes the settings out of an environment in the form of os.Environ. Unknown WEFT_ names come back
// as well, so that a caller can warn of a misspelt one.
func Read(environ []string) (s *Settings, unknown []string, err error) {
	s = &Settings{}
	given := make(map[string]string)
	for _, e := range environ {
		name, value, _ := strings.Cut(e, "=")
		if strings.HasPrefix(name, "WEFT_") {
			given[name] = value
		}
	}
	var bad []error
	for _, t := range table {
		info := Info{Name: t.name, Value: t.fallback, Default: t.fallback, Origin: "default", Alike: slices.Contains(alike, t.name), Text: t.text}
		if v, ok := given[t.name]; ok {
			info.Value, info.Origin = v, "environment"
			delete(given, t.name)
		}
		if err := t.set(s, info.Value); err != nil {
			bad = append(bad, fmt.Errorf("%w: %s=%q: %w (default %q: %s)", ErrBad, t.name, info.Value, err, t.fallback, t.text))
		}
		s.infos = append(s.infos, info)
	}
	for name := range given {
		if !slices.Contains(reserved, name) {
			unknown = append(unknown, name)
		}
	}
	slices.Sort(unknown)
	return s, unknown, errors.Join(bad...)
}

// All returns every tunable with its value and origin, in the table's order.
func (s *Settings) All() []Info { return slices.Clone(s.infos) }

// Alike returns the tunables that all ranks of a job must have the same value of.
func (s *Settings) Alike() []Info {
	return slices.DeleteFunc(s.All(), func(i Info) bool { return !i.Alike })
}

func choice(dst *string, v string, words ...string) error {
	if !slices.Contains(words, v) {
		return fmt.Errorf("must be one of %s", strings.Join(words, ", "))
	}
	*dst = v
	return nil
}

// longestTime bounds settings that are times, so that they can be added to a moment and to each other.
const longestTime = 1e8 * time.Second

// parseDuration takes Go's form ("90s", "2m") or a plain number of seconds.
func parseDuration(v string) (time.Duration, error) {
	if n, err := strconv.ParseFloat(v, 64); err == nil && n >= 0 && n <= longestTime.Seconds() {
		return time.Duration(n * float64(time.Second)), nil
	}
	d, err := time.ParseDuration(v)
	if err != nil || d < 0 || d > longestTime {
		return 0, errors.New("must be a time such as 90s, 2m or 0")
	}
	return d, nil
}

// parseBytes takes a number of bytes with an optional K, M or G (powers of 1024).
func parseBytes(v string, most int) (int, error) {
	digits := strings.TrimRight(v, "kKmMgGiB")
	shift, ok := map[string]int{"": 0, "K": 10, "M": 20, "G": 30, "KIB": 10, "MIB": 20, "GIB": 30, "B": 0}[strings.ToUpper(v[len(digits):])]
	n, err := strconv.ParseUint(digits, 10, 62)
	if err != nil || !ok || n > uint64(most)>>shift {
		return 0, fmt.Errorf("must be a number of bytes up to %d, such as 65536, 64K or 1G", most)
	}
	return int(n << shift), nil
}
