package verbstest

import (
	"errors"
	"net/netip"

	"github.com/weft-mpi/weft/internal/verbs"
)

// What PostSend, PostRecv and the makers of objects refuse, and that they do nothing then.
var postCases = []scenario{
	{name: "post/local keys are checked", run: localKeys},
	{name: "post/arguments are checked", run: badArguments},
	{name: "post/a batch stops at its first error", run: batchStops},
	{name: "post/full queues", run: fullQueues},
	{name: "post/states", run: postStates},
	{name: "make/arguments are checked", run: badConfigs},
}

// refused posts one work request, which must fail with one of the errors.
func (e *end) refused(what string, wr verbs.SendWR, want ...error) {
	e.r.Helper()
	n, err := e.qp.PostSend([]verbs.SendWR{e.aim(wr)})
	e.r.wantErr(what, n, err, want...)
}

// refusedRecv likewise for a receive.
func (e *end) refusedRecv(what string, wr verbs.RecvWR, want ...error) {
	e.r.Helper()
	n, err := e.qp.PostRecv([]verbs.RecvWR{wr})
	e.r.wantErr(what, n, err, want...)
}

func (r *rig) wantErr(what string, n int, err error, want ...error) {
	r.Helper()
	for _, w := range want {
		if n == 0 && errors.Is(err, w) {
			return
		}
	}
	r.Errorf("%s: %d taken, error %v, want one of %v", what, n, err, want)
}

func localKeys(r *rig) {
	a, b := r.pair()
	good := a.host.region(r, 100, verbs.LocalWrite)
	plain := a.host.region(r, 100, 0)
	gone := a.host.region(r, 100, verbs.LocalWrite)
	stale := gone.sge(0, 10)
	gone.close()
	pd, err := a.host.dev.NewPD()
	if err != nil {
		r.Fatal(err)
	}
	foreign, err := pd.Register(make([]byte, 100), verbs.LocalWrite)
	if err != nil {
		r.Fatal(err)
	}
	rows := []struct {
		what string
		sge  verbs.SGE
		recv bool // only receives and Reads must refuse it
		want error
	}{
		{"a key never given out", verbs.SGE{Buf: good.buf, LKey: good.mr.LKey() ^ 0x5a5a5a5a}, false, verbs.ErrKey},
		{"a closed region", stale, false, verbs.ErrKey},
		{"a region of another domain", verbs.SGE{Buf: foreign.Bytes(), LKey: foreign.LKey()}, false, verbs.ErrKey},
		{"a byte before the region", verbs.SGE{Buf: good.whole[guard-1 : guard+9], LKey: good.mr.LKey()}, false, verbs.ErrBounds},
		{"a byte after the region", verbs.SGE{Buf: good.whole[guard+91 : guard+101], LKey: good.mr.LKey()}, false, verbs.ErrBounds},
		{"another region's memory", verbs.SGE{Buf: plain.buf, LKey: good.mr.LKey()}, false, verbs.ErrBounds},
		{"a region that is not ours to write", plain.sge(0, 10), true, verbs.ErrAccess},
	}
	for _, row := range rows {
		sgl := []verbs.SGE{row.sge}
		a.refusedRecv("receive into "+row.what, verbs.RecvWR{SGL: sgl}, row.want)
		if !row.recv {
			a.refused("Send from "+row.what, verbs.SendWR{Op: verbs.Send, Flags: verbs.Signaled, SGL: sgl}, row.want)
			a.refused("the second entry is "+row.what, verbs.SendWR{Op: verbs.Send, Flags: verbs.Signaled,
				SGL: []verbs.SGE{good.sge(0, 1), row.sge}}, row.want)
		}
		if r.hasReadWrite() {
			a.refused("Read into "+row.what, verbs.SendWR{Op: verbs.Read, Flags: verbs.Signaled, SGL: sgl}, row.want)
		}
	}
	a.hello()
	b.hello()
	r.settle()
	if n := len(a.sends.done) + len(a.recvs.done); n > 0 {
		r.Errorf("%d completions of work that was refused", n)
	}
}

