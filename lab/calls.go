package lab

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/lab/measure"
	"github.com/weft-mpi/weft/mpi"
)

// call is something that ranks do together, of which a timeline can be drawn. Prepare returns what each
// rank does; buffers have that many bytes, those of all ranks together where ranks have parts.
type call struct {
	name    string
	prepare func(k *measure.Rank, bytes int) (do, end func() error, err error)
}

// collective is a call without a preparation.
func collective(name string, do func(w *mpi.Comm, in, out []byte) error) call {
	return call{name, func(k *measure.Rank, bytes int) (func() error, func() error, error) {
		in, out := make([]byte, bytes), make([]byte, bytes)
		return func() error {
			defer k.Span(capital(name))()
			return do(k.World, in, out)
		}, nil, nil
	}}
}

func capital(name string) string { return strings.ToUpper(name[:1]) + name[1:] }

// part is a rank's part of a buffer of all.
func part(w *mpi.Comm, b []byte) []byte { return b[:len(b)/w.Size()] }

var calls = []call{
	{"send", sends},
	collective("barrier", func(w *mpi.Comm, _, _ []byte) error { return mpi.Barrier(w) }),
	collective("bcast", func(w *mpi.Comm, in, _ []byte) error { return mpi.Bcast(w, in, 0) }),
	collective("reduce", func(w *mpi.Comm, in, out []byte) error { return mpi.Reduce(w, in, out, mpi.Sum, 0) }),
	collective("allreduce", func(w *mpi.Comm, in, out []byte) error { return mpi.Allreduce(w, in, out, mpi.Sum) }),
	collective("gather", func(w *mpi.Comm, in, out []byte) error { return mpi.Gather(w, part(w, in), out, 0) }),
	collective("scatter", func(w *mpi.Comm, in, out []byte) error { return mpi.Scatter(w, in, part(w, out), 0) }),
	collective("allgather", func(w *mpi.Comm, in, out []byte) error { return mpi.Allgather(w, part(w, in), out) }),
	collective("alltoall", func(w *mpi.Comm, in, out []byte) error { return mpi.Alltoall(w, in, out) }),
	{"put", puts},
}

// sends has rank 0 send to rank 1.
func sends(k *measure.Rank, bytes int) (do, end func() error, err error) {
	buf := make([]byte, bytes)
	return func() error {
		switch k.World.Rank() {
		case 0:
			defer k.Span("Send")()
			return mpi.Send(k.World, buf, 1, 0)
		case 1:
			defer k.Span("Recv")()
			_, err := mpi.Recv(k.World, buf, 0, 0)
			return err
		}
		return nil
	}, nil, nil
}

// puts has every rank write to the next one's window, between two fences.
func puts(k *measure.Rank, bytes int) (do, end func() error, err error) {
	w, data := k.World, make([]byte, bytes)
	win, err := mpi.CreateWindow(w, make([]byte, bytes))
	if err != nil {
		return nil, nil, err
	}
	step := func(name string, f func() error) error {
		defer k.Span(name)()
		return f()
	}
	fence := func() error { return win.Fence() }
	return func() error {
		return errors.Join(
			step("Fence", fence),
			step("Put", func() error { return mpi.Put(win, data, (w.Rank()+1)%w.Size(), 0) }),
			step("Fence", fence))
	}, win.Free, nil
}

// CallNames lists the calls that [Bench.Trace] knows.
func CallNames() []string {
	var names []string
	for _, c := range calls {
		names = append(names, c.name)
	}
	return names
}

// Trace runs a call in virtual time and returns what happened. Every rank has a node of its own,
// connections are there, and all ranks begin at the same moment, but for the last one, which computes
// before and comes late.
func (b *Bench) Trace(ctx context.Context, name string, ranks, bytes int, late time.Duration) (*Timeline, error) {
	i := slices.IndexFunc(calls, func(c call) bool { return c.name == name })
	if i < 0 {
		return nil, fmt.Errorf("there is no timeline of %q: take one of %s", name, strings.Join(CallNames(), ", "))
	}
	on := b.Setups("IB1")[0]
	if !on.On.Virtual() {
		return nil, fmt.Errorf("%w: a timeline is drawn in virtual time, not on %s", ErrPlatform, on.On)
	}
	var rec Recorder
	job := Job{On: on, Ranks: ranks, Watch: &rec}
	err := b.Run(ctx, job, func(k *measure.Rank) error { return rehearsed(k, calls[i], bytes, late, &rec) })
	var lanes []string
	for rank := range ranks {
		lanes = append(lanes, fmt.Sprint("rank ", rank))
	}
	title := fmt.Sprintf("%s of %s on %d ranks, %s", capital(name), bench.SizeText(bytes), ranks, on.Label)
	if late > 0 {
		title += fmt.Sprintf(", rank %d comes %v late", ranks-1, late)
	}
	t := rec.Timeline(title, lanes...)
	t.Spans = slices.DeleteFunc(t.Spans, func(s Span) bool { return s.What == "compute" && s.To-s.From == int64(beat) }) // the end
	return t, err
}

// The rhythm of a recording.
const (
	rehearsals = 100         // how often a call is made before: connections and rings are there then
	beat       = time.Second // longer than ranks are apart after a barrier or a call
)

// rehearsed makes a call until everything that it needs is there, and records it once.
func rehearsed(k *measure.Rank, c call, bytes int, late time.Duration, rec *Recorder) error {
	do, end, err := c.prepare(k, bytes)
	if err != nil {
		return err
	}
	for round := range rehearsals + 1 {
		if err := mpi.Barrier(k.World); err != nil {
			return err
		}
		start := k.Now().Truncate(beat) + 2*beat
		k.Compute(start - k.Now())
		if round == rehearsals {
			rec.Start(int64(start))
			if k.World.Rank() == k.World.Size()-1 {
				k.Compute(late)
			}
		}
		if err := do(); err != nil {
			return err
		}
	}
	rec.Stop(int64(k.Now()))
	k.Compute(beat) // until the last has ended, too
	if end != nil {
		return end()
	}
	return nil
}
