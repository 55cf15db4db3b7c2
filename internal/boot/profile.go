package boot

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/weft-mpi/weft/internal/calls"
	"github.com/weft-mpi/weft/internal/comm"
)

// profiled is what a rank needs to profile its calls: where the report goes, and a communicator to hand it in.
type profiled struct {
	path    string // "-" is standard error
	private *comm.Comm
}

// Longest is how many places a report for people names.
const Longest = 25

// beginProfile begins to count the calls of the program, if WEFT_PROFILE asks for it.
func (r *Rank) beginProfile() (err error) {
	if r.profile.path == "" {
		return nil
	}
	if r.profile.private, err = r.Env.World().Dup(); err != nil {
		return fmt.Errorf("WEFT_PROFILE: %w", err)
	}
	r.Env.Profile = calls.Start(r.clock.Now)
	return nil
}

// endProfile joins what the ranks have counted, and has rank 0 write the report.
func (r *Rank) endProfile() error {
	recorder := r.Env.Profile
	if recorder == nil {
		return nil
	}
	r.Env.Profile = nil
	counters, _ := r.Counters()
	page := recorder.Page(r.place.rank, calls.Received{Expected: counters.Expected, Unexpected: counters.Unexpected}, comm.IsLibrary)
	text, err := json.Marshal(page)
	if err == nil {
		err = r.writeProfile(text)
	}
	if err != nil {
		return fmt.Errorf("WEFT_PROFILE: %w", err)
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