func badArguments(r *rig) {
	a, _ := r.pair(func(c *verbs.QPConfig) { c.SendSGE, c.RecvSGE = min(2, r.caps.MaxSGE), min(2, r.caps.MaxSGE) })
	g := a.host.region(r, 4096, verbs.LocalWrite)
	var many []verbs.SGE
	for range r.caps.MaxSGE + 1 {
		many = append(many, g.sge(0, 1))
	}
	invalid := []error{verbs.ErrArgument, verbs.ErrUnsupported}
	a.refused("a list that is too long", verbs.SendWR{Op: verbs.Send, SGL: many}, invalid...)
	a.refusedRecv("a list that is too long", verbs.RecvWR{SGL: many}, invalid...)
	if r.caps.MaxSGE > 2 {
		a.refused("more entries than the queue pair has", verbs.SendWR{Op: verbs.Send, SGL: many[:3]}, invalid...)
	}
	a.refused("no operation", verbs.SendWR{SGL: g.sgl(0, 1)}, invalid...)
	a.refused("a receive in the send queue", verbs.SendWR{Op: verbs.Recv, SGL: g.sgl(0, 1)}, invalid...)
	a.refused("an unknown operation", verbs.SendWR{Op: 200, SGL: g.sgl(0, 1)}, invalid...)
	if r.caps.MaxInline > 0 && r.caps.MaxInline < 1<<20 {
		long := make([]byte, r.caps.MaxInline+1)
		a.refused("inline beyond the limit", verbs.SendWR{Op: verbs.Send, Flags: verbs.Inline, SGL: []verbs.SGE{{Buf: long}}}, invalid...)
	}
	if r.hasReadWrite() {
		if r.caps.MaxReadSGE < min(2, r.caps.MaxSGE) {
			a.refused("a Read into two pieces", verbs.SendWR{Op: verbs.Read, SGL: many[:2]}, invalid...)
		}
		a.refused("an inline Read", verbs.SendWR{Op: verbs.Read, Flags: verbs.Inline, SGL: g.sgl(0, 1)}, invalid...)
	}
	if r.caps.Atomics && r.typ != verbs.UD {
		a.refused("an atomic of 4 bytes", verbs.SendWR{Op: verbs.FetchAdd, SGL: g.sgl(0, 4)}, invalid...)
	}
	if r.typ != verbs.UD {
		a.refused("WriteRecord", verbs.SendWR{Op: verbs.WriteRecord, SGL: g.sgl(0, 4)}, invalid...)
	}
	if r.typ == verbs.UD {
		a.badDatagrams(invalid)
	}
	if r.typ != verbs.RC {
		n, err := a.qp.PostSend([]verbs.SendWR{{Op: verbs.Send, SGL: g.sgl(0, 1)}})
		r.wantErr("no destination", n, err, invalid...)
		if err := a.qp.Connect(netip.MustParseAddrPort("127.0.0.1:9"), nil); err == nil {
			r.Errorf("%v was connected", r.typ)
		}
	}
	a.hello()
}

// badDatagrams posts what UD cannot do.
func (e *end) badDatagrams(invalid []error) {
	e.r.Helper()
	long := e.host.region(e.r, e.r.caps.MaxDatagram+1, verbs.LocalWrite)
	e.refused("a Send beyond MaxDatagram", verbs.SendWR{Op: verbs.Send, SGL: long.sgl(0, len(long.buf))}, invalid...)
	for _, op := range []verbs.Op{verbs.SendInvalidate, verbs.FetchAdd, verbs.CompareSwap} {
		e.refused(op.String(), verbs.SendWR{Op: op, SGL: long.sgl(0, 8)}, invalid...)
	}
}

// batchStops posts batches with an error in the middle: what was before it is done, nothing else.
func batchStops(r *rig) {
	a, b := r.pair()
	src, dst := a.host.region(r, 64, 0), b.host.region(r, 64*8, verbs.LocalWrite)
	for _, bad := range []int{0, 1, 4, 7} {
		var sends []verbs.SendWR
		var recvs []verbs.RecvWR
		for i := range 8 {
			wr := verbs.SendWR{ID: uint64(i), Op: verbs.Send, Flags: verbs.Signaled, SGL: src.sgl(0, 64)}
			in := verbs.RecvWR{ID: uint64(i), SGL: dst.sgl(64*i, 64*(i+1))}
			if i == bad {
				wr.SGL[0].LKey ^= 0x5a5a5a5a
				in.SGL[0].LKey ^= 0x5a5a5a5a
			}
			sends, recvs = append(sends, a.aim(wr)), append(recvs, in)
		}
		if n, err := b.qp.PostRecv(recvs); n != bad || !errors.Is(err, verbs.ErrKey) {
			r.Fatalf("PostRecv with an error at %d: took %d, %v", bad, n, err)
		}
		if n, err := a.qp.PostSend(sends); n != bad || !errors.Is(err, verbs.ErrKey) {
			r.Fatalf("PostSend with an error at %d: took %d, %v", bad, n, err)
		}
		for i := range bad {
			a.sent(uint64(i), verbs.Send)
			b.got(uint64(i), verbs.Recv, 64)
		}
	}
	for what, post := range map[string]func() (int, error){
		"sends":    func() (int, error) { return a.qp.PostSend(nil) },
		"receives": func() (int, error) { return b.qp.PostRecv(nil) },
	} {
		if n, err := post(); n != 0 || err != nil {
			r.Errorf("posting no %s: %d, %v", what, n, err)
		}
	}
	r.settle()
	if n := len(a.sends.done) + len(b.recvs.done); n > 0 {
		r.Errorf("%d completions too many", n)
	}
}

