package perf

import (
	"errors"
	"fmt"
	"time"

	"github.com/weft-mpi/weft/internal/verbs"
)

// prepare is implemented for the end interface. What is left of earlier batches (late datagrams, completions of
// sends) is taken away first.
func (e *endpoint) prepare(b Batch, leads bool) error {
	if b.QPs > len(e.lanes) {
		return fmt.Errorf("%d queue pairs are not there", b.QPs)
	}
	if !e.can(b) {
		return fmt.Errorf("device %s has no %v on %s: %w", e.caps.Name, e.verb(b), e.way.Kind, verbs.ErrUnsupported)
	}
	if err := e.flush(); err != nil {
		return err
	}
	mine := followSeed(b.Seed)
	if leads {
		mine = leadSeed(b.Seed)
	}
	fill(e.send, mine)
	for i := range e.lanes {
		wipe(e.lanes[i].slot)
	}
	if err := e.drain(); err != nil { // after this the device has seen the memory as it is now
		return err
	}
	e.size, e.arrived, e.finished, e.lost = b.Size, 0, 0, 0
	e.every = max(1, e.way.TxDepth/4)
	if b.Op == verbs.Read {
		e.every = 1
	}
	for i := range e.lanes {
		l := &e.lanes[i]
		l.quota, l.sent, l.data, l.echoed, l.marks, l.answers, l.marked, l.forgot = quota(b, i), 0, 0, 0, 0, 0, 0, 0
		if err := e.refill(l); err != nil {
			return err
		}
	}
	return nil
}

// can tells whether the device has the operation of a batch on this type of queue pair.
func (e *endpoint) can(b Batch) bool {
	switch {
	case b.Op == verbs.Send || e.way.Kind == RC:
		return true
	case e.way.Kind == UD:
		return e.caps.UDReadWrite
	}
	return e.caps.RDReadWrite && (e.caps.WriteImm || b.Op == verbs.Read || b.Shape == Stream)
}

// quota is how many of a batch's messages lane i sends.
func quota(b Batch, i int) int {
	if i >= b.QPs {
		return 0
	}
	n := b.Iterations / b.QPs
	if i < b.Iterations%b.QPs {
		n++
	}
	return n
}

// flush waits until the device has given back the memory of all sends; the last one of a batch is always signaled.
func (e *endpoint) flush() error {
	e.size = -1 // what arrives now belongs to no batch
	for i := range e.lanes {
		for e.lanes[i].open > 0 {
			n := e.cq.Poll(e.done[:])
			if err := e.discard(n); err != nil {
				return err
			}
			if n > 0 {
				e.spin.reset()
			} else if err := e.idle(); err != nil {
				return err
			}
		}
	}
	return nil
}

// drain polls until nothing comes any more, then empties the due list.
func (e *endpoint) drain() error {
	for quiet := 0; quiet < 3; quiet++ {
		n := e.cq.Poll(e.done[:])
		if err := e.discard(n); err != nil {
			return err
		}
		if n > 0 {
			quiet = 0
		}
	}
	for _, l := range e.due {
		l.queued = false
	}
	e.due = e.due[:0]
	return nil
}

// discard books completions between batches: they free queue entries and mean nothing else.
func (e *endpoint) discard(n int) error {
	for i := range n {
		c := &e.done[i]
		if c.Status != verbs.OK || int(uint32(c.ID)) >= len(e.lanes) {
			return e.book(c) // which says what is wrong
		}
		if l := &e.lanes[uint32(c.ID)]; c.Op == verbs.Recv || c.Op == verbs.RecvImm {
			l.owed++
		} else {
			l.open -= int(c.ID >> 32)
		}
	}
	return nil
}

// lead is implemented for the end interface.
func (e *endpoint) lead(b Batch, times []int64) (tally, error) {
	if b.Shape == Stream {
		return e.stream(b, true)
	}
	for i := range b.Warmup {
		if err := e.exchange(b, i); err != nil {
			return tally{}, err
		}
	}
	last := now()
	for i := range times {
		if err := e.exchange(b, b.Warmup+i); err != nil {
			return tally{}, err
		}
		at := now()
		times[i] = at - last
		last = at
	}
	return tally{Received: e.arrived + e.finished}, e.c.say(message{Say: sayStop})
}

