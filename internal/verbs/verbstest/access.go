package verbstest

import (
	"fmt"
	"time"

	"github.com/weft-mpi/weft/internal/verbs"
)

// Memory is safe from peers that have no right to it.
var accessCases = []scenario{
	{name: "access/rights", run: accessRights},
	{name: "access/bounds", run: accessBounds},
	{name: "access/keys", run: accessKeys},
	{name: "access/every refusal is answered", types: datagrams, run: everyRefusal},
	{name: "access/nothing to move needs no key", types: reliable, run: zeroLength},
	{name: "access/invalidate", types: reliable, run: invalidateKeys},
	{name: "access/others are served on", types: datagrams, run: othersGoOn},
	{name: "access/StrictErrors", types: datagrams, run: strictErrors},
	{name: "access/a region closed under way", run: closedUnderWay},
}

const allRights = verbs.LocalWrite | verbs.RemoteRead | verbs.RemoteWrite | verbs.RemoteAtomic

// remoteOp is an operation on remote memory and the right it needs.
type remoteOp struct {
	op    verbs.Op
	right verbs.Access
}

// remoteOps lists the operations on remote memory that the device has for this type.
func (r *rig) remoteOps() (ops []remoteOp) {
	if r.hasReadWrite() {
		ops = append(ops, remoteOp{verbs.Write, verbs.RemoteWrite}, remoteOp{verbs.Read, verbs.RemoteRead})
	}
	if r.hasWriteImm() && r.typ != verbs.UD {
		ops = append(ops, remoteOp{verbs.WriteImm, verbs.RemoteWrite})
	}
	if r.caps.Atomics && r.typ != verbs.UD {
		ops = append(ops, remoteOp{verbs.FetchAdd, verbs.RemoteAtomic}, remoteOp{verbs.CompareSwap, verbs.RemoteAtomic})
	}
	if r.caps.WriteRecord && r.typ == verbs.UD {
		ops = append(ops, remoteOp{verbs.WriteRecord, verbs.RemoteWrite})
	}
	if len(ops) == 0 {
		r.Skip("the device has no operation on remote memory")
	}
	return ops
}

// noticePause is how long to leave a device alone that tells its peers of errors, but not of every one in a flood.
const noticePause = 2 * time.Millisecond

// attempt has a peer try wr on target, which must refuse it and stay as it is. b is a's peer.
func (r *rig) attempt(what string, a, b *end, target *region, wr verbs.SendWR) {
	r.Helper()
	near := a.host.region(r, 64, verbs.LocalWrite)
	fill(near.buf, 3)
	fill(target.buf, 4)
	n := 32
	if wr.Op == verbs.FetchAdd || wr.Op == verbs.CompareSwap {
		n, wr.Swap = 8, 1
	}
	wr.ID, wr.SGL, wr.Flags = 1, near.sgl(0, n), verbs.Signaled
	if wr.Op == verbs.WriteImm {
		b.recv(1)
	}
	r.world.Sleep(noticePause)
	a.post(wr)
	c := r.take(a.sends, 1)[0]
	answered := wr.Op == verbs.Read || wr.Op == verbs.FetchAdd || wr.Op == verbs.CompareSwap
	switch {
	case c.ID != 1:
		r.Fatalf("%s: completion id %d", what, c.ID)
	case c.Status == verbs.RemoteAccess:
	case c.Status == verbs.Flushed && r.typ == verbs.RC && !r.caps.TellsWhy:
	case c.Status == verbs.Unreachable && r.typ == verbs.UD && !r.caps.ErrorNotices:
	case !answered && (c.Status == verbs.OK || c.Status == verbs.Flushed) && !(r.typ == verbs.RC && r.caps.PeerAck):
	default:
		r.Fatalf("%s: %v completed with %v, want RemoteAccess", what, wr.Op, c.Status)
	}
	if r.typ == verbs.RC {
		a.becomes(verbs.Error)
		b.becomes(verbs.Error)
		mine, theirs := r.event(a.host, a.qp.Num(), verbs.QPFatal), r.event(b.host, b.qp.Num(), verbs.QPFatal)
		if mine.Err == nil || theirs.Err == nil {
			r.Fatalf("%s: QPFatal says %v here and %v there", what, mine.Err, theirs.Err)
		}
	} else {
		r.noticed(what, a, b, wr.Op, c.Status)
	}
	target.untouched(what, 4)
	near.only(what, 0, 64, 3, 3)
}

