package verbstest

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/verbs"
)

// Opener opens n devices that reach each other; they may be one device n times. The suite closes them.
type Opener func(tb testing.TB, n int) []verbs.Device

// Options say what to expect of a device beyond its capabilities.
type Options struct {
	Types []verbs.Type // only these; all that the device has if empty

	// Lossy says that datagrams get lost, doubled, late or damaged. Of UD and UC the suite then checks what is still
	// promised: that what arrives is whole. RC and RD promise all they ever did.
	Lossy bool

	// Allocates says that the device may allocate on the way of a message, as one that writes a trace does.
	Allocates bool

	Big   bool   // messages up to 64 MB instead of 4 MB
	Brief bool   // fewer repetitions, as with -short: for configurations that differ little
	Crowd int    // queue pairs of the case that makes many; 0: 500 of RC, 2000 of UD and RD, a tenth if brief
	Seed  uint64 // of everything random

	// World makes the world that a case runs in; nil: all run on the host. The devices that the Opener
	// gives live in it.
	World func(tb testing.TB) *World

	// Patience is how long to wait for what was promised before it is called missing; 0: 20 seconds.
	Patience time.Duration
}

// scenario is one case of the suite.
type scenario struct {
	name  string
	types []verbs.Type // for which it makes sense; all but UC if empty
	lossy bool         // also for UD and UC on a lossy device
	run   func(*rig)
}

var (
	connected   = []verbs.Type{verbs.RC}
	connections = []verbs.Type{verbs.RC, verbs.UC}
	datagrams   = []verbs.Type{verbs.UD, verbs.RD, verbs.XRC}
	reliable    = []verbs.Type{verbs.RC, verbs.RD, verbs.XRC}
	unordered   = []verbs.Type{verbs.UD}
	loose       = []verbs.Type{verbs.UC}
)

// fits tells whether the case makes sense for queue pairs of type typ.
func (s *scenario) fits(typ verbs.Type, opt *Options) bool {
	return (len(s.types) == 0 && typ != verbs.UC || slices.Contains(s.types, typ)) && (s.lossy || slices.Contains(reliable, typ) || !opt.Lossy)
}

// scenarios lists all cases, in the order they run: what later ones build on comes first.
func scenarios() []scenario {
	return slices.Concat(deviceCases, integrityCases, listCases, postCases, orderCases, completionCases, bellCases, accessCases,
		lengthCases, atomicCases, receiveCases, borrowCases, overflowCases, stateCases, connectCases, datagramCases, looseCases, crowdCases,
		teardownCases, allocCases)
}

// Run holds the devices that open gives to the seam's promises, one subtest for each type of queue pair and case.
func Run(t *testing.T, open Opener, opt Options) {
	if opt.World != nil {
		opt.World(t)
	}
	probe := open(t, 1)[0]
	caps := probe.Caps()
	if err := probe.Close(); err != nil {
		t.Fatalf("closing an unused device: %v", err)
	}
	for _, typ := range []verbs.Type{verbs.RC, verbs.UD, verbs.RD, verbs.UC, verbs.XRC} {
		if len(opt.Types) > 0 && !slices.Contains(opt.Types, typ) {
			continue
		}
		t.Run(typ.String(), func(t *testing.T) {
			if !caps.Supports(typ) {
				t.Skipf("the device has no %v", typ)
			}
			for _, s := range scenarios() {
				if s.fits(typ, &opt) {
					t.Run(s.name, func(t *testing.T) { runOne(t, s, typ, open, opt) })
				}
			}
		})
	}
}

// Check runs one case, by the name Run gives it, and reports to tb.
func Check(tb testing.TB, typ verbs.Type, name string, open Opener, opt Options) {
	tb.Helper()
	all := scenarios()
	i := slices.IndexFunc(all, func(s scenario) bool { return s.name == name })
	if i < 0 {
		tb.Fatalf("the suite has no case %q", name)
	}
	runOne(tb, all[i], typ, open, opt)
}

func runOne(tb testing.TB, s scenario, typ verbs.Type, open Opener, opt Options) {
	opt.Brief = opt.Brief || testing.Short()
	if opt.Patience == 0 {
		opt.Patience = 20 * time.Second
	}
	h := fnv.New64a()
	h.Write([]byte(s.name))
	seed := opt.Seed + h.Sum64()
	if opt.World == nil {
		opt.World = theHost
	}
	r := &rig{TB: tb, typ: typ, opt: opt, seed: seed, rnd: rand.New(rand.NewPCG(seed, uint64(typ))), world: opt.World(tb)}
	r.world.Run(func() {
		r.open(open)
		s.run(r)
	})
}
