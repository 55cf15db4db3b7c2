package measure

import (
	"errors"
	"fmt"

	"github.com/weft-mpi/weft/internal/verbs"
)

// Wires is one of two processes that talk without MPI: connections, and memory that the other may write. Every
// connection has a slot of its own in that memory.
type Wires struct {
	Clock Clock
	Lead  bool
	PD    verbs.PD
	CQ    verbs.CQ
	QPs   []verbs.QP
	Out   verbs.MR // what we send from
	In    verbs.MR // what the partner writes into
	Slot  int      // bytes of a slot, the same on both sides
	Addr  uint64   // of the partner's In
	Key   uint32   // of it

	turn  byte // value of the last byte of this round's messages
	open  int  // signaled writes whose completions have not been taken
	since int  // writes since the last signaled one
	done  [64]verbs.Completion
}

// signalEvery is how many writes share a completion in a ping-pong: completions cost time that is none of the
// message's.
const signalEvery = 16

// ErrWire says that work at user level failed.
var ErrWire = errors.New("work on a connection failed")

// WriteLatency returns half the round trip of remote writes that the target polls its memory for, in microseconds and
// divided by the number of connections that each carry one message per round. Both sides call it; the leading side's
// value counts.
func WriteLatency(w *Wires, size, connections int, l Loops) (float64, error) {
	if size < 1 || size > w.Slot || connections < 1 || connections > len(w.QPs) {
		return 0, fmt.Errorf("%d bytes over %d connections: there are %d with slots of %d bytes", size, connections, len(w.QPs), w.Slot)
	}
	for range l.Warmup {
		if err := w.round(size, connections); err != nil {
			return 0, err
		}
	}
	start := w.Clock.Now()
	for range l.Timed {
		if err := w.round(size, connections); err != nil {
			return 0, err
		}
	}
	nano := float64(w.Clock.Now()-start) / float64(max(l.Timed, 1))
	return nano / 1e3 / 2 / float64(connections), w.drain()
}

// round sends one message over each connection there, and when all have arrived one over each back.
func (w *Wires) round(size, connections int) error {
	w.turn = w.turn%255 + 1
	if !w.Lead {
		w.awaitAll(size, connections)
	}
	for c := range connections {
		if err := w.write(c, size, false); err != nil {
			return err
		}
	}
	if w.Lead {
		w.awaitAll(size, connections)
	}
	return nil
}

// awaitAll polls the slots of connections, one after the other.
func (w *Wires) awaitAll(size, connections int) {
	for c := range connections {
		w.await(c, size)
	}
}

// write posts one message on a connection.
func (w *Wires) write(c, size int, signaled bool) error {
	at := c * w.Slot
	buf := w.Out.Bytes()[at : at+size]
	buf[size-1] = w.turn
	wr := verbs.SendWR{Op: verbs.Write, SGL: []verbs.SGE{{Buf: buf, LKey: w.Out.LKey()}}, RemoteAddr: w.Addr + uint64(at), RKey: w.Key}
	if w.since++; signaled || w.since >= signalEvery {
		wr.Flags, w.since = verbs.Signaled, 0
		w.open++
	}
	for {
		_, err := w.QPs[c].PostSend([]verbs.SendWR{wr})
		if !errors.Is(err, verbs.ErrFull) {
			return err
		}
		if err := w.reap(true); err != nil {
			return err
		}
	}
}

// await polls the end of a slot until this round's message is there. Long messages are looked for less often.
func (w *Wires) await(c, size int) {
	last := c*w.Slot + size - 1
	step := max(lookEvery, int64(size)/256)
	for w.In.Bytes()[last] != w.turn {
		w.Clock.Compute(step)
	}
}

// lookEvery is how many nanoseconds pass between two looks at memory.
const lookEvery = 20

// reap takes completions; wait says that there is to be one.
func (w *Wires) reap(wait bool) error {
	for {
		n := w.CQ.Poll(w.done[:])
		for _, c := range w.done[:n] {
			if c.Status != verbs.OK {
				return fmt.Errorf("%w: %v: %v", ErrWire, c.Op, c.Status)
			}
			w.open--
		}
		if n > 0 || !wait || w.open == 0 {
			return nil
		}
		w.CQ.Wait(1000)
	}
}

// drain waits for all that was signaled.
func (w *Wires) drain() error { return w.drainTo(0) }

// drainTo waits until no more than so many have not completed, which are the last ones: completions come in order.
func (w *Wires) drainTo(left int) error {
	for w.open > left {
		if err := w.reap(true); err != nil {
			return err
		}
	}
	return nil
}

// WriteBandwidth returns the MB/s, both directions together, of two processes that write to each other over a number of
// connections in turn, with a window of writes each on their way. Both sides call it; the leading side's value counts.
func WriteBandwidth(w *Wires, size, connections, window, messages int) (float64, error) {
	if err := w.round(1, 1); err != nil { // both are there
		return 0, err
	}
	if err := w.drain(); err != nil {
		return 0, err
	}
	w.turn = w.turn%255 + 1
	start := w.Clock.Now()
	for i := range messages {
		for w.open >= window {
			if err := w.reap(true); err != nil {
				return 0, err
			}
		}
		if err := w.write(i%connections, size, true); err != nil {
			return 0, err
		}
	}
	if err := w.drain(); err != nil {
		return 0, err
	}
	for c := range min(connections, messages) {
		w.await(c, size)
	}
	return 2 * float64(size*messages) * 1e3 / float64(w.Clock.Now()-start), nil
}

// Registration is what it costs to make memory known to a device and to take it back, in microseconds.
type Registration struct{ Register, Deregister float64 }

// Register measures the registration of size bytes. One side calls it.
func Register(w *Wires, size int, l Loops) (Registration, error) {
	buf := buffer(size)
	var r Registration
	for i := range l.Warmup + l.Timed {
		start := w.Clock.Now()
		mr, err := w.PD.Register(buf, verbs.LocalWrite)
		if err != nil {
			return r, err
		}
		middle := w.Clock.Now()
		if err := mr.Close(); err != nil {
			return r, err
		}
		if i >= l.Warmup {
			r.Register += float64(middle-start) / 1e3 / float64(l.Timed)
			r.Deregister += float64(w.Clock.Now()-middle) / 1e3 / float64(l.Timed)
		}
	}
	return r, nil
}
