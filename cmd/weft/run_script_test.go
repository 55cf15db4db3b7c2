package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/weft-mpi/weft/internal/launch/launchtest"
)

// TestMain makes the test binary the tool itself, and the ranks it starts.
func TestMain(m *testing.M) {
	os.Setenv("GORACE", "atexit_sleep_ms=0") // under the race detector every tool and rank would end a second later
	tool := func() { os.Exit(weft(filepath.Base(os.Args[0]), os.Args[1:])) }
	commands := map[string]func(){
		"weft":     tool,
		"mpirun":   tool,
		"rank":     func() { os.Exit(launchtest.Main(os.Args[1:])) },
		"faulty":   faultyMain,
		"netrank":  netRank,
		"stranger": strangerMain,
	}
	if commands[filepath.Base(os.Args[0])] == nil { // this is the test, not something that it has started
		launchtest.HeedSignals()
	}
	testscript.Main(m, commands)
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			// Builds of Go packages use the caches of whoever runs the tests.
			for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOFLAGS", "GOPROXY"} {
				value, err := exec.Command("go", "env", name).Output()
				if err != nil {
					return err
				}
				env.Setenv(name, string(bytes.TrimSpace(value)))
			}
			env.Setenv("GORACE", os.Getenv("GORACE"))
			repo, err := filepath.Abs("../..")
			env.Setenv("REPO", repo)
			return err
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"code":   scriptCode,
			"noleft": scriptNoLeft,
		},
	})
}

// scriptCode is "code N command...": the command must exit with N. What it printed can be matched afterwards.
func scriptCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N command...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	err = ts.Exec(args[1], args[2:]...)
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// scriptNoLeft is "noleft": no process that was started by this script is alive. They are known by the script's
// directory in their environment.
func scriptNoLeft(ts *testscript.TestScript, _ bool, _ []string) {
	mark := []byte("WORK=" + ts.Getenv("WORK"))
	var left []string
	if !eventually(func() bool { left = carriers(mark); return len(left) == 0 }) {
		ts.Fatalf("left behind: %q", left)
	}
}

// carriers returns the command lines of processes whose environment contains mark.
func carriers(mark []byte) []string {
	var found []string
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, f := range files {
		if env, err := os.ReadFile(f); err == nil && bytes.Contains(env, append(mark, 0)) {
			line, _ := os.ReadFile(filepath.Join(filepath.Dir(f), "cmdline"))
			found = append(found, filepath.Base(filepath.Dir(f))+" "+string(bytes.ReplaceAll(line, []byte{0}, []byte{' '})))
		}
	}
	return found
}
