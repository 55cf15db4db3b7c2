package verbstest

import (
	"errors"
	"net/netip"

	"github.com/weft-mpi/weft/internal/verbs"
)

// Giving everything back, in any state and order. Every case of the suite ends with a look for leaks; these leave
// the devices in the least comfortable states first.
var teardownCases = []scenario{
	{name: "teardown/what is in use is busy", run: busy},
	{name: "teardown/queue pairs in every state", run: closeStates},
	{name: "teardown/completions stay after Close", run: completionsStay},
	{name: "teardown/the device with everything open", run: closeDevice},
	{name: "teardown/the device in the middle of work", run: closeWorking},
	{name: "teardown/after Close", run: afterClose},
	{name: "teardown/a sleeper wakes up", run: sleeperWakes},
	{name: "teardown/again and again", run: againAndAgain},
}

func (r *rig) wantBusy(what string, err error) {
	r.Helper()
	if !errors.Is(err, verbs.ErrBusy) {
		r.Errorf("closing %s: %v, want ErrBusy", what, err)
	}
}

func (r *rig) wantClosed(what string, err error) {
	r.Helper()
	if err != nil {
		r.Errorf("closing %s: %v", what, err)
	}
}

func busy(r *rig) {
	h := r.hosts[0]
	pd, err := h.dev.NewPD()
	if err != nil {
		r.Fatal(err)
	}
	own := &host{dev: h.dev, pd: pd, handles: map[netip.AddrPort]verbs.AH{}}
	g := own.region(r, 8, 0)
	r.wantBusy("a domain with a region", pd.Close())
	g.close()
	e := r.endOn(own)
	r.wantBusy("a domain with a queue pair", pd.Close())
	r.wantBusy("the send queue's completion queue", e.sends.cq.Close())
	r.wantBusy("the receive queue's completion queue", e.recvs.cq.Close())
	r.wantClosed("the queue pair", e.qp.Close())
	if r.typ != verbs.RC {
		ah := r.handle(own, netip.MustParseAddrPort("127.0.0.1:4000"))
		r.wantBusy("a domain with an address handle", pd.Close())
		r.wantClosed("the address handle", ah.Close())
	}
	if r.caps.SRQ {
		srq, err := pd.NewSRQ(verbs.SRQConfig{Depth: 4})
		if err != nil {
			r.Fatal(err)
		}
		r.wantBusy("a domain with a shared receive queue", pd.Close())
		r.wantClosed("the shared receive queue", srq.Close())
	}
	r.wantClosed("the domain", pd.Close())
	e.sends.muted, e.recvs.muted = true, true
	r.wantClosed("the send queue's completion queue", e.sends.cq.Close())
	r.wantClosed("the receive queue's completion queue", e.recvs.cq.Close())
}

// closeStates closes queue pairs in every state, with work open where there can be.
func closeStates(r *rig) {
	h := r.hosts[0]
	r.wantClosed("a queue pair in Reset", r.endOn(h).qp.Close())
	e := r.endOn(h)
	e.modify(verbs.Init)
	e.recv(1)
	r.wantClosed("a queue pair in Init", e.qp.Close())
	if r.typ == verbs.RC {
		c := r.endOn(h).init()
		if err := c.qp.Connect(r.listen(r.hosts[1]), nil); err != nil {
			r.Fatal(err)
		}
		c.recv(1)
		r.wantClosed("a queue pair in RTR", c.qp.Close())
	}
	a, b := r.pair()
	big := a.host.region(r, 1<<20, allRights)
	n := len(big.buf)
	if r.typ == verbs.UD {
		n = r.caps.MaxDatagram
	}
	for i := range uint64(8) {
		a.recv(i, big.sge(0, n))
		if r.typ != verbs.RC || r.caps.RNRWaits { // else it would be in Error by now
			a.post(verbs.SendWR{ID: i, Op: verbs.Send, SGL: big.sgl(0, n)})
		}
	}
	r.wantClosed("a queue pair in RTS with open work", a.qp.Close())
	big.close()
	b.modify(verbs.Error)
	b.recv(1)
	r.wantClosed("a queue pair in Error", b.qp.Close())
	r.settle()
	if n := len(a.recvs.done); n > 0 {
		r.Errorf("%d completions of receives that vanished with their queue pair", n)
	}
}

// completionsStay: what completed before Close is still polled after it.
func completionsStay(r *rig) {
	a, b := r.pair()
	b.recvs.muted = true
	for i := range uint64(3) {
		b.recv(i)
		a.post(verbs.SendWR{ID: i, Op: verbs.Send, Flags: verbs.Signaled})
		a.sent(i, verbs.Send)
	}
	r.until("a completion to be there", func() bool { return b.recvs.cq.Wait(int64(r.opt.Patience)) })
	r.settle()
	r.wantClosed("the queue pair", b.qp.Close())
	b.recvs.muted = false
	if c := r.take(b.recvs, 1)[0]; c.ID != 0 || c.Status != verbs.OK || c.QP != b.qp.Num() {
		r.Errorf("completion qp %d id %d %v after Close, want id 0 OK", c.QP, c.ID, c.Status)
	}
}

