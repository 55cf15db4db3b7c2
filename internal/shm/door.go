package shm

import (
	"os"
	"strconv"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// door is a peer's memory as a file. The kernel has looked up the process and checked our rights when it was opened, and does so
// no more: a short copy takes a sixth less time than one that names the process. A long one takes more, because it goes through a
// page of the kernel's.
type door struct {
	tried bool
	file  *os.File // nil if there is none; kept so that it is closed with the link
	fd    uintptr
}

// doorMax is the longest piece that is copied so: a page.
const doorMax = 4 << 10

// openDoor opens a peer's memory, and sees that it is the peer's.
func (s *single) openDoor(peer int) door {
	d := door{tried: true}
	pid := atomic.LoadUint32(s.seg.pid(peer))
	f, err := os.OpenFile("/proc/"+strconv.Itoa(int(pid))+"/mem", os.O_RDWR, 0)
	if err != nil {
		return d
	}
	d.file, d.fd = f, f.Fd()
	var got uint64
	buf := unsafe.Slice((*byte)(unsafe.Pointer(&got)), 8)
	want, addr := atomic.LoadUint64(s.seg.nonce(peer)), atomic.LoadUint64(s.seg.nonceAddr(peer))
	if !d.copy(unix.SYS_PROCESS_VM_READV, buf, addr) || got != want {
		_ = f.Close()
		d.file = nil
	}
	return d
}

// copy copies between b and a peer's memory, in the direction of the call that it stands for. False means that it has not, or not
// all: the call itself will tell why.
func (d *door) copy(call uintptr, b []byte, addr uint64) bool {
	if d.file == nil {
		return false
	}
	do := uintptr(unix.SYS_PREAD64)
	if call == unix.SYS_PROCESS_VM_WRITEV {
		do = unix.SYS_PWRITE64
	}
	n, _, errno := unix.RawSyscall6(do, d.fd, uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)), uintptr(addr), 0, 0)
	return errno == 0 && int(n) == len(b)
}
