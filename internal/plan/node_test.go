package plan

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func node(off, n int) Span { return Span{Node, off, n} }

// onNode makes the plans of two ranks that share 8 bytes and 2 flags.
func onNode(zero, one func(b *Builder)) []*Plan {
	return two(func(b *Builder) { b.OnNode(0, 8, 2); zero(b) }, func(b *Builder) { b.OnNode(0, 8, 2); one(b) })
}

func TestCheckSeesWhatRanksOfANodeDoToEachOther(t *testing.T) {
	write := func(b *Builder) int { return b.Copy(node(0, 4), in(0, 4)) }
	read := func(b *Builder, deps ...int) int { return b.Copy(out(0, 4), node(0, 4), deps...) }
	for _, c := range []struct {
		name      string
		zero, one func(b *Builder)
		want      string
	}{
		{"flag orders", func(b *Builder) { b.Set(0, write(b)) }, func(b *Builder) { read(b, b.Await(0, 0)) }, ""},
		{"message orders", func(b *Builder) { b.Send(1, Span{}, write(b)) }, func(b *Builder) { read(b, b.Recv(0, Span{})) }, ""},
		{"nothing orders", func(b *Builder) { write(b) }, func(b *Builder) { read(b) }, "not ordered"},
		{"raised too early", func(b *Builder) { b.Set(0); write(b) }, func(b *Builder) { read(b, b.Await(0, 0)) }, "not ordered"},
		{"read too early", func(b *Builder) { b.Set(0, write(b)) }, func(b *Builder) { b.Await(0, 0); read(b) }, "not ordered"},
		{"sent too early", func(b *Builder) { b.Send(1, Span{}); write(b) }, func(b *Builder) { read(b, b.Recv(0, Span{})) }, "not ordered"},
		{"both ways", func(b *Builder) { b.Copy(node(0, 4), in(0, 4), b.Await(1, 1, b.Set(0, write(b)))) },
			func(b *Builder) { b.Set(1, read(b, b.Await(0, 0))) }, ""},
		{"never raised", func(b *Builder) {}, func(b *Builder) { b.Await(0, 1) }, "never raises it"},
		{"raised twice", func(b *Builder) { b.Set(0, b.Set(0)) }, func(b *Builder) { b.Await(0, 0) }, "raise flag 0"},
		{"no such flag", func(b *Builder) { b.Set(2) }, func(*Builder) {}, "has 2 flags"},
		{"own flag", func(b *Builder) { b.Await(0, 0, b.Set(0)) }, func(*Builder) {}, "no such peer"},
		{"deadlock", func(b *Builder) { b.Set(0, b.Await(1, 0)) }, func(b *Builder) { b.Set(0, b.Await(0, 0)) }, "deadlock"},
		{"other node", func(b *Builder) { b.Set(0) }, func(b *Builder) { b.OnNode(1, 8, 2); b.Await(0, 0) }, "does not share"},
		{"sizes differ", func(b *Builder) { write(b) }, func(b *Builder) { b.OnNode(0, 12, 2) }, "share 8 and 12 bytes"},
		{"beyond the end", func(b *Builder) { b.Copy(node(6, 4), in(0, 4)) }, func(*Builder) {}, "outside the buffer"},
		{"ways differ", func(b *Builder) { b.Travel(Announced, 0); b.Send(1, in(0, 4)) }, func(b *Builder) { b.Recv(0, out(0, 4)) }, "is announced"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := Check(onNode(c.zero, c.one), nil)
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestSimulateMovesBytesThroughTheNode(t *testing.T) {
	plans := onNode(func(b *Builder) { b.Set(0, b.Copy(node(4, 4), in(0, 4))) },
		func(b *Builder) { b.Copy(out(0, 4), node(4, 4), b.Await(0, 0)) })
	got := make([]byte, 4)
	if err := Simulate(plans, Simulation{Bufs: []Bufs{{In: []byte("abcd")}, {Out: got}}}); err != nil || string(got) != "abcd" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestSendsByArrival(t *testing.T) {
	b := NewBuilder("arrival", 0, 4)
	b.ByArrival()
	for peer := 1; peer < 4; peer++ {
		b.Send(peer, in(0, 1))
	}
	port := &notes{arrived: []int{3}}
	var run Run
	run.Start(b.Build(), &Bufs{In: make([]byte, 1)}, nil, port)
	if want := []int{2, 0, 1}; !slices.Equal(port.posted, want) {
		t.Errorf("posted %v, want %v", port.posted, want)
	}
}

func TestTally(t *testing.T) {
	b := NewBuilder("tally", 0, 3)
	b.OnNode(0, 16, 1)
	c := b.Copy(node(0, 4), in(0, 4))
	b.Travel(Announced, 2)
	b.Send(1, in(0, 8))
	b.Send(1, in(0, 2))
	b.Travel(Auto, 0)
	b.Recv(2, out(0, 5))
	b.Reduce(out(8, 4), node(0, 4), false, c)
	b.Copy(out(12, 3), in(0, 3))
	b.Set(0, c)
	want := Tally{Sends: 2, Recvs: 1, SendBytes: 10, RecvBytes: 5, Peers: 1, RailBytes: map[int]int{2: 10}, NodeWrites: 1,
		NodeReads: 1, NodeWriteBytes: 4, NodeReadBytes: 4, MoveBytes: 3, ReduceBytes: 4, Flags: 1}
	if diff := cmp.Diff(want, b.Build().Tally()); diff != "" {
		t.Error(diff)
	}
}