// follow is implemented for the end interface.
func (e *endpoint) follow(b Batch) (tally, error) {
	if b.Shape == Stream {
		return e.stream(b, false)
	}
	silent := b.Op == verbs.Write && !e.announced(b)
	for turn := 0; ; {
		found, err := e.poll()
		if err == nil {
			err = e.echo(b)
		}
		if err != nil {
			return tally{}, err
		}
		if silent && peek(&e.lanes[0].slot[b.Size-1]) == flag(turn) {
			if err := e.writeFlag(b, turn); err != nil {
				return tally{}, err
			}
			turn++
			e.arrived++
			continue
		}
		if !found && e.c.called() {
			return tally{Received: e.arrived}, nil
		}
	}
}

// announced tells whether the peer gets a completion for each message. A Write on RC and UD is found by looking at
// the memory; RD may place bytes out of order, so there it is a Write with immediate data.
func (e *endpoint) announced(b Batch) bool {
	return b.Op == verbs.Send || b.Op == verbs.Write && e.way.Kind == RD
}

// verb is the operation of an announced batch.
func (e *endpoint) verb(b Batch) verbs.Op {
	if b.Op == verbs.Write {
		return verbs.WriteImm
	}
	return b.Op
}

// echo answers the lanes that have received something.
func (e *endpoint) echo(b Batch) error {
	for _, l := range e.due {
		l.queued = false
		for ; l.echoed < l.data; l.echoed++ {
			if err := e.room(l); err != nil {
				return err
			}
			if err := e.post(l, e.verb(b), b.Size, 1, true); err != nil {
				return err
			}
		}
		if l.owed >= max(1, e.way.RxDepth/4) {
			if err := e.refill(l); err != nil {
				return err
			}
		}
	}
	e.due = e.due[:0]
	return nil
}

// room polls until the lane can take one more.
func (e *endpoint) room(l *lane) error {
	for l.open >= e.way.TxDepth {
		if err := e.pollOrIdle(); err != nil {
			return err
		}
	}
	return nil
}

func (e *endpoint) pollOrIdle() error {
	found, err := e.poll()
	if err == nil && !found {
		err = e.idle()
	}
	return err
}

// exchange is one message and its answer on every lane of the batch.
func (e *endpoint) exchange(b Batch, turn int) error {
	switch {
	case b.Op == verbs.Read:
		return e.exchangeRead(b)
	case !e.announced(b):
		return e.exchangeFlag(b, turn)
	}
	if !b.InTurn {
		return e.round(b, e.lanes[:b.QPs], turn)
	}
	for i := range b.QPs {
		if err := e.round(b, e.lanes[i:i+1], turn*b.QPs+i); err != nil {
			return err
		}
	}
	return nil
}

// round sends one message on each of the lanes and waits for the answers. It is the turn-th round of lanes as many.
func (e *endpoint) round(b Batch, lanes []lane, turn int) error {
	for i := range lanes {
		if err := e.room(&lanes[i]); err != nil {
			return err
		}
		if err := e.post(&lanes[i], e.verb(b), b.Size, 1, true); err != nil {
			return err
		}
	}
	resent := false
	want := (turn + 1) * len(lanes)
	for e.arrived < want {
		found, err := e.poll()
		if err == nil && !found {
			err = e.idle()
		}
		if err != nil {
			return err
		}
		if e.way.Kind == UD && !found && e.quiet() > resendAfter {
			resent = true
			if err := e.resend(b, lanes, turn); err != nil {
				return err
			}
		}
	}
	if resent {
		if err := e.calm(); err != nil {
			return err
		}
		e.arrived = want
		for i := range lanes {
			lanes[i].data = turn + 1
		}
	}
	return e.settle()
}

