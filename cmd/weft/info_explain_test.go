package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/coll"
)

func TestExplain(t *testing.T) {
	for _, op := range coll.Ops() {
		text, err := explain([]string{op.String(), "64K", "4"}, layout{nodes: 1, rails: 1}, nil)
		if err != nil || !strings.Contains(text, "chosen: ") {
			t.Errorf("%v: %v\n%s", op, err, text)
		}
	}
	for _, line := range []string{"", "allreduce 8", "allredoce 8 4", "allreduce 8Q 4", "allreduce -1 4", "allreduce 8 0",
		"allreduce 99999G 4"} {
		if text, err := explain(strings.Fields(line), layout{nodes: 1, rails: 1}, nil); err == nil {
			t.Errorf("%q: got %s", line, text)
		}
	}
	if _, err := explain([]string{"bcast", "8", "2"}, layout{nodes: 1, rails: 1}, []string{"WEFT_COLL=nonsense"}); err == nil {
		t.Error("bad rules in WEFT_COLL were accepted")
	}
}

// TestPlotCosts: the algorithms that are best somewhere are drawn, on any machine the same where each rank has a node.
func TestPlotCosts(t *testing.T) {
	t.Chdir(t.TempDir())
	text, err := plotCosts([]string{"allreduce", "1M", "8"}, layout{nodes: 8, rails: 1}, nil, plotAuto)
	if err != nil || text != "drew allreduce.svg" {
		t.Fatalf("%q, %v", text, err)
	}
	if svg, err := os.ReadFile("allreduce.svg"); err != nil || !strings.Contains(string(svg), ">doubling<") || !strings.Contains(string(svg), ">1 MB<") {
		t.Errorf("%v\n%s", err, svg)
	}
	for args, plot := range map[string]string{"allreduce 1M": "x.svg", "send 1M": "x.svg", "allreduce 1M 8": "x.gif"} {
		if _, err := plotCosts(strings.Fields(args), layout{nodes: 1, rails: 1}, nil, plot); err == nil {
			t.Errorf("%s was drawn into %s", args, plot)
		}
	}
}

func TestParseSize(t *testing.T) {
	for text, want := range map[string]int{"0": 0, "12": 12, "64K": 65536, "4m": 4 << 20, "1G": 1 << 30} {
		if got, err := parseSize(text); got != want || err != nil {
			t.Errorf("%q: %d, %v, want %d", text, got, err, want)
		}
	}
	for _, bad := range []string{"", "K", "1KK", "1.5K", "K1", "-3", "18446744073709551615"} {
		if n, err := parseSize(bad); err == nil {
			t.Errorf("%q: got %d", bad, n)
		}
	}
}

func TestExplainWithALayout(t *testing.T) {
	text, err := explain([]string{"bcast", "8", "7"}, layout{nodes: 3, rails: 2, spread: 9}, nil)
	for _, want := range []string{"3 nodes with up to 3 ranks, 2 rails", "arriving 9 messages' time apart"} {
		if err != nil || !strings.Contains(text, want) {
			t.Errorf("%q does not say %q: %v", text, want, err)
		}
	}
	for _, bad := range []layout{{nodes: 8, rails: 1}, {rails: 1}, {nodes: 1}, {nodes: 1, rails: 9}, {nodes: 1, rails: 1, spread: -1}} {
		if _, err := explain([]string{"bcast", "8", "7"}, bad, nil); err == nil {
			t.Errorf("%+v is taken", bad)
		}
	}
}

func TestExplainSend(t *testing.T) {
	for _, c := range []struct{ size, setting, want string }{
		{"1K", "", "between hosts: eager, as it is short"},
		{"1M", "", "between hosts: rget, as it is long"},
		{"1M", "WEFT_RNDV=speculative", "between hosts: speculative"},
		{"1M", "WEFT_LAB_EAGER_MAX=2M", "between ranks of a host: eager"},
	} {
		var environ []string
		if c.setting != "" {
			environ = []string{c.setting}
		}
		text, err := explainSend([]string{c.size}, environ, false)
		if err != nil || !strings.Contains(text, c.want) || !strings.Contains(text, "announced") {
			t.Errorf("%s %s: %v\n%s", c.size, c.setting, err, text)
		}
		var tree struct{ Links []struct{ Ways []any } }
		text, err = explainSend([]string{c.size}, environ, true)
		if err != nil || json.Unmarshal([]byte(text), &tree) != nil || len(tree.Links) != 3 || len(tree.Links[0].Ways) < 7 {
			t.Errorf("%v\n%s", err, text)
		}
	}
	for _, bad := range [][]string{nil, {"1M", "4"}, {"much"}} {
		if text, err := explainSend(bad, nil, false); err == nil {
			t.Errorf("%q: %s", bad, text)
		}
	}
}
