package lab

import (
	"strings"
	"testing"
)

// TestTallies: bars are counted for their document, for another one whose figure is the same, and once for the whole.
func TestTallies(t *testing.T) {
	shared := &Result{ID: "F5.1"} // 001.F1 is the same
	shared.Hold(Prediction, Check{Bar: "a", Pass: true}, Check{Bar: "b"})
	shared.Hold(Input, Check{Bar: "c", Pass: true})
	alone := &Result{ID: "003.F2"}
	alone.Hold(Structural, Check{Bar: "a", Pass: true})
	alone.Hold(Fitted, Check{Bar: "b"}.By("rest_us"))
	results := []*Result{shared, alone}
	var b strings.Builder
	if err := WriteTallies(&b, results); err != nil {
		t.Fatal(err)
	}
	want := `document  figures  predictions kept  input   structural  fitted
000       1        1 of 2            1 of 1  -           -
001       1        1 of 2            1 of 1  -           -
003       1        -                 -       1 of 1      0 of 1
all 2 figures: 1 of 2 predictions kept, input 1 of 1, structural 1 of 1, fitted 0 of 1
`
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
	if got := alone.Count().String(); got != "no predictions, structural 1 of 1, fitted 0 of 1" {
		t.Errorf("a result without predictions: %s", got)
	}
	if all, missed := alone.Count().Bars(); all != 2 || missed != 1 {
		t.Errorf("%d bars, %d missed", all, missed)
	}
}
