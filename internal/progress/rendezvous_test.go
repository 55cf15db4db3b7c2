package progress_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/progress"
	"github.com/weft-mpi/weft/internal/wire"
)

const messages = 5

// finish ends the requests of both loops: the sender's first looks, then the receiver's, until all are done.
func finish(t *testing.T, loops []*progress.Loop, send, recv progress.Handle) {
	t.Helper()
	left := []progress.Handle{send, recv}
	for range 100 {
		for i, l := range loops {
			if left[i].R == nil {
				look(t, l)
				continue
			}
			taken, errs, err := collect(l, progress.Want{}, left[i])
			if err != nil || len(errs) > 0 && errs[0] != nil {
				t.Fatal(err, errs)
			}
			if len(taken) > 0 {
				left[i] = progress.Handle{}
			}
		}
		if left[0].R == nil && left[1].R == nil {
			return
		}
	}
	t.Fatal("the messages do not end")
}

// rendezvous sends long messages from loop 0 to loop 1; order says how each is started.
func rendezvous(t *testing.T, loops []*progress.Loop, order func(send, recv func())) (sender, receiver engine.Counters) {
	t.Helper()
	for i := range messages {
		src, dst := pattern(100_000, i), make([]byte, 100_000)
		var s, r progress.Handle
		order(func() { s = loops[0].Isend(src, at(1, 7), engine.Standard, why("isend")) },
			func() { r = loops[1].Irecv(dst, at(0, 7), why("irecv")) })
		finish(t, loops, s, r)
		if !bytes.Equal(src, dst) {
			t.Fatalf("message %d came broken", i)
		}
	}
	return loops[0].Counters(), loops[1].Counters()
}

func receiverFirst(send, recv func()) { recv(); send() }
func senderFirst(send, recv func())   { send(); recv() }

// By rput the sender starts every transfer, and only when it looks after its Isend; by rget none.
func TestWhoStartsTheTransfer(t *testing.T) {
	put, _ := rendezvous(t, apart(t, wire.Put, nil), receiverFirst)
	if put.Started != (engine.Started{Progress: messages}) || put.Writes != messages {
		t.Errorf("rput: sender %+v, %d writes", put.Started, put.Writes)
	}
	get, reader := rendezvous(t, apart(t, wire.Pull, nil), receiverFirst)
	if get.Started != (engine.Started{}) || reader.Reads != messages {
		t.Errorf("rget: sender %+v, %d reads", get.Started, reader.Reads)
	}
}

// With the initial progress call a receive that comes second finds the RTS that has arrived, and reads inside Irecv.
func TestInitialProgressCall(t *testing.T) {
	_, with := rendezvous(t, apart(t, wire.Speculate, nil), senderFirst)
	if with.Started != (engine.Started{Irecv: messages}) {
		t.Errorf("with the call: %+v", with.Started)
	}
	_, without := rendezvous(t, apart(t, wire.Speculate, func(c *progress.Config) { c.Engine.NoInitialProgress = true }), senderFirst)
	if without.Started != (engine.Started{Progress: messages}) {
		t.Errorf("without it: %+v", without.Started)
	}
}

// A send that comes second finds the RTR and writes inside Isend: no RTS at all.
func TestSpeculation(t *testing.T) {
	s, r := rendezvous(t, apart(t, wire.Speculate, nil), receiverFirst)
	if s.Started != (engine.Started{Isend: messages}) || s.RTRUsed != messages || s.RTSSent != 0 || r.RTRSent != messages || r.Reads != 0 {
		t.Errorf("sender %+v\nreceiver %+v", s, r)
	}
	held, _ := rendezvous(t, apart(t, wire.Speculate, func(c *progress.Config) { c.Engine.HoldDone = true }), receiverFirst)
	if held.RTRUsed != messages {
		t.Errorf("DONE held back: %d RTRs used", held.RTRUsed)
	}
}

