package soft

import (
	"bytes"
	"net"
	"net/netip"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/verbs"
)

// TestStorm throws spoiled frames at a device whose other queue pairs are at work: 20 000 of them, or a million with
// WEFT_SOAK=1 in the environment (a few minutes). Nothing may crash, nobody else may notice, no byte outside what was
// registered may change, and everything is given back at the end.
func TestStorm(t *testing.T) {
	frames := 20_000
	if os.Getenv("WEFT_SOAK") != "" {
		frames = 1_000_000
	} else if testing.Short() {
		frames = 2_000
	}
	l, err := net.Listen("tcp", "127.0.0.1:0") // Go keeps the descriptors that it takes at the first use of the network
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	before := residue()
	w := newWeather(t)
	w.blow(frames)
	w.calm()
	w.close()
	eventually(t, "goroutines and descriptors are given back", func() bool {
		now := residue()
		return now.goroutines <= before.goroutines && now.files <= before.files
	})
	if now := residue(); now.heap > before.heap+16<<20 {
		t.Errorf("the heap grew from %d to %d bytes", before.heap, now.heap)
	}
}

// left is what a test may leave behind.
type left struct {
	goroutines, files int
	heap              uint64
}

// residue counts what there is now.
func residue() left {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	files, _ := os.ReadDir("/proc/self/fd")
	return left{runtime.NumGoroutine(), len(files), m.HeapAlloc}
}

// weather is a device with queue pairs that are attacked and others that work.
type weather struct {
	t       *testing.T
	dev     *Device // attacked
	far     *Device // of the partners of those who work
	victims map[verbs.Type]*end
	guards  []*stretch
	door    netip.AddrPort
	taboo   []place // regions that are out of the attackers' reach

	mu       sync.Mutex
	open     map[uint32]verbs.QP // accepted connections
	accepted int
	rejected int
	fatal    int
	rearmed  int

	dialed atomic.Int64
	stop   atomic.Bool
	worked [4]atomic.Int64 // exchanges of the healthy, by type
	work   sync.WaitGroup
	serve  sync.WaitGroup
	pd     verbs.PD // of the victims
	mr     verbs.MR
	cq     verbs.CQ
}

// stretch is registered memory between two stretches that nobody may touch.
type stretch struct {
	what   string
	arena  []byte
	frozen bool // not even the registered part may change
}

const (
	regionSize = 1 << 14
	guardByte  = 0xa5
)

// arena makes memory whose middle is to be registered.
func (w *weather) arena(what string, frozen bool) []byte {
	g := &stretch{what, bytes.Repeat([]byte{guardByte}, 3*regionSize), frozen}
	w.guards = append(w.guards, g)
	return g.arena[regionSize : 2*regionSize : 2*regionSize]
}

// guard moves an end's memory to an arena.
func (w *weather) guard(e *end, what string) {
	e.mr.Close()
	e.buf = w.arena(what, false)
	var err error
	if e.mr, err = e.pd.Register(e.buf, verbs.LocalWrite|verbs.RemoteRead|verbs.RemoteWrite|verbs.RemoteAtomic); err != nil {
		w.t.Fatal(err)
	}
}

func newWeather(t *testing.T) *weather {
	w := &weather{t: t, victims: map[verbs.Type]*end{}, open: map[uint32]verbs.QP{}}
	cfg := Config{ConnectWait: int64(2 * time.Second), ReceiveWait: int64(50 * time.Millisecond)}
	w.dev, w.far = open(t, cfg), open(t, Config{})
	l, err := w.dev.Listen(verbs.ListenConfig{})
	if err != nil {
		t.Fatal(err)
	}
	w.door = l.Addr()
	for _, typ := range []verbs.Type{verbs.RC, verbs.UD, verbs.RD} { // those who work, before anything is attacked
		w.healthy(typ)
	}
	for _, typ := range []verbs.Type{verbs.UD, verbs.RD} {
		e := newEnd(t, w.dev, typ, 8)
		w.guard(e, typ.String()+" victim")
		if err := e.qp.Modify(verbs.RTS); err != nil {
			t.Fatal(err)
		}
		w.victims[typ] = e
	}
	w.targets()
	w.serve.Go(w.attend)
	return w
}

