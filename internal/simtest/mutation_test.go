package simtest

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/engine/rules"
)

// mutation is one rule of a protocol taken away: a line of the source replaced by another. All are built
// into one test binary, by an overlay over the source, and an environment variable chooses the one that
// holds. The library itself knows nothing of it.
type mutation struct {
	name     string
	file     string // below the module's root
	old, new string // new calls mutant(name) to know whether it holds
	Options
	quick bool // it is among those that run always
}

// ruleNames are the rules of the speculative protocol as package rules calls them.
var ruleNames = []string{"eager-flag", "stop", "stop-reset", "drain", "stale-stop", "rtr-ack", "rts-ack", "ack-first", "ack-all", "ack-once",
	"claim-ack", "order", "wildcard", "crossing", "too-small", "early-done", "ask-to-cancel"}

// covered are rules that another one makes up for, with that one: without both a seed must fail which goes
// well without either. A link replays on a new connection all that may be lost, whether or not timers still
// watch it.
var covered = map[string]string{"timers forget what a connection takes over": "nothing is replayed at a promotion"}

// covers are the mutations that covered names and that are not tried alone.
var covers = []mutation{
	{"nothing is replayed at a promotion", "internal/rail/lane.go", "p.replay(ln.expected)", "if !mutant(`NAME`) { p.replay(ln.expected) }", Options{}, false},
}

var (
	speculative = Options{Rendezvous: "speculative"}
	dueling     = Options{Rendezvous: "speculative", Programs: "duels", Channel: "srq", Faults: "none", Ranks: 2,
		Settings: []string{"WEFT_LINKS=rail", "WEFT_LAB_SPEC_THRESHOLD=0", "WEFT_NET_EAGER_MAX=512", "WEFT_LAB_SPEC_UNUSED=64"}}
	claiming  = dueling.with("claims")
	lossy     = Options{Channel: "ud", Faults: "mixed"}
	breaking  = Options{Channel: "srq", Faults: "break"}
	credit    = Options{Channel: "sr", Rendezvous: "rget", Faults: "none"}
	crowded   = Options{Programs: "collectives", Algorithm: "allgather/flat"}
	doubling  = Options{Programs: "collectives", Algorithm: "allreduce/doubling"}
	windows   = Options{Programs: "windows"}
	unasking  = Options{Programs: "unasked", Rendezvous: "rget", Faults: "break"}
	uneven    = Options{Nodes: "uneven"}
	fetching  = Options{Nodes: "uneven", Ranks: 8, Faults: "none", Settings: []string{"WEFT_LINKS=auto"}}
	waking    = Options{Settings: []string{"WEFT_PROGRESS=wake", "WEFT_LAB_PLACE=on"}}
	impatient = Options{Programs: "impatient"}
)

const (
	receiver = "internal/rail/flow/receiver.go"
	sender   = "internal/rail/flow/sender.go"
	repair   = "internal/rail/flow/repair.go"
	summing  = "internal/coll/allreduce_doubling.go"
	fencing  = "internal/window/sync.go"
	locking  = "internal/window/lock.go"
	catching = "internal/rail/catch.go"
	steering = "internal/rail/unasked.go"
	handing  = "internal/rail/now.go"
	agreeing = "internal/boot/agree.go"
)

