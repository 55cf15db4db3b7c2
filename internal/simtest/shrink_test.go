package simtest

import (
	"encoding/json"
	"path/filepath"
	"reflect"
	"testing"
	"time"
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
