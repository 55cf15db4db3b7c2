package lab

import (
	"strings"
	"testing"
)

// TestTallies: bars are counted for their document, for another one whose figure is the same, and once for the whole.
func TestTallies(t *testing.T) {
	results := []*Result{
		{ID: "F5.1", Checks: []Check{{Pass: true}, {}}}, // 001.F1 is the same
		{ID: "003.F2", Checks: []Check{{Pass: true}}},
	}
	var b strings.Builder
	if err := WriteTallies(&b, results); err != nil {
		t.Fatal(err)
	}
	want := `document 000: 1 of 2 checks pass in 1 figures
document 001: 1 of 2 checks pass in 1 figures
document 003: 1 of 1 checks pass in 1 figures
2 figures, 2 of 3 checks pass
`
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}
