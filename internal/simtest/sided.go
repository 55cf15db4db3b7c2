package simtest

import (
	"errors"
	"fmt"
	"slices"

	"github.com/weft-mpi/weft/mpi"
)

// A rank's part of a window, in stretches of Count elements: one per rank, which that rank alone puts into;
// one with values of its own that nobody changes; one that all add to; one of pairs, two elements each, of which
// the largest stay; then a number to draw from and one to count with under a lock. So what must be in a part in
// the end follows from the turns alone, whatever their order in time.

// sided is one rank's part of a Sided.
type sided struct {
	*sharing
	a     *actor
	c     *mpi.Comm
	me, n int
	w     *mpi.Window
	mem   []int64
	bases []int // dynamic windows: the address of each rank's part
}

// sharing is a Sided with its place in time.
type sharing struct {
	*Sided
	comm *group
	id   int
}

// draw is a number that a rank has drawn, and when, in nanoseconds.
type draw struct {
	window     *sharing
	target     int
	begin, end int64
	number     int64
}

// length is how many elements a part has.
func (s *sided) length() int { return s.numbers() + 2 }

// Where the stretches begin that do not belong to a rank.
func (s *sided) still() int   { return s.n * s.Count }       // nobody changes it
func (s *sided) sums() int    { return (s.n + 1) * s.Count } // all add to it
func (s *sided) best() int    { return (s.n + 2) * s.Count } // the largest pairs stay
func (s *sided) numbers() int { return (s.n + 4) * s.Count }

// value is element i of what rank r brings in a turn; turn -1 is what its part holds from the start.
func (s *sided) value(r, turn, i int) int64 {
	return int64(mix(uint64(s.id)<<40|uint64(turn+1)<<20|uint64(r), uint64(i)) >> 8)
}

func (s *sided) values(r, turn int) []int64 {
	v := make([]int64, s.Count)
	for i := range v {
		v[i] = s.value(r, turn, i)
	}
	return v
}

// at is the displacement of element i of a target's part.
func (s *sided) at(target, i int) int {
	if s.bases != nil {
		return s.bases[target] + 8*i
	}
	return i
}

// layout is where the elements of a stretch go: next to each other, or the first half of them in every second place.
func (s *sided) layout(t Turn) mpi.Layout {
	switch half := s.Count / 2; {
	case !t.Strided || half == 0:
		return nil
	case t.Apart && t.Shift%2 == 0:
		return mpi.Subarray{Sizes: []int{half, 2}, Sub: []int{half, 1}}
	default:
		return mpi.Strided{Count: half, Block: 1, Stride: 2}
	}
}

// moved is how many elements of a stretch an operation moves, and how far they lie apart in it.
func (s *sided) moved(t Turn) (n, stride int) {
	if s.layout(t) == nil {
		return s.Count, 1
	}
	return s.Count / 2, 2
}

// spread is a slice with room for n elements that lie apart in it, and where they lie: in every third place, few of
// them backwards.
func spread(n int) (mem []int64, of mpi.Layout, places []int) {
	for i := range n {
		places = append(places, 1+3*i)
	}
	const few = 50
	if n > few {
		return make([]int64, 3*n), mpi.From(1, mpi.Strided{Count: n, Block: 1, Stride: 3}), places
	}
	slices.Reverse(places)
	blocks := mpi.Indexed{}
	for _, at := range places {
		blocks = append(blocks, mpi.Block{Start: at, Len: 1})
	}
	return make([]int64, 3*n), blocks, places
}

// apartOf is elements that lie apart.
func apartOf(values []int64) (mem []int64, of mpi.Layout) {
	mem, of, places := spread(len(values))
	for i, at := range places {
		mem[at] = values[i]
	}
	return mem, of
}

// pair is what rank r brings in a turn for a pair. Many have the same value.
func (s *sided) pair(r, turn, i int) mpi.Loc[int64] {
	v := s.value(r, turn, i)
	return mpi.Loc[int64]{Value: v % 5, Index: int(v >> 20 % 9)}
}