// mutations of the reliability layer, of the credit scheme, of an algorithm, of windows, of what
// programs are asked about, and of what ranks agree on.
var mutations = []mutation{
	{"duplicates are delivered", receiver, "return Duplicate\n", "if mutant(`NAME`) { return Deliver }; return Duplicate\n", lossy, true},
	{"early frames are delivered", receiver, "case ahead > 0:", "case ahead > 0 && !mutant(`NAME`):", lossy, false},
	{"kept frames are forgotten", receiver, "if !slot.here {\n\t\treturn f, false", "if !slot.here || mutant(`NAME`) {\n\t\treturn f, false", lossy, false},
	{"too much is acknowledged", receiver, "r.told = r.expected\n", "r.told = r.expected; if mutant(`NAME`) && r.kept > 0 { r.told++ }\n", lossy, false},
	{"no acknowledgement travels alone", receiver, "{ return r.ackAt != 0 && now", "{ return !mutant(`NAME`) && r.ackAt != 0 && now", lossy, false},
	{"nothing is sent again after a time-out", repair, "if s.deadline != 0 && now >= s.deadline &&", "if !mutant(`NAME`) && s.deadline != 0 && now >= s.deadline &&", lossy, false},
	{"lost frames are not sent again", repair, "resend(seq, slot.f)", "if !mutant(`NAME`) { resend(seq, slot.f) }", lossy, true},
	{"copies are sent as often as ever", sender, "*s = Sender[F]{cfg: cfg,", "if mutant(`NAME`) { cfg.Patience = 1 }; *s = Sender[F]{cfg: cfg,", crowded, false},
	{"nothing is replayed on a new connection", sender, "if !after(from, seq) {", "if !mutant(`NAME`) && !after(from, seq) {", breaking, false},
	{"the replay begins too late", sender, "s.count.Replayed++\n", "if mutant(`NAME`) && from == seq { continue }; s.count.Replayed++\n", breaking, false},
	{"timers forget what a connection takes over", sender, "s.watched = s.next\n", "s.watched = s.next; if mutant(`NAME`) && !on { s.deadline = 0 }\n",
		Options{Channel: "hybrid", Faults: "loss"}, false},
	{"credit is ignored", sender, "return !after(s.limit, s.next) &&", "return !mutant(`NAME`) && !after(s.limit, s.next) &&", credit, true},
	{"credit never grows", receiver, "after(promise, r.limit) {", "after(promise, r.limit) && !mutant(`NAME`) {", credit, false},
	{"a sum is sent on before it is complete", summing, "b.Send(peer, value, ready)", "b.Send(peer, value, func() int { if mutant(`NAME`) { return plan.None }; return ready }())", doubling, false},
	{"sums forget the order of ranks", summing, "me&mask == 0, got", "me&mask == 0 && !mutant(`NAME`), got", doubling, true},
	{"a fence does not ask what its packets have come to", fencing, "if remote && p.dirty && w.loop.Failed(p.proc) == nil {", "if remote && p.dirty && w.loop.Failed(p.proc) == nil && !mutant(`NAME`) {", windows, false},
	{"a lock is given to whoever asks", locking, "for len(t.queue) > 0 && t.alone < 0 {", "for len(t.queue) > 0 && (t.alone < 0 || mutant(`NAME`)) {", windows, true},
	{"a lock is given back while a device writes", locking, "if p.flying > 0 { // a device", "if p.flying > 0 && !mutant(`NAME`) { // a device", windows, false},
	{"frames are caught out of turn", catching, "!p.in.Plain(le.Uint32(frame[8:])) || p.ackable", "!mutant(`NAME`) && !p.in.Plain(le.Uint32(frame[8:])) || p.ackable", lossy, true},
	{"messages are caught after Arm", catching, "l.sink == nil || l.armed {", "l.sink == nil || l.armed && !mutant(`NAME`) {", waking, false},
	{"a message that was cut off forgets its place", steering, "case p.placed.on && p.placed.kind == kLong:", "case p.placed.on && p.placed.kind == kLong && !mutant(`NAME`):", unasking, false},
	{"a message that was cut off is taken for whole", "internal/rail/place.go", "here := a.lane == ln\n", "here := a.lane == ln || mutant(`NAME`)\n", breaking, false},
	{"what an interface refuses is not copied", handing, "copy(b.mem[first:b.n], late)\n", "if !mutant(`NAME`) { copy(b.mem[first:b.n], late) }\n", breaking, false},
	{"an answer needs no credit", handing, "|| p.out.Full() {", "|| p.out.Full() && !mutant(`NAME`) {", credit, false},
	{"every node takes the others' processors for its own", agreeing, "return agreed(p.size, hosts, set)",
		"if mutant(`NAME`) { for i := range hosts { hosts[i].CPUs = hosts[p.node].CPUs } }; return agreed(p.size, hosts, set)", uneven, true},
	{"every node fetches if it can itself", agreeing, "return agreed(p.size, hosts, set)",
		"if mutant(`NAME`) { for i := range hosts { hosts[i].Fetches = hosts[p.node].Fetches } }; return agreed(p.size, hosts, set)", fetching, false},
	{"a call does not wait for what has begun to move", "internal/progress/cancel.go", "if w.need > 0 {", "if mutant(`NAME`) && w.need > 0 { r.waiter = nil; r.flags |= detached; l.count(r); return cause }; if w.need > 0 {", impatient, false},
	{"who gives a communicator up tells nobody", "internal/progress/cancel.go", "if p != l.cfg.Self {", "if p != l.cfg.Self && !mutant(`NAME`) {", impatient, false},
	{"a plan that is stopped leaves its sends", "internal/plan/run.go", "if open && r.plan.Steps[i].Kind == Send {", "if open && r.plan.Steps[i].Kind == Send && !mutant(`NAME`) {", impatient, false},
	{"more credit than receives", receiver, "r.grant = uint16(frames)", "if mutant(`NAME`) { frames += 8 }; r.grant = uint16(frames)", credit, false},
}

