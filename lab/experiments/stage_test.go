package experiments

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/plan"
	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/measure"
	"github.com/weft-mpi/weft/mpi"
)

// blockFrom is what rank from has for rank to in a call.
func blockFrom(from, to, call, n int) []byte {
	return bytes.Repeat([]byte{byte(17*from + 5*to + call + 1)}, n)
}

// wants returns what a rank must have in Out after an operation, block by block.
func wants(op coll.Op, rank, ranks, call, n int) (out []byte) {
	switch op {
	case coll.Scatter:
		return blockFrom(0, rank, call, n)
	case coll.Gather:
		if rank != 0 {
			return nil
		}
	}
	for from := range ranks {
		to := 0 // everybody gets the same
		if op == coll.Alltoall {
			to = rank
		}
		out = append(out, blockFrom(from, to, call, n)...)
	}
	return out
}

// contributes fills In.
func contributes(op coll.Op, in []byte, rank, call, n int) {
	for to := 0; (to+1)*n <= len(in); to++ {
		copy(in[to*n:], blockFrom(rank, to, call, n))
	}
}

// played runs an operation on a stage several times and holds what everybody has then against what it must have.
func played(t *testing.T, name string, job lab.Job, h *theatre, n int) {
	b, err := lab.NewBench(lab.Options{})
	if err != nil {
		t.Fatal(err)
	}
	job.On, job.Puts = b.Setups("QS")[0], true
	c := h.surround
	c.Bytes = n
	var s *stage
	var came, went [3]time.Duration // per call: when the last was done, and when the first went on
	err = b.Run(t.Context(), job, func(k *measure.Rank) error {
		c := c
		c.Rank = k.World.Rank()
		if c.Rails == 0 {
			c.Rails = 2
		}
		if s == nil {
			var err error
			if s, err = h.stage(c); err != nil {
				return err
			}
			s.staged = h.staged
		}
		bufs := plan.Bufs{In: make([]byte, c.Lens().In), Out: make([]byte, c.Lens().Out)}
		p, err := s.join(k, bufs)
		if err != nil {
			return err
		}
		for call := range 3 {
			contributes(c.Op, bufs.In, c.Rank, call, n)
			if err := mpi.Barrier(k.World); err != nil {
				return err
			}
			k.Compute(time.Duration(c.Rank*call) * 20 * time.Microsecond)
			if err := p.play(); err != nil {
				return err
			}
			if h.syncs {
				came[call] = max(came[call], k.Now())
				if err := p.sync(h.halls[c.Nodes[c.Rank]], k.Gate); err != nil {
					return err
				}
				if went[call] == 0 || k.Now() < went[call] {
					went[call] = k.Now()
				}
			}
			if want := wants(c.Op, c.Rank, c.Ranks, call, n); !bytes.Equal(bufs.Out, want) {
				t.Errorf("%s of %d bytes, call %d: rank %d has something else", name, n, call, c.Rank)
			}
			if err := mpi.Barrier(k.World); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Errorf("%s of %d bytes: %v", name, n, err)
	}
	const least = 4 * time.Microsecond // that the barrier of the hardware takes
	for call := range came {
		if h.syncs && went[call] < came[call]+least {
			t.Errorf("%s of %d bytes, call %d: somebody went on at %v, the last had come at %v", name, n, call, went[call], came[call])
		}
	}
}

// TestStagePlays: plans that are played by remote writes bring everybody what the operation promises, call
// after call, whoever comes late; in one write and cut over both rails; through the memory of nodes, too.
func TestStagePlays(t *testing.T) {
	algorithms := []string{"scatter/knomial@2", "scatter/direct@2", "gather/knomial@2", "gather/elan", "gather/smp@2", "allgather/direct@2",
		"allgather/exchange@2", "allgather/bruck@2", "allgather/smp_direct@2", "allgather/smp_bruck@2", "allgather/direct_zero", "allgather/pap_direct",
		"alltoall/direct@2", "alltoall/exchange@2", "alltoall/bruck@2", "alltoall/elan", "alltoall/direct_zero", "alltoall/pap_direct"}
	job := lab.Job{Ranks: 6, PerNode: 2}
	for _, n := range []int{3, 1500} {
		for _, name := range algorithms {
			played(t, name, job, algorithmTheatre(job, name), n)
		}
		for _, op := range []coll.Op{coll.Allgather, coll.Alltoall} {
			for _, down := range []bool{false, true} {
				h := newTheatre(job, op, copyPlans(down))
				h.staged = true
				played(t, fmt.Sprintf("copied %v, by arrival %v", op, down), job, h, n)
			}
		}
	}
}

// TestStageChains: sends that interfaces begin bring the same, over one rail, and only that; a receive that
// two sends wait for is left to the host.
func TestStageChains(t *testing.T) {
	job := lab.Job{Ranks: 16, PerNode: 2, Settings: oneRail}
	for _, name := range []string{"gather/elan", "gather/knomial@1", "allgather/elan"} {
		for _, n := range []int{3, 3000} {
			h := algorithmTheatre(job, name)
			h.chains = true
			played(t, name+" chained", job, h, n)
		}
	}
	h := algorithmTheatre(job, "gather/knomial@1")
	h.chains = true
	c := h.surround
	c.Bytes, c.Rails = 8, 1
	s, err := h.stage(c)
	if err != nil || len(s.chain.after[8]) == 0 {
		t.Errorf("%v: rank 8, in the middle of the tree, chains nothing", err)
	}
	c.Rails = 2
	if _, err := h.stage(c); err == nil {
		t.Error("chains over two rails are not refused")
	}
}

// TestStageSyncs: nobody goes on before all have come, call after call, whoever comes late.
func TestStageSyncs(t *testing.T) {
	job := lab.Job{Ranks: 6, PerNode: 2, Syncs: true}
	for _, name := range []string{"allgather/smp_direct@2", "gather/smp@2"} {
		played(t, name+", synchronized", job, algorithmTheatre(job, name), 100)
	}
}

// TestStageWantsFreePlaces: nobody can write to a place that its owner still uses, so plans with such
// receives are refused, and so are plans of which a send meets no receive.
func TestStageWantsFreePlaces(t *testing.T) {
	all := plan.Span{Buf: plan.Out, Len: 4}
	late := plan.NewBuilder("late", 1, 2)
	late.Recv(0, all, late.Copy(plan.Span{Buf: plan.Out, Off: 4, Len: 4}, all))
	idle := plan.NewBuilder("idle", 1, 2)
	for want, other := range map[string]*plan.Builder{"no place": late, "receives no message": idle} {
		if _, err := newStage([]*plan.Plan{plan.NewBuilder("sends", 0, 2).Build(), other.Build()}, 1); err != nil {
			t.Errorf("without a send: %v", err)
		}
		b := plan.NewBuilder("sends", 0, 2)
		b.Send(1, all)
		if _, err := newStage([]*plan.Plan{b.Build(), other.Build()}, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// TestAnnouncedWaits: a block that its receiver announces is not written before the receiver has come, any other is.
func TestAnnouncedWaits(t *testing.T) {
	b, err := lab.NewBench(lab.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const late, n = 500 * time.Microsecond, 64
	for _, way := range []plan.Way{plan.Auto, plan.Announced} {
		send, recv := plan.NewBuilder("send", 0, 2), plan.NewBuilder("recv", 1, 2)
		send.Travel(way, 0)
		recv.Travel(way, 0)
		send.Send(1, plan.Span{Buf: plan.In, Len: n})
		recv.Recv(0, plan.Span{Buf: plan.Out, Len: n})
		s, err := newStage([]*plan.Plan{send.Build(), recv.Build()}, 1)
		if err != nil {
			t.Fatal(err)
		}
		var took time.Duration
		err = b.Run(t.Context(), lab.Job{On: b.Setups("IB3")[0], Ranks: 2, Puts: true}, func(k *measure.Rank) error {
			p, err := s.join(k, plan.Bufs{In: make([]byte, n), Out: make([]byte, n)})
			if err != nil {
				return err
			}
			if err := mpi.Barrier(k.World); err != nil {
				return err
			}
			start := k.Now()
			if !k.Lead() {
				k.Compute(late)
			}
			if err := p.play(); err != nil {
				return err
			}
			if k.Lead() {
				took = k.Now() - start
			}
			return mpi.Barrier(k.World)
		})
		if err != nil {
			t.Fatal(err)
		}
		if waited := took > late/2; waited != (way == plan.Announced) {
			t.Errorf("%v: the send took %v, the receiver came after %v", way, took, late)
		}
	}
}
