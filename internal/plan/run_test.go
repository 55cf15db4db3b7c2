package plan

import (
	"errors"
	"slices"
	"testing"
)

// notes is a Port that writes down what it is asked and does nothing.
type notes struct {
	posted    []int
	cancelled []int
	arrived   []int
}

func (n *notes) Send(_ *Step, _ []byte, step int) bool {
	n.posted = append(n.posted, step)
	return false
}

func (n *notes) Recv(_ *Step, _ []byte, step int) { n.posted = append(n.posted, step) }
func (n *notes) Cancel(step int)                  { n.cancelled = append(n.cancelled, step) }
func (n *notes) Set(int)                          {}
func (n *notes) Arrived(peer int) bool            { return slices.Contains(n.arrived, peer) }
func (n *notes) Copy(_ *Step, dst, src []byte)    { copy(dst, src) }

func (n *notes) Lend(_, _ []byte) {}

func (n *notes) Reduce(_ *Step, _, _ []byte, step int) { n.posted = append(n.posted, step) }

func (n *notes) Fetch(int, []byte, []byte, int) error { return errors.New("nothing to fetch") }

func (n *notes) Await(_, _, step int) bool {
	n.posted = append(n.posted, step)
	return false
}

func out(off, n int) Span { return Span{Out, off, n} }
func in(off, n int) Span  { return Span{In, off, n} }

// xor is a reduction that cannot tell its operands apart.
func xor(dst, src []byte, _ bool) {
	for i := range dst {
		dst[i] ^= src[i]
	}
}

func TestReadyStepsStartInStepOrder(t *testing.T) {
	// Step 0 releases 2 and, through the copy 1, also 3. Although 1 and what
	// it releases are found first, 2 must be posted before 3.
	b := NewBuilder("order", 0, 2)
	first := b.Recv(1, out(0, 1))
	c := b.Copy(out(1, 1), out(0, 1), first)
	b.Send(1, out(0, 1), first)
	b.Send(1, out(1, 1), c)
	p := b.Build()
	var run Run
	port := &notes{}
	if run.Start(p, &Bufs{Out: make([]byte, 2)}, nil, port) {
		t.Fatal("finished before the receive ended")
	}
	run.Done(0, nil)
	if want := []int{0, 2, 3}; !slices.Equal(port.posted, want) {
		t.Errorf("posted %v, want %v", port.posted, want)
	}
	if run.Done(3, nil) || !run.Done(2, nil) {
		t.Error("must finish with the last step, not before")
	}
}

func TestStepsWithoutPeersFinishAtOnce(t *testing.T) {
	b := NewBuilder("local", 0, 1)
	tmp := b.Tmp(4)
	c := b.Copy(tmp, in(0, 4))
	d := b.Copy(out(0, 4), in(4, 4))
	b.Reduce(out(0, 4), tmp, true, c, d, None)
	got := make([]byte, 4)
	var run Run
	concat := func(dst, src []byte, srcFirst bool) {
		if !srcFirst {
			t.Error("the operands changed sides")
		}
		for i := range dst {
			dst[i] = src[i]*10 + dst[i]
		}
	}
	bufs := Bufs{In: []byte{1, 2, 3, 4, 5, 6, 7, 8}, Out: got, Tmp: make([]byte, 4)}
	if !run.Start(b.Build(), &bufs, concat, silent{}) {
		t.Fatal("nothing to wait for, yet not finished")
	}
	if want := []byte{15, 26, 37, 48}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	run.Reset()
	if run.plan != nil || run.bufs != nil || run.combine != nil {
		t.Error("Reset keeps references")
	}
}

func TestShortBufferIsRefused(t *testing.T) {
	b := NewBuilder("short", 0, 2)
	b.Recv(1, out(3, 5))
	var run Run
	port := &notes{}
	if !run.Start(b.Build(), &Bufs{Out: make([]byte, 7)}, nil, port) || run.Err() == nil {
		t.Fatal("a buffer of 7 bytes was taken where 8 are needed")
	}
	if len(port.posted) > 0 {
		t.Error("something was posted all the same")
	}
}