// targets registers what the attacks aim at, and neighbours of it that are out of reach.
func (w *weather) targets() {
	e := newEnd(w.t, w.dev, verbs.RC, 8)
	w.guard(e, "RC victims")
	w.pd, w.mr, w.cq = e.pd, e.mr, e.cq
	for _, x := range []struct {
		what   string
		access verbs.Access
		close  bool
	}{{"only to be read", verbs.RemoteRead, false}, {"local", verbs.LocalWrite, false}, {"closed", verbs.LocalWrite | verbs.RemoteWrite, true}} {
		mr, err := e.pd.Register(w.arena(x.what, true), x.access)
		if err != nil {
			w.t.Fatal(err)
		}
		w.taboo = append(w.taboo, place{mr.RKey(), mr.Addr()}, place{mr.LKey(), mr.Addr()})
		if x.close {
			mr.Close()
		}
	}
	stranger, err := w.dev.NewPD()
	if err != nil {
		w.t.Fatal(err)
	}
	mr, err := stranger.Register(w.arena("of another domain", true), verbs.LocalWrite|verbs.RemoteWrite|verbs.RemoteAtomic)
	if err != nil {
		w.t.Fatal(err)
	}
	w.taboo = append(w.taboo, place{mr.RKey(), mr.Addr()})
}

// attend is the program of the attacked device: it accepts, posts receives, and closes what broke.
func (w *weather) attend() {
	var events [16]verbs.Event
	var done [64]verbs.Completion
	for !w.stop.Load() {
		n := w.dev.PollEvents(events[:])
		for i := range n {
			w.event(&events[i])
		}
		w.cq.Poll(done[:])
		w.rearm()
		for typ, v := range w.victims {
			v.cq.Poll(done[:])
			if _, err := v.qp.PostRecv([]verbs.RecvWR{{SGL: []verbs.SGE{{Buf: v.buf[:4096], LKey: v.mr.LKey()}}}}); err != nil && err != verbs.ErrFull {
				w.t.Errorf("%v: %v", typ, err)
			}
		}
		if n == 0 {
			time.Sleep(100 * time.Microsecond)
		}
	}
}

// rearm gives out new keys for those that the attackers made invalid.
func (w *weather) rearm() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, mr := range []verbs.MR{w.mr, w.victims[verbs.UD].mr, w.victims[verbs.RD].mr} {
		if mr.RKey() == 0 {
			mr.Rekey()
			w.rearmed++
		}
	}
}

// target is what an attacker knows who has been told the key of a region.
func (w *weather) target(mr verbs.MR) target {
	return target{rkey: mr.RKey(), addr: mr.Addr(), size: regionSize, other: w.taboo}
}

// event handles one.
func (w *weather) event(e *verbs.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch e.Kind {
	case verbs.ConnectRequest:
		if w.accepted%16 == 15 && w.rejected < w.accepted/8 {
			w.rejected++
			e.Request.Reject([]byte("enough"))
			return
		}
		w.accept(e.Request)
	case verbs.QPFatal, verbs.Disconnected:
		qp := w.open[e.Num]
		if qp == nil {
			w.t.Errorf("%v of queue pair %d, which is not attacked: %v", e.Kind, e.Num, e.Err)
			return
		}
		if e.Kind == verbs.QPFatal {
			w.fatal++
		}
		delete(w.open, e.Num)
		qp.Close()
	case verbs.Established, verbs.RemoteError:
	default:
		w.t.Errorf("event %v: %v", e.Kind, e.Err)
	}
}

