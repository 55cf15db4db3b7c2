// Package weft_test holds the tests that concern the whole tree.
package weft_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/weft-mpi/weft/"

// The levels of the house: imports point down only.
const (
	tool = 7 // commands, examples and what only they use
	face = 6
)

// row is one package of the architecture's table: its level and what it may import of this module. Pure
// packages may not even know of sockets, files, locks, clocks and chance.
type row struct {
	level int
	pure  bool
	may   []string
}

// kernel and flow are what applications may import.
var (
	kernel = []string{"apps", "apps/meter", "apps/rand46", "mpi"}
	flow   = []string{"apps", "apps/cells", "apps/cfd", "apps/meter", "mpi"}
)

var house = map[string]row{
	"cmd/weft": {tool, false, []string{"mpi/rdma", "internal/arrival", "internal/bench", "internal/bench/figure", "internal/bench/peers", "internal/bench/rank",
		"internal/boot", "internal/chart", "internal/clock", "internal/cluster", "internal/coll", "internal/doctor", "internal/launch", "internal/launch/desk", "internal/launch/hosts", "internal/launch/ssh", "internal/launch/live", "internal/meet", "internal/model", "internal/pmi", "internal/sched", "internal/simtest", "internal/soak", "internal/spell", "internal/topo", "internal/tune", "internal/tuner", "internal/usage", "internal/userfile", "internal/verbs", "internal/verbs/kernel", "internal/verbs/kernel/sysfs", "internal/verbs/perf", "internal/verbs/sim", "internal/verbs/soft", "internal/vet",
		"lab", "lab/draw", "lab/experiments", "lab/measure", "lab/page", "mpi"}},
	"cmd/libmpi":        {tool, false, []string{"internal/abi", "internal/boot"}},
	"tools/abi":         {tool, false, []string{"internal/abi/spec"}},
	"tools/clients":     {tool, false, nil},
	"internal/abi/spec": {0, false, nil},
	"internal/abi": {face, false, []string{"internal/abi/spec", "internal/boot", "internal/coll", "internal/comm", "internal/datatype", "internal/engine", "internal/plan", "internal/progress",
		"internal/topo", "internal/window", "internal/wire"}},
	"lab": {tool, false, []string{"internal/bench", "internal/boot", "internal/clock", "internal/engine", "internal/progress", "internal/rail", "internal/rail/regcache",
		"internal/rail/reuse", "internal/spell", "internal/verbs", "internal/verbs/sim", "internal/verbs/soft", "internal/wire", "lab/measure", "mpi"}},
	"lab/measure": {tool, false, []string{"internal/bench", "internal/clock", "internal/coll", "internal/rail/regcache", "internal/rail/reuse", "internal/verbs", "mpi"}},
	"lab/experiments": {tool, false, []string{"apps", "apps/bt", "apps/cg", "apps/ft", "apps/is", "apps/lu", "apps/meter", "apps/mg", "apps/nbody", "apps/radix", "apps/sp", "internal/arrival", "internal/bench", "internal/clock", "internal/coll", "internal/comm", "internal/plan", "internal/verbs/perf", "internal/engine", "internal/engine/record", "internal/rail", "internal/rail/reuse",
		"internal/verbs", "internal/verbs/sim", "internal/verbs/soft", "internal/wire", "lab", "lab/measure", "mpi"}},
	"lab/draw":              {tool, false, []string{"internal/chart", "internal/wire", "lab"}},
	"lab/page":              {tool, false, []string{"internal/chart", "lab", "lab/draw"}},
	"examples":              {tool, false, nil},
	"apps":                  {tool, false, []string{"apps/meter", "mpi"}},
	"apps/meter":            {tool, false, []string{"mpi"}},
	"apps/rand46":           {tool, true, nil},
	"apps/run":              {tool, false, []string{"apps", "apps/bt", "apps/cg", "apps/ep", "apps/ft", "apps/is", "apps/lu", "apps/mg", "apps/nbody", "apps/radix", "apps/sp", "mpi"}},
	"apps/cfd":              {tool, false, []string{"apps", "apps/meter", "mpi"}},
	"apps/cells":            {tool, false, []string{"apps", "apps/cfd", "apps/meter", "mpi"}},
	"apps/bt":               {tool, false, flow},
	"apps/lu":               {tool, false, flow},
	"apps/sp":               {tool, false, flow},
	"apps/cg":               {tool, false, kernel},
	"apps/ep":               {tool, false, kernel},
	"apps/ft":               {tool, false, kernel},
	"apps/is":               {tool, false, kernel},
	"apps/mg":               {tool, false, kernel},
	"apps/nbody":            {tool, false, kernel},
	"apps/radix":            {tool, false, kernel},
	"docs":                  {tool, false, nil},
	"tools/site":            {tool, false, nil},
	"internal/vet":          {tool, false, nil},
	"tools/tests":           {tool, false, nil},
	"internal/bench":        {0, false, nil},
	"internal/chart":        {0, false, nil},
	"internal/bench/figure": {1, false, []string{"internal/bench", "internal/chart"}},
	"internal/bench/peers":  {1, false, []string{"internal/bench"}},
	"internal/bench/rank":   {tool, false, []string{"internal/bench", "mpi"}},
	"mpi/rdma":              {face, false, []string{"internal/boot", "internal/verbs/kernel/ffi"}},
	"mpi":                   {face, false, []string{"internal/boot", "internal/coll", "internal/comm", "internal/datatype", "internal/plan", "internal/topo", "internal/window", "internal/wire"}},
	"internal/simtest": {tool, false, []string{"internal/boot", "internal/clock", "internal/coll", "internal/engine", "internal/progress", "internal/rail",
		"internal/topo", "internal/userfile", "internal/verbs/sim", "internal/wire", "mpi"}},
	"internal/tuner":               {tool, false, []string{"internal/boot", "internal/clock", "internal/coll", "internal/comm", "internal/datatype", "internal/model", "internal/plan", "internal/topo", "internal/verbs/sim"}},
	"internal/soak":                {tool, false, []string{"internal/cluster", "mpi"}},
	"internal/cluster":             {0, false, nil},
	"internal/cluster/clustertest": {1, false, []string{"internal/cluster"}},
	"internal/doctor":              {2, false, []string{"internal/cgroup", "internal/launch/hosts", "internal/launch/ssh", "internal/munge", "internal/verbs/kernel/sysfs"}},
	"internal/arrival":             {4, false, []string{"internal/coll", "internal/comm"}},
	"internal/boot": {5, false, []string{"internal/agree", "internal/arrival", "internal/calls", "internal/cgroup", "internal/clock", "internal/coll", "internal/comm", "internal/council", "internal/engine", "internal/inproc", "internal/meet", "internal/model", "internal/munge", "internal/plan", "internal/pmi", "internal/sched",
		"internal/pages", "internal/progress", "internal/rail", "internal/shm", "internal/spell", "internal/stall", "internal/tune", "internal/userfile", "internal/verbs", "internal/verbs/kernel", "internal/verbs/kernel/ibv",
		"internal/verbs/kernel/sysfs", "internal/verbs/sim", "internal/verbs/soft", "internal/verbs/team", "internal/wire"}},
	"internal/rail": {3, false, []string{"internal/clock", "internal/pages", "internal/rail/flow", "internal/rail/regcache", "internal/rail/registrar", "internal/rail/reuse",
		"internal/rail/stripe", "internal/tune", "internal/verbs", "internal/wire"}},
	"internal/rail/registrar": {2, false, []string{"internal/clock", "internal/pages", "internal/rail/regcache", "internal/rail/reuse",
		"internal/tune", "internal/verbs", "internal/wire"}},
	"internal/rail/regcache": {1, false, []string{"internal/rail/tree", "internal/verbs"}},
	"internal/rail/reuse":    {1, false, []string{"internal/rail/tree"}},
	"internal/rail/stripe":   {0, true, nil},
	"internal/rail/flow":     {0, true, nil},
	"internal/rail/tree":     {0, true, nil},
	"internal/topo":          {0, true, nil},
	"internal/council":       {0, true, nil},
	"internal/window":        {4, false, []string{"internal/coll", "internal/comm", "internal/datatype", "internal/progress", "internal/wire"}},
	"internal/calls":         {0, false, nil},
	"internal/agree":         {2, false, []string{"internal/plan", "internal/pmi"}},
	"internal/comm":          {3, false, []string{"internal/agree", "internal/calls", "internal/coll", "internal/council", "internal/datatype", "internal/engine", "internal/match", "internal/plan", "internal/progress", "internal/topo", "internal/tune", "internal/wire"}},
	"internal/progress":      {2, false, []string{"internal/clock", "internal/engine", "internal/match", "internal/plan", "internal/wire"}},
	"internal/coll":          {2, true, []string{"internal/model", "internal/plan", "internal/topo"}},
	"internal/model":         {1, true, []string{"internal/plan"}},
	"internal/plan":          {0, true, nil},
	"internal/engine":        {1, true, []string{"internal/match", "internal/tune", "internal/wire"}},
	"internal/engine/record": {0, false, nil},
	"internal/engine/rules":  {0, false, nil},
	"internal/inproc":        {1, false, []string{"internal/clock", "internal/wire"}},
	"internal/shm":           {1, false, []string{"internal/pages", "internal/tune", "internal/wire"}},
	"internal/verbs/perf": {tool, false, []string{"internal/bench", "internal/clock", "internal/socket", "internal/verbs",
		"internal/verbs/soft"}},
	"internal/verbs/soft": {2, false, []string{"internal/clock", "internal/iwarp", "internal/iwarp/crypt", "internal/iwarp/rd", "internal/iwarp/seal", "internal/iwarp/ud",
		"internal/socket", "internal/tune", "internal/verbs", "internal/verbs/auth", "internal/verbs/nic"}},
	"internal/verbs/auth":             {0, false, nil},
	"internal/verbs/team":             {2, false, []string{"internal/verbs"}},
	"internal/verbs/kernel":           {2, false, []string{"internal/clock", "internal/socket", "internal/tune", "internal/verbs", "internal/verbs/auth", "internal/verbs/kernel/cm", "internal/verbs/kernel/ibv", "internal/verbs/kernel/sysfs", "internal/verbs/nic"}},
	"internal/verbs/kernel/ffi":       {2, false, []string{"internal/verbs/kernel/ibv", "internal/verbs/kernel/rxe"}},
	"internal/verbs/kernel/rxe":       {1, false, []string{"internal/verbs/kernel/ibv"}},
	"internal/verbs/kernel/ibv":       {0, false, nil},
	"internal/verbs/kernel/ibv/ctest": {0, false, nil},
	"internal/verbs/kernel/sysfs":     {0, false, nil},
	"internal/verbs/kernel/cm":        {0, false, nil},
	"internal/verbs/kernel/fake":      {2, false, []string{"internal/verbs/kernel/cm", "internal/verbs/kernel/ibv"}},
	"internal/verbs/sim":              {2, false, []string{"internal/clock", "internal/model", "internal/userfile", "internal/verbs", "internal/verbs/nic", "internal/wire"}},
	"internal/verbs/soft/interop":     {tool, false, []string{"internal/verbs", "internal/verbs/soft"}},
	"internal/verbs/soft/witness":     {tool, false, []string{"internal/iwarp", "internal/verbs", "internal/verbs/soft"}},
	"internal/verbs/verbstest":        {1, false, []string{"internal/verbs"}},
	"internal/verbs/verbstest/model":  {1, false, []string{"internal/verbs"}},
	"internal/verbs/nic":              {1, false, []string{"internal/verbs"}},
	"internal/iwarp/rd":               {1, true, []string{"internal/iwarp"}},
	"internal/iwarp/ud":               {1, true, []string{"internal/iwarp"}},
	"internal/iwarp/crypt":            {0, true, nil},
	"internal/iwarp/seal":             {0, true, nil},
	"internal/verbs":                  {0, false, nil},
	"internal/iwarp":                  {0, true, nil},
	"internal/socket":                 {0, false, nil},
	"internal/launch": {3, false, []string{"internal/clock", "internal/council", "internal/launch/desk", "internal/launch/frame", "internal/launch/hosts", "internal/launch/live", "internal/launch/metrics", "internal/launch/ssh",
		"internal/pages", "internal/pmi", "internal/sched", "internal/stall"}},
	"internal/launch/desk":       {0, false, nil},
	"internal/launch/live":       {2, false, []string{"internal/pmi", "internal/stall"}},
	"internal/launch/metrics":    {0, false, nil},
	"internal/launch/frame":      {0, false, nil},
	"internal/launch/hosts":      {0, false, nil},
	"internal/launch/ssh":        {1, false, []string{"internal/launch/hosts"}},
	"internal/launch/launchtest": {1, false, []string{"internal/pmi"}},
	"internal/spell":             {0, true, nil},
	"internal/usage":             {0, false, nil},
	"internal/stall":             {1, false, []string{"internal/pmi"}},
	"internal/userfile":          {0, false, nil},
	"internal/wire":              {0, true, nil},
	"internal/match":             {0, true, nil},
	"internal/datatype":          {0, true, nil},
	"internal/clock":             {0, false, nil},
	"internal/pages":             {0, false, nil},
	"internal/cgroup":            {0, false, nil},
	"internal/pmi":               {0, false, nil},
	"internal/munge":             {0, false, nil},
	"internal/meet":              {1, false, []string{"internal/munge", "internal/pmi"}},
	"internal/sched":             {1, false, []string{"internal/launch/hosts"}},
	"internal/sched/real":        {tool, false, []string{"internal/cluster", "mpi"}},
	"internal/tune":              {0, false, nil},
}

