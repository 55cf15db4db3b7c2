package abi

import (
	"strings"
	"unsafe"

	"github.com/weft-mpi/weft/internal/abi/spec"
	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/comm"
)

// A collective is described once, in bytes: a handler fills in a collective, and perform runs it, starts it,
// or makes a request that starts it again and again, as the function's form says. Data with holes are packed
// before and unpacked after; with that, every algorithm serves every type.

// collective is one rank's part.
type collective struct {
	on     *communicator
	call   comm.Call
	before []func() // packs; each time it starts
	after  []func() // unpacks; each time it has ended
}

// chapterColl has the collectives.
var chapterColl = map[string]row{
	"Barrier": {do: barrier}, "Bcast": {do: bcast}, "Gather": {do: gather}, "Gatherv": {do: gatherv}, "Scatter": {do: scatter}, "Scatterv": {do: scatterv},
	"Allgather": {do: allgather}, "Allgatherv": {do: allgatherv}, "Alltoall": {do: alltoall}, "Alltoallv": {do: alltoallv}, "Alltoallw": {do: alltoallw},
	"Reduce": {do: reduce}, "Allreduce": {do: vector(coll.Allreduce)}, "Scan": {do: vector(coll.Scan)}, "Exscan": {do: vector(coll.Exscan)},
	"Reduce_scatter": {do: reduceScatter}, "Reduce_scatter_block": {do: reduceScatterBlock}, "Reduce_local": {do: reduceLocal},
}

// collective begins the description of a call on the communicator of argument i.
func (c call) collective(i int, op coll.Op) (*collective, error) {
	cm, err := c.comm(i)
	if err != nil {
		return nil, err
	}
	return &collective{on: cm, call: comm.Call{Op: op, Elem: 1}}, nil
}

// perform carries out what was described, in the function's form.
func (c call) perform(k *collective) error {
	start := func() comm.Request {
		for _, f := range k.before {
			f()
		}
		return k.on.c.Start(&k.call)
	}
	end := func(st comm.Status, err error) (comm.Status, error) {
		for _, f := range k.after {
			f()
		}
		return st, err
	}
	if k.after == nil {
		end = nil
	}
	switch c.f.Form {
	case Starting:
		if err := c.outs(c.last(1)); err != nil {
			return err
		}
		return c.start(c.last(1), &request{r: start(), on: k.on, end: end})
	case Persistent:
		if _, err := c.optionalInfo(c.last(2)); err != nil {
			return err
		}
		kept := k.on.c.Init(&k.call)
		return c.newRequest(c.last(1), &request{on: k.on, end: end, start: func() comm.Request {
			for _, f := range k.before {
				f()
			}
			if err := comm.Restart([]comm.Request{kept}); err != nil {
				return comm.Failed(err)
			}
			return kept
		}})
	}
	for _, f := range k.before {
		f()
	}
	if err := k.on.c.Run(&k.call); err != nil {
		return err
	}
	for _, f := range k.after {
		f()
	}
	return nil
}

// part is what a rank is in a call with a root.
type part uint8

// The parts: of two groups, those of the root's own but for itself have none.
const (
	noPart part = iota
	other
	atRoot
)

// root is argument i: a rank or, between two groups, what this rank is.
func (c call) root(i int, k *collective) (part, error) {
	root := c.int(i)
	switch n := k.on.peers(); {
	case k.on.inter() && root == spec.ROOT:
		k.call.Root = comm.Root
		return atRoot, nil
	case k.on.inter() && root == spec.PROC_NULL:
		k.call.Root = comm.ProcNull
		return noPart, nil
	case root < 0 || root >= n:
		return noPart, bad(spec.ERR_ROOT, "root %d; the communicator has ranks 0 to %d", root, n-1)
	}
	if k.call.Root = root; !k.on.inter() && root == k.on.c.Rank() {
		return atRoot, nil
	}
	return other, nil
}