// Short messages neither poll nor speculate, whatever the link.
func TestShortMessagesDoNotSpeculate(t *testing.T) {
	loops := apart(t, wire.Speculate, nil)
	for i := range messages {
		r := loops[1].Irecv(make([]byte, 1024), at(0, i), why("irecv"))
		s := loops[0].Isend(make([]byte, 1024), at(1, i), engine.Standard, why("isend"))
		finish(t, loops, s, r)
	}
	s, r := loops[0].Counters(), loops[1].Counters()
	if s.RTRRecv != 0 || r.RTRSent != 0 || s.EagerSends != messages {
		t.Errorf("sender %+v\nreceiver %+v", s, r)
	}
}

// Messages that leave without a request void the RTRs of their envelope too.
func TestQuickMessagesVoidRTRs(t *testing.T) {
	loops := apart(t, wire.Speculate, nil)
	first, second := make([]byte, 5000), make([]byte, 5000)
	r1 := loops[1].Irecv(first, at(0, 7), why("irecv"))
	if h := loops[0].Isend([]byte("short"), at(1, 7), engine.Standard, why("isend")); h.R != nil {
		t.Fatal("a short message needed a request")
	}
	long := pattern(5000, 3)
	s := loops[0].Isend(long, at(1, 7), engine.Standard, why("isend"))
	r2 := loops[1].Irecv(second, at(0, 7), why("irecv"))
	finish(t, loops, progress.Handle{}, r1)
	finish(t, loops, s, r2)
	if string(first[:5]) != "short" || !bytes.Equal(second, long) {
		t.Error("messages went astray")
	}
	if c := loops[0].Counters(); c.Stops != 1 || c.RTRUsed != 0 {
		t.Errorf("%+v", c)
	}
}

// A receive whose RTR waits at the sender is cancelled with the sender's consent.
func TestCancelOfAnEarlyReceive(t *testing.T) {
	loops := apart(t, wire.Speculate, nil)
	r := loops[1].Irecv(make([]byte, 5000), at(0, 7), why("irecv"))
	if err := loops[1].Cancel(r); err != nil {
		t.Fatal(err)
	}
	look(t, loops[0])
	_, errs, err := collect(loops[1], progress.Want{Need: 1}, r)
	if err != nil || len(errs) != 1 || !errors.Is(errs[0], engine.ErrCancelled) {
		t.Errorf("%v, %v", errs, err)
	}
}

// lossy is a link whose peer goes away.
type lossy struct {
	*writer
	busy bool
	lost error
}

func (l *lossy) Send(p *wire.Packet) bool { return !l.busy && l.writer.Send(p) }
func (l *lossy) Ready() bool              { return l.lost != nil || l.writer.Ready() }
func (l *lossy) Poll(s wire.Sink) bool {
	if l.lost != nil {
		s.Lost(1, l.lost)
		l.lost = nil
		return true
	}
	return l.writer.Poll(s)
}

// A lost peer ends what waits for it, also what waits for room on its link, and leaves others alone.
func TestLostPeer(t *testing.T) {
	ends := writers(wire.Speculate)(t, 3)
	link := &lossy{writer: ends[0].link.Transport.(*writer)}
	ends[0].link.Transport = link
	loops := newLoops(t, ends, func(c *progress.Config) { c.Mode = progress.Poll })
	l := loops[0]
	link.busy = true
	hs := []progress.Handle{
		l.Irecv(make([]byte, 5000), at(1, 1), why("irecv")),
		l.Isend(make([]byte, 5000), at(1, 1), engine.Standard, why("isend")),
		l.Isend(make([]byte, 10), at(1, 1), engine.Standard, why("isend")),
		l.Isend(make([]byte, 10), at(1, 1), engine.Sync, why("issend")),
	}
	gone := errors.New("gone")
	link.busy, link.lost = false, gone
	_, errs, err := collect(l, progress.Want{Need: len(hs)}, hs...)
	if err != nil || len(errs) != len(hs) {
		t.Fatal(errs, err)
	}
	for i, err := range errs {
		if !errors.Is(err, gone) {
			t.Errorf("request %d: %v", i, err)
		}
	}
	if err := send(l, []byte("late"), 1, 1); !errors.Is(err, gone) {
		t.Errorf("a send to the lost peer: %v", err)
	}
	if err := send(l, []byte("other"), 2, 1); err != nil {
		t.Error(err)
	}
	if _, err := recv(loops[2], make([]byte, 8), 0, 1); err != nil {
		t.Error(err)
	}
}
