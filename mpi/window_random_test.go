package mpi_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/weft-mpi/weft/mpi"
)

// A random program of windows is a list of phases. In each, every rank carries out its operations inside
// epochs of one kind; operations of a phase do not conflict, so that a model knows what memory holds after
// it and what gets have got.

// program is a random program and, from the model, what must come of it.
type program struct {
	ranks  int
	kind   windowKind
	phases []phase
}

type windowKind int

const (
	created windowKind = iota
	mixed              // created, of which odd ranks' memory is shared by the ranks of their host
	allocated
	dynamic
	windowKinds
)

type phase struct {
	epoch epoch
	ops   [][]operation // by origin
	after [][]int64     // memory of each rank
}

type epoch int

const (
	byFence epoch = iota
	byGroup
	byLock
	byLockAll
	epochs
)

// operation is one call, with what a get must find.
type operation struct {
	verb   string
	target int
	at     int
	values []int64
	reduce int     // index in reductions
	want   []int64 // get, fetch, swap
	every  int     // more than 1: a stride
	style  int     // of several calls that do the same: which
	flush  int     // what follows where the target is locked: nothing, or a flush
}

var reductions = []mpi.Op{mpi.Sum, mpi.Max, mpi.Bxor, mpi.Replace}

func reduceInt(op int, a, b int64) int64 {
	return [...]int64{a + b, max(a, b), a ^ b, b}[op]
}

const cells = 48 // of each rank

// claims notes who may do what with an element in a phase.
type claims struct {
	taken map[[2]int]string
}

// take claims elements for a use; false if one of them has another.
func (c *claims) take(target int, elements []int, use string) bool {
	for _, e := range elements {
		if was, ok := c.taken[[2]int{target, e}]; ok && (was != use || strings.HasPrefix(use, "put")) {
			return false
		}
	}
	for _, e := range elements {
		c.taken[[2]int{target, e}] = use
	}
	return true
}

// elementsOf lists the elements that an operation touches.
func (o *operation) elements() (all []int) {
	for i := range o.values {
		all = append(all, o.at+i*o.every)
	}
	return all
}

// cheapest is what MinLoc makes of a pair of cells, a value and its place, and another.
func cheapest(value, place *int64, v, p int64) {
	if v < *value || v == *value && p < *place {
		*value, *place = v, p
	}
}

// programs draws programs.
var programs = rapid.Custom(func(t *rapid.T) program {
	p := program{ranks: rapid.IntRange(1, 4).Draw(t, "ranks"), kind: windowKind(rapid.IntRange(0, int(windowKinds)-1).Draw(t, "kind"))}
	memory := make([][]int64, p.ranks)
	for r := range memory {
		memory[r] = make([]int64, cells)
	}
	for range rapid.IntRange(1, 6).Draw(t, "phases") {
		ph := phase{epoch: epoch(rapid.IntRange(0, int(epochs)-1).Draw(t, "epoch")), ops: make([][]operation, p.ranks)}
		before := make([][]int64, p.ranks)
		for r := range memory {
			before[r] = slices.Clone(memory[r])
		}
		c := claims{map[[2]int]string{}}
		for range rapid.IntRange(0, 12).Draw(t, "operations") {
			origin := rapid.IntRange(0, p.ranks-1).Draw(t, "origin")
			if o, ok := drawOperation(t, p.ranks, origin, &c, before, memory); ok {
				ph.ops[origin] = append(ph.ops[origin], o)
			}
		}
		for r := range memory {
			ph.after = append(ph.after, slices.Clone(memory[r]))
		}
		p.phases = append(p.phases, ph)
	}
	return p
})

