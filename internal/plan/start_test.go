package plan

import (
	"slices"
	"testing"
)

// brisk is a plan that puts something down, awaits another rank and takes it up again.
func brisk() *Plan {
	b := NewBuilder("brisk", 0, 2)
	b.OnNode(0, 4, 2)
	b.Set(0, b.Copy(node(0, 4), in(0, 4)))
	b.Set(1, b.Copy(out(0, 4), node(0, 4), b.Await(1, 0)))
	return b.Build()
}

// raised is a Port whose flags of the given steps are raised.
type raised struct {
	notes
	steps []int
}

func (r *raised) Await(peer, flag, step int) bool {
	return slices.Contains(r.steps, step) || r.notes.Await(peer, flag, step)
}

// Steps are taken in their order for as long as they end at once; the others follow what they depend on.
func TestStartTakesWhatEndsAtOnce(t *testing.T) {
	b := NewBuilder("flags", 0, 3)
	b.OnNode(0, 4, 2)
	first := b.Set(0, b.Await(1, 0))
	second := b.Set(1, b.Await(2, 0, first))
	b.Copy(out(0, 4), node(0, 4), b.Await(1, 1), second)
	p := b.Build() // awaits: 0, 2, 4
	for _, c := range []struct{ up, posted, end []int }{
		{[]int{0, 2, 4}, nil, nil},
		{[]int{0, 2}, []int{4}, []int{4}},
		{[]int{0, 4}, []int{2}, []int{2}},
		{[]int{2, 4}, []int{0}, []int{0}},
		{[]int{0}, []int{2, 4}, []int{4, 2}},
		{nil, []int{0, 4, 2}, []int{4, 0, 2}},
	} {
		bufs := Bufs{Out: make([]byte, 4), Node: []byte("abcd")}
		var run Run
		port := &raised{steps: c.up}
		finished := run.Start(p, &bufs, nil, port)
		for _, step := range c.end {
			if finished {
				t.Fatalf("%v raised: finished before step %d", c.up, step)
			}
			finished = run.Done(step, nil)
		}
		if !finished || run.Err() != nil || string(bufs.Out) != "abcd" || !slices.Equal(port.posted, c.posted) {
			t.Errorf("%v raised: posted %v, %q, finished %v, %v", c.up, port.posted, bufs.Out, finished, run.Err())
		}
	}
	var run Run
	if !run.Start(p, &Bufs{}, nil, &raised{}) || run.Err() == nil {
		t.Error("started without memory")
	}
}

func TestBrisk(t *testing.T) {
	if p := brisk(); !p.Brisk() || p.Puts() != node(0, 4) {
		t.Errorf("puts %s: %s", p.Puts(), p)
	}
	for name, add := range map[string]func(b *Builder){
		"sends":   func(b *Builder) { b.Send(1, in(0, 4)) },
		"lends":   func(b *Builder) { b.Lend(node(0, KeyLen), in(0, 4)) },
		"scratch": func(b *Builder) { b.Tmp(4) },
	} {
		b := NewBuilder(name, 0, 2)
		b.OnNode(0, 64, 1)
		b.Set(0)
		add(b)
		if b.Build().Brisk() {
			t.Error(name)
		}
	}
	if exchange(0, 8).Brisk() {
		t.Error("a plan without a node")
	}
}