// gives tells whether a rank has a block of its own in a call with a root: all but a root in place or, between two
// groups, those of the other one.
func (k *collective) gives(at part) bool {
	return !k.call.InPlace && (at == other || at == atRoot && !k.on.inter())
}

// in has the call read data.
func (k *collective) in(v view) {
	b, plain := v.plain()
	if !plain {
		b = make([]byte, v.bytes())
		k.before = append(k.before, func() { v.pack(b) })
	}
	k.call.In = b
}

// out has the call write data; if it reads them too, they are there before.
func (k *collective) out(v view, reads bool) {
	b, scratch := v.room()
	if scratch {
		if reads {
			k.before = append(k.before, func() { v.pack(b) })
		}
		k.after = append(k.after, func() { v.unpack(b) })
	}
	k.call.Out = b
}

func barrier(c call) error {
	k, err := c.collective(0, coll.Barrier)
	if err != nil {
		return err
	}
	return c.perform(k)
}

// bcast is Bcast: buffer, count, type, root, communicator.
func bcast(c call) error {
	k, err := c.collective(4, coll.Bcast)
	if err != nil {
		return err
	}
	at, err := c.root(3, k)
	if err != nil {
		return err
	}
	if at == noPart {
		return c.perform(k)
	}
	v, err := c.view(0, 1, 2)
	if err != nil {
		return err
	}
	k.out(v, at == atRoot)
	k.call.Bytes = v.bytes()
	return c.perform(k)
}

// inPlace tells whether argument i is MPI_IN_PLACE. Between two groups that is no buffer.
func (c call) inPlace(k *collective, i int) bool { return c.word(i) == spec.IN_PLACE && !k.on.inter() }

// times is the data that arguments describe, n times as much: count is that of one block.
func (c call) times(n, buf, count, typ int) (view, error) {
	v, err := c.view(buf, count, typ)
	if err == nil && n > 0 && v.n > maxElements/n {
		return v, bad(spec.ERR_COUNT, "%d blocks of %d elements", n, v.n)
	}
	v.n *= n
	return v, err
}

const maxElements = 1 << 48

// gather is Gather: send buffer, count, type, receive buffer, count, type, root, communicator.
func gather(c call) error {
	k, err := c.collective(7, coll.Gather)
	if err != nil {
		return err
	}
	at, err := c.root(6, k)
	if err != nil {
		return err
	}
	k.call.InPlace = at == atRoot && c.inPlace(k, 0)
	if k.gives(at) {
		v, err := c.view(0, 1, 2)
		if err != nil {
			return err
		}
		k.in(v)
		k.call.Bytes = v.bytes()
	}
	if at == atRoot {
		v, err := c.times(k.on.peers(), 3, 4, 5)
		if err != nil {
			return err
		}
		k.out(v, k.call.InPlace)
		if each := v.bytes() / k.on.peers(); k.call.InPlace || k.on.inter() {
			k.call.Bytes = each
		} else if each != k.call.Bytes {
			return bad(spec.ERR_COUNT, "the root sends %d bytes and expects %d of each rank", k.call.Bytes, each)
		}
	}
	return c.perform(k)
}

// scatter is Scatter: send buffer, count, type, receive buffer, count, type, root, communicator.
func scatter(c call) error {
	k, err := c.collective(7, coll.Scatter)
	if err != nil {
		return err
	}
	at, err := c.root(6, k)
	if err != nil {
		return err
	}
	k.call.InPlace = at == atRoot && c.inPlace(k, 3)
	if k.gives(at) {
		v, err := c.view(3, 4, 5)
		if err != nil {
			return err
		}
		k.out(v, false)
		k.call.Bytes = v.bytes()
	}
	if at == atRoot {
		v, err := c.times(k.on.peers(), 0, 1, 2)
		if err != nil {
			return err
		}
		k.in(v)
		if each := v.bytes() / k.on.peers(); k.call.InPlace || k.on.inter() {
			k.call.Bytes = each
		} else if each != k.call.Bytes {
			return bad(spec.ERR_COUNT, "the root sends %d bytes to each rank and has room for %d", each, k.call.Bytes)
		}
	}
	return c.perform(k)
}

