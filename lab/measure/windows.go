package measure

import (
	"github.com/weft-mpi/weft/mpi"
)

// Windowed is a rank that puts into, or gets from, the memory of rank 1 through a window of MPI, with a
// fence after each operation. Rank 0 operates; all ranks call the same.
type Windowed struct {
	k   *Rank
	win *mpi.Window
}

// NewWindowed makes a window with that many bytes at every rank, and opens it.
func NewWindowed(k *Rank, size int) (*Windowed, error) {
	win, _, err := mpi.AllocateWindow[byte](k.World, size)
	if err == nil {
		err = win.Fence()
	}
	return &Windowed{k, win}, err
}

// Close frees the window.
func (o *Windowed) Close() error { return o.win.Free() }

// step is one operation of rank 0, and a fence of all.
func (o *Windowed) step(a Access, buf []byte) (err error) {
	if o.k.Lead() {
		if a == Put {
			err = mpi.Put(o.win, buf, 1, 0)
		} else {
			err = mpi.Get(o.win, buf, 1, 0)
		}
	}
	if err != nil {
		return err
	}
	return o.win.Fence()
}

// Latency returns the microseconds of one operation with its fence, over and over with the same buffer.
func (o *Windowed) Latency(a Access, size int, l Loops) (float64, error) {
	buf := buffer(size)
	each, err := o.k.timed(l, func(n int) error {
		for range n {
			if err := o.step(a, buf); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return o.k.agree(each, 0)
}

// Spectrum returns the microseconds of one operation with its fence, the mean over buffers that are used
// unequally often and lie on pages of their own.
func (o *Windowed) Spectrum(a Access, size int, u Uses) (float64, error) {
	stride := pages(size)
	all := buffer(u.Buffers * stride)
	start, operations := o.k.Now(), 0
	for i := range u.Buffers {
		for range u.Step * (i + 1) {
			if err := o.step(a, all[i*stride:][:size]); err != nil {
				return 0, err
			}
			operations++
		}
	}
	return o.k.agree(microseconds(o.k.Now()-start)/float64(max(operations, 1)), 0)
}
