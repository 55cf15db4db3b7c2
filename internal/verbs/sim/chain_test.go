package sim

import (
	"errors"
	"testing"

	"github.com/weft-mpi/weft/internal/verbs"
)

// chainer is what queue pairs of this device have beyond those of others.
type chainer interface {
	Chain(wr verbs.SendWR, after ...uint32) error
}

// TestChain: a send that was chained to two events leaves when the second has come, with what that brought,
// while its host does nothing; an event that came before is good for one send.
func TestChain(t *testing.T) {
	withFan(t, "qsnet2", 1, func(x *fan) {
		const first, second = ChainEvent | 1, ChainEvent | 2
		for range 4 {
			must(x.qa[0].PostRecv([]verbs.RecvWR{{}}))
			must(x.qb[0].PostRecv([]verbs.RecvWR{{}}))
		}
		answer := verbs.SendWR{Op: verbs.WriteImm, SGL: x.b.sge(0, 8), RemoteAddr: x.a.mr.Addr() + 8, RKey: x.a.mr.RKey(), Imm: 7}
		chain := func(after ...uint32) {
			if err := x.qb[0].(chainer).Chain(answer, after...); err != nil {
				t.Fatal(err)
			}
		}
		for _, early := range []bool{false, true} {
			if !early {
				chain(first, second)
			}
			x.a.buf[0]++
			for _, event := range []uint32{first, second} {
				x.s.Sleep(50_000)
				if x.a.cq.Poll(x.a.out[:]) > 0 {
					t.Error("an answer came before the second event")
				}
				must(x.qa[0].PostSend([]verbs.SendWR{{Op: verbs.WriteImm, SGL: x.a.sge(0, 8), RemoteAddr: x.b.mr.Addr(), RKey: x.b.mr.RKey(), Imm: event}}))
			}
			if early {
				x.s.Sleep(50_000)
				chain(second, first)
			}
			if got := x.a.next(); got.Imm != 7 || x.a.buf[8] != x.a.buf[0] {
				t.Errorf("the answer is %+v and brings %d, want %d", got, x.a.buf[8], x.a.buf[0])
			}
		}
		chain(first) // both were used up
		x.s.Sleep(50_000)
		if n := x.a.cq.Poll(x.a.out[:]); n > 0 {
			t.Errorf("an event was good for two sends: %+v", x.a.out[:n])
		}
	})
}

// TestChainTakesItsTime: the interface takes chain_us longer than nothing, and the host is not needed.
func TestChainTakesItsTime(t *testing.T) {
	p, err := LoadProfile("qsnet2")
	if err != nil {
		t.Fatal(err)
	}
	took := map[float64]int64{}
	for _, us := range []float64{1, 3} {
		q, err := p.With("chain_us", us)
		if err != nil {
			t.Fatal(err)
		}
		s, f := clusterOf(t, q, 2)
		a, b := newSide(t, f, 0, 64), newSide(t, f, 1, 64)
		qa, qb := a.qp(verbs.RC), b.qp(verbs.RC)
		s.Go("both", func() {
			connect(a, b, qa, qb)
			must(qa.PostRecv([]verbs.RecvWR{{}}))
			must(qb.PostRecv([]verbs.RecvWR{{}}))
			if err := qb.(chainer).Chain(verbs.SendWR{Op: verbs.WriteImm, Imm: 7}, ChainEvent); err != nil {
				t.Error(err)
			}
			s.Sleep(10_000)
			start := s.Now()
			must(qa.PostSend([]verbs.SendWR{{Op: verbs.WriteImm, Imm: ChainEvent}}))
			a.next()
			took[us] = s.Now() - start
		})
		if err := s.Run(); err != nil {
			t.Fatal(err)
		}
	}
	if d := took[3] - took[1]; d != 2000 {
		t.Errorf("with 3 us it takes %d ns, with 1 us %d", took[3], took[1])
	}
}

func TestChainRefuses(t *testing.T) {
	withFan(t, "qsnet2", 1, func(x *fan) {
		for what, err := range map[string]error{
			"an event that is none": x.qa[0].(chainer).Chain(verbs.SendWR{Op: verbs.WriteImm}, 1),
			"inline":                x.qa[0].(chainer).Chain(verbs.SendWR{Op: verbs.WriteImm, Flags: verbs.Inline}, ChainEvent),
			"no operation":          x.qa[0].(chainer).Chain(verbs.SendWR{Op: 99}, ChainEvent),
		} {
			if !errors.Is(err, verbs.ErrArgument) {
				t.Errorf("%s: %v", what, err)
			}
		}
	})
	withFan(t, "ne020", 1, func(x *fan) {
		if err := x.qa[0].(chainer).Chain(verbs.SendWR{Op: verbs.WriteImm}, ChainEvent); !errors.Is(err, verbs.ErrArgument) {
			t.Errorf("an interface without chains: %v", err)
		}
	})
}
