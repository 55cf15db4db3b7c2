package verbstest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"net/netip"
	"time"

	"github.com/weft-mpi/weft/internal/verbs"
)

// Queue pairs that talk to anybody.
var datagramCases = []scenario{
	{name: "datagram/answer the source", types: datagrams, run: answerSource},
	{name: "datagram/numbers of queue pairs", types: datagrams, run: onlyOne},
	{name: "datagram/to oneself", types: datagrams, run: datagramSelf},
	{name: "datagram/many peers", types: datagrams, run: manyPeers},
	{name: "datagram/a slow peer holds nobody up", types: []verbs.Type{verbs.RD}, run: slowPeer},
	{name: "datagram/whole messages only", types: datagrams, lossy: true, run: wholeOnly},
	{name: "datagram/records say what is here", types: unordered, lossy: true, run: records},
	{name: "datagram/no longer than the peer takes", types: datagrams, run: bounded},
	{name: "datagram/the wrong family", types: datagrams, run: wrongFamily},
	{name: "datagram/nobody is there", types: datagrams, run: nobodyThere},
	{name: "datagram/multicast", types: unordered, run: multicast},
}

// answerSource replies using nothing but the completion.
func answerSource(r *rig) {
	b := r.endOn(r.hosts[1]).init()
	for i := range uint64(5) {
		a := r.endOn(r.hosts[0]).init()
		a.peer, b.peer = b, a
		a.recv(i)
		b.recv(i)
		a.post(verbs.SendWR{ID: i, Op: verbs.Send, Flags: verbs.Signaled})
		a.sent(i, verbs.Send)
		c := b.got(i, verbs.Recv, 0)
		wr := verbs.SendWR{ID: i, Op: verbs.Send, Flags: verbs.Signaled, AH: r.handle(b.host, c.Src), DestQP: c.SrcQP}
		if n, err := b.qp.PostSend([]verbs.SendWR{wr}); n != 1 || err != nil {
			r.Fatalf("answering %v/%d: %d, %v", c.Src, c.SrcQP, n, err)
		}
		b.sent(i, verbs.Send)
		a.got(i, verbs.Recv, 0)
	}
}

// onlyOne names a queue pair that could do without, because no other has its address; then one that is not there.
func onlyOne(r *rig) {
	a, b := r.pair()
	b.recv(1)
	wr := verbs.SendWR{ID: 1, Op: verbs.Send, Flags: verbs.Signaled, AH: r.handle(a.host, b.qp.Addr()), DestQP: b.qp.Num()}
	if n, err := a.qp.PostSend([]verbs.SendWR{wr}); n != 1 || err != nil {
		r.Fatalf("PostSend: %d, %v", n, err)
	}
	a.sent(1, verbs.Send)
	b.got(1, verbs.Recv, 0)
	if r.typ != verbs.UD {
		return
	}
	b.recv(2)
	wr.DestQP += 1000
	if n, err := a.qp.PostSend([]verbs.SendWR{wr}); n != 1 || err != nil {
		r.Fatalf("PostSend: %d, %v", n, err)
	}
	a.sent(1, verbs.Send)
	r.settle()
	if len(b.recvs.done) > 0 {
		r.Error("received what was for another queue pair")
	}
}

func datagramSelf(r *rig) {
	a := r.endOn(r.hosts[0]).init()
	a.peer = a
	a.hello()
	b := r.endOn(r.hosts[0]).init()
	a.peer, b.peer = b, a
	a.hello()
	b.hello()
}

// manyPeers has one queue pair talk to many, in turns.
func manyPeers(r *rig) {
	const peers, rounds = 20, 10
	b := r.endOn(r.hosts[1]).init()
	var as []*end
	for range peers {
		a := r.endOn(r.hosts[0]).init()
		a.peer = b
		as = append(as, a)
	}
	for range rounds {
		for _, a := range as {
			b.peer = a
			a.hello()
			b.hello()
		}
	}
}

