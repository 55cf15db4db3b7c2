package lab

import (
	"math"
	"strings"
	"testing"
)

// TestLoose: a prediction that has one side only, or is wide, says why; other kinds need not.
func TestLoose(t *testing.T) {
	up := line("up", 1, 2, 3, 4)
	for _, c := range []struct {
		check Check
		want  string
	}{
		{Within("x", 7, 7, 35, "us"), ""},
		{Within("x", 7, 7, 36, "us"), "wider than 35%"},
		{Within("x", 7, 7, 36, "us").Since("about 7, it says"), ""},
		{AtLeast("x", 2, 2, ""), "one side only"},
		{AtLeast("x", 2, math.NaN(), ""), "one side only"},
		{AtMost("x", 2, 2, ""), "one side only"},
		{AtMost("x", 2, 2, "").Since("up to 2, it says"), ""},
		{RatioAt("x", up, up, 1, 3), "one side only"},
		{Share("x", 0.5, up, func(float64) bool { return true }), "one side only"},
		{Between("x", 65, 135, 100, ""), ""},
		{Between("x", 60, 135, 100, ""), "wider than 35%"},
		{Between("x", -135, -65, -100, ""), ""},
		{Between("x", -5, 5, 1, ""), "wider than 35%"},
		{Between("x", 0, 15, 1, ""), "wider than 35%"},
		{Flat("x", up, 50), "wider than 35%"},
		{Rising("x", up, 0), ""},
		{Holds("x", "a", "a", true), ""},
	} {
		for _, kind := range Kinds() {
			want := c.want
			if kind != Prediction {
				want = ""
			}
			c.check.Kind = kind
			if got := c.check.Loose(); got != want {
				t.Errorf("%+v: %q, want %q", c.check, got, want)
			}
		}
	}
}

// TestEveryBarHasAKind: a result whose bars do not say what they mean cannot be saved.
func TestEveryBarHasAKind(t *testing.T) {
	for _, c := range []struct {
		check Check
		want  string // part of the error
	}{
		{Check{Bar: "x", Kind: Prediction}, ""},
		{Check{Bar: "x", Kind: Fitted}.By("rest_us", "slots"), ""},
		{Check{Bar: "x"}, "kind"},
		{Check{Bar: "x", Kind: "guess"}, "kind"},
		{Check{Kind: Input}, "no name"},
		{Check{Bar: "x", Kind: Fitted}, "By"},
		{Check{Bar: "x", Kind: Input}.By("rest_us"), "fitted by rest_us"},
	} {
		err := (&Result{ID: "F3.3", Checks: []Check{c.check}}).Check()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.check, err, c.want)
		}
	}
	for _, kind := range Kinds() {
		if kind.Means() == "" {
			t.Errorf("nobody says what %s means", kind)
		}
	}
}
