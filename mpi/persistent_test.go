package mpi_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

// collective is one operation, as a blocking call and as one that is made once. send and recv have a
// block of n elements for every rank.
type collective struct {
	name     string
	blocking func(c *mpi.Comm, send, recv []int64) error
	init     func(c *mpi.Comm, send, recv []int64) mpi.Request
}

// ragged are counts that differ from rank to rank, and displacements with gaps, within Size blocks of n.
func ragged(c *mpi.Comm, n int) (counts, displs []int) {
	for r := range c.Size() {
		counts = append(counts, max(n-r%3, 0))
		displs = append(displs, r*n)
	}
	return counts, displs
}

// collectives are all of them, for blocks of n elements.
func collectives(c *mpi.Comm, n int) []collective {
	root := c.Size() / 2
	counts, displs := ragged(c, n)
	own := counts[c.Rank()]
	toMe, all := make([]int, c.Size()), 0 // of Alltoallv: rank r gets counts[r] elements of everybody
	for r := range toMe {
		toMe[r] = own
		all += counts[r]
	}
	type buf = []int64
	return []collective{
		{"barrier", func(c *mpi.Comm, _, _ buf) error { return mpi.Barrier(c) }, func(c *mpi.Comm, _, _ buf) mpi.Request { return mpi.BarrierInit(c) }},
		{"bcast", func(c *mpi.Comm, s, r buf) error { copy(r, s); return mpi.Bcast(c, r, root) },
			func(c *mpi.Comm, s, r buf) mpi.Request { return mpi.BcastInit(c, s, root) }},
		{"reduce", func(c *mpi.Comm, s, r buf) error { return mpi.Reduce(c, s, r, mpi.Sum, root) },
			func(c *mpi.Comm, s, r buf) mpi.Request { return mpi.ReduceInit(c, s, r, mpi.Sum, root) }},
		{"allreduce", func(c *mpi.Comm, s, r buf) error { return mpi.Allreduce(c, s, r, mpi.Max) },
			func(c *mpi.Comm, s, r buf) mpi.Request { return mpi.AllreduceInit(c, s, r, mpi.Max) }},
		{"allreduce of the program's", func(c *mpi.Comm, s, r buf) error { return mpi.Allreduce(c, s, r, left) },
			func(c *mpi.Comm, s, r buf) mpi.Request { return mpi.AllreduceInit(c, s, r, left) }},
		{"scan", func(c *mpi.Comm, s, r buf) error { return mpi.Scan(c, s, r, mpi.Sum) },
			func(c *mpi.Comm, s, r buf) mpi.Request { return mpi.ScanInit(c, s, r, mpi.Sum) }},
		{"exscan", func(c *mpi.Comm, s, r buf) error { return mpi.Exscan(c, s, r, mpi.Sum) },
			func(c *mpi.Comm, s, r buf) mpi.Request { return mpi.ExscanInit(c, s, r, mpi.Sum) }},
		{"reduce_scatter", func(c *mpi.Comm, s, r buf) error { return mpi.ReduceScatter(c, s, r[:n], mpi.Sum) },
			func(c *mpi.Comm, s, r buf) mpi.Request { return mpi.ReduceScatterInit(c, s, r[:n], mpi.Sum) }},
		{"reduce_scatterv", func(c *mpi.Comm, s, r buf) error { return mpi.ReduceScatterv(c, s[:all], r[:own], counts, mpi.Sum) },
			func(c *mpi.Comm, s, r buf) mpi.Request {
				return mpi.ReduceScattervInit(c, s[:all], r[:own], counts, mpi.Sum)
			}},
		{"gather", func(c *mpi.Comm, s, r buf) error { return mpi.Gather(c, s[:n], r, root) },
			func(c *mpi.Comm, s, r buf) mpi.Request { return mpi.GatherInit(c, s[:n], r, root) }},
		{"gatherv", func(c *mpi.Comm, s, r buf) error { return mpi.Gatherv(c, s[:own], r, counts, displs, root) },
			func(c *mpi.Comm, s, r buf) mpi.Request { return mpi.GathervInit(c, s[:own], r, counts, displs, root) }},
		{"scatter", func(c *mpi.Comm, s, r buf) error { return mpi.Scatter(c, s, r[:n], root) },
			func(c *mpi.Comm, s, r buf) mpi.Request { return mpi.ScatterInit(c, s, r[:n], root) }},
		{"scatterv", func(c *mpi.Comm, s, r buf) error { return mpi.Scatterv(c, s, counts, displs, r[:own], root) },
			func(c *mpi.Comm, s, r buf) mpi.Request { return mpi.ScattervInit(c, s, counts, displs, r[:own], root) }},
		{"allgather", func(c *mpi.Comm, s, r buf) error { return mpi.Allgather(c, s[:n], r) },
			func(c *mpi.Comm, s, r buf) mpi.Request { return mpi.AllgatherInit(c, s[:n], r) }},
		{"allgatherv", func(c *mpi.Comm, s, r buf) error { return mpi.Allgatherv(c, s[:own], r, counts, displs) },
			func(c *mpi.Comm, s, r buf) mpi.Request { return mpi.AllgathervInit(c, s[:own], r, counts, displs) }},
		{"alltoall", func(c *mpi.Comm, s, r buf) error { return mpi.Alltoall(c, s, r) },
			func(c *mpi.Comm, s, r buf) mpi.Request { return mpi.AlltoallInit(c, s, r) }},
		{"alltoallv", func(c *mpi.Comm, s, r buf) error { return mpi.Alltoallv(c, s, counts, displs, r, toMe, displs) },
			func(c *mpi.Comm, s, r buf) mpi.Request {
				return mpi.AlltoallvInit(c, s, counts, displs, r, toMe, displs)
			}},
	}
}

