package hosts

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestParse(t *testing.T) {
	for list, want := range map[string][]Host{
		"h1,h2:2,user@h3":         {{Name: "h1"}, {Name: "h2", Slots: 2}, {Name: "h3", User: "user"}},
		"h1:2,h2,h1:3":            {{Name: "h1", Slots: 5}, {Name: "h2"}},
		"h1,h1":                   {{Name: "h1", Slots: 2}},
		"[fe80::1]:4,::1,[::2]":   {{Name: "fe80::1", Slots: 4}, {Name: "::1"}, {Name: "::2"}},
		"10.0.0.1:3, a-b.c_d.org": {{Name: "10.0.0.1", Slots: 3}, {Name: "a-b.c_d.org"}},
	} {
		got, err := Parse(list)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v %s", list, err, diff)
		}
	}
	for _, bad := range []string{"", "h1,", ":4", "h1:x", "h1:0", "h1:-1", "-oProxyCommand=x", "a b", "h;reboot", "u$r@h",
		"-u@h", "@h", "[::1", "[::1]x", "[nonsense]:", "a:b:c", "h1:99999999"} {
		if got, err := Parse(bad); err == nil {
			t.Errorf("%q: got %v", bad, got)
		}
	}
}

func TestParseFile(t *testing.T) {
	got, err := ParseFile([]byte("# mine\nn1 slots=4 max_slots=8\n\nuser@n2:3 # three\nn3 port=2222\n::1\nn1 slots=1\n"))
	want := []Host{{Name: "n1", Slots: 5, MaxSlots: 8}, {Name: "n2", User: "user", Slots: 3}, {Name: "n3", Port: 2222}, {Name: "::1"}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	for bad, says := range map[string]string{
		"n0\nn1 slots=many": "line 2", "n1 rack": "line 1", "n1 slots=0": "slots", "n1 port=70000": "port", "\n# none\n": "no host",
	} {
		if _, err := ParseFile([]byte(bad)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: got %v, want %q", bad, err, says)
		}
	}
}

// FuzzParseFile: whatever is accepted can stand on a command line and is understood again.
func FuzzParseFile(f *testing.F) {
	for _, seed := range []string{"h1 slots=2 max_slots=3\n", "u@h1:2\n", "[::1]:2 port=22\n", "# x\n", "h1\nh1\n", "-x\n", "a:b:c"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		list, err := ParseFile(text)
		if err != nil {
			return
		}
		for _, h := range list {
			if h.Name == "" || h.Name[0] == '-' || strings.HasPrefix(h.User, "-") || strings.ContainsAny(h.Name+h.User, " \t'\"$`;|&<>\\@\x00") {
				t.Fatalf("%+v was accepted", h)
			}
			word := h.Name
			if strings.Contains(word, ":") {
				word = "[" + word + "]"
			}
			again, err := Parse(word)
			if err != nil || again[0].Name != h.Name {
				t.Fatalf("%q comes back as %v, %v", word, again, err)
			}
		}
	})
}

