package team_test

import (
	"bytes"
	"errors"
	"net/netip"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/kernel"
	"github.com/weft-mpi/weft/internal/verbs/kernel/fake"
	"github.com/weft-mpi/weft/internal/verbs/kernel/ibv"
	"github.com/weft-mpi/weft/internal/verbs/team"
	"github.com/weft-mpi/weft/internal/verbs/verbstest"
)

var home = kernel.Port{Name: "fake", Number: 1, GID: ibv.GID{10: 0xff, 11: 0xff, 12: 127, 15: 1}, Global: true, Addr: netip.MustParseAddr("127.0.0.1"), IPMTU: 1500}

// open makes a device of n of a fabric.
func open(tb testing.TB, f *fake.Fabric, n int) *team.Device {
	tb.Helper()
	var subs []verbs.Device
	for range n {
		d, err := kernel.Open(kernel.Config{Context: f.Open(home.GID), Ports: []kernel.Port{home}})
		if err != nil {
			tb.Fatal(err)
		}
		subs = append(subs, d)
	}
	d, err := team.New(subs...)
	if err != nil {
		tb.Fatal(err)
	}
	return d
}

// TestConform holds a team of one to the seam: what is done for several spoils nothing.
func TestConform(t *testing.T) {
	verbstest.Run(t, func(tb testing.TB, n int) []verbs.Device {
		f := fake.New(fake.Habits{})
		var all []verbs.Device
		for range n {
			all = append(all, open(tb, f, 1))
		}
		return all
	}, verbstest.Options{Brief: true, Allocates: true, Crowd: 20})
}

// end is a team with what it takes to talk.
type end struct {
	t    *testing.T
	dev  *team.Device
	pd   verbs.PD
	cq   verbs.CQ
	srq  verbs.SRQ
	rung chan bool
}

