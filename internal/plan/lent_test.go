package plan

import (
	"strings"
	"testing"
)

// lenders makes the plans of two ranks with a slip and two flags each: flag 0 tells of what is lent, flag 1
// that it was fetched.
func lenders(zero, one func(b *Builder)) []*Plan { return onSlips(zero, one) }

func TestCheckSeesToWhatIsLent(t *testing.T) {
	key := node(0, KeyLen)
	lend := func(b *Builder) int { return b.Set(0, b.Lend(key, in(0, 8))) }
	fetch := func(b *Builder, at, n int) int { return b.Fetch(0, out(0, n), key, at, b.Await(0, 0)) }
	for _, c := range []struct {
		name      string
		zero, one func(b *Builder)
		want      string
	}{
		{"fetched and returned", func(b *Builder) { lend(b); b.Await(1, 1) }, func(b *Builder) { b.Set(1, fetch(b, 0, 8)) }, ""},
		{"a part", func(b *Builder) { lend(b); b.Await(1, 1) }, func(b *Builder) { b.Set(1, fetch(b, 4, 4)) }, ""},
		{"beyond the end", func(b *Builder) { lend(b); b.Await(1, 1) }, func(b *Builder) { b.Set(1, fetch(b, 4, 5)) }, "has lent in[0:8]"},
		{"nobody waits", func(b *Builder) { lend(b) }, func(b *Builder) { fetch(b, 0, 8) }, "does not wait for its end"},
		{"returned too early", func(b *Builder) { lend(b); b.Await(1, 1) }, func(b *Builder) { b.Set(1); fetch(b, 0, 8) }, "does not wait"},
		{"never lent", func(b *Builder) { b.Set(0); b.Await(1, 1) }, func(b *Builder) { b.Set(1, fetch(b, 0, 8)) }, "has not lent it"},
		{"not yet lent", func(b *Builder) { lend(b); b.Await(1, 1) },
			func(b *Builder) { b.Await(0, 0); b.Set(1, b.Fetch(0, out(0, 8), key, 0)) }, "not ordered"},
		{"changed meanwhile", func(b *Builder) {
			b.Set(0, b.Lend(key, out(0, 8)))
			b.Await(1, 1)
			b.Copy(out(4, 4), in(0, 4), 0)
		}, func(b *Builder) { b.Set(1, fetch(b, 0, 8)) }, "not ordered"},
		{"changed afterwards", func(b *Builder) {
			b.Set(0, b.Lend(key, out(0, 8)))
			b.Copy(out(4, 4), in(0, 4), 0, b.Await(1, 1))
		}, func(b *Builder) { b.Set(1, fetch(b, 0, 8)) }, ""},
		{"another part is changed", func(b *Builder) {
			b.Set(0, b.Lend(key, out(0, 8)))
			b.Copy(out(4, 4), in(0, 4), 0)
			b.Await(1, 1)
		}, func(b *Builder) { b.Set(1, fetch(b, 0, 4)) }, ""},
		{"a short key", func(b *Builder) { b.Lend(node(0, 8), in(0, 8)) }, func(*Builder) {}, "a key is 16 bytes"},
		{"a key elsewhere", func(b *Builder) { b.Lend(out(0, KeyLen), in(0, 8)) }, func(*Builder) {}, "a key is 16 bytes"},
		{"from oneself", func(b *Builder) { b.Fetch(0, out(0, 8), key, 0, lend(b)) }, func(*Builder) {}, "no such peer"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := Check(lenders(c.zero, c.one), nil)
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestSimulateFetches(t *testing.T) {
	key := node(0, KeyLen)
	plans := lenders(func(b *Builder) { b.Set(0, b.Lend(key, in(1, 5))); b.Await(1, 1) },
		func(b *Builder) { b.Set(1, b.Fetch(0, out(0, 4), key, 1, b.Await(0, 0))) })
	got := make([]byte, 4)
	if err := Simulate(plans, Simulation{Bufs: []Bufs{{In: []byte("abcdef")}, {Out: got}}}); err != nil || string(got) != "cdef" {
		t.Errorf("%q, %v", got, err)
	}
}

// A fetch that fails ends the run.
func TestFetchFails(t *testing.T) {
	b := NewBuilder("fetch", 0, 2)
	b.OnSlips(0, 2, 1)
	b.Await(1, 0, b.Fetch(1, out(0, 4), node(SlipLen, KeyLen), 0))
	var run Run
	port := &notes{}
	if !run.Start(b.Build(), &Bufs{Out: make([]byte, 4), Node: make([]byte, 2*SlipLen)}, nil, port) || run.Err() == nil || len(port.posted) > 0 {
		t.Errorf("ended with %v, posted %v", run.Err(), port.posted)
	}
}
