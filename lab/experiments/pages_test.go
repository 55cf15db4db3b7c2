package experiments

import (
	"slices"
	"testing"
)

// TestPartnersAreMutual: who talks to somebody is talked to, nobody talks to himself, and nobody twice.
func TestPartnersAreMutual(t *testing.T) {
	for _, a := range applications {
		for _, size := range jobSizes {
			for rank := range size {
				all := a.with(rank, size)
				for _, p := range all {
					if p == rank || p < 0 || p >= size || !slices.Contains(a.with(p, size), rank) {
						t.Errorf("%s on %d: rank %d talks to %d, which talks to %v", a.name, size, rank, p, a.with(p, size))
					}
				}
				slices.Sort(all)
				if len(all) == 0 || len(slices.Compact(slices.Clone(all))) != len(all) {
					t.Errorf("%s on %d: rank %d talks to %v", a.name, size, rank, all)
				}
			}
		}
	}
	if n := len(cubeNeighbours(0, 64)); n != 9 {
		t.Errorf("MG on 64 has %d partners, want 3 in each direction", n)
	}
}
