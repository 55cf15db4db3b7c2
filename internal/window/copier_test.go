package window

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/weft-mpi/weft/internal/comm"
	"github.com/weft-mpi/weft/internal/datatype"
	"github.com/weft-mpi/weft/internal/wire"
)

// whimsical is a Copier that copies nothing any more after some calls, as a kernel whose rules are
// changed while a job runs.
type whimsical struct{ left *int }

func (c whimsical) Copies(int) bool { return true }

func (c whimsical) Fetch(int, wire.Key, []byte) error { return c.spend() }

func (c whimsical) Store(int, wire.Key, []byte) error { return c.spend() }

func (c whimsical) spend() error {
	if *c.left--; *c.left < 0 {
		return errors.New("operation not permitted")
	}
	return nil
}

// TestKernelStopsCopying: what the kernel has not copied, in whole or in part, goes in packets,
// with and without a layout.
func TestKernelStopsCopying(t *testing.T) {
	onRanks(t, 2, false, func(c *comm.Comm) error {
		w, err := New(c, Config{Op: "create_window", Kind: Created, Mem: make([]byte, 64), Unit: 1})
		if err != nil {
			return err
		}
		w.packetsOnly()
		left := 0
		to := 1 - c.Rank()
		w.parts[to].reach.Copier = whimsical{&left}
		letters, _ := datatype.Elements(datatype.Uint8, 1)
		layout, err := datatype.Vector(2, 4, 8, letters)
		if err != nil {
			return err
		}
		src, got := []byte("a letter"), make([]byte, 8)
		e := Elem{1, 1}
		err = errors.Join(w.Fence(0), w.Put(src, to, 0, e))
		left = 1
		err = errors.Join(err, w.Do(&Operation{Name: "put", Verb: wire.RMAPut, Target: to, Disp: 32, At: layout, Src: src, Elem: e}), w.Fence(0))
		if m := w.Mem(); err == nil && (string(m[:8]) != "a letter" || string(m[32:36]) != "a le" || string(m[40:44]) != "tter") {
			err = fmt.Errorf("rank %d has %q", c.Rank(), m)
		}
		err = errors.Join(err, w.Get(got, to, 0, e), w.Fence(0))
		if err == nil && !bytes.Equal(got, src) {
			err = fmt.Errorf("got %q", got)
		}
		left = 1
		clear(got)
		err = errors.Join(err, w.Do(&Operation{Name: "get", Verb: wire.RMAGet, Target: to, Disp: 32, At: layout, Dst: got, Elem: e}), w.Fence(0))
		if err == nil && !bytes.Equal(got, src) {
			err = fmt.Errorf("got %q with a layout", got)
		}
		if n := w.stats.copied.Load(); n != 0 {
			err = errors.Join(err, fmt.Errorf("%d operations are counted as copied", n))
		}
		return errors.Join(err, w.Free())
	})
}
