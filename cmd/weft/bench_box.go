package main

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/weft-mpi/weft/internal/cluster"
)

// benchBoxHosts is how many hosts `weft bench --box` makes.
const benchBoxHosts = 2

// benchBox runs `weft bench` with the same words on the first host of a cluster that lasts as long,
// with --host in place of --box. It returns the exit code.
func benchBox(args []string) int {
	args = slices.DeleteFunc(slices.Clone(args), isBoxFlag)
	code, err := runInBox(benchBoxHosts, func(hosts []string) []string {
		return append([]string{"bench", "--shared", "--host", strings.Join(hosts, ",")}, args...)
	})
	if err != nil {
		fmt.Fprintf(os.Stderr, "weft bench --box: %v\n", err)
		return max(code, 1)
	}
	return code
}

func isBoxFlag(word string) bool {
	name, _, _ := strings.Cut(word, "=")
	return name == "-box" || name == "--box"
}

// runInBox runs weft with the words that are made of the hosts' names on the first host of a
// cluster that lasts as long. It returns the exit code.
func runInBox(hosts int, words func(hosts []string) []string) (int, error) {
	if missing := cluster.Missing(); len(missing) > 0 {
		return 1, fmt.Errorf("cannot make a cluster: %s", strings.Join(missing, "; "))
	}
	path, err := toolPath()
	if err != nil {
		return 1, err
	}
	exe, err := os.Executable()
	if err != nil {
		return 1, err
	}
	ctx, stop := untilSignal()
	c, err := cluster.Up(ctx, cluster.Config{Hosts: hosts, Path: path})
	stop()
	if err != nil {
		return 1, err
	}
	defer c.Down()
	cmd := exec.Command(exe, words(c.Hosts())...)
	cmd.Args[0] = "weft"
	cmd.Env = append(os.Environ(), "PATH="+path)
	return follow(cmd, func() error { return c.Start(c.Hosts()[0], cmd) })
}