// fullQueues posts more than fits. A device may round depths up, but what it took it must do, and ErrFull must
// have done nothing.
func fullQueues(r *rig) {
	const asked, most = 8, 64
	a, b := r.pair(func(c *verbs.QPConfig) { c.SendDepth, c.RecvDepth = asked, asked })
	src, dst := a.host.region(r, 16, 0), b.host.region(r, 16*most, verbs.LocalWrite)
	for round := range 3 {
		taken := 0
		for ; taken < most; taken++ {
			n, err := b.qp.PostRecv([]verbs.RecvWR{{ID: uint64(taken), SGL: dst.sgl(16*taken, 16*taken+16)}})
			if n == 0 && errors.Is(err, verbs.ErrFull) {
				break
			}
			if n != 1 || err != nil {
				r.Fatalf("receive %d: took %d, %v", taken, n, err)
			}
		}
		if taken < asked || taken == most {
			r.Fatalf("a queue of %d took %d receives", asked, taken)
		}
		sends := make([]verbs.SendWR, most)
		for i := range sends {
			sends[i] = a.aim(verbs.SendWR{ID: uint64(i), Op: verbs.Send, Flags: verbs.Signaled, SGL: src.sgl(0, 16)})
		}
		for done := 0; done < taken; {
			n, err := a.qp.PostSend(sends[done:taken])
			if n < taken-done && !errors.Is(err, verbs.ErrFull) || n == 0 {
				r.Fatalf("round %d: %d of %d sends posted, then %d, %v", round, done, taken, n, err)
			}
			for range n {
				a.sent(uint64(done), verbs.Send)
				done++
			}
		}
		for i := range taken {
			b.got(uint64(i), verbs.Recv, 16)
		}
	}
	a.fullOfSends(src)
}

// fullOfSends posts without polling: sends that nobody polled the completions of are still open.
func (e *end) fullOfSends(src *region) {
	e.r.Helper()
	e.sends.muted = true
	wrs := make([]verbs.SendWR, 200)
	for i := range wrs {
		wrs[i] = e.aim(verbs.SendWR{ID: uint64(i), Op: verbs.Send, Flags: verbs.Signaled, SGL: src.sgl(0, 1)})
	}
	n, err := e.qp.PostSend(wrs)
	if !errors.Is(err, verbs.ErrFull) || n < 8 {
		e.r.Fatalf("of 200 sends %d were taken, %v; want at least 8 and ErrFull", n, err)
	}
	e.modifyOrClose()
}

// modifyOrClose ends a queue pair whose work nobody needs any more.
func (e *end) modifyOrClose() {
	e.r.Helper()
	if err := e.qp.Close(); err != nil {
		e.r.Fatalf("closing qp: %v", err)
	}
	e.sends.muted = false
}

// postStates checks what can be posted in which state.
func postStates(r *rig) {
	e := r.endOn(r.hosts[0])
	e.peer = r.endOn(r.hosts[1]).init()
	g := e.host.region(r, 8, verbs.LocalWrite)
	send := verbs.SendWR{ID: 1, Op: verbs.Send, Flags: verbs.Signaled, SGL: g.sgl(0, 8)}
	recv := verbs.RecvWR{ID: 2, SGL: g.sgl(0, 8)}
	if s := e.qp.State(); s != verbs.Reset {
		r.Fatalf("a new queue pair is %v", s)
	}
	e.refused("Send in Reset", send, verbs.ErrState)
	e.refusedRecv("receive in Reset", recv, verbs.ErrState)
	if err := e.qp.Modify(verbs.RTS); !errors.Is(err, verbs.ErrState) {
		r.Errorf("Modify from Reset to RTS: %v", err)
	}
	e.modify(verbs.Init)
	e.refused("Send in Init", send, verbs.ErrState)
	e.recv(2, g.sge(0, 8))
	if r.typ == verbs.RC {
		if err := e.qp.Modify(verbs.RTS); !errors.Is(err, verbs.ErrState) {
			r.Errorf("Modify of RC from Init to RTS: %v", err)
		}
	}
	e.modify(verbs.Error)
	e.flushed(e.recvs, 2, 1)
	e.recv(3, g.sge(0, 8))
	e.flushed(e.recvs, 3, 1)
	e.post(send)
	e.flushed(e.sends, 1, 1)
}

