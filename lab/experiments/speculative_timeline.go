package experiments

import (
	"context"
	"slices"
	"time"

	"github.com/weft-mpi/weft/internal/wire"
	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/measure"
)

// specProgressTimeline shows a 1 MB message to an early receiver that computes, with both protocols, one
// above the other.
func specProgressTimeline(ctx context.Context, b *lab.Bench) (*lab.Timeline, error) {
	both := &lab.Timeline{Title: "1 MB to a receiver that computes: plain and speculative rendezvous"}
	for _, p := range specProtocols {
		t, err := traceMessage(ctx, b, p.settings, measure.Case{Computes: measure.Receiver, First: measure.Receiver}, 1200*time.Microsecond)
		if err != nil {
			return nil, err
		}
		t.Lanes = []string{"receiver, " + p.name, "sender, " + p.name}
		both.Below(t)
	}
	return both, nil
}

// traceMessage records one 1 MB message of a case on IW2 whose computing side computes for that long, when
// connections and registrations are there. Lane 0 is the side that computes. Time begins with the first
// call.
func traceMessage(ctx context.Context, b *lab.Bench, settings []string, c measure.Case, busy time.Duration) (*lab.Timeline, error) {
	var rec lab.Recorder
	c.Ahead, c.Loops = 200*time.Microsecond, measure.Loops{Warmup: 3, Timed: 1}
	job := lab.Job{On: b.Setups("IW2")[0], Ranks: 2, Settings: settings, Watch: &rec}
	err := b.Run(ctx, job, func(k *measure.Rank) error {
		if err := acquaint(k); err != nil {
			return err
		}
		_, err := measure.Delay(k, 1<<20, busy, c)
		return err
	})
	if err != nil {
		return nil, err
	}
	t := rec.Timeline("", "computing side", "other side")
	from, to := lastMessage(t)
	t.Cut(from, to)
	callNames(t, c.Computes)
	t.Arrows = slices.DeleteFunc(t.Arrows, func(a lab.Arrow) bool { return a.What == wire.Eager.String() }) // appointments and agreements
	return t, nil
}

// lastMessage tells when the last message of a trace began and ended: from the first call of the two sides to the last
// return.
func lastMessage(t *lab.Timeline) (from, to int64) {
	for _, s := range t.Spans {
		switch s.What {
		case "call":
			from = s.From
		case "wait":
			to = s.To
		}
	}
	for _, s := range t.Spans {
		if s.What == "blocking call" && s.To > from && s.From < to {
			from, to = min(from, s.From), max(to, s.To)
		}
	}
	return from, to
}

// callNames gives the calls of a message the names that they have in MPI.
func callNames(t *lab.Timeline, computes measure.Side) {
	names := map[string]string{"call": "Irecv", "wait": "Wait", "blocking call": "Send"}
	if computes == measure.Sender {
		names["call"], names["blocking call"] = "Isend", "Recv"
	}
	for i := range t.Spans {
		if name, ok := names[t.Spans[i].What]; ok {
			t.Spans[i].What = name
		}
	}
}
