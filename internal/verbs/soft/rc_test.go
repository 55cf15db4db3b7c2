package soft

import (
	"bytes"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/verbs"
)

// end is one side of a test.
type end struct {
	t   testing.TB
	dev *Device
	pd  verbs.PD
	cq  verbs.CQ
	qp  verbs.QP
	mr  verbs.MR
	buf []byte
}

func newEnd(t testing.TB, d *Device, typ verbs.Type, size int) *end {
	t.Helper()
	e := &end{t: t, dev: d}
	var err error
	must := func() {
		if err != nil {
			t.Fatal(err)
		}
	}
	e.pd, err = d.NewPD()
	must()
	e.cq, err = d.NewCQ(verbs.CQConfig{Depth: 256})
	must()
	e.buf = make([]byte, size)
	e.mr, err = e.pd.Register(e.buf, verbs.LocalWrite|verbs.RemoteRead|verbs.RemoteWrite|verbs.RemoteAtomic)
	must()
	e.qp, err = e.pd.NewQP(verbs.QPConfig{Type: typ, SendCQ: e.cq, RecvCQ: e.cq, SendDepth: 64, SendSGE: 2, RecvDepth: 64, Inline: maxInline})
	must()
	err = e.qp.Modify(verbs.Init)
	must()
	return e
}

func open(t testing.TB, cfg Config) *Device {
	t.Helper()
	d, err := Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func (e *end) event(want verbs.EventKind) verbs.Event {
	e.t.Helper()
	var out [1]verbs.Event
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); {
		if e.dev.PollEvents(out[:]) == 1 {
			if out[0].Kind != want {
				e.t.Fatalf("event %v (%v), want %v", out[0].Kind, out[0].Err, want)
			}
			return out[0]
		}
		time.Sleep(10 * time.Microsecond)
	}
	e.t.Fatalf("no event %v", want)
	return out[0]
}

func (e *end) await() verbs.Completion {
	e.t.Helper()
	var out [1]verbs.Completion
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); {
		if e.cq.Poll(out[:]) == 1 {
			return out[0]
		}
	}
	e.t.Fatalf("no completion\n%s\n%s", e.dev.state(), stacks())
	return out[0]
}

// state is what the device and its connections are at, for who wonders why nothing comes.
func (d *Device) state() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	text := fmt.Sprintf("%d polls, %d bytes in, attended %v, %d waiters, detached %v, sleeps to %d",
		d.count.polls, d.count.bytesIn, d.attended.Load(), d.waiters.Load(), d.detached, d.sleepsTo)
	for _, s := range d.direct {
		if s, ok := s.(*stream); ok {
			text += fmt.Sprintf("\nstream: phase %v, blocked %v, reads %v, %d bytes pending, %d frames, %d asked, bulk %d, in the poller %v",
				s.phase, s.blocked, s.reads(), len(s.pend), s.frames.n, len(s.asked), s.bulk, s.spot.in)
		}
	}
	return text
}

func stacks() []byte {
	b := make([]byte, 1<<20)
	return b[:runtime.Stack(b, true)]
}

func connected(t testing.TB, cfg Config, size int) (*end, *end) {
	t.Helper()
	da, db := open(t, cfg), open(t, cfg)
	a, b := newEnd(t, da, verbs.RC, size), newEnd(t, db, verbs.RC, size)
	l, err := db.Listen(verbs.ListenConfig{})
	if err != nil {
		t.Fatal(err)
	}
	if err := a.qp.Connect(l.Addr(), []byte("hello")); err != nil {
		t.Fatal(err)
	}
	req := b.event(verbs.ConnectRequest)
	if string(req.Private) != "hello" {
		t.Fatalf("private %q", req.Private)
	}
	if err := req.Request.Accept(b.qp, []byte("welcome")); err != nil {
		t.Fatal(err)
	}
	if est := a.event(verbs.Established); string(est.Private) != "welcome" {
		t.Fatalf("private %q", est.Private)
	}
	b.event(verbs.Established)
	return a, b
}

