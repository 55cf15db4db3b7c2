package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// denySingleCopy makes the kernel refuse this process, in all its threads and for good, to read or write another
// process's memory and to let others do so, as the profiles of containers do.
func denySingleCopy() error {
	const (
		load  = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
		equal = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
		ret   = unix.BPF_RET | unix.BPF_K

		number, firstArgument = 0, 16 // offsets in the kernel's struct seccomp_data
	)
	filter := []unix.SockFilter{
		{Code: load, K: number},
		{Code: equal, Jt: 5, K: unix.SYS_PROCESS_VM_READV},
		{Code: equal, Jt: 4, K: unix.SYS_PROCESS_VM_WRITEV},
		{Code: equal, Jf: 2, K: unix.SYS_PRCTL},
		{Code: load, K: firstArgument},
		{Code: equal, Jt: 1, K: unix.PR_SET_PTRACER},
		{Code: ret, K: unix.SECCOMP_RET_ALLOW},
		{Code: ret, K: unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)},
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	runtime.LockOSThread() // the first setting is this thread's until the second spreads both
	defer runtime.UnlockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("no_new_privs: %w", err)
	}
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&program)))
	if errno != 0 {
		return fmt.Errorf("seccomp: %w", errno)
	}
	return provenDenied()
}

// provenDenied fails unless the filter works: otherwise the test that asked for it would prove nothing.
func provenDenied() error {
	from, to := []byte{1}, []byte{0}
	local := []unix.Iovec{{Base: &to[0], Len: 1}}
	remote := []unix.RemoteIovec{{Base: uintptr(unsafe.Pointer(&from[0])), Len: 1}}
	if _, err := unix.ProcessVMReadv(os.Getpid(), local, remote, 0); !errors.Is(err, unix.EPERM) {
		return fmt.Errorf("process_vm_readv says %v in spite of the filter", err)
	}
	if err := unix.Prctl(unix.PR_SET_PTRACER, 0, 0, 0, 0); !errors.Is(err, unix.EPERM) {
		return fmt.Errorf("prctl(PR_SET_PTRACER) says %v in spite of the filter", err)
	}
	return nil
}

// wild RANK: the rank reads memory that is not there.
func (f *faulty) wild() error {
	if f.chosen(0) {
		page, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ, unix.MAP_PRIVATE|unix.MAP_ANON)
		if err != nil {
			return err
		}
		at := &page[0]
		if err := unix.Munmap(page); err != nil {
			return err
		}
		fmt.Fprintln(os.Stdout, *at)
	}
	return f.waitFor(f.number(0))
}
