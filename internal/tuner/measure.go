package tuner

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/comm"
	"github.com/weft-mpi/weft/internal/plan"
)

// Config says what to measure.
type Config struct {
	Ops    []coll.Op
	Bytes  []int   // in order; barrier has no bytes and is measured once
	Rounds int     // every algorithm runs once per round
	Batch  float64 // microseconds that the calls of an algorithm in one round should take together, about
	Limit  float64 // an algorithm so many times slower than the best in both of the first two rounds is not run again
	// Spread has ranks come to every call apart: the last one so many times the shortest call after the
	// first, see coll.Case. Pause, which is needed then, lets nanoseconds pass.
	Spread int
	Pause  func(ns int64)
	// Verify has Run verify Rules instead of measuring algorithms.
	Verify bool
	Rules  []coll.Rule
	// Against are the algorithms to verify against, without the operation in their names; nil for all.
	Against []string
	// Progress is told, on rank 0, how many of all cases are done, and which is next; may be nil.
	Progress func(done, all int, next string)
	only     string // the one algorithm to measure; "" for all that are worth trying
}

// Defaults are settings that suit a host: a few seconds per operation.
var Defaults = Config{Rounds: 7, Batch: 2000, Limit: 3}

// Tunes reports whether an operation can be tuned: those in which the ranks' blocks or neighbours differ are not.
func Tunes(op coll.Op) bool { return !op.Private() && !op.Neighborly() && op != coll.Allgatherv }

// Studies reports whether an operation can be studied in virtual time: those that can be tuned, and those in which all
// ranks send all neighbours as much.
func Studies(op coll.Op) bool { return Tunes(op) || op.Neighborly() && !op.Private() }

// ports are the numbers of ports that are tried.
var ports = []int{1, 2, 4}

// Ways lists the algorithms of an operation that are worth trying for a case: those that fit and, of those
// that send over several ports, also with other numbers of ports than rails. What other libraries do is
// left out. All ranks get the same list.
func Ways(c coll.Case) (names []string) {
	for _, a := range coll.Algorithms(c.Op) {
		if !a.Fits(c) || a.Rival() {
			continue
		}
		names = append(names, a.Name)
		known := [][]plan.Step{steps(a, c)}
		for _, k := range ports {
			asked, _ := coll.Find(fmt.Sprintf("%s@%d", a.Name, k))
			own := steps(asked, c)
			if !slices.ContainsFunc(known, func(other []plan.Step) bool { return slices.Equal(own, other) }) {
				known = append(known, own)
				names = append(names, asked.Name)
			}
		}
	}
	return names
}

// steps returns what the first ranks do, to see whether two algorithms are the same: one rank's steps may
// be so by chance.
func steps(a coll.Algorithm, c coll.Case) (all []plan.Step) {
	const enough = 16
	for c.Rank = range min(c.Ranks, enough) {
		all = append(all, a.Plan(c).Steps...)
	}
	return all
}

// Run measures algorithms, or verifies rules, as the settings say. All ranks of world call it; rank 0 gets
// the timings, those of the cases before also when a case fails.
func Run(ctx context.Context, world *comm.Comm, cfg Config) ([]Timing, error) {
	if cfg.Verify {
		return Verify(ctx, world, cfg, cfg.Rules)
	}
	return Measure(ctx, world, cfg)
}

// Measure times algorithms on the ranks of world, all of which call it. Rank 0 gets the timings.
func Measure(ctx context.Context, world *comm.Comm, cfg Config) ([]Timing, error) {
	m := &bench{world: world.WithContext(ctx), cfg: cfg, rank: world.Rank()}
	return m.cases(m.everyAlgorithm)
}

// cases times the candidates of every case.
func (m *bench) cases(candidates func(coll.Case) ([]*candidate, error)) ([]Timing, error) {
	cfg := &m.cfg
	all, done := 0, 0
	for _, op := range cfg.Ops {
		all += len(cfg.sizes(op))
	}
	var timings []Timing
	for _, op := range cfg.Ops {
		for _, bytes := range cfg.sizes(op) {
			if cfg.Progress != nil && m.rank == 0 {
				cfg.Progress(done, all, fmt.Sprintf("%s of %d bytes", op, bytes))
			}
			ts, err := m.measureCase(op, bytes, candidates)
			if err != nil {
				return timings, fmt.Errorf("tuner: %s of %d bytes: %w", op, bytes, err)
			}
			if m.rank == 0 {
				timings = append(timings, ts...)
			}
			done++
		}
	}
	return timings, nil
}