func TestPlace(t *testing.T) {
	two := []Host{{Name: "a", Slots: 2}, {Name: "b", Slots: 3}}
	open := []Host{{Name: "a"}, {Name: "b"}}
	for _, c := range []struct {
		name string
		list []Host
		q    Request
		want string
		err  string
	}{
		{"all slots", two, Request{}, "00111", ""},
		{"fill", two, Request{Ranks: 3}, "001", ""},
		{"first host only", two, Request{Ranks: 2}, "00", ""},
		{"in turn", two, Request{Ranks: 5, Policy: ByNode}, "01011", ""},
		{"in turn, fewer", two, Request{Ranks: 3, Policy: ByNode}, "010", ""},
		{"too many", two, Request{Ranks: 6}, "", "6 ranks do not fit: there are 5 slots on a, b"},
		{"too many in turn", two, Request{Ranks: 6, Policy: ByNode}, "", "--oversubscribe"},
		{"more than slots", two, Request{Ranks: 8, Oversubscribe: true}, "00001111", ""},
		{"more than slots in turn", two, Request{Ranks: 6, Policy: ByNode, Oversubscribe: true}, "010101", ""},
		{"a hard limit", []Host{{Name: "a", Slots: 1, MaxSlots: 2}}, Request{Ranks: 3, Oversubscribe: true}, "", "max_slots allows 2"},
		{"without numbers", open, Request{}, "01", ""},
		{"without numbers, shared", open, Request{Ranks: 5}, "00011", ""},
		{"one with a number", []Host{{Name: "a"}, {Name: "b", Slots: 1}}, Request{Ranks: 4}, "0001", ""},
		{"per host", open, Request{PerNode: 2}, "0011", ""},
		{"per host, fewer", open, Request{PerNode: 2, Ranks: 3}, "001", ""},
		{"per host, more", open, Request{PerNode: 2, Ranks: 5}, "", "at 2 per host there are places for 4"},
		{"per host above slots", two, Request{PerNode: 3}, "00111", ""},
		{"per host above slots, wanted", two, Request{PerNode: 3, Oversubscribe: true}, "000111", ""},
	} {
		node, err := Place(c.list, c.q)
		var got strings.Builder
		for _, n := range node {
			got.WriteString(strconv.Itoa(n))
		}
		if got.String() != c.want || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: got %s, %v, want %s %s", c.name, got.String(), err, c.want, c.err)
		}
	}
}

func TestMapping(t *testing.T) {
	for nodes, want := range map[string]string{
		"0000":     "(vector,(0,1,4))",
		"00001111": "(vector,(0,2,4))",
		"0011223":  "(vector,(0,3,2),(3,1,1))",
		"01010101": "(vector,(0,2,1))",
		"0001":     "(vector,(0,1,3),(1,1,1))",
		"01011":    "(vector,(0,2,1),(0,1,1),(1,1,2))",
	} {
		var node []int
		for _, c := range nodes {
			node = append(node, int(c-'0'))
		}
		if got := Mapping(node); got != want {
			t.Errorf("%s: got %s, want %s", nodes, got, want)
		}
	}
}

// readMapping is how a client reads the value: over and over until every rank has its host.
func readMapping(t *rapid.T, text string, size int) []int {
	var blocks []block
	body, ok := strings.CutPrefix(strings.TrimSuffix(text, ")"), "(vector,")
	if !ok {
		t.Fatalf("%q", text)
	}
	for _, term := range strings.Split(strings.Trim(body, "()"), "),(") {
		var x block
		for i, word := range strings.Split(term, ",") {
			n, err := strconv.Atoi(word)
			if err != nil {
				t.Fatalf("%q in %q", word, text)
			}
			*[]*int{&x.first, &x.hosts, &x.ranks}[i] = n
		}
		blocks = append(blocks, x)
	}
	once := expand(blocks)
	node := make([]int, size)
	for i := range node {
		node[i] = once[i%len(once)]
	}
	return node
}

func TestMappingIsReadAsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		node := rapid.SliceOfN(rapid.IntRange(0, 3), 1, 40).Draw(t, "node")
		if got := readMapping(t, Mapping(node), len(node)); !slices.Equal(got, node) {
			t.Fatalf("%v is written as %s and read as %v", node, Mapping(node), got)
		}
	})
}

func TestMappingStaysShort(t *testing.T) {
	node := make([]int, 3000)
	for i := range node {
		node[i] = i * i % 7
	}
	node[2999] = 6 // no period
	if got := Mapping(node); len(got) > mappingMax {
		t.Errorf("%d bytes", len(got))
	}
}

func TestHere(t *testing.T) {
	own, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"localhost", "127.0.0.1", "::1", own} {
		if !Here(name) {
			t.Errorf("%s is not here", name)
		}
	}
	for _, name := range []string{"192.0.2.1", "other-" + own, own + ".invalid"} {
		if Here(name) {
			t.Errorf("%s is here", name)
		}
	}
}
