package mpi_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

// two is a communicator between the first ranks of a job and the others: what its ranks were before.
type two struct {
	*mpi.Comm
	own, other []int
}

// between makes one. The last rank of each group leads it.
func between(w *mpi.Comm, first int) (local *mpi.Comm, c *two, err error) {
	var all []int
	for r := range w.Size() {
		all = append(all, r)
	}
	c = &two{own: all[:first], other: all[first:]}
	color := 0
	if w.Rank() >= first {
		c.own, c.other, color = c.other, c.own, 1
	}
	if local, err = w.Split(color, w.Rank()); err != nil {
		return nil, nil, err
	}
	c.Comm, err = local.Intercomm(len(c.own)-1, w, c.other[len(c.other)-1], 7)
	return local, c, err
}

// onGroups runs a body on communicators between groups of several sizes, and on their duplicates.
func onGroups(t *testing.T, body func(c *two, do form, n int) error) {
	for _, sizes := range [][2]int{{1, 1}, {3, 1}, {2, 4}} {
		err := mpi.Run(sizes[0]+sizes[1], func(w *mpi.Comm) error {
			local, c, err := between(w, sizes[0])
			if err != nil {
				return err
			}
			twin, err := c.Dup()
			if err != nil {
				return err
			}
			for name, do := range forms {
				for _, n := range []int{0, 5, 3000} {
					for _, x := range []*two{c, {twin, c.own, c.other}} {
						if err := body(x, do, n); err != nil {
							return fmt.Errorf("%s, %d elements on %s: %w", name, n, x.Name(), err)
						}
					}
				}
			}
			return errors.Join(twin.Free(), c.Free(), local.Free())
		})
		if err != nil {
			t.Errorf("%v: %v", sizes, err)
		}
	}
}

// call is a collective in both its forms.
func call(do form, blocking func() error, starting func() mpi.Request) error {
	return do(blocking, starting)
}

func TestBlocksBetweenGroups(t *testing.T) {
	onGroups(t, func(c *two, do form, n int) error {
		me := c.own[c.Rank()]
		if c.Size() != len(c.own) || c.Remote().Size() != len(c.other) {
			return fmt.Errorf("groups of %d and %d", c.Size(), c.Remote().Size())
		}
		size := func(rank int) int { return rank % 3 * n } // where they differ
		var all, each, eachv, out, outv []int64
		var counts, outs []int
		for i, r := range c.other {
			all = append(all, numbers(n+c.other[0], r)...) // the groups have blocks of different lengths
			each = append(each, block(n+c.other[0], r, c.Rank())...)
			eachv = append(eachv, block(size(r), r, c.Rank())...)
			out = append(out, block(n+c.own[0], me, i)...)
			outv = append(outv, block(size(me), me, i)...)
			counts, outs = append(counts, size(r)), append(outs, size(me))
		}
		got, gotEach, gotEachv := make([]int64, len(all)), make([]int64, len(each)), make([]int64, len(eachv))
		gotv := make([]int64, len(eachv))
		own, ownv := numbers(n+c.own[0], me), numbers(size(me), me)
		var allv []int64
		for _, r := range c.other {
			allv = append(allv, numbers(size(r), r)...)
		}
		return errors.Join(
			call(do, func() error { return mpi.Barrier(c.Comm) }, func() mpi.Request { return mpi.Ibarrier(c.Comm) }),
			call(do, func() error { return mpi.Allgather(c.Comm, own, got) }, func() mpi.Request { return mpi.Iallgather(c.Comm, own, got) }),
			same("allgather", got, all),
			call(do, func() error { return mpi.Alltoall(c.Comm, out, gotEach) }, func() mpi.Request { return mpi.Ialltoall(c.Comm, out, gotEach) }),
			same("alltoall", gotEach, each),
			call(do, func() error { return mpi.Allgatherv(c.Comm, ownv, gotv, counts, nil) }, func() mpi.Request { return mpi.Iallgatherv(c.Comm, ownv, gotv, counts, nil) }),
			same("allgatherv", gotv, allv),
			call(do, func() error { return mpi.Alltoallv(c.Comm, outv, outs, nil, gotEachv, counts, nil) },
				func() mpi.Request { return mpi.Ialltoallv(c.Comm, outv, outs, nil, gotEachv, counts, nil) }),
			same("alltoallv", gotEachv, eachv),
			layoutsBetween(c, do, n))
	})
}