// accept gives an attacker a queue pair with receives, and asks it for something.
func (w *weather) accept(r verbs.ConnRequest) {
	qp, err := w.pd.NewQP(verbs.QPConfig{Type: verbs.RC, SendCQ: w.cq, RecvCQ: w.cq, SendDepth: 4, RecvDepth: 8})
	if err != nil {
		w.t.Error(err)
		return
	}
	qp.Modify(verbs.Init)
	mem := w.mr.Bytes()
	for range 8 {
		qp.PostRecv([]verbs.RecvWR{{SGL: []verbs.SGE{{Buf: mem[:8192], LKey: w.mr.LKey()}}}})
	}
	if r.Accept(qp, nil) != nil { // the attacker asked for what cannot be, or is gone
		qp.Close()
		return
	}
	w.accepted++
	w.open[qp.Num()] = qp
	qp.PostSend([]verbs.SendWR{{Op: verbs.Read, RKey: 1, SGL: []verbs.SGE{{Buf: mem[:64], LKey: w.mr.LKey()}}},
		{Op: verbs.FetchAdd, RKey: 1, SGL: []verbs.SGE{{Buf: mem[64:72], LKey: w.mr.LKey()}}}})
}

// healthy has a pair of the attacked device and the far one exchange checked data until the storm is over.
func (w *weather) healthy(typ verbs.Type) {
	near, far := newEnd(w.t, w.dev, typ, 8), newEnd(w.t, w.far, typ, 8)
	w.guard(near, "near healthy "+typ.String())
	w.guard(far, "far healthy "+typ.String())
	var ah verbs.AH
	if typ == verbs.RC {
		if err := far.qp.Connect(w.door, nil); err != nil {
			w.t.Fatal(err)
		}
		if err := near.event(verbs.ConnectRequest).Request.Accept(near.qp, nil); err != nil {
			w.t.Fatal(err)
		}
		near.event(verbs.Established)
		far.event(verbs.Established)
	} else {
		for _, e := range []*end{near, far} {
			if err := e.qp.Modify(verbs.RTS); err != nil {
				w.t.Fatal(err)
			}
		}
		ah = far.handle(near.qp.Addr())
	}
	w.work.Go(func() {
		for i := 0; !w.stop.Load() && w.exchange(far, near, ah, byte(i), typ); i++ {
		}
	})
}

// exchange sends a message from one end to the other, reads it back, compares and counts it; false ends the work.
func (w *weather) exchange(from, to *end, ah verbs.AH, seed byte, typ verbs.Type) bool {
	const n = 1000
	for i := range n {
		from.buf[i] = seed + byte(i)
	}
	to.qp.PostRecv([]verbs.RecvWR{{ID: 1, SGL: []verbs.SGE{{Buf: to.buf[:n], LKey: to.mr.LKey()}}}})
	wrs := []verbs.SendWR{{Op: verbs.Send, Flags: verbs.Signaled, SGL: []verbs.SGE{{Buf: from.buf[:n], LKey: from.mr.LKey()}}, AH: ah},
		{Op: verbs.Read, Flags: verbs.Signaled | verbs.Fence, RemoteAddr: to.mr.Addr(), RKey: to.mr.RKey(), AH: ah,
			SGL: []verbs.SGE{{Buf: from.buf[n : 2*n], LKey: from.mr.LKey()}}}}
	for i := range wrs {
		wait := from
		if _, err := from.qp.PostSend(wrs[i : i+1]); err != nil {
			w.t.Errorf("%v: %v", typ, err)
			return false
		}
		var done [1]verbs.Completion
		for k := 0; k < 2-i; k++ { // the Send completes at both ends
			for limit := time.Now().Add(20 * time.Second); wait.cq.Poll(done[:]) == 0; {
				if !wait.cq.Wait(int64(5*time.Millisecond)) && time.Now().After(limit) {
					w.t.Errorf("%v: no completion of step %d", typ, i)
					return false
				}
			}
			if typ == verbs.UD && done[0].Status == verbs.Unreachable {
				return true // the answer to a Read may be late, on a machine that is busy with the storm
			}
			if done[0].Status != verbs.OK {
				w.t.Errorf("%v: step %d: %v", typ, i, done[0].Status)
				return false
			}
			wait = to
		}
	}
	if !bytes.Equal(from.buf[:n], to.buf[:n]) || !bytes.Equal(from.buf[:n], from.buf[n:2*n]) {
		w.t.Errorf("%v: other bytes arrived", typ)
		return false
	}
	w.worked[typ].Add(1)
	return true
}