// with is the same for other programs.
func (o Options) with(programs string) Options {
	o.Programs = programs
	return o
}

// noRule begins the name of a mutation that takes a rule of the engine away.
const noRule = "no rule: "

// allMutations adds the engine's rules, whose edits package rules has. Nodes are even where it is
// not about them.
func allMutations() []mutation {
	all := append(slices.Clone(mutations), mutation{name: noRule + "ask-back", Options: impatient, quick: true})
	for i, rule := range ruleNames {
		m := mutation{name: noRule + rule, Options: speculative, quick: i == 0}
		switch rule {
		case "stop-reset": // it takes a row of long messages behind a short one
			m.Options = dueling
		case "stale-stop", "claim-ack": // messages that are claimed and received later, while others are awaited
			m.Options = claiming
		}
		all = append(all, m)
	}
	for i := range all {
		if all[i].Nodes == "" {
			all[i].Nodes = "even"
		}
	}
	return all
}

// chooser is the file that every mutated package gets.
const chooser = `package %s

import (
	"os"
	"strings"
)

var mutantName, mutantToo, _ = strings.Cut(os.Getenv("SIMTEST_MUTANT"), "+")

// mutant tells whether a mutation holds: the one that was named, or one of two.
func mutant(name string) bool {
	return name == mutantName || name == mutantToo
}
`

