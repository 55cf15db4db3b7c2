package meter_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/weft-mpi/weft/apps/meter"
	"github.com/weft-mpi/weft/mpi"
)

// TestWhatIsNoted: calls are counted, and if asked for timed, told of, and counted by the buffer they send from.
func TestWhatIsNoted(t *testing.T) {
	err := mpi.Run(2, func(world *mpi.Comm) error {
		c, peer := meter.New(world), 1-world.Rank()
		buf, in, sum := make([]int32, 4), make([]int32, 4), make([]float64, 1)
		once := func() error {
			if err := meter.Exchange(c, buf, in, peer, 0); err != nil {
				return err
			}
			return meter.Allreduce(c, sum, make([]float64, 1), mpi.Sum)
		}
		if err := once(); err != nil {
			return err
		}
		if c.Spent() != nil || c.Buffers() != nil {
			t.Errorf("nobody asked, and there are %v and %v", c.Spent(), c.Buffers())
		}
		var told []string
		c.TakeTime(true)
		c.NoteBuffers()
		c.Enter = func(name string, bytes int) {
			told = append(told, name)
			if want := map[string]int{"send": 16, "allreduce": 8}[name]; bytes != want {
				t.Errorf("%s of %d bytes, want %d", name, bytes, want)
			}
		}
		for range 3 {
			if err := once(); err != nil {
				return err
			}
		}
		kinds := []string{"allreduce", "irecv", "send", "wait"}
		spent := c.Spent()
		if got := slices.Sorted(maps.Keys(spent)); !slices.Equal(got, kinds) || spent["wait"] < 0 {
			t.Errorf("time in %v", spent)
		}
		if len(told) != 3*len(kinds) {
			t.Errorf("told of %v", told)
		}
		uses := slices.Collect(maps.Values(c.Buffers()))
		if !slices.Equal(uses, []int{3}) {
			t.Errorf("buffers used %v times, want one three times", uses)
		}
		if n := c.Calls()[meter.Call{Name: "send", Peer: peer, Bytes: 16}]; n != 4 {
			t.Errorf("%d sends, want 4", n)
		}
		c.TakeTime(false)
		if c.Spent() != nil {
			t.Error("it goes on taking the time")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
