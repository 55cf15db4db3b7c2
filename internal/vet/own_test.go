package vet_test

import (
	"testing"

	"github.com/weft-mpi/weft/internal/vet"
)

// TestOwnPrograms: the programs of this repository that call package mpi, tests included, give no findings.
func TestOwnPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("loads many packages")
	}
	t.Parallel()
	found, err := vet.Check(vet.Job{Dir: "../..", Patterns: []string{"./examples/...", "./mpi", "./internal/bench/...", "./internal/soak", "./internal/simtest", "./lab/measure"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		t.Errorf("%v: mend it, or say why it is meant: //weft:ignore %s ...", f, f.Check)
	}
}
