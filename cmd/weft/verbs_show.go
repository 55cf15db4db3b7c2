package main

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/internal/bench/figure"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/perf"
)

// verbsResult is the JSON of a test.
type verbsResult struct {
	Test    string     `json:"test"`
	Unit    string     `json:"unit,omitempty"`
	Started time.Time  `json:"started"`
	Host    bench.Host `json:"host"`
	Peer    string     `json:"peer,omitempty"` // host name of the other end
	Way     *perf.Way  `json:"way,omitempty"`
	Rows    any        `json:"rows"`
}

func newVerbsResult(o *verbsOptions) verbsResult {
	return verbsResult{Test: o.test.Name, Started: time.Now(), Host: bench.Observe()}
}

// finish writes the JSON if it was asked for.
func (r *verbsResult) finish(o *verbsOptions) error {
	r.Host.Done()
	if !o.json {
		return nil
	}
	return bench.WriteJSON(os.Stdout, r)
}

// verbsPlain runs one latency or bandwidth test and shows rows as they come.
func verbsPlain(ctx context.Context, o *verbsOptions, s *perf.Session) error {
	p, err := o.plan(s)
	if err != nil {
		return err
	}
	result := newVerbsResult(o)
	result.Peer, result.Way, result.Unit = s.Peer, &p.Way, p.Unit()
	if !o.json {
		fmt.Printf("# %s, %s, %v to %s, tx depth %d, rx depth %d%s\n", p.Test.Name, p.Way.Name(), s.At(), s.Peer, p.Way.TxDepth, p.Way.RxDepth, directions(p))
		if err := p.Header(os.Stdout); err != nil {
			return err
		}
	}
	bar := newProgress(os.Stderr, p.Rows())
	var rows []perf.Row
	err = s.RunPlan(ctx, p, func(row perf.Row) error {
		rows = append(rows, row)
		bar.clear()
		if !o.json {
			if err := p.Row(os.Stdout, row); err != nil {
				return err
			}
		}
		bar.step(fmt.Sprintf("%d bytes", row.Size))
		return nil
	})
	bar.clear()
	if err != nil {
		return err
	}
	result.Rows = rows
	if o.plot != "" {
		if err := saveFigure(o.plot, rowsFigure(p, rows), func(w io.Writer) error { return rowsCSV(w, p, rows) }); err != nil {
			return err
		}
	}
	return result.finish(o)
}

func directions(p perf.Plan) string {
	if p.Both {
		return ", both directions"
	}
	return ""
}

// mostLines is how many lines a figure can hold apart.
const mostLines = 4

// rowsFigure draws the rows over message size, a line for each number of queue pairs; of many numbers, four.
func rowsFigure(p perf.Plan, rows []perf.Row) figure.Figure {
	f := figure.New(p.Test.Name, p.Test.Name+", "+p.Way.Name(), p.Unit())
	counts := p.QPs
	if n := len(counts); n > mostLines {
		counts = []int{counts[0], counts[n/3], counts[2*n/3], counts[n-1]}
	}
	for _, qps := range counts {
		name := fmt.Sprintf("%d queue pairs", qps)
		if qps == 1 {
			name = "1 queue pair"
		}
		for _, r := range rows {
			if r.QPs == qps {
				f.Add(name, r.Size, r.Value())
			}
		}
	}
	return f
}

func rowsCSV(w io.Writer, p perf.Plan, rows []perf.Row) error {
	out := csv.NewWriter(w)
	_ = out.Write([]string{"test", "way", "bytes", "qps", "iterations", "value", "unit", "lost"})
	for _, r := range rows {
		_ = out.Write([]string{p.Test.Name, p.Way.Name(), strconv.Itoa(r.Size), strconv.Itoa(r.QPs), strconv.Itoa(r.Iterations),
			strconv.FormatFloat(r.Value(), 'f', 3, 64), p.Unit(), strconv.Itoa(r.Lost)})
	}
	out.Flush()
	return out.Error()
}

// verbsCompare measures a test on two ways.
func verbsCompare(ctx context.Context, o *verbsOptions, s *perf.Session) error {
	p, err := o.plan(s)
	if err != nil {
		return err
	}
	other := perf.Other{Way: p.Way, Op: p.Test.Op}
	other.Way.Kind, other.Way.NoCRC, other.Way.Markers = o.otherKind(), false, false
	if o.compare == "raw" {
		other.Op = verbs.Send
	}
	bar := newProgress(os.Stderr, o.rounds+1)
	result := newVerbsResult(o)
	cmp, err := s.Compare(ctx, p, other, o.rounds, func() { bar.step("rounds") })
	bar.clear()
	if err != nil {
		return err
	}
	result.Peer, result.Way, result.Unit, result.Rows = s.Peer, &p.Way, cmp.Unit, cmp
	if o.plot != "" {
		if err := saveFigure(o.plot, comparisonFigure(cmp), func(w io.Writer) error { return cmp.WriteCSV(w) }); err != nil {
			return err
		}
	}
	if !o.json {
		return cmp.WriteText(os.Stdout)
	}
	return result.finish(o)
}

func comparisonFigure(c perf.Comparison) figure.Figure {
	f := figure.New(c.Test, c.Test, c.Unit)
	for _, p := range c.Points {
		f.AddSummary(c.Ours, p.Size, p.Ours)
		f.AddSummary(c.Theirs, p.Size, p.Theirs)
	}
	return f
}

