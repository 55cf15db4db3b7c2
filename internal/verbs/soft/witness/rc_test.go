package witness

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/soft"
	"github.com/weft-mpi/weft/internal/verbs/soft/interop"
)

// pair is two ends of a connection that a relay records.
type pair struct {
	a, b     *interop.End // a connected to b
	accepted func() error // waits until b may send, which is when it has heard from a
	finish   func() []byte
}

// The longest FPDU of these sessions: short, so that small messages already take several.
const maxFPDU = 512

func newPair(t *testing.T, cfg soft.Config) *pair {
	t.Helper()
	cfg.MaxFPDU = maxFPDU
	var ends [2]*interop.End
	for i := range ends {
		dev, err := soft.Open(cfg)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { dev.Close() })
		if ends[i], err = interop.NewEnd(dev, verbs.QPConfig{Type: verbs.RC, Reads: 4, ReadsIn: 4}); err != nil {
			t.Fatal(err)
		}
	}
	p := &pair{a: ends[0], b: ends[1]}
	l, err := p.b.Dev.Listen(verbs.ListenConfig{})
	if err != nil {
		t.Fatal(err)
	}
	at, finish := relayTCP(t, l.Addr(), cfg.Markers)
	p.finish = finish
	accepted := make(chan error, 1)
	go func() {
		r, err := p.b.Request()
		if err == nil {
			err = p.b.Accept(r, []byte("pong"))
		}
		accepted <- err
	}()
	if _, err := p.a.Connect(at, []byte("ping")); err != nil {
		t.Fatalf("connect: %v", errors.Join(err, <-accepted))
	}
	p.accepted = sync.OnceValue(func() error { return <-accepted })
	return p
}

// do has a do something that must succeed.
func (p *pair) do(t *testing.T, wr verbs.SendWR) {
	t.Helper()
	if _, err := p.a.Do(wr); err != nil {
		t.Fatalf("%v: %v", wr.Op, err)
	}
}

// arrived wants a message at b.
func (p *pair) arrived(t *testing.T, op verbs.Op) {
	t.Helper()
	if _, c, err := p.b.Receive(); err != nil || c.Op != op {
		t.Fatalf("%v arrived, not %v: %v", c.Op, op, err)
	}
}

// operations does everything that a connection can do, from a to b, in a fixed order.
func (p *pair) operations(t *testing.T) {
	t.Helper()
	addr, key := p.b.Window.Addr(), p.b.Window.RKey()
	for _, size := range []int{0, 5, 1500} {
		p.do(t, verbs.SendWR{Op: verbs.Send, SGL: p.a.Filled(size)})
		p.arrived(t, verbs.Recv)
	}
	if err := p.accepted(); err != nil {
		t.Fatalf("accept: %v", err)
	}
	p.do(t, verbs.SendWR{Op: verbs.Send, Flags: verbs.Solicited, SGL: p.a.Filled(6)})
	p.arrived(t, verbs.Recv)
	for _, flags := range []verbs.Flags{0, verbs.Solicited} {
		mr, err := p.b.Register(64, verbs.LocalWrite|verbs.RemoteWrite)
		if err != nil {
			t.Fatal(err)
		}
		p.do(t, verbs.SendWR{Op: verbs.SendInvalidate, Flags: flags, SGL: p.a.Filled(7), Invalidate: mr.RKey()})
		p.arrived(t, verbs.Recv)
	}
	for _, size := range []int{0, 1, 1500} {
		p.do(t, verbs.SendWR{Op: verbs.Write, SGL: p.a.Filled(size), RemoteAddr: addr, RKey: key})
	}
	p.do(t, verbs.SendWR{Op: verbs.WriteImm, SGL: p.a.Filled(9), RemoteAddr: addr, RKey: key, Imm: 0x01020304})
	p.arrived(t, verbs.RecvImm)
	for _, size := range []int{1, 1500} {
		p.do(t, verbs.SendWR{Op: verbs.Read, SGL: p.a.Filled(size), RemoteAddr: addr, RKey: key})
	}
	p.do(t, verbs.SendWR{Op: verbs.FetchAdd, SGL: p.a.Filled(8), RemoteAddr: addr, RKey: key, Swap: 1})
	p.do(t, verbs.SendWR{Op: verbs.CompareSwap, SGL: p.a.Filled(8), RemoteAddr: addr, RKey: key, Compare: 1, Swap: 2})
}

// unknown is what tshark says of Immediate Data (RFC 7306), which it does not know.
const unknown = "Unknown"

// What operations puts on the wire, in tshark's words; "..." marks segments that are not the last of a message.
var (
	asked = []string{
		"Send", "Send", "Send ...", "Send ...", "Send ...", "Send",
		"Send with SE", "Send with Invalidate", "Send with SE and Invalidate",
		"Write", "Write", "Write ...", "Write ...", "Write ...", "Write", "Write", unknown,
		"Read Request", "Read Request", "Atomic Request", "Atomic Request",
	}
	answered = []string{
		"Read Response", "Read Response ...", "Read Response ...", "Read Response ...", "Read Response",
		"Atomic Response", "Atomic Response",
	}
)

func compare(t *testing.T, who string, want, got []string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (- wanted, + what tshark sees)\n%s", who, diff)
	}
}

