package plan

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// two builds the plans of two ranks.
func two(zero, one func(b *Builder)) []*Plan {
	var plans []*Plan
	for rank, fill := range []func(*Builder){zero, one} {
		b := NewBuilder("two", rank, 2)
		fill(b)
		plans = append(plans, b.Build())
	}
	return plans
}

func TestCheckFindsEachFault(t *testing.T) {
	idle := func(*Builder) {}
	for _, c := range []struct {
		name string
		zero func(b *Builder)
		one  func(b *Builder)
		want string // part of the message; "" means nothing is wrong
	}{
		{"exchange", func(b *Builder) { b.Send(1, in(0, 4)); b.Recv(1, out(0, 4)) },
			func(b *Builder) { b.Send(0, in(0, 4)); b.Recv(0, out(0, 4)) }, ""},
		{"no receive", func(b *Builder) { b.Send(1, in(0, 4)) }, idle, "has no receive"},
		{"no send", func(b *Builder) { b.Recv(1, out(0, 4)) }, idle, "has no send"},
		{"lengths", func(b *Builder) { b.Send(1, in(0, 4)) }, func(b *Builder) { b.Recv(0, out(0, 3)) }, "meets 4 bytes"},
		{"outside out", func(b *Builder) { b.Copy(out(5, 4), in(0, 4)) }, idle, "outside the buffer"},
		{"outside tmp", func(b *Builder) { b.Copy(Span{Tmp, 0, 4}, in(0, 4)) }, idle, "outside the buffer"},
		{"negative", func(b *Builder) { b.Copy(out(0, 4), in(-1, 4)) }, idle, "outside the buffer"},
		{"writes in", func(b *Builder) { b.Recv(1, in(0, 4)) }, idle, "writes the caller's input"},
		{"overlap", func(b *Builder) { b.Copy(out(0, 4), out(2, 4)) }, idle, "overlap"},
		{"self", func(b *Builder) { b.Send(0, in(0, 4)) }, idle, "no such peer"},
		{"peer", func(b *Builder) { b.Send(2, in(0, 4)) }, idle, "no such peer"},
		{"write and write", func(b *Builder) { b.Copy(out(0, 4), in(0, 4)); b.Copy(out(3, 4), in(0, 4)) }, idle, "not ordered"},
		{"write and read", func(b *Builder) { b.Send(1, out(0, 4)); b.Copy(out(3, 4), in(0, 4)) }, idle, "not ordered"},
		{"read and read", func(b *Builder) { b.Copy(out(0, 4), in(0, 4)); b.Copy(out(4, 4), in(0, 4)) }, idle, ""},
		{"ordered writes", func(b *Builder) { b.Copy(out(0, 4), in(0, 4), b.Gate(b.Copy(out(2, 4), in(0, 4)))) }, idle, ""},
		{"send order", func(b *Builder) {
			r := b.Recv(1, out(0, 4))
			b.Send(1, out(0, 4), r)
			b.Send(1, in(0, 4))
		}, idle, "may be posted before"},
		{"deadlock", func(b *Builder) { b.Recv(1, out(0, 4), b.Send(1, in(0, 4))) },
			func(b *Builder) { b.Recv(0, out(0, 4), b.Send(0, in(0, 4))) }, "deadlock: rank 0 waits in step 0"},
	} {
		err := Check(two(c.zero, c.one), []Lens{{8, 8}, {8, 8}})
		if c.want == "" {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}

func TestCheckWantsTheRightPlans(t *testing.T) {
	plans := []*Plan{exchange(1, 4), exchange(0, 4)}
	if Check(plans, nil) == nil {
		t.Error("plans of other ranks were taken")
	}
	plans[0], plans[1] = plans[1], plans[0]
	if err := Check(plans, nil); err != nil {
		t.Error(err)
	}
	if Check(plans, make([]Lens, 3)) == nil {
		t.Error("lengths for another number of ranks were taken")
	}
}

func TestRoundsFollowMessagesAcrossRanks(t *testing.T) {
	// Rank 0 sends, rank 1 answers twice; both receives of rank 0 are posted
	// from the start.
	plans := two(func(b *Builder) { b.Send(1, in(0, 4)); b.Recv(1, out(0, 4)); b.Recv(1, out(4, 4)) },
		func(b *Builder) { r := b.Recv(0, out(0, 4)); b.Send(0, out(0, 4), r); b.Send(0, out(0, 4), r) })
	if n, err := Rounds(plans); n != 2 || err != nil {
		t.Errorf("%d rounds (%v), want 2", n, err)
	}
	if _, err := Rounds(two(func(b *Builder) { b.Send(1, in(0, 4)) }, func(*Builder) {})); err == nil {
		t.Error("a send without a receive was counted")
	}
}

func TestSimulateReportsFaults(t *testing.T) {
	bufs := []Bufs{{In: make([]byte, 4), Out: make([]byte, 4)}, {In: make([]byte, 4), Out: make([]byte, 4)}}
	short := two(func(b *Builder) { b.Send(1, in(0, 4)) }, func(b *Builder) { b.Recv(0, out(0, 3)); b.Recv(0, out(3, 1)) })
	if err := Simulate(short, Simulation{Bufs: bufs}); err == nil || !strings.Contains(err.Error(), "rank 1: 4 bytes from rank 0") {
		t.Error(err)
	}
	lonely := two(func(b *Builder) { b.Send(1, in(0, 4)) }, func(*Builder) {})
	if err := Simulate(lonely, Simulation{Bufs: bufs}); err == nil || !strings.Contains(err.Error(), "1 of 2 ranks never finish") {
		t.Error(err)
	}
}

// randomPlans draws the plans of a few ranks. Messages are added at both ends
// at once, so that they often fit; dependencies are drawn with a liking for
// the step before.
func randomPlans(t *rapid.T, ranks, size int) []*Plan {
	builders := make([]*Builder, ranks)
	for rank := range builders {
		builders[rank] = NewBuilder("random", rank, ranks)
	}
	span := func(label string) Span {
		off := rapid.IntRange(0, size-1).Draw(t, label)
		return out(off, min(2, size-off))
	}
	deps := func(b *Builder) []int {
		if b.Len() == 0 || rapid.IntRange(0, 9).Draw(t, "free") == 0 {
			return nil
		}
		return []int{b.Len() - 1, rapid.IntRange(0, b.Len()-1).Draw(t, "dep")}
	}
	for range rapid.IntRange(1, 8).Draw(t, "steps") {
		from := rapid.IntRange(0, ranks-1).Draw(t, "from")
		to := rapid.IntRange(0, ranks-1).Draw(t, "to")
		src, dst := span("src"), span("dst")
		n := min(src.Len, dst.Len)
		src, dst = src.Sub(0, n), dst.Sub(0, n)
		a, b := builders[from], builders[to]
		switch {
		case from != to:
			a.Send(to, src, deps(a)...)
			b.Recv(from, dst, deps(b)...)
		case rapid.Bool().Draw(t, "reduce"):
			a.Reduce(dst, src, false, deps(a)...)
		default:
			a.Copy(dst, src, deps(a)...)
		}
	}
	plans := make([]*Plan, ranks)
	for rank, b := range builders {
		plans[rank] = b.Build()
	}
	return plans
}

// TestCheckedPlansHaveOneResult is the promise of Check: what it accepts
// finishes, and with the same bytes in every order of events.
func TestCheckedPlansHaveOneResult(t *testing.T) {
	const ranks, size = 3, 8
	rapid.Check(t, func(t *rapid.T) {
		plans := randomPlans(t, ranks, size)
		lens := make([]Lens, ranks)
		for rank := range lens {
			lens[rank].Out = size
		}
		if Check(plans, lens) != nil {
			t.Skip("not a fitting set")
		}
		sum := func(dst, src []byte, _ bool) {
			for i := range dst {
				dst[i] = dst[i]*3 + src[i]
			}
		}
		result := func(pick func(int) int) []byte {
			bufs := make([]Bufs, ranks)
			for rank := range bufs {
				bufs[rank].Out = make([]byte, size)
				for i := range size {
					bufs[rank].Out[i] = byte(rank*size + i + 1)
				}
			}
			if err := Simulate(plans, Simulation{Bufs: bufs, Combine: sum, Pick: pick}); err != nil {
				t.Fatal(err)
			}
			return bytes.Join([][]byte{bufs[0].Out, bufs[1].Out, bufs[2].Out}, nil)
		}
		want := result(nil)
		for range 3 {
			got := result(func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "event") })
			if !bytes.Equal(got, want) {
				t.Fatalf("one order gives %v, another %v", want, got)
			}
		}
	})
}
