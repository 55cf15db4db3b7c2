package rank

import (
	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/mpi"
)

const (
	tagPing = iota + 1
	tagPong
	tagData
	tagAck
	tagsOfPair = iota
)

// pairs runs the point-to-point tests: in the first half of the ranks rank i leads, its peer is rank i+size/2.
type pairs struct {
	world    *mpi.Comm
	leads    bool
	peer     int
	tags     int // added to all tags
	window   int
	out, in  []byte
	ack      []byte
	requests []mpi.Request // a window each way
	bounces  bool          // the leader receives data too
	once     batch         // what check runs
}

func newPairs(world *mpi.Comm, window, bytes int) *pairs {
	half := world.Size() / 2
	p := &pairs{
		world:    world,
		leads:    world.Rank() < half,
		peer:     world.Rank() - half,
		window:   window,
		out:      alignedBytes(bytes),
		in:       alignedBytes(bytes),
		ack:      make([]byte, 4),
		requests: make([]mpi.Request, 2*window),
	}
	if p.leads {
		p.peer = world.Rank() + half
	}
	return p
}

// pingPong sends one message there and back per iteration.
func (p *pairs) pingPong(s bench.Step, iterations int) (float64, error) {
	out, in := p.out[:s.Size], p.in[:s.Size]
	start := mpi.Wtime()
	for range iterations {
		if err := p.bounce(out, in); err != nil {
			return 0, err
		}
	}
	return mpi.Wtime() - start, nil
}

// bounce sends one message from the leader to its peer and back.
func (p *pairs) bounce(out, in []byte) error {
	if p.leads {
		if err := mpi.Send(p.world, out, p.peer, p.tags+tagPing); err != nil {
			return err
		}
		_, err := mpi.Recv(p.world, in, p.peer, p.tags+tagPong)
		return err
	}
	if _, err := mpi.Recv(p.world, in, p.peer, p.tags+tagPing); err != nil {
		return err
	}
	return mpi.Send(p.world, out, p.peer, p.tags+tagPong)
}

// stream sends a window of messages per iteration and waits for one short answer.
func (p *pairs) stream(s bench.Step, iterations int) (float64, error) {
	start := mpi.Wtime()
	for range iterations {
		if err := p.oneWindow(s.Size); err != nil {
			return 0, err
		}
	}
	return mpi.Wtime() - start, nil
}

func (p *pairs) oneWindow(size int) error {
	requests := p.requests[:p.window]
	if p.leads {
		for k := range requests {
			requests[k] = mpi.Isend(p.world, p.out[:size], p.peer, p.tags+tagData)
		}
		if err := mpi.Waitall(requests); err != nil {
			return err
		}
		_, err := mpi.Recv(p.world, p.ack, p.peer, p.tags+tagAck)
		return err
	}
	for k := range requests {
		requests[k] = mpi.Irecv(p.world, p.in[:size], p.peer, p.tags+tagData)
	}
	if err := mpi.Waitall(requests); err != nil {
		return err
	}
	return mpi.Send(p.world, p.ack, p.peer, p.tags+tagAck)
}

// streamBothWays sends a window of messages each way per iteration.
func (p *pairs) streamBothWays(s bench.Step, iterations int) (float64, error) {
	in, out := p.requests[:p.window], p.requests[p.window:]
	start := mpi.Wtime()
	for range iterations {
		for k := range in {
			in[k] = mpi.Irecv(p.world, p.in[:s.Size], p.peer, tagData)
		}
		for k := range out {
			out[k] = mpi.Isend(p.world, p.out[:s.Size], p.peer, tagData)
		}
		if err := mpi.Waitall(p.requests); err != nil {
			return 0, err
		}
	}
	return mpi.Wtime() - start, nil
}

// check runs one iteration with known data. A leader that gets no data back has nothing to say.
func (p *pairs) check(size, round int) (bool, error) {
	me := p.world.Rank()
	for i := range size {
		p.out[i] = byteAt(me, i, round)
		p.in[i] = 0
	}
	if _, err := p.once(bench.Step{Size: size}, 1); err != nil {
		return false, err
	}
	if p.leads && !p.bounces {
		return true, nil
	}
	for i := range size {
		if p.in[i] != byteAt(p.peer, i, round) {
			return false, nil
		}
	}
	return true, nil
}
