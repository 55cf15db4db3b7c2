package kernel_test

import (
	"testing"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/kernel"
	"github.com/weft-mpi/weft/internal/verbs/kernel/fake"
	"github.com/weft-mpi/weft/internal/verbs/kernel/ibv"
)

// instant is a driver whose sends are done when they are posted, and cost nothing: what remains is the device's own.
type instant struct{ ibv.Context }

type instantPD struct{ ibv.PD }

type instantCQ struct {
	ibv.CQ
	done []ibv.WC
}

type instantQP struct {
	ibv.QP
	to  *instantCQ
	num uint32
}

func (c instant) NewCQ(depth int) (ibv.CQ, error) {
	cq, err := c.Context.NewCQ(depth)
	return &instantCQ{CQ: cq}, err
}

func (c instant) NewPD() (ibv.PD, error) {
	pd, err := c.Context.NewPD()
	return &instantPD{pd}, err
}

func (p *instantPD) NewQP(init *ibv.QPInit, send, recv ibv.CQ, shared ibv.SRQ) (ibv.QP, error) {
	to := send.(*instantCQ)
	qp, err := p.PD.NewQP(init, to.CQ, recv.(*instantCQ).CQ, shared)
	if err != nil {
		return nil, err
	}
	return &instantQP{qp, to, qp.Num()}, nil
}

func (q *instantQP) PostSend(wr *ibv.SendWR) error {
	if wr.Flags&ibv.SendSignaled != 0 {
		q.to.done = append(q.to.done, ibv.WC{ID: wr.ID, QP: q.num})
	}
	return nil
}

func (c *instantCQ) Poll(out []ibv.WC) (int, error) {
	n := copy(out, c.done)
	c.done = c.done[:copy(c.done, c.done[n:])]
	return n, nil
}

// instantly is such a driver.
func instantly() ibv.Context { return instant{fake.New(fake.Habits{}).Open(home.GID)} }

// sender makes a queue pair that sends to nobody.
func sender(tb testing.TB, driver ibv.Context) (verbs.QP, verbs.CQ, []verbs.SendWR) {
	tb.Helper()
	d, err := kernel.Open(kernel.Config{Context: driver, Ports: []kernel.Port{home}})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { d.Close() })
	must := func(err error) {
		if err != nil {
			tb.Fatal(err)
		}
	}
	pd, err := d.NewPD()
	must(err)
	cq, err := d.NewCQ(verbs.CQConfig{Depth: 64})
	must(err)
	qp, err := pd.NewQP(verbs.QPConfig{Type: verbs.UD, SendCQ: cq, RecvCQ: cq, SendDepth: 64, RecvDepth: 1})
	must(err)
	must(qp.Modify(verbs.Init))
	must(qp.Modify(verbs.RTS))
	mr, err := pd.Register(make([]byte, 64), verbs.LocalWrite)
	must(err)
	ah, err := pd.NewAH(qp.Addr())
	must(err)
	return qp, cq, []verbs.SendWR{{ID: 1, Op: verbs.Send, Flags: verbs.Signaled, SGL: []verbs.SGE{{Buf: mr.Bytes(), LKey: mr.LKey()}}, AH: ah, DestQP: 1}}
}

// post posts and polls, until it is done.
func post(qp verbs.QP, cq verbs.CQ, wrs []verbs.SendWR, out []verbs.Completion) {
	qp.PostSend(wrs)
	for cq.Poll(out) == 0 {
	}
}

// TestAllocations: posting and polling allocate nothing of their own.
func TestAllocations(t *testing.T) {
	qp, cq, wrs := sender(t, instantly())
	out := make([]verbs.Completion, 4)
	post(qp, cq, wrs, out)
	if n := testing.AllocsPerRun(1000, func() { post(qp, cq, wrs, out) }); n > 0 {
		t.Errorf("%v allocations per message", n)
	}
}

// BenchmarkPostPoll is the device's own share of a message: a post and a poll.
func BenchmarkPostPoll(b *testing.B) {
	qp, cq, wrs := sender(b, instantly())
	out := make([]verbs.Completion, 4)
	for b.Loop() {
		post(qp, cq, wrs, out)
	}
}