// flushed takes n completions, which must be flushed with the numbers from first.
func (e *end) flushed(b *box, first uint64, n int) {
	e.r.Helper()
	for i, c := range e.r.take(b, n) {
		if c.ID != first+uint64(i) || c.Status != verbs.Flushed || c.QP != e.qp.Num() {
			e.r.Fatalf("completion qp %d %v id %d %v, want qp %d id %d Flushed", c.QP, c.Op, c.ID, c.Status, e.qp.Num(), first+uint64(i))
		}
	}
}

// badConfigs makes objects from nonsense.
func badConfigs(r *rig) {
	h := r.hosts[0]
	cq := r.box(h, verbs.CQConfig{Depth: 16}).cq
	ok := verbs.QPConfig{Type: r.typ, SendCQ: cq, RecvCQ: cq, SendDepth: 4, RecvDepth: 4}
	rows := []struct {
		what  string
		spoil func(*verbs.QPConfig)
	}{
		{"no type", func(c *verbs.QPConfig) { c.Type = 0 }},
		{"an unknown type", func(c *verbs.QPConfig) { c.Type = 77 }},
		{"no send CQ", func(c *verbs.QPConfig) { c.SendCQ = nil }},
		{"no receive CQ", func(c *verbs.QPConfig) { c.RecvCQ = nil }},
		{"a foreign CQ", func(c *verbs.QPConfig) { c.SendCQ = foreignCQ{} }},
		{"a rail too many", func(c *verbs.QPConfig) { c.Rail = len(h.dev.Rails()) }},
		{"a negative rail", func(c *verbs.QPConfig) { c.Rail = -1 }},
		{"a queue too deep", func(c *verbs.QPConfig) { c.SendDepth = r.caps.MaxDepth + 1 }},
		{"a negative depth", func(c *verbs.QPConfig) { c.RecvDepth = -1 }},
		{"lists too long", func(c *verbs.QPConfig) { c.SendSGE = r.caps.MaxSGE + 1 }},
		{"too much inline", func(c *verbs.QPConfig) { c.Inline = r.caps.MaxInline + 1 }},
		{"a negative number", func(c *verbs.QPConfig) { c.RecvSGE = -1 }},
		{"too many Reads", func(c *verbs.QPConfig) { c.Reads = r.caps.MaxReads + 1 }},
		{"negative Reads", func(c *verbs.QPConfig) { c.ReadsIn = -1 }},
		{"a foreign SRQ", func(c *verbs.QPConfig) { c.SRQ = foreignSRQ{} }},
		{"both CQs are alien", func(c *verbs.QPConfig) { c.SendCQ, c.RecvCQ = foreignCQ{}, foreignCQ{} }},
		{"negative send depth", func(c *verbs.QPConfig) { c.SendDepth = -5 }},
	}
	for _, row := range rows {
		cfg := ok
		row.spoil(&cfg)
		if row.what == "too many Reads" && r.typ == verbs.UD {
			continue
		}
		if qp, err := h.pd.NewQP(cfg); !errors.Is(err, verbs.ErrArgument) && !errors.Is(err, verbs.ErrUnsupported) {
			r.Errorf("NewQP with %s: %v, %v", row.what, qp != nil, err)
		}
	}
	for _, d := range []int{0, -1} {
		if _, err := h.dev.NewCQ(verbs.CQConfig{Depth: d}); !errors.Is(err, verbs.ErrArgument) {
			r.Errorf("NewCQ with depth %d: %v", d, err)
		}
	}
	for _, access := range []verbs.Access{verbs.RemoteWrite, verbs.RemoteAtomic, 0x80} {
		if _, err := h.pd.Register(make([]byte, 8), access); !errors.Is(err, verbs.ErrArgument) {
			r.Errorf("Register with access %b: %v", access, err)
		}
	}
	if _, err := h.pd.NewAH(netip.AddrPort{}); !errors.Is(err, verbs.ErrArgument) {
		r.Errorf("NewAH of nowhere: %v", err)
	}
	if r.caps.SRQ {
		if _, err := h.pd.NewSRQ(verbs.SRQConfig{Depth: -1}); !errors.Is(err, verbs.ErrArgument) {
			r.Errorf("NewSRQ with a negative depth: %v", err)
		}
	}
	if r.caps.RC {
		if _, err := h.dev.Listen(verbs.ListenConfig{Rail: len(h.dev.Rails())}); !errors.Is(err, verbs.ErrArgument) {
			r.Errorf("Listen on a rail too many: %v", err)
		}
	}
}

// foreignCQ and foreignSRQ are no device's.
type foreignCQ struct{ verbs.CQ }

type foreignSRQ struct{ verbs.SRQ }

func (foreignCQ) Num() uint32  { return 1 }
func (foreignSRQ) Num() uint32 { return 1 }
