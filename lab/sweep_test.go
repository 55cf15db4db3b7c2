package lab

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/verbs/sim"
)

// TestSweepIsStored: what is written is read back as it was, one bar a line.
func TestSweepIsStored(t *testing.T) {
	was := &Sweep{Command: "weft lab sweep", Made: "2026-11-18", Version: "x", By: 20, Least: 2, Runs: 3, Figures: []SweptFigure{
		{ID: "F3.3", Profiles: []SweptProfile{{Name: "ne020", Changed: []string{"hop_us"}, Zero: 2, Unread: []string{"srq_us"}}},
			Bars: []SweptBar{{Bar: "a", Kind: Prediction, Pass: true, Ours: "1 us", Leans: []Lean{{Profile: "ne020", Parameter: "hop_us",
				How: sim.Assumed, More: &Effect{Value: 1.2, Moved: 3, Flips: true, Ours: "1.03 us"}}}}, {Bar: "b", Ours: "2 us"}}},
		{ID: "F3.5", Profiles: []SweptProfile{{Name: "ne020", Changed: []string{}}}, Bars: []SweptBar{{Bar: "c", Ours: "3 us"}}},
	}}
	var b bytes.Buffer
	if err := was.Write(&b); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	now, err := ReadSweep(&b)
	if err != nil || !reflect.DeepEqual(was, now) {
		t.Errorf("%v: wrote %+v, read %+v from\n%s", err, was, now, text)
	}
	if n := strings.Count(text, "\n"); n != 18 {
		t.Errorf("%d lines:\n%s", n, text)
	}
	if bar := now.Bar("F3.3", "a"); bar == nil || !bar.Leans[0].Flips() || now.Bar("F3.3", "c") != nil || now.Bar("F9.9", "a") != nil {
		t.Errorf("found %+v", bar)
	}
}

// TestBadSweeps are refused.
func TestBadSweeps(t *testing.T) {
	for _, text := range []string{"", "{}", `{"command": "weft lab sweep", "by": 0}`, `{"by": 20}`, `{"command": "x", "by": 20, "figures": 7}`} {
		if s, err := ReadSweep(strings.NewReader(text)); !errors.Is(err, ErrStored) {
			t.Errorf("%q: %+v, %v", text, s, err)
		}
	}
	if _, err := LoadSweep("nonesuch.json"); err == nil {
		t.Error("read a file that there is not")
	}
}

// TestNewestSweep: the one that comes with the program can be read.
func TestNewestSweep(t *testing.T) {
	if s, err := NewestSweep(); err != nil || s.By == 0 {
		t.Errorf("%+v, %v", s, err)
	}
}