// verbsPing shows that data goes there and back.
func verbsPing(ctx context.Context, o *verbsOptions, s *perf.Session) error {
	w := o.way()
	w.MaxSize = o.test.Size
	if len(o.sizes) == 1 {
		w.MaxSize = o.sizes[0]
	}
	rounds := o.iterations
	if rounds == 0 {
		rounds = 5
	}
	result := newVerbsResult(o)
	var pings []perf.Ping
	err := s.Ping(ctx, w, rounds, func(p perf.Ping) error {
		pings = append(pings, p)
		if o.json {
			return nil
		}
		var ops []string
		for _, t := range p.Times {
			ops = append(ops, fmt.Sprintf("%s %.1f us", t.Op, t.Time))
		}
		_, err := fmt.Printf("%d bytes to %s and back over %s: seq %d, data right: %s\n", p.Size, s.Peer, w.Name(), p.Seq, strings.Join(ops, ", "))
		return err
	})
	if err != nil {
		return err
	}
	result.Peer, result.Way, result.Unit, result.Rows = s.Peer, &w, "us", pings
	if !o.json {
		_, err = fmt.Printf("# it works: %d of %d rounds\n", len(pings), rounds)
		return err
	}
	return result.finish(o)
}

// verbsMemory shows what peers cost.
func verbsMemory(ctx context.Context, o *verbsOptions, s *perf.Session) error {
	peers := o.qps
	if peers == 0 {
		peers = 1000
	}
	kinds := []string{perf.RC, perf.UD, perf.RD}
	if o.kindGiven {
		kinds = []string{o.kind}
	}
	bar := newProgress(os.Stderr, len(kinds))
	result := newVerbsResult(o)
	if !o.json {
		fmt.Printf("# bytes per idle peer; tx depth %d, rx depth %d; kernel memory counts both ends if both are on this host\n", o.way().TxDepth, o.way().RxDepth)
		fmt.Printf("%-6s%10s%14s%14s%14s\n", "#type", "peers", "heap[B]", "process[B]", "kernel[B]")
	}
	var rows []perf.Memory
	for _, kind := range kinds {
		w := o.way()
		w.Kind, w.MaxSize = kind, 64
		m, err := s.Memory(ctx, w, peers)
		bar.clear()
		if err != nil {
			return err
		}
		rows = append(rows, m)
		if !o.json {
			fmt.Printf("%-6s%10d%14.0f%14.0f%14.0f\n", m.Kind, m.Peers, m.Heap, m.RSS, m.Kernel)
		}
		bar.step(kind)
	}
	bar.clear()
	result.Peer, result.Unit, result.Rows = s.Peer, "bytes per peer", rows
	return result.finish(o)
}

// verbsRegister shows what registration costs. It needs no other end.
func verbsRegister(ctx context.Context, o *verbsOptions, local perf.Local) error {
	at := o.bind
	if !at.IsValid() {
		at = netip.AddrFrom4([4]byte{127, 0, 0, 1})
	}
	dev, err := local.Open(o.way(), at)
	if err != nil {
		return err
	}
	defer dev.Close()
	sizes, iterations := o.sizes, o.iterations
	switch {
	case o.all:
		sizes = allSizes()
	case len(sizes) == 0:
		sizes = []int{4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20, 64 << 20}
	}
	if iterations == 0 {
		iterations = 1000
	}
	result := newVerbsResult(o)
	if !o.json {
		fmt.Printf("%-10s%-12s%22s%14s%24s%14s\n", "#bytes", "#iterations", "register typ.[usec]", "99%[usec]", "deregister typ.[usec]", "99%[usec]")
	}
	var rows []perf.Registration
	err = perf.Register(ctx, dev, sizes, iterations, func(r perf.Registration) error {
		rows = append(rows, r)
		if o.json {
			return nil
		}
		_, err := fmt.Printf("%-10d%-12d%22.3f%14.3f%24.3f%14.3f\n", r.Size, r.Iterations, r.Register.Typical, r.Register.P99, r.Deregister.Typical, r.Deregister.P99)
		return err
	})
	if err != nil {
		return err
	}
	if o.plot != "" {
		if err := saveFigure(o.plot, registrationFigure(rows), func(w io.Writer) error { return registrationCSV(w, rows) }); err != nil {
			return err
		}
	}
	result.Unit, result.Rows = "us", rows
	return result.finish(o)
}

func registrationFigure(rows []perf.Registration) figure.Figure {
	f := figure.New("registration", "registration", "us")
	for _, r := range rows {
		f.Add("register", r.Size, r.Register.Typical)
		f.Add("deregister", r.Size, r.Deregister.Typical)
	}
	return f
}

func registrationCSV(w io.Writer, rows []perf.Registration) error {
	out := csv.NewWriter(w)
	_ = out.Write([]string{"bytes", "iterations", "register_us", "deregister_us"})
	for _, r := range rows {
		_ = out.Write([]string{strconv.Itoa(r.Size), strconv.Itoa(r.Iterations), strconv.FormatFloat(r.Register.Typical, 'f', 3, 64),
			strconv.FormatFloat(r.Deregister.Typical, 'f', 3, 64)})
	}
	out.Flush()
	return out.Error()
}

// verbsSuite measures what is promised.
func verbsSuite(ctx context.Context, o *verbsOptions, s *perf.Session) error {
	bar := newProgress(os.Stderr, perf.SuiteSteps(o.rounds))
	r, err := s.RunSuite(ctx, o.rounds, bar.step)
	bar.clear()
	if err != nil {
		return err
	}
	if o.save != "" {
		err := writeFile(filepath.Join(o.save, "suite.json"), func(w io.Writer) error { return bench.WriteJSON(w, r) })
		if err == nil {
			err = writeFile(filepath.Join(o.save, "suite.md"), r.WriteMarkdown)
		}
		if err != nil {
			return err
		}
	}
	if o.json {
		return bench.WriteJSON(os.Stdout, r)
	}
	return r.WriteText(os.Stdout)
}
