package engine

import (
	"math/rand/v2"
	"os"
	"runtime/debug"
	"testing"

	"github.com/weft-mpi/weft/internal/match"
	"github.com/weft-mpi/weft/internal/wire"
)

// soak makes the tests of this file look at all programs that they name, for minutes.
var soak = os.Getenv("WEFT_SOAK") != ""

// The letters that programs are made of.
var (
	short   = duelSend{len: 4}
	synchro = duelSend{len: 4, mode: Sync}
	long    = duelSend{len: 40}
	tooLong = duelSend{len: 60} // for any receive
	other   = duelSend{len: 40, tag: 1}
	backs   = duelSend{len: 40, cancel: true}
	syncs   = duelSend{len: 4, mode: Sync, cancel: true}
	shorts  = duelSend{len: 4, cancel: true}
	longs   = duelSend{len: 60, cancel: true} // for any receive

	room     = duelRecv{room: 50}
	little   = duelRecv{room: 8} // predicted eager, and too small for long
	anySrc   = duelRecv{from: match.Any, room: 50}
	anyTag   = duelRecv{tag: match.Any, room: 50}
	canceled = duelRecv{room: 50, cancel: true}
	claimed  = duelRecv{room: 50, claim: true}
)

// explorer plays a program in every order of its steps, but goes only once through each state.
type explorer struct {
	program *duelProgram
	seen    map[uint64]struct{}
	path    []uint8
	scratch []byte
	ends    int
	fault   error
	at      []uint8 // the path to the fault
}

// explore plays p until the first fault that any order of its steps leads to.
func explore(p *duelProgram) *explorer {
	x := &explorer{program: p, seen: map[uint64]struct{}{}}
	x.walk(newDuel(p))
	return x
}

// walk goes on from d, which the path has led to. Engines cannot be copied, so all but the first way out of a state
// are reached by playing the path again.
func (x *explorer) walk(d *duel) {
	f := d.fingerprint(x.scratch)
	if _, ok := x.seen[f]; ok {
		return
	}
	x.seen[f] = struct{}{}
	all := d.steps(make([]uint8, 0, 8))
	if d.fault != nil || len(all) == 0 {
		x.ends++
		if x.fault = d.check(); x.fault != nil {
			x.at = append(x.at, x.path...)
		}
		return
	}
	for i, s := range all {
		if i > 0 {
			d = newDuel(x.program)
			for _, s := range x.path {
				d.step(s)
			}
		}
		x.path = append(x.path, s)
		d.step(s)
		x.walk(d)
		x.path = x.path[:len(x.path)-1]
		if x.fault != nil {
			return
		}
	}
}

// words returns all sequences of n letters.
func words[T any](letters []T, n int) [][]T {
	if n == 0 {
		return [][]T{nil}
	}
	var all [][]T
	for _, w := range words(letters, n-1) {
		for _, l := range letters {
			all = append(all, append(w[:len(w):len(w)], l))
		}
	}
	return all
}

// modelSet is a family of programs: all words of sends with all words of receives. Of those, one in every is looked
// at when time is short.
type modelSet struct {
	name  string
	sends []duelSend
	recvs []duelRecv
	n     int
	every int
	busy  bool
	cfg   Config
}

var modelSets = []modelSet{
	{name: "two and two", n: 2, every: 5, sends: []duelSend{short, synchro, long, tooLong, other},
		recvs: []duelRecv{room, little, anySrc, anyTag, canceled, claimed}, cfg: Config{NoAdapt: true}},
	{name: "three and three", n: 3, every: 8, sends: []duelSend{short, long}, recvs: []duelRecv{room, little, anySrc}, cfg: Config{NoAdapt: true}},
	{name: "one cancelled of three", n: 3, every: 60, sends: []duelSend{short, long}, recvs: []duelRecv{room, canceled, anyTag}, cfg: Config{NoAdapt: true}},
	{name: "truncated and claimed", n: 3, every: 40, sends: []duelSend{short, long, tooLong}, recvs: []duelRecv{room, claimed}, cfg: Config{NoAdapt: true}},
	{name: "sends taken back", n: 2, every: 24, sends: []duelSend{short, long, backs, syncs, longs},
		recvs: []duelRecv{room, little, anySrc, anyTag, canceled, claimed}, cfg: Config{NoAdapt: true}},
	{name: "one of three taken back", n: 3, every: 199, sends: []duelSend{short, long, backs}, recvs: []duelRecv{room, canceled}, cfg: Config{NoAdapt: true}},
	{name: "taken back behind a busy link", n: 2, every: 40, sends: []duelSend{long, shorts, backs, syncs, longs}, recvs: []duelRecv{room, little, canceled}, busy: true,
		cfg: Config{NoAdapt: true}},
	{name: "three taken back behind a busy link", n: 3, every: 211, sends: []duelSend{short, backs, longs}, recvs: []duelRecv{room, little}, busy: true,
		cfg: Config{NoAdapt: true}},
	{name: "behind a busy link", n: 2, every: 4, sends: []duelSend{short, long, tooLong}, recvs: []duelRecv{room, little, anySrc, canceled}, busy: true,
		cfg: Config{NoAdapt: true}},
	{name: "DONE held back", n: 2, every: 3, sends: []duelSend{short, long, tooLong}, recvs: []duelRecv{room, little, canceled},
		cfg: Config{NoAdapt: true, HoldDone: true}},
	{name: "adapting at once", n: 3, every: 9, sends: []duelSend{short, long}, recvs: []duelRecv{room, little},
		cfg: Config{SpecMinSamples: 1, SpecWindow: 2, RoundTrip: 1}},
	{name: "void RTRs limited to one", n: 3, every: 9, sends: []duelSend{short, long}, recvs: []duelRecv{room, little},
		cfg: Config{NoAdapt: true, MaxUnusedRTR: 1}},
}