// drawOperation draws an operation, and has the model carry it out unless it conflicts with others of the phase.
func drawOperation(t *rapid.T, ranks, origin int, c *claims, before, memory [][]int64) (operation, bool) {
	o := operation{
		verb:   rapid.SampledFrom([]string{"put", "get", "accumulate", "own", "fetch", "swap", "loc"}).Draw(t, "verb"),
		target: rapid.IntRange(0, ranks-1).Draw(t, "target"), reduce: rapid.IntRange(0, len(reductions)-1).Draw(t, "reduction"),
		every: rapid.IntRange(1, 3).Draw(t, "stride"), style: rapid.IntRange(0, 2).Draw(t, "style"), flush: rapid.IntRange(0, 5).Draw(t, "flush"),
	}
	o.values = rapid.SliceOfN(rapid.Int64Range(-99, 99), 1, 10).Draw(t, "values")
	switch o.verb {
	case "swap":
		o.values = o.values[:1]
	case "loc": // values with their places, next to each other
		o.values, o.every = append(o.values, o.values...), 1
	}
	o.at = rapid.IntRange(0, cells-1-(len(o.values)-1)*o.every).Draw(t, "at")
	if o.verb == "loc" {
		o.at &^= 1
	}
	use := map[string]string{"put": "put", "get": "get", "accumulate": fmt.Sprintf("reduction %d", o.reduce), "loc": "loc", "own": "", "fetch": "", "swap": ""}[o.verb]
	if use == "" || use == "reduction 3" { // of one rank, in its order
		use = fmt.Sprintf("accumulates of rank %d", origin)
	}
	if !c.take(o.target, o.elements(), use) {
		return o, false
	}
	for i, e := range o.elements() {
		cell := &memory[o.target][e]
		switch o.verb {
		case "put":
			*cell = o.values[i]
		case "get":
			o.want = append(o.want, before[o.target][e])
		case "swap":
			o.want = append(o.want, *cell)
			if o.values[i]%2 == 0 { // these expect what is there
				*cell = o.values[i] + 1000
			}
		case "loc":
			if i%2 == 0 {
				cheapest(cell, &memory[o.target][e+1], o.values[i], o.values[i+1])
			}
		default:
			if o.verb == "fetch" {
				o.want = append(o.want, *cell)
			}
			*cell = reduceInt(o.reduce, *cell, o.values[i])
		}
	}
	return o, true
}

// run carries the program out as one rank and holds what it sees against the model.
func (p *program) run(c *mpi.Comm) error {
	w, mem, err := p.open(c)
	if err != nil {
		return err
	}
	for i, ph := range p.phases {
		if err := ph.run(c, w); err != nil {
			return fmt.Errorf("phase %d: %w", i, err)
		}
		if err := same("memory", mem, ph.after[c.Rank()]); err != nil {
			return fmt.Errorf("phase %d: %w", i, err)
		}
		if err := mpi.Barrier(c); err != nil {
			return err
		}
	}
	err = w.Free()
	if p.kind == mixed && shares(c) {
		err = errors.Join(err, mpi.Free(c, mem))
	}
	return err
}

// shares tells whether a rank brings shared memory into a mixed window.
func shares(c *mpi.Comm) bool { return c.Rank()%2 == 1 }

// place is a window and where in it each rank's cells begin; a cell is scale apart from the next.
type place struct {
	*mpi.Window
	begin []int
	scale int
}

// open makes the window of a program, and returns this rank's cells.
func (p *program) open(c *mpi.Comm) (at place, mem []int64, err error) {
	at = place{begin: make([]int, c.Size()), scale: 1}
	mem = make([]int64, cells)
	switch p.kind {
	case mixed:
		if shares(c) {
			if mem, err = mpi.Alloc[int64](c, cells); err != nil {
				return at, mem, err
			}
		}
		at.Window, err = mpi.CreateWindow(c, mem)
	case created:
		before := 100 + c.Rank() // the cells begin elsewhere at every rank, and not with the window
		for i := range at.begin {
			at.begin[i] = 100 + i
		}
		all := make([]int64, before+cells+10)
		mem = all[before : before+cells]
		at.Window, err = mpi.CreateWindow(c, all)
	case allocated:
		at.Window, mem, err = mpi.AllocateWindow[int64](c, cells)
	case dynamic:
		at.scale = 8
		if at.Window, err = mpi.DynamicWindow(c); err != nil {
			return at, mem, err
		}
		_, err = mpi.Attach(at.Window, make([]byte, 100+c.Rank())) // so that addresses differ
		begin, aerr := mpi.Attach(at.Window, mem)
		err = errors.Join(err, aerr, mpi.Allgather(c, []int{begin}, at.begin))
	}
	return at, mem, err
}

