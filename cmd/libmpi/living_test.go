//go:build cgo && linux

package main

import (
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// code is the exit code of a command; -1 if a signal has ended it.
func code(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	if err != nil {
		return -2
	}
	return 0
}

// TestLiving: signals whose handlers need stack, children of fork, threads.
func TestLiving(t *testing.T) {
	t.Parallel()
	program := compile(t, "living/living.c", "-pthread")
	run(t, nil, program)
	run(t, nil, bin("mpiexec"), "-n", "2", program)
	run(t, []string{"WEFT_LINKS=rail"}, bin("mpiexec"), "-n", "2", program)
	source, err := filepath.Abs("testdata/living/living.c")
	if err != nil {
		t.Fatal(err)
	}
	run(t, nil, "mpicc.openmpi", "-w", "-pthread", source, "-o", program)
	run(t, nil, bin("mpiexec"), "--as", "openmpi", "-n", "2", program)
}

// TestEnds: how a program ends is seen outside, and nothing that it has printed is lost.
func TestEnds(t *testing.T) {
	t.Parallel()
	program := compile(t, "living/living.c", "-pthread")
	for _, c := range []struct {
		how  string
		code int
		text string
	}{
		{"abort", 5, "last words"},
		{"environ", 16, "WEFT_BSEND"},
		{"fatal", 6, "MPI_Send"},
		{"exit", 9, ""},
	} {
		out, err := try(t, nil, bin("mpiexec"), "-n", "2", program, c.how)
		if code(err) != c.code || !strings.Contains(out, c.text) {
			t.Errorf("%s: exit code %d, not %d; it says %q", c.how, code(err), c.code, out)
		}
	}
	if out, err := try(t, nil, program, "crash"); code(err) != -1 {
		t.Errorf("a crash of C's ends with %v: %s", err, out)
	}
}

// TestLoaded: a program loads the library while it runs, as Python does.
func TestLoaded(t *testing.T) {
	t.Parallel()
	program := compile(t, "living/loads.c", "-ldl", "-Wno-pedantic")
	lib := filepath.Join(prefix, "lib/libmpi_abi.so.1")
	run(t, nil, program, lib)
	run(t, nil, bin("mpiexec"), "-n", "2", program, lib)
}

// TestTool: a tool that is preloaded takes calls first.
func TestTool(t *testing.T) {
	t.Parallel()
	tool := compile(t, "living/tool.c", "-shared", "-fPIC")
	if out := run(t, []string{"LD_PRELOAD=" + tool}, compile(t, "basic.c")); !strings.Contains(out, "1 sends") {
		t.Errorf("the tool has seen nothing: %q", out)
	}
}
