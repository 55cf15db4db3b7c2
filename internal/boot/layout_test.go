package boot

import (
	"reflect"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/tune"
)

// TestLayout: nodes are numbered in the order in which they appear, hosts may be cut into pretended ones, and ranks that reach
// each other over the network alone are on nodes of their own.
func TestLayout(t *testing.T) {
	hosts := func(of ...int) func(int) int { return func(rank int) int { return of[rank] } }
	for name, c := range map[string]struct {
		env  string
		host func(int) int
		want []int
	}{
		"one host":             {"", nil, []int{0, 0, 0, 0}},
		"two hosts":            {"", hosts(7, 3, 7, 3), []int{0, 1, 0, 1}},
		"two pretended":        {"WEFT_NODES=2", nil, []int{0, 0, 1, 1}},
		"more than ranks":      {"WEFT_NODES=9", nil, []int{0, 1, 2, 3}},
		"a list, repeated":     {"WEFT_NODES=5,2,5", nil, []int{0, 1, 0, 0}},
		"pretended on hosts":   {"WEFT_NODES=0,1", hosts(0, 0, 1, 1), []int{0, 1, 2, 3}},
		"network":              {"WEFT_LINKS=rail", nil, []int{0, 1, 2, 3}},
		"network, pretended":   {"WEFT_LINKS=rail WEFT_NODES=2", nil, []int{0, 0, 1, 1}},
		"network, known hosts": {"WEFT_LINKS=rail", hosts(0, 0, 1, 1), []int{0, 0, 1, 1}},
	} {
		set, _, err := tune.Read(strings.Fields(c.env))
		if err != nil {
			t.Fatal(err)
		}
		if got := layout(4, c.host, set); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestHostsTell: ranks learn from one of each host who is where, and how many rails all hosts have; what is missing or wrong is an
// error.
func TestHostsTell(t *testing.T) {
	n := newNotes()
	places := []place{
		{rank: 0, size: 5, hosts: 2, node: 0, local: []int{0, 3}},
		{rank: 1, size: 5, hosts: 2, node: 1, local: []int{1, 2, 4}},
		{rank: 3, size: 5, hosts: 2, node: 0, local: []int{0, 3}}, // not the first of its host: says nothing
	}
	for i, rails := range []int{2, 3, 1} {
		if err := places[i].tellNode(n, rails); err != nil {
			t.Fatal(err)
		}
	}
	host, rails, err := places[2].findHosts(n, 4)
	if err != nil || rails != 2 || !reflect.DeepEqual(host, []int{0, 1, 1, 0, 1}) {
		t.Errorf("%v, %d rails, %v", host, rails, err)
	}
	for _, bad := range []string{"", "2", "x:1,2,4", "2:1,2", "2:1,2,99"} {
		_ = n.Put(nodeKey(1), bad)
		if _, _, err := places[0].findHosts(n, 2); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
	if host, rails, err := (&place{size: 2, hosts: 1}).findHosts(n, 3); err != nil || rails != 3 || len(host) != 2 {
		t.Errorf("one host: %v, %d, %v", host, rails, err)
	}
}
