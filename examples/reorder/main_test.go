package main

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

// lines runs the program on a simulated cluster and returns how many messages go between hosts, before and after, and
// the middle of the gains, by kind.
func lines(t *testing.T, ranks, nodes int) map[string][3]float64 {
	t.Helper()
	var out bytes.Buffer
	on := mpi.Cluster{Network: "roce-100g", Nodes: nodes}
	_, err := mpi.Simulate(on, ranks, func(world *mpi.Comm) error {
		return run(world, &out, plan{Bytes: 16 << 10, Calls: 2, Rounds: 2})
	})
	if err != nil {
		t.Fatalf("%d ranks on %d hosts: %v", ranks, nodes, err)
	}
	if head := fmt.Sprintf("%d ranks on %d hosts, 16384 bytes to each neighbour\n", ranks, nodes); !strings.HasPrefix(out.String(), head) {
		t.Errorf("want %sgot %s", head, out.String())
	}
	found := map[string][3]float64{}
	line := regexp.MustCompile(`(?m)^(\w+) +(\d+) +(\d+) +[\d.]+ +[\d.]+  ([\d.]+) \[[\d.]+-[\d.]+\]$`)
	for _, m := range line.FindAllStringSubmatch(out.String(), -1) {
		var numbers [3]float64
		for i := range numbers {
			numbers[i], _ = strconv.ParseFloat(m[2+i], 64)
		}
		found[m[1]] = numbers
	}
	if len(found) != len(kinds) {
		t.Fatalf("%d lines:\n%s", len(found), out.String())
	}
	return found
}

// TestFewerMessagesBetweenHosts: whatever the numbers of ranks and hosts are, no more messages go between hosts than
// before; where ranks were far from their neighbours, clearly fewer do, and the exchange is faster.
func TestFewerMessagesBetweenHosts(t *testing.T) {
	for _, c := range []struct{ ranks, nodes int }{{1, 1}, {7, 2}, {8, 2}, {11, 3}, {16, 4}, {27, 9}} {
		for name, f := range lines(t, c.ranks, c.nodes) {
			if f[1] > f[0] {
				t.Errorf("%+v, %s: %v messages between hosts, before %v", c, name, f[1], f[0])
			}
		}
	}
	f := lines(t, 32, 4)
	if mesh := f["mesh"]; mesh[1] > 0.6*mesh[0] || mesh[2] < 1.2 {
		t.Errorf("a mesh by lot: %v", mesh)
	}
}

func TestNothingBetweenHosts(t *testing.T) {
	var out bytes.Buffer
	if err := mpi.Run(3, func(world *mpi.Comm) error { return run(world, &out, plan{Bytes: 8, Calls: 1, Rounds: 1}) }); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(out.String(), "3 ranks on 1 hosts") || strings.Count(out.String(), "        0        0  ") != len(kinds) {
		t.Errorf("on one host:\n%s", out.String())
	}
}

func TestMistakes(t *testing.T) {
	for _, p := range []plan{{Bytes: -1, Calls: 1, Rounds: 1}, {Calls: 0, Rounds: 1}, {Calls: 1, Rounds: 0}} {
		err := mpi.Run(1, func(world *mpi.Comm) error { return run(world, new(bytes.Buffer), p) })
		if err == nil || !strings.Contains(err.Error(), "must be 1 at least") {
			t.Errorf("%+v: %v", p, err)
		}
	}
}