// slowPeer has no receive for what it is sent. Others get theirs meanwhile, although completions keep their order.
func slowPeer(r *rig) {
	a, slow := r.pair()
	quick := r.endOn(r.hosts[0]).init()
	quick.peer = a
	if quick.qp.Addr() == slow.qp.Addr() {
		r.Skip("who shares an address shares its pace")
	}
	const count = 10
	for i := range uint64(count) {
		a.peer = slow
		a.post(verbs.SendWR{ID: 2 * i, Op: verbs.Send, Flags: verbs.Signaled})
		a.peer = quick
		quick.recv(i)
		a.post(verbs.SendWR{ID: 2*i + 1, Op: verbs.Send, Flags: verbs.Signaled})
	}
	for i := range uint64(count) {
		quick.got(i, verbs.Recv, 0)
	}
	if len(a.sends.done) > 0 {
		r.Fatalf("send %d completed before the ones to the slow peer", a.sends.done[0].ID)
	}
	for i := range uint64(count) {
		slow.recv(i)
	}
	for i := range uint64(2 * count) {
		a.sent(i, verbs.Send)
	}
}

// wholeOnly sends numbered messages of many sizes with other traffic around. Of UD any may be missing or come
// twice, but what comes is what was sent; RD brings all of them, once and in order.
func wholeOnly(r *rig) {
	const window, most = 16, 30_000
	count := r.times(400)
	a, b := r.pair()
	top := min(most, r.caps.MaxDatagram)
	if r.repairs() {
		top = most
	}
	src, dst := a.host.region(r, window*most, 0), b.host.region(r, depth*most, verbs.LocalWrite)
	size := make([]int, count)
	slot := func(id uint64) (int, int) { at := int(id) % depth * most; return at, at + most }
	for id := range uint64(depth) {
		lo, hi := slot(id)
		b.recv(id, dst.sge(lo, hi))
	}
	next, got := uint64(depth), []uint64{}
	collect := func() {
		for _, c := range b.recvs.done {
			lo, _ := slot(c.ID)
			if c.Status != verbs.OK || c.Len < 8 {
				r.Fatalf("receive %d: %v, %d bytes", c.ID, c.Status, c.Len)
			}
			n := binary.LittleEndian.Uint64(dst.buf[lo:])
			if n >= uint64(count) || c.Len != size[n] || firstWrong(dst.buf[lo+8:lo+c.Len], n) >= 0 {
				r.Fatalf("receive %d has %d bytes that say they are message %d, which they are not", c.ID, c.Len, n)
			}
			got = append(got, n)
			lo, hi := slot(next)
			b.recv(next, dst.sge(lo, hi))
			next++
		}
		b.recvs.done = nil
	}
	for i := range uint64(count) {
		size[i] = 8 + r.rnd.IntN(top-8)
		at := int(i) % window * most
		binary.LittleEndian.PutUint64(src.buf[at:], i)
		fill(src.buf[at+8:at+size[i]], i)
		a.post(verbs.SendWR{ID: i, Op: verbs.Send, Flags: verbs.Signaled, SGL: src.sgl(at, at+size[i])})
		if i >= window-1 {
			r.until("a send", func() bool { collect(); return len(a.sends.done) > 0 })
			a.sent(i-window+1, verbs.Send)
		}
	}
	if r.repairs() {
		r.until("all messages", func() bool { collect(); return len(got) >= count })
	}
	r.settle()
	collect()
	r.judge(got, count)
}

