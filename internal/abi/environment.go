package abi

import (
	"os"
	"runtime"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/weft-mpi/weft/internal/abi/spec"
)

// chapterEnvironment tells about the library and the host, and has memory.
var chapterEnvironment = map[string]row{
	"Get_version": {do: getVersion, always: true}, "Get_library_version": {do: libraryVersion, always: true}, "Get_processor_name": {do: processorName, always: true},
	"Get_hw_resource_info": {do: hardware, always: true}, "Alloc_mem": {do: allocMem}, "Free_mem": {do: freeMem},
	"Wtime": {always: true}, "Wtick": {always: true},
}

func getVersion(c call) error {
	if err := c.outs(0, 1); err != nil {
		return err
	}
	c.setInt(0, spec.VERSION)
	c.setInt(1, spec.SUBVERSION)
	return nil
}

func libraryVersion(c call) error {
	if err := c.outs(0, 1); err != nil {
		return err
	}
	c.setText(0, 1, spec.MAX_LIBRARY_VERSION_STRING, "Weft: MPI for Go, as a C library ("+runtime.Version()+" "+runtime.GOOS+"/"+runtime.GOARCH+")")
	return nil
}

func processorName(c call) error {
	if err := c.outs(0, 1); err != nil {
		return err
	}
	name, err := os.Hostname()
	if err != nil {
		name = "localhost"
	}
	c.setText(0, 1, spec.MAX_PROCESSOR_NAME, name)
	return nil
}

// hardware names the resources that programs may split by: shared memory alone.
func hardware(c call) error {
	o := newInfo()
	o.set("mpi_shared_memory", "true")
	return c.newInfoAt(0, o)
}

// memory is what MPI_Alloc_mem has given out, by address.
type memory struct {
	mu  sync.Mutex
	all map[uintptr]lent
}

// lent is some memory, and how it is given back.
type lent struct {
	b    []byte
	free func([]byte) error
}

// allocMem is Alloc_mem: size, info, pointer to the address. The memory is that which ranks of the host share, or fresh
// pages of the system's: never of Go's heap.
func allocMem(c call) error {
	size := c.long(0)
	if size < 0 {
		return bad(spec.ERR_ARG, "size is %d", size)
	}
	if _, err := c.optionalInfo(1); err != nil {
		return err
	}
	if err := c.outs(2); err != nil {
		return err
	}
	m, err := c.p.lend(size)
	if err != nil {
		return err
	}
	c.setHandle(2, uintptr(unsafe.Pointer(unsafe.SliceData(m.b))))
	return nil
}

// lend gets memory for C.
func (p *Proc) lend(size int) (lent, error) {
	if size > maxElements {
		return lent{}, bad(spec.ERR_NO_MEM, "%d bytes", size)
	}
	m := lent{free: unix.Munmap}
	var err error
	if p.cfg.Shares {
		if m.b, err = p.rank.Env.Alloc(max(size, 1)); err == nil {
			m.free = p.rank.Env.Free
		}
	}
	if m.b == nil {
		if m.b, err = foreignMemory(size); err != nil {
			return lent{}, bad(spec.ERR_NO_MEM, "%d bytes: %v", size, err)
		}
	}
	p.memory.mu.Lock()
	defer p.memory.mu.Unlock()
	if p.memory.all == nil {
		p.memory.all = map[uintptr]lent{}
	}
	p.memory.all[uintptr(unsafe.Pointer(unsafe.SliceData(m.b)))] = m
	return m, nil
}

func freeMem(c call) error {
	if m, found := c.p.forget(c.word(0)); found {
		return m.free(m.b)
	}
	return bad(spec.ERR_BASE, "0x%x was not allocated by MPI_Alloc_mem, or has been freed", c.word(0))
}

// forget takes memory out of the list of what was lent.
func (p *Proc) forget(at uintptr) (lent, bool) {
	p.memory.mu.Lock()
	defer p.memory.mu.Unlock()
	m, found := p.memory.all[at]
	delete(p.memory.all, at)
	return m, found
}

// takeBack frees what was lent.
func (p *Proc) takeBack(m lent) error {
	p.forget(uintptr(unsafe.Pointer(unsafe.SliceData(m.b))))
	return m.free(m.b)
}
