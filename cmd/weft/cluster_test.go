package main

import (
	"fmt"
	"os"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/weft-mpi/weft/internal/cluster"
	"github.com/weft-mpi/weft/internal/cluster/clustertest"
)

// TestClusterScripts runs the commands of "weft cluster" as a user would. Each script ends the clusters it makes,
// whose names begin with $name.
func TestClusterScripts(t *testing.T) {
	clustertest.Need(t)
	var scripts atomic.Int32 // scripts run side by side, each with a cluster of its own
	testscript.Run(t, testscript.Params{
		Dir: "testdata/cluster",
		Setup: func(env *testscript.Env) error {
			name := fmt.Sprintf("script-%d-%d", os.Getpid(), scripts.Add(1))
			env.Setenv("name", name)
			env.Defer(func() {
				for _, n := range []string{name, name + "-2"} {
					// Most scripts have ended theirs.
					_, _ = cluster.Ask(n, cluster.Request{Op: cluster.OpEnd})
				}
			})
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"code": scriptCode},
	})
}

// TestClusterRunWords parts the options of "weft cluster run" from those of "weft run".
func TestClusterRunWords(t *testing.T) {
	for _, c := range []struct{ args, own, rest []string }{
		{[]string{"-n", "4", "./p"}, []string{}, []string{"-n", "4", "./p"}},
		{[]string{"--hosts", "3", "--rails=2", "-n", "4", "./p", "--rails"}, []string{"--hosts", "3", "--rails=2"}, []string{"-n", "4", "./p", "--rails"}},
		{[]string{"-loss", "1%", "./p"}, []string{"-loss", "1%"}, []string{"./p"}},
		{[]string{"--hosts", "3"}, []string{"--hosts", "3"}, nil},
		{[]string{"--hosts"}, []string{"--hosts"}, nil},
	} {
		o := newClusterOptions("run")
		own, rest := o.split(c.args)
		if !slices.Equal(own, c.own) || !slices.Equal(rest, c.rest) {
			t.Errorf("%q: %q and %q", c.args, own, rest)
		}
	}
}

func TestHostList(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-n", "4", "./p", "-n", "100"}, "h0:2,h1:2"},
		{[]string{"-np", "5", "./p"}, "h0:3,h1:3"},
		{[]string{"-n=3", "./p"}, "h0:2,h1:2"},
		{[]string{"./p", "-n", "100"}, "h0:1,h1:1"},
		{[]string{"-n", "x"}, "h0:1,h1:1"},
		{[]string{"-l", "--n", "2"}, "h0:1,h1:1"},
		{[]string{"-n"}, "h0:1,h1:1"},
	} {
		if got := hostList([]string{"h0", "h1"}, ranksWanted(c.args)); got != c.want {
			t.Errorf("%q: %s, want %s", c.args, got, c.want)
		}
	}
}
