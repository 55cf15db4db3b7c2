package sim

import (
	"net/netip"
	"testing"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/verbs"
)

// cluster makes a cluster of a named profile.
func cluster(tb testing.TB, profile string, nodes int) (*clock.Scheduler, *Fabric) {
	tb.Helper()
	p, err := LoadProfile(profile)
	if err != nil {
		tb.Fatal(err)
	}
	return clusterOf(tb, p, nodes)
}

func clusterOf(tb testing.TB, p *Profile, nodes int) (*clock.Scheduler, *Fabric) {
	tb.Helper()
	s := clock.NewScheduler(0)
	f, err := New(s, Cluster{Nodes: nodes, Profile: p})
	if err != nil {
		tb.Fatal(err)
	}
	return s, f
}

// side is one process of a test: a device, a domain, a queue for completions, and memory.
type side struct {
	tb  testing.TB
	dev *Device
	pd  verbs.PD
	cq  verbs.CQ
	mr  verbs.MR
	buf []byte
	out [16]verbs.Completion
}

func newSide(tb testing.TB, f *Fabric, node, bytes int) *side {
	tb.Helper()
	x := &side{tb: tb, buf: make([]byte, bytes)}
	var err error
	if x.dev, err = f.Open(node); err != nil {
		tb.Fatal(err)
	}
	if x.pd, err = x.dev.NewPD(); err != nil {
		tb.Fatal(err)
	}
	if x.cq, err = x.dev.NewCQ(verbs.CQConfig{Depth: 1 << 14}); err != nil {
		tb.Fatal(err)
	}
	if x.mr, err = x.pd.Register(x.buf, verbs.LocalWrite|verbs.RemoteRead|verbs.RemoteWrite|verbs.RemoteAtomic); err != nil {
		tb.Fatal(err)
	}
	return x
}

func (x *side) qp(typ verbs.Type, tweak ...func(*verbs.QPConfig)) verbs.QP {
	x.tb.Helper()
	cfg := verbs.QPConfig{Type: typ, SendCQ: x.cq, RecvCQ: x.cq, SendDepth: 256, RecvDepth: 256, Inline: x.dev.Caps().MaxInline, SendSGE: 2}
	for _, t := range tweak {
		t(&cfg)
	}
	q, err := x.pd.NewQP(cfg)
	if err == nil {
		err = q.Modify(verbs.Init)
	}
	if err == nil && typ == verbs.UD {
		err = q.Modify(verbs.RTS)
	}
	if err != nil {
		x.tb.Fatal(err)
	}
	return q
}

// connect connects a queue pair of each side, from within a task.
func connect(a, b *side, qa, qb verbs.QP) {
	l, err := b.dev.Listen(verbs.ListenConfig{})
	if err != nil {
		panic(err)
	}
	defer l.Close()
	if err := qa.Connect(l.Addr(), nil); err != nil {
		panic(err)
	}
	b.event(verbs.ConnectRequest).Request.Accept(qb, nil)
	a.event(verbs.Established)
	b.event(verbs.Established)
}

// event waits for the next event, which must be of a kind.
func (x *side) event(kind verbs.EventKind) verbs.Event {
	var ev [1]verbs.Event
	for x.dev.PollEvents(ev[:]) == 0 {
		x.cq.Wait(1_000_000_000)
	}
	if ev[0].Kind != kind {
		panic(ev[0].Kind.String() + " instead of " + kind.String())
	}
	return ev[0]
}

// next waits for the next completion.
func (x *side) next() verbs.Completion {
	for x.cq.Poll(x.out[:1]) == 0 {
		x.cq.Wait(-1)
	}
	return x.out[0]
}

func (x *side) sge(off, n int) []verbs.SGE {
	return []verbs.SGE{{Buf: x.buf[off : off+n], LKey: x.mr.LKey()}}
}

func (x *side) ah(to netip.AddrPort) verbs.AH {
	a, err := x.pd.NewAH(to)
	if err != nil {
		panic(err)
	}
	return a
}

func must(n int, err error) {
	if err != nil {
		panic(err)
	}
}
