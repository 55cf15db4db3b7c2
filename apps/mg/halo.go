package mg

import (
	"github.com/weft-mpi/weft/apps/meter"
	"github.com/weft-mpi/weft/mpi"
)

// The ways along an axis.
const (
	below = iota
	above
)

// Tags of messages: of the way that they go, and for ranks that wake up.
const tagWake = 2

// halo fills the border of a box with the neighbours' points. A rank without points has no neighbours.
func (s *solver) halo(l *level, field []float64) error {
	if l.idle {
		return nil
	}
	for ax := range 3 {
		last := l.m[ax] - 1
		if s.Comm.Size() == 1 {
			l.unpack(field, l.slab(ax, last, last+1, false), l.pack(field, l.slab(ax, 1, 2, false), l.surface[0]))
			l.unpack(field, l.slab(ax, 0, 1, false), l.pack(field, l.slab(ax, last-1, last, false), l.surface[0]))
			continue
		}
		in := [2]bounds{l.slab(ax, 0, 1, false), l.slab(ax, last, last+1, false)}
		bufs := [2][]float64{l.surface[2][:in[below].size()], l.surface[3][:in[above].size()]}
		reqs := [2]mpi.Request{
			meter.Irecv(s.Comm, bufs[below], l.near[ax][below], above),
			meter.Irecv(s.Comm, bufs[above], l.near[ax][above], below),
		}
		up := s.pack(l, field, l.slab(ax, last-1, last, false), l.surface[above])
		if err := meter.Send(s.Comm, up, l.near[ax][above], above); err != nil {
			return err
		}
		down := s.pack(l, field, l.slab(ax, 1, 2, false), l.surface[below])
		if err := meter.Send(s.Comm, down, l.near[ax][below], below); err != nil {
			return err
		}
		for way := range reqs {
			if err := meter.Wait(s.Comm, reqs[way]); err != nil {
				return err
			}
			s.unpack(l, field, in[way], bufs[way])
		}
	}
	return nil
}

// pack is level.pack, unless there is nothing to copy.
func (s *solver) pack(l *level, field []float64, b bounds, buf []float64) []float64 {
	s.Work(0, func() { l.pack(field, b, buf) })
	return buf[:b.size()]
}

// unpack is the reverse.
func (s *solver) unpack(l *level, field []float64, b bounds, buf []float64) {
	s.Work(0, func() { l.unpack(field, b, buf) })
}

// wake gives ranks that are idle on the coarse level and not on the fine one the coarse points that they need:
// as a border around nothing. Neighbours are those of the fine level.
func (s *solver) wake(coarse, fine *level) error {
	for ax := range 3 {
		if err := s.wakeAlong(ax, coarse, fine); err != nil {
			return err
		}
	}
	return nil
}

func (s *solver) wakeAlong(ax int, coarse, fine *level) error {
	l, last := coarse, coarse.m[ax]-1
	switch {
	case fine.take[ax]:
		// From below come that rank's point and what lies above it, this rank's own border; from above its point.
		both, upper := l.slab(ax, 0, 2, true), l.slab(ax, 1, 2, true)
		bufs := [2][]float64{l.surface[2][:both.size()], l.surface[3][:upper.size()]}
		reqs := []mpi.Request{
			meter.Irecv(s.Comm, bufs[below], fine.near[ax][below], tagWake+above),
			meter.Irecv(s.Comm, bufs[above], fine.near[ax][above], tagWake+below),
		}
		if err := meter.Waitall(s.Comm, reqs); err != nil {
			return err
		}
		s.unpack(l, l.u, both, bufs[below])
		s.unpack(l, l.u, upper, bufs[above])
	case fine.give[ax]:
		up := s.pack(l, l.u, l.slab(ax, last-1, last+1, true), l.surface[above])
		if err := meter.Send(s.Comm, up, fine.near[ax][above], tagWake+above); err != nil {
			return err
		}
		down := s.pack(l, l.u, l.slab(ax, 1, 2, true), l.surface[below])
		return meter.Send(s.Comm, down, fine.near[ax][below], tagWake+below)
	}
	return nil
}
