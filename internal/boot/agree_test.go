package boot

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/weft-mpi/weft/internal/agree"
	"github.com/weft-mpi/weft/internal/pmi"
	"github.com/weft-mpi/weft/internal/tune"
)

func read(t *testing.T, env string) *Settings {
	t.Helper()
	set, err := ReadSettings(strings.Fields(env))
	if err := errors.Join(err, set.Unknown()); err != nil {
		t.Fatal(env, err)
	}
	return set
}

// TestPretendedNodes: hosts may be cut into pretended nodes, and ranks that reach each other over
// the network alone are on nodes of their own.
func TestPretendedNodes(t *testing.T) {
	one, two := []agree.Host{{Ranks: []int{0, 1, 2, 3}}}, []agree.Host{{Ranks: []int{0, 2}}, {Ranks: []int{1, 3}}}
	halves := []agree.Host{{Ranks: []int{0, 1}}, {Ranks: []int{2, 3}}}
	for name, c := range map[string]struct {
		env   string
		hosts []agree.Host
		want  []int
	}{
		"one host":             {"", one, []int{0, 0, 0, 0}},
		"two hosts":            {"", two, []int{0, 1, 0, 1}},
		"two pretended":        {"WEFT_LAB_NODES=2", one, []int{0, 0, 1, 1}},
		"more than ranks":      {"WEFT_LAB_NODES=9", one, []int{0, 1, 2, 3}},
		"a list, repeated":     {"WEFT_LAB_NODES=5,2,5", one, []int{0, 1, 0, 0}},
		"pretended on hosts":   {"WEFT_LAB_NODES=0,1", halves, []int{0, 1, 2, 3}},
		"network":              {"WEFT_LINKS=rail", one, []int{0, 1, 2, 3}},
		"network, pretended":   {"WEFT_LINKS=rail WEFT_LAB_NODES=2", one, []int{0, 0, 1, 1}},
		"network, known hosts": {"WEFT_LINKS=rail", halves, []int{0, 0, 1, 1}},
	} {
		facts, err := agreed(4, c.hosts, read(t, c.env))
		if err != nil {
			t.Fatal(err)
		}
		if got := facts.Among([]int{0, 1, 2, 3}).Nodes(); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// hall is a board whose ranks can wait for each other.
type hall struct {
	*notes
	come *sync.WaitGroup
}

func (h hall) Barrier() error {
	h.come.Done()
	h.come.Wait()
	return nil
}

// together has all ranks of hosts agree, each with what its host has and its own settings.
func together(t *testing.T, hosts []agree.Host, env func(rank int) string) (facts []*agree.Facts, errs []error) {
	t.Helper()
	var ranks []int
	for _, h := range hosts {
		ranks = append(ranks, h.Ranks...)
	}
	h := hall{newNotes(), &sync.WaitGroup{}}
	h.come.Add(len(ranks))
	facts, errs = make([]*agree.Facts, len(ranks)), make([]error, len(ranks))
	var wg sync.WaitGroup
	for node, own := range hosts {
		for _, rank := range own.Ranks {
			p := place{rank: rank, size: len(ranks), hosts: len(hosts), node: node, local: own.Ranks, host: own.Name}
			set := read(t, env(rank))
			wg.Go(func() { facts[rank], errs[rank] = p.agree(h, own, set, "") })
		}
	}
	wg.Wait()
	return facts, errs
}

var unevenHosts = []agree.Host{
	{Name: "a", Ranks: []int{0, 3}, CPUs: 8, Rails: 3, Fetches: true, Room: 1 << 20},
	{Name: "b", Ranks: []int{1, 2, 4}, CPUs: 2, Rails: 2, Room: 1 << 30},
}

// TestRanksAgree: whatever hosts differ in, all ranks know the same.
func TestRanksAgree(t *testing.T) {
	facts, errs := together(t, unevenHosts, func(int) string { return "" })
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	for rank, f := range facts {
		if !reflect.DeepEqual(f, facts[0]) {
			t.Errorf("rank %d knows %+v, rank 0 %+v", rank, f, facts[0])
		}
	}
	all := facts[2].Among([]int{0, 1, 2, 3, 4})
	ranks, cpus := all.Crowd()
	if ranks != 3 || cpus != 2 || all.Fetches() || facts[2].Rails() != 2 || facts[2].Room() != 1<<20 {
		t.Errorf("%d ranks on %d processors, fetches %v, %d rails, %d bytes", ranks, cpus, all.Fetches(), facts[2].Rails(), facts[2].Room())
	}
}

// TestRanksDiffer: a setting that must be the same and is not is an error that names it, the hosts
// and the values.
func TestRanksDiffer(t *testing.T) {
	for _, c := range []struct{ env, want string }{
		{"WEFT_LAB_COLL_SLIPS=off", "WEFT_LAB_COLL_SLIPS is off on rank 4 (host b) and on on rank 0 (host a)"},
		{"WEFT_LAB_NODES=2", "WEFT_LAB_NODES is 2 on rank 4 (host b) and empty on rank 0 (host a)"},
		{"WEFT_COLL_NODE=0", "WEFT_COLL_NODE is 0 on rank 4 (host b) and 256M on rank 0 (host a)"},
		{"WEFT_CHECK=off", "WEFT_CHECK is off on rank 4 (host b) and on on rank 0 (host a)"}, // auto is on in a test
		{"WEFT_COLL=bcast=flat", "WEFT_COLL is bcast=flat on rank 4 (host b) and empty on rank 0 (host a)"},
	} {
		_, errs := together(t, unevenHosts, func(rank int) string {
			if rank == 4 {
				return c.env
			}
			return ""
		})
		for rank, err := range errs {
			switch {
			case rank != 4 && err != nil:
				t.Errorf("%s: rank %d: %v", c.env, rank, err)
			case rank == 4 && (!errors.Is(err, agree.ErrDiffer) || !strings.Contains(err.Error(), c.want)):
				t.Errorf("%s: %v, want %q", c.env, err, c.want)
			}
		}
	}
	for _, env := range []string{"WEFT_CHECK=on", "WEFT_LAB_EAGER_MAX=1K WEFT_CMA=off WEFT_WAIT=park", "WEFT_COLL="} { // means the same, or may differ
		_, errs := together(t, unevenHosts, func(rank int) string { return []string{"", env}[rank%2] })
		if err := errors.Join(errs...); err != nil {
			t.Errorf("%s: %v", env, err)
		}
	}
}

// TestAlikeIsAll: a setting that the agreed facts are made of stands on the sheet.
func TestAlikeIsAll(t *testing.T) {
	base, err := agreed(4, []agree.Host{{Ranks: []int{0, 1, 2, 3}}}, read(t, ""))
	if err != nil {
		t.Fatal(err)
	}
	for _, env := range []string{"WEFT_LINKS=rail", "WEFT_COLL_NODE=0", "WEFT_LAB_NODES=2", "WEFT_LAB_STRIPE=1", "WEFT_LAB_COLL_SCHEME=copied", "WEFT_LAB_COLL_SLIPS=off", "WEFT_CHECK=off"} {
		set := read(t, env)
		name, _, _ := strings.Cut(env, "=")
		if facts, err := agreed(4, []agree.Host{{Ranks: []int{0, 1, 2, 3}}}, set); err != nil || reflect.DeepEqual(facts.Terms(), base.Terms()) {
			t.Errorf("%s changes nothing, or %v", env, err)
		}
		if !slices.ContainsFunc(set.Values.Alike(), func(i tune.Info) bool { return i.Name == name }) {
			t.Errorf("%s may differ between ranks", name)
		}
	}
}

// TestHostsTellNonsense: what is missing or wrong is an error.
func TestHostsTellNonsense(t *testing.T) {
	p := place{rank: 0, size: 5, hosts: 2, node: 0, local: []int{0, 3}}
	own := agree.Host{Name: "a", Ranks: []int{0, 3}}
	for _, bad := range []string{"", "2", "1:1:1:1:0-9:b", "1:1:1:1:1,2:b", "1:1:1:1:0-2,4:b", "-1:1:1:1:1,2,4:b", "x:1:1:1:1,2,4:b"} {
		h := hall{newNotes(), &sync.WaitGroup{}}
		h.come.Add(1)
		if bad != "" {
			_ = h.Put(nodeKey(1), bad)
		}
		if _, err := p.agree(h, own, read(t, ""), ""); !errors.Is(err, ErrLauncher) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// TestLongSheets: a text that is longer than a manager takes comes in parts.
func TestLongSheets(t *testing.T) {
	for _, n := range []int{0, 1, partMax - 1, partMax, partMax + 1, 5 * partMax} {
		b, text := newNotes(), strings.Repeat("x", n)
		if err := putLong(b, sheetKey, text); err != nil {
			t.Fatal(err)
		}
		if got, err := getLong(b, sheetKey); err != nil || got != text {
			t.Errorf("%d bytes: %d, %v", n, len(got), err)
		}
		for key, part := range b.all {
			line, err := pmi.AppendMessage(nil, pmi.NewMessage("put", "kvsname", strings.Repeat("n", 200), "key", key, "value", part))
			if err != nil || len(line) > pmi.PutLineMax {
				t.Errorf("a part of %d bytes takes a line of %d: %v", len(part), len(line), err)
			}
		}
	}
}
