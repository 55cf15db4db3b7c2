package sim

import (
	"bytes"
	"testing"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/verbs"
)

// onPair runs a task on two nodes of a cluster with a queue pair each, which are connected if they can be.
func onPair(t *testing.T, c Cluster, typ verbs.Type, f func(fab *Fabric, a, b *side, qa, qb verbs.QP)) {
	t.Helper()
	s := clock.NewScheduler(0)
	fab, err := New(s, c)
	if err != nil {
		t.Fatal(err)
	}
	a, b := newSide(t, fab, 0, 1<<20), newSide(t, fab, 1, 1<<20)
	for i := range a.buf {
		a.buf[i] = byte(i/7 + i/1000)
	}
	qa, qb := a.qp(typ), b.qp(typ)
	s.Go("pair", func() {
		if typ == verbs.RC {
			connect(a, b, qa, qb)
		}
		f(fab, a, b, qa, qb)
	})
	if err := s.Run(); err != nil {
		t.Fatal(err)
	}
}

// Interfaces may take long messages inline: their memory is the program's again at once.
func TestLongInline(t *testing.T) {
	p, err := LoadProfile("ib-sdr")
	if err != nil {
		t.Fatal(err)
	}
	onPair(t, Cluster{Nodes: 2, Profile: p, Inline: 9000}, verbs.RC, func(f *Fabric, a, b *side, qa, qb verbs.QP) {
		if n := a.dev.Caps().MaxInline; n != 9000 {
			t.Fatalf("%d bytes inline", n)
		}
		must(qb.PostRecv([]verbs.RecvWR{{ID: 1, SGL: b.sge(0, 9000)}}))
		buf := bytes.Clone(a.buf[:9000])
		must(qa.PostSend([]verbs.SendWR{{Op: verbs.Send, Flags: verbs.Inline, SGL: []verbs.SGE{{Buf: buf}}}}))
		clear(buf)
		if c := b.next(); c.ID != 1 || c.Len != 9000 || !bytes.Equal(b.buf[:9000], a.buf[:9000]) {
			t.Errorf("%+v", c)
		}
	})
}