func newEnd(t *testing.T, f *fake.Fabric) *end {
	t.Helper()
	e := &end{t: t, dev: open(t, f, 2), rung: make(chan bool, 1)}
	t.Cleanup(func() { e.dev.Close() })
	var err error
	must := func() {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	e.pd, err = e.dev.NewPD()
	must()
	e.cq, err = e.dev.NewCQ(verbs.CQConfig{Depth: 64, Notify: func() { e.rung <- true }})
	must()
	e.srq, err = e.pd.NewSRQ(verbs.SRQConfig{Depth: 16})
	must()
	return e
}

func (e *end) qp(rail int) verbs.QP {
	e.t.Helper()
	q, err := e.pd.NewQP(verbs.QPConfig{Type: verbs.RC, Rail: rail, SendCQ: e.cq, RecvCQ: e.cq, SRQ: e.srq, SendDepth: 8, Inline: 64})
	if err == nil {
		err = q.Modify(verbs.Init)
	}
	if err != nil {
		e.t.Fatal(err)
	}
	return q
}

// event waits for one of a kind.
func (e *end) event(kind verbs.EventKind) verbs.Event {
	e.t.Helper()
	var out [1]verbs.Event
	for until := time.Now().Add(20 * time.Second); time.Now().Before(until); time.Sleep(50 * time.Microsecond) {
		if e.dev.PollEvents(out[:]) == 1 {
			if out[0].Kind != kind {
				e.t.Fatalf("event %+v, want %v", out[0], kind)
			}
			return out[0]
		}
	}
	e.t.Fatalf("no event %v", kind)
	return verbs.Event{}
}

// completion waits for one, asleep.
func (e *end) completion() verbs.Completion {
	e.t.Helper()
	var out [1]verbs.Completion
	for until := time.Now().Add(20 * time.Second); time.Now().Before(until); {
		if e.cq.Poll(out[:]) == 1 {
			return out[0]
		}
		e.cq.Wait(1e9)
	}
	e.t.Fatal("no completion")
	return out[0]
}

// join connects two ends over a rail.
func join(a, b *end, rail int) (verbs.QP, verbs.QP) {
	l, err := b.dev.Listen(verbs.ListenConfig{Rail: rail})
	if err != nil {
		a.t.Fatal(err)
	}
	p, q := a.qp(rail), b.qp(rail)
	if err := p.Connect(l.Addr(), nil); err != nil {
		a.t.Fatal(err)
	}
	if err := b.event(verbs.ConnectRequest).Request.Accept(q, nil); err != nil {
		a.t.Fatal(err)
	}
	for _, x := range []struct {
		e *end
		q verbs.QP
	}{{a, p}, {b, q}} {
		if e := x.e.event(verbs.Established); e.Num != x.q.Num() {
			a.t.Errorf("queue pair %#x is established, not %#x", e.Num, x.q.Num())
		}
	}
	return p, q
}

// TestRails: over each rail messages arrive in receives that both devices share, and memory is reached by the key of that
// rail and by no other.
func TestRails(t *testing.T) {
	f := fake.New(fake.Habits{})
	a, b := newEnd(t, f), newEnd(t, f)
	if caps := a.dev.Caps(); !caps.RailKeys || len(a.dev.Rails()) != 2 {
		t.Fatalf("%+v with rails %+v", caps, a.dev.Rails())
	}
	room := make([]byte, 4*64)
	inbox, err := b.pd.Register(room, verbs.LocalWrite)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 4 {
		if _, err := b.srq.PostRecv([]verbs.RecvWR{{ID: uint64(i), SGL: []verbs.SGE{{Buf: room[64*i:][:64], LKey: inbox.LKey()}}}}); err != nil {
			t.Fatal(err)
		}
	}
	target := make([]byte, 64)
	there, err := b.pd.Register(target, verbs.LocalWrite|verbs.RemoteWrite)
	if err != nil {
		t.Fatal(err)
	}
	if there.RailKey(0) != there.RKey() || there.RailKey(1) == there.RKey() {
		t.Fatalf("keys %#x, by rail %#x and %#x", there.RKey(), there.RailKey(0), there.RailKey(1))
	}
	for rail := range 2 {
		p, q := join(a, b, rail)
		word := bytes.Repeat([]byte{byte('x' + rail)}, 64)
		mr, err := a.pd.Register(word, 0)
		if err != nil {
			t.Fatal(err)
		}
		list := []verbs.SGE{{Buf: word, LKey: mr.LKey()}}
		for range 2 {
			if _, err := p.PostSend([]verbs.SendWR{{ID: 7, Op: verbs.Send, Flags: verbs.Signaled, SGL: list}}); err != nil {
				t.Fatal(err)
			}
			c := b.completion()
			if c.Op != verbs.Recv || c.QP != q.Num() || c.Len != 64 || !bytes.Equal(room[64*c.ID:][:64], word) {
				t.Errorf("rail %d: received %+v", rail, c)
			}
			if c := a.completion(); c.ID != 7 || c.QP != p.Num() || c.Status != verbs.OK {
				t.Errorf("rail %d: sent %+v", rail, c)
			}
		}
		write := verbs.SendWR{ID: 8, Op: verbs.Write, Flags: verbs.Signaled, SGL: list, RemoteAddr: there.Addr(), RKey: there.RailKey(rail)}
		if _, err := p.PostSend([]verbs.SendWR{write}); err != nil {
			t.Fatal(err)
		}
		if c := a.completion(); c.Status != verbs.OK || !bytes.Equal(target, word) {
			t.Errorf("rail %d: written %+v", rail, c)
		}
		if err := mr.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := p.PostSend([]verbs.SendWR{{Op: verbs.Send, SGL: list}}); !errors.Is(err, verbs.ErrKey) {
			t.Errorf("rail %d: with a key that is closed: %v", rail, err)
		}
		write.SGL, write.Flags, write.RKey = []verbs.SGE{{Buf: word}}, verbs.Signaled|verbs.Inline, there.RailKey(1-rail)
		if _, err := p.PostSend([]verbs.SendWR{write}); err != nil {
			t.Fatal(err)
		}
		if c := a.completion(); c.Status != verbs.RemoteAccess || c.QP != p.Num() {
			t.Errorf("rail %d: written with the other rail's key: %+v", rail, c)
		}
		a.event(verbs.QPFatal)
		b.event(verbs.QPFatal)
	}
}

// TestWatermark: what asks for more receives asks once.
func TestWatermark(t *testing.T) {
	f := fake.New(fake.Habits{})
	a, b := newEnd(t, f), newEnd(t, f)
	p, _ := join(a, b, 1)
	for i := range 8 {
		if _, err := b.srq.PostRecv([]verbs.RecvWR{{ID: uint64(i)}}); err != nil {
			t.Fatal(err)
		}
	}
	if b.srq.Len() != 8 {
		t.Fatalf("%d receives", b.srq.Len())
	}
	if err := b.srq.Limit(6); err != nil {
		t.Fatal(err)
	}
	for range 4 { // all that the second device has
		if _, err := p.PostSend([]verbs.SendWR{{Op: verbs.Send, Flags: verbs.Inline}}); err != nil {
			t.Fatal(err)
		}
	}
	if e := b.event(verbs.SRQLimit); e.Num != b.srq.Num() {
		t.Errorf("the watermark of %#x was passed, not of %#x", e.Num, b.srq.Num())
	}
	for range 4 {
		b.completion()
	}
	var none [1]verbs.Event
	if b.dev.PollEvents(none[:]) > 0 {
		t.Errorf("another event: %+v", none[0])
	}
}

// TestBell: who has armed the queue is told once, whichever device has something.
func TestBell(t *testing.T) {
	f := fake.New(fake.Habits{})
	a, b := newEnd(t, f), newEnd(t, f)
	for rail := range 2 {
		p, _ := join(a, b, rail)
		if _, err := b.srq.PostRecv([]verbs.RecvWR{{}, {}, {}, {}}); err != nil {
			t.Fatal(err)
		}
		b.cq.Arm(false)
		for range 2 {
			if _, err := p.PostSend([]verbs.SendWR{{Op: verbs.Send, Flags: verbs.Inline}}); err != nil {
				t.Fatal(err)
			}
		}
		select {
		case <-b.rung:
		case <-time.After(20 * time.Second):
			t.Fatalf("nobody was told of a message over rail %d", rail)
		}
		b.completion()
		b.completion()
		if len(b.rung) > 0 {
			t.Error("told twice")
		}
	}
}

// TestRefused: what does not belong together.
func TestRefused(t *testing.T) {
	if _, err := team.New(); !errors.Is(err, verbs.ErrArgument) {
		t.Errorf("a team of nobody: %v", err)
	}
	f := fake.New(fake.Habits{})
	a, b := newEnd(t, f), newEnd(t, f)
	for what, cfg := range map[string]verbs.QPConfig{
		"a rail that is none":             {Type: verbs.RC, Rail: 2, SendCQ: a.cq, RecvCQ: a.cq, SendDepth: 1, RecvDepth: 1},
		"another's completion queue":      {Type: verbs.RC, SendCQ: b.cq, RecvCQ: a.cq, SendDepth: 1, RecvDepth: 1},
		"another's receive queue":         {Type: verbs.RC, SendCQ: a.cq, RecvCQ: a.cq, SRQ: b.srq, SendDepth: 1},
		"datagrams by the second device":  {Type: verbs.UD, Rail: 1, SendCQ: a.cq, RecvCQ: a.cq, SendDepth: 1, RecvDepth: 1},
		"a completion queue that is none": {Type: verbs.RC, SendDepth: 1, RecvDepth: 1},
	} {
		if _, err := a.pd.NewQP(cfg); err == nil {
			t.Errorf("%s was taken", what)
		}
	}
	if _, err := a.dev.Listen(verbs.ListenConfig{Rail: -1}); !errors.Is(err, verbs.ErrArgument) {
		t.Errorf("listen on no rail: %v", err)
	}
}
