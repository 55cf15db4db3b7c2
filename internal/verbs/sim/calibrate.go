package sim

import (
	"fmt"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/verbs"
)

// Check is one calibration: what a document says of a platform, and what the model of it does.
type Check struct {
	Name  string
	Paper float64
	Ours  float64
	Error float64 // relative
	How   How     // of the paper's value
	From  string  // its source
}

// target is something a profile can be held to.
type target struct {
	name    string
	text    string
	measure func(*trial) float64
}

// targets are all there are, in the order in which they are measured.
var targets = []target{
	{"latency_us", "half a round trip of 4-byte Writes, the target polls its memory", func(t *trial) float64 { return t.writes(4) }},
	{"send_latency_us", "half a round trip of 4-byte Sends", func(t *trial) float64 { return t.sends(4) }},
	{"one_way_mb_s", "Writes of 1 MB in one direction", func(t *trial) float64 { return t.stream(1<<20, 1, false) }},
	{"both_way_mb_s", "Writes of 1 MB in both directions together", func(t *trial) float64 { return t.stream(1<<20, 1, true) }},
	{"both_way_rails_mb_s", "likewise on all rails", func(t *trial) float64 { return t.stream(1<<20, t.f.cluster.Rails, true) }},
	{"ping_pong_mb_s", "half a round trip of Sends of 1 MB, as bandwidth", func(t *trial) float64 { return (1 << 20) / t.sends(1<<20) }},
	{"exchange_mb_s", "Sends of 64 KB in both directions together", func(t *trial) float64 { return t.exchange(64 << 10) }},
	{"register_4k_us", "registering 4 KB", func(t *trial) float64 { return t.register(4<<10, false) }},
	{"register_32k_us", "registering 32 KB", func(t *trial) float64 { return t.register(32<<10, false) }},
	{"register_1m_us", "registering 1 MB", func(t *trial) float64 { return t.register(1<<20, false) }},
	{"deregister_4k_us", "ending a registration of 4 KB", func(t *trial) float64 { return t.register(4<<10, true) }},
}

// TargetText says what a target means; it is empty for a name that is none.
func TargetText(name string) string {
	for _, t := range targets {
		if t.name == name {
			return t.text
		}
	}
	return ""
}

// Calibrate measures, in virtual time and without MPI, everything that a profile has targets for.
func Calibrate(p *Profile) ([]Check, error) {
	var checks []Check
	for _, t := range targets {
		want, there := p.Targets[t.name]
		if !there {
			continue
		}
		ours, err := measure(p, t)
		if err != nil {
			return nil, fmt.Errorf("sim: %s of %s: %w", t.name, p.Name, err)
		}
		checks = append(checks, Check{Name: t.name, Paper: want.Value, Ours: ours, Error: ours/want.Value - 1, How: want.How, From: want.Source})
	}
	return checks, nil
}

// trial is one measurement between two nodes.
type trial struct {
	s    *clock.Scheduler
	f    *Fabric
	ends [2]*party
}

// party is one process of a trial.
type party struct {
	dev  *Device
	pd   verbs.PD
	cq   verbs.CQ
	mr   verbs.MR
	buf  []byte
	qps  []verbs.QP
	peer *party
	out  [1]verbs.Completion
}

const trialBytes = 2 << 20

// measure runs one measurement in a world of its own.
func measure(p *Profile, t target) (result float64, err error) {
	s := clock.NewScheduler(0)
	f, err := New(s, Cluster{Nodes: 2, Profile: p})
	if err != nil {
		return 0, err
	}
	x := &trial{s: s, f: f}
	for i := range x.ends {
		if x.ends[i], err = newParty(f, i); err != nil {
			return 0, err
		}
	}
	x.ends[0].peer, x.ends[1].peer = x.ends[1], x.ends[0]
	s.Go("trial", func() {
		if err = x.connect(); err == nil {
			result = t.measure(x)
		}
	})
	if failed := s.Run(); failed != nil {
		return 0, failed
	}
	return result, err
}

func newParty(f *Fabric, node int) (*party, error) {
	d, err := f.Open(node)
	if err != nil {
		return nil, err
	}
	e := &party{dev: d, buf: make([]byte, trialBytes)}
	if e.pd, err = d.NewPD(); err != nil {
		return nil, err
	}
	if e.cq, err = d.NewCQ(verbs.CQConfig{Depth: 1024}); err != nil {
		return nil, err
	}
	if e.mr, err = e.pd.Register(e.buf, verbs.LocalWrite|verbs.RemoteWrite); err != nil {
		return nil, err
	}
	for r := range d.Rails() {
		q, err := e.pd.NewQP(verbs.QPConfig{Type: verbs.RC, SendCQ: e.cq, RecvCQ: e.cq, SendDepth: 64, RecvDepth: 64, Rail: r})
		if err != nil {
			return nil, err
		}
		if err := q.Modify(verbs.Init); err != nil {
			return nil, err
		}
		e.qps = append(e.qps, q)
	}
	return e, nil
}

