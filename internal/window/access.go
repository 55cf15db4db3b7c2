package window

import (
	"context"
	"fmt"

	"github.com/weft-mpi/weft/internal/comm"
	"github.com/weft-mpi/weft/internal/datatype"
	"github.com/weft-mpi/weft/internal/progress"
	"github.com/weft-mpi/weft/internal/wire"
)

// Elem describes the elements of an operation.
type Elem struct{ Size, Align int }

// Put writes src to a target's memory at a displacement. src is the window's until the epoch ends or a flush says so.
func (w *Window) Put(src []byte, target, disp int, e Elem) error {
	if target == comm.ProcNull {
		return nil
	}
	p, err := w.aim("put", target)
	if err != nil {
		return err
	}
	b, err := w.block("put", target, p, disp, len(src), e.Align)
	if err != nil || len(src) == 0 {
		return err
	}
	if p.near() {
		w.stats.near.Add(1)
		w.loop.Touch()
		copy(p.at(b), src)
		w.loop.Copied(len(src))
		return nil
	}
	if p.reach.Copier != nil && p.store(b, src) {
		w.stats.copied.Add(1)
		return nil
	}
	return w.run(&access{op: "put", verb: wire.RMAPut, target: target, p: p, one: [1]wire.Block{b}, src: src})
}

// Get reads a target's memory at a displacement into dst, which is the window's until the epoch ends or a
// flush says so.
func (w *Window) Get(dst []byte, target, disp int, e Elem) error {
	if target == comm.ProcNull {
		return nil
	}
	p, err := w.aim("get", target)
	if err != nil {
		return err
	}
	b, err := w.block("get", target, p, disp, len(dst), e.Align)
	if err != nil || len(dst) == 0 {
		return err
	}
	if p.near() {
		w.stats.near.Add(1)
		w.loop.Touch()
		copy(dst, p.at(b))
		w.loop.Copied(len(dst))
		return nil
	}
	if p.reach.Copier != nil && p.fetch(b, dst) {
		w.stats.copied.Add(1)
		return nil
	}
	return w.run(&access{op: "get", verb: wire.RMAGet, target: target, p: p, one: [1]wire.Block{b}, dst: dst})
}

// access is an operation that has been checked.
type access struct {
	op     string
	verb   wire.Verb
	target int
	p      *part
	one    [1]wire.Block // of the target's memory, unless there are several
	many   []wire.Block
	src    []byte // put, accumulate: as long as the blocks; swap: what should be there, and what shall be
	dst    []byte // get, fetch, swap: as long as the blocks
	fold   Fold
	elem   int    // bytes that must not be torn apart
	ack    bool   // put, accumulate: have the target answer, so that a flush need not ask
	then   func() // see Operation
}

func (a *access) bytes() int { return max(len(a.src), len(a.dst)) }

// blocks are those of the target's memory. One lies in the access itself, so that most operations
// allocate nothing.
func (a *access) blocks() []wire.Block {
	if a.many != nil {
		return a.many
	}
	return a.one[:]
}

// Do carries out an operation with any layout at the target. wait makes it return when the operation is over.
func (w *Window) Do(o *Operation) error {
	a, err := w.check(o)
	if err != nil || a.p == nil {
		return err
	}
	if !o.Wait {
		return w.run(&a)
	}
	if done, err := w.direct(&a); done {
		return err
	}
	w.loop.Enter()
	defer w.loop.Exit()
	r := w.loop.Expect(a.p.proc, a.bytes())
	if err := w.launch(&a, r); err != nil {
		w.loop.Finish(r, err)
	}
	if err := w.loop.Await(context.Background(), r, w.c.Why(a.op)); err != nil { // it uses the caller's memory, and cannot be taken back
		return w.fail(a.op, a.target, err)
	}
	return nil
}

// Start begins an operation that can be waited for alone. The target must be locked.
func (w *Window) Start(o *Operation) comm.Request {
	if o.Target != comm.ProcNull {
		if _, err := w.aimPassive(o.Name, o.Target); err != nil {
			return comm.Failed(err)
		}
	}
	a, err := w.check(o)
	if err != nil || a.p == nil {
		return comm.Failed(err)
	}
	if done, err := w.direct(&a); done {
		return comm.Failed(err)
	}
	w.loop.Enter()
	defer w.loop.Exit()
	r := w.loop.Expect(a.p.proc, a.bytes())
	h := w.loop.Hand(r, w.c.Why(a.op))
	if err := w.launch(&a, r); err != nil {
		w.loop.Finish(r, err)
	}
	return w.c.Adopt(h)
}

