package engine

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// absence is a rule of speculation that has no constant of its own, taken away: a line of the source replaced by another, which calls
// without(NAME) to know whether the rule is away. All are built into one test binary, by an overlay over the source, and an
// environment variable chooses.
type absence struct {
	name     string
	file     string
	old, new string
	tests    string // of which one must fail then
}

const (
	models     = "TestScenario|TestModel|TestRandomSchedules"
	adaptation = "TestAdaptation"
)

// absences are what announces receives, what ends that, and adaptation; mutations has the rules that keep messages from going astray.
var absences = []absence{
	{"STOP silences receives", "speculate_recv.go", "case g.stop:", "case g.stop && !without(`NAME`):", models},
	{"RESUME lets them speak", "speculate_recv.go", "g.stop = false", "g.stop = g.stop && without(`NAME`)", models},
	{"flags hold when their RTS arrives", "arrive.go", "if h.Flags&gateFlags != 0 {", "if h.Flags&gateFlags != 0 && !(without(`NAME`) && e.posted.Last(env) == nil) {", models},
	{"wildcards are silent", "speculate_recv.go", "if r.Wild() {", "if r.Wild() && !without(`NAME`) {", models},
	{"an RTR is taken by messages that fit", "speculate_send.go", "if len(r.Buf) <= t.room &&", "if (len(r.Buf) <= t.room || without(`NAME`)) &&", models},
	{"so is one for which an RTS is withdrawn", "speculate_send.go", "len(r.Buf) > t.room ||", "len(r.Buf) > t.room && !without(`NAME`) ||", models},
	{"an RTS that has left is not withdrawn", "speculate_send.go", "if r.gone || r.pkt.Flags", "if r.gone && !without(`NAME`) || r.pkt.Flags", models},
	{"nor is one that says more", "speculate_send.go", "r.pkt.Flags != wire.Speculative ||", "r.pkt.Flags != wire.Speculative && !without(`NAME`) ||", models},
	{"eager messages count before the first RTR", "speculate_send.go", "sp.marks.add(hash)", "if !without(`NAME`) { sp.marks.add(hash) }", models},
	{"void RTRs are few", "speculate_recv.go", "case g.unused >= e.cfg.MaxUnusedRTR:", "case g.unused >= e.cfg.MaxUnusedRTR && !without(`NAME`):", "TestVoidRTRsDoNotPileUp"},
	{"a long request looks first", "speculate.go", "|| e.cfg.NoInitialProgress {", "|| e.cfg.NoInitialProgress || without(`NAME`) {", "TestAdaptationEndsTheInitialLook"},
	{"a send that nobody speaks to does not", "speculate.go", "return s == nil || !s.stopped", "return s == nil || !s.stopped || without(`NAME`)", "TestAdaptationEndsTheInitialLook"},
	{"RTRs of little use end", "speculate_send.go", "share >= e.cfg.SpecThreshold {", "share >= e.cfg.SpecThreshold || without(`NAME`) {", adaptation},
	{"receives heed that", "speculate_recv.go", "case g.silent:", "case g.silent && !without(`NAME`):", adaptation},
	{"few RTRs prove nothing", "speculate.go", "if n < c.SpecMinSamples {", "if n < c.SpecMinSamples && !without(`NAME`) {", adaptation},
	{"silent receives are watched", "speculate_recv.go", "if !usable || !enough ||", "if !usable || !enough || without(`NAME`) ||", adaptation},
	{"an RTR needs its time", "speculate_recv.go", "e.now-r.since > e.cfg.RoundTrip", "e.now-r.since > e.cfg.RoundTrip || without(`NAME`)", adaptation},
	{"each silence is longer", "speculate_recv.go", "g.watched < g.patience {", "g.watched < g.patience && !without(`NAME`) {", "TestSilencesGrow"},
	{"envelopes are judged alone, or together", "speculate_send.go", "if e.cfg.SpecScope == PerProcess {", "if e.cfg.SpecScope == PerProcess && !without(`NAME`) {", "TestScopes"},
}

// chooser tells which rule is away.
const chooser = `package engine

import "os"

var absent = os.Getenv("ENGINE_WITHOUT")

func without(rule string) bool { return rule == absent }
`

// buildAbsences makes the test binary in which rules can be taken away.
func buildAbsences(t *testing.T) string {
	t.Helper()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	dir, text := t.TempDir(), map[string]string{"without.go": chooser}
	for _, a := range absences {
		if text[a.file] == "" {
			b, err := os.ReadFile(a.file)
			if err != nil {
				t.Fatal(err)
			}
			text[a.file] = string(b)
		}
		if !strings.Contains(text[a.file], a.old) {
			t.Fatalf("%s: %s no longer has %q; the rule is in another place", a.name, a.file, a.old)
		}
		text[a.file] = strings.Replace(text[a.file], a.old, strings.ReplaceAll(a.new, "NAME", a.name), 1)
	}
	replace := map[string]string{}
	put := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for file, text := range text {
		replace[filepath.Join(here, file)] = put(file, text)
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(dir, "engine.test")
	if out, err := exec.Command("go", "test", "-c", "-vet=off", "-overlay", put("overlay.json", string(overlay)), "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return binary
}

// Without any of these rules a test fails, which does not fail with all of them.
func TestEveryRuleIsTested(t *testing.T) {
	if testing.Short() {
		t.Skip("left out of short tests: builds the engine with rules taken away")
	}
	binary := buildAbsences(t)
	run := func(rule, tests string) (out string, failed bool) {
		c := exec.Command(binary, "-test.short", "-test.failfast", "-test.run", fmt.Sprintf("^(%s)$", tests))
		c.Env = append(os.Environ(), "WEFT_SOAK=", "ENGINE_WITHOUT="+rule)
		b, err := c.CombinedOutput()
		return string(b), err != nil
	}
	all := map[string]bool{}
	for _, a := range absences {
		all[a.tests] = true
		t.Run(a.name, func(t *testing.T) {
			if out, failed := run(a.name, a.tests); !failed {
				t.Errorf("%s: none fails without it\n%s", a.tests, out)
			}
		})
	}
	for tests := range all {
		if out, failed := run("", tests); failed {
			t.Errorf("%s fails with all rules\n%s", tests, out)
		}
	}
}
