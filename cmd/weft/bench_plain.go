package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/internal/bench/figure"
)

// benchPlain starts a job, shows its rows as they come, and writes what else was asked for.
func benchPlain(ctx context.Context, o *benchOptions) error {
	c, err := o.plainCase(o.startRanks())
	if err != nil {
		return err
	}
	job, err := newWeftJob(o, bench.Arm{Name: "weft"}, o.bind)
	if err != nil {
		return err
	}
	show := newPlainOutput(o, c)
	show.bar = newProgress(os.Stderr, len(c.Steps))
	job.onLine, job.stderr = show.line, os.Stderr
	_, err = job.Measure(ctx, c)
	show.bar.clear()
	if err != nil {
		return err
	}
	return show.finish()
}

// plainOutput shows one run on standard output: OSU text at once, JSON and CSV at the end.
type plainOutput struct {
	o      *benchOptions
	osu    bench.OSU
	result bench.Result
	bar    *progress
}

func newPlainOutput(o *benchOptions, c bench.Case) *plainOutput {
	p := &plainOutput{
		o:   o,
		osu: bench.OSU{To: os.Stdout, Test: c.Test, Ranks: c.Ranks, Window: c.Window, Full: o.full, Validate: o.validate},
		result: bench.Result{Test: c.Test.Name, Unit: c.Test.Unit(), Ranks: c.Ranks, Started: time.Now(),
			Host: bench.Observe()},
	}
	if c.Test.Shape == bench.Stream {
		p.result.Window = c.Window
	}
	return p
}

// line takes one line of the run.
func (p *plainOutput) line(line bench.Line) error {
	text := !p.o.json && !p.o.csv
	p.bar.clear()
	switch {
	case line.Library != "":
		p.result.Library = line.Library
		if text {
			return p.osu.Header()
		}
	case line.Row != nil:
		p.result.Rows = append(p.result.Rows, *line.Row)
		if text {
			if err := p.osu.Row(*line.Row); err != nil {
				return err
			}
		}
		p.bar.step("")
	}
	return nil
}

// finish writes what is only known at the end. Data that failed its check makes the whole run fail.
func (p *plainOutput) finish() error {
	p.result.Host.Done()
	var err error
	switch {
	case p.o.json:
		err = bench.WriteJSON(os.Stdout, p.result)
	case p.o.csv:
		err = p.result.WriteCSV(os.Stdout)
	}
	if err != nil {
		return err
	}
	if p.o.plot != "" {
		if err := saveFigure(p.o.plot, figure.FromResult(p.result), p.result.WriteCSV); err != nil {
			return err
		}
	}
	for _, row := range p.result.Rows {
		if row.Valid == bench.Fail {
			return fmt.Errorf("the data of %s with %d bytes arrived wrong", p.result.Test, row.Size)
		}
	}
	return nil
}
