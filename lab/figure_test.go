package lab

import (
	"slices"
	"strings"
	"testing"
)

// TestPlace: every figure has its section, which in a thesis lies in the chapter that the figure's number names.
func TestPlace(t *testing.T) {
	for id, want := range map[string]string{
		"F3.3": "document 000, section 3.3.2, figure 3.3", "T5.1": "document 000, section 5.1, table 5.1", "002.F6.4": "document 002, section 6.5.1, figure 6.4",
		"003.F4": "document 003, section 6.1, figure 4", "004.T1": "document 004, section 3.2, table 1",
	} {
		if got := (Figure{ID: id}).Place(); got != want {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
	if len(sections) != len(Figures()) {
		t.Errorf("%d sections for %d figures", len(sections), len(Figures()))
	}
	for _, f := range Figures() {
		chapter, _, _ := strings.Cut(strings.TrimLeft(strings.TrimPrefix(f.ID, f.Document()+"."), "FT"), ".")
		section, _, _ := strings.Cut(sections[f.ID], ".")
		if thesis := f.Document() == "000" || f.Document() == "002"; section == "" || thesis && section != chapter {
			t.Errorf("%s is in section %q", f.ID, sections[f.ID])
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