// TestModel plays programs of two ranks through every order of posts, deliveries, reads, writes and cancels: message
// i must land exactly once in receive i.
func TestModel(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(800)) // a duel leaves much behind and lives briefly
	for _, set := range modelSets {
		t.Run(set.name, func(t *testing.T) {
			states, ends, count := 0, 0, 0
			for i, ss := range words(set.sends, set.n) {
				for j, rs := range words(set.recvs, set.n) {
					every := set.every
					if testing.Short() || underRace {
						every *= 10
					}
					if (i*7+j)%every != 0 && !soak {
						continue
					}
					p := &duelProgram{sends: ss, recvs: rs, cfg: set.cfg, busy: set.busy}
					x := explore(p)
					if x.fault != nil {
						t.Fatalf("%v %+v: %v after %s", ss, rs, x.fault, describeSteps(x.at))
					}
					states, ends, count = states+len(x.seen), ends+x.ends, count+1
				}
			}
			t.Logf("%d programs, %d states, %d ends", count, states, ends)
			if states < 20*count {
				t.Error("too few states: the choices are not being explored")
			}
		})
	}
}

// playRandomly plays a program in an order drawn from seed and returns its fault.
func playRandomly(p *duelProgram, seed uint64) (*duel, []uint8, error) {
	rng := rand.New(rand.NewPCG(seed, 1))
	d := newDuel(p)
	var path, all []uint8
	for {
		all = d.steps(all[:0])
		if len(all) == 0 || d.fault != nil {
			return d, path, d.check()
		}
		s := all[rng.IntN(len(all))]
		path = append(path, s)
		d.step(s)
	}
}

// randomProgram draws a long program in which everything occurs.
func randomProgram(rng *rand.Rand) *duelProgram {
	sends := []duelSend{long, short, long, long, tooLong, synchro, other, {len: 4, tag: 1}, {len: 40, mode: Sync}, {len: 0}, backs, syncs, shorts, longs}
	recvs := []duelRecv{room, room, room, little, anySrc, anyTag, canceled, claimed, {tag: 1, room: 50}, {from: match.Any, tag: match.Any, room: 50}}
	p := &duelProgram{busy: rng.IntN(4) == 0, lateSends: max(0, rng.IntN(10)-5), lateRecvs: max(0, rng.IntN(10)-5), pull: wire.MaySpeculate}
	p.cfg.HoldDone = rng.IntN(4) == 0
	p.cfg.NoAdapt = rng.IntN(2) == 0
	p.cfg.SpecMinSamples, p.cfg.SpecWindow = 1+rng.IntN(4), 4
	p.cfg.SpecScope = Scope(rng.IntN(2))
	p.cfg.RoundTrip = int64(50 + 100*rng.IntN(3))
	p.cfg.MaxUnusedRTR = 1 + rng.IntN(4)
	kinds, rooms := 1+rng.IntN(len(sends)), 1+rng.IntN(len(recvs))
	for range 4 + rng.IntN(10) { // a step names at most sixteen of a kind
		p.sends = append(p.sends, sends[rng.IntN(kinds)])
	}
	for range len(p.sends) + rng.IntN(3) {
		p.recvs = append(p.recvs, recvs[rng.IntN(rooms)])
	}
	return p
}

// TestRandomSchedules plays long programs in random orders.
func TestRandomSchedules(t *testing.T) {
	n := 5000
	if soak {
		n = 500_000
	} else if testing.Short() || underRace {
		n = 500
	}
	var used, stops, resumes, adapted, replaced, acks uint64
	for seed := range uint64(n) {
		p := randomProgram(rand.New(rand.NewPCG(seed, 2)))
		d, path, err := playRandomly(p, seed)
		if err != nil {
			t.Fatalf("seed %d: %+v: %v after %s", seed, *p, err, describeSteps(path))
		}
		c := &d.eng[0].Counters
		used, stops, resumes = used+c.RTRUsed, stops+c.Stops, resumes+c.Resumes
		v := &d.eng[1].Counters
		adapted, acks = adapted+v.AdaptResumes, acks+v.RTSAcks
		if p.busy {
			replaced += c.Started.Progress
		}
	}
	t.Logf("%d RTRs used, %d stops, %d resumes, %d adaptations undone, %d RTS replaced in their queue, %d RTS_ACKs",
		used, stops, resumes, adapted, replaced, acks)
	if used == 0 || stops == 0 || resumes == 0 || adapted == 0 || replaced == 0 || acks == 0 {
		t.Error("a mechanism never worked: the schedules prove nothing about it")
	}
}