// Every operation, with and without markers; tshark must know every frame and find every CRC good.
func TestConnection(t *testing.T) {
	requireTshark(t)
	for _, c := range []struct {
		name string
		cfg  soft.Config
		rtr  []string
	}{
		{"revision 2", soft.Config{}, []string{"Write"}},
		{"revision 2, markers", soft.Config{Markers: true}, []string{"Write"}},
		{"revision 2, not peer-to-peer", soft.Config{NoPeerToPeer: true}, nil},
		{"revision 1", soft.Config{Revision: 1, NoPeerToPeer: true}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPair(t, c.cfg)
			p.operations(t)
			if err := p.a.QP.Disconnect(); err != nil {
				t.Fatal(err)
			}
			if ev, err := p.b.Event(); err != nil || ev.Kind != verbs.Disconnected {
				t.Fatalf("event %v, %v", ev.Kind, err)
			}
			frames := dissect(t, p.finish())
			checkFrames(t, frames)
			compare(t, "who connected", append(append([]string{"Request"}, c.rtr...), asked...), names(frames, initiator.Port()))
			compare(t, "who accepted", append([]string{"Reply"}, answered...), names(frames, responder.Port()))
			checkNumbers(t, frames)
		})
	}
}

// checkNumbers holds what tshark reads from headers against what the standard promises: messages of a queue are
// numbered from 1, and segments of a message follow each other.
func checkNumbers(t *testing.T, frames []frame) {
	t.Helper()
	type queue struct {
		from uint16
		qn   int64
	}
	next := map[queue]int64{}
	offset := map[queue]int64{}
	for i, f := range frames {
		if f.Shown["iwarp_ddp.untagged"] == "" && f.number("iwarp_ddp.qn") < 0 {
			continue
		}
		q := queue{f.From, f.number("iwarp_ddp.qn")}
		if got := f.number("iwarp_ddp.msn"); got != next[q]+1 {
			t.Errorf("frame %d, %v: message %d of queue %d, not %d", i, &f, got, q.qn, next[q]+1)
		}
		if got := f.number("iwarp_ddp.mo"); got != offset[q] {
			t.Errorf("frame %d, %v: offset %d, not %d", i, &f, got, offset[q])
		}
		if f.Shown["iwarp_ddp.last_flag"] == "1" {
			next[q], offset[q] = next[q]+1, 0
		} else {
			offset[q] += f.number("iwarp_mpa.ulpdulength") - 18
		}
	}
}

// Terminate, as tshark reads it: layer, type and code of the fault, and the header that failed.
func TestTerminate(t *testing.T) {
	requireTshark(t)
	for _, c := range []struct {
		name   string
		wr     func(p *pair) verbs.SendWR
		layer  int64
		fields map[string]int64
	}{
		{"Write", func(p *pair) verbs.SendWR {
			return verbs.SendWR{Op: verbs.Write, SGL: p.a.Filled(6), RemoteAddr: p.b.Window.Addr(), RKey: p.b.Window.RKey() ^ 0x5a00}
		}, 1, map[string]int64{"iwarp_rdma.term_etype_ddp": 1, "iwarp_rdma.term_errcode_ddp_tagged": 0}},
		{"Read", func(p *pair) verbs.SendWR {
			return verbs.SendWR{Op: verbs.Read, SGL: p.a.Filled(6), RemoteAddr: p.b.Window.Addr() + interop.WindowSize, RKey: p.b.Window.RKey()}
		}, 0, map[string]int64{"iwarp_rdma.term_etype_rdma": 1, "iwarp_rdma.term_errcode_rdma": 1, "iwarp_rdma.hdrct_r": 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPair(t, soft.Config{})
			p.a.Do(c.wr(p)) // whether a Write fails or only the connection after it is a matter of time
			if err := p.accepted(); err != nil {
				t.Fatalf("accept: %v", err)
			}
			for _, e := range []*interop.End{p.a, p.b} {
				if ev, err := e.Event(); err != nil || ev.Kind != verbs.QPFatal {
					t.Fatalf("event %v, %v", ev.Kind, err)
				}
			}
			frames := dissect(t, p.finish())
			checkFrames(t, frames)
			compare(t, "who accepted", []string{"Reply", "Terminate"}, names(frames, responder.Port()))
			f := frames[len(frames)-1]
			if got := f.number("iwarp_rdma.term_layer"); got != c.layer {
				t.Errorf("layer %d, not %d", got, c.layer)
			}
			for name, want := range c.fields {
				if got := f.number(name); got != want {
					t.Errorf("%s is %d, not %d", name, got, want)
				}
			}
		})
	}
}

// A refused connection.
func TestRefusal(t *testing.T) {
	requireTshark(t)
	var ends [2]*interop.End
	for i := range ends {
		dev, err := soft.Open(soft.Config{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { dev.Close() })
		if ends[i], err = interop.NewEnd(dev, verbs.QPConfig{Type: verbs.RC}); err != nil {
			t.Fatal(err)
		}
	}
	l, err := ends[1].Dev.Listen(verbs.ListenConfig{})
	if err != nil {
		t.Fatal(err)
	}
	at, finish := relayTCP(t, l.Addr(), false)
	refused := make(chan error, 1)
	go func() {
		r, err := ends[1].Request()
		if err == nil {
			err = r.Reject([]byte("no"))
		}
		refused <- err
	}()
	var got *interop.EventError
	if _, err := ends[0].Connect(at, nil); !errors.As(err, &got) || got.Event.Kind != verbs.Rejected {
		t.Fatalf("connect: %v", err)
	}
	if err := <-refused; err != nil {
		t.Fatal(err)
	}
	frames := dissect(t, finish())
	checkFrames(t, frames)
	if list := fmt.Sprint(names(frames, responder.Port())); list != "[Reply]" {
		t.Fatalf("who refuses sends %s", list)
	}
	if f := frames[len(frames)-1]; f.number("iwarp_mpa.rej_flag") != 1 {
		t.Errorf("tshark sees no refusal: %v", f.Shown)
	}
}
