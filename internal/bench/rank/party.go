package rank

import (
	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/mpi"
)

// party runs the overlap and progress tests: rank 0 computes between its call and its wait, rank 1 makes the blocking
// call at the other end. Rank 0 decides how often and says so to rank 1, message batch by message batch.
type party struct {
	world    *mpi.Comm
	test     bench.Test
	leads    bool
	peer     int
	buf      []byte
	worker   *worker
	note     []byte
	orders   []int64   // how many messages follow; 0 ends the step
	answer   []float64 // microseconds that rank 1 took, when rank 1 is the receiver
	measured struct{ alone, compute, total []float64 }
}

// headStart is how many microseconds one side comes before the other: long enough for its first packet to arrive
// without anybody being in the library.
const headStart = 200

// leastTime is what a short message took, in microseconds, when the two ranks' idea of a head start differs by more.
const leastTime = 0.01

const (
	tagOrder = iota + 10
	tagMessage
	tagAnswer
	tagReady
	tagGo
)

func newParty(world *mpi.Comm, c bench.Case) *party {
	return &party{
		world: world, test: c.Test, leads: world.Rank() == 0, peer: 1 - world.Rank(),
		buf: alignedBytes(max(largest(c.Steps), 1)), worker: newWorker(),
		note: make([]byte, 1), orders: make([]int64, 1), answer: make([]float64, 1),
	}
}

// overlap finds how much of a transfer computation can hide.
func (p *party) overlap(s bench.Step) (bench.Row, error) {
	row := bench.Row{Size: s.Size, Share: s.Share, Iterations: s.Iterations}
	if !p.leads {
		return row, p.follow(s.Size)
	}
	if _, err := p.transfer(s.Size, s.Warmup, 0); err != nil {
		return row, err
	}
	part, alone, err := bench.FindOverlap(func(compute float64) (bench.Times, error) {
		return p.transfer(s.Size, s.Iterations, compute)
	})
	if err != nil {
		return row, err
	}
	row.Value, row.Base = 100*part, alone
	return row, p.dismiss()
}

// progress finds how much of a transfer is left after a delay of s.Share per cent of it.
func (p *party) progress(s bench.Step) (bench.Row, error) {
	row := bench.Row{Size: s.Size, Share: s.Share, Iterations: s.Iterations}
	if !p.leads {
		return row, p.follow(s.Size)
	}
	t, err := p.transfer(s.Size, s.Warmup+s.Iterations, 0)
	if err != nil {
		return row, err
	}
	if t, err = p.transfer(s.Size, s.Iterations, t.Alone*float64(s.Share)/100); err != nil {
		return row, err
	}
	row.Value, row.Base = 100*bench.PostDelay(t), t.Alone
	return row, p.dismiss()
}

// transfer is bench.Transfer of n messages undisturbed and n with that much computation.
func (p *party) transfer(size, n int, compute float64) (bench.Times, error) {
	if n == 0 {
		return bench.Times{}, nil // an order of none would end the step
	}
	p.orders[0] = int64(2 * n)
	if err := mpi.Send(p.world, p.orders, p.peer, tagOrder); err != nil {
		return bench.Times{}, err
	}
	m := &p.measured
	m.alone, m.compute, m.total = m.alone[:0], m.compute[:0], m.total[:0]
	for range n {
		alone, err := p.timed(size, 0)
		if err != nil {
			return bench.Times{}, err
		}
		start := mpi.Wtime()
		p.worker.compute(compute)
		spent := (mpi.Wtime() - start) * 1e6
		total, err := p.timed(size, compute)
		if err != nil {
			return bench.Times{}, err
		}
		m.alone, m.compute, m.total = append(m.alone, alone), append(m.compute, spent), append(m.total, total)
	}
	return bench.Times{Alone: bench.Median(m.alone), Compute: bench.Median(m.compute), Total: bench.Median(m.total)}, nil
}

// timed moves one message as rank 0 and returns its microseconds, whoever holds the clock.
func (p *party) timed(size int, compute float64) (float64, error) {
	spent, err := p.message(size, compute)
	if err == nil && p.timedByPeer() {
		_, err = mpi.Recv(p.world, p.answer, p.peer, tagAnswer)
		spent = p.answer[0]
	}
	return spent, err
}

// timedByPeer says whether rank 1 holds the clock: progress is always timed where the message arrives.
func (p *party) timedByPeer() bool {
	return p.test.Shape == bench.Progress && p.test.Computes == bench.Sender
}