// A datagram may be lost. After resendAfter without an answer it is sent again; then whatever comes within calmAfter
// is an answer too many.
const (
	resendAfter = int64(50 * time.Millisecond)
	calmAfter   = int64(5 * time.Millisecond)
)

// resend repeats the message of a turn on all lanes that have no answer.
func (e *endpoint) resend(b Batch, lanes []lane, turn int) error {
	e.spin.reset()
	for i := range lanes {
		l := &lanes[i]
		if l.data > turn {
			continue
		}
		e.lost++
		if err := e.post(l, e.verb(b), b.Size, 1, true); err != nil {
			return err
		}
	}
	return nil
}

// calm takes away surplus answers after a resend, so that the next turn does not take one for its own.
func (e *endpoint) calm() error {
	e.spin.reset()
	for e.quiet() < calmAfter {
		if err := e.pollOrIdle(); err != nil {
			return err
		}
	}
	return nil
}

// settle posts receives again where many were used up.
func (e *endpoint) settle() error {
	for _, l := range e.due {
		l.queued = false
		if l.owed >= max(1, e.way.RxDepth/4) {
			if err := e.refill(l); err != nil {
				return err
			}
		}
	}
	e.due = e.due[:0]
	return nil
}

// exchangeRead waits for the data of a Read on every lane.
func (e *endpoint) exchangeRead(b Batch) error {
	want := e.finished + b.QPs
	for i := range b.QPs {
		if err := e.post(&e.lanes[i], verbs.Read, b.Size, 1, true); err != nil {
			return err
		}
	}
	for e.finished < want {
		if err := e.pollOrIdle(); err != nil {
			return err
		}
	}
	return nil
}

// exchangeFlag writes and waits until the peer's answer shows in memory. Only the first lane is used.
func (e *endpoint) exchangeFlag(b Batch, turn int) error {
	if err := e.writeFlag(b, turn); err != nil {
		return err
	}
	last := &e.lanes[0].slot[b.Size-1]
	for peek(last) != flag(turn) {
		if err := e.pollOrIdle(); err != nil {
			return err
		}
	}
	e.arrived++
	return nil
}

// writeFlag writes the message of a turn, whose last byte is the turn's flag. The memory of the turn before must
// have come back from the device.
func (e *endpoint) writeFlag(b Batch, turn int) error {
	l := &e.lanes[0]
	for l.open > 0 {
		if err := e.pollOrIdle(); err != nil {
			return err
		}
	}
	e.send[b.Size-1] = flag(turn)
	return e.post(l, verbs.Write, b.Size, 1, true)
}

// peek looks at memory that the device may be writing to. That is how a Write is noticed: there is nothing to wait for,
// and a byte is old or new. A device of another process or in hardware knows no locks of ours either.
//
//go:norace
//go:noinline
func peek(at *byte) byte { return *at }

// flag is the last byte of a written message: it differs from the turn before and from cleared memory.
func flag(turn int) byte { return byte(turn%255) + 1 }

// check is implemented for the end interface.
func (e *endpoint) check(b Batch, leads bool) error {
	theirs := leadSeed(b.Seed)
	if leads {
		theirs = followSeed(b.Seed)
	}
	gets := b.Both || b.Shape == PingPong
	if !gets || b.Op == verbs.Read && !b.Both {
		gets = leads == (b.Op == verbs.Read)
	}
	if !gets {
		return nil
	}
	size := b.Size
	if b.Shape == PingPong && b.Op == verbs.Write && !e.announced(b) {
		size-- // the last byte is a flag
	}
	for i := range b.QPs {
		if l := &e.lanes[i]; l.data > 0 || b.Op != verbs.Send {
			if err := verify(l.slot[:size], theirs); err != nil {
				return fmt.Errorf("queue pair %d of %d: %w", i+1, b.QPs, err)
			}
		}
	}
	if e.arrived == 0 && b.Op == verbs.Send {
		return errors.New("not one message arrived")
	}
	return nil
}
