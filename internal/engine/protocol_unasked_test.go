package engine

import (
	"testing"

	"github.com/weft-mpi/weft/internal/match"
)

// A sender learns from FIN whether receives are there in time and how fast messages move, and sends nothing
// unasked while it receives itself.
func TestReady(t *testing.T) {
	w := makeWorld(2, worldConfig{eager: 8})
	a := pair{0, 1}
	n := 0
	exchange := func(inTime bool, took int64) {
		t.Helper()
		n++
		name := string(rune('a' + n))
		if inTime {
			w.recv("r"+name, 1, envelope(0, 0, n), 1000)
		}
		w.send(name, a, 0, n, 1000, Standard)
		w.deliver(a)
		if !inTime {
			w.recv("r"+name, 1, envelope(0, 0, n), 1000)
		}
		w.pass(took)
		w.finishRead(1, 0, nil)
		for w.deliver(pair{1, 0}) {
		}
	}
	eng := w.ranks[0].eng
	ready := func(bytes int, want bool, when string) {
		t.Helper()
		if eng.Ready(1, bytes) != want {
			t.Errorf("%s: a message of %d bytes: %v", when, bytes, !want)
		}
	}
	ready(1, false, "at first")
	exchange(true, moment/10) // 10 KB in a moment
	ready(1, false, "after one message")
	exchange(true, moment/10)
	ready(10_000, true, "after two")
	ready(10_001, false, "after two")
	r := &Req{Buf: make([]byte, 4)}
	r.Envelope = match.Envelope{Peer: 1, Tag: 99}
	eng.PostRecv(r)
	ready(1, false, "while a receive waits")
	eng.Cancel(r)
	ready(1, true, "when it does not any more")
	exchange(true, 2*moment)
	ready(501, false, "after one that was slow")
	exchange(false, 1)
	for i := range lateFor + readyAfter {
		ready(1, false, "after one that was late")
		exchange(true, int64(i+1))
	}
	ready(1, true, "long after that")
	ready(1<<40, false, "long after that")

	exchange(true, moment/10) // 10 KB in a moment
	for i := range 2 {        // two at a time, which take twice as long: as fast as before
		n++
		w.recv("rw"+string(rune('a'+i)), 1, envelope(0, 0, n), 1000)
		w.send("w"+string(rune('a'+i)), a, 0, n, 1000, Standard)
		ready(9000-1000*i, true, "behind others")
		ready(9001-1000*i, false, "behind others")
	}
	for w.deliver(a) {
	}
	for i := range 2 {
		w.pass(moment / 10)
		w.finishRead(1, 0, nil)
		for w.deliver(pair{1, 0}) {
		}
		ready(9000+1000*i, true, "when they have arrived")
		ready(9001+1000*i, false, "when they have arrived")
	}
}