// closeDevice leaves all of it to the end of the case, which closes the devices.
func closeDevice(r *rig) {
	a, b := r.pair()
	a.hello()
	b.recv(1)
	r.endOn(r.hosts[0])
	r.endOn(r.hosts[1]).modify(verbs.Init)
	if r.typ == verbs.RC {
		c := r.endOn(r.hosts[0]).init()
		r.request(c, r.hosts[1], nil)
		if err := r.endOn(r.hosts[0]).init().qp.Connect(r.listen(r.hosts[1]), nil); err != nil {
			r.Fatal(err)
		}
	}
	if r.caps.SRQ {
		r.shared(r.hosts[0], 4).recv(1, 2)
	}
	a.recvs.cq.Arm(false)
}

// closeWorking closes the devices while bytes move in both directions.
func closeWorking(r *rig) {
	a, b := r.pair()
	n := 1 << 20
	if r.typ == verbs.UD {
		n = min(n, r.caps.MaxDatagram)
	}
	for _, e := range []*end{a, b} {
		g := e.host.region(r, n, allRights)
		for i := range uint64(20) {
			e.recv(i, g.sge(0, n))
		}
		for i := range uint64(20) {
			e.post(verbs.SendWR{ID: i, Op: verbs.Send, SGL: g.sgl(0, n)})
		}
	}
	for range 5 {
		r.step()
	}
}

// afterClose calls everything on a closed device: errors, no panics.
func afterClose(r *rig) {
	e := r.endOn(r.hosts[0]).init()
	h := e.host
	g := h.region(r, 8, verbs.LocalWrite)
	e.recv(1, g.sge(0, 8))
	r.closeDevice(h.dev)
	closed := func(what string, err error) {
		r.Helper()
		if err == nil {
			r.Errorf("%s on a closed device succeeded", what)
		}
	}
	_, err := h.dev.NewPD()
	closed("NewPD", err)
	_, err = h.dev.NewCQ(verbs.CQConfig{Depth: 4})
	closed("NewCQ", err)
	_, err = h.pd.Register(make([]byte, 8), 0)
	closed("Register", err)
	_, err = h.pd.NewQP(verbs.QPConfig{Type: r.typ, SendCQ: e.sends.cq, RecvCQ: e.recvs.cq, SendDepth: 1, RecvDepth: 1})
	closed("NewQP", err)
	_, err = h.dev.Listen(verbs.ListenConfig{})
	closed("Listen", err)
	_, err = e.qp.PostRecv([]verbs.RecvWR{{ID: 1}})
	closed("PostRecv", err)
	_, err = e.qp.PostSend([]verbs.SendWR{{ID: 1, Op: verbs.Send}})
	closed("PostSend", err)
	closed("Modify", e.qp.Modify(verbs.Reset))
	e.sends.cq.Arm(false)
	e.sends.cq.Wait(1000)
	var out [4]verbs.Completion
	e.sends.cq.Poll(out[:])
	h.dev.PollEvents(make([]verbs.Event, 1))
	_ = errors.Join(e.qp.Close(), g.mr.Close(), h.pd.Close(), e.sends.cq.Close()) // nil or ErrClosed, both are fine
	r.dropHost(h)
}

// dropHost has the rig forget a host whose device the case closed itself.
func (r *rig) dropHost(gone *host) {
	var hosts []*host
	for _, h := range r.hosts {
		if h != gone {
			hosts = append(hosts, h)
		}
	}
	r.hosts = hosts
	for _, b := range r.boxes {
		b.muted = true
	}
}

// sleeperWakes closes the device under somebody who waits without a limit.
func sleeperWakes(r *rig) {
	e := r.endOn(r.hosts[0]).init()
	woke := make(chan bool, 1)
	r.world.Go(func() { woke <- e.recvs.cq.Wait(-1) })
	r.settle()
	r.closeDevice(e.host.dev)
	await(r, "the sleeper to wake up", woke)
	r.dropHost(e.host)
}

// againAndAgain makes and closes many queue pairs one after the other; what they leave behind would add up.
func againAndAgain(r *rig) {
	files := openFiles()
	rounds := max(10, r.times(30))
	for i := range rounds {
		a, b := r.pair()
		a.hello()
		for _, e := range []*end{a, b} {
			r.wantClosed("a queue pair", e.qp.Close())
			r.wantClosed("its completion queue", e.sends.cq.Close())
			r.wantClosed("its completion queue", e.recvs.cq.Close())
		}
		r.boxes, r.ends = nil, nil
		if i == 5 {
			files = openFiles()
		}
	}
	ok := r.within(r.opt.Patience/4, func() bool { return openFiles() <= files+4 })
	if !ok {
		r.Errorf("%d files open after %d rounds, %d after 5", openFiles(), rounds, files)
	}
}
