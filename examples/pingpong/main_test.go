package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

func TestOneLinePerLength(t *testing.T) {
	for _, n := range []int{2, 3} {
		var out bytes.Buffer
		err := mpi.Run(n, func(world *mpi.Comm) error { return run(world, &out, 1024, 3) })
		if err != nil {
			t.Fatal(err)
		}
		if lines := strings.Count(out.String(), "\n"); lines != 7 { // a title; 1, 4, 16, 64, 256, 1024
			t.Errorf("%d lines:\n%s", lines, out.String())
		}
	}
}

func TestAloneIsRefused(t *testing.T) {
	var out bytes.Buffer
	err := mpi.Run(1, func(world *mpi.Comm) error { return run(world, &out, 1024, 3) })
	if err == nil || !strings.Contains(err.Error(), "weft run -n 2") {
		t.Errorf("got %v", err)
	}
}
