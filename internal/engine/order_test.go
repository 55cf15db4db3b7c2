package engine

import (
	"slices"
	"testing"

	"github.com/weft-mpi/weft/internal/match"
)

// The tests in this file are named after the sentences of the MPI standard's section on the semantics of
// point-to-point communication.

// "If a sender sends two messages in succession to the same destination, and both match the same receive,
// then this operation cannot receive the second message if the first one is still pending."
func TestMessagesAreNonOvertaking(t *testing.T) {
	for _, lens := range [][2]int{{4, 4}, {100, 4}, {4, 100}, {100, 100}} {
		w := newWorld(2, 16)
		w.send("first", pair{0, 1}, 0, 1, lens[0], Standard)
		w.send("second", pair{0, 1}, 0, 1, lens[1], Standard)
		w.settle()
		w.recv("r", 1, envelope(match.Any, 0, match.Any), 200)
		w.settle()
		if got := w.source(w.reqs["r"]); got != "first" {
			t.Errorf("lengths %v: received %s", lens, got)
		}
	}
}

// "If a receiver posts two receives in succession, and both match the same message, then the second receive
// operation cannot be satisfied by this message, if the first one is still pending."
func TestReceivesAreSatisfiedInTheOrderOfPosting(t *testing.T) {
	for _, first := range []match.Envelope{envelope(0, 0, 1), envelope(match.Any, 0, 1), envelope(0, 0, match.Any), envelope(match.Any, 0, match.Any)} {
		for _, n := range []int{4, 100} {
			w := newWorld(2, 16)
			w.recv("first", 1, first, 200)
			w.recv("second", 1, envelope(0, 0, 1), 200)
			w.send("s", pair{0, 1}, 0, 1, n, Standard)
			w.settle()
			if !w.reqs["first"].Done() || w.reqs["second"].Done() {
				t.Errorf("pattern %+v, %d bytes: first %s, second %s", first, n, w.reqs["first"].State(), w.reqs["second"].State())
			}
		}
	}
}

// Messages of different contexts may overtake each other: the first one need not be received first.
func TestContextsAreIndependent(t *testing.T) {
	w := newWorld(2, 16)
	w.send("one", pair{0, 1}, 1, 5, 4, Standard)
	w.send("two", pair{0, 1}, 2, 5, 4, Standard)
	w.recv("r2", 1, envelope(match.Any, 2, match.Any), 8)
	w.settle()
	if w.source(w.reqs["r2"]) != "two" {
		t.Errorf("a receive of context 2 got %s", w.source(w.reqs["r2"]))
	}
}

// "If a pair of matching send and receives have been initiated on two processes, then at least one of these
// two operations will complete, independently of other actions in the system": here with a receiver whose
// other receives never match and a sender whose other sends are never received.
func TestAMatchingPairProgresses(t *testing.T) {
	for _, n := range []int{4, 100} {
		w := newWorld(2, 16)
		w.send("stuck", pair{0, 1}, 0, 9, 100, Sync)
		w.recv("never", 1, envelope(0, 0, 8), 100)
		w.send("s", pair{0, 1}, 0, 1, n, Sync)
		w.recv("r", 1, envelope(0, 0, 1), 100)
		w.settle()
		if !w.reqs["s"].Done() || !w.reqs["r"].Done() || w.reqs["stuck"].Done() || w.reqs["never"].Done() {
			t.Errorf("%d bytes: s %s, r %s, stuck %s, never %s", n, w.reqs["s"].State(), w.reqs["r"].State(),
				w.reqs["stuck"].State(), w.reqs["never"].State())
		}
	}
}

// "A synchronous send can be started whether or not a matching receive was posted. However, the send will
// complete successfully only if a matching receive is posted, and the receive operation has started to
// receive the message."
func TestASynchronousSendWaitsForItsReceive(t *testing.T) {
	for _, n := range []int{0, 4, 100} {
		w := newWorld(2, 16)
		w.send("s", pair{0, 1}, 0, 1, n, Sync)
		w.settle()
		if w.reqs["s"].Done() {
			t.Errorf("%d bytes: complete without a receive", n)
		}
		w.recv("r", 1, envelope(0, 0, 1), 100)
		w.settle()
		if !w.reqs["s"].Done() {
			t.Errorf("%d bytes: not complete with a receive", n)
		}
	}
}

// "If several messages match, the wildcard receive takes them in the order in which each sender sent them":
// between senders any order is right, between messages of one sender only one.
func TestWildcardsKeepEachSendersOrder(t *testing.T) {
	w := newWorld(4, 16)
	for _, name := range []string{"0a", "1a", "2a", "0b", "1b", "2b"} {
		w.send(name, pair{int(name[0] - '0'), 3}, 0, int(name[1]), 8, Standard)
	}
	for _, from := range []int{2, 0, 1, 1, 0, 2} {
		w.deliver(pair{from, 3})
	}
	var got []string
	for _, r := range []string{"r1", "r2", "r3", "r4", "r5", "r6"} {
		w.recv(r, 3, envelope(match.Any, 0, match.Any), 8)
		got = append(got, w.source(w.reqs[r]))
	}
	if want := []string{"2a", "0a", "1a", "1b", "0b", "2b"}; !slices.Equal(got, want) {
		t.Errorf("received %v, arrived %v", got, want)
	}
}

// Small messages cost no memory of the allocator once the engine is warm.
func TestEagerAllocatesNothing(t *testing.T) {
	a, b := New(Config{}), New(Config{})
	s, r := &Req{EagerMax: 64}, &Req{}
	payload, room := make([]byte, 8), make([]byte, 8)
	exchange := func() {
		s.Reset()
		r.Reset()
		s.Buf, r.Buf, s.EagerMax = payload, room, 64
		s.Envelope, r.Envelope = envelope(1, 0, 1), envelope(0, 0, 1)
		b.PostRecv(r)
		a.PostSend(s)
		p := a.Actions()[0].Packet
		b.Arrive(0, &p.Header, p.Data)
		a.Gone(p)
		a.Clear()
		b.Clear()
	}
	exchange()
	if n := testing.AllocsPerRun(100, exchange); n != 0 {
		t.Errorf("%v allocations per message", n)
	}
	if !s.Done() || !r.Done() {
		t.Error("the message did not go through")
	}
}
