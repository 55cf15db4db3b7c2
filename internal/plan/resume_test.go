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

// Whoever takes the first steps himself leaves the rest to a run.
func TestResume(t *testing.T) {
	p := brisk()
	for taken := range 3 {
		bufs := Bufs{In: []byte("abcd"), Out: make([]byte, 4), Node: []byte("----")}
		if taken > 0 {
			copy(bufs.Node, "wxyz") // by who took the step: it is not taken again
		}
		want := string(bufs.Node)
		if taken == 0 {
			want = "abcd"
		}
		var run Run
		port := &notes{}
		if run.Resume(p, &bufs, nil, port, taken) || !slices.Equal(port.posted, []int{2}) {
			t.Fatalf("%d steps taken: posted %v", taken, port.posted)
		}
		if !run.Done(2, nil) || run.Err() != nil || string(bufs.Out) != want {
			t.Errorf("%d steps taken: %q, %v", taken, bufs.Out, run.Err())
		}
	}
	var run Run
	if !run.Resume(p, &Bufs{}, nil, &notes{}, 1) || run.Err() == nil {
		t.Error("resumed without memory")
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
