package verbstest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"net/netip"

	"github.com/weft-mpi/weft/internal/verbs"
)

// How RC queue pairs find each other.
var connectCases = []scenario{
	{name: "connect/private data", types: connections, run: privateData},
	{name: "connect/rejected", types: connections, run: rejected},
	{name: "connect/nobody listens", types: connections, run: nobodyListens},
	{name: "connect/the listener closes", types: connections, run: listenerCloses},
	{name: "connect/a request is answered once", types: connections, run: answeredOnce},
	{name: "connect/only from Init", types: connections, run: connectStates},
	{name: "connect/the acceptor sends first", types: connections, run: acceptorFirst},
	{name: "connect/both at once", types: connections, run: crossing},
	{name: "connect/many at once", types: connections, run: manyConnects},
	{name: "connect/to oneself", types: connections, run: toOneself},
	{name: "connect/a chosen port", types: connections, run: listenPorts},
	{name: "connect/given up", types: connections, run: givenUp},
}

// said makes private data of n bytes.
func (r *rig) said(n int) []byte {
	b := make([]byte, n)
	fill(b, r.rnd.Uint64())
	return b
}

// request connects e to h and gives the request that arrives there.
func (r *rig) request(e *end, h *host, private []byte) verbs.ConnRequest {
	r.Helper()
	if err := e.qp.Connect(r.listen(h), private); err != nil {
		r.Fatalf("Connect: %v", err)
	}
	if s := e.qp.State(); s != verbs.RTR && s != verbs.RTS {
		r.Fatalf("a queue pair that connects is %v", s)
	}
	ev := r.event(h, 0, verbs.ConnectRequest)
	if ev.Request == nil || !ev.Request.From().IsValid() {
		r.Fatalf("request %+v", ev)
	}
	return ev.Request
}

func privateData(r *rig) {
	for _, n := range []int{0, 1, r.caps.MaxPrivate / 2, r.caps.MaxPrivate} {
		a, b := r.endOn(r.hosts[0]).init(), r.endOn(r.hosts[1]).init()
		a.peer, b.peer = b, a
		ask, answer := r.said(n), r.said(r.caps.MaxPrivate-n)
		keep := bytes.Clone(ask)
		req := r.request(a, b.host, ask)
		clear(ask)
		if !bytes.Equal(req.Private(), keep) {
			r.Fatalf("%d bytes of private data arrived as %x, sent %x", n, req.Private(), keep)
		}
		if err := req.Accept(b.qp, answer); err != nil {
			r.Fatalf("Accept: %v", err)
		}
		if ev := r.established(a); !bytes.Equal(ev.Private, answer) {
			r.Fatalf("the answer of %d bytes arrived as %x, sent %x", len(answer), ev.Private, answer)
		}
		r.established(b)
		a.hello()
		b.hello()
	}
	e := r.endOn(r.hosts[0]).init()
	if err := e.qp.Connect(r.listen(r.hosts[1]), r.said(r.caps.MaxPrivate+1)); !errors.Is(err, verbs.ErrArgument) {
		r.Errorf("too much private data: %v", err)
	}
}

func rejected(r *rig) {
	for _, n := range []int{0, r.caps.MaxPrivate} {
		a, b := r.endOn(r.hosts[0]).init(), r.endOn(r.hosts[1]).init()
		why := r.said(n)
		if err := r.request(a, b.host, nil).Reject(why); err != nil {
			r.Fatalf("Reject: %v", err)
		}
		if ev := r.event(a.host, a.qp.Num(), verbs.Rejected); !bytes.Equal(ev.Private, why) {
			r.Fatalf("rejected with %x, want %x", ev.Private, why)
		}
		if a.qp.State() == verbs.RTS {
			r.Fatal("a rejected queue pair is in RTS")
		}
		a.again(b)
	}
}

// again resets a queue pair whose connect failed, and connects it to b.
func (e *end) again(b *end) {
	e.r.Helper()
	e.modify(verbs.Reset)
	e.init()
	e.r.join(e, b)
	e.hello()
	b.hello()
}

