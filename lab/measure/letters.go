package measure

import (
	"fmt"

	"github.com/weft-mpi/weft/internal/verbs"
)

// Letters is one of two processes that send to receives which the other has posted, over a connection or by datagrams.
type Letters struct {
	Clock Clock
	Lead  bool
	CQ    verbs.CQ
	QP    verbs.QP
	Out   verbs.MR
	In    verbs.MR // Slots receives of Most bytes
	Most  int      // bytes of the longest single send
	Slots int      // receives that are posted
	Spin  int      // looks for a completion before it sleeps
	To    verbs.AH // datagrams: the partner
	Peer  uint32   // its queue pair

	flying int // sends that have not completed
	come   int // bytes of the message that arrives now
	done   [64]verbs.Completion
}

// patience is how many nanoseconds a side waits for its partner: datagrams may be lost, and then nothing comes.
const patience = 5_000_000_000

// Begin posts all receives. Both sides call it before either sends.
func (w *Letters) Begin() error {
	for i := range w.Slots {
		if err := w.receive(i); err != nil {
			return err
		}
	}
	return nil
}

func (w *Letters) receive(i int) error {
	at := i * w.Most
	_, err := w.QP.PostRecv([]verbs.RecvWR{{ID: uint64(i), SGL: []verbs.SGE{{Buf: w.In.Bytes()[at : at+w.Most], LKey: w.In.LKey()}}}})
	return err
}

// SendLatency returns half the round trip of a message in microseconds. What is longer than a single send
// may be travels in several. Both sides call it; the leading side's value counts.
func SendLatency(w *Letters, size int, l Loops) (float64, error) {
	if size < 1 || size > w.Slots*w.Most || size > len(w.Out.Bytes()) {
		return 0, fmt.Errorf("%d bytes: there are %d receives of %d bytes", size, w.Slots, w.Most)
	}
	var start int64
	for i := range l.Warmup + l.Timed {
		if i == l.Warmup {
			start = w.Clock.Now()
		}
		if err := w.trip(size); err != nil {
			return 0, err
		}
	}
	return float64(w.Clock.Now()-start) / 1e3 / 2 / float64(max(l.Timed, 1)), nil
}

// trip sends a message there and back.
func (w *Letters) trip(size int) error {
	if w.Lead {
		if err := w.send(size); err != nil {
			return err
		}
	}
	if err := w.await(size); err != nil || w.Lead {
		return err
	}
	return w.send(size)
}

// send posts a message.
func (w *Letters) send(size int) error {
	for at := 0; at < size; at += w.Most {
		piece := w.Out.Bytes()[at:min(at+w.Most, size)]
		wr := verbs.SendWR{Op: verbs.Send, Flags: verbs.Signaled, SGL: []verbs.SGE{{Buf: piece, LKey: w.Out.LKey()}}, AH: w.To, DestQP: w.Peer}
		if _, err := w.QP.PostSend([]verbs.SendWR{wr}); err != nil {
			return err
		}
		w.flying++
	}
	return nil
}

// await takes completions until a message is here and what was sent has left.
func (w *Letters) await(size int) error {
	looks, since := 0, w.Clock.Now()
	for w.come < size || w.flying > 0 {
		n := w.CQ.Poll(w.done[:])
		for i := range w.done[:n] {
			if err := w.take(&w.done[i]); err != nil {
				return err
			}
		}
		if looks++; n > 0 || looks < w.Spin {
			continue
		}
		if w.CQ.Wait(1_000_000); w.Clock.Now()-since > patience {
			return fmt.Errorf("%w: of %d bytes %d have come, and no more for seconds", ErrWire, size, w.come)
		}
	}
	w.come -= size
	return nil
}

// take takes one completion; a receive is posted again at once.
func (w *Letters) take(c *verbs.Completion) error {
	switch {
	case c.Status != verbs.OK:
		return fmt.Errorf("%w: %v: %v", ErrWire, c.Op, c.Status)
	case c.Op != verbs.Recv:
		w.flying--
		return nil
	}
	w.come += c.Len
	return w.receive(int(c.ID))
}
