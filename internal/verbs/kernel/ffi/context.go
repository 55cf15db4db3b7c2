//go:build rdma && linux && (amd64 || arm64)

package ffi

import (
	"errors"
	"runtime"
	"syscall"

	"github.com/weft-mpi/weft/internal/verbs/kernel/ibv"
)

// context is a device that was opened, with the channel that all its completion queues use.
type context struct {
	lib     *library
	ptr     uintptr
	channel uintptr
	filler  uintptr // see fill
	// Where the library puts what it tells; one goroutine at a time asks.
	cq, cookie uintptr
	event      struct {
		id   uintptr
		kind ibv.EventKind
		_    uint32
	}
}

// listen makes the channel, and has neither file block.
func (c *context) listen() (err error) {
	if c.channel, err = c.lib.made(c.lib.createChannel, c.ptr); err != nil {
		return err
	}
	return errors.Join(syscall.SetNonblock(c.Completions(), true), syscall.SetNonblock(c.Events(), true))
}

const (
	vendorSIW  = 0x626d74
	fillerSize = 1 << 15 // completions of 32 bytes
)

// fill makes a queue that nobody uses, of siw: memory that its library maps from 0x90000 on it takes for an
// error, so that no object could be made when that is the lowest free place.
func (c *context) fill() error {
	attr, err := c.Query()
	if err == nil && attr.Vendor == vendorSIW {
		c.filler, err = c.lib.made(c.lib.createCQ, c.ptr, fillerSize, 0, 0, 0)
	}
	return err
}

// Query tells what the device can do.
func (c *context) Query() (ibv.DeviceAttr, error) {
	attr := new(ibv.DeviceAttr)
	err := c.lib.done(c.lib.queryDevice, c.ptr, address(attr))
	return *attr, err
}

// Port tells of a port.
func (c *context) Port(number uint8) (ibv.PortAttr, error) {
	attr := new(ibv.PortAttr)
	err := c.lib.done(c.lib.queryPort, c.ptr, uintptr(number), address(attr))
	return *attr, err
}

// NewPD makes a protection domain.
func (c *context) NewPD() (ibv.PD, error) {
	ptr, err := c.lib.made(c.lib.allocPD, c.ptr)
	if err != nil {
		return nil, err
	}
	return &pd{c, ptr}, nil
}

// NewCQ makes a completion queue.
func (c *context) NewCQ(depth int) (ibv.CQ, error) {
	ptr, err := c.lib.made(c.lib.createCQ, c.ptr, uintptr(depth), 0, c.channel, 0)
	if err != nil {
		return nil, err
	}
	return &cq{ctx: c, ptr: ptr,
		poll: call{fn: load[uintptr](c.ptr, ibv.ContextPollCQ), a1: ptr},
		arm:  call{fn: load[uintptr](c.ptr, ibv.ContextArmCQ), a1: ptr}}, nil
}

// Notices are the context's own.
func (c *context) Notices() ibv.Notices { return c }

// Completions is the file of the channel.
func (c *context) Completions() int { return int(load[int32](c.channel, ibv.ChannelFile)) }

// Events is the file of asynchronous events.
func (c *context) Events() int { return int(load[int32](c.ptr, ibv.ContextEventFile)) }

// NextCQ takes a notice of a queue, and acknowledges it at once: the queue could not be closed otherwise.
func (c *context) NextCQ() (uintptr, bool) {
	if c.lib.done(c.lib.getCQEvent, c.channel, address(&c.cq), address(&c.cookie)) != nil {
		return 0, false
	}
	c.lib.done(c.lib.ackCQEvents, c.cq, 1)
	return c.cq, true
}

// NextEvent takes an event, and acknowledges it likewise.
func (c *context) NextEvent() (ibv.Event, bool) {
	if c.lib.done(c.lib.getAsyncEvent, c.ptr, address(&c.event)) != nil {
		return ibv.Event{}, false
	}
	e := ibv.Event{Kind: c.event.kind, ID: c.event.id}
	c.lib.done(c.lib.ackAsyncEvent, address(&c.event))
	return e, true
}

// Close gives the device back.
func (c *context) Close() error {
	var first, second error
	if c.filler != 0 {
		first = c.lib.done(c.lib.destroyCQ, c.filler)
	}
	if c.channel != 0 {
		second = c.lib.done(c.lib.destroyChannel, c.channel)
	}
	return errors.Join(first, second, c.lib.done(c.lib.closeDevice, c.ptr))
}

// cq is a completion queue.
type cq struct {
	ctx       *context
	ptr       uintptr
	poll, arm call
}

// ID is the address of the library's object.
func (q *cq) ID() uintptr { return q.ptr }

// Poll takes completions. One goroutine at a time.
func (q *cq) Poll(out []ibv.WC) (int, error) {
	if len(out) == 0 {
		return 0, nil
	}
	q.poll.a2, q.poll.a3 = uintptr(len(out)), address(&out[0])
	n := q.poll.do()
	runtime.KeepAlive(out)
	if n < 0 {
		return 0, failed(n)
	}
	return int(n), nil
}

// Arm asks for a notice. One goroutine at a time.
func (q *cq) Arm(solicited bool) error {
	if q.arm.a2 = 0; solicited {
		q.arm.a2 = 1
	}
	return failed(q.arm.do())
}

// Close gives the queue back.
func (q *cq) Close() error { return q.ctx.lib.done(q.ctx.lib.destroyCQ, q.ptr) }