// share is what all ranks of the communicator do with a window.
func (a *actor) share(k *sharing) error {
	s := &sided{sharing: k, a: a, c: a.comm(k.comm, tame), me: k.comm.rankOf(a.rank), n: len(k.comm.members)}
	if err := s.open(); err != nil {
		return fmt.Errorf("open: %w", err)
	}
	copy(s.mem[s.still():], s.values(s.me, -1))
	if err := mpi.Barrier(s.c); err != nil {
		return err
	}
	for i, t := range s.Turns {
		if i > 0 && s.Turns[i-1].Sync != t.Sync { // memory must not be posted and locked at a time
			if err := mpi.Barrier(s.c); err != nil {
				return err
			}
		}
		if err := s.turn(i, t); err != nil {
			return fmt.Errorf("turn %d: %w", i, err)
		}
	}
	if err := mpi.Barrier(s.c); err != nil {
		return err
	}
	return errors.Join(s.check(), s.close())
}

func (s *sided) open() (err error) {
	switch s.Kind {
	case "allocated":
		s.w, s.mem, err = mpi.AllocateWindow[int64](s.c, s.length())
	case "dynamic":
		s.mem = make([]int64, s.length())
		if s.w, err = mpi.DynamicWindow(s.c); err != nil {
			return err
		}
		own, err := mpi.Attach(s.w, s.mem)
		if err != nil {
			return err
		}
		s.bases = make([]int, s.n)
		return mpi.Allgather(s.c, []int{own}, s.bases)
	default:
		s.mem = make([]int64, s.length())
		s.w, err = mpi.CreateWindow(s.c, s.mem)
	}
	return err
}

func (s *sided) close() error {
	if s.bases != nil {
		if err := mpi.Detach(s.w, s.mem); err != nil {
			return err
		}
	}
	return s.w.Free()
}

// target is the rank that another one operates on in a turn.
func (s *sided) target(t Turn, origin int) int {
	if t.One && t.locks() {
		return t.Shift % s.n
	}
	return (origin + t.Shift) % s.n
}

// turn is one epoch, with the operations in it.
func (s *sided) turn(i int, t Turn) error {
	to, from := s.target(t, s.me), (s.me+s.n-t.Shift%s.n)%s.n
	var got []func() error
	operate := func() (err error) {
		got, err = s.operate(i, t, to)
		return err
	}
	var err error
	switch t.Sync {
	case "groups":
		err = s.betweenGroups(to, from, operate)
	case "shared", "exclusive":
		kind := mpi.LockShared
		if t.Sync == "exclusive" {
			kind = mpi.LockExclusive
		}
		err = inOrderOf(func() error { return s.w.Lock(kind, to) }, operate, func() error { return s.w.Unlock(to) })
	case "all":
		err = inOrderOf(func() error { return s.w.LockAll() }, operate, s.w.FlushAll, s.w.UnlockAll)
	default:
		err = inOrderOf(func() error { return s.w.Fence(mpi.NoPrecede) }, operate, func() error { return s.w.Fence(mpi.NoSucceed) })
	}
	for _, check := range got {
		if err == nil {
			err = check()
		}
	}
	return err
}

// inOrderOf calls until something goes wrong.
func inOrderOf(calls ...func() error) error {
	for _, call := range calls {
		if err := call(); err != nil {
			return err
		}
	}
	return nil
}

func (s *sided) betweenGroups(to, from int, operate func() error) error {
	origin, err := s.w.Group().Incl(from)
	if err != nil {
		return err
	}
	target, err := s.w.Group().Incl(to)
	if err != nil {
		return err
	}
	return inOrderOf(func() error { return s.w.Post(origin) }, func() error { return s.w.Start(target) }, operate, s.w.Complete, s.w.Wait)
}

// operate begins the operations of a turn, and returns what looks at their results when they are over.
func (s *sided) operate(i int, t Turn, to int) (got []func() error, err error) {
	for _, op := range t.Ops {
		var check func() error
		switch op {
		case "put":
			err = s.put(i, t, to)
		case "get":
			check, err = s.get(t, to)
		case "accumulate":
			err = s.add(i, t, to)
		case "best":
			err = s.improve(i, t, to)
		case "look":
			check, err = s.look(t, to)
		case "draw":
			err = s.draw(to)
		case "count":
			err = s.count(to)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", op, err)
		}
		if check != nil {
			got = append(got, check)
		}
	}
	return got, nil
}

