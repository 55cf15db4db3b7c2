package simtest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/weft-mpi/weft/mpi"
)

// The reference model. What MPI promises about messages is about order: the messages of a sender that fit a
// receive are taken first sent first, and of the receives that fit a message the one posted first takes it.
// So if the receives of a rank are gone through in the order in which they were posted, each has exactly
// one message it can have got from the sender that its status names: the first of that sender that fits it
// and is left. From any sender, any of these will do.

// judge looks at all that the ranks have noted. lost tells that a rank died, so that not everything has
// come to its end.
func judge(p *program, actors []*actor, lost bool) error {
	for _, g := range p.groups {
		for l := tame; l < layers; l++ {
			if !g.used[l] {
				continue
			}
			queues := queuesOf(g, l, actors)
			for me, world := range g.members {
				if actors[world].elsewhere {
					continue
				}
				if err := judgeRank(p, g, l, me, actors[world], queues, lost); err != nil {
					return fmt.Errorf("rank %d (%d of comm %d%v): %w", world, me, g.number, l, err)
				}
			}
			for route, q := range queues {
				if len(q) > 0 && !lost && !actors[g.members[route.to]].elsewhere {
					return fmt.Errorf("nobody received %d messages, the first is %v", len(q), queues[route][0])
				}
			}
		}
	}
	lost = lost || slices.ContainsFunc(actors, func(a *actor) bool { return a.elsewhere }) // or what it has drawn is
	return errors.Join(judgeDraws(actors, lost), recheck(actors))
}

// route is the way from a sender to a receiver.
type route struct{ from, to int }

// queuesOf are the messages of a communicator in the order in which they were sent.
func queuesOf(g *group, l layer, actors []*actor) map[route][]*sending {
	queues := map[route][]*sending{}
	for _, world := range g.members {
		for _, s := range actors[world].sent {
			if s.comm == g && s.layer == l {
				k := route{s.from, s.to}
				queues[k] = append(queues[k], s)
			}
		}
	}
	return queues
}

// judgeRank goes through the receives of a rank.
func judgeRank(p *program, g *group, l layer, me int, a *actor, queues map[route][]*sending, lost bool) error {
	for _, n := range a.notes {
		if n.comm != g || n.layer != l || n.kind == withdrawn {
			continue
		}
		if !n.done {
			if !lost {
				return fmt.Errorf("%v has not ended", n.r)
			}
			break // what came behind it may have come before others
		}
		from := n.st.Source
		if from == unknown {
			from = n.r.from // it has met nobody else, or its status would have been asked for
		}
		k := route{from, me}
		i := slices.IndexFunc(queues[k], func(s *sending) bool {
			return (n.from == mpi.AnySource || n.from == s.from) && (n.tag == mpi.AnyTag || n.tag == s.tag)
		})
		if i < 0 {
			return fmt.Errorf("%v got %+v, but rank %d has sent no such message", n, n.st, from)
		}
		s := queues[k][i]
		if err := n.is(p, s); err != nil {
			return fmt.Errorf("%v must have got %v: %w", n, s, err)
		}
		if n.kind == took {
			queues[k] = slices.Delete(slices.Clone(queues[k]), i, i+1)
		}
	}
	return nil
}

func (n *note) String() string {
	if n.r == nil {
		return "a glance"
	}
	if n.kind == saw {
		return "the probe before " + n.r.String()
	}
	return n.r.String()
}

// is tells what is wrong if the note was to be of message s.
func (n *note) is(p *program, s *sending) error {
	if n.kind == took {
		if cut := s.bytes > n.r.room; cut != n.cut {
			return fmt.Errorf("the message is longer than the buffer: %v, reported as truncated: %v", cut, n.cut)
		}
	}
	if st := n.st; st.Source != unknown && (st.Tag != s.tag || !n.cut && st.Bytes != s.bytes) {
		return fmt.Errorf("its status is %+v", st)
	}
	if n.kind == saw {
		return nil
	}
	length := min(s.bytes, n.r.room)
	if length >= 8 {
		if n.id != s.id {
			other := "no message"
			if n.id > 0 && n.id <= len(p.sends) {
				other = p.sends[n.id-1].String()
			}
			return fmt.Errorf("its data are those of %s", other)
		}
		return nil
	}
	want := make([]byte, length)
	fill(want, s.id)
	if !n.cut && !bytes.Equal(n.short, want) {
		return fmt.Errorf("its data are %x, should be %x", n.short, want)
	}
	return nil
}

// recheck sees whether somebody wrote to buffers after they had been received.
func recheck(actors []*actor) error {
	for _, a := range actors {
		for _, n := range a.notes {
			if n.keep != nil && differs(n.keep, n.keepID) >= 0 {
				return fmt.Errorf("rank %d: byte %d of message %d was written after it had been received", a.rank, differs(n.keep, n.keepID), n.keepID)
			}
		}
	}
	return nil
}

// unfinished tells which ranks have not come to their end, with the step they are at.
func unfinished(actors []*actor) error {
	var errs []error
	for _, a := range actors {
		if !a.over && a.step != nil {
			errs = append(errs, fmt.Errorf("rank %d is at: %v", a.rank, a.step))
		}
	}
	return errors.Join(errs...)
}
