package awake

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

const keeperVariable = "AWAKE_TEST_KEEPER"

func TestMain(m *testing.M) {
	if os.Getenv(keeperVariable) == "" {
		os.Exit(m.Run())
	}
	cpu, err := strconv.Atoi(os.Args[len(os.Args)-1])
	if err == nil {
		err = Keep(cpu)
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// Every CPU gets a keeper that is bound to it and of the idle class, and none is left.
func TestKeepers(t *testing.T) {
	t.Setenv(keeperVariable, "1")
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var ours unix.CPUSet
	if err := unix.SchedGetaffinity(0, &ours); err != nil {
		t.Fatal(err)
	}
	var cpus []int
	for cpu := 0; len(cpus) < ours.Count(); cpu++ {
		if ours.IsSet(cpu) {
			cpus = append(cpus, cpu)
		}
	}
	k, err := Start(cpus, "/proc/self/exe", "-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(k.Stop)
	var pids []int
	for i, cmd := range k.running {
		pids = append(pids, cmd.Process.Pid)
		for limit := time.Now().Add(20 * time.Second); !keeps(cmd.Process.Pid, cpus[i]); time.Sleep(time.Millisecond) {
			if time.Now().After(limit) {
				t.Fatalf("no thread of process %d keeps CPU %d", cmd.Process.Pid, cpus[i])
			}
		}
	}
	k.Stop()
	for _, pid := range pids {
		if err := unix.Kill(pid, 0); err != unix.ESRCH {
			t.Errorf("process %d is there still: %v", pid, err)
		}
	}
}

// keeps tells whether a thread of the process is of the idle class and may run on that CPU alone.
func keeps(pid, cpu int) bool {
	threads, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	for _, thread := range threads {
		tid, _ := strconv.Atoi(thread.Name())
		attr, err := unix.SchedGetAttr(tid, 0)
		var set unix.CPUSet
		if err == nil && attr.Policy == unix.SCHED_IDLE && unix.SchedGetaffinity(tid, &set) == nil && set.Count() == 1 && set.IsSet(cpu) {
			return true
		}
	}
	return false
}

// A CPU that is not there is an error, and a program that is not there leaves no keepers.
func TestNoKeeper(t *testing.T) {
	if err := Keep(1000); err == nil || !strings.Contains(err.Error(), "CPU 1000") {
		t.Errorf("keeper of CPU 1000: %v", err)
	}
	if k, err := Start([]int{0}, "/nonexistent"); err == nil {
		k.Stop()
		t.Error("a program that is not there was started")
	}
}
