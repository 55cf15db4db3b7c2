package sim

import (
	"fmt"
	"testing"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/verbstest"
)

// XRC holds where programs are asked about messages, too: about these they are not.
func TestConformanceAsksXRC(t *testing.T) {
	v := &virtual{profile: "connectx-ddr", asks: 65_000}
	verbstest.Run(t, v.open, verbstest.Options{World: v.world, Brief: true, Types: []verbs.Type{verbs.XRC}})
}

// xrcProcess is a process of a node, with one queue pair for everybody.
type xrcProcess struct {
	dev *Device
	pd  verbs.PD
	cq  verbs.CQ
	qp  verbs.QP
	buf []byte
	mr  verbs.MR
}

func newXRCProcess(f *Fabric, node int) (p *xrcProcess, err error) {
	p = &xrcProcess{buf: make([]byte, 64)}
	must := func(e error) {
		if err == nil {
			err = e
		}
	}
	var e error
	p.dev, e = f.Open(node)
	must(e)
	p.pd, e = p.dev.NewPD()
	must(e)
	p.cq, e = p.dev.NewCQ(verbs.CQConfig{Depth: 64})
	must(e)
	p.mr, e = p.pd.Register(p.buf, verbs.LocalWrite)
	must(e)
	srq, e := p.pd.NewSRQ(verbs.SRQConfig{Depth: 16})
	must(e)
	p.qp, e = p.pd.NewQP(verbs.QPConfig{Type: verbs.XRC, SendCQ: p.cq, RecvCQ: p.cq, SRQ: srq, SendDepth: 16})
	must(e)
	must(p.qp.Modify(verbs.Init))
	must(p.qp.Modify(verbs.RTS))
	_, e = srq.PostRecv([]verbs.RecvWR{{ID: 1, SGL: []verbs.SGE{{Buf: p.buf[:32], LKey: p.mr.LKey()}}}})
	must(e)
	return p, err
}

// connections is how many ends of connections the process has.
func (p *xrcProcess) connections() (n uint64) {
	for name, v := range p.dev.Counters() {
		if name == "connections" {
			n = v
		}
	}
	return n
}

// A process has one connection to each node that it talks to, however many processes there are, and each of
// them gets what is meant for it.
func TestXRCConnectsNodes(t *testing.T) {
	const nodes, each = 3, 4
	s := clock.NewScheduler(0)
	profile, err := LoadProfile("connectx-ddr")
	if err != nil {
		t.Fatal(err)
	}
	f, err := New(s, Cluster{Nodes: 1 + nodes, Profile: profile})
	if err != nil {
		t.Fatal(err)
	}
	s.Go("test", func() { talkToAll(t, f, nodes, each) })
	if err := s.Run(); err != nil {
		t.Fatal(err)
	}
}

func talkToAll(t *testing.T, f *Fabric, nodes, each int) {
	from, err := newXRCProcess(f, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i := range nodes * each {
		to, err := newXRCProcess(f, 1+i/each)
		if err != nil {
			t.Fatal(err)
		}
		ah, err := from.pd.NewAH(to.qp.Addr())
		if err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprintf("to process %2d", i)
		copy(from.buf[32:], text)
		wr := verbs.SendWR{ID: 7, Op: verbs.Send, Flags: verbs.Signaled, SGL: []verbs.SGE{{Buf: from.buf[32 : 32+len(text)], LKey: from.mr.LKey()}}, AH: ah, DestQP: to.qp.Num()}
		if _, err := from.qp.PostSend([]verbs.SendWR{wr}); err != nil {
			t.Fatal(err)
		}
		var done [1]verbs.Completion
		for _, p := range []*xrcProcess{from, to} {
			if !p.cq.Wait(1e9) || p.cq.Poll(done[:]) != 1 || done[0].Status != verbs.OK {
				t.Fatalf("message %d: %+v", i, done[0])
			}
		}
		if got := string(to.buf[:len(text)]); got != text || done[0].Src != from.qp.Addr() {
			t.Errorf("%q arrived from %v as %q", text, done[0].Src, got)
		}
		if n := from.connections(); n != uint64(i/each+1) {
			t.Errorf("%d connections to %d processes on %d nodes", n, i+1, i/each+1)
		}
	}
}
