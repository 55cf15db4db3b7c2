package verbstest

import (
	"github.com/weft-mpi/weft/internal/verbs"
)

// Queue pairs that fail, are taken down and come back.
var stateCases = []scenario{
	{name: "state/Error flushes receives in order", run: flushReceives},
	{name: "state/Error flushes sends in order", types: reliable, run: flushSends},
	{name: "state/Reset forgets", run: resetForgets},
	{name: "state/back from Error", run: backFromError},
	{name: "state/a datagram queue pair in Error serves nobody", types: datagrams, run: deadToAll},
	{name: "state/one peer's death is not another's", types: reliable, run: deathIsPrivate},
	{name: "state/the peer disconnects", types: connected, run: peerDisconnects},
	{name: "state/Disconnect after much work", types: connected, run: disconnectAfterWork},
	{name: "state/the peer goes to Error", types: connections, run: func(r *rig) {
		r.peerDies(func(b *end) { b.modify(verbs.Error) })
	}},
	{name: "state/the peer closes", types: connections, run: func(r *rig) {
		r.peerDies(func(b *end) {
			if err := b.qp.Close(); err != nil {
				r.Fatalf("Close: %v", err)
			}
		})
	}},
	{name: "state/the peer's device closes", types: connections, run: deviceDies},
}

func flushReceives(r *rig) {
	a, b := r.pair()
	for i := range uint64(20) {
		b.recv(i)
	}
	a.post(verbs.SendWR{ID: 1, Op: verbs.Send, Flags: verbs.Signaled})
	a.sent(1, verbs.Send)
	b.got(0, verbs.Recv, 0)
	b.modify(verbs.Error)
	b.flushed(b.recvs, 1, 19)
	b.recv(77)
	b.flushed(b.recvs, 77, 1)
	b.modify(verbs.Error)
	r.settle()
	if n := len(b.recvs.done); n > 0 {
		r.Errorf("%d completions too many", n)
	}
}

// flushSends: with work under way, what is done is a prefix and the rest is flushed; nothing is missing.
func flushSends(r *rig) {
	r.need(r.hasReadWrite(), "Read")
	const n, count = 1 << 20, 40
	a, b := r.pair()
	src, dst := b.host.region(r, n, verbs.RemoteRead), a.host.region(r, n, verbs.LocalWrite)
	for i := range uint64(count) {
		wr := verbs.SendWR{ID: i, Op: verbs.Read, SGL: dst.sgl(0, n), RemoteAddr: src.at(0), RKey: src.mr.RKey()}
		if i < count/2 || i == count-1 {
			wr.Flags = verbs.Signaled
		}
		a.post(wr)
	}
	r.step()
	a.modify(verbs.Error)
	next, flushed := uint64(0), false
	for next < count {
		c := r.take(a.sends, 1)[0]
		silent := next >= count/2 && !flushed // what is done and unsignaled does not complete
		switch {
		case c.Status != verbs.OK && c.Status != verbs.Flushed:
			r.Fatalf("Read %d ended as %v", c.ID, c.Status)
		case flushed && c.Status == verbs.OK:
			r.Fatalf("Read %d is OK after flushed ones", c.ID)
		case c.ID < next || c.ID > next && !silent:
			r.Fatalf("completion of Read %d, want %d", c.ID, next)
		}
		flushed, next = c.Status == verbs.Flushed, c.ID+1
	}
	before := string(dst.buf)
	r.settle()
	if string(dst.buf) != before {
		r.Error("memory of flushed Reads was written after their completions")
	}
}

func resetForgets(r *rig) {
	a, b := r.pair()
	for i := range uint64(10) {
		b.recv(i)
	}
	b.modify(verbs.Reset)
	r.settle()
	if n := len(b.recvs.done); n > 0 {
		r.Fatalf("%d completions after Reset", n)
	}
	g := b.host.region(r, 8, verbs.LocalWrite)
	b.refusedRecv("receive in Reset", verbs.RecvWR{SGL: g.sgl(0, 8)}, verbs.ErrState)
	if r.typ == verbs.RC {
		a.becomes(verbs.Error)
		a.modify(verbs.Reset)
		a.init()
	}
	b.init()
	r.join(a, b)
	a.revive()
	b.revive()
}

// revive is hello to a peer that forgot everything. On RD the first work that notices this may fail; it does not go
// on for ever.
func (e *end) revive() {
	e.r.Helper()
	for try := 0; e.r.repairs() && try < 5; try++ {
		e.peer.recv(5)
		e.post(verbs.SendWR{ID: 6, Op: verbs.Send, Flags: verbs.Signaled})
		if c := e.r.take(e.sends, 1)[0]; c.Status == verbs.OK {
			e.peer.got(5, verbs.Recv, 0)
			break
		}
		e.peer.modify(verbs.Reset) // takes the receive back
		e.peer.init()
	}
	e.hello()
}

