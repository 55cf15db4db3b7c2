package simtest

import (
	"fmt"

	"github.com/weft-mpi/weft/mpi"
)

// Brief is communicators that are made one after the other, used at once and freed, so many that their numbers come
// again: what is said on one must never be heard on another.
type Brief struct {
	Comm   int
	Rounds int
	Ways   []string // in turn, see briefWays
	Bytes  int
}

// briefing is a Brief with its place in time.
type briefing struct {
	*Brief
	comm *group
	id   int
}

// briefWays are the ways to make them.
var briefWays = []string{"dup", "idup", "group", "split"}

// brief makes the communicators. The first rank sends to the last as soon as it has one.
func (a *actor) brief(k *briefing) error {
	c, me, n := a.comm(k.comm, tame), k.comm.rankOf(a.rank), len(k.comm.members)
	for round := range k.Rounds {
		chance := mix(uint64(k.id)<<32|uint64(round), uint64(me))
		if chance%3 == 0 {
			a.stage.compute(a.rank, int64(chance>>8%30_000))
		}
		d, err := a.briefly(c, k.Ways[round%len(k.Ways)], chance>>4%2 > 0, me, n)
		if err == nil {
			err = a.useOnce(d, k, round, me, n)
		}
		if err == nil {
			err = d.Free()
		}
		if err != nil {
			return fmt.Errorf("round %d, %s: %w", round, k.Ways[round%len(k.Ways)], err)
		}
	}
	return nil
}

// briefly makes one of them. Some ranks wait at once for one that is made meanwhile, others when they have called
// another collective.
func (a *actor) briefly(c *mpi.Comm, way string, first bool, me, n int) (*mpi.Comm, error) {
	switch way {
	case "group":
		return c.CreateGroup(c.Group(), 1)
	case "split":
		return c.Split(0, 0)
	case "idup":
		coming, err := c.Idup()
		if err != nil {
			return nil, err
		}
		if first {
			if _, err := coming.Wait(); err != nil {
				return nil, err
			}
		}
		sum := make([]int64, 1)
		if err := mpi.Allreduce(c, []int64{int64(me)}, sum, mpi.Sum); err != nil {
			return nil, err
		}
		if int(sum[0]) != n*(n-1)/2 {
			return nil, fmt.Errorf("the ranks add up to %d", sum[0])
		}
		return coming.Wait()
	}
	return c.Dup()
}

// useOnce sends a message from the first rank to the last.
func (a *actor) useOnce(d *mpi.Comm, k *briefing, round, me, n int) error {
	id := 1<<51 | k.id<<20 | round
	var sent mpi.Request
	if me == 0 {
		b := make([]byte, k.Bytes)
		fill(b, id)
		sent = mpi.Isend(d, b, n-1, round%3)
	}
	if me == n-1 {
		b := make([]byte, k.Bytes)
		st, err := mpi.Recv(d, b, mpi.AnySource, mpi.AnyTag)
		if err != nil {
			return err
		}
		if at := differs(b, id); at >= 0 || st.Source != 0 || st.Tag != round%3 || st.Bytes != k.Bytes {
			return fmt.Errorf("received %+v, byte %d is wrong", st, at)
		}
		a.checked += int64(k.Bytes)
	}
	if me == 0 {
		_, err := sent.Wait()
		return err
	}
	return nil
}