// banned are the imports that would make a pure package impure: names, and everything below them.
var banned = []string{"net", "os", "sync", "time", "math/rand", "crypto/rand", "syscall"}

// outside are the packages from other modules that the library may use; tools may use more.
var outside = []string{"golang.org/x/sys/unix", "golang.org/x/sys/cpu"}

// foreign is the one package that may use purego, to call a library of C's, and that nobody below a program
// imports: so a user who does not ask for it need not have purego.
const foreign = "internal/verbs/kernel/ffi"

// asked is what programs import to be linked with that package; nobody of the library may import it either.
const asked = "mpi/rdma"

// foreignC is the one package with cgo: the C library, which no other package imports.
const foreignC = "cmd/libmpi"

// rowOf finds the row of a package; examples share one.
func rowOf(pkg string) (row, bool) {
	if strings.HasPrefix(pkg, "examples/") {
		return row{tool, false, []string{"mpi"}}, true
	}
	r, ok := house[pkg]
	return r, ok
}

func below(path string, roots []string) bool {
	return slices.ContainsFunc(roots, func(root string) bool { return path == root || strings.HasPrefix(path, root+"/") })
}

// complaint says what is wrong with an import, or nothing.
func complaint(pkg, path string) string {
	r, known := rowOf(pkg)
	first, _, _ := strings.Cut(path, "/")
	switch own, ours := strings.CutPrefix(path, module); {
	case !known:
		return "the package is not in the table"
	case ours && !slices.Contains(r.may, own):
		return "the table does not allow it"
	case ours:
		return ""
	case path == "C" && pkg == foreignC:
		return ""
	case path == "C":
		return "no cgo"
	case pkg == foreign && path == "github.com/ebitengine/purego":
		return ""
	case r.pure && below(path, banned):
		return "a pure package must not know it"
	case strings.Contains(first, ".") && r.level <= face && !slices.Contains(outside, path):
		return "the library stands on the standard library and x/sys only"
	}
	return ""
}