// allgather is Allgather: send buffer, count, type, receive buffer, count, type, communicator.
func allgather(c call) error {
	k, err := c.collective(6, coll.Allgather)
	if err != nil {
		return err
	}
	v, err := c.times(k.on.peers(), 3, 4, 5)
	if err != nil {
		return err
	}
	k.call.Back, k.call.InPlace = v.bytes()/k.on.peers(), c.inPlace(k, 0)
	k.call.Bytes = k.call.Back
	k.out(v, k.call.InPlace)
	return c.sendOne(k, 0)
}

// alltoall is Alltoall: send buffer, count, type, receive buffer, count, type, communicator.
func alltoall(c call) error {
	k, err := c.collective(6, coll.Alltoall)
	if err != nil {
		return err
	}
	v, err := c.times(k.on.peers(), 3, 4, 5)
	if err != nil {
		return err
	}
	k.call.Back, k.call.InPlace = v.bytes()/k.on.peers(), c.inPlace(k, 0)
	k.call.Bytes = k.call.Back
	k.out(v, k.call.InPlace)
	if k.call.InPlace {
		return c.perform(k)
	}
	in, err := c.times(k.on.peers(), 0, 1, 2)
	if err != nil {
		return err
	}
	if k.on.inter() {
		k.call.Bytes = in.bytes() / k.on.peers()
	} else if in.bytes() != v.bytes() {
		return bad(spec.ERR_COUNT, "%d bytes go to all ranks, %d come", in.bytes(), v.bytes())
	}
	k.in(in)
	return c.perform(k)
}

// sendOne adds one block from argument buf on, of Bytes, unless the call is in place, and performs it.
func (c call) sendOne(k *collective, buf int) error {
	if !k.call.InPlace {
		in, err := c.view(buf, buf+1, buf+2)
		if err != nil {
			return err
		}
		if k.on.inter() {
			k.call.Bytes = in.bytes()
		} else if in.bytes() != k.call.Bytes {
			return bad(spec.ERR_COUNT, "%d bytes are sent, %d are expected of each rank", in.bytes(), k.call.Bytes)
		}
		k.in(in)
	}
	return c.perform(k)
}

// block is one rank's block of data whose blocks differ.
type block struct {
	v  view
	at int // byte of the packed form, or of the memory
}

// blocks are n blocks: arguments buffer, counts, displacements, type.
func (c call) blocks(n, buf, counts, displs, typ int) (blocks, error) {
	t, err := c.committedType(typ)
	if err != nil {
		return blocks{}, err
	}
	types := make([]*dtype, n)
	for i := range types {
		types[i] = t
	}
	all, err := c.counts(counts, n)
	if err != nil {
		return blocks{}, err
	}
	at := make([]int, n)
	next := 0
	if displs >= 0 {
		if at, err = c.larges(displs, n); err != nil {
			return blocks{}, err
		}
	}
	for i := range at {
		if displs < 0 {
			at[i] = next
			next += all[i]
		}
		at[i] *= t.extent()
	}
	return c.layOut(buf, all, at, types)
}

// blocks are blocks of several ranks: plain memory from low on, or scratch with one packed block after the other.
type blocks struct {
	parts  []block
	low    unsafe.Pointer
	length int
	plain  bool
	counts []int // in bytes
	displs []int // likewise, from low on
}

