//go:build rdma && linux && (amd64 || arm64)

package ffi

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"syscall"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/weft-mpi/weft/internal/verbs/kernel/ibv"
	"github.com/weft-mpi/weft/internal/verbs/kernel/rxe"
)

// library is libibverbs: the functions that are called by name. Those on the way of a message are in each context.
type library struct {
	getDeviceList, freeDeviceList, getDeviceName    uintptr
	openDevice, closeDevice, queryDevice, queryPort uintptr
	allocPD, deallocPD, regMR, deregMR              uintptr
	createChannel, destroyChannel, createCQ         uintptr
	destroyCQ, getCQEvent, ackCQEvents              uintptr
	getAsyncEvent, ackAsyncEvent                    uintptr
	createSRQ, modifySRQ, destroySRQ                uintptr
	createQP, modifyQP, destroyQP                   uintptr
	errnoLocation                                   uintptr
	createAH, destroyAH                             uintptr
}

// names says which function of the library is which.
func (l *library) names() map[string]*uintptr {
	return map[string]*uintptr{
		"get_device_list": &l.getDeviceList, "free_device_list": &l.freeDeviceList, "get_device_name": &l.getDeviceName,
		"open_device": &l.openDevice, "close_device": &l.closeDevice, "query_device": &l.queryDevice, "query_port": &l.queryPort,
		"alloc_pd": &l.allocPD, "dealloc_pd": &l.deallocPD, "reg_mr": &l.regMR, "dereg_mr": &l.deregMR,
		"create_comp_channel": &l.createChannel, "destroy_comp_channel": &l.destroyChannel, "create_cq": &l.createCQ,
		"destroy_cq": &l.destroyCQ, "get_cq_event": &l.getCQEvent, "ack_cq_events": &l.ackCQEvents,
		"get_async_event": &l.getAsyncEvent, "ack_async_event": &l.ackAsyncEvent,
		"create_srq": &l.createSRQ, "modify_srq": &l.modifySRQ, "destroy_srq": &l.destroySRQ,
		"create_qp": &l.createQP, "modify_qp": &l.modifyQP, "destroy_qp": &l.destroyQP,
		"create_ah": &l.createAH, "destroy_ah": &l.destroyAH,
	}
}

// loadLibrary finds the library, once per process.
var loadLibrary = sync.OnceValues(func() (*library, error) {
	handle, err := purego.Dlopen("libibverbs.so.1", purego.RTLD_NOW|purego.RTLD_GLOBAL)
	if err != nil {
		return nil, fmt.Errorf("libibverbs.so.1 cannot be loaded; install rdma-core (Debian: ibverbs-providers): %w", err)
	}
	l := new(library)
	for name, fn := range l.names() {
		if *fn, err = purego.Dlsym(handle, "ibv_"+name); err != nil {
			return nil, fmt.Errorf("libibverbs.so.1 is too old: %w", err)
		}
	}
	if l.errnoLocation, err = purego.Dlsym(handle, "__errno_location"); err != nil {
		return nil, fmt.Errorf("libibverbs.so.1 is not of this system: %w", err)
	}
	return l, nil
})

// each calls f for each device.
func (l *library) each(f func(name string, device uintptr)) error {
	n := new(int32)
	list, err := l.made(l.getDeviceList, address(n))
	if err != nil {
		return fmt.Errorf("list RDMA devices: %w", err)
	}
	for i := range uintptr(*n) {
		device := load[uintptr](list, 8*i)
		f(text(l.rare(l.getDeviceName, []uintptr{device}).result), device)
	}
	l.rare(l.freeDeviceList, []uintptr{list})
	return nil
}

// text is a string of C's.
func text(at uintptr) string {
	n := 0
	for load[byte](at, uintptr(n)) != 0 {
		n++
	}
	return string(unsafe.Slice((*byte)(pointer(at)), n))
}

// Open opens a device by its name. Queues of rxe are worked on directly, unless the library is to work on all.
func Open(name string, library bool) (ibv.Context, error) {
	c, err := openContext(name)
	if err != nil {
		return nil, err
	}
	if library {
		return c, nil
	}
	attr, err := c.Query()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", name, err), c.Close())
	}
	if attr.Vendor == rxe.Vendor {
		return rxe.Wrap(c, c), nil
	}
	return c, nil
}

func openContext(name string) (*context, error) {
	l, err := loadLibrary()
	if err != nil {
		return nil, err
	}
	var known []string
	var ptr uintptr
	var failure error
	if err := l.each(func(each string, device uintptr) {
		if known = append(known, each); each == name {
			ptr, failure = l.made(l.openDevice, device)
		}
	}); err != nil {
		return nil, err
	}
	switch {
	case !slices.Contains(known, name):
		return nil, fmt.Errorf("libibverbs has no driver for %s, it knows %s: %w", name, strings.Join(append(known, "no other"), ", "), fs.ErrNotExist)
	case errors.Is(failure, syscall.EACCES) || errors.Is(failure, syscall.EPERM):
		return nil, fmt.Errorf("open %s: no permission for /dev/infiniband/uverbs*; join its group, or pass the device into the container: %w", name, failure)
	case failure != nil:
		return nil, fmt.Errorf("open %s: %w", name, failure)
	}
	c := &context{lib: l, ptr: ptr}
	if err := errors.Join(c.listen(), c.fill()); err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", name, err), c.Close())
	}
	return c, nil
}
