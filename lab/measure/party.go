package measure

import (
	"time"

	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/mpi"
)

// party moves single messages between rank 0, which computes between call and wait, and rank 1, which makes the
// blocking call.
type party struct {
	k       *Rank
	c       Case
	leads   bool // rank 0
	sends   bool
	watches bool // rank 0 looks for the message while it computes
	partner int
	buf     []byte
	note    []byte
	at      []int64
}

func newParty(k *Rank, size int, c Case) *party {
	leads := k.World.Rank() == 0
	return &party{k: k, c: c, leads: leads, sends: leads == (c.Computes == Sender), partner: 1 - k.World.Rank(),
		buf: buffer(size), note: make([]byte, 1), at: make([]int64, 1)}
}

// pairOf moves messages undisturbed and with that many microseconds of computation, by turns, and returns the median
// times as the rank with the clock saw them, on both ranks. Computation takes exactly as long as it should here.
func (p *party) pairOf(compute float64, clock int) (t bench.Times, err error) {
	var measured [2][]float64
	for i := range 2 * (p.c.Loops.Warmup + max(p.c.Loops.Timed, 1)) {
		spent, err := p.message(time.Duration(compute * 1e3 * float64(i%2)))
		if err != nil {
			return t, err
		}
		if i >= 2*p.c.Loops.Warmup {
			measured[i%2] = append(measured[i%2], microseconds(spent))
		}
	}
	t.Compute = compute
	if t.Alone, err = p.k.agree(bench.Median(measured[0]), clock); err != nil {
		return t, err
	}
	t.Total, err = p.k.agree(bench.Median(measured[1]), clock)
	return t, err
}

// message moves one message and returns how long it took from when both sides were there.
func (p *party) message(busy time.Duration) (time.Duration, error) {
	p.mark()
	first, err := p.appointment()
	if err != nil {
		return 0, err
	}
	both := first + p.c.Ahead
	ours := both
	if p.c.First == Neither || (p.c.First == Sender) == p.sends {
		ours = first
	}
	p.k.until(ours)
	seen, err := p.deliver(both, busy)
	if seen == 0 {
		seen = p.k.Now()
	}
	return max(seen-both, 1), err
}

// deliver makes our side of a message, and returns when its last byte was seen if that was before the call ended.
func (p *party) deliver(both, busy time.Duration) (seen time.Duration, err error) {
	if !p.leads {
		defer p.k.Span("blocking call")()
		return 0, p.blocking()
	}
	ended := p.k.Span("call")
	request := p.call()
	ended()
	p.k.until(both)
	if p.watches {
		seen = p.watch(busy)
	} else {
		p.k.Compute(busy)
	}
	defer p.k.Span("wait")()
	_, err = request.Wait()
	return seen, err
}

func (p *party) call() mpi.Request {
	switch {
	case !p.sends:
		return mpi.Irecv(p.k.World, p.buf, p.partner, tagData)
	case p.c.Synchronous:
		return mpi.Issend(p.k.World, p.buf, p.partner, tagData)
	}
	return mpi.Isend(p.k.World, p.buf, p.partner, tagData)
}

func (p *party) blocking() error {
	switch {
	case !p.sends:
		_, err := mpi.Recv(p.k.World, p.buf, p.partner, tagData)
		return err
	case p.c.Synchronous:
		return mpi.Ssend(p.k.World, p.buf, p.partner, tagData)
	}
	return mpi.Send(p.k.World, p.buf, p.partner, tagData)
}

// notice is how long before an appointment it is made: longer than its message takes.
const notice = 300 * time.Microsecond

// appointment lets both ranks know a moment soon to come. They share a clock: in virtual time there is only one, and
// ranks on a host are in one process.
func (p *party) appointment() (time.Duration, error) {
	if !p.leads {
		if err := mpi.Send(p.k.World, p.note, p.partner, tagReady); err != nil {
			return 0, err
		}
		_, err := mpi.Recv(p.k.World, p.at, p.partner, tagGo)
		return time.Duration(p.at[0]), err
	}
	if _, err := mpi.Recv(p.k.World, p.note, p.partner, tagReady); err != nil {
		return 0, err
	}
	p.at[0] = int64(p.k.Now() + notice)
	return time.Duration(p.at[0]), mpi.Send(p.k.World, p.at, p.partner, tagGo)
}

// until computes until a moment.
func (k *Rank) until(t time.Duration) {
	if left := t - k.Now(); left > 0 {
		k.clock.Compute(int64(left))
	}
}

// glance is how often a watching receiver looks at its buffer.
const glance = time.Microsecond

// watch computes and looks at the end of the buffer from time to time; it returns when the message was seen to have
// arrived, or 0.
func (p *party) watch(busy time.Duration) (seen time.Duration) {
	defer p.k.Span("compute")()
	every := max(glance, busy/1000)
	for ; busy > 0; busy -= every {
		p.k.clock.Compute(int64(min(busy, every)))
		if seen == 0 && lastIsSet(p.buf) {
			seen = p.k.Now()
		}
	}
	return seen
}

// mark prepares the byte by which a receiver sees a whole message: 1 in the sender's memory, 0 in the receiver's.
func (p *party) mark() {
	if len(p.buf) == 0 {
		return
	}
	p.buf[len(p.buf)-1] = 0
	if p.sends {
		p.buf[len(p.buf)-1] = 1
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
