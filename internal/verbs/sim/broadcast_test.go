package sim

import (
	"bytes"
	"net/netip"
	"testing"

	"github.com/weft-mpi/weft/internal/verbs"
)

var everyone = netip.MustParseAddrPort("239.1.2.3:7")

// choir is a root on node 0 and two members on each of three nodes, the root's among them.
type choir struct {
	root    *side
	out     verbs.QP
	members []*side
	ins     []verbs.QP
}

func newChoir(t *testing.T, f *Fabric, bytes int) *choir {
	t.Helper()
	c := &choir{root: newSide(t, f, 0, bytes)}
	c.out = c.root.qp(verbs.UD)
	for i := range 6 {
		m := newSide(t, f, i/2, bytes)
		q := m.qp(verbs.UD)
		if err := q.Attach(everyone); err != nil {
			t.Fatal(err)
		}
		c.members, c.ins = append(c.members, m), append(c.ins, q)
	}
	return c
}

func (c *choir) receive(member, off, n int) {
	must(c.ins[member].PostRecv([]verbs.RecvWR{{ID: uint64(off), SGL: c.members[member].sge(off, n)}}))
}

func (c *choir) send(off, n int) {
	must(c.out.PostSend([]verbs.SendWR{{Op: verbs.Send, AH: c.root.ah(everyone), SGL: c.root.sge(off, n)}}))
}

// TestBroadcastEntersANodeOnce: the members of a node get a message at the same moment, and its interface
// takes it in once. Where every member has a datagram of its own, they come one after the other.
func TestBroadcastEntersANodeOnce(t *testing.T) {
	const n = 4096
	s, f := cluster(t, "qsnet2", 3)
	c := newChoir(t, f, n)
	for i := range c.root.buf {
		c.root.buf[i] = byte(i * 7)
	}
	var at [6]int64
	for i, m := range c.members {
		c.receive(i, 0, n)
		s.Go("member", func() {
			if done := m.next(); done.Status != verbs.OK || done.Len != n || !bytes.Equal(m.buf, c.root.buf) {
				t.Errorf("member %d: %+v", i, done)
			}
			at[i] = s.Now()
		})
	}
	s.Go("root", func() { c.send(0, n) })
	if err := s.Run(); err != nil {
		t.Fatal(err)
	}
	for node := range 3 {
		if at[2*node] != at[2*node+1] || at[2*node] == 0 {
			t.Errorf("the members of node %d have it at %d and %d ns", node, at[2*node], at[2*node+1])
		}
		if got := f.nodes[node].ports[0].traffic; got.Received != 1 || got.BytesIn != n {
			t.Errorf("interface of node %d: %+v", node, got)
		}
	}
	if at[2] != at[4] {
		t.Errorf("two other nodes have it at %d and %d ns", at[2], at[4])
	}
	if sent := f.nodes[0].ports[0].traffic.Sent; sent != 1 {
		t.Errorf("it left %d times", sent)
	}
}

// TestBroadcastWaitsForReceives: who has no receive gets everything later and in order, and holds up nobody else.
func TestBroadcastWaitsForReceives(t *testing.T) {
	s, f := cluster(t, "qsnet2", 3)
	c := newChoir(t, f, 64)
	var got [6][]byte
	var at [6]int64
	for i, m := range c.members {
		s.Go("member", func() {
			for k := range 3 {
				if i == 3 {
					s.Sleep(100_000) // comes late each time
				}
				c.receive(i, k, 1)
			}
			for range 3 {
				done := m.next()
				got[i] = append(got[i], m.buf[done.ID])
			}
			at[i] = s.Now()
		})
	}
	s.Go("root", func() {
		copy(c.root.buf, "abc")
		s.Sleep(1000)
		for k := range 3 {
			c.send(k, 1)
		}
	})
	if err := s.Run(); err != nil {
		t.Fatal(err)
	}
	for i := range got {
		if string(got[i]) != "abc" {
			t.Errorf("member %d got %q", i, got[i])
		}
		if late := at[i] > 50_000; late != (i == 3) {
			t.Errorf("member %d had everything at %d ns", i, at[i])
		}
	}
}

// TestBroadcastGivesUp: a member that never has a receive fails, the others do not notice.
func TestBroadcastGivesUp(t *testing.T) {
	s, f := cluster(t, "qsnet2", 3)
	c := newChoir(t, f, 64)
	s.Go("members", func() {
		for i := 1; i < len(c.members); i++ {
			c.receive(i, 0, 8)
		}
		c.send(0, 8)
		for _, m := range c.members[1:] {
			if done := m.next(); done.Status != verbs.OK {
				t.Errorf("%+v", done)
			}
		}
		s.Sleep(3 * f.cost.rnrLimit.get())
		if c.ins[0].State() != verbs.Error || c.ins[1].State() != verbs.RTS {
			t.Errorf("the member without a receive is in %v, another one in %v", c.ins[0].State(), c.ins[1].State())
		}
	})
	if err := s.Run(); err != nil {
		t.Fatal(err)
	}
}

// TestMulticastIsADatagram: without a broadcast of the hardware, a member that has no receive misses what is sent.
func TestMulticastIsADatagram(t *testing.T) {
	p, err := LoadProfile("qsnet2")
	if err != nil {
		t.Fatal(err)
	}
	par := p.Parameters["multicast"]
	par.Value = 1
	p.Parameters["multicast"] = par
	s, f := clusterOf(t, p, 3)
	c := newChoir(t, f, 4096)
	var at [2]int64
	for i := range 2 {
		c.receive(2+i, 0, 4096)
		s.Go("member", func() {
			c.members[2+i].next()
			at[i] = s.Now()
		})
	}
	s.Go("root", func() { c.send(0, 4096) })
	if err := s.Run(); err != nil {
		t.Fatal(err)
	}
	if at[0] == at[1] || c.members[0].dev.counts.noReceive != 1 {
		t.Errorf("two members of a node have it at %d and %d ns; %d missed by one without a receive", at[0], at[1], c.members[0].dev.counts.noReceive)
	}
}
