package coll

import (
	"slices"
	"testing"
)

// Borders are those of the rules of one operation, each once.
func TestBorders(t *testing.T) {
	rules, err := Parse("bcast:-4K=flat,bcast:4K-64K=chain,bcast:1M-=flat,reduce:7-=flat")
	if err != nil {
		t.Fatal(err)
	}
	s := newSelector(append(rules, everything(Bcast, "bcast/flat")), 0)
	if got, want := s.Borders(Bcast), []int{4 << 10, 64 << 10, 1 << 20}; !slices.Equal(got, want) {
		t.Errorf("borders %v, want %v", got, want)
	}
	if got := s.Borders(Scan); got != nil {
		t.Errorf("borders %v of rules that there are not", got)
	}
}
