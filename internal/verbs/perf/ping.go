package perf

import (
	"context"

	"github.com/weft-mpi/weft/internal/verbs"
)

// Ping is one round of the test ping: each operation once, there and back, every byte compared.
type Ping struct {
	Seq   int        `json:"seq"`
	Size  int        `json:"bytes"`
	Times []PingTime `json:"times"`
}

// PingTime is how long one operation took in microseconds: a round trip, or a Read.
type PingTime struct {
	Op   string  `json:"op"`
	Time float64 `json:"us"`
}

// pingOps lists what a ping tries on a kind of queue pair.
func pingOps(kind string, c verbs.Caps) []verbs.Op {
	ops := []verbs.Op{verbs.Send}
	if kind == RC || kind == RD && c.RDReadWrite && c.WriteImm {
		ops = append(ops, verbs.Write)
	}
	if kind == RC || kind == RD && c.RDReadWrite {
		ops = append(ops, verbs.Read)
	}
	return ops
}

// pingWarmup is how many exchanges go before the one that is shown, so that both ends are awake.
const pingWarmup = 10

// Ping does count rounds of one message size and hands each to emit. A byte that arrives wrong is an error.
func (s *Session) Ping(ctx context.Context, w Way, count int, emit func(Ping) error) error {
	caps, err := s.Caps(w)
	if err != nil {
		return err
	}
	way, err := s.Open(w)
	if err != nil {
		return err
	}
	for seq := range count {
		p := Ping{Seq: seq + 1, Size: w.MaxSize}
		for _, op := range pingOps(w.Kind, caps) {
			out, err := s.Run(way, Batch{Op: op, Shape: PingPong, QPs: 1, Size: w.MaxSize, Iterations: 1, Warmup: pingWarmup})
			if err != nil {
				return err
			}
			p.Times = append(p.Times, PingTime{op.String(), float64(out.Times[0]) / 1000})
		}
		if err := emit(p); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return s.CloseWay(way)
}
