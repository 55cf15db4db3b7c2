package verbstest

import (
	"bytes"
	"fmt"

	"github.com/weft-mpi/weft/internal/verbs"
)

// Every operation moves every size, byte for byte, and touches nothing else.
var integrityCases = []scenario{
	{name: "bytes/Send", run: func(r *rig) { r.bytesOf(verbs.Send, true) }},
	{name: "bytes/SendInvalidate", types: reliable, run: func(r *rig) { r.bytesOf(verbs.SendInvalidate, r.caps.Invalidate) }},
	{name: "bytes/Write", run: func(r *rig) { r.bytesOf(verbs.Write, r.hasReadWrite()) }},
	{name: "bytes/WriteImm", types: reliable, run: func(r *rig) { r.bytesOf(verbs.WriteImm, r.hasWriteImm()) }},
	{name: "bytes/WriteRecord", types: unordered, run: func(r *rig) { r.bytesOf(verbs.WriteRecord, r.caps.WriteRecord) }},
	{name: "bytes/Read", lossy: true, run: func(r *rig) { r.bytesOf(verbs.Read, r.hasReadWrite()) }},
	{name: "bytes/both ways at once", types: reliable, run: bothWays},
}

func (r *rig) hasReadWrite() bool {
	return r.typ == verbs.RC || r.typ == verbs.UD && r.caps.UDReadWrite || r.typ == verbs.RD && r.caps.RDReadWrite || r.typ == verbs.XRC
}

func (r *rig) hasWriteImm() bool { return r.caps.WriteImm && r.hasReadWrite() }

// sizes lists the message sizes to try for an operation, up to what the device takes.
func (r *rig) sizes() []int {
	all := []int{0, 1, 7, 64, 1023, 1024, 1025, 4096, 65535, 65536, 65537, 1 << 20}
	if !r.opt.Brief || r.opt.Big {
		all = append(all, 4<<20)
	}
	if r.opt.Big {
		all = append(all, 16<<20, 64<<20)
	}
	limit := r.caps.MaxMessage
	if r.typ == verbs.UD {
		limit = r.caps.MaxDatagram
		all = append(all, limit-1, limit)
	}
	var fit []int
	for _, n := range all {
		if n <= limit {
			fit = append(fit, n)
		}
	}
	return fit
}

// mover moves bytes from one region to another with one operation.
type mover struct {
	r        *rig
	a, b     *end    // a posts
	src, dst *region // dst belongs to b, except for Read
	key      *region // what SendInvalidate invalidates
	id       uint64
}

func (r *rig) mover(op verbs.Op, most int) *mover {
	r.Helper()
	m := &mover{r: r}
	m.a, m.b = r.pair()
	from, to := m.a.host, m.b.host
	if op == verbs.Read {
		from, to = to, from
	}
	m.src = from.region(r, most+2*guard, verbs.RemoteRead)
	m.dst = to.region(r, most+2*guard, verbs.LocalWrite|verbs.RemoteWrite)
	m.key = m.b.host.region(r, 8, verbs.LocalWrite|verbs.RemoteWrite)
	return m
}

// bytesOf moves all sizes with op and checks what arrived, and that nothing else changed.
func (r *rig) bytesOf(op verbs.Op, has bool) {
	r.need(has, op.String())
	sizes := r.sizes()
	most := 0
	for _, n := range sizes {
		most = max(most, n)
	}
	m := r.mover(op, most)
	for _, n := range sizes {
		data, blank := r.rnd.Uint64(), r.rnd.Uint64()
		m.src.renew()
		fill(m.src.buf[guard:guard+n], data)
		near := m.dst.buf[:min(len(m.dst.buf), n+2*guard)]
		fill(near, blank)
		m.move(op, n, data)
		r.holds(fmt.Sprintf("%v of %d bytes", op, n), near[guard:guard+n], data)
		clean := make([]byte, len(near))
		fill(clean, blank)
		if !bytes.Equal(clean[:guard], near[:guard]) || !bytes.Equal(clean[guard+n:], near[guard+n:]) {
			r.Fatalf("%v of %d bytes wrote beyond its ends", op, n)
		}
		m.src.intact()
		m.dst.intact()
	}
	if late := len(m.a.sends.done) + len(m.b.recvs.done); late > 0 {
		r.Fatalf("%d completions too many", late)
	}
}

// move does one operation of n bytes, with guard bytes before it, and waits until it is certain to have arrived.
func (m *mover) move(op verbs.Op, n int, data uint64) {
	m.r.Helper()
	m.id++
	here, there := m.src, m.dst
	if op == verbs.Read {
		here, there = there, here
	}
	wr := verbs.SendWR{ID: m.id, Op: op, Flags: verbs.Signaled, SGL: here.sgl(guard, guard+n),
		RemoteAddr: there.at(guard), RKey: there.mr.RKey(), Imm: uint32(data)}
	switch op {
	case verbs.Send:
		m.b.recv(m.id, m.dst.sge(guard, guard+n))
		m.a.post(wr)
		m.b.got(m.id, verbs.Recv, n)
	case verbs.SendInvalidate:
		m.invalidate(wr, n)
	case verbs.Write:
		m.a.post(wr)
		m.a.sent(m.id, op)
		m.signal(n, data)
		return
	case verbs.WriteImm:
		m.b.recv(m.id)
		m.a.post(wr)
		if c := m.b.got(m.id, verbs.RecvImm, n); c.Marks&verbs.HasImm == 0 || c.Imm != uint32(data) {
			m.r.Fatalf("immediate data %x (marks %x), sent %x", c.Imm, c.Marks, uint32(data))
		}
	case verbs.WriteRecord:
		m.writeRecord(wr, n)
	case verbs.Read:
		m.a.post(wr)
	}
	if c := m.a.sent(m.id, op); op == verbs.Read && c.Len != n {
		m.r.Fatalf("Read of %d bytes completed with %d", n, c.Len)
	}
}

