package mpi_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

// TestHalves reduces floats of 16 bits in collectives and windows; other types made of them are refused.
func TestHalves(t *testing.T) {
	onComms(t, func(c *mpi.Comm) error {
		in := []mpi.BFloat16{mpi.ToBFloat16(1.5), mpi.ToBFloat16(float32(c.Rank())), mpi.ToBFloat16(-0.25)}
		out := make([]mpi.BFloat16, 3)
		if err := mpi.Allreduce(c, in, out, mpi.Sum); err != nil {
			return err
		}
		for i, want := range []float32{1.5 * float32(c.Size()), float32(c.Size() * (c.Size() - 1) / 2), -0.25 * float32(c.Size())} {
			if out[i].Float32() != want {
				return fmt.Errorf("element %d is %v, want %v", i, out[i].Float32(), want)
			}
		}
		most := make([]mpi.Float16, 1)
		if err := mpi.Allreduce(c, []mpi.Float16{mpi.ToFloat16(float32(c.Rank()) / 8)}, most, mpi.Max); err != nil {
			return err
		}
		if got := most[0].Float32(); got != float32(c.Size()-1)/8 {
			return fmt.Errorf("the largest is %v", got)
		}
		w, mine, err := mpi.AllocateWindow[mpi.Float16](c, 2)
		if err != nil {
			return err
		}
		if err := errors.Join(w.Fence(), mpi.Accumulate(w, []mpi.Float16{mpi.ToFloat16(0.5)}, 0, 1, mpi.Sum), w.Fence()); err != nil {
			return err
		}
		if c.Rank() == 0 && mine[1].Float32() != float32(c.Size())/2 {
			return fmt.Errorf("accumulated %v", mine[1].Float32())
		}
		type other mpi.Float16
		if err := mpi.Allreduce(c, make([]other, 1), make([]other, 1), mpi.Sum); !errors.Is(err, mpi.ErrOp) {
			return fmt.Errorf("another type: %v", err)
		}
		if err := mpi.Allreduce(c, out, make([]mpi.BFloat16, 3), mpi.Band); !errors.Is(err, mpi.ErrOp) {
			return fmt.Errorf("bits of a float: %v", err)
		}
		return w.Free()
	})
}

// TestReduceLocal combines two slices in the order of ranks.
func TestReduceLocal(t *testing.T) {
	inout := []int64{1, 2}
	if err := mpi.ReduceLocal([]int64{30, 40}, inout, mpi.Sum); err != nil || inout[0] != 31 || inout[1] != 42 {
		t.Errorf("%v: %v", inout, err)
	}
	if err := mpi.ReduceLocal([]int64{7, 8}, inout, mpi.NewOp(false, concat)); err != nil || inout[0] != 731 {
		t.Errorf("%v: %v", inout, err)
	}
	places := []mpi.Loc[float64]{{Value: 2, Index: 5}}
	if err := mpi.ReduceLocal([]mpi.Loc[float64]{{Value: 2, Index: 3}}, places, mpi.MinLoc[float64]()); err != nil || places[0].Index != 3 {
		t.Errorf("%v: %v", places, err)
	}
	for class, err := range map[error]error{
		mpi.ErrCount: mpi.ReduceLocal([]int{1}, []int{1, 2}, mpi.Sum),
		mpi.ErrOp:    mpi.ReduceLocal([]float64{1}, []float64{1}, mpi.Band),
		mpi.ErrType:  mpi.ReduceLocal([]string{""}, []string{""}, mpi.Sum),
	} {
		if !errors.Is(err, class) {
			t.Errorf("%v, want %v", err, class)
		}
	}
	if err := mpi.ReduceLocal([]int{}, nil, mpi.Sum); err != nil {
		t.Error(err)
	}
}