// sizes are those that make sense for an operation.
func (cfg *Config) sizes(op coll.Op) []int {
	if op == coll.Barrier {
		return []int{0}
	}
	return cfg.Bytes
}

// bench is one rank's part in the measuring.
type bench struct {
	world   *comm.Comm
	cfg     Config
	rank    int
	in, out []byte
	late    int64 // nanoseconds by which the last rank comes after the first
	mine    int64 // and by which this one does
}

// candidate is an algorithm under test.
type candidate struct {
	timing Timing
	handle *comm.Comm
	calls  int  // per batch
	stays  bool // however slow
	out    bool
}

// everyAlgorithm lists the algorithms that are worth trying for a case.
func (m *bench) everyAlgorithm(c coll.Case) (all []*candidate, err error) {
	inForce, _ := m.world.Chooses(c)
	for _, name := range Ways(c) {
		if m.cfg.only != "" && name != m.cfg.only {
			continue
		}
		k, err := m.fixed(c, name)
		if err != nil {
			return nil, err
		}
		k.timing.InForce = name == inForce.Name
		k.stays = k.timing.InForce
		all = append(all, k)
	}
	return all, nil
}

// fixed is an algorithm as a candidate.
func (m *bench) fixed(c coll.Case, name string) (*candidate, error) {
	s, err := only(m.world, c.Op, name)
	if err != nil {
		return nil, err
	}
	return m.candidate(c, name, s), nil
}

// candidate is a selector under test.
func (m *bench) candidate(c coll.Case, name string, s *coll.Selector) *candidate {
	return &candidate{handle: m.world.Choosing(s), timing: Timing{Place: placeOf(c), Op: c.Op.String(), Bytes: c.Bytes, Algorithm: name}}
}

// measureCase times the candidates of one case.
func (m *bench) measureCase(op coll.Op, bytes int, candidates func(coll.Case) ([]*candidate, error)) ([]Timing, error) {
	call := m.call(op, bytes)
	c := m.caseOf(call)
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if err := m.comeApart(call); err != nil {
		return nil, err
	}
	all, err := candidates(c)
	if err != nil {
		return nil, err
	}
	for round := range m.cfg.Rounds {
		for _, i := range order(len(all), round) {
			if k := all[i]; !k.out {
				if err := m.batch(k, call); err != nil {
					return nil, fmt.Errorf("%s: %w", k.timing.Algorithm, err)
				}
			}
		}
		if round == 1 {
			m.dropSlow(all)
		}
	}
	var timings []Timing
	for _, k := range all {
		timings = append(timings, k.timing)
	}
	return timings, nil
}

// caseOf is what a call is a case of.
func (m *bench) caseOf(call *comm.Call) coll.Case {
	c := m.world.Case(call)
	c.Spread = m.cfg.Spread
	return c
}

// order is the order in which a round goes through n candidates, the same on all ranks. Every round has
// another one, because what ran before leaves caches and connections behind that suit one algorithm better
// than another.
func order(n, round int) []int { return rand.New(rand.NewPCG(uint64(round), uint64(n))).Perm(n) }

// call is one rank's part of a call in which all blocks are alike.
func (m *bench) call(op coll.Op, bytes int) *comm.Call {
	if need := max(bytes, 8) * m.world.Size(); len(m.in) < need {
		m.in, m.out = make([]byte, need), make([]byte, need)
	}
	return newCall(op, bytes, m.in, m.out)
}

// newCall is a call in which all blocks are alike, with buffers that are long enough.
func newCall(op coll.Op, bytes int, in, out []byte) *comm.Call {
	call := &comm.Call{Op: op, Bytes: bytes, Elem: 1, In: in, Out: out, Commutative: true, Combine: add, Reduction: "sum"}
	if op == coll.Bcast {
		call.In = nil
	}
	return call
}

// add is the reduction that is measured: a sum of bytes, eight at a time.
func add(dst, src []byte, _ bool) {
	i := 0
	for ; i+8 <= len(dst); i += 8 {
		binary.LittleEndian.PutUint64(dst[i:], binary.LittleEndian.Uint64(dst[i:])+binary.LittleEndian.Uint64(src[i:]))
	}
	for ; i < len(dst); i++ {
		dst[i] += src[i]
	}
}

