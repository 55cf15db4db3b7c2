package lu

import (
	"github.com/weft-mpi/weft/apps/cfd"
	"github.com/weft-mpi/weft/apps/meter"
	"github.com/weft-mpi/weft/mpi"
)

// The directions of a sweep, and of messages: to lower or higher places.
const (
	down = iota
	up
)

// Tags of messages: of a sweep by axis, of the halo by axis and direction.
const (
	tagSweep = 0
	tagHalo  = 10
)

// sweep goes through all planes, upwards or downwards, each as soon as the neighbours that come before in this
// direction have sent their edges.
func (s *solver) sweep(way int) error {
	low, high := s.box.Inner(&s.Grid, 2)
	plane := s.perPoint() * float64(s.box.Size[0]*s.box.Size[1]*s.n) / float64(high-low)
	for i := range high - low {
		k := low + i
		if way == down {
			k = high - 1 - i
		}
		for ax := range 2 {
			if err := s.take(ax, way, k); err != nil {
				return err
			}
		}
		if way == up {
			s.Work(partUp*plane, func() { s.planeUp(k) })
		} else {
			s.Work(partDown*plane, func() { s.planeDown(k) })
		}
		for ax := range 2 {
			if err := s.give(ax, way, k); err != nil {
				return err
			}
		}
	}
	return nil
}

// eachOfEdge calls f for the inner points of plane k with this place along an axis.
func (s *solver) eachOfEdge(ax, place, k int, f func(n, at int)) {
	other := 1 - ax
	low, high := s.box.Inner(&s.Grid, other)
	for n := range high - low {
		at := [3]int{2: k}
		at[ax], at[other] = place, low+n
		f(n, s.box.At(at[0], at[1], at[2]))
	}
}

// take receives the edge beside the plane of the neighbour that comes before.
func (s *solver) take(ax, way, k int) error {
	from, place := s.near[ax][0], -1
	if way == down {
		from, place = s.near[ax][1], s.box.Size[ax]
	}
	if from == mpi.ProcNull {
		return nil
	}
	low, high := s.box.Inner(&s.Grid, 1-ax)
	if err := meter.Recv(s.Comm, s.edge[:high-low], from, tagSweep+ax); err != nil {
		return err
	}
	s.Work(0, func() { s.eachOfEdge(ax, place, k, func(n, at int) { s.w[at] = s.edge[n] }) })
	return nil
}

// give sends this rank's edge of the plane to the neighbour that comes next.
func (s *solver) give(ax, way, k int) error {
	to, place := s.near[ax][1], s.box.Size[ax]-1
	if way == down {
		to, place = s.near[ax][0], 0
	}
	if to == mpi.ProcNull {
		return nil
	}
	s.Work(0, func() { s.eachOfEdge(ax, place, k, func(n, at int) { s.edge[n] = s.w[at] }) })
	low, high := s.box.Inner(&s.Grid, 1-ax)
	return meter.Send(s.Comm, s.edge[:high-low], to, tagSweep+ax)
}

// planeUp solves the lower triangle for the points of a plane.
func (s *solver) planeUp(k int) {
	lowX, highX := s.box.Inner(&s.Grid, 0)
	lowY, highY := s.box.Inner(&s.Grid, 1)
	var m cfd.Block
	for j := lowY; j < highY; j++ {
		for i := lowX; i < highX; i++ {
			at := s.box.At(i, j, k)
			w := &s.w[at]
			for p := range 3 {
				before := at - s.box.Stride[p]
				s.Below(&m, p, &s.u[before])
				w.SubMul(omega, &m, &s.w[before])
			}
			s.Own(&m, &s.u[at], 0, 1, 2)
			m.Solve(w)
		}
	}
}

// planeDown solves the upper triangle.
func (s *solver) planeDown(k int) {
	lowX, highX := s.box.Inner(&s.Grid, 0)
	lowY, highY := s.box.Inner(&s.Grid, 1)
	var m cfd.Block
	for j := highY - 1; j >= lowY; j-- {
		for i := highX - 1; i >= lowX; i-- {
			at := s.box.At(i, j, k)
			var t cfd.Vec
			for p := range 3 {
				after := at + s.box.Stride[p]
				s.Above(&m, p, &s.u[after])
				t.SubMul(-omega, &m, &s.w[after])
			}
			s.Own(&m, &s.u[at], 0, 1, 2)
			m.Solve(&t)
			for c := range 5 {
				s.w[at][c] -= t[c]
			}
		}
	}
}

// halo gets two layers of the neighbours' state: along x and then along y, first from below and then from above.
// The original takes them from any source, by their tags.
func (s *solver) halo() error {
	for ax := range 2 {
		for way := range 2 { // where the messages go: first up
			to, from := s.near[ax][1-way], s.near[ax][way]
			send, recv := s.box.Size[ax]-cfd.Border, -cfd.Border
			if way == 1 {
				send, recv = 0, s.box.Size[ax]
			}
			if err := s.shift(ax, tagHalo+2*ax+way, to, from, send, recv); err != nil {
				return err
			}
		}
	}
	return nil
}

// shift sends two layers from one place along an axis, and receives two at another.
func (s *solver) shift(ax, tag, to, from, send, recv int) error {
	points := s.n * s.box.Size[1-ax] * cfd.Border
	out, in := s.faces[0][:points], s.faces[1][:points]
	s.Work(0, func() { s.layers(ax, send, out, func(buf, field *cfd.Vec) { *buf = *field }) })
	var r mpi.Request
	if from != mpi.ProcNull {
		r = meter.Irecv(s.Comm, in, mpi.AnySource, tag)
	}
	if to != mpi.ProcNull {
		if err := meter.Send(s.Comm, out, to, tag); err != nil {
			return err
		}
	}
	if from == mpi.ProcNull {
		return nil
	}
	err := meter.Wait(s.Comm, r)
	s.Work(0, func() { s.layers(ax, recv, in, func(buf, field *cfd.Vec) { *field = *buf }) })
	return err
}

// layers calls move for the points of two layers of the state and as many of a buffer.
func (s *solver) layers(ax, place int, buf []cfd.Vec, move func(buf, field *cfd.Vec)) {
	n, other := 0, 1-ax
	for k := range s.n {
		for o := range s.box.Size[other] {
			for layer := range cfd.Border {
				at := [3]int{2: k}
				at[ax], at[other] = place+layer, o
				move(&buf[n], &s.u[s.box.At(at[0], at[1], at[2])])
				n++
			}
		}
	}
}
