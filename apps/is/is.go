// Package is is the benchmark IS, integer sort: keys that are spread over the ranks are counted by buckets, sent to
// the ranks that own these, and counted there, ten times. It is made of short and long collective calls.
package is

import (
	"fmt"

	"github.com/weft-mpi/weft/apps"
	"github.com/weft-mpi/weft/apps/meter"
	"github.com/weft-mpi/weft/apps/rand46"
	"github.com/weft-mpi/weft/mpi"
)

// App is the benchmark.
var App = apps.App{Name: "is", About: "integers sorted by buckets", Classes: "SWAB", Ranks: "1, 2, 4, 8 and so on, at most 128 ranks",
	Fits: func(class string, ranks int) bool { return apps.PowerOfTwo(class, ranks) && ranks <= 128 }, Run: run,
	Steps: func(_ string) int { return iterations }}

const (
	iterations = 10
	probes     = 5
	counting   = .6 // what of the work on a key is done before keys are exchanged: it is read twice then, and written
)

// class is a size of the problem: logarithms of the number of keys, of their range and of the number of buckets;
// and some keys by their place, with the number of smaller keys. That number moves with the iteration t, as t
// itself: by sign*(t-late).
type class struct {
	keys, top, buckets int
	probe              [probes]struct{ place, rank, sign, late int }
}

var classes = map[string]class{
	"S": {16, 11, 9, [probes]struct{ place, rank, sign, late int }{
		{48427, 0, 1, 0}, {17148, 18, 1, 0}, {23627, 346, 1, 0}, {62548, 64917, -1, 0}, {4431, 65463, -1, 0}}},
	"W": {20, 16, 10, [probes]struct{ place, rank, sign, late int }{
		{357773, 1249, 1, 2}, {934767, 11698, 1, 2}, {875723, 1039987, -1, 0}, {898999, 1043896, -1, 0}, {404505, 1048018, -1, 0}}},
	"A": {23, 19, 10, [probes]struct{ place, rank, sign, late int }{
		{2112377, 104, 1, 1}, {662041, 17523, 1, 1}, {5336171, 123928, 1, 1}, {3642833, 8288932, -1, 1}, {4250760, 8388264, -1, 1}}},
	"B": {25, 21, 10, [probes]struct{ place, rank, sign, late int }{
		{41869, 33422937, -1, 0}, {812306, 10244, 1, 0}, {5102857, 59149, 1, 0}, {18232239, 33135281, -1, 0}, {26860214, 99, 1, 0}}},
}

// sorter is one rank's part of the sort.
type sorter struct {
	*apps.Env
	class
	mine, byBucket, got []int32 // its keys; the same in order of buckets; the keys it owns after the exchange
	counts, sums        []int32 // keys of each bucket, and the probed keys behind: of this rank, of all
	sends, recvs        []int32
	first, end          int // the buckets that it owns
	below               int // how many keys are in buckets before these
	smaller             []int32
	passed              int32
}

func run(e *apps.Env) (apps.Result, error) {
	s := newSorter(e)
	if err := s.rank(1); err != nil {
		return apps.Result{}, err
	}
	s.passed = 0
	if err := e.Start(); err != nil {
		return apps.Result{}, err
	}
	steps := e.Limit(iterations)
	for t := 1; t <= steps; t++ {
		if err := s.rank(t); err != nil {
			return apps.Result{}, err
		}
	}
	seconds, err := e.Stop()
	if err != nil {
		return apps.Result{}, err
	}
	if err := s.finish(); err != nil {
		return apps.Result{}, err
	}
	passed := []int32{0}
	err = meter.Reduce(e.Comm, []int32{s.passed}, passed, mpi.Sum)
	total := 1 << s.keys
	return apps.Result{
		Size: fmt.Sprintf("2^%d keys below 2^%d", s.keys, s.top), Iterations: steps, Seconds: seconds,
		Mops:   apps.Rate(float64(steps*total), seconds),
		Checks: []apps.Check{{What: "tests passed", Got: float64(passed[0]), Want: float64(iterations*probes + e.Comm.Size())}},
	}, err
}

func newSorter(e *apps.Env) *sorter {
	s := &sorter{Env: e, class: classes[e.Class]}
	n, ranks, buckets := 1<<s.keys/e.Comm.Size(), e.Comm.Size(), 1<<s.buckets
	s.mine, s.byBucket, s.got = make([]int32, n), make([]int32, n), make([]int32, n)
	s.counts, s.sums = make([]int32, buckets+probes), make([]int32, buckets+probes)
	s.sends, s.recvs = make([]int32, ranks), make([]int32, ranks)
	s.Work(0, s.draw) // before the time is taken
	return s
}

// draw makes this rank's keys.
func (s *sorter) draw() {
	from, quarter := rand46.At(rand46.Seed, 4*uint64(len(s.mine))*uint64(s.Comm.Rank())), float64(int(1)<<s.top)/4
	for i := range s.mine {
		x := from.Next()
		x += from.Next()
		x += from.Next()
		x += from.Next()
		s.mine[i] = int32(quarter * x)
	}
}

