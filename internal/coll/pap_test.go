package coll

import (
	"testing"

	"github.com/weft-mpi/weft/internal/plan"
)

// papPlans returns the plans of all ranks of 4 nodes of 2.
func papPlans(t *testing.T, name string, bytes int, scheme plan.Way) []*plan.Plan {
	t.Helper()
	a, known := Find(name)
	if !known {
		t.Fatalf("no %s", name)
	}
	c := onNodes(Case{Op: a.Op, Bytes: bytes, Elem: 4, Commutative: true, Scheme: scheme}, []int{0, 0, 1, 1, 2, 2, 3, 3})
	if !a.Fits(c) {
		t.Fatalf("%s does not fit %d bytes", name, bytes)
	}
	plans := make([]*plan.Plan, c.Ranks)
	for rank := range plans {
		c.Rank = rank
		plans[rank] = a.Plan(c)
	}
	return plans
}

// waitsOnMessages returns the messages that have ended when a step starts.
func waitsOnMessages(p *plan.Plan, step int) (messages int) {
	seen := map[int]bool{}
	var walk func(int)
	walk = func(i int) {
		for _, d := range p.Deps(i) {
			if seen[int(d)] {
				continue
			}
			seen[int(d)] = true
			if kind := p.Steps[d].Kind; kind == plan.Send || kind == plan.Recv {
				messages++
			}
			walk(int(d))
		}
	}
	walk(step)
	return messages
}

// twins are algorithms by arrival and what they are without it.
var twins = map[string]string{
	"alltoall/pap_direct":      "alltoall/direct_zero",
	"alltoall/pap_shm_direct":  "alltoall/shm_direct",
	"allgather/pap_direct":     "allgather/direct_zero",
	"allgather/pap_shm_direct": "allgather/shm_direct",
}

// TestNoSendWaitsForALatePeer is the proof of arrival: no send waits for the
// end of any other message, while every send of the twin but the first does.
func TestNoSendWaitsForALatePeer(t *testing.T) {
	for pap, twin := range twins {
		for _, p := range papPlans(t, pap, 64, plan.Announced) {
			for i, s := range p.Steps {
				if n := waitsOnMessages(p, i); s.Kind == plan.Send && n > 0 {
					t.Errorf("%s, rank %d: step %d (%s) waits for %d messages", pap, p.Rank, i, s, n)
				}
			}
		}
		for _, p := range papPlans(t, twin, 64, plan.Announced) {
			first := true
			for i, s := range p.Steps {
				if s.Kind != plan.Send {
					continue
				}
				if n := waitsOnMessages(p, i); !first && n == 0 {
					t.Errorf("%s, rank %d: step %d (%s) waits for nobody", twin, p.Rank, i, s)
				}
				first = false
			}
		}
	}
	for _, name := range []string{"alltoall/pap_copy", "allgather/pap_copy", "bcast/pap_direct", "reduce_scatter/pap_direct"} {
		for _, p := range papPlans(t, name, 64, plan.Auto) {
			for i, s := range p.Steps {
				if n := waitsOnMessages(p, i); s.Kind == plan.Send && n > 0 {
					t.Errorf("%s, rank %d: step %d (%s) waits for %d messages", name, p.Rank, i, s, n)
				}
			}
		}
	}
}

// TestArrivalCostsNoMessage holds each rank's messages and bytes against those
// of the twin.
func TestArrivalCostsNoMessage(t *testing.T) {
	for pap, twin := range twins {
		for _, bytes := range []int{8, 16 << 10} {
			others := papPlans(t, twin, bytes, plan.Auto)
			for rank, p := range papPlans(t, pap, bytes, plan.Auto) {
				got, want := p.Tally(), others[rank].Tally()
				if got.Sends != want.Sends || got.Recvs != want.Recvs || got.SendBytes != want.SendBytes ||
					got.NodeWriteBytes != want.NodeWriteBytes || got.NodeReadBytes != want.NodeReadBytes {
					t.Errorf("%s, %d bytes, rank %d: %+v, its twin %+v", pap, bytes, rank, got, want)
				}
			}
		}
	}
}

// TestWaysOfArrival: zero-copy plans announce, copying ones are by arrival and
// copy, from the rank before downwards.
func TestWaysOfArrival(t *testing.T) {
	for name, way := range map[string]plan.Way{
		"alltoall/direct_zero": plan.Announced, "alltoall/pap_direct": plan.Announced, "alltoall/pap_copy": plan.Copied,
		"allgather/direct_zero": plan.Announced, "allgather/pap_direct": plan.Announced, "allgather/pap_copy": plan.Copied,
		"alltoall/pap_bruck": plan.Announced, "allgather/pap_bruck": plan.Announced, "allgather/pap_doubling": plan.Announced,
		"allreduce/pap_doubling": plan.Announced, "bcast/pap_direct": plan.Announced,
	} {
		for _, p := range papPlans(t, name, 64, plan.Auto) {
			for i, s := range p.Steps {
				if (s.Kind == plan.Send || s.Kind == plan.Recv) && s.Way != way {
					t.Errorf("%s, rank %d: step %d (%s) is not %s", name, p.Rank, i, s, way)
				}
			}
			if p.ByArrival != (way == plan.Copied) {
				t.Errorf("%s, rank %d: by arrival is %v", name, p.Rank, p.ByArrival)
			}
		}
	}
	for _, name := range []string{"alltoall/pap_copy", "allgather/pap_copy"} {
		p := papPlans(t, name, 64, plan.Auto)[3]
		var to []int32
		for _, s := range p.Steps {
			if s.Kind == plan.Send {
				to = append(to, s.Peer)
			}
		}
		for i, peer := range to {
			if want := int32((3 - 1 - i + 8) % 8); peer != want {
				t.Errorf("%s: rank 3 sends to %v", name, to)
				break
			}
		}
	}
}

// TestFlagsOfArrival: with arrival every source node has a flag of its own, and
// local ranks wait for nothing else before they copy; without, one flag tells
// of all.
func TestFlagsOfArrival(t *testing.T) {
	for name, want := range map[string]int{
		"alltoall/pap_shm_direct": 3, "alltoall/shm_direct": 1,
		"allgather/pap_shm_direct": 3, "allgather/shm_direct": 1,
	} {
		p := papPlans(t, name, 64, plan.Auto)[2] // a master
		if got := p.Tally().Flags - 1; got != want {
			t.Errorf("%s: a master raises %d flags for what has come, want %d", name, got, want)
		}
		waits := map[int32]bool{}
		q := papPlans(t, name, 64, plan.Auto)[3]
		for _, s := range q.Steps {
			if s.Kind == plan.Await && s.Flag > 0 {
				waits[s.Flag] = true
			}
		}
		if len(waits) != want {
			t.Errorf("%s: a rank awaits %d flags, want %d", name, len(waits), want)
		}
	}
}
