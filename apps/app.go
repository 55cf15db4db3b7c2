package apps

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/weft-mpi/weft/apps/meter"
	"github.com/weft-mpi/weft/mpi"
)

// App is an application.
type App struct {
	Name    string
	About   string // what it computes, in a few words
	Classes string // the sizes of the problem, a letter each, smallest first
	Ranks   string // how many ranks it can use, in words
	Fits    func(class string, ranks int) bool
	Run     func(*Env) (Result, error)
	Steps   func(class string) int // that the part which is timed makes
}

// Check tells why the application cannot run that class on so many ranks, or nothing.
func (a App) Check(class string, ranks int) error {
	if len(class) != 1 || !strings.Contains(a.Classes, class) {
		return fmt.Errorf("%s has no class %q; it has %s", a.Name, class, strings.Join(strings.Split(a.Classes, ""), ", "))
	}
	if !a.Fits(class, ranks) {
		return fmt.Errorf("%s of class %s cannot run on %d ranks; it needs %s", a.Name, class, ranks, a.Ranks)
	}
	return nil
}

// AnyRanks, PowerOfTwo and Square are what App.Fits may be.
func AnyRanks(_ string, ranks int) bool { return ranks > 0 }

// PowerOfTwo is 1, 2, 4, 8 ranks and so on.
func PowerOfTwo(_ string, ranks int) bool { return ranks > 0 && ranks&(ranks-1) == 0 }

// Square is 1, 4, 9, 16 ranks and so on.
func Square(_ string, ranks int) bool {
	q := int(math.Sqrt(float64(ranks)) + .5)
	return ranks > 0 && q*q == ranks
}

// Env is what a rank of an application is given. It belongs to that rank's goroutine.
type Env struct {
	Comm  *meter.Comm // all ranks; the application makes its calls through it, so that they are counted
	Class string
	// Steps is how many of the class's steps to make, 0 for all: with fewer, nothing is verified.
	Steps int
	// Instead, if set, stands for the arithmetic: it is told of every piece how many operations that has, and the
	// piece is left out. The rank makes the same calls with buffers of the same length, and what is in them means
	// nothing. So a model of a cluster, which makes the rank busy for that long, can have classes and ranks that
	// nobody could wait for.
	Instead func(operations float64)
	// Timed has the time in calls taken. Elapsed is then how long the part between Start and Stop took this rank, in
	// seconds, and Spent how long it was in each kind of call.
	Timed   bool
	Elapsed float64
	Spent   map[string]float64
	start   float64
}

// NewEnv is the environment of one rank of world.
func NewEnv(world *mpi.Comm, class string) *Env { return &Env{Comm: meter.New(world), Class: class} }

// Work does a piece of arithmetic of so many operations, as the original counts them; or what stands for it.
func (e *Env) Work(operations float64, compute func()) {
	if e.Instead != nil {
		e.Instead(operations)
		return
	}
	compute()
}

// Limit is how many of so many steps to make.
func (e *Env) Limit(steps int) int {
	if e.Steps > 0 {
		return min(e.Steps, steps)
	}
	return steps
}

// Start begins the part of the run that is timed, when all ranks have come so far.
func (e *Env) Start() error {
	err := mpi.Barrier(e.Comm.World)
	e.Comm.TakeTime(e.Timed)
	e.start = e.Comm.World.Wtime()
	return err
}

// Stop ends the part that is timed. It returns the seconds of the slowest rank, at every rank.
func (e *Env) Stop() (seconds float64, err error) {
	e.Elapsed, e.Spent = e.Comm.World.Wtime()-e.start, e.Comm.Spent()
	slowest := []float64{0}
	err = mpi.Allreduce(e.Comm.World, []float64{e.Elapsed}, slowest, mpi.Max)
	return slowest[0], err
}

// Result is what a run found out. Checks are those of rank 0; the rest is the same at all ranks.
type Result struct {
	Size       string  `json:"size"` // of the problem, in words
	Iterations int     `json:"iterations"`
	Seconds    float64 `json:"seconds"`
	Mops       float64 `json:"mops"` // million operations per second, as the original counts operations
	Checks     []Check `json:"checks"`
}

// Check holds a number that a run computed against the official one.
type Check struct {
	What      string  `json:"what"`
	Got       float64 `json:"got"`
	Want      float64 `json:"want"`
	Tolerance float64 `json:"tolerance"` // of the relative error
}

// Holds tells whether the number is near enough to the official one.
func (c Check) Holds() bool {
	if c.Want == 0 {
		return math.Abs(c.Got) <= c.Tolerance
	}
	return math.Abs((c.Got-c.Want)/c.Want) <= c.Tolerance // false for what is not a number
}

// Verified tells whether there are checks, and all hold.
func (r Result) Verified() bool {
	return len(r.Checks) > 0 && !slices.ContainsFunc(r.Checks, func(c Check) bool { return !c.Holds() })
}

// Rate is the million operations per second of so many operations.
func Rate(operations, seconds float64) float64 { return operations / seconds / 1e6 }