// run carries out an operation that nobody waits for alone.
func (w *Window) run(a *access) error {
	if done, err := w.direct(a); done {
		return err
	}
	w.loop.Enter()
	defer w.loop.Exit()
	if err := w.launch(a, nil); err != nil {
		return w.fail(a.op, a.target, err)
	}
	return nil
}

// direct carries out an operation by copies, if that is how this window does it.
func (w *Window) direct(a *access) (done bool, err error) {
	done, err = w.copies(a)
	if done && err == nil && a.then != nil {
		a.then()
	}
	return done, err
}

func (w *Window) copies(a *access) (done bool, err error) {
	p := a.p
	switch {
	case a.verb > wire.RMAGet && !w.native:
		return false, nil
	case a.verb > wire.RMAGet:
		w.stats.native.Add(1)
		return true, w.foldNative(a)
	case p.near():
		w.stats.near.Add(1)
		w.loop.Touch()
		moveBlocks(a, p.at)
		w.loop.Copied(a.bytes())
		return true, nil
	case p.reach.Copier != nil:
		return w.copyBlocks(a), nil
	}
	return false, nil
}

// near tells whether the part lies in our address space.
func (p *part) near() bool { return p.reach.Mem != nil }

// at is a block of the part, which is near; the block lies in it.
func (p *part) at(b wire.Block) []byte { return p.reach.Mem[b.Off : b.Off+b.Len] }

// moveBlocks copies between the origin's buffer and the blocks of a put or get.
func moveBlocks(a *access, at func(wire.Block) []byte) {
	done := 0
	for _, b := range a.blocks() {
		if a.verb == wire.RMAPut {
			copy(at(b), a.src[done:])
		} else {
			copy(a.dst[done:done+b.Len], at(b))
		}
		done += b.Len
	}
}

// copyBlocks has the kernel copy. False means that it does not do so any more: the peer has gone, or forbids it.
func (w *Window) copyBlocks(a *access) bool {
	done := 0
	for _, b := range a.blocks() {
		var copied bool
		if a.verb == wire.RMAPut {
			copied = a.p.store(b, a.src[done:done+b.Len])
		} else {
			copied = a.p.fetch(b, a.dst[done:done+b.Len])
		}
		if !copied {
			return false
		}
		done += b.Len
	}
	w.stats.copied.Add(1)
	return true
}

// key names a block of the part to a Copier or a device.
func (p *part) key(b wire.Block) wire.Key {
	return wire.Key{Addr: p.reach.Key.Addr + uint64(b.Off), Slot: p.reach.Key.Slot}
}

// store has the kernel copy to a block of the part, fetch from it. False as with copyBlocks.
func (p *part) store(b wire.Block, src []byte) bool {
	return p.reach.Copier.Store(p.proc, p.key(b), src) == nil
}

func (p *part) fetch(b wire.Block, dst []byte) bool {
	return p.reach.Copier.Fetch(p.proc, p.key(b), dst) == nil
}

// launch sends an operation on its way. The loop's lock is held.
func (w *Window) launch(a *access, req *progress.Request) error {
	p := a.p
	if err := w.loop.Failed(p.proc); err != nil {
		return err
	}
	if p.unacked+a.bytes() > unackedMax && p.flying+p.unacked > 0 {
		if err := w.flushPart(a.op, p, true); err != nil {
			return err
		}
	}
	if !p.touched.Load() {
		p.touched.Store(true)
		w.touched = append(w.touched, p)
		w.busy.Store(int32(len(w.touched)))
	}
	a.ack = p.flying == 0 && !p.dirty // of a burst only the first: a flush asks for the others
	f := w.takeOff(p, req)
	f.then = a.then
	switch {
	case a.target == w.self:
		w.land(f, w.serveOwn(a))
		return nil
	case a.verb <= wire.RMAGet && w.goesFar(a):
		w.sendFar(a, f)
	default:
		w.sendPackets(a, f)
	}
	w.land(f, nil)
	return nil
}

// unackedMax is how many bytes may be on their way to a target before an operation waits: what its progress
// loop has not taken lies in somebody's memory.
const unackedMax = 4 << 20

// Limits of a packet: it fits a frame between hosts.
const (
	dataMax   = 16 << 10
	blocksMax = 48
)

