package lab

import (
	"slices"
	"testing"
)

func TestPlace(t *testing.T) {
	for id, want := range map[string]string{
		"F3.3": "document 000, figure 3.3 (chapter 3)", "T5.1": "document 000, table 5.1 (chapter 5)", "002.F6.4": "document 002, figure 6.4 (chapter 6)",
		"003.F4": "document 003, figure 4", "004.T1": "document 004, table 1",
	} {
		if got := (Figure{ID: id}).Place(); got != want {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
}

// TestClaimed: a bar holds the claim that it points at, or all of its figure.
func TestClaimed(t *testing.T) {
	f := Figure{Claims: []string{"7 us iWARP", "Myrinet has the least overhead"}}
	if got := f.Claimed(Check{}.Says("least")); !slices.Equal(got, f.Claims[1:]) {
		t.Errorf("%q", got)
	}
	if got := f.Claimed(Check{}); !slices.Equal(got, f.Claims) {
		t.Errorf("%q", got)
	}
	if got := f.Claimed(Check{}.Says("10GE")); got != nil {
		t.Errorf("%q", got)
	}
}
