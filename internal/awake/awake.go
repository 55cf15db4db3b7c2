// Package awake keeps the CPUs of a virtual machine from halting.
//
// A virtual CPU that has nothing to do halts, and the machine below it gives its time to others. Whoever is woken for it
// waits until it has come back, tens to hundreds of microseconds later, and while it is away the guest's kernel may take it for one
// that is not to be had and put all threads onto the others. Ranks that sleep while they wait meet that at every message.
//
// A keeper is a process of the kernel's idle class that is bound to a CPU and does nothing for ever: it runs when nobody else
// wants to, gives way at once, and the CPU never halts. It costs what ranks that poll cost: the time that would be left over.
package awake

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/weft-mpi/weft/internal/clock"
)

// Keepers are processes that each keep a CPU awake.
type Keepers struct{ running []*exec.Cmd }

// Start starts a keeper for each of the CPUs: the program with these arguments and the number of its CPU, which is to call Keep. A
// keeper ends with the thread that called Start, so that none is left behind: call it from a goroutine that is locked to its thread.
func Start(cpus []int, program string, args ...string) (*Keepers, error) {
	k := &Keepers{}
	for _, cpu := range cpus {
		cmd := exec.Command(program, append(args[:len(args):len(args)], strconv.Itoa(cpu))...)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL} // a session of its own is a scheduling group of its own
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			k.Stop()
			return nil, fmt.Errorf("a keeper for CPU %d: %w", cpu, err)
		}
		k.running = append(k.running, cmd)
	}
	return k, nil
}

// Stop ends the keepers and waits for them.
func (k *Keepers) Stop() {
	for _, cmd := range k.running {
		_ = cmd.Process.Kill() // that it has ended by itself is as good
		_ = cmd.Wait()
	}
	k.running = nil
}

// Keep makes the calling thread the keeper of a CPU. It returns only if that cannot be.
func Keep(cpu int) error {
	runtime.LockOSThread()
	var set unix.CPUSet
	set.Set(cpu)
	if err := unix.SchedSetaffinity(0, &set); err != nil {
		return fmt.Errorf("bind a keeper to CPU %d: %w", cpu, err)
	}
	if err := unix.SchedSetAttr(0, &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_IDLE}, 0); err != nil {
		return fmt.Errorf("the kernel's idle class: %w", err)
	}
	// Where sessions are scheduled as groups, ours gets the least weight; elsewhere there is no such file.
	_ = os.WriteFile("/proc/self/autogroup", []byte("19"), 0)
	for {
		clock.Pause()
	}
}
