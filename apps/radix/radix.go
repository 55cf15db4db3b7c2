// Package radix is a sort of integers digit by digit. Keys are spread evenly over the ranks. For each digit all ranks
// tell each other how many keys they have of each value, so everybody knows where every key belongs; then everybody
// sends to everybody. It is made of allgathers of 4 KB and of messages to all other ranks.
package radix

import (
	"fmt"

	"github.com/weft-mpi/weft/apps"
	"github.com/weft-mpi/weft/apps/meter"
	"github.com/weft-mpi/weft/apps/rand46"
	"github.com/weft-mpi/weft/mpi"
)

// App is the application.
var App = apps.App{Name: "radix", About: "integers sorted digit by digit", Classes: "SWAB",
	Ranks: "1, 2, 4, 8 and so on, at most 128 ranks",
	Fits:  func(class string, ranks int) bool { return apps.PowerOfTwo(class, ranks) && ranks <= 128 }, Run: run,
	Steps: func(string) int { return sorts }}

const (
	digit  = 10         // bits
	values = 1 << digit // of a digit
	passes = 3          // digits of a key
	limit  = 1 << 30    // keys are below
	sorts  = 10         // of the same keys
	atOnce = 4          // receives that are waited for together
)

// What the parts of a pass have of its work on a key.
const (
	counting = .3
	ordering = .4
	placing  = .3
)

// logs is how many keys there are, as logarithms.
var logs = map[string]int{"S": 16, "W": 20, "A": 22, "B": 24}

// sorter is one rank's part of the sort.
type sorter struct {
	*apps.Env
	keys, byDigit, got []int32 // its keys; the same in order of a digit; what others have sent
	counts             []int32 // of each value of a digit
	all                []int32 // the counts of all ranks
	first              []int   // by rank and value: the place of the first such key in the order of all
}

func run(e *apps.Env) (apps.Result, error) {
	s := newSorter(e)
	if err := s.sort(); err != nil { // once for the caches; not timed
		return apps.Result{}, err
	}
	steps := e.Limit(sorts)
	if err := e.Start(); err != nil {
		return apps.Result{}, err
	}
	sum := 0.
	for range steps {
		sum = s.fill()
		if err := s.sort(); err != nil {
			return apps.Result{}, err
		}
	}
	seconds, err := e.Stop()
	if err != nil {
		return apps.Result{}, err
	}
	checks, err := s.check(sum)
	total := 1 << logs[e.Class]
	return apps.Result{Size: fmt.Sprintf("2^%d keys below 2^30", logs[e.Class]), Iterations: steps, Seconds: seconds,
		Mops: apps.Rate(float64(steps*passes*total), seconds), Checks: checks}, err
}

func newSorter(e *apps.Env) *sorter {
	ranks := e.Comm.Size()
	n := 1 << logs[e.Class] / ranks
	s := &sorter{Env: e, keys: make([]int32, n), byDigit: make([]int32, n), got: make([]int32, n), counts: make([]int32,
		values),
		all: make([]int32, values*ranks), first: make([]int, values*ranks)}
	s.fill()
	return s
}

// fill makes this rank's keys, and returns their sum.
func (s *sorter) fill() (sum float64) {
	s.Work(0, func() {
		from := rand46.At(rand46.Seed, uint64(len(s.keys)*s.Comm.Rank()))
		for i := range s.keys {
			s.keys[i] = int32(limit * from.Next())
			sum += float64(s.keys[i])
		}
	})
	return sum
}

// sort brings the keys of all ranks in order, the lowest digit first.
func (s *sorter) sort() error {
	for pass := range passes {
		shift := pass * digit
		s.work(counting, func() { s.count(shift) })
		if err := meter.Allgather(s.Comm, s.counts, s.all); err != nil {
			return err
		}
		s.work(ordering, func() { s.order(shift) })
		if err := s.exchange(pass); err != nil {
			return err
		}
		s.work(placing, s.place)
	}
	return nil
}

// work does a part of a pass's work on all keys of this rank.
func (s *sorter) work(part float64, compute func()) {
	s.Work(part*float64(len(s.keys)), compute)
}

// count counts the keys by the digit.
func (s *sorter) count(shift int) {
	clear(s.counts)
	for _, k := range s.keys {
		s.counts[k>>shift&(values-1)]++
	}
}