func (m *mover) invalidate(wr verbs.SendWR, n int) {
	m.r.Helper()
	wr.Invalidate = m.key.mr.RKey()
	m.b.recv(m.id, m.dst.sge(guard, guard+n))
	m.a.post(wr)
	c := m.b.got(m.id, verbs.Recv, n)
	if c.Marks&verbs.Invalidated == 0 || c.Key != wr.Invalidate {
		m.r.Fatalf("marks %x, key %x invalidated, asked for %x", c.Marks, c.Key, wr.Invalidate)
	}
	if err := m.key.mr.Rekey(); err != nil {
		m.r.Fatalf("Rekey after the peer invalidated: %v", err)
	}
	if m.key.mr.RKey() == wr.Invalidate {
		m.r.Fatal("Rekey gave the key again that was just made invalid")
	}
}

// signal makes sure that a Write is placed: on RC and RD by the Send after it. UD promises nothing, so there the
// Write is repeated until it is seen.
func (m *mover) signal(n int, data uint64) {
	m.r.Helper()
	for try := 1; ; try++ {
		m.id++
		m.b.recv(m.id)
		m.a.post(verbs.SendWR{ID: m.id, Op: verbs.Send, Flags: verbs.Signaled})
		m.a.sent(m.id, verbs.Send)
		m.b.got(m.id, verbs.Recv, 0)
		if m.r.typ != verbs.UD || try == 20 || firstWrong(m.dst.buf[guard:guard+n], data) < 0 {
			return
		}
		m.id++
		m.a.post(verbs.SendWR{ID: m.id, Op: verbs.Write, Flags: verbs.Signaled, SGL: m.src.sgl(guard, guard+n),
			RemoteAddr: m.dst.at(guard), RKey: m.dst.mr.RKey()})
		m.a.sent(m.id, verbs.Write)
	}
}

// writeRecord writes a record until all n bytes of it have come: UD gives one up whose pieces come too far apart.
func (m *mover) writeRecord(wr verbs.SendWR, n int) {
	m.r.Helper()
	for try := 1; ; try++ {
		m.a.post(wr)
		covered := m.record(n)
		if covered == n {
			return
		}
		if m.r.typ != verbs.UD || try == 20 {
			m.r.Fatalf("the pieces of the record have %d bytes of %d", covered, n)
		}
		m.a.sent(m.id, wr.Op)
		m.id++
		wr.ID = m.id
	}
}

// record takes the completions of one WriteRecord, and tells how many bytes they cover.
func (m *mover) record(n int) (covered int) {
	m.r.Helper()
	for last := false; !last; {
		c := m.r.take(m.b.recvs, 1)[0]
		last = c.Marks&verbs.LastPiece != 0
		covered += c.Len
		switch {
		case c.Op != verbs.RecvRecord || c.QP != m.b.qp.Num() || c.Status != verbs.OK && c.Status != verbs.Partial:
			m.r.Fatalf("completion qp %d %v %v, want a record", c.QP, c.Op, c.Status)
		case c.Key != m.dst.mr.RKey() || c.Addr < m.dst.at(guard) || c.Addr+uint64(c.Len) > m.dst.at(guard+n):
			m.r.Fatalf("record says %d bytes at %x of key %x, was sent to [%x, %x) of %x", c.Len, c.Addr, c.Key,
				m.dst.at(guard), m.dst.at(guard+n), m.dst.mr.RKey())
		}
	}
	return covered
}

// bothWays has both ends send to each other without waiting.
func bothWays(r *rig) {
	const n, rounds = 100_000, 20
	a, b := r.pair()
	type side struct {
		e        *end
		src, dst *region
	}
	sides := []side{{e: a}, {e: b}}
	for i := range sides {
		s := &sides[i]
		s.src, s.dst = s.e.host.region(r, n*rounds, 0), s.e.host.region(r, n*rounds, verbs.LocalWrite)
		fill(s.src.buf, r.seed+uint64(i))
		for k := range rounds {
			s.e.recv(uint64(k), s.dst.sge(k*n, (k+1)*n))
		}
	}
	for k := range rounds {
		for i := range sides {
			sides[i].e.post(verbs.SendWR{ID: uint64(k), Op: verbs.Send, Flags: verbs.Signaled,
				SGL: sides[i].src.sgl(k*n, (k+1)*n)})
		}
	}
	for i := range sides {
		for k := range rounds {
			sides[i].e.sent(uint64(k), verbs.Send)
			sides[i].e.got(uint64(k), verbs.Recv, n)
		}
		r.holds("both ways", sides[i].dst.buf, r.seed+uint64(1-i))
		sides[i].dst.intact()
	}
}