func nobodyListens(r *rig) {
	l, err := r.hosts[1].dev.Listen(verbs.ListenConfig{})
	if err != nil {
		r.Fatalf("Listen: %v", err)
	}
	to := l.Addr()
	if err := l.Close(); err != nil {
		r.Fatalf("closing the listener: %v", err)
	}
	a := r.endOn(r.hosts[0]).init()
	if err := a.qp.Connect(to, nil); err != nil {
		r.Fatalf("Connect: %v", err)
	}
	if ev := r.event(a.host, a.qp.Num(), verbs.ConnectFailed); ev.Err == nil {
		r.Error("ConnectFailed does not say why")
	}
	a.again(r.endOn(r.hosts[1]).init())
	if err := r.endOn(r.hosts[0]).init().qp.Connect(netip.AddrPort{}, nil); !errors.Is(err, verbs.ErrArgument) {
		r.Errorf("Connect to nowhere: %v", err)
	}
}

// listenerCloses with a request that nobody answered.
func listenerCloses(r *rig) {
	a, b := r.endOn(r.hosts[0]).init(), r.endOn(r.hosts[1]).init()
	req := r.request(a, b.host, nil)
	if err := b.host.listener.Close(); err != nil {
		r.Fatalf("closing the listener: %v", err)
	}
	b.host.listener = nil
	r.event(a.host, a.qp.Num(), verbs.Rejected, verbs.ConnectFailed)
	if err := req.Accept(b.qp, nil); err == nil {
		r.Error("a request was accepted after its listener was closed")
	}
	a.again(r.endOn(r.hosts[1]).init())
}

func answeredOnce(r *rig) {
	a, b := r.endOn(r.hosts[0]).init(), r.endOn(r.hosts[1]).init()
	a.peer, b.peer = b, a
	req := r.request(a, b.host, nil)
	if err := req.Accept(nil, nil); !errors.Is(err, verbs.ErrArgument) {
		r.Errorf("Accept without a queue pair: %v", err)
	}
	if err := req.Accept(b.qp, r.said(r.caps.MaxPrivate+1)); !errors.Is(err, verbs.ErrArgument) {
		r.Errorf("Accept with too much private data: %v", err)
	}
	if err := req.Accept(b.qp, nil); err != nil {
		r.Fatalf("Accept: %v", err)
	}
	other := r.endOn(r.hosts[1]).init()
	if req.Accept(other.qp, nil) == nil || req.Reject(nil) == nil {
		r.Error("a request was answered twice")
	}
	r.established(a)
	r.established(b)
	a.hello()
}

func connectStates(r *rig) {
	e := r.endOn(r.hosts[0])
	to := r.listen(r.hosts[1])
	if err := e.qp.Connect(to, nil); !errors.Is(err, verbs.ErrState) {
		r.Errorf("Connect in Reset: %v", err)
	}
	if err := e.qp.Disconnect(); !errors.Is(err, verbs.ErrState) {
		r.Errorf("Disconnect in Reset: %v", err)
	}
	a, b := r.pair()
	if err := a.qp.Connect(to, nil); !errors.Is(err, verbs.ErrState) {
		r.Errorf("Connect in RTS: %v", err)
	}
	c := r.endOn(r.hosts[0]).init()
	req := r.request(c, r.hosts[1], nil)
	if err := req.Accept(b.qp, nil); !errors.Is(err, verbs.ErrState) {
		r.Errorf("Accept of a queue pair in RTS: %v", err)
	}
	a.hello()
	if a.qp.Addr() == b.qp.Addr() || !a.qp.Addr().IsValid() {
		r.Errorf("the ends of the connection are %v and %v", a.qp.Addr(), b.qp.Addr())
	}
}

// acceptorFirst: Established at the acceptor means it may send, without the initiator saying anything.
func acceptorFirst(r *rig) {
	a, b := r.endOn(r.hosts[0]).init(), r.endOn(r.hosts[1]).init()
	a.peer, b.peer = b, a
	a.recv(1)
	if err := r.request(a, b.host, nil).Accept(b.qp, nil); err != nil {
		r.Fatalf("Accept: %v", err)
	}
	r.established(b)
	b.post(verbs.SendWR{ID: 1, Op: verbs.Send, Flags: verbs.Signaled})
	a.got(1, verbs.Recv, 0)
	b.sent(1, verbs.Send)
	r.established(a)
}

