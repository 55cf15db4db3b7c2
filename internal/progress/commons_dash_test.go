package progress_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/progress"
	"github.com/weft-mpi/weft/internal/shm"
)

// spinners is a crew of two ranks on a segment who look for a while before they sleep.
func spinners(t *testing.T) *crew {
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
		l := progress.New(progress.Config{Self: i, Links: []progress.Link{link}, Bell: link.Bell(), Node: link, Policy: clock.PolicyFor(2, 2)})
		t.Cleanup(func() { l.Close(); seg.Close() })
		c.loops = append(c.loops, l)
	}
	c.open(2)
	return c
}

// Ranks that find each other's flags need no task, ranks that are late now and then go on where they had got to, and both get what
// they should.
func TestCommonsDash(t *testing.T) {
	const runs = 2000
	c := spinners(t)
	c.each(t, func(rank int) error {
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
				h := c.loops[rank].StartPlan(b, why("shared")) // has a task
				if _, errs, err := collect(c.loops[rank], progress.Want{Need: 1}, h); err != nil || len(errs) != 1 || errs[0] != nil {
					return fmt.Errorf("run %d: %v, %v", seq, errs, err)
				}
			} else if err := c.loops[rank].RunPlan(context.Background(), b, why("shared")); err != nil {
				return err
			}
			if got := binary.LittleEndian.Uint64(out); got != uint64(3*seq) {
				return fmt.Errorf("run %d: %d", seq, got)
			}
		}
		return nil
	})
	for rank, l := range c.loops {
		got := l.Commons()
		if got.Runs != runs || got.Dashes == runs {
			t.Errorf("rank %d: %+v", rank, got)
		}
	}
	if c.loops[0].Commons().Dashes+c.loops[1].Commons().Dashes == 0 {
		t.Error("every run had a task") // the second of two ranks finds the flag of the first
	}
}