func TestFirstErrorStopsTheRun(t *testing.T) {
	b := NewBuilder("errors", 0, 4)
	r1 := b.Recv(1, out(0, 1))
	b.Recv(2, out(1, 1))
	b.Send(3, in(0, 1))
	b.Send(1, out(0, 1), r1)
	p := b.Build()
	var run Run
	port := &notes{}
	bufs := Bufs{In: make([]byte, 1), Out: make([]byte, 2)}
	run.Start(p, &bufs, nil, port)
	lost, withdrawn := errors.New("lost"), errors.New("withdrawn")
	if run.Done(r1, lost) {
		t.Fatal("finished with two steps under way")
	}
	if want := []int{1}; !slices.Equal(port.cancelled, want) {
		t.Errorf("cancelled %v, want %v", port.cancelled, want)
	}
	if run.Done(1, withdrawn) || !run.Done(2, nil) {
		t.Error("must finish when the last posted step has ended")
	}
	if !errors.Is(run.Err(), lost) {
		t.Errorf("Err is %v, want the first error", run.Err())
	}
	if want := []int{0, 1, 2}; !slices.Equal(port.posted, want) {
		t.Errorf("posted %v, want %v", port.posted, want)
	}
	port.posted = nil
	if run.Start(p, &bufs, nil, port) || run.Err() != nil || len(port.posted) != 3 {
		t.Error("a failed run cannot be started again")
	}
}

func TestMisuseOfARunPanics(t *testing.T) {
	b := NewBuilder("misuse", 0, 2)
	b.Recv(1, out(0, 1))
	p := b.Build()
	var run Run
	bufs := Bufs{Out: make([]byte, 1)}
	run.Start(p, &bufs, nil, &notes{})
	if !panics(func() { run.Start(p, &bufs, nil, &notes{}) }) {
		t.Error("start while running: no panic")
	}
	if !panics(run.Reset) {
		t.Error("reset while running: no panic")
	}
	run.Done(0, nil)
	if !panics(func() { run.Done(0, nil) }) {
		t.Error("done twice: no panic")
	}
}

func panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return false
}

// exchange is the plan of an allreduce on two ranks, the shortest of the hot
// paths.
func exchange(rank, n int) *Plan {
	b := NewBuilder("exchange", rank, 2)
	tmp := b.Tmp(n)
	b.Send(1-rank, in(0, n))
	got := b.Recv(1-rank, tmp)
	own := b.Copy(out(0, n), in(0, n))
	b.Reduce(out(0, n), tmp, rank == 1, got, own)
	return b.Build()
}

// silent is a Port that does nothing at all.
type silent struct{}

func (silent) Send(*Step, []byte, int) bool  { return false }
func (silent) Recv(*Step, []byte, int)       {}
func (silent) Set(int)                       {}
func (silent) Await(int, int, int) bool      { return false }
func (silent) Arrived(int) bool              { return false }
func (silent) Copy(_ *Step, dst, src []byte) { copy(dst, src) }
func (silent) Cancel(int)                    {}
func (silent) Lend(_, _ []byte)              {}

func (silent) Reduce(*Step, []byte, []byte, int) {}

func (silent) Fetch(int, []byte, []byte, int) error { return nil }

func TestRunAllocatesNothing(t *testing.T) {
	p := WithCheck(exchange(0, 8), 16)
	bufs := Bufs{In: make([]byte, 8), Out: make([]byte, 8), Tmp: make([]byte, p.TmpLen)}
	var run Run
	var port Port = silent{}
	if n := testing.AllocsPerRun(100, func() {
		run.Start(p, &bufs, xor, port)
		run.Done(0, nil)
		run.Done(1, nil)
		run.Done(3, nil)
		if !run.Done(4, nil) {
			t.Fatal("not finished")
		}
	}); n != 0 {
		t.Errorf("%v allocations per run", n)
	}
}

func BenchmarkRunExchange(b *testing.B) {
	p := exchange(0, 8)
	bufs := Bufs{In: make([]byte, 8), Out: make([]byte, 8), Tmp: make([]byte, p.TmpLen)}
	var run Run
	var port Port = silent{}
	b.ReportAllocs()
	for b.Loop() {
		run.Start(p, &bufs, xor, port)
		run.Done(0, nil)
		run.Done(1, nil)
	}
}

// To stop a run that was reset, because its end came with that of another, does nothing.
func TestStopAfterReset(t *testing.T) {
	b := NewBuilder("reset", 0, 2)
	b.Recv(1, Span{Buf: Out, Len: 8})
	var r Run
	if r.Start(b.Build(), &Bufs{Out: make([]byte, 8)}, nil, silent{}) {
		t.Fatal("ended without its message")
	}
	r.Done(0, nil)
	r.Reset()
	r.Stop(errors.New("too late"))
}