// buildMutants makes the test binary with all mutations.
func buildMutants(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	replace, text := map[string]string{}, map[string]string{} // by path below root
	for _, m := range append(allMutations(), covers...) {
		if rule, ok := strings.CutPrefix(m.name, noRule); ok {
			takeAway(t, root, text, rule, m.name)
			continue
		}
		if text[m.file] == "" {
			text[m.file] = source(t, root, m.file)
		}
		if n := strings.Count(text[m.file], m.old); n == 0 {
			t.Fatalf("%s: %s no longer has %q; the mutation needs another place", m.name, m.file, m.old)
		}
		text[m.file] = strings.Replace(text[m.file], m.old, strings.ReplaceAll(m.new, "NAME", m.name), 1)
	}
	put := func(path, name, text string) {
		replace[path] = filepath.Join(dir, name)
		if err := os.WriteFile(replace[path], []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for file, text := range text {
		put(filepath.Join(root, file), strings.ReplaceAll(file, "/", "_"), text)
		in := filepath.Dir(file)
		put(filepath.Join(root, in, "mutant.go"), strings.ReplaceAll(in, "/", "_")+".go", fmt.Sprintf(chooser, filepath.Base(in)))
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	put("overlay", "overlay.json", string(overlay))
	binary := filepath.Join(dir, "mutants.test")
	out, err := exec.Command("go", "test", "-c", "-vet=off", "-overlay", replace["overlay"], "-o", binary, ".").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return binary
}

// source returns a file of the library.
func source(t *testing.T, root, file string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// takeAway has a rule of the engine go when the mutation holds that has this name.
func takeAway(t *testing.T, root string, text map[string]string, rule, name string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "internal/engine/*.go"))
	if err != nil {
		t.Fatal(err)
	}
	engine := map[string]string{}
	for _, path := range files {
		if file := filepath.Join("internal/engine", filepath.Base(path)); text[file] != "" {
			engine[file] = text[file]
		} else if !strings.HasSuffix(file, "_test.go") {
			engine[file] = source(t, root, file)
		}
	}
	edits := 0
	for _, e := range rules.Edits {
		if e.Rule == rule {
			if err := e.Apply(engine, "mutant", name); err != nil {
				t.Fatal(err)
			}
			edits++
		}
	}
	if edits == 0 {
		t.Fatalf("package rules does not know %q", rule)
	}
	for file := range engine {
		text[file] = engine[file]
	}
}

// within is how many seeds may go well without a rule.
const within = 2000

// Without any one rule, seeds fail.
func TestEveryRuleIsNeeded(t *testing.T) {
	if testing.Short() {
		t.Skip("left out of short tests: builds the library with rules taken away")
	}
	binary := buildMutants(t)
	for _, m := range allMutations() {
		t.Run(m.name, func(t *testing.T) {
			if !m.quick && !soaking() {
				t.Skip("left out unless WEFT_SOAK=1: all of them take minutes")
			}
			both := m.name
			if covered[m.name] != "" {
				both += "+" + covered[m.name]
			}
			line, out := runMutant(t, binary, both, 0, m.Options)
			if line == "" {
				t.Fatalf("%d seeds went well without it\n%s", within, out)
			}
			t.Logf("seed %s", line)
			word, _, _ := strings.Cut(line, ":")
			seed, err := strconv.ParseUint(word, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			sweep(t, seed, seed, m.Options) // with all rules it must go well, or its failure shows nothing
			if both == m.name {
				return
			}
			for _, name := range strings.Split(both, "+") {
				if line, _ := runMutant(t, binary, name, seed, m.Options); line != "" {
					t.Errorf("%s: that alone fails at seed %s", name, line)
				}
			}
		})
	}
}

// runMutant runs seeds, or a single one, without a rule, and returns what it says of the first that fails,
// "" if none does.
func runMutant(t *testing.T, binary, name string, only uint64, o Options) (line, out string) {
	t.Helper()
	words, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(binary, "-test.run", "^TestMutant$", "-test.v")
	c.Env = append(os.Environ(), "WEFT_SOAK=", "SIMTEST_MUTANT="+name, fmt.Sprint("SIMTEST_ONLY=", only),
		"SIMTEST_OPTIONS="+string(words))
	told, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, told)
	}
	_, line, _ = strings.Cut(string(told), failsAt)
	line, _, _ = strings.Cut(line, "\n")
	return line, string(told)
}

// failsAt begins the line that tells which seed failed.
const failsAt = "the mutant fails at seed "

// TestMutant is for the binary that TestEveryRuleIsNeeded builds: it looks for a seed that fails.
func TestMutant(t *testing.T) {
	words, told := os.LookupEnv("SIMTEST_OPTIONS")
	if !told {
		t.Skip("only for the binary that TestEveryRuleIsNeeded builds and starts")
	}
	var o Options
	if err := json.Unmarshal([]byte(words), &o); err != nil {
		t.Fatal(err)
	}
	// A failing run may go on for ever: a stuck seed is a failure, too.
	s := Sweep{Options: o, Jobs: 1, Patience: 20 * time.Second}
	s.Stuck = func(c *Case) {
		fmt.Printf("%s%d: it does not end\n", failsAt, c.Seed)
		os.Exit(0)
	}
	s.Failed = func(c *Case, r Result) {
		first, _, _ := strings.Cut(r.Err.Error(), "\n")
		fmt.Printf("%s%d: %s\n", failsAt, c.Seed, first)
		os.Exit(0)
	}
	if only, err := strconv.ParseUint(os.Getenv("SIMTEST_ONLY"), 10, 64); err == nil && only > 0 {
		s.Seeds = []Range{{only, only}}
		s.Run()
		return
	}
	for first := uint64(1); first <= within; first += 50 {
		s.Seeds = []Range{{first, first + 49}}
		s.Run()
		runtime.GC()
	}
}
