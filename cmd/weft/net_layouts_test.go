package main

import (
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/cluster"
)

// layouts are jobs on hosts that have nothing in common but the network: they must choose alike all the same.
var layouts = []string{
	"--host h0:3,h1:1",
	"--host h0:1,h1:3",
	"--host h0:4,h1:1",
	"--host h0:2,h1:2",
	"--host h0:1,h1:1,h2:5",
	"--host h0:2,h1:1,h2:3",
	"--map-by node --host h0:3,h1:3 -n 5",
}

// every runs every collective in a box, on hosts as the options say, and with lengths for which different algorithms are chosen.
func (f *fleet) every(t *testing.T, options string, lengths ...string) {
	t.Helper()
	if len(lengths) == 0 {
		lengths = []string{"8", "1000", "40000", "1600000"}
		if testing.Short() {
			lengths = lengths[:3]
		}
	}
	j := f.job(t, options+" --oversubscribe --host-timeout 120", "every", lengths...)
	j.good(t)
	if !strings.Contains(j.out.String(), "collectives right") {
		t.Errorf("%s: nobody says that all is right:\n%s", options, tail(j.out.String()))
	}
}

// Hosts with different numbers of ranks take the same algorithms.
func TestNetLayouts(t *testing.T) {
	f := newBox(t, cluster.Config{Hosts: 3})
	for _, options := range layouts {
		t.Run(options, func(t *testing.T) { f.every(t, options) })
	}
}
