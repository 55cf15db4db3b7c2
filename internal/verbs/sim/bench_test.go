package sim

import (
	"testing"

	"github.com/weft-mpi/weft/internal/verbs"
)

// pingPong sends rounds messages of n bytes there and back, and calls before in the middle of the warm-up.
func pingPong(tb testing.TB, profile string, n, rounds int, warm func(round func())) {
	s, f := cluster(tb, profile, 2)
	a, b := newSide(tb, f, 0, 2*n+64), newSide(tb, f, 1, 2*n+64)
	qa, qb := a.qp(verbs.RC), b.qp(verbs.RC)
	s.Go("echo", func() {
		recv, send := []verbs.RecvWR{{SGL: b.sge(n, n)}}, []verbs.SendWR{{Op: verbs.Send, SGL: b.sge(0, n)}}
		must(qb.PostRecv(recv))
		for {
			c := b.next()
			if c.ID == 0 && c.Len == 0 && n > 0 {
				return
			}
			must(qb.PostRecv(recv))
			send[0].Flags ^= verbs.Signaled
			must(qb.PostSend(send))
			if send[0].Flags != 0 {
				b.next()
			}
		}
	})
	s.Go("caller", func() {
		connect(a, b, qa, qb)
		recv, send := []verbs.RecvWR{{SGL: a.sge(n, n)}}, []verbs.SendWR{{Op: verbs.Send, SGL: a.sge(0, n)}}
		round := func() {
			must(qa.PostRecv(recv))
			send[0].Flags ^= verbs.Signaled
			must(qa.PostSend(send))
			if send[0].Flags != 0 {
				a.next()
			}
			a.next()
		}
		if warm != nil {
			warm(round)
		}
		for range rounds {
			round()
		}
		send[0].SGL, send[0].Flags = nil, 0
		must(qa.PostSend(send))
	})
	if err := s.Run(); err != nil {
		tb.Fatal(err)
	}
}

// BenchmarkPingPong tells how many simulated short messages a second of the host's time is worth.
func BenchmarkPingPong(b *testing.B) {
	b.ReportAllocs()
	pingPong(b, "connectx-ddr", 8, b.N, func(round func()) {
		for range 100 {
			round()
		}
		b.ResetTimer()
	})
	b.ReportMetric(2*float64(b.N)/b.Elapsed().Seconds(), "messages/s")
}
