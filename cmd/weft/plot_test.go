package main

import (
	"os"
	"slices"
	"strings"
	"testing"
)

func TestPlotWithoutAName(t *testing.T) {
	for line, want := range map[string]string{
		"latency --plot":               "latency --plot=auto",
		"--plot latency -n 2":          "--plot=auto latency -n 2",
		"latency -plot x.svg -n 2":     "latency --plot=x.svg -n 2",
		"latency --plot --peer mpich":  "latency --plot=auto --peer mpich",
		"--plot /tmp/heat.json":        "--plot=auto /tmp/heat.json",
		"latency --plot out.gif":       "latency --plot=out.gif",
		"latency --plot=x.svg":         "latency --plot=x.svg",
		"send_lat --plot 10.0.0.2 -a ": "send_lat --plot=auto 10.0.0.2 -a",
	} {
		if got := plotOption(strings.Fields(line)); !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%s: %v, want %s", line, got, want)
		}
	}
	t.Chdir(t.TempDir())
	for _, want := range []string{"latency.svg", "latency-2.svg", "latency-3.svg"} {
		o, err := parseBench([]string{"latency", "--plot"})
		if err != nil || o.plot != want {
			t.Fatalf("%v, %v, want %s", o, err, want)
		}
		if err := os.WriteFile(o.plot, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
