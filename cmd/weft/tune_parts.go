package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/weft-mpi/weft/internal/tuner"
	"github.com/weft-mpi/weft/internal/userfile"
)

// tunePart is a job of a run: so many ranks, or as many as the hosts have slots if that is 0, that come to
// the calls so far apart.
type tunePart struct{ ranks, spread int }

// parts are the jobs of a run, in their order. Every number of ranks is measured before one is measured
// again, so that a run that is stopped knows something of each.
func (o *tuneOptions) parts() (all []tunePart) {
	if o.mode == tunesMachine {
		for _, ranks := range o.jobSizes() {
			all = append(all, tunePart{ranks: ranks})
		}
		return all
	}
	for range o.jobs {
		for _, ranks := range o.ranks {
			for _, spread := range o.spreads {
				all = append(all, tunePart{ranks, spread})
			}
		}
	}
	return all
}

// measureParts measures what --resume does not bring, and returns all that is known, also when it fails on
// the way; then the last part may be a partial one.
func (o *tuneOptions) measureParts(ctx context.Context, args []string) (done []tuneNote, err error) {
	parts := o.parts()
	if done, err = o.resumed(args, len(parts)); err != nil {
		return nil, err
	}
	var bar *progress
	defer func() { bar.clear() }()
	for i := len(done); i < len(parts); i++ {
		show := func(n tuneNote) {
			if bar == nil && !o.quiet {
				bar = newLongProgress(os.Stderr, n.All*len(parts))
				bar.beginAt(i * n.All)
			}
			bar.skipTo(i*n.All + n.Done)
			bar.step(fmt.Sprintf("job %d of %d, %s", i+1, len(parts), n.Next))
		}
		o.spread = parts[i].spread
		found, err := o.measurePart(ctx, parts[i], args, show)
		if err == nil && (found.Samples == nil) == (o.mode == tunesMachine) {
			err = fmt.Errorf("job %d has not measured what it was started for", i+1)
		}
		if found.Partial = err != nil; !found.Partial || len(found.Timings) > 0 {
			done = append(done, found)
		}
		switch {
		case err != nil && ctx.Err() != nil:
			return done, context.Cause(ctx)
		case err != nil:
			return done, err
		}
	}
	return done, nil
}

// measurePart runs one job, with processes or in virtual time.
func (o *tuneOptions) measurePart(ctx context.Context, part tunePart, args []string, show func(tuneNote)) (found tuneNote, err error) {
	if o.profile == "" {
		return o.measureJob(ctx, part.ranks, args, show)
	}
	env, err := o.environment()
	if err != nil {
		return found, err
	}
	if o.mode == tunesMachine {
		c := tuner.Cluster{Profile: o.profile, Shape: tuner.EvenShape(part.ranks, cmp.Or(o.nodes, 2)), Env: env}
		found.Samples, err = c.Sample(ctx, o.rounds)
		return found, err
	}
	cfg, err := o.config()
	if err != nil {
		return found, err
	}
	cfg.Progress = func(done, all int, next string) { show(tuneNote{Done: done, All: all, Next: next}) }
	c := tuner.Cluster{Profile: o.profile, Shape: tuner.EvenShape(part.ranks, cmp.Or(o.nodes, (part.ranks+3)/4)), Env: env}
	found.Timings, err = c.Simulate(ctx, cfg)
	return found, err
}

// keptParts is what a run leaves that was stopped.
type keptParts struct {
	Args  []string   `json:"args"`  // of the run
	Parts []tuneNote `json:"parts"` // that are measured, in their order
}

// defaultParts is where they are if nothing else has a name.
const defaultParts = "weft-tune.part"

// whole are the parts that were not stopped.
func whole(parts []tuneNote) []tuneNote {
	return slices.DeleteFunc(slices.Clone(parts), func(n tuneNote) bool { return n.Partial })
}

// keepParts keeps the whole parts of a stopped run, and returns an error that says how to go on.
func (o *tuneOptions) keepParts(args []string, parts []tuneNote, why error) error {
	done := whole(parts)
	if len(done) == 0 {
		return fmt.Errorf("stopped in the first of %d jobs, so this follows from a part of it: %w", len(o.parts()), why)
	}
	file := defaultParts
	switch {
	case o.resume != "":
		file = o.resume
	case o.save != "-":
		file = o.save + ".part"
	}
	own := withoutResume(args)
	text, err := json.Marshal(keptParts{own, done})
	if err == nil {
		err = os.WriteFile(file, append(text, '\n'), 0o644)
	}
	if err != nil {
		return fmt.Errorf("%w; what was measured could not be kept: %w", why, err)
	}
	return fmt.Errorf("stopped after %d of %d jobs: %w\nwhat they measured is kept; to go on: weft tune %s", len(done), len(o.parts()), why,
		shellLine(append(own, "--resume", file)))
}

// resumed returns what a stopped run has kept, nothing unless --resume names it.
func (o *tuneOptions) resumed(args []string, most int) ([]tuneNote, error) {
	if o.resume == "" {
		return nil, nil
	}
	text, err := userfile.Read(o.resume)
	if err != nil {
		return nil, fmt.Errorf("--resume: %w", err)
	}
	var kept keptParts
	if err := json.Unmarshal(text, &kept); err != nil || len(whole(kept.Parts)) != len(kept.Parts) || len(kept.Parts) > most {
		return nil, fmt.Errorf("--resume %s: a stopped run of weft tune has not written this", o.resume)
	}
	if own := withoutResume(args); !slices.Equal(own, kept.Args) {
		return nil, fmt.Errorf("--resume %s: it is of another run; write: weft tune %s", o.resume, shellLine(append(kept.Args, "--resume", o.resume)))
	}
	return kept.Parts, nil
}

// forgetParts removes what a stopped run has kept: the result has it now.
func (o *tuneOptions) forgetParts() error {
	if o.resume == "" {
		return nil
	}
	return os.Remove(o.resume)
}

// made says by which command something was measured, and how much of it.
func (o *tuneOptions) made(args []string, parts []tuneNote) string {
	text := "weft tune " + shellLine(withoutResume(args))
	if done, all := len(whole(parts)), len(o.parts()); done < all {
		text += fmt.Sprintf(" (stopped after %d of %d jobs)", done, all)
	}
	return strings.TrimSpace(text)
}

// withoutResume is a command line without --resume.
func withoutResume(args []string) (own []string) {
	own = []string{}
	for i := 0; i < len(args); i++ {
		name, _, joined := strings.Cut(strings.TrimPrefix(args[i], "-"), "=")
		if name != "-resume" && name != "resume" {
			own = append(own, args[i])
		} else if !joined {
			i++
		}
	}
	return own
}

// shellLine joins words as a shell reads them.
func shellLine(words []string) string {
	var all []string
	for _, w := range words {
		if w == "" || strings.ContainsAny(w, " \t\n'\"\\*?$;&|<>()[]{}#~!`") {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		all = append(all, w)
	}
	return strings.Join(all, " ")
}