func post(t testing.TB, e *end, wr verbs.SendWR) {
	t.Helper()
	wr.Flags |= verbs.Signaled
	if n, err := e.qp.PostSend([]verbs.SendWR{wr}); n != 1 || err != nil {
		t.Fatal(n, err)
	}
}

func TestRC(t *testing.T) {
	for name, cfg := range map[string]Config{"plain": {}, "nocrc": {NoCRC: true}, "keyed": {Key: []byte("secret")},
		"rev1": {Revision: 1}, "nop2p": {NoPeerToPeer: true}, "markers": {Markers: true}, "small": {MaxFPDU: 128}} {
		t.Run(name, func(t *testing.T) {
			const size = 3 << 20
			a, b := connected(t, cfg, size)
			for i := range a.buf {
				a.buf[i] = byte(i * 7 / 3)
			}
			for _, n := range []int{0, 1, 64, 4000, 70000, size} {
				clear(b.buf)
				b.qp.PostRecv([]verbs.RecvWR{{ID: 5, SGL: []verbs.SGE{{Buf: b.buf, LKey: b.mr.LKey()}}}})
				post(t, a, verbs.SendWR{ID: 1, Op: verbs.Send, SGL: []verbs.SGE{{Buf: a.buf[:n], LKey: a.mr.LKey()}}})
				if c := b.await(); c.Status != verbs.OK || c.ID != 5 || c.Len != n || !bytes.Equal(b.buf[:n], a.buf[:n]) {
					t.Fatalf("%d: %+v", n, c)
				}
				if c := a.await(); c.Status != verbs.OK || c.ID != 1 {
					t.Fatalf("%d: %+v", n, c)
				}
				clear(b.buf)
				b.qp.PostRecv([]verbs.RecvWR{{ID: 6}})
				post(t, a, verbs.SendWR{ID: 2, Op: verbs.WriteImm, Imm: 77, RemoteAddr: b.mr.Addr(), RKey: b.mr.RKey(),
					SGL: []verbs.SGE{{Buf: a.buf[:n], LKey: a.mr.LKey()}}})
				if c := b.await(); c.Status != verbs.OK || c.ID != 6 || c.Imm != 77 || c.Len != n || !bytes.Equal(b.buf[:n], a.buf[:n]) {
					t.Fatalf("%d: %+v", n, c)
				}
				if c := a.await(); c.Status != verbs.OK || c.ID != 2 {
					t.Fatalf("%d: %+v", n, c)
				}
				old := append([]byte(nil), a.buf...)
				clear(a.buf)
				post(t, a, verbs.SendWR{ID: 3, Op: verbs.Read, RemoteAddr: b.mr.Addr(), RKey: b.mr.RKey(),
					SGL: []verbs.SGE{{Buf: a.buf[:n], LKey: a.mr.LKey()}}})
				if c := a.await(); c.Status != verbs.OK || c.ID != 3 || !bytes.Equal(old[:n], a.buf[:n]) {
					t.Fatalf("%d: %+v", n, c)
				}
				copy(a.buf, old)
			}
			post(t, a, verbs.SendWR{ID: 4, Op: verbs.FetchAdd, Swap: 1, RemoteAddr: b.mr.Addr(), RKey: b.mr.RKey(),
				SGL: []verbs.SGE{{Buf: a.buf[:8], LKey: a.mr.LKey()}}})
			if c := a.await(); c.Status != verbs.OK {
				t.Fatalf("%+v", c)
			}
			post(t, a, verbs.SendWR{ID: 4, Op: verbs.Write, RemoteAddr: b.mr.Addr(), RKey: 0xdead,
				SGL: []verbs.SGE{{Buf: a.buf[:8], LKey: a.mr.LKey()}}})
			e := b.event(verbs.QPFatal)
			t.Log(e.Err)
			e = a.event(verbs.QPFatal)
			t.Log(e.Err)
		})
	}
}