// layoutsBetween sends every rank of the other group a column of a matrix, which comes to a row there.
func layoutsBetween(c *two, do form, n int) error {
	me := c.own[c.Rank()]
	theirs := len(c.other)
	out, in := make([]int64, n*theirs), make([]int64, n*theirs)
	var want []int64
	columns, rows := make([]mpi.Layout, theirs), make([]mpi.Layout, theirs)
	for i, r := range c.other {
		for k, v := range block(n, me, i) {
			out[k*theirs+i] = v
		}
		columns[i], rows[i] = mpi.From(i, mpi.Strided{Count: n, Block: 1, Stride: theirs}), mpi.Indexed{{Start: i * n, Len: n}}
		want = append(want, block(n, r, c.Rank())...)
	}
	if n == 0 {
		clear(columns)
		clear(rows)
	}
	return errors.Join(call(do, func() error { return mpi.AlltoallLayout(c.Comm, out, columns, in, rows) },
		func() mpi.Request { return mpi.IalltoallLayout(c.Comm, out, columns, in, rows) }), same("alltoall_layout", in, want))
}

func TestReductionsBetweenGroups(t *testing.T) {
	onGroups(t, func(c *two, do form, n int) error {
		theirs := func(n int) []int64 { return reduced(n, c.other[0], c.other[0]+len(c.other), plus) }
		own, got := numbers(n, c.own[c.Rank()]), make([]int64, n)
		whole := n * len(c.own) * len(c.other)
		vector, part := numbers(whole, c.own[c.Rank()]), make([]int64, whole/len(c.own))
		if err := errors.Join(
			call(do, func() error { return mpi.Allreduce(c.Comm, own, got, mpi.Sum) }, func() mpi.Request { return mpi.Iallreduce(c.Comm, own, got, mpi.Sum) }),
			same("allreduce", got, theirs(n)),
			call(do, func() error { return mpi.ReduceScatter(c.Comm, vector, part, mpi.Sum) }, func() mpi.Request { return mpi.IreduceScatter(c.Comm, vector, part, mpi.Sum) }),
			same("reduce_scatter", part, theirs(whole)[c.Rank()*len(part):][:len(part)]),
			unevenParts(c, do, vector, theirs(whole))); err != nil {
			return err
		}
		return eachRoot(c, func(root int, leads bool) error {
			sum := make([]int64, n)
			err := call(do, func() error { return mpi.Reduce(c.Comm, own, sum, mpi.Sum, root) }, func() mpi.Request { return mpi.Ireduce(c.Comm, own, sum, mpi.Sum, root) })
			if leads {
				err = errors.Join(err, same("reduce", sum, theirs(n)))
			}
			return err
		})
	})
}

// unevenParts gives the first rank of each group a third of the sums, and its last rank the rest.
func unevenParts(c *two, do form, vector, sums []int64) error {
	counts := make([]int, len(c.own))
	counts[0] = len(vector) / 3
	counts[len(counts)-1] += len(vector) - counts[0]
	from := 0
	for _, n := range counts[:c.Rank()] {
		from += n
	}
	part := make([]int64, counts[c.Rank()])
	return errors.Join(call(do, func() error { return mpi.ReduceScatterv(c.Comm, vector, part, counts, mpi.Sum) },
		func() mpi.Request { return mpi.IreduceScatterv(c.Comm, vector, part, counts, mpi.Sum) }), same("reduce_scatterv", part, sums[from:][:len(part)]))
}

// eachRoot makes calls with every rank of both groups as their root.
func eachRoot(c *two, do func(root int, leads bool) error) error {
	for r := range len(c.own) + len(c.other) {
		root, mine := slices.Index(c.other, r), slices.Index(c.own, r)
		switch {
		case mine == c.Rank():
			root = mpi.Root
		case mine >= 0:
			root = mpi.ProcNull
		}
		if err := do(root, root == mpi.Root); err != nil {
			return fmt.Errorf("root %d: %w", r, err)
		}
	}
	return nil
}