// connect connects the queue pairs of each rail.
func (x *trial) connect() error {
	for r, q := range x.ends[0].qps {
		l, err := x.ends[1].dev.Listen(verbs.ListenConfig{Rail: r})
		if err != nil {
			return err
		}
		if err := q.Connect(l.Addr(), nil); err != nil {
			return err
		}
		if err := x.event(1, verbs.ConnectRequest).Request.Accept(x.ends[1].qps[r], nil); err != nil {
			return err
		}
		x.event(0, verbs.Established)
		x.event(1, verbs.Established)
		if err := l.Close(); err != nil {
			return err
		}
	}
	return nil
}

// event waits for an event of a kind.
func (x *trial) event(side int, kind verbs.EventKind) verbs.Event {
	var ev [1]verbs.Event
	for x.ends[side].dev.PollEvents(ev[:]) == 0 || ev[0].Kind != kind {
		x.s.Sleep(1000)
	}
	return ev[0]
}

// post posts one work request of n bytes; what it writes goes to the second half of the peer's memory.
func (e *party) post(rail int, op verbs.Op, flags verbs.Flags, n int) {
	wr := verbs.SendWR{Op: op, Flags: flags, SGL: []verbs.SGE{{Buf: e.buf[:n], LKey: e.mr.LKey()}},
		RemoteAddr: e.peer.mr.Addr() + trialBytes/2, RKey: e.peer.mr.RKey()}
	if _, err := e.qps[rail].PostSend([]verbs.SendWR{wr}); err != nil {
		panic(err)
	}
}

func (e *party) wait() {
	for e.cq.Poll(e.out[:]) == 0 {
		e.cq.Wait(-1)
	}
	if e.out[0].Status != verbs.OK {
		panic(e.out[0].Status.String())
	}
}

const rounds = 24

// both runs f for both ends beside each other, and tells how long that takes.
func (x *trial) both(f func(e *party, first bool)) float64 {
	start, left := x.s.Now(), 2
	for i, e := range x.ends {
		x.s.Go("end", func() {
			f(e, i == 0)
			left--
		})
	}
	for left > 0 {
		x.s.Sleep(100)
	}
	return float64(x.s.Now() - start)
}

// writes is half a round trip of Writes of n bytes, in us.
func (x *trial) writes(n int) float64 {
	ns := x.both(func(e *party, first bool) {
		seen := &e.buf[trialBytes/2+n-1]
		hit := func(i int) {
			e.buf[n-1] = byte(i + 1)
			e.post(0, verbs.Write, 0, n)
		}
		for i := range rounds {
			if first {
				hit(i)
			}
			for *seen != byte(i+1) {
				x.s.Charge(x.f.cost.poll.get())
				x.s.Settle()
			}
			if !first {
				hit(i)
			}
		}
	})
	return ns / rounds / 2 / 1e3
}

// sends is half a round trip of Sends of n bytes, in us.
func (x *trial) sends(n int) float64 {
	ns := x.both(func(e *party, first bool) {
		for range rounds + 1 {
			_, _ = e.qps[0].PostRecv([]verbs.RecvWR{{SGL: []verbs.SGE{{Buf: e.buf[trialBytes/2:], LKey: e.mr.LKey()}}}})
		}
		for range rounds {
			if first {
				e.post(0, verbs.Send, 0, n)
			}
			e.wait()
			if !first {
				e.post(0, verbs.Send, 0, n)
			}
		}
	})
	return ns / rounds / 2 / 1e3
}

// exchange is how many MB/s of Sends of n bytes pass in both directions together.
func (x *trial) exchange(n int) float64 {
	ns := x.both(func(e *party, _ bool) {
		recv := []verbs.RecvWR{{SGL: []verbs.SGE{{Buf: e.buf[trialBytes/2:], LKey: e.mr.LKey()}}}}
		for range 2 * rounds {
			_, _ = e.qps[0].PostRecv(recv)
		}
		for i := range 2 * rounds {
			e.post(0, verbs.Send, 0, n)
			if i >= 8 {
				e.wait()
			}
		}
		for range 8 {
			e.wait()
		}
	})
	return float64(4*rounds*n) / ns * 1e3
}

// stream is how many MB/s of Writes of n bytes pass over some rails, in one direction or in both together.
func (x *trial) stream(n, rails int, bothWays bool) float64 {
	const window = 16
	ns := x.both(func(e *party, first bool) {
		if !first && !bothWays {
			return
		}
		for i := range rounds {
			for r := range rails {
				if i >= window {
					e.wait()
				}
				e.post(r, verbs.Write, verbs.Signaled, n)
			}
		}
		for range window * rails {
			e.wait()
		}
	})
	bytes := float64(rounds * n * rails)
	if bothWays {
		bytes *= 2
	}
	return bytes / ns * 1e3
}

// register is how long it takes to register n bytes, or to end that, in us.
func (x *trial) register(n int, end bool) float64 {
	start := x.s.Now()
	mr, err := x.ends[0].pd.Register(x.ends[0].buf[:n], verbs.LocalWrite)
	if err != nil {
		panic(err)
	}
	if end {
		start = x.s.Now()
		_ = mr.Close()
	}
	return float64(x.s.Now()-start) / 1e3
}