// noticed checks that a datagram peer heard of its error, and that both go on. Where queue pairs share an address,
// a Write does not say which one sent it: nobody is told.
func (r *rig) noticed(what string, a, b *end, op verbs.Op, status verbs.Status) {
	r.Helper()
	if r.caps.ErrorNotices && status == verbs.OK && !(r.named && op != verbs.Send) {
		e := r.event(a.host, a.qp.Num(), verbs.RemoteError)
		if e.Peer != b.qp.Addr() || e.Err == nil {
			r.Fatalf("%s: event about peer %v, error %v", what, e.Peer, e.Err)
		}
	}
	if a.qp.State() != verbs.RTS || b.qp.State() != verbs.RTS {
		r.Fatalf("%s: the queue pairs are %v and %v", what, a.qp.State(), b.qp.State())
	}
}

func accessRights(r *rig) {
	for _, o := range r.remoteOps() {
		op := o.op
		if op == verbs.Read && !r.caps.GuardsReads {
			continue
		}
		a, b := r.pair()
		target := b.host.region(r, 128, allRights&^o.right)
		r.attempt(fmt.Sprintf("%v without the right", op), a, b, target,
			verbs.SendWR{Op: op, RemoteAddr: target.at(0), RKey: target.mr.RKey()})
		a, b = r.pair()
		target = b.host.region(r, 128, verbs.LocalWrite)
		r.attempt(fmt.Sprintf("%v without any right", op), a, b, target,
			verbs.SendWR{Op: op, RemoteAddr: target.at(0), RKey: target.mr.RKey()})
	}
}

func accessBounds(r *rig) {
	for _, o := range r.remoteOps() {
		op, n := o.op, 32
		if op == verbs.FetchAdd || op == verbs.CompareSwap {
			n = 8
		}
		a, b := r.pair()
		for _, row := range []struct {
			what string
			at   func(*region) uint64
		}{
			{"before the region", func(g *region) uint64 { return g.at(0) - 8 }},
			{"over the region's end", func(g *region) uint64 { return g.at(128 - n + 8) }},
			{"after the region", func(g *region) uint64 { return g.at(128) }},
			{"far away", func(g *region) uint64 { return g.at(1 << 40) }},
			{"around the top", func(*region) uint64 { return ^uint64(7) }},
		} {
			if r.typ == verbs.RC {
				a, b = r.pair()
			}
			target := b.host.region(r, 128, allRights)
			r.attempt(fmt.Sprintf("%v %s", op, row.what), a, b, target,
				verbs.SendWR{Op: op, RemoteAddr: row.at(target), RKey: target.mr.RKey()})
		}
	}
}

func accessKeys(r *rig) {
	rows := []struct {
		what  string
		spoil func(*region) uint32
	}{
		{"a key never given out", func(g *region) uint32 { return g.mr.RKey() ^ 0x5a5a5a00 }},
		{"the key's last byte", func(g *region) uint32 { return g.mr.RKey() ^ 1 }},
		{"a key before Rekey", func(g *region) uint32 {
			old := g.mr.RKey()
			if err := g.mr.Rekey(); err != nil || g.mr.RKey() == old {
				r.Fatalf("Rekey from %x to %x: %v", old, g.mr.RKey(), err)
			}
			return old
		}},
		{"a closed region", func(g *region) uint32 { key := g.mr.RKey(); g.close(); return key }},
	}
	for _, o := range r.remoteOps() {
		for _, row := range rows {
			a, b := r.pair()
			target := b.host.region(r, 128, allRights)
			addr, key := target.at(0), row.spoil(target)
			r.attempt(fmt.Sprintf("%v with %s", o.op, row.what), a, b, target,
				verbs.SendWR{Op: o.op, RemoteAddr: addr, RKey: key})
		}
		r.foreignDomain(o.op)
	}
}

