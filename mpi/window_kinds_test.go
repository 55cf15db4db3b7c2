package mpi_test

import (
	"errors"
	"fmt"

	"github.com/weft-mpi/weft/mpi"
)

// bodyDynamic: memory comes and goes; what is not there is refused.
func bodyDynamic(c *mpi.Comm) error {
	me, n := c.Rank(), c.Size()
	w, err := mpi.DynamicWindow(c)
	if err != nil {
		return err
	}
	mem := make([]int64, 3000)
	at, err := mpi.Attach(w, mem)
	if err != nil {
		return err
	}
	all := make([]int, n)
	if err := errors.Join(mpi.Allgather(c, []int{at}, all), w.LockAll()); err != nil {
		return err
	}
	to := (me + 1) % n
	old := make([]int64, 1)
	err = errors.Join(mpi.Put(w, stamp(2990, me, to), to, all[to]+80), mpi.Accumulate(w, []int64{int64(me)}, to, all[to], mpi.Sum), w.FlushAll(), mpi.Barrier(c),
		mpi.Get(w, old, to, all[to]), w.Flush(to))
	if from := (me + n - 1) % n; err != nil || old[0] != int64(me) {
		return fmt.Errorf("got %v, %w", old, err)
	} else if err := errors.Join(mpi.Barrier(c), same("attached", mem[10:], stamp(2990, from, me))); err != nil {
		return err
	}
	if err := errors.Join(mpi.Detach(w, mem), mpi.Barrier(c)); err != nil {
		return err
	}
	refused := []error{
		errors.Join(mpi.Put(w, old, to, all[to]), w.Flush(to)),
		errors.Join(mpi.Get(w, old, to, all[to]), w.Flush(to)),
		errors.Join(mpi.Accumulate(w, old, to, 1<<45, mpi.Sum), w.Flush(to)),
		mpi.Get(w, old, to, -8),
	}
	for i, err := range refused {
		if !errors.Is(err, mpi.ErrRange) {
			return fmt.Errorf("access %d to what is not attached: %v", i, err)
		}
	}
	if err := mpi.Detach(w, mem); !errors.Is(err, mpi.ErrWindow) {
		return fmt.Errorf("detached twice: %v", err)
	}
	return errors.Join(w.UnlockAll(), w.Free())
}

// bodyShared: ranks of one host store into each other's memory.
func bodyShared(c *mpi.Comm) error {
	host, err := c.SplitShared(0)
	if err != nil {
		return err
	}
	defer host.Free()
	w, mem, err := mpi.SharedWindow[int64](host, 10+host.Rank())
	if err != nil {
		return err
	}
	if host.Size() < c.Size() {
		if _, _, err := mpi.SharedWindow[int64](c, 1); !errors.Is(err, mpi.ErrShared) {
			return fmt.Errorf("shared between hosts: %v", err)
		}
	}
	for r := range host.Size() {
		theirs, err := mpi.Query[int64](w, r)
		if err != nil {
			return err
		}
		if len(theirs) != 10+r {
			return fmt.Errorf("rank %d has %d elements", r, len(theirs))
		}
		if host.Rank() == (r+1)%host.Size() {
			theirs[9] = int64(r + 100)
		}
	}
	if err := w.Fence(); err != nil {
		return err
	}
	if mem[9] != int64(host.Rank()+100) {
		return fmt.Errorf("mine is %v", mem)
	}
	if _, err := mpi.Query[int64](w, host.Size()); !errors.Is(err, mpi.ErrRank) {
		return fmt.Errorf("query of nobody: %v", err)
	}
	return w.Free()
}
