package coll

import (
	"os"
	"strings"
	"testing"
)

// TestStepTables holds the steps of the k-port algorithms for 9 ranks and 2
// ports against the tables in testdata (go test -rewrite writes them anew).
func TestStepTables(t *testing.T) {
	for _, name := range []string{"allgather/exchange@2", "allgather/bruck@2", "alltoall/bruck@2", "alltoall/exchange@2", "scatter/knomial@2"} {
		got, err := StepTable(name, 9)
		if err != nil {
			t.Fatal(err)
		}
		file := "testdata/steps_" + strings.NewReplacer("/", "_", "@", "_").Replace(name) + ".txt"
		if *rewrite {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s: got\n%s\nwant\n%s", file, got, want)
		}
	}
}

func TestStepTableRefuses(t *testing.T) {
	for _, c := range []struct {
		name  string
		ranks int
	}{{"allgather/nothing", 4}, {"allreduce/ring", 4}, {"allgather/doubling", 3}, {"allgather/ring", 0}} {
		if text, err := StepTable(c.name, c.ranks); err == nil {
			t.Errorf("%s on %d ranks: %s", c.name, c.ranks, text)
		}
	}
}