// sendPackets asks the target's progress loop, in as many packets as it takes.
func (w *Window) sendPackets(a *access, f *flight) {
	if all := a.blocks(); len(all) == 1 && all[0].Len <= dataMax || a.verb == wire.RMASwap {
		w.sendPacket(a, f, all, a.src, a.dst, true)
		return
	}
	var piece [blocksMax]wire.Block
	n, bytes, done := 0, 0, 0
	send := func() {
		src, dst := a.src, a.dst
		if src != nil {
			src = src[done : done+bytes]
		}
		if dst != nil {
			dst = dst[done : done+bytes]
		}
		w.sendPacket(a, f, piece[:n], src, dst, done+bytes == a.bytes())
		n, bytes, done = 0, 0, done+bytes
	}
	most := max(dataMax-dataMax%max(a.elem, 1), a.elem)
	for _, b := range a.blocks() {
		for b.Len > 0 {
			take := min(b.Len, most-bytes)
			piece[n] = wire.Block{Off: b.Off, Len: take}
			b.Off, b.Len = b.Off+take, b.Len-take
			n, bytes = n+1, bytes+take
			if n == blocksMax || bytes == most {
				send()
			}
		}
	}
	if n > 0 {
		send()
	}
}

// sendPacket sends a packet of an operation, perhaps the last one.
func (w *Window) sendPacket(a *access, f *flight, blocks []wire.Block, src, dst []byte, last bool) {
	p := a.p
	pkt := w.loop.Packet(p.proc, w.id)
	h := wire.Access{Verb: a.verb, Elem: uint8(a.fold.Kind), Op: uint8(a.fold.Op)}
	switch {
	case dst != nil:
		h.ID = w.name(f, dst)
	case a.ack && last: // the source is the caller's at once, so whoever waits for f does not wait for this
		ack := w.takeOff(p, nil)
		h.ID = w.name(ack, nil)
		w.land(ack, nil)
		p.dirty, p.unacked = false, 0
	default:
		p.dirty = true
		p.unacked += len(src)
	}
	pkt.Data = wire.AppendAccess(pkt.Data, &h, len(blocks))
	for _, b := range blocks {
		pkt.Data = wire.AppendBlock(pkt.Data, b)
	}
	pkt.Data = append(pkt.Data, src...)
	w.loop.Copied(len(src))
	w.loop.Post(pkt)
}

// Operation is what a caller asks for, in terms of the target's elements.
type Operation struct {
	Name   string // what the user called
	Verb   wire.Verb
	Target int
	Disp   int
	At     *datatype.Layout // where the bytes go, or come from, relative to Disp; nil: one block
	Src    []byte
	Dst    []byte
	Elem   Elem
	Fold   Fold
	Wait   bool   // return when the operation is over
	Then   func() // called when Dst is filled; nil: nobody wants to know. The loop's lock may be held
}

// check turns an operation into bytes, and refuses what must not be. A part of nil means that there is nothing to do.
func (w *Window) check(o *Operation) (a access, err error) {
	if o.Target == comm.ProcNull {
		return a, nil
	}
	p, err := w.aim(o.Name, o.Target)
	if err != nil {
		return a, err
	}
	if err := w.checkFold(o); err != nil {
		return a, err
	}
	n := len(o.Src)
	if o.Verb == wire.RMAGet || o.Verb == wire.RMASwap || o.Src == nil {
		n = len(o.Dst)
	}
	a = access{op: o.Name, verb: o.Verb, target: o.Target, src: o.Src, dst: o.Dst, fold: o.Fold, elem: o.Elem.Size, then: o.Then}
	if o.At == nil {
		b, err := w.block(o.Name, o.Target, p, o.Disp, n, o.Elem.Align)
		if err != nil {
			return access{}, err
		}
		a.one[0] = b
	} else if a.many, err = w.layOut(o, p, n); err != nil {
		return access{}, err
	}
	if n == 0 || o.Verb == wire.RMAAcc && o.Fold.Op == NoOp {
		return access{}, nil
	}
	if o.Fold.Op == NoOp {
		a.src = nil
	}
	a.p = p
	return a, nil
}

// layOut turns a layout into bytes of the target's memory.
func (w *Window) layOut(o *Operation, p *part, n int) ([]wire.Block, error) {
	if total := o.At.Size(); total != n {
		return nil, w.fail(o.Name, o.Target, fmt.Errorf("%w: the layout takes %d bytes, the buffer has %d", comm.ErrCount, total, n))
	}
	from, err := w.block(o.Name, o.Target, p, o.Disp, 0, 1)
	if err != nil {
		return nil, err
	}
	blocks := make([]wire.Block, 0, o.At.Blocks())
	o.At.Runs(func(off, size int) bool {
		var b wire.Block
		b, err = w.blockAt(o.Name, o.Target, p, from.Off+off, size, o.Elem.Align)
		blocks = append(blocks, b)
		return err == nil
	})
	return blocks, err
}