// foreignDomain tries the key of another domain of the same device.
func (r *rig) foreignDomain(op verbs.Op) {
	r.Helper()
	a, b := r.pair()
	pd, err := b.host.dev.NewPD()
	if err != nil {
		r.Fatal(err)
	}
	other := &host{dev: b.host.dev, pd: pd}
	target := other.region(r, 128, allRights)
	r.attempt(fmt.Sprintf("%v with the key of another domain", op), a, b, target,
		verbs.SendWR{Op: op, RemoteAddr: target.at(0), RKey: target.mr.RKey()})
}

// everyRefusal has refused Reads follow each other fast: each must end, however few notices the device likes to send.
func everyRefusal(r *rig) {
	r.need(r.hasReadWrite(), "Read")
	a, _ := r.pair()
	g := a.host.region(r, 32, verbs.LocalWrite)
	for i := range uint64(8) {
		a.post(verbs.SendWR{ID: i, Op: verbs.Read, Flags: verbs.Signaled, SGL: g.sgl(0, 32), RKey: 0xdeadbe00, RemoteAddr: i})
	}
	for i, c := range r.take(a.sends, 8) {
		told := c.Status == verbs.RemoteAccess || r.typ == verbs.UD && c.Status == verbs.Unreachable
		if c.ID != uint64(i) || !told {
			r.Fatalf("refused Read %d: completion %d %v", i, c.ID, c.Status)
		}
	}
	if s := a.qp.State(); s != verbs.RTS {
		r.Errorf("the queue pair is %v", s)
	}
	a.hello()
}

// zeroLength: a message without bytes touches no memory, so nothing about memory is checked.
func zeroLength(r *rig) {
	r.need(r.hasReadWrite(), "Read and Write")
	a, _ := r.pair()
	for i, op := range []verbs.Op{verbs.Write, verbs.Read} {
		if op == verbs.Write && r.named {
			continue // its key is all that tells which queue pair it is for
		}
		a.post(verbs.SendWR{ID: uint64(i), Op: op, Flags: verbs.Signaled, RKey: 0xdeadbe00, RemoteAddr: 12345})
		a.sent(uint64(i), op)
	}
	a.hello()
}

// invalidateKeys: after a Send with Invalidate the key is dead, and only a key of the domain can be invalidated.
func invalidateKeys(r *rig) {
	r.need(r.caps.Invalidate, "Send with Invalidate")
	r.need(r.hasReadWrite(), "Write")
	a, b := r.pair()
	target := b.host.region(r, 128, allRights)
	key := target.mr.RKey()
	b.recv(7)
	a.post(verbs.SendWR{ID: 7, Op: verbs.SendInvalidate, Flags: verbs.Signaled, Invalidate: key})
	a.sent(7, verbs.SendInvalidate)
	b.got(7, verbs.Recv, 0)
	r.attempt("Read with an invalidated key", a, b, target, verbs.SendWR{Op: verbs.Read, RemoteAddr: target.at(0), RKey: key})

	a, b = r.pair()
	b.recv(8)
	a.post(verbs.SendWR{ID: 8, Op: verbs.SendInvalidate, Flags: verbs.Signaled, Invalidate: 0xdeadbe00})
	c := r.take(a.sends, 1)[0]
	if c.Status != verbs.OK && c.Status != verbs.RemoteAccess && c.Status != verbs.RemoteInvalid && c.Status != verbs.Flushed {
		r.Errorf("invalidating an unknown key: %v", c.Status)
	}
	if r.typ == verbs.RC {
		a.becomes(verbs.Error)
		b.becomes(verbs.Error)
	}
}