func (s *sided) put(i int, t Turn, to int) error {
	n, _ := s.moved(t)
	src, at := s.values(s.me, i)[:n], s.at(to, s.me*s.Count)
	switch {
	case t.Apart:
		mem, of := apartOf(src)
		return mpi.PutLayouts(s.w, mem, of, to, at, s.layout(t))
	case s.layout(t) != nil:
		return mpi.PutLayout(s.w, src, to, at, s.layout(t))
	case t.Later && t.locks():
		_, err := mpi.Rput(s.w, src, to, at).Wait()
		return err
	}
	return mpi.Put(s.w, src, to, at)
}

// get reads what the target holds from the start.
func (s *sided) get(t Turn, to int) (check func() error, err error) {
	n, _ := s.moved(t)
	dst, at := make([]int64, n), s.at(to, s.still())
	switch {
	case t.Apart:
		mem, of, places := spread(n)
		err = mpi.GetLayouts(s.w, mem, of, to, at, s.layout(t))
		return func() error {
			for i, place := range places {
				dst[i], mem[place] = mem[place], 0
			}
			return errors.Join(s.same(fmt.Sprintf("what rank %d has", to), dst, s.held(t, to)),
				s.same("what the layout leaves out", mem, make([]int64, len(mem))))
		}, err
	case s.layout(t) != nil:
		err = mpi.GetLayout(s.w, dst, to, at, s.layout(t))
	case t.Later && t.locks():
		_, err = mpi.Rget(s.w, dst, to, at).Wait()
	default:
		err = mpi.Get(s.w, dst, to, at)
	}
	return func() error { return s.same(fmt.Sprintf("what rank %d has", to), dst, s.held(t, to)) }, err
}

// held is what an operation reads of the stretch that nobody changes.
func (s *sided) held(t Turn, target int) []int64 {
	n, stride := s.moved(t)
	all, some := s.values(target, -1), make([]int64, n)
	for i := range some {
		some[i] = all[i*stride]
	}
	return some
}

// look is an atomic get.
func (s *sided) look(t Turn, to int) (check func() error, err error) {
	at := s.at(to, s.still())
	if !t.Apart {
		t.Strided = false
	}
	n, _ := s.moved(t)
	dst := make([]int64, n)
	switch {
	case s.layout(t) != nil:
		err = mpi.GetAccumulateLayout(s.w, nil, dst, to, at, s.layout(t), mpi.NoOp)
	case t.Later && t.locks():
		_, err = mpi.RgetAccumulate(s.w, nil, dst, to, at, mpi.NoOp).Wait()
	default:
		err = mpi.GetAccumulate(s.w, nil, dst, to, at, mpi.NoOp)
	}
	return func() error { return s.same(fmt.Sprintf("what rank %d has", to), dst, s.held(t, to)) }, err
}

// added is how many elements an accumulate adds, and how far they lie apart at the target.
func (s *sided) added(t Turn) (n, stride int) {
	if !t.Apart {
		return s.Count, 1
	}
	return s.moved(t)
}

func (s *sided) add(i int, t Turn, to int) error {
	n, _ := s.added(t)
	src, at := s.values(s.me, i)[:n], s.at(to, s.sums())
	switch {
	case t.Apart && t.Later:
		return mpi.AccumulateLayout(s.w, src, to, at, s.layout(t), mpi.Sum)
	case t.Apart:
		mem, of := apartOf(src)
		return mpi.AccumulateLayouts(s.w, mem, of, to, at, s.layout(t), mpi.Sum)
	case t.Later && t.locks():
		_, err := mpi.Raccumulate(s.w, src, to, at, mpi.Sum).Wait()
		return err
	}
	return mpi.Accumulate(s.w, src, to, at, mpi.Sum)
}

// improve brings pairs, each of which takes the place of one that is smaller.
func (s *sided) improve(i int, t Turn, to int) error {
	n, _ := s.added(t)
	pairs := make([]mpi.Loc[int64], n)
	for k := range pairs {
		pairs[k] = s.pair(s.me, i, k)
	}
	if !t.Apart {
		return mpi.Accumulate(s.w, pairs, to, s.at(to, s.best()), mpi.MaxLoc[int64]())
	}
	return mpi.AccumulateLayout(s.w, pairs, to, s.at(to, s.best()), s.layout(t), mpi.MaxLoc[int64]())
}

