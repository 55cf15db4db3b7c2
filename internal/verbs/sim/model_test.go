package sim

import (
	"testing"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/verbs"
)

// fan is n connections between two processes.
type fan struct {
	s    *clock.Scheduler
	a, b *side
	qa   []verbs.QP
	qb   []verbs.QP
}

// withFan runs f in a task, with n connections between two nodes.
func withFan(t *testing.T, profile string, n int, f func(*fan)) {
	t.Helper()
	s, fab := cluster(t, profile, 2)
	x := &fan{s: s, a: newSide(t, fab, 0, 1<<20), b: newSide(t, fab, 1, 1<<20)}
	for range n {
		x.qa, x.qb = append(x.qa, x.a.qp(verbs.RC)), append(x.qb, x.b.qp(verbs.RC))
	}
	s.Go("fan", func() {
		for i := range n {
			connect(x.a, x.b, x.qa[i], x.qb[i])
		}
		f(x)
	})
	if err := s.Run(); err != nil {
		t.Fatal(err)
	}
}

// burst sends n bytes there on every connection at once, and when all have arrived back, and tells how long
// that takes, one way and per connection.
func (x *fan) burst(n int) float64 {
	post := func(from *side, q verbs.QP) {
		must(q.PostSend([]verbs.SendWR{{Op: verbs.Send, SGL: from.sge(0, n)}}))
	}
	for i := range x.qa {
		must(x.qa[i].PostRecv([]verbs.RecvWR{{SGL: x.a.sge(n, n)}}))
		must(x.qb[i].PostRecv([]verbs.RecvWR{{SGL: x.b.sge(n, n)}}))
	}
	start := x.s.Now()
	x.s.Go("answer", func() {
		for range x.qb {
			x.b.next()
		}
		for _, q := range x.qb {
			post(x.b, q)
		}
	})
	for _, q := range x.qa {
		post(x.a, q)
	}
	for range x.qa {
		x.a.next()
	}
	return float64(x.s.Now()-start) / float64(2*len(x.qa))
}

// perConnection measures a burst on so many connections.
func perConnection(t *testing.T, profile string, conns, n int) (ns float64) {
	t.Helper()
	withFan(t, profile, conns, func(x *fan) {
		x.burst(n) // everybody's state is at hand
		ns = x.burst(n)
	})
	return ns
}

// TestParallelConnections: short messages gain from connections side by side up to the number a document
// states, long ones do not.
func TestParallelConnections(t *testing.T) {
	for _, row := range []struct {
		profile        string
		few, best, too int
		long           int
	}{
		{"ne020", 1, 16, 0, 65536},
		{"connectx-ddr", 1, 8, 256, 65536},
		{"myri10g-mx", 1, 4, 0, 65536},
	} {
		one, best := perConnection(t, row.profile, row.few, 8), perConnection(t, row.profile, row.best, 8)
		if best > 0.5*one {
			t.Errorf("%s: %d connections take %.0f ns per message, one takes %.0f", row.profile, row.best, best, one)
		}
		if row.too > 0 {
			if crowd := perConnection(t, row.profile, row.too, 8); crowd < best {
				t.Errorf("%s: %d connections take %.0f ns per message, %d take %.0f", row.profile, row.too, crowd, row.best, best)
			}
		}
		if one, many := perConnection(t, row.profile, 1, row.long), perConnection(t, row.profile, 16, row.long); many < 0.45*one {
			t.Errorf("%s: 16 connections take %.0f ns per message of %d bytes, one takes %.0f", row.profile, many, row.long, one)
		}
	}
	four, all := perConnection(t, "myri10g-mx", 4, 8), perConnection(t, "myri10g-mx", 15, 8)
	if all < 0.85*four || all > 1.1*four {
		t.Errorf("myri10g-mx: 4 connections take %.0f ns per message, 15 take %.0f", four, all)
	}
}

