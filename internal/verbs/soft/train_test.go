package soft

import (
	"bytes"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/weft-mpi/weft/internal/iwarp"
	"github.com/weft-mpi/weft/internal/verbs"
)

// looker looks at one stream as somebody does who polls again and again; nobody else comes to it.
type looker struct {
	t    *testing.T
	s    *stream
	peer *rawConn
}

// looksAt has e's stream to peer looked at by hand until the test ends. Its rests are so long that only the test ends them.
func looksAt(t *testing.T, e *end, peer *rawConn) *looker {
	e.dev.mu.Lock()
	e.dev.spinning = true
	t.Cleanup(func() {
		e.dev.spinning = false
		e.dev.mu.Unlock()
	})
	return &looker{t, e.qp.(*rc).stream, peer}
}

// comes has the peer say b, and waits until all of that is in the socket.
func (l *looker) comes(b []byte) {
	l.t.Helper()
	l.peer.say(b)
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(100 * time.Microsecond) {
		n, err := unix.IoctlGetInt(l.s.seat().fd, unix.TIOCINQ)
		if err != nil {
			l.t.Fatal(err)
		}
		if n == len(b) {
			return
		}
		if time.Now().After(end) {
			l.t.Fatalf("%d of %d bytes came", n, len(b))
		}
	}
}

// leavesAlone looks many times during a rest.
func (l *looker) leavesAlone() {
	l.t.Helper()
	calls := l.s.dev.count.recvCalls
	for range 100 {
		if l.s.receive() {
			l.t.Fatal("something was received during a rest")
		}
	}
	if n := l.s.dev.count.recvCalls - calls; n != 0 {
		l.t.Errorf("the socket was asked %d times during a rest", n)
	}
}

// looks ends a rest, if there is one, takes what the socket has, and finds it empty. It tells whether another rest has begun.
func (l *looker) looks() bool {
	l.s.restTo = min(l.s.restTo, 1)
	for l.s.receive() {
	}
	return l.s.restTo != 0
}

// segments is a message of which h is the header but for its offset.
func segments(h iwarp.Header, payload []byte) (all []byte) {
	const most = 60000
	for at := 0; at < len(payload); at += most {
		n := min(most, len(payload)-at)
		if h.Last = at+n == len(payload); h.Tagged {
			h.TO = uint64(at)
		} else {
			h.MO = uint32(at)
		}
		all = append(all, fpdu(h, payload[at:at+n])...)
	}
	return all
}

// TestRestsInTrains: a socket that is empty in the middle of a message of a train is left alone for a while by who polls, whatever has
// come meanwhile; that of another message is asked again at once. A rest that brings little is the last one in its message, and one
// that brings nothing behind a message ends the train.
func TestRestsInTrains(t *testing.T) {
	type look struct {
		n     int // bytes that come before it
		rests bool
	}
	for name, c := range map[string]struct {
		train bool
		looks []look
	}{
		"train": {true, []look{{80_000, true}, {80_000, true}}},
		"alone": {false, []look{{80_000, false}, {80_000, false}}},
		"slow":  {true, []look{{80_000, true}, {1_000, false}, {80_000, false}}},
	} {
		t.Run(name, func(t *testing.T) {
			const size = trainFrom
			e, peer := accepted(t, Config{Rest: int64(time.Hour)}, size)
			e.qp.PostRecv([]verbs.RecvWR{{SGL: []verbs.SGE{{Buf: e.buf, LKey: e.mr.LKey()}}}})
			h := sendHeader(1, 0, false)
			h.Train = c.train
			payload := bytes.Repeat([]byte("forty-two bytes, and so on until the end: "), size/42+1)[:size]
			rest := segments(h, payload)
			l := looksAt(t, e, peer)
			for i, step := range c.looks {
				l.comes(rest[:step.n])
				if rest = rest[step.n:]; i > 0 && c.looks[i-1].rests {
					l.leavesAlone()
				}
				if got := l.looks(); got != step.rests {
					t.Fatalf("look %d: rests %v", i, got)
				}
			}
			l.comes(rest)
			if l.looks() != (name == "train") {
				t.Errorf("behind the message: rests %v", l.s.restTo != 0)
			}
			if l.looks() || l.s.train {
				t.Error("a train goes on behind which nothing came")
			}
			if !bytes.Equal(e.buf, payload) {
				t.Error("other bytes came than were sent")
			}
		})
	}
}

