package model

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Machine describes nodes, their processors and what is between them. Times are in nanoseconds.
type Machine struct {
	Step   float64 // processor time of a step of a plan
	Copy   float64 // per byte that one rank copies
	Lanes  float64 // copies of a node that run side by side at full speed
	Reduce float64 // per byte that one rank combines
	Flag   float64 // until a rank sees the flag that another one has raised
	Fetch  float64 // processor time to begin a copy from another rank's memory
	Turn   float64 // until the next rank runs where ranks share processors

	Near     float64 // processor time of a message within a node, at each end
	NearWay  float64 // until it is there
	NearLong float64 // bytes up to which it is copied through shared memory; longer ones are fetched
	Help     float64 // ranks that copy a longer one together, where they have a processor each

	Far     float64 // processor time of a message between nodes, at each end
	FarWay  float64 // until it is there
	FarGap  float64 // for which a node's rail is busy with a message, besides its bytes
	Byte    float64 // per byte on a rail, in one direction
	Both    float64 // per byte on a rail, counting both directions
	Touch   float64 // processor time per byte between nodes, at each end
	FarLong float64 // bytes up to which a message between nodes goes without being asked for
}

// number is one of the numbers of a Machine.
type number struct {
	Name, Unit, Text string
	of               func(*Machine) *float64
	divides          bool // it must not be 0
}

// numbers are all numbers of a machine, in the order in which they are shown.
var numbers = []number{
	{"step", "ns", "processor time of a step of a plan", func(m *Machine) *float64 { return &m.Step }, false},
	{"copy", "ns/KB", "processor time to copy 1024 bytes", func(m *Machine) *float64 { return &m.Copy }, false},
	{"lanes", "", "copies of a node that run side by side at full speed", func(m *Machine) *float64 { return &m.Lanes }, true},
	{"reduce", "ns/KB", "processor time to combine 1024 bytes", func(m *Machine) *float64 { return &m.Reduce }, false},
	{"flag", "ns", "until a rank sees what another one of its node has raised", func(m *Machine) *float64 { return &m.Flag }, false},
	{"fetch", "ns", "processor time to begin a copy from another rank's memory", func(m *Machine) *float64 { return &m.Fetch }, false},
	{"turn", "ns", "until the next rank runs, where ranks share processors", func(m *Machine) *float64 { return &m.Turn }, false},
	{"near", "ns", "processor time of a message within a node, at each end", func(m *Machine) *float64 { return &m.Near }, false},
	{"near_way", "ns", "until it is there", func(m *Machine) *float64 { return &m.NearWay }, false},
	{"near_long", "bytes", "longest one that is copied twice, through shared memory", func(m *Machine) *float64 { return &m.NearLong }, false},
	{"help", "", "ranks that copy a longer one together, where each has a processor", func(m *Machine) *float64 { return &m.Help }, true},
	{"far", "ns", "processor time of a message between nodes, at each end", func(m *Machine) *float64 { return &m.Far }, false},
	{"far_way", "ns", "until it is there", func(m *Machine) *float64 { return &m.FarWay }, false},
	{"far_gap", "ns", "for which it occupies a rail of its node, besides its bytes", func(m *Machine) *float64 { return &m.FarGap }, false},
	{"byte", "ns/KB", "time of 1024 bytes on a rail, in one direction", func(m *Machine) *float64 { return &m.Byte }, false},
	{"both", "ns/KB", "likewise, counting both directions", func(m *Machine) *float64 { return &m.Both }, false},
	{"touch", "ns/KB", "processor time of 1024 bytes between nodes, at each end", func(m *Machine) *float64 { return &m.Touch }, false},
	{"far_long", "bytes", "longest message between nodes that goes without being asked for", func(m *Machine) *float64 { return &m.FarLong }, false},
}

// ErrMachine is the class of errors about the text of a machine.
var ErrMachine = errors.New("this does not describe a machine")

// perKB tells that a number is shown for 1024 bytes.
func (n *number) perKB() bool { return n.Unit == "ns/KB" }

// value is a number as it is shown.
func (n *number) value(m *Machine) float64 {
	if n.perKB() {
		return *n.of(m) * 1024
	}
	return *n.of(m)
}

// String is the machine as one word that Parse reads: name=value, joined by commas.
func (m Machine) String() string {
	var words []string
	for i := range numbers {
		n := &numbers[i]
		words = append(words, n.Name+"="+strconv.FormatFloat(n.value(&m), 'g', 6, 64))
	}
	return strings.Join(words, ",")
}

// Table is the machine for people, a line per number.
func (m Machine) Table() string {
	var w strings.Builder
	for i := range numbers {
		n := &numbers[i]
		fmt.Fprintf(&w, "  %-10s %10s %-6s %s\n", n.Name, strconv.FormatFloat(n.value(&m), 'g', 6, 64), n.Unit, n.Text)
	}
	return w.String()
}

// Parse changes numbers of m: lines or words of name=value, joined by commas; # begins a comment.
func (m Machine) Parse(text string) (Machine, error) {
	for line := range strings.SplitSeq(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		for word := range strings.SplitSeq(line, ",") {
			if word = strings.TrimSpace(word); word == "" {
				continue
			}
			if err := m.set(word); err != nil {
				return m, err
			}
		}
	}
	return m, nil
}

// set changes one number.
func (m *Machine) set(word string) error {
	name, text, _ := strings.Cut(word, "=")
	n := find(strings.TrimSpace(name))
	if n == nil {
		return fmt.Errorf("%w: %q: there is no %s; the numbers are %s", ErrMachine, word, name, strings.Join(Names(), ", "))
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || !(v >= 0) || v > most || n.divides && v == 0 {
		return fmt.Errorf("%w: %q: %s must be a number from 0 to %g%s", ErrMachine, word, n.Name, most, map[bool]string{true: ", more than 0"}[n.divides])
	}
	if n.perKB() {
		v /= 1024
	}
	*n.of(m) = v
	return nil
}

// most is the largest number a machine may have.
const most = 1e12
