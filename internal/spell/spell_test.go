package spell

import "testing"

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "abc", 0}, {"abc", "", 3}, {"ab", "ba", 2}, {"tag-ouput", "tag-output", 1}} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("%q to %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestHint(t *testing.T) {
	names := []string{"report", "run", "list", "a"}
	for _, c := range []struct {
		word string
		most int
		want string
	}{
		{"rum", 3, " (did you mean run?)"},
		{"lit", 1, " (did you mean list?)"},
		{"rn", 1, " (did you mean run?)"},
		{"elephant", 3, ""},
		{"b", 3, ""}, // all of it would have to change
	} {
		if got := Hint(c.word, names, c.most); got != c.want {
			t.Errorf("%q: %q, want %q", c.word, got, c.want)
		}
	}
	if got := Hint("F3.1", []string{"F3.12", "F3.9", "F3.1x", "F9.1"}, 2); got != " (did you mean F3.12, F3.9?)" {
		t.Errorf("more than may be named: %q", got)
	}
}
