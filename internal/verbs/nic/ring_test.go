package nic

import (
	"testing"

	"pgregory.net/rapid"
)

// TestRingAgainstSlice pushes and drops at random, beside a slice.
func TestRingAgainstSlice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := ring[int]{limit: rapid.IntRange(1, 40).Draw(t, "limit")}
		var model []int
		next := 0
		t.Repeat(map[string]func(*rapid.T){
			"push": func(t *rapid.T) {
				if r.full() {
					t.Skip("full")
				}
				next++
				*r.push() = next
				model = append(model, next)
			},
			"drop": func(t *rapid.T) {
				if r.n == 0 {
					t.Skip("empty")
				}
				r.drop()
				model = model[1:]
			},
			"": func(t *rapid.T) {
				if r.n != len(model) || r.full() != (len(model) == r.limit) || len(r.slots) > r.limit {
					t.Fatalf("%d entries in %d slots, full %v; want %d of at most %d", r.n, len(r.slots), r.full(), len(model), r.limit)
				}
				for i, want := range model {
					if got := *r.at(i); got != want {
						t.Fatalf("entry %d is %d, want %d", i, got, want)
					}
				}
			},
		})
	})
}

// TestRingStartsSmall: thousands of idle queues cost little, and a queue that has grown allocates nothing.
func TestRingStartsSmall(t *testing.T) {
	r := ring[[64]byte]{limit: 1 << 15}
	if r.slots != nil {
		t.Error("an empty ring has memory")
	}
	if r.push(); len(r.slots) != firstSlots {
		t.Errorf("%d slots for one entry", len(r.slots))
	}
	r.drop()
	if n := testing.AllocsPerRun(100, func() {
		for range firstSlots {
			r.push()
		}
		for range firstSlots {
			r.drop()
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
