package bench

import (
	"slices"
	"testing"
)

// TestSkew: some ranks have nothing, one several times the mean, and all together as much as if all
// were equal.
func TestSkew(t *testing.T) {
	for ranks := 2; ranks < 20; ranks++ {
		for _, mean := range []int{0, 1, 2, 64, 1000} {
			counts, sum := Skew(mean, ranks), 0
			for _, n := range counts {
				if n < 0 {
					t.Fatalf("%d ranks, mean %d: %v", ranks, mean, counts)
				}
				sum += n
			}
			if len(counts) != ranks || sum != mean*ranks || !slices.Contains(counts, 0) || counts[ranks-1] < 2*mean {
				t.Errorf("%d ranks, mean %d: %v", ranks, mean, counts)
			}
		}
	}
}

// TestEveryTestHasItsTopic and a name of its own.
func TestEveryTestHasItsTopic(t *testing.T) {
	seen := map[string]bool{}
	for _, test := range Tests() {
		if seen[test.Name] {
			t.Errorf("two tests are called %s", test.Name)
		}
		seen[test.Name] = true
		if !slices.Contains(Topics(), test.Topic()) || test.About == "" || test.Title == "" {
			t.Errorf("%s: topic %q, about %q, title %q", test.Name, test.Topic(), test.About, test.Title)
		}
	}
	for name, want := range map[string]int{"sendrecv": 0, "mprobe": 0, "barrier": 1, "alltoallv_skewed": 1, "ibarrier": 2,
		"ireduce_scatterv": 2, "dup": 3, "win_create": 3, "rput": 4, "fetch_op": 4, "crossing": 5, "reuse": 5} {
		if got := mustFind(name).Topic(); got != Topics()[want] {
			t.Errorf("%s is about %q", name, got)
		}
	}
}