// layOut makes blocks: so many elements of a type each, from displacements in bytes on.
func (c call) layOut(buf int, counts, at []int, types []*dtype) (b blocks, err error) {
	b = blocks{plain: true, counts: make([]int, len(counts)), displs: make([]int, len(counts)), parts: make([]block, len(counts))}
	first := true
	low, high := 0, 0
	for i, n := range counts {
		v, err := c.viewAt(buf, n, types[i])
		if err != nil {
			return b, err
		}
		if v.base != nil || n > 0 {
			v.base = unsafe.Add(v.base, at[i])
		}
		b.parts[i].v, b.counts[i] = v, v.bytes()
		if v.bytes() == 0 {
			continue
		}
		memory, plain := v.plain()
		b.plain = b.plain && plain
		if plain {
			start := int(uintptr(unsafe.Pointer(unsafe.SliceData(memory))) - c.word(buf))
			b.parts[i].at = start
			if first {
				low, high, b.low, first = start, start, unsafe.Pointer(unsafe.SliceData(memory)), false
			}
			if start < low {
				low, b.low = start, unsafe.Pointer(unsafe.SliceData(memory))
			}
			high = max(high, start+v.bytes())
		}
	}
	b.length = high - low
	next := 0
	for i := range b.parts {
		if !b.plain {
			b.parts[i].at = next
			next += b.counts[i]
			b.length = next
			b.displs[i] = b.parts[i].at
		} else if b.counts[i] > 0 {
			b.displs[i] = b.parts[i].at - low
		}
	}
	return b, nil
}

// memory is where the blocks are, or scratch.
func (b *blocks) memory() []byte {
	if b.plain && b.length > 0 {
		return unsafe.Slice((*byte)(b.low), b.length)
	}
	return make([]byte, b.length)
}

// each calls f for each block and its place in the memory.
func (b *blocks) each(memory []byte, f func(v view, at []byte)) {
	for i, p := range b.parts {
		if n := b.counts[i]; n > 0 {
			f(p.v, memory[b.displs[i]:b.displs[i]+n])
		}
	}
}

// inBlocks has the call read blocks.
func (k *collective) inBlocks(b blocks) {
	k.call.SendCounts, k.call.SendDispls = b.counts, b.displs
	memory := b.memory()
	k.call.In = memory
	if !b.plain {
		k.before = append(k.before, func() { b.each(memory, view.pack) })
	}
}

// outBlocks has the call write blocks.
func (k *collective) outBlocks(b blocks, reads bool) {
	k.call.RecvCounts, k.call.RecvDispls = b.counts, b.displs
	memory := b.memory()
	k.call.Out = memory
	if b.plain {
		return
	}
	if reads {
		k.before = append(k.before, func() { b.each(memory, view.pack) })
	}
	k.after = append(k.after, func() { b.each(memory, view.unpack) })
}

// gatherv is Gatherv: send buffer, count, type, receive buffer, counts, displacements, type, root, communicator.
func gatherv(c call) error {
	k, err := c.collective(8, coll.Gatherv)
	if err != nil {
		return err
	}
	at, err := c.root(7, k)
	if err != nil {
		return err
	}
	k.call.InPlace = at == atRoot && c.inPlace(k, 0)
	if k.gives(at) {
		v, err := c.view(0, 1, 2)
		if err != nil {
			return err
		}
		k.in(v)
		k.call.Bytes = v.bytes()
	}
	if at == atRoot {
		b, err := c.blocks(k.on.peers(), 3, 4, 5, 6)
		if err != nil {
			return err
		}
		k.outBlocks(b, k.call.InPlace)
		if k.on.inter() {
			return c.perform(k)
		}
		if own := b.counts[k.call.Root]; k.call.InPlace {
			k.call.Bytes = own
		} else if own != k.call.Bytes {
			return bad(spec.ERR_COUNT, "the root sends %d bytes and expects %d of itself", k.call.Bytes, own)
		}
	}
	return c.perform(k)
}

