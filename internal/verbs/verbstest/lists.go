package verbstest

import (
	"fmt"

	"github.com/weft-mpi/weft/internal/verbs"
)

// Gather and scatter lists, and inline sends.
var listCases = []scenario{
	{name: "lists/gather and scatter", run: gatherScatter},
	{name: "lists/gather into a Write", run: gatherWrite},
	{name: "lists/scatter of a Read", run: scatterRead},
	{name: "lists/scatter stops at the message's end", run: scatterShort},
	{name: "lists/copied by the call", run: listsCopied},
	{name: "inline/memory is free at once", run: inlineFree},
	{name: "inline/needs no registration", run: inlineUnregistered},
	{name: "inline/Write", types: reliable, run: inlineWrite},
}

// split cuts [lo, hi) of g into k pieces at random places; some are empty.
func (g *region) split(lo, hi, k int) []verbs.SGE {
	var list []verbs.SGE
	for ; k > 1; k-- {
		cut := lo + g.r.rnd.IntN(hi-lo+1)
		if g.r.rnd.IntN(4) == 0 {
			cut = lo
		}
		list = append(list, g.sge(lo, cut))
		lo = cut
	}
	return append(list, g.sge(lo, hi))
}

// wide lets a queue pair take lists as long as the device can.
func (r *rig) wide(c *verbs.QPConfig) { c.SendSGE, c.RecvSGE = r.caps.MaxSGE, r.caps.MaxSGE }

// randomSize draws a size up to most, or to what fits a datagram of UD; every other one is small.
func (r *rig) randomSize(most int) int {
	if r.typ == verbs.UD {
		most = min(most, r.caps.MaxDatagram)
	}
	n := r.rnd.IntN(most + 1)
	if r.rnd.IntN(2) == 0 {
		n = r.rnd.IntN(200)
	}
	return n
}

func gatherScatter(r *rig) {
	a, b := r.pair(r.wide)
	src, dst := a.host.region(r, 100_000, 0), b.host.region(r, 100_000, verbs.LocalWrite)
	for i := range uint64(r.times(60)) {
		n := r.randomSize(100_000)
		fill(src.buf[:n], i)
		fill(dst.buf, ^i)
		b.recv(i, dst.split(0, n, 1+r.rnd.IntN(r.caps.MaxSGE))...)
		a.post(verbs.SendWR{ID: i, Op: verbs.Send, Flags: verbs.Signaled, SGL: src.split(0, n, 1+r.rnd.IntN(r.caps.MaxSGE))})
		a.sent(i, verbs.Send)
		b.got(i, verbs.Recv, n)
		dst.only(fmt.Sprintf("message %d of %d bytes", i, n), 0, n, i, ^i)
	}
}

func gatherWrite(r *rig) {
	r.need(r.hasReadWrite(), "Write")
	a, b := r.pair(r.wide)
	src := a.host.region(r, 100_000, 0)
	dst := b.host.region(r, 100_000, verbs.LocalWrite|verbs.RemoteWrite)
	m := &mover{r: r, a: a, b: b, src: src, dst: dst}
	for i := range uint64(r.times(30)) {
		n := r.randomSize(90_000)
		fill(src.buf[guard:guard+n], i)
		fill(dst.buf, ^i)
		m.id++
		a.post(verbs.SendWR{ID: m.id, Op: verbs.Write, Flags: verbs.Signaled, RemoteAddr: dst.at(guard), RKey: dst.mr.RKey(),
			SGL: src.split(guard, guard+n, 1+r.rnd.IntN(r.caps.MaxSGE))})
		a.sent(m.id, verbs.Write)
		m.signal(n, i)
		dst.only(fmt.Sprintf("Write %d of %d bytes", i, n), guard, guard+n, i, ^i)
	}
}

func scatterRead(r *rig) {
	r.need(r.hasReadWrite(), "Read")
	a, b := r.pair(r.wide)
	src, dst := b.host.region(r, 100_000, verbs.RemoteRead), a.host.region(r, 100_000, verbs.LocalWrite)
	for i := range uint64(r.times(30)) {
		n, off := r.randomSize(90_000), r.rnd.IntN(1000)
		src.renew()
		fill(src.buf[off:off+n], i)
		fill(dst.buf, ^i)
		a.post(verbs.SendWR{ID: i, Op: verbs.Read, Flags: verbs.Signaled, RemoteAddr: src.at(off), RKey: src.mr.RKey(),
			SGL: dst.split(0, n, 1+r.rnd.IntN(r.caps.MaxReadSGE))})
		a.sent(i, verbs.Read)
		dst.only(fmt.Sprintf("Read %d of %d bytes", i, n), 0, n, i, ^i)
	}
}