// TestRestIsForPollers: who sleeps takes what comes during a rest at once, because nobody would come back to the socket later.
func TestRestIsForPollers(t *testing.T) {
	const size = trainFrom
	e, peer := accepted(t, Config{Rest: int64(time.Hour)}, size)
	e.qp.PostRecv([]verbs.RecvWR{{SGL: []verbs.SGE{{Buf: e.buf, LKey: e.mr.LKey()}}}})
	h := sendHeader(1, 0, false)
	h.Train = true
	all := segments(h, make([]byte, size))
	peer.say(all[:80_000])
	eventually(t, "a rest", func() bool {
		e.cq.Poll(make([]verbs.Completion, 1))
		return counter(t, e.dev, "rc_rests") > 0
	})
	peer.say(all[80_000:])
	if !e.cq.Wait(20 * second) {
		t.Fatal("the message was not received")
	}
}

// TestTrainsOfReads: the answer to a Read is one of a train if that to another one, of such a length, is to follow it.
func TestTrainsOfReads(t *testing.T) {
	for _, c := range []struct {
		sizes []int
		rests bool
	}{
		{[]int{trainFrom, trainFrom}, true},
		{[]int{trainFrom}, false},
		{[]int{trainFrom, trainFrom - 1}, false},
		{[]int{trainFrom, trainTo}, false},
		{[]int{trainTo, trainFrom}, false},
	} {
		e, peer := accepted(t, Config{Rest: int64(time.Hour)}, 2*trainTo)
		e.qp.PostRecv([]verbs.RecvWR{{}})
		peer.say(fpdu(sendHeader(1, 0, true), nil)) // only then may the acceptor ask
		e.await()
		var asked iwarp.ReadRequest
		for i, n := range c.sizes {
			post(t, e, verbs.SendWR{Op: verbs.Read, RKey: 5, SGL: []verbs.SGE{{Buf: e.buf[i*trainTo:][:n], LKey: e.mr.LKey()}}})
			if r := peer.request(); i == 0 {
				asked = r
			}
		}
		l := looksAt(t, e, peer)
		h := iwarp.Header{Tagged: true, Op: iwarp.OpReadResponse, STag: asked.SinkSTag}
		l.comes(segments(h, make([]byte, c.sizes[0]))[:80_000])
		if got := l.looks(); got != c.rests {
			t.Errorf("Reads of %d: rests %v", c.sizes, got)
		}
	}
}

// TestTrainsAreTold: Sends that are posted together are a train, if they are neither too short nor too long; those that are posted
// one after the other are none.
func TestTrainsAreTold(t *testing.T) {
	for _, c := range []struct {
		sizes    []int
		together bool
		rests    bool
	}{
		{[]int{trainFrom, trainFrom}, true, true},
		{[]int{trainFrom, trainFrom}, false, false},
		{[]int{trainFrom, 8}, true, false},
		{[]int{trainFrom - 1, trainFrom - 1}, true, false},
		{[]int{trainTo, trainTo}, true, false},
	} {
		a, b := connected(t, Config{Key: []byte("secret"), Rest: 1}, 2*trainTo)
		var list []verbs.SendWR
		for i, n := range c.sizes {
			place := i * trainTo
			b.qp.PostRecv([]verbs.RecvWR{{ID: uint64(i), SGL: []verbs.SGE{{Buf: b.buf[place:][:n], LKey: b.mr.LKey()}}}})
			list = append(list, verbs.SendWR{Op: verbs.Send, SGL: []verbs.SGE{{Buf: a.buf[place:][:n], LKey: a.mr.LKey()}}})
		}
		if c.together {
			if n, err := a.qp.PostSend(list); n != len(list) || err != nil {
				t.Fatal(n, err)
			}
			b.awaitAll(len(list))
		} else {
			for _, wr := range list {
				post(t, a, wr)
				a.awaitAll(1)
				b.awaitAll(1)
			}
		}
		for range 10 { // behind a train a rest begins
			b.cq.Poll(make([]verbs.Completion, 1))
		}
		if got := counter(t, b.dev, "rc_rests") > 0; got != c.rests {
			t.Errorf("Sends of %d, together %v: rests %v", c.sizes, c.together, got)
		}
	}
}