func TestRootsBetweenGroups(t *testing.T) {
	onGroups(t, func(c *two, do form, n int) error {
		me := c.own[c.Rank()]
		return eachRoot(c, func(root int, leads bool) error {
			buf, all, one := make([]int64, n), make([]int64, n*len(c.other)), make([]int64, n)
			if leads {
				copy(buf, numbers(n, me))
			}
			err := call(do, func() error { return mpi.Bcast(c.Comm, buf, root) }, func() mpi.Request { return mpi.Ibcast(c.Comm, buf, root) })
			gathered := make([]int64, n*len(c.other))
			counts := slices.Repeat([]int{n}, len(c.other))
			if leads {
				for i := range c.other {
					copy(all[i*n:], block(n, me, i))
				}
			}
			err = errors.Join(err,
				call(do, func() error { return mpi.Gather(c.Comm, numbers(n, me), gathered, root) }, func() mpi.Request { return mpi.Igather(c.Comm, numbers(n, me), gathered, root) }),
				call(do, func() error { return mpi.Scatter(c.Comm, all, one, root) }, func() mpi.Request { return mpi.Iscatter(c.Comm, all, one, root) }))
			if leads {
				var want []int64
				for _, r := range c.other {
					want = append(want, numbers(n, r)...)
				}
				err = errors.Join(err, same("gather", gathered, want))
				clear(gathered)
			} else if root >= 0 {
				err = errors.Join(err, same("bcast", buf, numbers(n, c.other[root])), same("scatter", one, block(n, c.other[root], c.Rank())))
				clear(one)
			}
			err = errors.Join(err,
				call(do, func() error { return mpi.Gatherv(c.Comm, numbers(n, me), gathered, counts, nil, root) },
					func() mpi.Request { return mpi.Igatherv(c.Comm, numbers(n, me), gathered, counts, nil, root) }),
				call(do, func() error { return mpi.Scatterv(c.Comm, all, counts, nil, one, root) }, func() mpi.Request { return mpi.Iscatterv(c.Comm, all, counts, nil, one, root) }))
			if leads {
				err = errors.Join(err, same("gatherv", gathered[:n], numbers(n, c.other[0])))
			} else if root >= 0 {
				err = errors.Join(err, same("scatterv", one, block(n, c.other[root], c.Rank())))
			}
			return err
		})
	})
}

// TestMessagesBetweenGroups: ranks of messages are those of the other group, also in what a probe and a status say;
// merged and split, groups are in the order that was asked for.
func TestMessagesBetweenGroups(t *testing.T) {
	onGroups(t, func(c *two, _ form, n int) error {
		var reqs []mpi.Request
		for to := range c.other {
			reqs = append(reqs, mpi.Isend(c.Comm, numbers(n, c.own[c.Rank()]), to, n))
		}
		for range c.other {
			st, err := mpi.Probe(c.Comm, mpi.AnySource, n)
			if err != nil {
				return err
			}
			got := make([]int64, n)
			if st, err = mpi.Recv(c.Comm, got, st.Source, n); err != nil {
				return err
			}
			if err := same("message", got, numbers(n, c.other[st.Source])); err != nil {
				return err
			}
		}
		merged, err := c.Merge(c.own[0] == 0)
		if err := errors.Join(err, mpi.Waitall(reqs)); err != nil {
			return err
		}
		want := c.Rank()
		if c.own[0] == 0 {
			want += len(c.other)
		}
		if merged.Rank() != want || merged.Size() != len(c.own)+len(c.other) || merged.Remote() != nil {
			return fmt.Errorf("merged, rank %d of %d, want %d", merged.Rank(), merged.Size(), want)
		}
		pair, err := c.Split(min(c.Rank(), 1), -c.Rank())
		if err != nil {
			return err
		}
		mates := func(group []int) int { return []int{1, len(group) - 1}[min(c.Rank(), 1)] }
		switch lonely := mates(c.other) == 0; {
		case lonely != (pair == nil):
			return fmt.Errorf("a part with %d of the other group is %v", mates(c.other), pair)
		case lonely:
		case pair.Size() != mates(c.own) || pair.Remote().Size() != mates(c.other):
			return fmt.Errorf("a part of %d and %d ranks", pair.Size(), pair.Remote().Size())
		default:
			err = errors.Join(mpi.Barrier(pair), pair.Free())
		}
		return errors.Join(err, merged.Free())
	})
}