// placeOf describes the machine of a case.
func placeOf(c coll.Case) Place {
	return Place{Ranks: c.Ranks, Nodes: c.NodeCount(), Local: c.MostLocal(), Rails: max(c.Rails, 1), Crowded: c.Crowded(), Spread: c.Spread}
}

// warm is how many calls go untimed before the first batch of an algorithm; before every other one goes a single one.
const warm = 3

// batch times some calls of an algorithm. The slowest rank counts.
func (m *bench) batch(k *candidate, call *comm.Call) error {
	untimed := 1
	if k.calls == 0 {
		untimed = warm
	}
	for range untimed {
		if err := k.handle.Run(call); err != nil {
			return err
		}
	}
	if k.calls == 0 {
		us, err := m.timed(k, call, 2)
		if err != nil {
			return err
		}
		k.calls = int(min(max(m.cfg.Batch/max(us, 0.01), 1), 1000))
	}
	us, err := m.timed(k, call, k.calls)
	k.timing.Rounds = append(k.timing.Rounds, us)
	return err
}

// timed returns the microseconds per call of the slowest rank, from when the last one has come. A barrier
// keeps the ranks of calls that do not wait for all from running ahead of each other; it is the same for
// all algorithms.
func (m *bench) timed(k *candidate, call *comm.Call, calls int) (float64, error) {
	now := m.world.Env().Now
	if err := m.barrier(); err != nil {
		return 0, err
	}
	var inside int64
	for range calls {
		from := now()
		if m.late > 0 {
			m.cfg.Pause(m.mine)
		}
		if err := k.handle.Run(call); err != nil {
			return 0, err
		}
		inside += now() - from - m.late
		if call.Op != coll.Barrier || m.late > 0 {
			if err := m.barrier(); err != nil {
				return 0, err
			}
		}
	}
	return m.slowest(float64(inside) / 1e3 / float64(calls))
}

// comeApart finds out how long the shortest call takes, and with it how far apart ranks come from now on.
func (m *bench) comeApart(call *comm.Call) error {
	m.late = 0
	if m.cfg.Spread == 0 {
		return nil
	}
	least, now := int64(math.MaxInt64), m.world.Env().Now
	for range 2 * warm {
		if err := m.barrier(); err != nil {
			return err
		}
		from := now()
		if err := m.world.Run(call); err != nil {
			return err
		}
		least = min(least, now()-from)
	}
	us, err := m.slowest(-float64(least) / 1e3) // the shortest of all ranks
	m.late = max(int64(-1e3*us), 1) * int64(m.cfg.Spread)
	ranks := m.world.Size()
	m.mine = m.late * int64(order(ranks, 0)[m.rank]) / int64(max(ranks-1, 1))
	return err
}

func (m *bench) barrier() error { return m.world.Run(&comm.Call{Op: coll.Barrier}) }

// slowest returns the largest of the ranks' numbers, on all of them.
func (m *bench) slowest(us float64) (float64, error) {
	var in, out [8]byte
	binary.LittleEndian.PutUint64(in[:], math.Float64bits(us))
	larger := func(dst, src []byte, _ bool) {
		a, b := math.Float64frombits(binary.LittleEndian.Uint64(dst)), math.Float64frombits(binary.LittleEndian.Uint64(src))
		binary.LittleEndian.PutUint64(dst, math.Float64bits(max(a, b)))
	}
	err := m.world.Run(&comm.Call{Op: coll.Allreduce, Bytes: 8, Elem: 8, In: in[:], Out: out[:], Combine: larger, Commutative: true, Reduction: "max"})
	return math.Float64frombits(binary.LittleEndian.Uint64(out[:])), err
}

// dropSlow leaves out what lies far behind the best even in its best round, so that the time goes to what
// may win. All ranks see the same numbers.
func (m *bench) dropSlow(all []*candidate) {
	best := math.Inf(1)
	for _, k := range all {
		best = min(best, k.timing.Median())
	}
	for _, k := range all {
		k.out = !k.stays && slices.Min(k.timing.Rounds) > m.cfg.Limit*best
	}
}