// scatterv is Scatterv: send buffer, counts, displacements, type, receive buffer, count, type, root, communicator.
func scatterv(c call) error {
	k, err := c.collective(8, coll.Scatterv)
	if err != nil {
		return err
	}
	at, err := c.root(7, k)
	if err != nil {
		return err
	}
	k.call.InPlace = at == atRoot && c.inPlace(k, 4)
	if k.gives(at) {
		v, err := c.view(4, 5, 6)
		if err != nil {
			return err
		}
		k.out(v, false)
		k.call.Bytes = v.bytes()
	}
	if at == atRoot {
		b, err := c.blocks(k.on.peers(), 0, 1, 2, 3)
		if err != nil {
			return err
		}
		k.inBlocks(b)
		if k.on.inter() {
			return c.perform(k)
		}
		if own := b.counts[k.call.Root]; k.call.InPlace {
			k.call.Bytes = own
		} else if own != k.call.Bytes {
			return bad(spec.ERR_COUNT, "the root keeps %d bytes and has room for %d", own, k.call.Bytes)
		}
	}
	return c.perform(k)
}

// allgatherv is Allgatherv: send buffer, count, type, receive buffer, counts, displacements, type, communicator.
func allgatherv(c call) error {
	k, err := c.collective(7, coll.Allgatherv)
	if err != nil {
		return err
	}
	b, err := c.blocks(k.on.peers(), 3, 4, 5, 6)
	if err != nil {
		return err
	}
	k.call.InPlace = c.inPlace(k, 0)
	k.outBlocks(b, k.call.InPlace)
	if !k.on.inter() {
		k.call.Bytes = b.counts[k.on.c.Rank()]
	}
	return c.sendOne(k, 0)
}

// alltoallv is Alltoallv: send buffer, counts, displacements, type, receive buffer, counts, displacements, type, communicator.
func alltoallv(c call) error {
	k, err := c.collective(8, coll.Alltoallv)
	if err != nil {
		return err
	}
	k.call.InPlace = c.inPlace(k, 0)
	out, err := c.blocks(k.on.peers(), 4, 5, 6, 7)
	if err != nil {
		return err
	}
	k.outBlocks(out, k.call.InPlace)
	if !k.call.InPlace {
		in, err := c.blocks(k.on.peers(), 0, 1, 2, 3)
		if err != nil {
			return err
		}
		k.inBlocks(in)
	}
	return c.perform(k)
}

// alltoallw is Alltoallw: as Alltoallv, with a type for each rank and displacements in bytes. In bytes it is one.
func alltoallw(c call) error {
	k, err := c.collective(8, coll.Alltoallv)
	if err != nil {
		return err
	}
	k.call.Name, k.call.InPlace = "alltoallw", c.inPlace(k, 0)
	out, err := c.typedBlocks(k.on.peers(), 4, 5, 6, 7)
	if err != nil {
		return err
	}
	k.outBlocks(out, k.call.InPlace)
	if !k.call.InPlace {
		in, err := c.typedBlocks(k.on.peers(), 0, 1, 2, 3)
		if err != nil {
			return err
		}
		k.inBlocks(in)
	}
	return c.perform(k)
}

// typedBlocks are n blocks with types of their own: arguments buffer, counts, displacements in bytes, types.
func (c call) typedBlocks(n, buf, counts, displs, typs int) (blocks, error) {
	all, err := c.counts(counts, n)
	if err != nil {
		return blocks{}, err
	}
	at, err := c.displacements(displs, n)
	if err != nil {
		return blocks{}, err
	}
	handles, err := array[uintptr](c, typs, n)
	if err != nil {
		return blocks{}, err
	}
	types := make([]*dtype, n)
	for i, h := range handles {
		if types[i], err = committed(c.p.typeOf(h)); err != nil {
			return blocks{}, err
		}
	}
	return c.layOut(buf, all, at, types)
}

// displacements is argument i, an array of n elements of kind displ or aint.
func (c call) displacements(i, n int) ([]int, error) {
	if !strings.Contains(c.f.Args[i].Kind, "aint") {
		return c.larges(i, n)
	}
	list, err := array[int64](c, i, n)
	all := make([]int, n)
	for k, v := range list {
		all[k] = int(v)
	}
	return all, err
}
