package boot

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/comm"
	"github.com/weft-mpi/weft/internal/engine"
)

// World makes of a rank what programs know: the communicator of all ranks, an *mpi.Comm. The public
// face sets it, whose types nobody below can name; without the face it is nil.
var World func(*Rank) any

// Run calls f as every rank of the crew, for a Comm that is the public face's. That is how this module's own tools run
// programs where they like, and mpi.Run does by it what it does; Crew.Run says what is an error.
func Run[Comm any](crew *Crew, f func(world *Comm) error) error {
	return crew.Run(func(r *Rank) error { return f(World(r).(*Comm)) })
}

// Run calls f as every rank of the crew, and returns when all have. It does not close the crew. The first
// error, panic, abort or runtime.Goexit of a rank is the error, and so are messages left unreceived and, in
// virtual time, ranks that wait for each other for ever.
func (c *Crew) Run(f func(*Rank) error) error {
	for i, r := range c.Ranks {
		c.Go(i, func() { c.runRank(i, r, f) })
	}
	if err := c.Wait(); err != nil {
		return err
	}
	if err := c.Cause(); err != nil {
		return err
	}
	for i, r := range c.Ranks {
		if c.Dead(i) {
			continue
		}
		if err := r.Left(); err != nil {
			return err
		}
	}
	return nil
}

// ErrGoexit is the error of a rank whose function neither returns nor panics.
var ErrGoexit = errors.New("the rank's function called runtime.Goexit, as Fatal and Skip of a test do, and did not return")

// runRank is rank i. However its program ends, by an error, a panic with its stack, or
// runtime.Goexit, the job does too.
func (c *Crew) runRank(i int, r *Rank, f func(*Rank) error) {
	err := ErrGoexit
	defer func() {
		p := recover()
		switch {
		case clock.Killed(p):
			panic(p) // the rank has crashed, and has nothing to say any more
		case p != nil:
			c.Fail(fmt.Errorf("rank %d: panic: %v\n%s", i, p, debug.Stack()))
		case err != nil:
			c.Fail(fmt.Errorf("rank %d: %w", i, err))
		}
		c.Leave(i)
	}()
	err = r.call(f)
}

// call calls f, between what all ranks do before and after.
func (r *Rank) call(f func(*Rank) error) error {
	if err := r.Begin(); err != nil {
		return err
	}
	if err := f(r); err != nil {
		return err
	}
	if err := r.Failed(); err != nil { // though f did not notice, or did not care
		return err
	}
	return r.End()
}

// Left is an error that tells of messages that nobody has received; nil if there are none. Those of collectives are an
// ErrMismatch.
func (r *Rank) Left() error {
	if r.Env.Mourns() {
		return nil // nobody can tell what was on its way to the dead, and from them
	}
	if strays := r.loop.Strays(); len(strays) > 0 {
		s := strays[0]
		return fmt.Errorf("rank %d: %w: rank %d called %s, call %d on its communicator, and this rank has not", r.place.rank, comm.ErrMismatch,
			s.Proc, comm.OpName(&s.Terms), s.Terms.Number)
	}
	if err := r.Env.Disagreed(); err != nil {
		return fmt.Errorf("rank %d: %w", r.place.rank, err)
	}
	left := r.loop.Unmatched()
	if len(left) == 0 {
		return nil
	}
	return fmt.Errorf("rank %d: %d messages were never received: %s", r.place.rank, len(left), someOf(left))
}

func someOf(left []engine.Status) string {
	var b strings.Builder
	for i, st := range left {
		if i == 5 {
			b.WriteString(", ...")
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "from process %d tag %d (%d bytes)", st.Peer, st.Tag, st.Len)
	}
	return b.String()
}