// ofProfile measures a target of any kind on a profile.
func ofProfile(t *testing.T, name string, f func(*trial) float64) float64 {
	t.Helper()
	p, err := LoadProfile(name)
	if err != nil {
		t.Fatal(err)
	}
	v, err := measure(p, target{measure: f})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestBandwidthBySize: where messages of 4 KB nearly fill the wire, and where it takes long ones.
func TestBandwidthBySize(t *testing.T) {
	both := func(name string, n int) float64 {
		return ofProfile(t, name, func(x *trial) float64 { return x.stream(n, 1, true) })
	}
	for _, name := range []string{"ne020", "connectx-ddr"} {
		if short, long := both(name, 4<<10), both(name, 1<<20); short < 0.85*long {
			t.Errorf("%s: %.0f MB/s at 4 KB, %.0f at 1 MB", name, short, long)
		}
	}
	if short, long := both("myri10g-mx", 32<<10), both("myri10g-mx", 64<<10); long < 1.3*short {
		t.Errorf("myri10g-mx: %.0f MB/s at 32 KB, %.0f at 64 KB", short, long)
	}
}

// TestLatencyIsLinear: a long message takes the time of a short one, and that of its bytes on the slowest
// part of the way.
func TestLatencyIsLinear(t *testing.T) {
	for _, name := range []string{"ne020", "connectx-ddr", "qsnet2", "ndr"} {
		base := ofProfile(t, name, func(x *trial) float64 { return x.writes(1024) })
		p, _ := LoadProfile(name)
		slowest := min(p.get("dma_mb_s"), p.get("wire_mb_s"))
		for _, n := range []int{4 << 10, 64 << 10} {
			got := ofProfile(t, name, func(x *trial) float64 { return x.writes(n) })
			if want := base + float64(n-1024)/slowest; got < 0.97*want || got > 1.05*want {
				t.Errorf("%s: %d bytes take %.2f us, want %.2f", name, n, got, want)
			}
		}
	}
}

// TestProgrammedIO: a message that the processor hands over saves the interface the fetching.
func TestProgrammedIO(t *testing.T) {
	for _, name := range []string{"ne020", "connectx-ddr"} {
		p, _ := LoadProfile(name)
		edge := int(p.get("pio_bytes"))
		below := ofProfile(t, name, func(x *trial) float64 { return x.writes(edge - 1) })
		above := ofProfile(t, name, func(x *trial) float64 { return x.writes(edge) })
		if above <= below {
			t.Errorf("%s: %.2f us below the limit of %d bytes, %.2f above", name, below, edge, above)
		}
	}
}

// TestSharedReceiveQueueCosts: a message into a shared queue takes as much longer as the profile says.
func TestSharedReceiveQueueCosts(t *testing.T) {
	latency := func(shared bool) (ns int64) {
		s, f := cluster(t, "connectx-ddr", 2)
		a, b := newSide(t, f, 0, 64), newSide(t, f, 1, 64)
		srq, err := b.pd.NewSRQ(verbs.SRQConfig{Depth: 4})
		if err != nil {
			t.Fatal(err)
		}
		qa := a.qp(verbs.RC)
		qb := b.qp(verbs.RC, func(c *verbs.QPConfig) {
			if shared {
				c.SRQ = srq
			}
		})
		s.Go("pair", func() {
			connect(a, b, qa, qb)
			if shared {
				must(srq.PostRecv([]verbs.RecvWR{{}}))
			} else {
				must(qb.PostRecv([]verbs.RecvWR{{}}))
			}
			start := s.Now()
			must(qa.PostSend([]verbs.SendWR{{Op: verbs.Send}}))
			b.next()
			ns = s.Now() - start
		})
		if err := s.Run(); err != nil {
			t.Fatal(err)
		}
		return ns
	}
	if own, shared := latency(false), latency(true); shared-own != 1000 {
		t.Errorf("%d ns into its own queue, %d into a shared one", own, shared)
	}
}

// TestIncast: several senders to one node get less of its wire together than one alone; senders to several
// nodes do not.
func TestIncast(t *testing.T) {
	flood := func(senders int, one bool) (mbs float64) {
		s, f := cluster(t, "mt25204", 2*senders)
		left, n := senders, 1<<18
		var end int64
		for i := range senders {
			to := senders
			if !one {
				to += i
			}
			a, b := newSide(t, f, i, n), newSide(t, f, to, n)
			qa, qb := a.qp(verbs.RC), b.qp(verbs.RC)
			s.Go("sender", func() {
				connect(a, b, qa, qb)
				s.Sleep(1_000_000 - s.Now())
				for range 8 {
					must(qa.PostSend([]verbs.SendWR{{Op: verbs.Write, Flags: verbs.Signaled, SGL: a.sge(0, n), RemoteAddr: b.mr.Addr(), RKey: b.mr.RKey()}}))
				}
				for range 8 {
					a.next()
				}
				if left--; left == 0 {
					end = s.Now()
				}
			})
		}
		if err := s.Run(); err != nil {
			t.Fatal(err)
		}
		return float64(8*n*senders) / float64(end-1_000_000) * 1e3
	}
	alone, crowd, apart := flood(1, true), flood(4, true), flood(4, false)
	if crowd > 0.97*alone || crowd < 0.85*alone {
		t.Errorf("four senders get %.0f MB/s into one node, one gets %.0f", crowd, alone)
	}
	if apart < 3.9*alone {
		t.Errorf("four senders to four nodes get %.0f MB/s, one gets %.0f", apart, alone)
	}
}

// TestManyLongMessages: long messages of several connections get less of the link together than those of one.
func TestManyLongMessages(t *testing.T) {
	stream := func(conns int) (mbs float64) {
		withFan(t, "myri10g-mx", conns, func(x *fan) {
			const n, total = 1 << 18, 32
			start := x.s.Now()
			for i := range total {
				write(x.a, x.b, x.qa[i%conns], n)
			}
			for range total {
				x.a.next()
			}
			mbs = float64(n*total) / float64(x.s.Now()-start) * 1e3
		})
		return mbs
	}
	if one, many := stream(1), stream(15); one < 1150 || many > 0.7*1250 || many < 0.6*1250 {
		t.Errorf("one connection gets %.0f MB/s, 15 get %.0f", one, many)
	}
}

// TestRailsAreApart: two rails carry twice as much, each what was given to it.
func TestRailsAreApart(t *testing.T) {
	s, f := cluster(t, "qsnet2", 2)
	a, b := newSide(t, f, 0, 1<<20), newSide(t, f, 1, 1<<20)
	s.Go("pair", func() {
		var took [2]int64
		for rails := 1; rails <= 2; rails++ {
			var qs []verbs.QP
			for r := range rails {
				rail := func(c *verbs.QPConfig) { c.Rail = r }
				qa, qb := a.qp(verbs.RC, rail), b.qp(verbs.RC, rail)
				connect(a, b, qa, qb)
				qs = append(qs, qa)
			}
			start := s.Now()
			for i := range 8 {
				write(a, b, qs[i%rails], 1<<18)
			}
			for range 8 {
				a.next()
			}
			took[rails-1] = s.Now() - start
		}
		if float64(took[0]) < 1.9*float64(took[1]) {
			t.Errorf("8 messages take %d ns on one rail, %d on two", took[0], took[1])
		}
	})
	if err := s.Run(); err != nil {
		t.Fatal(err)
	}
	for rail, want := range []uint64{12 << 18, 4 << 18} {
		out, err := f.Traffic(0, rail)
		in, err2 := f.Traffic(1, rail)
		if err != nil || err2 != nil || out.BytesOut != want || in.BytesIn != want || out.Sent != want>>18 || in.Received != want>>18 {
			t.Errorf("rail %d: %+v out, %+v in, want %d bytes", rail, out, in, want)
		}
	}
	if _, err := f.Traffic(0, 2); err == nil {
		t.Error("traffic of a rail that there is not")
	}
}

// TestLeaves: two more switches lie between nodes of different leaves.
func TestLeaves(t *testing.T) {
	p, err := LoadProfile("connectx-ddr")
	if err == nil {
		p, err = p.With("leaf", 2)
	}
	if err != nil {
		t.Fatal(err)
	}
	_, f := clusterOf(t, p, 4)
	way := func(a, b int) int64 { return f.cost.way(f.nodes[a].ports[0], f.nodes[b].ports[0]) }
	if hop := f.cost.hop.get(); way(0, 0) != 0 || way(0, 1) != hop || way(1, 2) != 3*hop || way(2, 3) != hop {
		t.Errorf("ways of %d, %d, %d, %d ns", way(0, 0), way(0, 1), way(1, 2), way(2, 3))
	}
}

// TestFairness: two long messages on two connections of an interface end at nearly the same time.
func TestFairness(t *testing.T) {
	withFan(t, "connectx-ddr", 2, func(x *fan) {
		var ends []int64
		for _, q := range x.qa {
			must(q.PostSend([]verbs.SendWR{{Op: verbs.Write, Flags: verbs.Signaled, SGL: x.a.sge(0, 1<<20), RemoteAddr: x.b.mr.Addr(), RKey: x.b.mr.RKey()}}))
		}
		start := x.s.Now()
		for range x.qa {
			x.a.next()
			ends = append(ends, x.s.Now()-start)
		}
		if float64(ends[0]) < 0.95*float64(ends[1]) {
			t.Errorf("the messages took %d and %d ns", ends[0], ends[1])
		}
	})
}

// TestLoopback: what passes through a node's own interface is not much faster than what goes to another node.
func TestLoopback(t *testing.T) {
	half := func(node int) (ns int64) {
		s, f := cluster(t, "connectx-ddr", 2)
		a, b := newSide(t, f, 0, 64), newSide(t, f, node, 64)
		qa, qb := a.qp(verbs.RC), b.qp(verbs.RC)
		s.Go("pair", func() {
			connect(a, b, qa, qb)
			must(qb.PostRecv([]verbs.RecvWR{{}}))
			start := s.Now()
			must(qa.PostSend([]verbs.SendWR{{Op: verbs.Send}}))
			b.next()
			ns = s.Now() - start
		})
		if err := s.Run(); err != nil {
			t.Fatal(err)
		}
		return ns
	}
	if far, near := half(1), half(0); near >= far || float64(near) < 0.7*float64(far) {
		t.Errorf("%d ns to itself, %d to another node", near, far)
	}
}

// TestReadBehindWrite: two long Reads that cross share a connection and no direction, so they take the time
// of one. A Read behind a Write moves its bytes the other way too, but is asked for only when the Write has
// left, as on real interfaces.
func TestReadBehindWrite(t *testing.T) {
	const n = 256 << 10
	took := func(first verbs.Op) (ns int64) {
		withPair(t, "ne020", func(f *Fabric, a, b *side, qa, qb verbs.QP) {
			post := func(op verbs.Op, from, to *side, q verbs.QP) {
				must(q.PostSend([]verbs.SendWR{{Op: op, Flags: verbs.Signaled, SGL: from.sge(0, n), RemoteAddr: to.mr.Addr(), RKey: to.mr.RKey()}}))
			}
			start := f.s.Now()
			if first == verbs.Write {
				post(verbs.Write, a, b, qa)
				post(verbs.Read, a, b, qa)
				a.next()
			} else {
				post(verbs.Read, b, a, qb)
				post(verbs.Read, a, b, qa)
				b.next()
			}
			a.next()
			ns = f.s.Now() - start
		})
		return ns
	}
	crossing, behind := took(verbs.Read), took(verbs.Write)
	if behind < crossing*17/10 || behind > crossing*2 {
		t.Errorf("reads that cross: %d ns, a read behind a write: %d ns", crossing, behind)
	}
}
