package coll

import (
	"slices"
	"testing"
)

// Borders are those of the rules of one operation, and of magnitudes.
func TestBorders(t *testing.T) {
	rules, err := Parse("bcast:-4K=flat,bcast:4K-64K=chain,bcast:1M-=flat,reduce:7-=flat")
	if err != nil {
		t.Fatal(err)
	}
	got := Default().With(rules...).Borders(Bcast)
	for _, want := range []int{1, 90, 4 << 10, 64 << 10, 1 << 20} {
		if !slices.Contains(got, want) {
			t.Errorf("no %d in %v", want, got)
		}
	}
	if slices.Contains(got, 7) || !slices.IsSorted(got) {
		t.Errorf("borders %v", got)
	}
}
