package plan

import (
	"strings"
	"testing"
)

// onSlips makes the plans of two ranks that have a slip and two flags each.
func onSlips(zero, one func(b *Builder)) []*Plan {
	return two(func(b *Builder) { b.OnSlips(0, 2, 2); zero(b) }, func(b *Builder) { b.OnSlips(0, 2, 2); one(b) })
}

func TestCheckKeepsDataOfSlipsFromTheirFlags(t *testing.T) {
	read := func(b *Builder) { b.Copy(out(0, SlipRoom), node(0, SlipRoom), b.Await(0, 0)) }
	for _, c := range []struct {
		name      string
		zero, one func(b *Builder)
		want      string
	}{
		{"data", func(b *Builder) { b.Set(0, b.Copy(node(0, SlipRoom), in(0, SlipRoom))) }, read, ""},
		{"of the second rank", func(b *Builder) { b.Copy(out(0, 4), node(SlipLen, 4), b.Await(1, 0)) },
			func(b *Builder) { b.Set(0, b.Copy(node(SlipLen, 4), in(0, 4))) }, ""},
		{"one byte too long", func(b *Builder) { b.Copy(node(0, SlipRoom+1), in(0, SlipRoom+1)) }, func(*Builder) {}, "inside the data of a slip"},
		{"on the flag", func(b *Builder) { b.Copy(node(SlipRoom, 8), in(0, 8)) }, func(*Builder) {}, "inside the data of a slip"},
		{"across slips", func(b *Builder) { b.Copy(node(0, 2*SlipLen), in(0, 2*SlipLen)) }, func(*Builder) {}, "inside the data of a slip"},
		{"beyond the last", func(b *Builder) { b.Copy(node(2*SlipLen, 4), in(0, 4)) }, func(*Builder) {}, "outside the buffer"},
		{"one without", func(b *Builder) { b.Set(0) }, func(b *Builder) { b.OnNode(0, 2*SlipLen, 2); b.p.Slips = false; b.Await(0, 0) },
			"does not share"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := Check(onSlips(c.zero, c.one), nil)
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestSlipsCannotBeMisused(t *testing.T) {
	panics := func(name string, f func()) {
		defer func() {
			if recover() == nil {
				t.Errorf("%s: no panic", name)
			}
		}()
		f()
	}
	panics("too many flags", func() { NewBuilder("slips", 0, 2).OnSlips(0, 2, SlipFlags+1) })
	panics("joined", func() {
		part := NewBuilder("part", 0, 2)
		part.OnSlips(0, 2, 1)
		NewBuilder("whole", 0, 2).Join(part.Build(), Join{})
	})
	b := NewBuilder("checked", 0, 2)
	b.OnSlips(0, 2, 1)
	if p := WithCheck(b.Build(), 16); !p.Slips || p.NodeLen != 2*SlipLen {
		t.Errorf("with a check: %s", p)
	}
}
