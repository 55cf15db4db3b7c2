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
)

// mutation is one rule of a protocol taken away: a line of the source replaced by another. All are built into one test
// binary, by an overlay over the source, and an environment variable chooses the one that holds. The library itself knows
// nothing of it.
type mutation struct {
	name     string
	file     string // below the module's root
	old, new string // new calls mutant(name) to know whether it holds
	Options
	quick bool // it is among those that run always
}

// rules are those of the speculative protocol, in the order of their constants in package engine.
var rules = []string{"eager flag", "stop at the receiver", "stop reset", "drain", "stale stop", "RTR_ACK", "RTS_ACK", "RTS_ACK before the RTR",
	"RTS_ACK of all", "RTS_ACK once", "RTS_ACK of claims", "order", "wildcards", "crossing", "RTR too small", "early DONE", "ask to cancel"}

// covered are rules that another one makes up for, with that one: without both a seed must fail which goes well without either.
// A link replays on a new connection all that may be lost, whether or not timers still watch it.
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
	{"what an interface refuses is not copied", handing, "copy(b.mem[b.n-len(late):b.n], late)\n", "if !mutant(`NAME`) { copy(b.mem[b.n-len(late):b.n], late) }\n", Options{}, true},
	{"an answer needs no credit", handing, "|| p.out.Full() {", "|| p.out.Full() && !mutant(`NAME`) {", credit, false},
	{"every node takes the others' processors for its own", agreeing, "return agreed(p.size, hosts, set)",
		"if mutant(`NAME`) { for i := range hosts { hosts[i].CPUs = hosts[p.node].CPUs } }; return agreed(p.size, hosts, set)", uneven, true},
	{"every node fetches if it can itself", agreeing, "return agreed(p.size, hosts, set)",
		"if mutant(`NAME`) { for i := range hosts { hosts[i].Fetches = hosts[p.node].Fetches } }; return agreed(p.size, hosts, set)", fetching, false},
	{"a send is over before its receiver has agreed", "internal/engine/cancel.go", "if !e.obeys(ruleAskBack) {", "if !e.obeys(ruleAskBack) || mutant(`NAME`) {", impatient, true},
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

// allMutations adds the engine's rules, which have a switch of their own. Nodes are even where it
// is not about them.
func allMutations() []mutation {
	all := mutations
	for i, rule := range rules {
		m := mutation{name: "no rule: " + rule, file: "internal/engine/config.go", Options: speculative, quick: i == 0,
			old: "return e.broken&r == 0 }", new: "return (e.broken|mutantRule)&r == 0 }"}
		switch rule {
		case "stop reset": // it takes a row of long messages behind a short one
			m.Options = dueling
		case "stale stop", "RTS_ACK of claims": // messages that are claimed and received later, while others are awaited
			m.Options = claiming
		}
		all = append(all, m)
	}
	all = slices.Clone(all)
	for i := range all {
		if all[i].Nodes == "" {
			all[i].Nodes = "even"
		}
	}
	return all
}

// chooser is the file that every mutated package gets. In the engine, the number of a rule comes with its name.
const chooser = `package %s

import (
	"os"
	"strconv"
	"strings"
)

var mutantName, mutantToo, _ = strings.Cut(os.Getenv("SIMTEST_MUTANT"), "+")

// mutant tells whether a mutation holds: the one that was named, or one of two.
func mutant(name string) bool {
	return name == mutantName || name == mutantToo
}

var mutantRule = func() (r mutantBits) {
	if n, err := strconv.Atoi(os.Getenv("SIMTEST_RULE")); err == nil && n > 0 {
		r = 1 << (n - 1)
	}
	return r
}()

type mutantBits = %s
`

// buildMutants makes the test binary with all mutations.
func buildMutants(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	replace, text := map[string]string{}, map[string]string{}
	for _, m := range append(allMutations(), covers...) {
		path := filepath.Join(root, m.file)
		if text[path] == "" {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			text[path] = string(b)
		}
		if strings.Contains(text[path], m.new) {
			continue // the engine's switch is there already
		}
		if n := strings.Count(text[path], m.old); n == 0 {
			t.Fatalf("%s: %s no longer has %q; the mutation needs another place", m.name, m.file, m.old)
		}
		text[path] = strings.Replace(text[path], m.old, strings.ReplaceAll(m.new, "NAME", m.name), 1)
	}
	put := func(path, name, text string) {
		replace[path] = filepath.Join(dir, name)
		if err := os.WriteFile(replace[path], []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for path, text := range text {
		put(path, filepath.Base(filepath.Dir(path))+"_"+filepath.Base(path), text)
	}
	put(filepath.Join(root, "internal/engine/mutant.go"), "engine_mutant.go", fmt.Sprintf(chooser, "engine", "rule"))
	put(filepath.Join(root, "internal/rail/mutant.go"), "rail_mutant.go", fmt.Sprintf(chooser, "rail", "uint32"))
	put(filepath.Join(root, "internal/boot/mutant.go"), "boot_mutant.go", fmt.Sprintf(chooser, "boot", "uint32"))
	put(filepath.Join(root, "internal/coll/mutant.go"), "coll_mutant.go", fmt.Sprintf(chooser, "coll", "uint32"))
	put(filepath.Join(root, "internal/plan/mutant.go"), "plan_mutant.go", fmt.Sprintf(chooser, "plan", "uint32"))
	put(filepath.Join(root, "internal/progress/mutant.go"), "progress_mutant.go", fmt.Sprintf(chooser, "progress", "uint32"))
	put(filepath.Join(root, "internal/window/mutant.go"), "window_mutant.go", fmt.Sprintf(chooser, "window", "uint32"))
	put(filepath.Join(root, "internal/rail/flow/mutant.go"), "flow_mutant.go", fmt.Sprintf(chooser, "flow", "uint32"))
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

// within is how many seeds may go well without a rule.
const within = 2000

// Without any one rule, seeds fail.
func TestEveryRuleIsNeeded(t *testing.T) {
	if testing.Short() {
		t.Skip("left out of short tests: builds the library with rules taken away")
	}
	binary := buildMutants(t)
	rule := 0
	for _, m := range allMutations() {
		number := 0
		if strings.HasPrefix(m.name, "no rule: ") {
			rule++
			number = rule
		}
		t.Run(m.name, func(t *testing.T) {
			if !m.quick && !soaking() {
				t.Skip("left out unless WEFT_SOAK=1: all of them take minutes")
			}
			both := m.name
			if covered[m.name] != "" {
				both += "+" + covered[m.name]
			}
			line, out := runMutant(t, binary, both, number, 0, m.Options)
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
				if line, _ := runMutant(t, binary, name, 0, seed, m.Options); line != "" {
					t.Errorf("%s: that alone fails at seed %s", name, line)
				}
			}
		})
	}
}

// runMutant runs seeds, or a single one, without a rule, and returns what it says of the first that fails, "" if none does.
func runMutant(t *testing.T, binary, name string, rule int, only uint64, o Options) (line, out string) {
	t.Helper()
	words, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(binary, "-test.run", "^TestMutant$", "-test.v")
	c.Env = append(os.Environ(), "WEFT_SOAK=", "SIMTEST_MUTANT="+name, fmt.Sprint("SIMTEST_RULE=", rule), fmt.Sprint("SIMTEST_ONLY=", only),
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
