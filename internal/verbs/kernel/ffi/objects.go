//go:build rdma && linux && (amd64 || arm64)

package ffi

import (
	"runtime"
	"unsafe"

	"github.com/weft-mpi/weft/internal/verbs/kernel/ibv"
)

// pd is a protection domain.
type pd struct {
	ctx *context
	ptr uintptr
}

// Register pins memory.
func (p *pd) Register(buf []byte, access uint32) (ibv.MR, error) {
	at := unsafe.Pointer(unsafe.SliceData(buf))
	ptr, err := p.ctx.lib.made(p.ctx.lib.regMR, p.ptr, uintptr(at), uintptr(len(buf)), uintptr(access))
	runtime.KeepAlive(buf)
	if err != nil {
		return nil, err
	}
	return &mr{p.ctx, ptr}, nil
}

// NewSRQ makes a shared receive queue.
func (p *pd) NewSRQ(depth, pieces int) (ibv.SRQ, error) {
	init := &ibv.SRQInit{SRQAttr: ibv.SRQAttr{MaxWR: uint32(depth), MaxSGE: uint32(pieces)}}
	ptr, err := p.ctx.lib.made(p.ctx.lib.createSRQ, p.ptr, address(init))
	if err != nil {
		return nil, err
	}
	return &srq{ctx: p.ctx, ptr: ptr, post: poster(p.ctx, ibv.ContextPostSRQ, ptr)}, nil
}

// NewQP makes a queue pair.
func (p *pd) NewQP(init *ibv.QPInit, send, recv ibv.CQ, shared ibv.SRQ) (ibv.QP, error) {
	init.SendCQ, init.RecvCQ, init.SRQ = send.ID(), recv.ID(), 0
	if shared != nil {
		init.SRQ = shared.ID()
	}
	ptr, err := p.ctx.lib.made(p.ctx.lib.createQP, p.ptr, address(init))
	runtime.KeepAlive(init)
	if err != nil {
		return nil, err
	}
	return &qp{ctx: p.ctx, ptr: ptr, num: load[uint32](ptr, ibv.QPNum), send: poster(p.ctx, ibv.ContextPostSend, ptr), recv: poster(p.ctx, ibv.ContextPostRecv, ptr)}, nil
}

// NewAH makes an address handle.
func (p *pd) NewAH(attr *ibv.AHAttr) (ibv.AH, error) {
	ptr, err := p.ctx.lib.made(p.ctx.lib.createAH, p.ptr, address(attr))
	runtime.KeepAlive(attr)
	if err != nil {
		return nil, err
	}
	return &ah{p.ctx, ptr}, nil
}

// Close gives the domain back.
func (p *pd) Close() error { return p.ctx.lib.done(p.ctx.lib.deallocPD, p.ptr) }

// mr is registered memory.
type mr struct {
	ctx *context
	ptr uintptr
}

// LKey is the local key.
func (m *mr) LKey() uint32 { return load[uint32](m.ptr, ibv.MRLKey) }

// RKey is the remote key.
func (m *mr) RKey() uint32 { return load[uint32](m.ptr, ibv.MRRKey) }

// Close makes both invalid.
func (m *mr) Close() error { return m.ctx.lib.done(m.ctx.lib.deregMR, m.ptr) }

// post is a call that posts a work request, and where the driver puts the one it does not take.
type post struct {
	call call
	bad  uintptr
}

// poster finds the function at an offset of the context, for an object.
func poster(c *context, at, object uintptr) *post {
	p := &post{call: call{fn: load[uintptr](c.ptr, at), a1: object}}
	p.call.a3 = address(&p.bad)
	return p
}

// work posts a work request, a struct on the heap. One goroutine at a time.
func (p *post) work(wr unsafe.Pointer) error {
	p.call.a2 = uintptr(wr)
	err := failed(p.call.do())
	runtime.KeepAlive(wr)
	return err
}

// srq is a shared receive queue.
type srq struct {
	ctx  *context
	ptr  uintptr
	post *post
}

// ID is the address of the library's object.
func (s *srq) ID() uintptr { return s.ptr }

// PostRecv adds a receive.
func (s *srq) PostRecv(wr *ibv.RecvWR) error { return s.post.work(unsafe.Pointer(wr)) }

// Limit sets the watermark.
func (s *srq) Limit(low int) error {
	attr := &ibv.SRQAttr{Limit: uint32(low)}
	return s.ctx.lib.done(s.ctx.lib.modifySRQ, s.ptr, address(attr), ibv.ModifySRQLimit)
}

// Close gives the queue back.
func (s *srq) Close() error { return s.ctx.lib.done(s.ctx.lib.destroySRQ, s.ptr) }

// qp is a queue pair.
type qp struct {
	ctx        *context
	ptr        uintptr
	num        uint32
	send, recv *post
}

// ID is the address of the library's object.
func (q *qp) ID() uintptr { return q.ptr }

// Num is the number by which peers know it, also after Close.
func (q *qp) Num() uint32 { return q.num }

// Modify changes the state and what belongs to it.
func (q *qp) Modify(attr *ibv.QPAttr, mask uint32) error {
	err := q.ctx.lib.done(q.ctx.lib.modifyQP, q.ptr, address(attr), uintptr(mask))
	runtime.KeepAlive(attr)
	return err
}

// PostSend adds a send.
func (q *qp) PostSend(wr *ibv.SendWR) error { return q.send.work(unsafe.Pointer(wr)) }

// PostRecv adds a receive.
func (q *qp) PostRecv(wr *ibv.RecvWR) error { return q.recv.work(unsafe.Pointer(wr)) }

// Close gives the queue pair back; when it returns the device touches its memory no more.
func (q *qp) Close() error { return q.ctx.lib.done(q.ctx.lib.destroyQP, q.ptr) }

// ah is an address handle.
type ah struct {
	ctx *context
	ptr uintptr
}

// Ref is the address of the library's object.
func (a *ah) Ref() uintptr { return a.ptr }

// Close gives the handle back.
func (a *ah) Close() error { return a.ctx.lib.done(a.ctx.lib.destroyAH, a.ptr) }