func (s *sided) draw(to int) error {
	s.a.stage.compute(s.a.rank, 1) // in virtual time, what others do before now is done, so that the times of ranks can be compared
	d := draw{window: s.sharing, target: to, begin: s.a.stage.now(s.a.rank)}
	var err error
	d.number, err = mpi.FetchOp(s.w, int64(1), to, s.at(to, s.numbers()), mpi.Sum)
	d.end = s.a.stage.now(s.a.rank)
	if err == nil {
		s.a.draws = append(s.a.draws, d)
	}
	return err
}

// count adds one by a get and a put: the lock keeps others out meanwhile.
func (s *sided) count(to int) error {
	number, at := make([]int64, 1), s.at(to, s.numbers()+1)
	return inOrderOf(
		func() error { return mpi.Get(s.w, number, to, at) },
		func() error { return s.w.Flush(to) },
		func() error { number[0]++; return mpi.Put(s.w, number, to, at) })
}

// check compares our part with what must be in it in the end.
func (s *sided) check() error {
	want := make([]int64, s.length())
	copy(want[s.still():], s.values(s.me, -1))
	for i, t := range s.Turns {
		for origin := range s.n {
			for _, op := range t.Ops {
				if s.target(t, origin) == s.me {
					s.apply(want, i, t, op, origin)
				}
			}
		}
	}
	if err := s.w.Lock(mpi.LockShared, s.me); err != nil {
		return err
	}
	err := s.same("the part", s.mem, want)
	return errors.Join(err, s.w.Unlock(s.me))
}

// apply does to a part what an operation of a turn does.
func (s *sided) apply(part []int64, i int, t Turn, op string, origin int) {
	values := s.values(origin, i)
	switch op {
	case "put":
		n, stride := s.moved(t)
		for k := range n {
			part[origin*s.Count+stride*k] = values[k]
		}
	case "accumulate":
		n, stride := s.added(t)
		for k := range n {
			part[s.sums()+stride*k] += values[k]
		}
	case "best":
		n, stride := s.added(t)
		for k := range n {
			there := part[s.best()+2*stride*k:][:2]
			best := maxLoc(mpi.Loc[int64]{Value: there[0], Index: int(there[1])}, s.pair(origin, i, k))
			there[0], there[1] = best.Value, int64(best.Index)
		}
	case "draw":
		part[s.numbers()]++
	case "count":
		part[s.numbers()+1]++
	}
}

func (s *sided) same(what string, got, want []int64) error {
	for i, v := range got {
		if v != want[i] {
			return fmt.Errorf("element %d of %s is %d, should be %d", i, what, v, want[i])
		}
	}
	s.a.checked += 8 * int64(len(want))
	return nil
}

// judgeDraws: the numbers drawn from one place are distinct, none was drawn before one that is lower had
// been asked for, and there is no gap, unless a rank that drew has died.
func judgeDraws(actors []*actor, lost bool) error {
	type place struct {
		window *sharing
		target int
	}
	all := map[place][]draw{}
	for _, a := range actors {
		for _, d := range a.draws {
			p := place{d.window, d.target}
			all[p] = append(all[p], d)
		}
	}
	for p, draws := range all {
		slices.SortFunc(draws, func(a, b draw) int { return int(a.number - b.number) })
		latest := int64(0)
		for i, d := range draws {
			switch {
			case !lost && d.number != int64(i):
				return fmt.Errorf("window %d: number %d was drawn from rank %d, in place of %d", p.window.id, d.number, p.target, i)
			case i > 0 && d.number == draws[i-1].number:
				return fmt.Errorf("window %d: number %d was drawn from rank %d twice", p.window.id, d.number, p.target)
			case d.end < latest:
				return fmt.Errorf("window %d: number %d was drawn from rank %d at %d ns, when a lower one had not been asked for", p.window.id, d.number, p.target, d.end)
			}
			latest = max(latest, d.begin)
		}
	}
	return nil
}
