package boot

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/sched"
	"github.com/weft-mpi/weft/internal/tune"
)

// What launchers and users tell ranks besides settings is not taken for a misspelt one; a name that nobody owns is.
func TestNoSettings(t *testing.T) {
	for name, known := range map[string]bool{
		joinedVariable: true, sched.KeyFileVariable: true, sched.LeaderVariable: true, sched.SizeVariable: true, "WEFT_LEFT": false,
	} {
		set, err := ReadSettings([]string{name + "=x"})
		if err != nil || (set.Unknown() == nil) != known {
			t.Errorf("%s: %v, %v", name, err, set.Unknown())
		}
	}
}

// The defaults are values that the settings can have, and mean what they say.
func TestDefaultSettings(t *testing.T) {
	set, err := ReadSettings(nil)
	if err != nil || set.Unknown() != nil {
		t.Fatal(err, set.Unknown())
	}
	if set.Stall != 60e9 || set.Arena != 1<<30 || set.Shm.NoCMA || !set.Soft.NoCRC || set.Soft.Silence != 5e9 || set.Check != "auto" || set.Comm.BsendMax != 256<<20 {
		t.Errorf("%+v", set)
	}
	seen := map[string]bool{}
	var env []string
	for _, i := range set.Values {
		if seen[i.Name] || !strings.HasPrefix(i.Name, "WEFT_") || i.Text == "" || i.Group == "" {
			t.Errorf("%+v", i)
		}
		seen[i.Name] = true
		env = append(env, i.Name+"="+i.Default)
	}
	again, err := ReadSettings(env)
	if err != nil || again.Unknown() != nil {
		t.Fatal(err, again.Unknown())
	}
	for k, i := range again.Values {
		if i.Value != set.Values[k].Value {
			t.Errorf("%s=%s is read as %s", i.Name, i.Default, i.Value)
		}
	}
}

// Few settings are for users; of the others each is needed by an experiment or a test.
func TestFewSettings(t *testing.T) {
	values := defaults()
	set, _, err := tune.Read(values.table(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(set.Public()); n > 30 {
		t.Errorf("%d settings are shown to users", n)
	}
	used := map[string]bool{}
	for _, m := range sets.FindAllStringSubmatch(source(t), -1) {
		used["WEFT_"+strings.ToUpper(strings.ReplaceAll(m[1], "-", "_"))] = true
	}
	for _, name := range set.Lab().Names() {
		if !used[name] {
			t.Errorf("nothing sets %s", name)
		}
	}
}

// sets matches what sets one: WEFT_LAB_X=, lab_x= or lab-x=, and the call that package simtest has for it.
var sets = regexp.MustCompile(`\b(?:WEFT_|set\(")?(LAB_[A-Z_]+|lab[a-z_-]+)(?:=|", )`)

// source is what experiments, studies and tests are made of; not the test that sets everything.
func source(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	for _, pattern := range []string{"../../lab/*.go", "../../lab/experiments/*.go", "../bench/*.go", "../simtest/*.go", "../*/*_test.go", "../../mpi/*_test.go", "../../cmd/weft/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %q, %v", pattern, files, err)
		}
		for _, f := range files {
			if base := filepath.Base(f); base == "net_layouts_test.go" || base == "settings_test.go" {
				continue
			}
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			all.Write(text)
		}
	}
	return all.String()
}

// Who sets what is no setting is told what it may be called, also if it had another name before.
func TestUnknownSettings(t *testing.T) {
	set, err := ReadSettings([]string{"WEFT_VBUF=1K", "WEFT_STAL=3", "WEFT_ODDITY=1", "WEFT_SIZE=4"})
	if err != nil {
		t.Fatal(err)
	}
	got := set.Unknown()
	if !errors.Is(got, tune.ErrBad) {
		t.Fatal(got)
	}
	for _, want := range []string{"WEFT_VBUF is now called WEFT_LAB_VBUF", "no setting is called WEFT_STAL (did you mean WEFT_STALL?)", "no setting is called WEFT_ODDITY; weft info --tunables"} {
		if !strings.Contains(got.Error(), want) {
			t.Errorf("no %q in %v", want, got)
		}
	}
	if strings.Contains(got.Error(), "WEFT_SIZE") {
		t.Error(got)
	}
}

// What concerns the job as a whole is checked, and says what would be right.
func TestJobSettings(t *testing.T) {
	for _, bad := range []string{"WEFT_LINKS=tcp", "WEFT_REPORT=here", "WEFT_ARRIVALS=a/b", "WEFT_PROFILE=a", "WEFT_PROFILE=--", "WEFT_IFACE=eth0,,", "WEFT_IFACE=^", "WEFT_LAB_CONGESTION=Reno", "WEFT_LAB_CONGESTION=",
		"WEFT_LAB_NODES=0", "WEFT_LAB_NODES=1,x", "WEFT_LAB_NODES=-1", "WEFT_RAILS=9", "WEFT_LAB_UD_DROP=2", "WEFT_PROGRESS=", "WEFT_CMA=1", "WEFT_WAIT=never", "WEFT_LAB_HELP=me"} {
		name, _, _ := strings.Cut(bad, "=")
		if _, err := ReadSettings([]string{bad}); !errors.Is(err, tune.ErrBad) || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "must be") {
			t.Errorf("%s: %v", bad, err)
		}
	}
	for words, want := range map[string]string{"": "", "3": "3", "0, 1,1": "0,1,1"} {
		var n nodes
		if err := n.parse(words); err != nil || n.format() != want || n.pretended() != (words != "") {
			t.Errorf("%q is read as %q, %v", words, n.format(), err)
		}
	}
}