// rank finds for iteration t how many keys are smaller than each, and tests some of them.
func (s *sorter) rank(t int) error {
	if s.Comm.Rank() == 0 {
		s.mine[t], s.mine[t+iterations] = int32(t), int32(1<<s.top-t)
	}
	s.Work(counting*float64(len(s.mine)), s.count)
	if err := meter.Allreduce(s.Comm, s.counts, s.sums, mpi.Sum); err != nil {
		return err
	}
	s.Work(0, s.deal)
	if err := meter.Alltoall(s.Comm, s.sends, s.recvs); err != nil {
		return err
	}
	out, in, total := make([]int, len(s.sends)), make([]int, len(s.recvs)), 0
	for r := range out {
		out[r], in[r] = int(s.sends[r]), int(s.recvs[r])
		if s.Instead != nil { // there are no keys: as if they were spread evenly
			out[r], in[r] = len(s.mine)/len(out), len(s.mine)/len(out)
		}
		total += in[r]
	}
	if cap(s.got) < total {
		s.got = make([]int32, total+total/8)
	}
	s.got = s.got[:total]
	if err := meter.Alltoallv(s.Comm, s.byBucket, out, s.got, in); err != nil {
		return err
	}
	s.Work((1-counting)*float64(len(s.mine)), func() {
		s.order()
		s.test(t)
	})
	return nil
}

// count counts this rank's keys by buckets, and puts the keys that are probed behind the counts.
func (s *sorter) count() {
	clear(s.counts)
	shift, buckets := s.top-s.buckets, 1<<s.buckets
	for _, k := range s.mine {
		s.counts[k>>shift]++
	}
	for i, p := range s.probe {
		if p.place/len(s.mine) == s.Comm.Rank() {
			s.counts[buckets+i] = s.mine[p.place%len(s.mine)]
		}
	}
	next, at := make([]int32, buckets), int32(0)
	for b := range next {
		next[b], at = at, at+s.counts[b]
	}
	for _, k := range s.mine {
		s.byBucket[next[k>>shift]] = k
		next[k>>shift]++
	}
}

// deal gives neighbouring buckets to one rank until all ranks up to it have their share of the keys.
func (s *sorter) deal() {
	clear(s.sends)
	s.first, s.end, s.below = 0, 0, 0
	share, r, sum, first := 1<<s.keys/len(s.sends), 0, 0, 0
	for b := range 1 << s.buckets {
		s.sends[r] += s.counts[b]
		sum += int(s.sums[b])
		if sum >= (r+1)*share && r+1 < len(s.sends) {
			s.own(r, first, b+1, sum)
			r, first = r+1, b+1
		}
	}
	s.own(r, first, 1<<s.buckets, sum)
}

// own notes that the buckets from first to end are those of rank r, and that up to there are so many keys.
func (s *sorter) own(r, first, end, keys int) {
	switch {
	case r == s.Comm.Rank():
		s.first, s.end = first, end
	case r < s.Comm.Rank():
		s.below = keys
	}
}

// order finds for each value in this rank's buckets how many of its keys are smaller.
func (s *sorter) order() {
	shift := s.top - s.buckets
	base := int32(s.first << shift)
	values := (s.end - s.first) << shift
	if cap(s.smaller) < values+1 {
		s.smaller = make([]int32, values+1)
	}
	s.smaller = s.smaller[:values+1]
	clear(s.smaller)
	for _, k := range s.got {
		s.smaller[k-base+1]++
	}
	for v := range values {
		s.smaller[v+1] += s.smaller[v]
	}
}

// test holds what this rank knows of the probed keys against the official numbers.
func (s *sorter) test(t int) {
	shift := s.top - s.buckets
	for i, p := range s.probe {
		key := int(s.sums[1<<s.buckets+i])
		if b := key >> shift; b < s.first || b >= s.end {
			continue
		}
		if s.below+int(s.smaller[key-s.first<<shift]) == p.rank+p.sign*(t-p.late) {
			s.passed++
		}
	}
}

// sorted is this rank's keys in order.
func (s *sorter) sorted() []int32 {
	base := s.first << (s.top - s.buckets)
	sorted := make([]int32, 0, len(s.got))
	for v := range len(s.smaller) - 1 {
		for range s.smaller[v+1] - s.smaller[v] {
			sorted = append(sorted, int32(base+v))
		}
	}
	return sorted
}

// finish sorts the keys and tests that they are in order, from rank to rank too: each rank passes one test.
func (s *sorter) finish() error {
	sorted := s.got
	s.Work(0, func() { sorted = s.sorted() })
	const tag = 1000
	left, right := s.Comm.Rank()-1, s.Comm.Rank()+1
	last := []int32{-1}
	var r mpi.Request
	if left >= 0 {
		r = meter.Irecv(s.Comm, last, left, tag)
	}
	if right < s.Comm.Size() {
		if err := meter.Send(s.Comm, sorted[len(sorted)-1:], right, tag); err != nil {
			return err
		}
	}
	if left >= 0 {
		if err := meter.Wait(s.Comm, r); err != nil {
			return err
		}
	}
	if len(sorted) == len(s.got) && (len(sorted) == 0 || last[0] <= sorted[0]) {
		s.passed++
	}
	return nil
}