func (ph *phase) run(c *mpi.Comm, w place) error {
	own := ph.ops[c.Rank()]
	got := make([][]int64, len(own))
	do := func(target int) (err error) {
		for i := range own {
			if o := &own[i]; target < 0 || o.target == target {
				got[i] = make([]int64, len(o.values))
				err = errors.Join(err, o.call(w, got[i], ph.epoch >= byLock))
			}
		}
		return err
	}
	var err error
	switch everybody := w.Group(); ph.epoch {
	case byFence:
		err = errors.Join(w.Fence(), do(-1), w.Fence(mpi.NoSucceed))
	case byGroup:
		err = errors.Join(w.Post(everybody), w.Start(everybody), do(-1), w.Complete(), w.Wait())
	case byLock:
		for t := range c.Size() {
			err = errors.Join(err, w.Lock(mpi.LockKind((t+c.Rank())%2), t), do(t), w.Unlock(t))
		}
		err = errors.Join(err, mpi.Barrier(c))
	case byLockAll:
		err = errors.Join(w.LockAll(), do(-1), w.UnlockAll(), mpi.Barrier(c))
	}
	for i, o := range own {
		if o.want != nil && err == nil {
			err = same(o.verb, got[i], o.want)
		}
	}
	return err
}

// call makes the call, in one of several ways; what it gets goes to got.
func (o *operation) call(w place, got []int64, locked bool) (err error) {
	if locked && o.style == 1 && o.every == 1 && o.verb != "swap" && o.verb != "loc" {
		err = waited(o.begin(w, got))
	} else {
		err = o.do(w, got)
	}
	if locked && err == nil {
		switch o.flush {
		case 1:
			err = w.Flush(o.target)
		case 2:
			err = w.FlushLocal(o.target)
		case 3:
			err = errors.Join(w.FlushLocalAll(), w.Sync())
		}
	}
	return err
}

// begin makes the call that gives a request.
func (o *operation) begin(w place, got []int64) mpi.Request {
	at := w.begin[o.target] + o.at*w.scale
	switch o.verb {
	case "put":
		return mpi.Rput(w.Window, o.values, o.target, at)
	case "get":
		return mpi.Rget(w.Window, got, o.target, at)
	case "fetch":
		return mpi.RgetAccumulate(w.Window, o.values, got, o.target, at, reductions[o.reduce])
	}
	return mpi.Raccumulate(w.Window, o.values, o.target, at, reductions[o.reduce])
}

// layout is where the elements lie.
func (o *operation) layout(scale int) mpi.Layout {
	if o.style != 2 {
		return mpi.Strided{Count: len(o.values), Block: 1, Stride: o.every}
	}
	var x mpi.Indexed
	for i := range o.values {
		x = append(x, mpi.Block{Start: i * o.every, Len: 1})
	}
	return x
}