// records sends numbered Write-Records, many of them longer than a datagram, each to its own place. Pieces may be
// missing; what is said to be there is there.
func records(r *rig) {
	r.need(r.caps.WriteRecord, "Write-Record")
	const count, room = 60, 100_000
	a, b := r.pair(func(c *verbs.QPConfig) { c.RecvDepth = 1 << 12 })
	src := a.host.region(r, room, 0)
	dst := b.host.region(r, count*room, verbs.LocalWrite|verbs.RemoteWrite)
	size, whole := make([]int, count), 0
	check := func(c verbs.Completion) {
		i := int(c.Addr-dst.at(0)) / room
		if c.Op != verbs.RecvRecord || c.Key != dst.mr.RKey() || c.Addr < dst.at(0) || i >= count {
			r.Fatalf("completion %v of %d bytes at %x of key %x", c.Op, c.Len, c.Addr, c.Key)
		}
		off := int(c.Addr-dst.at(0)) % room
		want := make([]byte, room)
		fill(want, uint64(i))
		if off+c.Len > size[i] || !bytes.Equal(want[off:off+c.Len], dst.buf[i*room+off:i*room+off+c.Len]) {
			r.Fatalf("record %d: bytes %d to %d are not what was sent (%d bytes)", i, off, off+c.Len, size[i])
		}
		if c.Status == verbs.OK && c.Len == size[i] {
			whole++
		}
	}
	collect := func() {
		for _, c := range b.recvs.done {
			check(c)
		}
		b.recvs.done = nil
	}
	for i := range count {
		size[i] = 1 + r.rnd.IntN(min(room, 2*r.caps.MaxDatagram))
		fill(src.buf, uint64(i))
		a.post(verbs.SendWR{ID: uint64(i), Op: verbs.WriteRecord, Flags: verbs.Signaled, SGL: src.sgl(0, size[i]),
			RemoteAddr: dst.at(i * room), RKey: dst.mr.RKey()})
		a.sent(uint64(i), verbs.WriteRecord)
		r.within(3*time.Millisecond, func() bool { return len(b.recvs.done) > 0 })
		collect()
	}
	r.settle()
	collect()
	if !r.opt.Lossy && whole < count/2 || whole == 0 {
		r.Errorf("only %d of %d records arrived whole", whole, count)
	}
}

// judge looks at the numbers of the messages that arrived.
func (r *rig) judge(got []uint64, count int) {
	r.Helper()
	if r.typ == verbs.UD {
		if len(got) < count/2 {
			r.Errorf("only %d of %d messages arrived", len(got), count)
		}
		return
	}
	for i, n := range got {
		if n != uint64(i) {
			r.Fatalf("message %d came as number %d", n, i)
		}
	}
	if len(got) != count {
		r.Errorf("%d messages arrived, %d were sent", len(got), count)
	}
}

// wrongFamily sends to an address that the rail cannot reach: refused at once, or Unreachable, and no harm done.
func wrongFamily(r *rig) {
	a, b := r.pair()
	defer b.hello()
	to := netip.MustParseAddrPort("[::1]:4000")
	if a.qp.Addr().Addr().Is6() {
		to = netip.MustParseAddrPort("127.0.0.1:4000")
	}
	if ah, err := a.host.pd.NewAH(to); err == nil {
		wr := verbs.SendWR{ID: 1, Op: verbs.Send, Flags: verbs.Signaled, AH: ah}
		if n, err := a.qp.PostSend([]verbs.SendWR{wr}); err != nil {
			r.wantErr("an address of the wrong family", n, err, verbs.ErrArgument, verbs.ErrUnsupported)
		} else if r.repairs() && r.opt.Brief {
			return // it may take long to find out
		} else if c := r.take(a.sends, 1)[0]; c.Status == verbs.OK && r.repairs() {
			r.Errorf("a message to an address of the wrong family arrived")
		}
	} else if !errors.Is(err, verbs.ErrArgument) {
		r.Errorf("NewAH(%v): %v", to, err)
	}
	a.hello()
}

// nobodyThere sends to an address that was closed: UD does not care, RD says so in the end or keeps trying, and both
// serve their other peers.
func nobodyThere(r *rig) {
	a, b := r.pair()
	gone := r.endOn(r.hosts[1]).init()
	gone.peer, a.peer = a, gone
	wr := a.aim(verbs.SendWR{ID: 1, Op: verbs.Send, Flags: verbs.Signaled})
	a.peer = b
	if err := gone.qp.Close(); err != nil {
		r.Fatal(err)
	}
	if n, err := a.qp.PostSend([]verbs.SendWR{wr}); n != 1 || err != nil {
		r.Fatalf("PostSend: %d, %v", n, err)
	}
	if r.typ == verbs.UD {
		a.sent(1, verbs.Send)
		a.hello()
	}
	b.hello()
	if r.repairs() && !r.opt.Brief {
		if c := r.take(a.sends, 1)[0]; c.ID != 1 || c.Status != verbs.Unreachable {
			r.Errorf("sending to nobody ended as id %d %v, want 1 Unreachable", c.ID, c.Status)
		}
		a.hello()
	}
	if a.qp.State() != verbs.RTS {
		r.Errorf("the sender is %v", a.qp.State())
	}
}

