package simtest

import (
	"encoding/json"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/verbs/sim"
)

// A failure that needs one message and one fault is shown with these alone.
func TestShrink(t *testing.T) {
	c := New(7, Options{Faults: "mixed"})
	c.Items = append(c.Items, Item{Message: &Message{From: 0, To: 1, Tag: 77, Bytes: 5000, Room: 9}})
	c.Faults = append(c.Faults, Fault{Kind: "stall", At: 99})
	small := Shrink(c, time.Minute, func(c *Case) bool {
		found, fault := false, false
		for _, it := range c.Items {
			found = found || it.Message != nil && it.Message.Tag == 77 && it.Message.Bytes > 1000
		}
		for _, f := range c.Faults {
			fault = fault || f.At == 99
		}
		return found && fault
	})
	if len(small.Items) != 1 || small.Items[0].Message.Tag != 77 || small.Items[0].Message.Bytes > 2001 || small.Items[0].Message.Room != 0 {
		t.Errorf("items left: %s", small.Describe())
	}
	if len(small.Faults) != 1 || small.Faults[0].At != 99 || small.Shape.Ranks != 2 {
		t.Errorf("left: %d faults, %d ranks", len(small.Faults), small.Shape.Ranks)
	}
}

// What a failure needs of its nodes is left of them: one that is crowded, and ranks on another. The
// rest is even and side by side.
func TestShrinkNodes(t *testing.T) {
	c := New(3, Options{Nodes: "uneven", Ranks: 9, Faults: "node"})
	c.Shape.Nodes, c.Shape.Spots = 6, []int{4, 1, 4, 1, 4, 5, 0, 5, 1}
	c.Shape.Each = []sim.Node{{Cores: 2}, {Rails: 2, Rates: []float64{1, 0.5}}, {}, {Denies: true}, {Cores: 1, Denies: true}, {}}
	small := Shrink(c, time.Minute, func(c *Case) bool {
		if err := c.check(); err != nil {
			t.Fatal(err)
		}
		counts, crowded := c.Shape.counts(), false
		for i, n := range counts {
			crowded = crowded || i < len(c.Shape.Each) && c.Shape.Each[i].Cores > 0 && n > c.Shape.Each[i].Cores
		}
		return crowded && c.Shape.Nodes > times(counts, 0)+1
	})
	s := &small.Shape
	if s.order() != "side by side" || slices.Contains(s.counts(), 0) || s.Nodes != 2 || s.Ranks != 3 {
		t.Errorf("left: %s", s.where())
	}
	if cores := []int{s.Each[0].Cores, s.Each[1].Cores}; slices.Max(cores) != 1 || slices.Min(cores) != 0 || s.denies() || s.Each[0].Rails+s.Each[1].Rails > 0 {
		t.Errorf("nodes left: %s", s.nodes())
	}
}

// A case in a file is the same case.
func TestSaveAndLoad(t *testing.T) {
	for seed := range uint64(20) {
		c := New(seed, Options{})
		path := filepath.Join(t.TempDir(), "case.json")
		if err := c.Save(path); err != nil {
			t.Fatal(err)
		}
		back, err := Load(path)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(layOut(c).describe(), layOut(back).describe()) || !reflect.DeepEqual(c.Faults, back.Faults) {
			t.Errorf("seed %d is another case after it was kept", seed)
		}
	}
}

// describe is what all ranks do, in words.
func (p *program) describe() (all []string) {
	for _, s := range p.scripts {
		for _, st := range s {
			all = append(all, st.String())
		}
	}
	return all
}

// Programs without some of their items still make sense.
func TestAnyItemsCanGo(t *testing.T) {
	for seed := range uint64(20) {
		c := New(seed, Options{Faults: "none"})
		for keep := range 3 {
			d := *c
			d.Items = nil
			for i, it := range c.Items {
				if i%3 != keep {
					d.Items = append(d.Items, it)
				}
			}
			if r := Run(&d, nil); r.Err != nil {
				t.Errorf("seed %d, two of three items: %v", seed, r.Err)
			}
		}
	}
}

func FuzzLoad(f *testing.F) {
	for seed := range uint64(3) {
		c := New(seed, Options{})
		c.Items = c.Items[:min(len(c.Items), 10)]
		text, err := json.Marshal(c)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		if c, err := parse([]byte(text)); err == nil {
			layOut(c)
		}
	})
}