// left is the program's own, and not commutative: what the lowest rank has.
var left = mpi.NewOp(false, func(a, b int64) int64 { return a })

// TestPersistentCollectives: each does again and again what the blocking call does, with what is in the
// buffers by then.
func TestPersistentCollectives(t *testing.T) { onComms(t, bodyPersistentCollectives) }

func bodyPersistentCollectives(c *mpi.Comm) error {
	for _, n := range []int{0, 5, 3000} {
		for _, op := range collectives(c, n) {
			if err := repeats(c, op, n); err != nil {
				return fmt.Errorf("%s of %d: %w", op.name, n, err)
			}
		}
	}
	return nil
}

func repeats(c *mpi.Comm, op collective, n int) error {
	send, recv, want := make([]int64, n*c.Size()), make([]int64, n*c.Size()), make([]int64, n*c.Size())
	r := op.init(c, send, recv)
	if r.Active() {
		return errors.New("active before its start")
	}
	for round := range 3 {
		copy(send, numbers(len(send), 100*round+c.Rank()))
		if err := op.blocking(c, send, want); err != nil {
			return err
		}
		if err := mpi.Start(r); err != nil {
			return err
		}
		if err := mpi.Start(r); !errors.Is(err, mpi.ErrRequest) {
			return fmt.Errorf("started twice: %v", err)
		}
		if _, err := r.Wait(); err != nil {
			return err
		}
		got := recv
		if op.name == "bcast" {
			got = send
		}
		if err := same(fmt.Sprintf("round %d", round), got, want); err != nil {
			return err
		}
	}
	return nil
}

// TestPersistentOverNetwork: the same with every rank on a host of its own, and in check mode.
func TestPersistentOverNetwork(t *testing.T) {
	for _, env := range [][2]string{{"WEFT_LINKS", "rail"}, {"WEFT_CHECK", "on"}} {
		t.Setenv(env[0], env[1])
		runs(t, 4, bodyPersistentCollectives)
	}
}

// TestPersistentInVirtualTime: the same on a simulated cluster.
func TestPersistentInVirtualTime(t *testing.T) {
	oneThread(t)
	j := cluster{profile: "connectx-ddr", nodes: 2, ranks: 5}
	if err := j.run(t, bodyPersistentCollectives); err != nil {
		t.Error(err)
	}
}

