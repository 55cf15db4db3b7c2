//go:build rdma && linux && (amd64 || arm64)

package ffi

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"sync"
	"syscall"
	"unsafe"

	"github.com/weft-mpi/weft/internal/verbs/kernel/ibv"
	"github.com/weft-mpi/weft/internal/verbs/kernel/rxe"
)

// mapping is memory that a driver of the kernel's shares with this process.
type mapping struct{ start, end, offset uintptr }

// making keeps objects from being made at the same time, as long as one looks for its memory.
var making sync.Mutex

// mappings lists what there is.
func mappings() (map[mapping]bool, error) {
	text, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return nil, err
	}
	all := map[mapping]bool{}
	for line := range bytes.Lines(text) {
		if !bytes.Contains(line, []byte("/infiniband/uverbs")) {
			continue
		}
		var m mapping
		var rights string
		if _, err := fmt.Sscanf(string(line), "%x-%x %s %x", &m.start, &m.end, &rights, &m.offset); err != nil {
			return nil, fmt.Errorf("/proc/self/maps: %q: %w", line, err)
		}
		all[m] = true
	}
	return all, nil
}

// Mapped runs f and gives the memory that was mapped meanwhile.
func (c *context) Mapped(f func() error) ([][]byte, error) {
	making.Lock()
	defer making.Unlock()
	before, err := mappings()
	if err != nil {
		return nil, err
	}
	if err := f(); err != nil {
		return nil, err
	}
	after, err := mappings()
	if err != nil {
		return nil, err
	}
	var fresh []mapping
	for m := range after {
		if !before[m] {
			fresh = append(fresh, m)
		}
	}
	slices.SortFunc(fresh, func(a, b mapping) int { return int(a.offset) - int(b.offset) })
	var memory [][]byte
	for _, m := range fresh {
		memory = append(memory, unsafe.Slice((*byte)(pointer(m.start)), m.end-m.start))
	}
	return memory, nil
}

// bell is the command by which the library tells the kernel of sends, of which none is in it.
type bell struct {
	command [32]byte
	answer  [4]byte
	file    uintptr
}

const commandPostSend = 28

// Bell makes it for a queue pair.
func (c *context) Bell(q ibv.QP) rxe.Bell {
	b := &bell{file: uintptr(load[int32](c.ptr, ibv.ContextCommandFile))}
	order := binary.NativeEndian
	order.PutUint32(b.command[:], commandPostSend)
	order.PutUint16(b.command[4:], uint16(len(b.command)/4))
	order.PutUint16(b.command[6:], uint16(len(b.answer)/4))
	order.PutUint64(b.command[8:], uint64(address(&b.answer)))
	order.PutUint32(b.command[16:], load[uint32](q.ID(), ibv.QPHandle))
	order.PutUint32(b.command[28:], uint32(unsafe.Sizeof(ibv.SendWR{})))
	return b
}

// Ring gives the command. The kernel works on it at once, and Go's scheduler need not know.
func (b *bell) Ring() error {
	_, _, e := syscall.RawSyscall(syscall.SYS_WRITE, b.file, uintptr(unsafe.Pointer(&b.command)), uintptr(len(b.command)))
	if e != 0 {
		return e
	}
	return nil
}