// TestImports parses the imports of every file and holds them against the table. It opens the files itself, so
// that the test cache notices when one changes.
func TestImports(t *testing.T) {
	seen := map[string]bool{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() && path != "." && (name[0] == '.' || name[0] == '_' || name == "testdata") {
			return filepath.SkipDir
		}
		if d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		pkg := filepath.ToSlash(filepath.Dir(path))
		seen[pkg] = true
		if _, known := rowOf(pkg); !known {
			t.Errorf("%s: package %s is not in the table", path, pkg)
		}
		for _, imp := range file.Imports {
			what, err := strconv.Unquote(imp.Path.Value)
			if err != nil {
				return err
			}
			if c := complaint(pkg, what); c != "" {
				t.Errorf("%s imports %s: %s", path, what, c)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for pkg := range house {
		if !seen[pkg] && pkg != "docs" {
			t.Errorf("the table lists %s, which has no code", pkg)
		}
	}
}

// TestTablePointsDown: every allowed import is of a lower level, tools among themselves excepted.
func TestTablePointsDown(t *testing.T) {
	for pkg, r := range house {
		for _, dep := range r.may {
			if (dep == foreign || dep == asked) && r.level < tool && pkg != asked {
				t.Errorf("%s may import %s, which only programs may", pkg, dep)
			}
			if d, ok := house[dep]; !ok || d.level >= r.level && r.level < tool {
				t.Errorf("%s (level %d) may import %s (level %d)", pkg, r.level, dep, d.level)
			}
		}
	}
}

// TestComplaints: the rules do find what they are for.
func TestComplaints(t *testing.T) {
	for _, c := range []struct{ pkg, path, want string }{
		{"internal/engine", "net/http", "a pure package must not know it"},
		{"internal/engine", "sync/atomic", "a pure package must not know it"},
		{"internal/wire", "time", "a pure package must not know it"},
		{"internal/match", "math/rand/v2", "a pure package must not know it"},
		{"internal/datatype", "os", "a pure package must not know it"},
		{"internal/plan", module + "internal/coll", "the table does not allow it"},
		{"internal/engine", module + "internal/progress", "the table does not allow it"},
		{"internal/shm", "C", "no cgo"},
		{"internal/abi", "C", "no cgo"},
		{"cmd/libmpi", "C", ""},
		{"internal/shm", "github.com/google/go-cmp/cmp", "the library stands on the standard library and x/sys only"},
		{"internal/shm", "github.com/ebitengine/purego", "the library stands on the standard library and x/sys only"},
		{"internal/verbs/kernel", module + "internal/verbs/kernel/ffi", "the table does not allow it"},
		{"internal/verbs/kernel/ffi", "github.com/ebitengine/purego", ""},
		{"internal/util", "fmt", "the package is not in the table"},
		{"examples/pi", module + "internal/comm", "the table does not allow it"},
		{"examples/pi", module + "mpi", ""},
		{"internal/shm", "golang.org/x/sys/unix", ""},
		{"internal/engine", "errors", ""},
	} {
		if got := complaint(c.pkg, c.path); got != c.want {
			t.Errorf("%s imports %s: %q, want %q", c.pkg, c.path, got, c.want)
		}
	}
}

// TestPackagesWithoutRaces: the race detector is spared the packages that have no goroutines, and no
// others; results of packages that have none are remembered.
func TestPackagesWithoutRaces(t *testing.T) {
	text, err := os.ReadFile("Makefile")
	if err != nil {
		t.Fatal(err)
	}
	list := func(name string) []string {
		_, rest, _ := strings.Cut(strings.ReplaceAll(string(text), "\\\n", " "), "\n"+name+" := ")
		line, _, _ := strings.Cut(rest, "\n")
		return strings.Fields(line)
	}
	var pure []string
	for pkg, r := range house {
		if name, internal := strings.CutPrefix(pkg, "internal/"); r.pure && internal {
			pure = append(pure, name)
		}
	}
	slices.Sort(pure)
	if got := list("PURE"); !slices.Equal(got, pure) {
		t.Errorf("the Makefile has %q, the table %q", got, pure)
	}
	for _, pkg := range slices.Concat(pure, list("VIRTUAL")) {
		if code := concurrency(t, "internal/"+pkg, false); code != "" {
			t.Errorf("the Makefile believes that %s has no goroutines: %s", pkg, code)
		}
	}
	racy := list("RACY")
	for pkg := range house {
		name, internal := strings.CutPrefix(pkg, "internal/")
		switch {
		case !internal, slices.Contains(racy, name), slices.Contains(calm, name):
		default:
			if code := concurrency(t, pkg, true); code != "" {
				t.Errorf("%s: neither the Makefile's RACY nor the list of calm packages has it", code)
			}
		}
	}
}

// calm packages start goroutines only where others run them, or one at a time: a model, virtual time,
// programs. The race detector sees ffi with the tag that it needs.
var calm = []string{"sched/real", "simtest", "tuner", "verbs/sim", "verbs/verbstest/model", "verbs/kernel/ffi"}

// concurrency returns the first place of a package's code that starts a goroutine or imports sync; with
// tests, of its code and tests that starts one in whichever way. "" if there is none.
func concurrency(t *testing.T, pkg string, tests bool) (place string) {
	t.Helper()
	files, err := filepath.Glob(pkg + "/*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("package %s has the files %q, %v", pkg, files, err)
	}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") && !tests {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				place = path + " starts a goroutine"
			case *ast.CallExpr:
				if f, ok := n.Fun.(*ast.SelectorExpr); ok && tests && (f.Sel.Name == "Go" || f.Sel.Name == "AfterFunc") {
					place = path + " starts a goroutine"
				}
			case *ast.ImportSpec:
				if !tests && strings.HasPrefix(n.Path.Value, `"sync`) {
					place = path + " imports " + n.Path.Value
				}
			}
			return place == ""
		})
	}
	return place
}