func backFromError(r *rig) {
	a, b := r.pair()
	for range 3 {
		a.hello()
		a.recv(1)
		a.modify(verbs.Error)
		a.flushed(a.recvs, 1, 1)
		if r.typ == verbs.RC {
			b.becomes(verbs.Error)
			b.modify(verbs.Reset)
			b.init()
		}
		a.modify(verbs.Reset)
		a.init()
		r.join(a, b)
		b.revive()
		r.settle()
	}
}

func deadToAll(r *rig) {
	a, b := r.pair()
	a.hello()
	b.recv(1)
	b.modify(verbs.Error)
	b.flushed(b.recvs, 1, 1)
	b.recv(2)
	b.flushed(b.recvs, 2, 1)
	a.post(verbs.SendWR{ID: 3, Op: verbs.Send, Flags: verbs.Signaled})
	r.settle()
	if n := len(b.recvs.done); n > 0 {
		r.Fatalf("a queue pair in Error received %d messages", n)
	}
	if a.qp.State() != verbs.RTS {
		r.Errorf("the sender is %v because of its peer", a.qp.State())
	}
	if r.typ == verbs.UD {
		a.sent(3, verbs.Send)
		b.restart()
		a.hello()
	}
}

// deathIsPrivate: what happens to one queue pair does not touch others of the same device.
func deathIsPrivate(r *rig) {
	a, b := r.pair()
	c, d := r.pair()
	a.hello()
	c.hello()
	b.modify(verbs.Error)
	c.hello()
	d.hello()
	if err := b.qp.Close(); err != nil {
		r.Fatal(err)
	}
	c.hello()
	d.hello()
	if a.qp.State() != verbs.RTS && r.typ != verbs.RC {
		r.Errorf("the dead one's peer is %v", a.qp.State())
	}
}

// peerDisconnects: what was posted before still arrives, then the event, then Error on both sides.
func peerDisconnects(r *rig) {
	a, b := r.pair()
	for i := range uint64(5) {
		a.recv(i)
		b.recv(i)
	}
	for i := range uint64(3) {
		b.post(verbs.SendWR{ID: i, Op: verbs.Send, Flags: verbs.Signaled})
	}
	if err := b.qp.Disconnect(); err != nil {
		r.Fatalf("Disconnect: %v", err)
	}
	for i := range uint64(3) {
		a.got(i, verbs.Recv, 0)
		b.sent(i, verbs.Send)
	}
	r.event(a.host, a.qp.Num(), verbs.Disconnected)
	a.becomes(verbs.Error)
	b.becomes(verbs.Error)
	a.flushed(a.recvs, 3, 2)
	b.flushed(b.recvs, 0, 5)
	if _, fatal := a.host.find(a.qp.Num(), verbs.QPFatal); fatal {
		r.Error("an orderly end was reported as QPFatal")
	}
}

// disconnectAfterWork: megabytes posted before Disconnect all arrive.
func disconnectAfterWork(r *rig) {
	const n, count = 500_000, 8
	a, b := r.pair()
	src, dst := a.host.region(r, n, 0), b.host.region(r, n*count, verbs.LocalWrite)
	fill(src.buf, 1)
	for i := range count {
		b.recv(uint64(i), dst.sge(i*n, (i+1)*n))
		a.post(verbs.SendWR{ID: uint64(i), Op: verbs.Send, Flags: verbs.Signaled, SGL: src.sgl(0, n)})
	}
	if err := a.qp.Disconnect(); err != nil {
		r.Fatalf("Disconnect: %v", err)
	}
	for i := range count {
		b.got(uint64(i), verbs.Recv, n)
		a.sent(uint64(i), verbs.Send)
		r.holds("posted before Disconnect", dst.buf[i*n:(i+1)*n], 1)
	}
	r.event(b.host, b.qp.Num(), verbs.Disconnected)
	a.becomes(verbs.Error)
	b.becomes(verbs.Error)
}

// peerDies checks what a sees when its peer vanishes.
func (r *rig) peerDies(die func(*end)) {
	a, b := r.pair()
	a.hello()
	for i := range uint64(5) {
		a.recv(i)
	}
	die(b)
	r.event(a.host, a.qp.Num(), verbs.QPFatal, verbs.Disconnected)
	a.becomes(verbs.Error)
	a.flushed(a.recvs, 0, 5)
	a.post(verbs.SendWR{ID: 9, Op: verbs.Send})
	a.flushed(a.sends, 9, 1)
}

func deviceDies(r *rig) {
	if r.hosts[0] == r.hosts[1] {
		r.Skip("both ends are on one device")
	}
	a, b := r.pair()
	a.hello()
	a.recv(1)
	b.recvs.muted, b.sends.muted = true, true
	r.closeDevice(b.host.dev)
	r.hosts = r.hosts[:1]
	a.becomes(verbs.Error)
	a.flushed(a.recvs, 1, 1)
}