// calm waits until the attacked connections are over and looks at what the storm has left.
func (w *weather) calm() {
	t, d := w.t, w.dev
	for typ := range w.worked {
		before := w.worked[typ].Load()
		if before == 0 && typ > 0 {
			t.Errorf("%v: the healthy pair did nothing", verbs.Type(typ))
		}
	}
	for _, typ := range []verbs.Type{verbs.RC, verbs.UD, verbs.RD} {
		before := w.worked[typ].Load()
		eventually(t, typ.String()+" goes on working", func() bool { return w.worked[typ].Load() > before+2 })
	}
	eventually(t, "all connections are answered for", func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		d.mu.Lock()
		defer d.mu.Unlock()
		c := &d.count
		return len(w.open) == 0 && len(d.unproven) == 0 && d.events.Len() == 0 &&
			int64(c.strangers+c.connsTaken+c.connsRefused) >= w.dialed.Load()+1
	})
	w.stop.Store(true)
	w.work.Wait()
	w.serve.Wait()
	d.mu.Lock()
	defer d.mu.Unlock()
	c := &d.count
	t.Logf("%d, %d, %d exchanges; %d connections, %d new keys, counted %+v", w.worked[1].Load(), w.worked[2].Load(), w.worked[3].Load(), w.dialed.Load(),
		w.rearmed, *c)
	if got := int64(c.strangers + c.connsTaken + c.connsRefused); got != w.dialed.Load()+1 {
		t.Errorf("%d connections were made, %d answered for", w.dialed.Load()+1, got)
	}
	if int(c.connsTaken) != w.accepted+1 || int(c.connsLost) != w.fatal {
		t.Errorf("%d accepted and %d broken, counted %d and %d", w.accepted+1, w.fatal, c.connsTaken, c.connsLost)
	}
	if c.badCheck == 0 || c.badFormat == 0 || c.noticesOut == 0 || c.terminatesOut == 0 || c.completionsLost != 0 {
		t.Errorf("counters: %+v", *c)
	}
}

// close closes the victims, looks at all memory and closes the devices.
func (w *weather) close() {
	t, d := w.t, w.dev
	for _, v := range w.victims {
		if err := v.qp.Close(); err != nil {
			t.Error(err)
		}
	}
	eventually(t, "connections have parted", func() bool {
		d.mu.Lock()
		defer d.mu.Unlock()
		return len(d.links) == 1 // the healthy one
	})
	d.mu.Lock()
	live := len(d.sources.slots) - len(d.sources.free)
	if d.poolUsed != 0 || live != 4 || len(d.direct) != 3 || len(d.timers) > 4 || len(d.spareBoxes) > 8 || len(d.spareBytes) > 16 {
		t.Errorf("%d bytes in the pool, %d sources, %d direct, %d timers, %d boxes, %d byte slices are left", d.poolUsed, live,
			len(d.direct), len(d.timers), len(d.spareBoxes), len(d.spareBytes))
	}
	d.mu.Unlock()
	for _, g := range w.guards {
		for i, b := range g.arena {
			if inside := i >= regionSize && i < 2*regionSize; b != guardByte && (!inside || g.frozen) {
				t.Errorf("%s: byte %d of %d was changed", g.what, i-regionSize, regionSize)
				break
			}
		}
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	if err := w.far.Close(); err != nil {
		t.Error(err)
	}
}