// TestTwoGroupsMistakes: what is not for two groups is refused, and groups that overlap or leaders that are not there are told.
func TestTwoGroupsMistakes(t *testing.T) {
	err := mpi.Run(3, func(w *mpi.Comm) error {
		_, c, err := between(w, 1)
		if err != nil {
			return err
		}
		one := make([]int, 1)
		_, window := mpi.CreateWindow(c.Comm, one)
		_, cart := c.Cart([]int{1}, []bool{false}, false)
		_, graph := c.Graph(nil, nil, nil, false)
		for _, err := range []error{mpi.Scan(c.Comm, one, one, mpi.Sum), mpi.Allreduce(c.Comm, nil, one, mpi.Sum), window, cart, graph} {
			says(t, err, mpi.ErrTwo)
		}
		says(t, mpi.Bcast(c.Comm, one, 9), mpi.ErrRoot, "the other group has ranks")
		says(t, mpi.Send(c.Comm, one, 2, 0), mpi.ErrRank, "ranks 0 to")
		_, err = w.Merge(true)
		says(t, err, mpi.ErrComm, "one group only")
		_, err = w.Intercomm(5, w, 0, 0)
		says(t, err, mpi.ErrRank, "leader 5")
		_, err = w.Intercomm(0, w, 0, 0)
		says(t, err, mpi.ErrRank)
		return c.Free()
	})
	if err != nil {
		t.Error(err)
	}
	err = mpi.Run(2, func(w *mpi.Comm) error { // both groups have both ranks; rank 0 leads one and rank 1 the other
		_, err := w.Intercomm(w.Rank(), w, 1-w.Rank(), 3)
		return err
	})
	if err == nil {
		t.Error("a process is in both groups")
	}
}

func TestCreateGroupAndIdup(t *testing.T) {
	err := mpi.Run(5, func(w *mpi.Comm) error {
		pending, err := w.Idup()
		if err != nil {
			return err
		}
		g, err := w.Group().RangeIncl(mpi.Range{First: 4, Last: 0, Stride: -2})
		if err != nil {
			return err
		}
		var some *mpi.Comm
		if w.Rank()%2 == 0 { // the others do not call
			if some, err = w.CreateGroup(g, 3); err != nil {
				return err
			}
			sum := make([]int, 1)
			if err := mpi.Allreduce(some, []int{w.Rank()}, sum, mpi.Sum); err != nil || sum[0] != 6 || some.Rank() != 2-w.Rank()/2 {
				return fmt.Errorf("rank %d, sum %v, %w", some.Rank(), sum, err)
			}
			if some.Compare(w) != mpi.Unequal {
				return errors.New("three ranks are five")
			}
			if err := some.Free(); err != nil {
				return err
			}
		}
		twin, err := pending.Wait()
		if err != nil {
			return err
		}
		if again, err := pending.Wait(); again.Compare(twin) != mpi.Identical || err != nil {
			return errors.New("a second wait gives another communicator")
		}
		back, err := w.Split(0, -w.Rank())
		if err != nil {
			return err
		}
		if twin.Compare(w) != mpi.Congruent || w.Compare(w) != mpi.Identical || back.Compare(w) != mpi.Similar || back.Group().Compare(w.Group()) != mpi.Similar {
			return errors.New("compared wrongly")
		}
		return errors.Join(mpi.Barrier(twin), twin.Free(), back.Free())
	})
	if err != nil {
		t.Error(err)
	}
}

func TestRanges(t *testing.T) {
	err := mpi.Run(1, func(w *mpi.Comm) error {
		_, none := w.Group().RangeIncl(mpi.Range{First: 0, Last: 0, Stride: 0})
		says(t, none, mpi.ErrGroup, "stride 0")
		_, far := w.Group().RangeExcl(mpi.Range{First: 0, Last: 1, Stride: 1})
		says(t, far, mpi.ErrRank)
		rest, err := w.Group().RangeExcl(mpi.Range{First: 0, Last: 0, Stride: 1})
		if rest.Size() != 0 {
			t.Errorf("%d are left", rest.Size())
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
