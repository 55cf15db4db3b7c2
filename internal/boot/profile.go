package boot

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/weft-mpi/weft/internal/arrival"
	"github.com/weft-mpi/weft/internal/calls"
	"github.com/weft-mpi/weft/internal/comm"
	"github.com/weft-mpi/weft/internal/progress"
)

// profiled is what a rank needs to profile its calls: where the report and the timeline go, "" for nowhere, and a
// communicator to hand in what it has counted.
type profiled struct {
	path    string // "-" is standard error
	trace   string
	private *comm.Comm

	offset, bound int64 // of rank 0's clock, for the timeline
}

// Longest is how many places a report for people names.
const Longest = 25

// beginProfile begins to count the calls of the program, if WEFT_PROFILE asks for it, and to keep them for WEFT_TRACE.
func (r *Rank) beginProfile() (err error) {
	p := &r.profile
	if p.path == "" && p.trace == "" {
		return nil
	}
	if p.private, err = r.Env.World().Dup(); err == nil && p.trace != "" {
		p.offset, p.bound, err = arrival.Align(r.Env.World(), r.clock.Now)
	}
	if err != nil {
		return fmt.Errorf("WEFT_PROFILE, WEFT_TRACE: %w", err)
	}
	r.record(p.trace != "")
	return nil
}

// record begins to count calls, and to keep them if they are traced.
func (r *Rank) record(traced bool) *calls.Recorder {
	recorder := calls.Start(r.clock.Now)
	if traced {
		recorder.Keep()
		r.loop.OnTaken(func(t progress.Taken) {
			from := calls.Message{Peer: t.Peer, Ctx: t.Ctx, Tag: t.Tag}
			recorder.Take(calls.Arrival{From: from, Posted: t.Posted, Claimed: t.Claimed})
		})
	}
	r.Env.Profile = recorder
	return recorder
}

// recorded ends it.
func (r *Rank) recorded() calls.Page {
	recorder := r.Env.Profile
	r.Env.Profile = nil
	r.loop.OnTaken(nil)
	counters, _ := r.Counters()
	received := calls.Received{Expected: counters.Expected, Unexpected: counters.Unexpected}
	page := recorder.Page(r.place.rank, received, comm.IsLibrary)
	if page.Trace != nil {
		page.Trace.Offset, page.Trace.Bound = r.profile.offset, r.profile.bound
	}
	return page
}

// endProfile joins what the ranks have counted, and has rank 0 write the report.
func (r *Rank) endProfile() error {
	if r.Env.Profile == nil {
		return nil
	}
	text, err := json.Marshal(r.recorded())
	if err == nil {
		err = r.writeProfile(text)
	}
	if err != nil {
		return fmt.Errorf("WEFT_PROFILE, WEFT_TRACE: %w", err)
	}
	return r.profile.private.Free()
}

func (r *Rank) writeProfile(page []byte) error {
	const tag = 0
	texts, err := r.profile.private.HandIn(page, tag)
	if err != nil || r.place.rank != 0 {
		return err
	}
	report := calls.Report{Program: filepath.Base(os.Args[0])}
	for rank, text := range texts {
		var p calls.Page
		if err := json.Unmarshal(text, &p); err != nil {
			return fmt.Errorf("calls of rank %d: %w", rank, err)
		}
		report.Ranks = append(report.Ranks, p)
	}
	if err := WriteTimeline(&report, r.profile.trace); err != nil || r.profile.path == "" {
		return err
	}
	report.ForgetTraces()
	var b bytes.Buffer
	if filepath.Ext(r.profile.path) == ".json" {
		err = json.NewEncoder(&b).Encode(report)
	} else {
		err = report.Text(&b, Longest)
	}
	if r.profile.path == "-" {
		_, werr := os.Stderr.Write(b.Bytes())
		return errors.Join(err, werr)
	}
	return errors.Join(err, os.WriteFile(r.profile.path, b.Bytes(), 0o644))
}

// WriteTimeline writes the calls of a report that has kept them into a file; "" is none.
func WriteTimeline(report *calls.Report, path string) error {
	if path == "" {
		return nil
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(report.Timeline(f), f.Close())
}