// TestPersistentTogether: many that were started at once, in the same order everywhere, and waited for in any.
func TestPersistentTogether(t *testing.T) {
	onComms(t, func(c *mpi.Comm) error {
		const many = 10
		in, out := make([]int64, many), make([]int64, many)
		var reqs []mpi.Request
		for i := range many {
			reqs = append(reqs, mpi.AllreduceInit(c, in[i:i+1], out[i:i+1], mpi.Sum))
		}
		for round := range 3 {
			for i := range in {
				in[i] = int64(i * round)
			}
			if err := mpi.Start(reqs...); err != nil {
				return err
			}
			for i := range many {
				k := (i + c.Rank()) % many
				if _, err := reqs[k].Wait(); err != nil {
					return err
				}
				if err := want("sum", out[k], int64(k*round*c.Size())); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// TestPersistentMistakes: an error in a call comes with the wait; what was freed does not start; of several
// none starts if one cannot.
func TestPersistentMistakes(t *testing.T) {
	runs(t, 2, func(w *mpi.Comm) error {
		bad := mpi.BcastInit(w, []int{1}, 7)
		if err := mpi.Start(bad); err != nil {
			return err
		}
		if _, err := bad.Wait(); !errors.Is(err, mpi.ErrRoot) {
			return fmt.Errorf("root 7: %v", err)
		}
		worse := mpi.SendInit(w, []string{"text"}, 0, 0)
		if err := mpi.Start(worse); err != nil {
			return err
		}
		if _, err := worse.Wait(); !errors.Is(err, mpi.ErrType) {
			return fmt.Errorf("strings: %v", err)
		}
		r, in := mpi.BarrierInit(w), make([]int, 1)
		recv := mpi.RecvInit(w, in, 1-w.Rank(), 3)
		if err := errors.Join(mpi.Start(recv), mpi.Start(r)); err != nil {
			return err
		}
		if err := mpi.Start(mpi.BarrierInit(w), recv); !errors.Is(err, mpi.ErrRequest) {
			return fmt.Errorf("started with an active one: %v", err)
		}
		if err := errors.Join(r.Free(), recv.Free()); err != nil { // both run to their end
			return err
		}
		if err := errors.Join(mpi.Start(r), mpi.Start(recv)); !errors.Is(err, mpi.ErrRequest) {
			return fmt.Errorf("started after Free: %v", err)
		}
		if err := errors.Join(mpi.Barrier(w), mpi.Send(w, []int{7}, 1-w.Rank(), 3)); err != nil {
			return err
		}
		return mpi.Barrier(w)
	})
}

// TestPersistentOutlivesCounts: a collective keeps the counts that it was made with.
func TestPersistentOutlivesCounts(t *testing.T) {
	onComms(t, func(c *mpi.Comm) error {
		counts, all := make([]int, c.Size()), 0
		for i := range counts {
			counts[i] = i + 1
			all += i + 1
		}
		send, recv := numbers(c.Rank()+1, c.Rank()), make([]int64, all)
		r := mpi.AllgathervInit(c, send, recv, counts, nil)
		clear(counts)
		if err := mpi.Start(r); err != nil {
			return err
		}
		if _, err := r.Wait(); err != nil {
			return err
		}
		var want []int64
		for i := range c.Size() {
			want = append(want, numbers(i+1, i)...)
		}
		return same("recv", recv, want)
	})
}

// TestPersistentAfterFree: a collective on a communicator that was freed fails.
func TestPersistentAfterFree(t *testing.T) {
	runs(t, 2, func(w *mpi.Comm) error {
		d, err := w.Dup()
		if err != nil {
			return err
		}
		r := mpi.BarrierInit(d)
		if err := errors.Join(d.Free(), mpi.Start(r)); err != nil {
			return err
		}
		if _, err := r.Wait(); !errors.Is(err, mpi.ErrComm) {
			return fmt.Errorf("ended with %v", err)
		}
		return nil
	})
}

// TestDone looks at requests and leaves them to Wait.
func TestDone(t *testing.T) {
	onComms(t, func(c *mpi.Comm) error {
		in := make([]int, 3)
		r := mpi.Irecv(c, in, c.Rank(), 1)
		if _, done, err := r.Done(); done || err != nil {
			return fmt.Errorf("done %v before the message: %v", done, err)
		}
		if err := mpi.Send(c, []int{1, 2}, c.Rank(), 1); err != nil {
			return err
		}
		for range 2 {
			st, done, err := r.Done()
			if n, _ := mpi.Count[int](st); !done || err != nil || n != 2 || st.Source != c.Rank() {
				return fmt.Errorf("%+v, %v: %v", st, done, err)
			}
		}
		if st, err := r.Wait(); err != nil || st.Source != c.Rank() {
			return fmt.Errorf("%+v: %v", st, err)
		}
		if _, _, err := r.Done(); !errors.Is(err, mpi.ErrRequest) {
			return fmt.Errorf("after its wait: %v", err)
		}
		if _, done, err := (mpi.Request{}).Done(); !done || err != nil {
			return fmt.Errorf("nothing is not done: %v", err)
		}
		return nil
	})
}
