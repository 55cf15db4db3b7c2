package boot

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/comm"
)

// roomJob makes communicators until the node has no memory for another one, and calls collectives on all of
// them. When one is freed and all ranks have come back from that, the next has room again.
func roomJob(w *comm.Comm) error {
	var all []*comm.Comm
	for len(all) == 0 || !all[len(all)-1].RoomLacks() {
		if len(all) == 100 {
			return errors.New("there is room for a hundred communicators")
		}
		d, err := w.Dup()
		if err != nil {
			return err
		}
		all = append(all, d)
	}
	if len(all) == 1 {
		return errors.New("there is no room for one communicator beside the world")
	}
	for _, c := range append([]*comm.Comm{w}, all...) {
		if err := maxOfRanks(c); err != nil {
			return fmt.Errorf("%s, room lacks: %v: %w", c.Name(), c.RoomLacks(), err)
		}
	}
	if err := errors.Join(all[0].Free(), maxOfRanks(w)); err != nil {
		return err
	}
	d, err := w.Dup()
	if err == nil && d.RoomLacks() {
		err = errors.New("what a communicator has given back serves no other one")
	}
	return err
}

// maxOfRanks is an allreduce whose result is known.
func maxOfRanks(c *comm.Comm) error {
	in, out := []byte{byte(c.Rank() + 1), byte(c.Size() - c.Rank())}, make([]byte, 2)
	err := c.Run(&comm.Call{Op: coll.Allreduce, Bytes: 2, Elem: 1, In: in, Out: out, Commutative: true, Reduction: "max",
		Combine: func(dst, src []byte, _ bool) {
			for i := range dst {
				dst[i] = max(dst[i], src[i])
			}
		}})
	if err == nil && (int(out[0]) != c.Size() || int(out[1]) != c.Size()) {
		err = fmt.Errorf("the largest of %d ranks are %v", c.Size(), out)
	}
	return err
}

// Processes whose node runs out of memory for communicators agree to do without for one, and say so in
// their reports, for which they make the directory.
func TestNoRoomForAnother(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "of", "this", "job")
	code, text := job(t, 3, "room", "WEFT_REPORT="+dir, "WEFT_COLL_NODE=16M")
	if code != 0 || strings.Count(text, "is done") != 3 {
		t.Fatalf("code %d:\n%s", code, text)
	}
	for rank := range 3 {
		var r report
		b, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("rank-%d.json", rank)))
		if err == nil {
			err = json.Unmarshal(b, &r)
		}
		if err != nil {
			t.Fatal(err)
		}
		if r.Commons.Lacking != 1 || r.Commons.Runs == 0 {
			t.Errorf("rank %d: %+v, want one communicator without memory and others with it", rank, r.Commons)
		}
	}
}