func (o *operation) do(w place, got []int64) error {
	at, layout := w.begin[o.target]+o.at*w.scale, o.layout(w.scale)
	switch o.verb {
	case "put":
		return mpi.PutLayout(w.Window, o.values, o.target, at, layout)
	case "get":
		return mpi.GetLayout(w.Window, got, o.target, at, layout)
	case "fetch":
		return mpi.GetAccumulateLayout(w.Window, o.values, got, o.target, at, layout, reductions[o.reduce])
	case "swap":
		expected := o.want[0]
		if o.values[0]%2 != 0 {
			expected++
		}
		was, err := mpi.CompareSwap(w.Window, expected, o.values[0]+1000, o.target, at)
		got[0] = was
		return err
	case "loc":
		var all []mpi.Loc[int64]
		for i := 0; i < len(o.values); i += 2 {
			all = append(all, mpi.Loc[int64]{Value: o.values[i], Index: int(o.values[i+1])})
		}
		return mpi.Accumulate(w.Window, all, o.target, at, mpi.MinLoc[int64]())
	}
	return mpi.AccumulateLayout(w.Window, o.values, o.target, at, layout, reductions[o.reduce])
}

// TestRandomWindows: random programs do what the model says, as goroutines.
func TestRandomWindows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := programs.Draw(t, "program")
		if err := mpi.Run(p.ranks, p.run); err != nil {
			t.Fatal(err)
		}
	})
}

// fewPrograms are how many programs run where each takes longer; firstProgram is the first of them.
// WINDOW_PROGRAMS=FIRST:COUNT has others run.
var firstProgram, fewPrograms = func() (first, few int) {
	if n, err := fmt.Sscanf(os.Getenv("WINDOW_PROGRAMS"), "%d:%d", &first, &few); n == 2 && err == nil {
		return first, few
	}
	return 0, 30
}()

// TestRandomWindowsOverNetwork: the same over software RDMA, with short operations as packets and by the device.
func TestRandomWindowsOverNetwork(t *testing.T) {
	t.Setenv("WEFT_LINKS", "rail")
	for n := range fewPrograms {
		seed := firstProgram + n
		limit := []string{"0", "64", "1K"}[seed%3]
		t.Setenv("WEFT_LAB_RMA_PUT", limit)
		t.Setenv("WEFT_LAB_RMA_GET", limit)
		p := programs.Example(seed)
		if err := mpi.Run(p.ranks, p.run); err != nil {
			t.Errorf("program %d: %v\n%+v", seed, err, p)
		}
	}
}

// TestRandomWindowsOnClusters: the same on simulated clusters, with losses on datagrams.
func TestRandomWindowsOnClusters(t *testing.T) {
	oneThread(t)
	for n := range 3 * fewPrograms {
		seed := 3*firstProgram + n
		p := programs.Example(seed)
		env := [][]string{nil, {"WEFT_LAB_RMA_PUT=0", "WEFT_LAB_RMA_GET=0"}, {"WEFT_CHANNEL=ud", "WEFT_LAB_UD_DROP=0.02"}}[seed%3]
		j := &cluster{profile: "ib-sdr", nodes: 1 + seed%2, ranks: p.ranks, seed: uint64(seed), env: env}
		j.nodes = min(j.nodes, p.ranks)
		if err := j.run(t, p.run); err != nil {
			t.Errorf("program %d: %v", seed, err)
		}
	}
}

// randomPrograms is what each process of a job runs.
func randomPrograms(w *mpi.Comm) error {
	for n := range fewPrograms + 10 {
		seed := firstProgram + n
		p := programs.Example(seed)
		if p.ranks > w.Size() {
			continue
		}
		color := mpi.Undefined
		if w.Rank() < p.ranks {
			color = 0
		}
		part, err := w.Split(color, 0)
		if err != nil {
			return err
		}
		if part == nil {
			continue
		}
		if err := errors.Join(p.run(part), part.Free()); err != nil {
			return fmt.Errorf("program %d: %w", seed, err)
		}
	}
	return mpi.Barrier(w)
}

// TestRandomWindowsOfProcesses: the same between processes.
func TestRandomWindowsOfProcesses(t *testing.T) {
	for _, vars := range [][]string{{"WEFT_CMA=on"}, {"WEFT_CMA=off"}} {
		if code, text := job(t, 3, "random windows", vars...); code != 0 {
			t.Errorf("%v: code %d: %s", vars, code, text)
		}
	}
}
