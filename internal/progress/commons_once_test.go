package progress_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/progress"
	"github.com/weft-mpi/weft/internal/shm"
)

// spinners is a crew of two ranks on a segment who look for a while before they sleep, as the policy says,
// with further settings.
func spinners(t *testing.T, cfg progress.Config) *crew {
	f, err := shm.Create(shm.GeometryFor(2, 0, 1<<20))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	c := &crew{procs: []int{0, 1}}
	for i := range 2 {
		seg, err := shm.Open(f)
		if err != nil {
			t.Fatal(err)
		}
		link := shm.NewLink(shm.Config{Segment: seg, Self: i})
		cfg.Self, cfg.Links, cfg.Bell, cfg.Node = i, []*progress.Link{shmLink(link)}, link.Bell(), nodeOf(link)
		l := progress.New(cfg)
		t.Cleanup(func() { l.Close(); seg.Close() })
		c.loops = append(c.loops, l)
	}
	c.open(8)
	return c
}

// Ranks that find each other's flags need no task, ranks that are late now and then go on where they had
// got to, and both get what they should: where they have a processor each, and where they offer theirs to
// others between looks.
func TestCommonsAtOnce(t *testing.T) {
	const runs = 2000
	for name, cfg := range map[string]progress.Config{
		"roomy":   {Policy: clock.PolicyFor(2, 2)},
		"crowded": {Policy: clock.PolicyFor(4, 2)},
	} {
		t.Run(name, func(t *testing.T) {
			c := spinners(t, cfg)
			c.each(t, func(rank int) error { return sums(c, rank, runs) })
			atOnce := uint64(0)
			for rank, l := range c.loops {
				got := l.Commons()
				if atOnce += got.AtOnce; got.Runs != runs || got.AtOnce == runs {
					t.Errorf("rank %d: %+v", rank, got)
				}
			}
			if atOnce == 0 { // the second of two ranks finds the flag of the first
				t.Errorf("%d runs had no task", atOnce)
			}
		})
	}
}

// sums has a rank add up numbers with the other one again and again, late now and then, every
// seventh time without waiting at once.
func sums(c *crew, rank, runs int) error {
	for seq := 1; seq <= runs; seq++ {
		if seq%100 == 50*rank {
			time.Sleep(100 * time.Microsecond)
		}
		in, out := make([]byte, 8), make([]byte, 8)
		binary.LittleEndian.PutUint64(in, uint64(seq*(rank+1)))
		b := c.bound(rank, seq, sumPlan(rank, 2), in, out)
		b.Combine = func(dst, src []byte, _ bool) {
			binary.LittleEndian.PutUint64(dst, binary.LittleEndian.Uint64(dst)+binary.LittleEndian.Uint64(src))
		}
		if seq%7 == 0 {
			h := c.loops[rank].StartPlan(b, why("shared"))
			_, errs, err := collect(c.loops[rank], progress.Want{Need: 1}, h)
			if err = errors.Join(append(errs, err)...); err != nil || (h.R != nil) != (len(errs) == 1) {
				return fmt.Errorf("run %d: %d ended, %w", seq, len(errs), err)
			}
		} else if err := c.loops[rank].RunPlan(context.Background(), b, why("shared")); err != nil {
			return err
		}
		if got := binary.LittleEndian.Uint64(out); got != uint64(3*seq) {
			return fmt.Errorf("run %d: %d", seq, got)
		}
	}
	return nil
}

// A rank that waits for a flag still takes the messages that come, however long it would wait: whoever
// raises the flag may wait for their end.
func TestCommonsAtOnceServesMessages(t *testing.T) {
	for name, policy := range map[string]clock.Policy{"yields": {Spins: 1, Yields: 1 << 40}, "spins": {Spins: 1 << 40}} {
		t.Run(name, func(t *testing.T) {
			c := spinners(t, progress.Config{Policy: policy, Mode: progress.Poll})
			got := make([]byte, 1<<20)
			c.each(t, func(rank int) error { return barrierBesideMessage(c, rank, got) })
			if !bytes.Equal(got, pattern(len(got), 7)) {
				t.Error("the message has other bytes")
			}
		})
	}
}

// barrierBesideMessage has rank 0 wait in a barrier while rank 1 sends it a message before it comes there.
func barrierBesideMessage(c *crew, rank int, got []byte) error {
	l := c.loops[rank]
	if err := c.run(rank, 1, barrierPlan(rank, 2), nil, nil); err != nil { // the first one has a task
		return err
	}
	if rank == 1 {
		err := l.Send(context.Background(), pattern(len(got), 7), progress.Peer{Peer: 0, Tag: 3}, engine.Standard, why("send"))
		return errors.Join(err, c.run(1, 2, barrierPlan(1, 2), nil, nil))
	}
	h := l.Irecv(got, progress.Peer{Peer: 1, Tag: 3}, why("irecv"))
	if err := c.run(0, 2, barrierPlan(0, 2), nil, nil); err != nil {
		return err
	}
	_, _, err := collect(l, progress.Want{Need: 1}, h)
	return err
}

// Lines of the next run are asked for where ranks have a processor each.
func TestCommonsAhead(t *testing.T) {
	for name, w := range map[string]struct {
		cfg  progress.Config
		asks bool
	}{
		"roomy":   {progress.Config{Policy: clock.PolicyFor(2, 2)}, true},
		"crowded": {progress.Config{Policy: clock.PolicyFor(4, 2)}, false},
	} {
		for what, run := range map[string]func(c *crew, rank int) error{
			"shelves": func(c *crew, rank int) error { return sums(c, rank, 20) },
			"slips": func(c *crew, rank int) error {
				return c.run(rank, 1, slipPlan(rank, 2, 8, 1), make([]byte, 8), make([]byte, 16))
			},
		} {
			c := spinners(t, w.cfg)
			c.each(t, func(rank int) error { return run(c, rank) })
			for rank, l := range c.loops {
				if got := l.Commons().Ahead; (got > 0) != w.asks {
					t.Errorf("%s, %s, rank %d: asked %d times", name, what, rank, got)
				}
			}
		}
	}
}