// othersGoOn: one peer's errors do not hurt another's traffic.
func othersGoOn(r *rig) {
	a, b := r.pair()
	good := r.endOn(r.hosts[0]).init()
	good.peer = b
	long := a.host.region(r, 100, 0)
	small := b.host.region(r, 10, verbs.LocalWrite)
	for i := range uint64(5) {
		b.recv(i, small.sge(0, 10))
		a.post(verbs.SendWR{ID: i, Op: verbs.Send, Flags: verbs.Signaled, SGL: long.sgl(0, 100)})
		r.take(a.sends, 1)
		if c := r.take(b.recvs, 1)[0]; c.Status != verbs.LocalLength {
			r.Fatalf("a message of 100 bytes into 10: %v", c.Status)
		}
		b.peer = good
		good.hello()
		b.peer = a
	}
	if b.qp.State() != verbs.RTS {
		r.Errorf("the queue pair is %v after a peer's errors", b.qp.State())
	}
}

// strictErrors: with StrictErrors one bad message stops the queue pair for all, until reset.
func strictErrors(r *rig) {
	for _, op := range []verbs.Op{verbs.Send, verbs.Write} {
		if op == verbs.Write && (!r.hasReadWrite() || r.named) {
			continue // a shared address does not tell whose a wrong key is
		}
		a, b := r.pair(func(c *verbs.QPConfig) { c.StrictErrors = true })
		a.hello()
		if op == verbs.Send {
			b.recv(1) // has no room for it
		}
		a.post(verbs.SendWR{ID: 1, Op: op, Flags: verbs.Signaled, RKey: 0xdeadbe00, SGL: a.host.region(r, 10, 0).sgl(0, 10)})
		r.until("a bad "+op.String()+" to stop the peer", func() bool { return b.qp.State() == verbs.Error })
		r.event(b.host, b.qp.Num(), verbs.QPFatal)
		if a.qp.State() != verbs.RTS {
			r.Errorf("after a bad %v the sender is %v", op, a.qp.State())
		}
		r.take(a.sends, 1)
		b.restart()
		a.hello()
	}
}

// restart brings a datagram queue pair from Error through Reset to RTS, and forgets what it had to say.
func (e *end) restart() {
	e.r.Helper()
	e.modify(verbs.Reset)
	e.init()
	e.r.settle()
	e.sends.done, e.recvs.done = nil, nil
}

// closedUnderWay closes regions while the device works on them: no byte changes afterwards, and the work ends.
func closedUnderWay(r *rig) {
	n := 4 << 20
	if r.typ == verbs.UD {
		n = r.caps.MaxDatagram
	}
	for round := range 4 {
		a, b := r.pair()
		src, dst := a.host.region(r, n, 0), b.host.region(r, n, verbs.LocalWrite)
		fill(src.buf, 1)
		b.recv(1, dst.sge(0, n))
		a.post(verbs.SendWR{ID: 1, Op: verbs.Send, Flags: verbs.Signaled, SGL: src.sgl(0, n)})
		for range round {
			r.step()
		}
		dst.close()
		before := make([]byte, n)
		copy(before, dst.buf)
		if round%2 == 1 {
			src.close()
		}
		r.within(r.opt.Patience/100, func() bool { return len(b.recvs.done) > 0 })
		r.settle()
		if string(before) != string(dst.buf) {
			r.Fatalf("round %d: the region was written after Close returned", round)
		}
		for _, c := range b.recvs.done {
			if round%2 == 0 && c.Status != verbs.OK && c.Status != verbs.LocalProtection && c.Status != verbs.Flushed {
				r.Errorf("round %d: the receive into a closed region ended as %v", round, c.Status)
			}
			if c.Status == verbs.OK && firstWrong(dst.buf, 1) >= 0 {
				r.Errorf("round %d: the receive is OK and its bytes are not", round)
			}
		}
	}
}
