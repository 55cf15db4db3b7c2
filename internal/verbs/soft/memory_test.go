package soft

import (
	"runtime"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/iwarp"
	"github.com/weft-mpi/weft/internal/verbs"
)

// heapNow is how many bytes are in use on the heap.
func heapNow() int64 {
	runtime.GC()
	runtime.GC() // what finalizers and pools held
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// perUnit reports heap bytes per unit and holds them to a generous limit.
func perUnit(t *testing.T, what string, before int64, units int, limit int64) {
	t.Helper()
	each := (heapNow() - before) / int64(units)
	t.Logf("%d bytes per %s", each, what)
	if each > limit {
		t.Errorf("%d bytes per %s, want at most %d", each, what, limit)
	}
}

// TestMemoryOfConnections measures what an idle RC connection keeps on the heap, both ends and their queue pairs.
func TestMemoryOfConnections(t *testing.T) {
	const conns = 500
	a, b := newEnd(t, open(t, Config{}), verbs.RC, 1<<12), newEnd(t, open(t, Config{}), verbs.RC, 1<<12)
	l, err := b.dev.Listen(verbs.ListenConfig{})
	if err != nil {
		t.Fatal(err)
	}
	make1 := func(e *end) verbs.QP {
		qp, err := e.pd.NewQP(verbs.QPConfig{Type: verbs.RC, SendCQ: e.cq, RecvCQ: e.cq, SendDepth: 128, RecvDepth: 128, Inline: 64})
		if err != nil {
			t.Fatal(err)
		}
		if err := qp.Modify(verbs.Init); err != nil {
			t.Fatal(err)
		}
		return qp
	}
	qps := make([]verbs.QP, 0, 2*conns)
	before := heapNow()
	for range conns {
		p, q := make1(a), make1(b)
		if err := p.Connect(l.Addr(), nil); err != nil {
			t.Fatal(err)
		}
		if err := b.event(verbs.ConnectRequest).Request.Accept(q, nil); err != nil {
			t.Fatal(err)
		}
		a.event(verbs.Established)
		b.event(verbs.Established)
		qps = append(qps, p, q)
	}
	perUnit(t, "connection that was never used", before, conns, 16<<10)
	for i := range conns { // a message each way, then idle again
		p, q := qps[2*i], qps[2*i+1]
		for _, x := range []struct {
			from, to verbs.QP
			fe, te   *end
		}{{p, q, a, b}, {q, p, b, a}} {
			if _, err := x.to.PostRecv([]verbs.RecvWR{{SGL: []verbs.SGE{{Buf: x.te.buf, LKey: x.te.mr.LKey()}}}}); err != nil {
				t.Fatal(err)
			}
			if _, err := x.from.PostSend([]verbs.SendWR{{Op: verbs.Send, Flags: verbs.Signaled, SGL: []verbs.SGE{{Buf: x.fe.buf, LKey: x.fe.mr.LKey()}}}}); err != nil {
				t.Fatal(err)
			}
			if c := x.fe.await(); c.Status != verbs.OK {
				t.Fatalf("%+v", c)
			}
			if c := x.te.await(); c.Status != verbs.OK {
				t.Fatalf("%+v", c)
			}
		}
	}
	perUnit(t, "connection after a message each way", before, conns, 24<<10)
	runtime.KeepAlive(qps)
}

// talkOnce makes a queue pair, has it exchange a message with each of n hand-made peers, and returns it with what the
// heap was before.
func talkOnce(t *testing.T, typ verbs.Type, n int) (before int64, centre *end) {
	t.Helper()
	centre = newEnd(t, open(t, Config{}), typ, 64)
	if err := centre.qp.Modify(verbs.RTS); err != nil {
		t.Fatal(err)
	}
	peers := make([]*rawPeer, n+1) // all at once, so that none has the port of another
	for i := range peers {
		peers[i] = rawTo(t, centre.qp.Addr())
	}
	for i, p := range peers {
		if i == 1 {
			before = heapNow() // what the first one costs is not counted
		}
		centre.receives(1, 64)
		if h := sendHeader(1, 0, true); typ == verbs.RD {
			p.send(h, []byte("hello"))
		} else {
			p.raw(iwarp.SealDatagram(append(h.Append(nil), "hello"...), 0))
		}
		if c := centre.await(); c.Status != verbs.OK || c.Len != 5 {
			t.Fatalf("%+v", c)
		}
		to := centre.handle(p.addr())
		post(t, centre, verbs.SendWR{Op: verbs.Send, AH: to, SGL: []verbs.SGE{{Buf: centre.buf, LKey: centre.mr.LKey()}}})
		if typ == verbs.RD {
			p.acknowledge()
		}
		if c := centre.await(); c.Status != verbs.OK || c.Op != verbs.Send {
			t.Fatalf("%+v", c)
		}
		to.Close()
	}
	return before, centre
}

// acknowledge waits for a datagram with data and says that it has come.
func (c *rawPeer) acknowledge() {
	c.t.Helper()
	b := make([]byte, 2048)
	c.conn.SetReadDeadline(time.Now().Add(5 * time.Second))
	for {
		n, err := c.conn.Read(b)
		if err != nil {
			c.t.Fatal(err)
		}
		var s iwarp.Shim
		if _, ok := iwarp.ParseShim(b[:n], &s); ok && s.Data {
			ack := iwarp.Shim{Epoch: c.shim.Epoch, PSN: c.shim.PSN, APSN: s.PSN + 1, Window: 64, PeerEpoch: s.Epoch}
			c.raw(c.seal(ack.Append(nil)))
			return
		}
	}
}

// TestMemoryOfPeers measures what a queue pair keeps of each peer that it exchanged a message with: nothing on UD, on
// RD the state of a flow.
func TestMemoryOfPeers(t *testing.T) {
	const peers = 1000
	before, ud := talkOnce(t, verbs.UD, peers)
	perUnit(t, "UD peer", before, peers, 64)
	before, rd := talkOnce(t, verbs.RD, peers)
	perUnit(t, "RD peer", before, peers, 8<<10)
	rd.dev.mu.Lock()
	defer rd.dev.mu.Unlock()
	if n := rd.qp.(*dgram).sock.flows.Len(); n != peers+1 {
		t.Errorf("%d flows, want %d", n, peers+1)
	}
	runtime.KeepAlive(ud)
}
