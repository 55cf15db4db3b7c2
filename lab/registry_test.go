package lab

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// inText lists the figures and tables of the documents as their lists of figures do. It is written independently of the
// catalogue, to hold that against.
func inText() []string {
	var all []string
	add := func(prefix string, from, to int) {
		for i := from; i <= to; i++ {
			all = append(all, fmt.Sprint(prefix, i))
		}
	}
	add("F1.", 1, 1)
	add("F2.", 1, 9)
	add("F3.", 1, 15)
	add("F4.", 1, 16)
	all = append(all, "F4.17a", "F4.17b", "F4.18", "F4.19a", "F4.19b", "T3.1")
	add("T5.", 1, 4)
	add("F5.", 1, 10)
	add("F6.", 1, 8)
	add("T6.", 1, 1)
	add("001.T", 1, 3)
	add("001.F", 1, 9)
	add("002.F2.", 1, 7)
	add("002.F3.", 1, 11)
	add("002.F4.", 1, 6)
	add("002.F5.", 1, 6)
	add("002.F6.", 1, 9)
	all = append(all, "002.T4.1", "002.T5.1", "002.T6.1", "002.T6.2", "002.T6.3")
	add("003.F", 1, 6)
	add("004.F", 1, 12)
	add("004.T", 1, 2)
	return all
}

func TestCatalogueIsComplete(t *testing.T) {
	have := map[string]int{}
	for _, f := range Figures() {
		have[f.ID]++
	}
	for _, id := range inText() {
		switch have[id] {
		case 1:
		case 0:
			t.Errorf("the catalogue lacks %s", id)
		default:
			t.Errorf("the catalogue has %s %d times", id, have[id])
		}
		delete(have, id)
	}
	for id := range have {
		t.Errorf("no document has %s", id)
	}
}

func TestEntriesAreWhole(t *testing.T) {
	machines := map[string]bool{}
	for _, m := range Machines() {
		machines[m.ID] = true
		if _, err := environ(m.Settings); err != nil {
			t.Errorf("settings of %s: %v", m.ID, err)
		}
	}
	ids := map[string]bool{}
	for _, f := range Figures() {
		ids[f.ID] = true
	}
	for _, f := range Figures() {
		if f.Title == "" || f.Axes == "" || f.How == "" || strings.Trim(f.How, "HFATN") != "" {
			t.Errorf("%s: title %q, axes %q, how %q", f.ID, f.Title, f.Axes, f.How)
		}
		if len(f.Bars) == 0 && !f.Can(Never) {
			t.Errorf("%s has no bar", f.ID)
		}
		for _, m := range strings.Fields(f.Platform) {
			if !machines[m] {
				t.Errorf("%s: there is no machine %s", f.ID, m)
			}
		}
		if f.Same != "" && !ids[f.Same] {
			t.Errorf("%s is the same as %s, which there is not", f.ID, f.Same)
		}
		if !slices.ContainsFunc(Documents(), func(d Document) bool { return d.ID == f.Document() }) {
			t.Errorf("%s is of document %q", f.ID, f.Document())
		}
	}
}

func TestFind(t *testing.T) {
	g, err := NewRegistry(nil)
	if err != nil {
		t.Fatal(err)
	}
	for word, want := range map[string]string{
		"F3.3": "F3.3", "f3.3": "F3.3", "000.F3.3": "F3.3", "3.3": "F3.3", "figure 3.3": "F3.3", "Fig. 3.3": "F3.3", "F3.3b": "F3.3",
		"table 5.1": "T5.1", "F4.17b": "F4.17b", "f4.17A": "F4.17a", "001.f4": "001.F4", "F11": "004.F11", "F6.9": "002.F6.9",
		"002.F3.1": "002.F3.1", "004.F4g": "004.F4", "T6.3": "002.T6.3", "F3.1": "F3.1",
	} {
		if f, err := g.Find(word); err != nil || f.ID != want {
			t.Errorf("%q finds %q, %v; want %s", word, f.ID, err, want)
		}
	}
	for word, want := range map[string]string{
		"F3.33": "did you mean F3.3,", "F4": "001.F4 or 003.F4 or 004.F4", "": "weft lab list", "nonsense": "weft lab list",
		"005.F1": "did you mean 001.F1", "..": "weft lab list", "F": "weft lab list",
	} {
		if f, err := g.Find(word); !errors.Is(err, ErrUnknown) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q finds %q, %v; want an error with %q", word, f.ID, err, want)
		}
	}
}

func TestRegistryRefuses(t *testing.T) {
	if _, err := NewRegistry([]Experiment{{ID: "F9.9"}}); !errors.Is(err, ErrUnknown) {
		t.Errorf("an experiment without a figure: %v", err)
	}
	if _, err := NewRegistry([]Experiment{{ID: "F3.3"}, {ID: "F3.3"}}); err == nil {
		t.Error("two experiments for one figure are accepted")
	}
}

func TestStatus(t *testing.T) {
	g, err := NewRegistry([]Experiment{{ID: "F5.5"}})
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]Status{"F5.5": Built, "001.F4": Built, "F5.6": NotYet, "F1.1": NotEver, "004.T1": NotYet} {
		f, err := g.Find(id)
		if err != nil {
			t.Fatal(err)
		}
		if got := g.Status(f); got != want {
			t.Errorf("%s is %s, want %s", id, got, want)
		}
	}
	if f, _ := g.Find("T5.1"); !f.Table() {
		t.Error("T5.1 is no table")
	}
	if f, _ := g.Find("004.F4"); f.Table() || f.Ways()[0] != Application.String() {
		t.Errorf("004.F4: table %v, ways %v", f.Table(), f.Ways())
	}
}