// order finds where every rank's keys belong, and brings this rank's into the order of the digit.
func (s *sorter) order(shift int) {
	at := 0
	for v := range values {
		for r := range s.Comm.Size() {
			s.first[r*values+v] = at
			at += int(s.all[r*values+v])
		}
	}
	var next [values]int32
	sum := int32(0)
	for v, n := range s.counts {
		next[v] = sum
		sum += n
	}
	for _, k := range s.keys {
		v := k >> shift & (values - 1)
		s.byDigit[next[v]] = k
		next[v]++
	}
}

// runs calls f for the keys that rank from has for rank to, value by value: for their place there, and how many they are.
func (s *sorter) runs(from, to int, f func(place, n int)) {
	n := len(s.keys)
	low, high := to*n, (to+1)*n
	for v, count := range s.all[from*values:][:values] {
		first := s.first[from*values+v]
		begin, end := max(first, low), min(first+int(count), high)
		if begin < end {
			f(begin-low, end-begin)
		}
	}
}

// length is how many keys rank from has for rank to.
func (s *sorter) length(from, to int) (sum int) {
	if s.Instead != nil { // there are no keys: as if they were spread evenly
		return len(s.keys) / s.Comm.Size()
	}
	s.runs(from, to, func(_, n int) { sum += n })
	return sum
}

// ends is where the keys of each rank end that lie one after the other, rank by rank.
func (s *sorter) ends(length func(rank int) int) (ends []int) {
	sum := 0
	for r := range s.Comm.Size() {
		sum += length(r)
		ends = append(ends, sum)
	}
	return ends
}

// exchange sends to every rank the keys that belong there. The ranks are halved again and again: those of the lower
// half first send to those of the upper half and then receive from them, the others the other way round. So nobody
// waits for somebody who waits too.
func (s *sorter) exchange(tag int) error {
	me := s.Comm.Rank()
	out, in := s.ends(func(r int) int { return s.length(me, r) }), s.ends(func(r int) int { return s.length(r, me) })
	part := func(keys []int32, ends []int, r int) []int32 {
		if r == 0 {
			return keys[:ends[0]]
		}
		return keys[ends[r-1]:ends[r]]
	}
	s.Work(0, func() { copy(part(s.got, in, me), part(s.byDigit, out, me)) })
	for group := s.Comm.Size(); group > 1; group /= 2 {
		begin := me / group * group
		peers, lower := begin+group/2, me < begin+group/2
		if !lower {
			peers = begin
		}
		send := func() error {
			for i := range group / 2 {
				if err := meter.Send(s.Comm, part(s.byDigit, out, peers+i), peers+i, tag); err != nil {
					return err
				}
			}
			return nil
		}
		receive := func() error {
			for i := 0; i < group/2; i += atOnce {
				var reqs []mpi.Request
				for p := peers + i; p < peers+min(i+atOnce, group/2); p++ {
					reqs = append(reqs, meter.Irecv(s.Comm, part(s.got, in, p), p, tag))
				}
				if err := meter.Waitall(s.Comm, reqs); err != nil {
					return err
				}
			}
			return nil
		}
		first, second := send, receive
		if !lower {
			first, second = receive, send
		}
		if err := first(); err != nil {
			return err
		}
		if err := second(); err != nil {
			return err
		}
	}
	return nil
}

// place puts what has come where it belongs.
func (s *sorter) place() {
	at := 0
	for r := range s.Comm.Size() {
		s.runs(r, s.Comm.Rank(), func(place, n int) {
			at += copy(s.keys[place:place+n], s.got[at:])
		})
	}
}

// check tells, at rank 0, whether all keys are in order, from rank to rank too, and whether they are those that
// there were: their sum is exact.
func (s *sorter) check(before float64) ([]apps.Check, error) {
	const tag = passes
	wrong, after, last := 0., 0., []int32{-1}
	left, right := s.Comm.Rank()-1, s.Comm.Rank()+1
	var r mpi.Request
	if left >= 0 {
		r = meter.Irecv(s.Comm, last, left, tag)
	}
	if right < s.Comm.Size() {
		if err := meter.Send(s.Comm, s.keys[len(s.keys)-1:], right, tag); err != nil {
			return nil, err
		}
	}
	if left >= 0 {
		if err := meter.Wait(s.Comm, r); err != nil {
			return nil, err
		}
	}
	s.Work(0, func() {
		before := last[0]
		for _, k := range s.keys {
			if k < before {
				wrong++
			}
			before, after = k, after+float64(k)
		}
	})
	sums := make([]float64, 3)
	err := meter.Reduce(s.Comm, []float64{wrong, before, after}, sums, mpi.Sum)
	return []apps.Check{{What: "keys out of order", Got: sums[0]}, {What: "sum of the keys", Got: sums[2],
		Want: sums[1]}}, err
}