// multicast joins a group, hears it, leaves it and hears it no more.
func multicast(r *rig) {
	r.need(r.caps.Multicast, "multicast")
	a, b := r.pair()
	c := r.endOn(r.hosts[1]).init()
	c.peer = a
	addr := netip.MustParseAddr("239.77.1.9")
	if b.qp.Addr().Addr().Is6() {
		addr = netip.MustParseAddr("ff11::7709") // of this interface only
	}
	group := netip.AddrPortFrom(addr, uint16(20_000+r.rnd.IntN(10_000)))
	for i := range uint64(4) {
		b.recv(i)
		c.recv(i)
	}
	wr := verbs.SendWR{ID: 1, Op: verbs.Send, Flags: verbs.Signaled, AH: r.handle(a.host, group)}
	say := func() {
		r.Helper()
		if n, err := a.qp.PostSend([]verbs.SendWR{wr}); n != 1 || err != nil {
			r.Fatalf("PostSend: %d, %v", n, err)
		}
		if c := r.take(a.sends, 1)[0]; c.Status == verbs.Unreachable {
			r.Skipf("this host sends no multicast to %v", group)
		} else if c.Status != verbs.OK {
			r.Fatalf("sending to the group ended as %v", c.Status)
		}
	}
	if err := errors.Join(b.qp.Attach(group), c.qp.Attach(group)); err != nil {
		r.Fatalf("Attach: %v", err)
	}
	say()
	b.got(0, verbs.Recv, 0)
	c.got(0, verbs.Recv, 0)
	if err := b.qp.Detach(group); err != nil {
		r.Fatalf("Detach: %v", err)
	}
	say()
	c.got(1, verbs.Recv, 0)
	r.settle()
	if len(b.recvs.done) > 0 {
		r.Error("a message to the group arrived after Detach")
	}
	if b.qp.Attach(netip.MustParseAddrPort("127.0.0.1:4000")) == nil {
		r.Error("attached to an address that is no group")
	}
	if b.qp.Detach(group) == nil {
		r.Error("detached from a group that it was not in")
	}
	a.post(verbs.SendWR{ID: 2, Op: verbs.Send, Flags: verbs.Signaled})
	a.sent(2, verbs.Send)
	b.got(1, verbs.Recv, 0)
}

// bounded: a peer that takes less than the device sends is sent no more than that, and long messages on RD
// arrive whole.
func bounded(r *rig) {
	a, b := r.pair()
	most := r.caps.MaxDatagram / 2
	src, dst := a.host.region(r, 2*most, 0), b.host.region(r, 2*most, verbs.LocalWrite)
	fill(src.buf, 1)
	send := func(id uint64, n int) verbs.SendWR {
		return a.aim(verbs.SendWR{ID: id, Op: verbs.Send, Flags: verbs.Signaled, SGL: src.sgl(0, n)})
	}
	send(0, 0).AH.Bound(most)
	n := most
	if r.repairs() {
		n *= 2
	} else {
		taken, err := a.qp.PostSend([]verbs.SendWR{send(1, most+1)})
		r.wantErr("a Send that is longer than the peer takes", taken, err, verbs.ErrArgument)
	}
	if _, err := b.qp.PostRecv([]verbs.RecvWR{{ID: 2, SGL: dst.sgl(0, n)}}); err != nil {
		r.Fatal(err)
	}
	if taken, err := a.qp.PostSend([]verbs.SendWR{send(2, n)}); taken != 1 || err != nil {
		r.Fatalf("a Send that the peer takes: %d, %v", taken, err)
	}
	a.sent(2, verbs.Send)
	b.got(2, verbs.Recv, n)
	r.holds("the message", dst.buf[:n], 1)
}
