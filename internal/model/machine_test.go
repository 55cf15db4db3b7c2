package model

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestTwins: what String wrote Parse reads.
func TestTwins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var m Machine
		for i := range numbers {
			v := float64(rapid.IntRange(1, 100_000).Draw(t, numbers[i].Name))
			if numbers[i].perKB() {
				v /= 1024
			}
			*numbers[i].of(&m) = v
		}
		got, err := Machine{}.Parse(m.String())
		if err != nil || got.String() != m.String() {
			t.Fatalf("%v: %v, %v", m, got, err)
		}
	})
}

// TestParse: comments and lines are fine, what cannot be is an error that says so.
func TestParse(t *testing.T) {
	m, err := Machine{Lanes: 2, Help: 1, Far: 5}.Parse("# measured\nfar=3, copy=1024 # ns\n\nlanes=4\n")
	if want := (Machine{Lanes: 4, Help: 1, Far: 3, Copy: 1}); err != nil || m != want {
		t.Errorf("%v, %v", m, err)
	}
	for _, bad := range []string{"far", "far=", "far=x", "far=-1", "far=NaN", "far=Inf", "lanes=0", "help=0", "speed=3", "=", "far=1e300"} {
		if _, err := (Machine{Lanes: 1}).Parse(bad); !errors.Is(err, ErrMachine) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// FuzzParse: a text is a machine or an error.
func FuzzParse(f *testing.F) {
	f.Add("far=3,near=1\n#x\nlanes=2")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := (Machine{Lanes: 1, Help: 1}).Parse(text)
		if err == nil && !m.valid() {
			t.Fatalf("%q: %v", text, m)
		}
	})
}

// valid tells whether all numbers can be reckoned with.
func (m *Machine) valid() bool {
	for _, n := range numbers {
		if v := *n.of(m); !(v >= 0) || math.IsInf(v, 1) || n.divides && v == 0 {
			return false
		}
	}
	return true
}