// scatterShort receives less than there is room for.
func scatterShort(r *rig) {
	a, b := r.pair(r.wide)
	src, dst := a.host.region(r, 300, 0), b.host.region(r, 300, verbs.LocalWrite)
	fill(src.buf, 1)
	for i, n := range []int{0, 1, 99, 100, 101, 200, 299} {
		fill(dst.buf, 2)
		b.recv(uint64(i), dst.split(0, 300, r.caps.MaxSGE)...)
		a.post(verbs.SendWR{ID: uint64(i), Op: verbs.Send, Flags: verbs.Signaled, SGL: src.sgl(0, n)})
		a.sent(uint64(i), verbs.Send)
		b.got(uint64(i), verbs.Recv, n)
		dst.only(fmt.Sprintf("%d bytes into 300", n), 0, n, 1, 2)
	}
}

// listsCopied changes work requests and lists right after posting them.
func listsCopied(r *rig) {
	a, b := r.pair()
	src, dst := a.host.region(r, 2000, 0), b.host.region(r, 2000, verbs.LocalWrite)
	fill(src.buf[:1000], 1)
	fill(src.buf[1000:], 3)
	fill(dst.buf, 2)
	in := []verbs.RecvWR{{ID: 1, SGL: dst.sgl(0, 1000)}}
	if n, err := b.qp.PostRecv(in); n != 1 || err != nil {
		r.Fatalf("PostRecv: %d, %v", n, err)
	}
	in[0].SGL[0], in[0].ID = dst.sge(1000, 2000), 9
	out := []verbs.SendWR{a.aim(verbs.SendWR{ID: 1, Op: verbs.Send, Flags: verbs.Signaled, SGL: src.sgl(0, 1000)})}
	if n, err := a.qp.PostSend(out); n != 1 || err != nil {
		r.Fatalf("PostSend: %d, %v", n, err)
	}
	out[0].SGL[0], out[0].ID = src.sge(1000, 2000), 9
	a.sent(1, verbs.Send)
	b.got(1, verbs.Recv, 1000)
	dst.only("a list that changed after the call", 0, 1000, 1, 2)
}

// inlineFree overwrites the memory of inline sends right after PostSend.
func inlineFree(r *rig) {
	r.need(r.caps.MaxInline > 0, "inline sends")
	a, b := r.pair(func(c *verbs.QPConfig) { c.Inline = r.caps.MaxInline })
	most := r.caps.MaxInline
	if r.typ == verbs.UD {
		most = min(most, r.caps.MaxDatagram)
	}
	src, dst := a.host.region(r, most, 0), b.host.region(r, most*32, verbs.LocalWrite)
	for i := range 32 {
		b.recv(uint64(i), dst.sge(i*most, (i+1)*most))
	}
	for i := range 32 {
		fill(src.buf, uint64(i))
		a.post(verbs.SendWR{ID: uint64(i), Op: verbs.Send, Flags: verbs.Signaled | verbs.Inline, SGL: src.sgl(0, most-i%min(most, 3))})
		fill(src.buf, ^uint64(0))
	}
	for i := range 32 {
		n := most - i%min(most, 3)
		a.sent(uint64(i), verbs.Send)
		b.got(uint64(i), verbs.Recv, n)
		r.holds("inline message", dst.buf[i*most:i*most+n], uint64(i))
	}
}

// inlineUnregistered sends memory that the device has never heard of.
func inlineUnregistered(r *rig) {
	r.need(r.caps.MaxInline > 0, "inline sends")
	n := min(r.caps.MaxInline, 32)
	a, b := r.pair()
	dst := b.host.region(r, n, verbs.LocalWrite)
	buf := make([]byte, n)
	fill(buf, 5)
	b.recv(1, dst.sge(0, n))
	a.post(verbs.SendWR{ID: 1, Op: verbs.Send, Flags: verbs.Signaled | verbs.Inline, SGL: []verbs.SGE{{Buf: buf}}})
	a.sent(1, verbs.Send)
	b.got(1, verbs.Recv, n)
	r.holds("inline message", dst.buf, 5)
}

func inlineWrite(r *rig) {
	r.need(r.caps.MaxInline > 0, "inline sends")
	r.need(r.hasReadWrite(), "Write")
	n := min(r.caps.MaxInline, 32)
	a, b := r.pair()
	dst := b.host.region(r, n, verbs.LocalWrite|verbs.RemoteWrite)
	buf := make([]byte, n)
	fill(buf, 6)
	a.post(verbs.SendWR{ID: 1, Op: verbs.Write, Flags: verbs.Signaled | verbs.Inline, SGL: []verbs.SGE{{Buf: buf}},
		RemoteAddr: dst.at(0), RKey: dst.mr.RKey()})
	fill(buf, 7)
	a.sent(1, verbs.Write)
	a.hello()
	r.holds("inline Write", dst.buf, 6)
}
