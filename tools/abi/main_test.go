package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/weft-mpi/weft/internal/abi/spec"
)

// TestGenerated: the files are what the table says by now.
func TestGenerated(t *testing.T) {
	for name, write := range outputs {
		got, err := os.ReadFile(filepath.Join("../..", name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, write()) {
			t.Errorf("%s is out of date: go generate ./internal/abi/spec", name)
		}
	}
}

// TestTable: the table has as many functions as the standard, and each name once.
func TestTable(t *testing.T) {
	all := spec.Functions()
	if len(all) != 664 {
		t.Errorf("the table has %d functions", len(all))
	}
	for i := range all[1:] {
		if all[i].Name >= all[i+1].Name {
			t.Errorf("%s is there twice", all[i].Name)
		}
	}
}