// message moves one message as rank 0 and returns its microseconds. The clock starts when both sides are there: the
// head start of the first does not count.
func (p *party) message(size int, compute float64) (float64, error) {
	buf := p.buf[:size]
	setLast(buf, p.test.Computes == bench.Sender)
	if err := p.meet(p.test.First == p.test.Computes); err != nil {
		return 0, err
	}
	var request mpi.Request
	var start float64
	if p.test.First == p.test.Computes {
		request = p.call(buf)
		p.worker.compute(headStart)
		start = mpi.Wtime()
	} else {
		p.worker.compute(headStart)
		start = mpi.Wtime()
		request = p.call(buf)
	}
	var seen float64
	if p.test.Shape == bench.Progress && p.test.Computes == bench.Receiver {
		seen = p.watch(buf, compute)
	} else {
		p.worker.compute(compute)
	}
	_, err := request.Wait()
	if seen == 0 {
		seen = mpi.Wtime()
	}
	return (seen - start) * 1e6, err
}

// meet brings the two ranks together so that the first cannot be overtaken: the second says that it is ready, and may
// only start to count the head start when the first says go, right before its call.
func (p *party) meet(first bool) error {
	if first {
		if _, err := mpi.Recv(p.world, p.note, p.peer, tagReady); err != nil {
			return err
		}
		return mpi.Send(p.world, p.note, p.peer, tagGo)
	}
	if err := mpi.Send(p.world, p.note, p.peer, tagReady); err != nil {
		return err
	}
	_, err := mpi.Recv(p.world, p.note, p.peer, tagGo)
	return err
}

// call starts the nonblocking call of rank 0. Overlap sends synchronously, so that both ends finish together.
func (p *party) call(buf []byte) mpi.Request {
	switch {
	case p.test.Computes == bench.Receiver:
		return mpi.Irecv(p.world, buf, p.peer, tagMessage)
	case p.test.Shape == bench.Overlap:
		return mpi.Issend(p.world, buf, p.peer, tagMessage)
	}
	return mpi.Isend(p.world, buf, p.peer, tagMessage)
}

// watch computes and looks at the end of the buffer once a microsecond; it returns when the message was seen to have
// arrived, or 0.
func (p *party) watch(buf []byte, compute float64) (seen float64) {
	for ; compute > 0; compute-- {
		p.worker.compute(min(compute, 1))
		if seen == 0 && lastIsSet(buf) {
			seen = mpi.Wtime()
		}
	}
	return seen
}

// setLast prepares the byte by which a receiver sees a whole message: 1 in the sender's memory, 0 in the receiver's.
func setLast(buf []byte, sends bool) {
	if len(buf) == 0 {
		return
	}
	buf[len(buf)-1] = 0
	if sends {
		buf[len(buf)-1] = 1
	}
}

// lastIsSet looks at a buffer that the library may be writing to at this moment, which is the point
// of it: the receiver makes no call meanwhile that could tell. That is a race, of one byte, which
// is the old one or the new one. Nothing else is looked at before the library says that the message
// is there.
//
//go:norace
//go:noinline
func lastIsSet(buf []byte) bool { return len(buf) > 0 && buf[len(buf)-1] != 0 }

// dismiss ends the step on rank 1.
func (p *party) dismiss() error {
	p.orders[0] = 0
	return mpi.Send(p.world, p.orders, p.peer, tagOrder)
}

// follow is the life of rank 1 during a step.
func (p *party) follow(size int) error {
	for {
		if _, err := mpi.Recv(p.world, p.orders, p.peer, tagOrder); err != nil || p.orders[0] == 0 {
			return err
		}
		for range p.orders[0] {
			if err := p.counterpart(size); err != nil {
				return err
			}
		}
	}
}

// counterpart makes the blocking call of one message, at once or after the other's head start, and reports its time
// when it holds the clock.
func (p *party) counterpart(size int) error {
	buf := p.buf[:size]
	setLast(buf, p.test.Computes == bench.Receiver)
	if err := p.meet(p.test.First != p.test.Computes); err != nil {
		return err
	}
	start := mpi.Wtime()
	if p.test.First == p.test.Computes {
		p.worker.compute(headStart)
	}
	var err error
	switch {
	case p.test.Computes == bench.Sender:
		_, err = mpi.Recv(p.world, buf, p.peer, tagMessage)
	case p.test.Shape == bench.Overlap:
		err = mpi.Ssend(p.world, buf, p.peer, tagMessage)
	default:
		err = mpi.Send(p.world, buf, p.peer, tagMessage)
	}
	if err != nil || !p.timedByPeer() {
		return err
	}
	p.answer[0] = max((mpi.Wtime()-start)*1e6-headStart, leastTime)
	return mpi.Send(p.world, p.answer, p.peer, tagAnswer)
}