// crossing has two hosts connect to each other at the same moment.
func crossing(r *rig) {
	h := r.hosts
	a, b := r.endOn(h[0]).init(), r.endOn(h[1]).init() // these connect
	c, d := r.endOn(h[0]).init(), r.endOn(h[1]).init() // these accept
	a.peer, d.peer, b.peer, c.peer = d, a, c, b
	if err := errors.Join(a.qp.Connect(r.listen(h[1]), []byte("ab01")), b.qp.Connect(r.listen(h[0]), []byte("ba10"))); err != nil {
		r.Fatalf("Connect: %v", err)
	}
	for range 2 {
		var ev verbs.Event
		r.until("a request", func() (ok bool) {
			if ev, ok = h[0].find(0, verbs.ConnectRequest); !ok {
				ev, ok = h[1].find(0, verbs.ConnectRequest)
			}
			return ok
		})
		qp := d.qp
		if string(ev.Request.Private()) == "ba10" {
			qp = c.qp
		}
		if err := ev.Request.Accept(qp, nil); err != nil {
			r.Fatalf("Accept: %v", err)
		}
	}
	for _, e := range []*end{a, b, c, d} {
		r.established(e)
	}
	for _, e := range []*end{a, b, c, d} {
		e.hello()
	}
}

// manyConnects begins many connections before any is accepted.
func manyConnects(r *rig) {
	const many = 50
	var as, bs []*end
	to := r.listen(r.hosts[1])
	for i := range many {
		as, bs = append(as, r.endOn(r.hosts[0]).init()), append(bs, r.endOn(r.hosts[1]).init())
		if err := as[i].qp.Connect(to, binary.BigEndian.AppendUint32(nil, uint32(i))); err != nil {
			r.Fatalf("Connect %d: %v", i, err)
		}
	}
	for range many {
		req := r.event(r.hosts[1], 0, verbs.ConnectRequest).Request
		i := binary.BigEndian.Uint32(req.Private())
		as[i].peer, bs[i].peer = bs[i], as[i]
		if err := req.Accept(bs[i].qp, req.Private()); err != nil {
			r.Fatalf("Accept %d: %v", i, err)
		}
	}
	for i := range many {
		if as[i].peer == nil {
			r.Fatalf("request %d did not arrive, another came twice", i)
		}
		if ev := r.established(as[i]); binary.BigEndian.Uint32(ev.Private) != uint32(i) {
			r.Fatalf("connection %d got the answer of %x", i, ev.Private)
		}
		r.established(bs[i])
	}
	for i := range many {
		as[i].hello()
	}
}

// toOneself connects two queue pairs of one device.
func toOneself(r *rig) {
	a, b := r.endOn(r.hosts[0]).init(), r.endOn(r.hosts[0]).init()
	r.join(a, b)
	a.hello()
	b.hello()
}

// listenPorts: a port can be asked for, by one listener at a time.
func listenPorts(r *rig) {
	d := r.hosts[0].dev
	first, err := d.Listen(verbs.ListenConfig{})
	if err != nil || first.Addr().Port() == 0 || !first.Addr().Addr().IsValid() {
		r.Fatalf("Listen: %v, %v", first, err)
	}
	port := first.Addr().Port()
	if second, err := d.Listen(verbs.ListenConfig{Port: port}); err == nil {
		r.Errorf("two listeners at %v and %v", first.Addr(), second.Addr())
	}
	if err := first.Close(); err != nil {
		r.Fatalf("closing the listener: %v", err)
	}
	again, err := d.Listen(verbs.ListenConfig{Port: port})
	if err != nil || again.Addr() != netip.AddrPortFrom(first.Addr().Addr(), port) {
		r.Fatalf("Listen on port %d: %v", port, err)
	}
	r.hosts[0].listener = again
	a, b := r.endOn(r.hosts[1]).init(), r.endOn(r.hosts[0]).init()
	r.join(a, b)
	a.hello()
}

// givenUp resets and closes queue pairs in the middle of connecting.
func givenUp(r *rig) {
	a, b := r.endOn(r.hosts[0]).init(), r.endOn(r.hosts[1]).init()
	r.request(a, b.host, nil)
	a.again(b)
	c := r.endOn(r.hosts[0]).init()
	req := r.request(c, b.host, nil)
	if err := c.qp.Close(); err != nil {
		r.Fatalf("closing a queue pair that connects: %v", err)
	}
	r.settle()
	d := r.endOn(r.hosts[1]).init()
	if err := req.Accept(d.qp, nil); err == nil {
		r.event(d.host, d.qp.Num(), verbs.ConnectFailed, verbs.QPFatal, verbs.Disconnected)
	}
	a.hello()
}
