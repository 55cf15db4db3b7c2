package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

func goVersion() string {
	return fmt.Sprintf("%s %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// hostFacts reads what matters to a parallel job. A fact that cannot be read says so instead of being left out.
func hostFacts() []fact {
	facts := []fact{cpuFact()}
	facts = append(facts, cacheFact(), nodeFact(), fact{Name: "CPU quota", Value: cgroupQuota()})
	var system unix.Sysinfo_t
	if err := unix.Sysinfo(&system); err == nil {
		unit := uint64(system.Unit)
		facts = append(facts, fact{Name: "memory", Value: fmt.Sprintf("%s, %s free",
			sizeText(uint64(system.Totalram)*unit), sizeText(uint64(system.Freeram)*unit))})
	}
	return append(facts,
		fact{Name: "pages", Value: sizeText(uint64(os.Getpagesize())) + hugePages()},
		fact{Name: "kernel", Value: kernelRelease()},
		singleCopyFact(),
		shmFact(),
		limitFact("locked memory", unix.RLIMIT_MEMLOCK, sizeText),
		limitFact("open files", unix.RLIMIT_NOFILE, func(n uint64) string { return strconv.FormatUint(n, 10) }))
}

// cgroupQuota reads the limit of CPU time in version 2 of control groups, then in version 1.
func cgroupQuota() string {
	if words := strings.Fields(readWord("/sys/fs/cgroup/cpu.max")); len(words) == 2 {
		return quotaText(words[0], words[1])
	}
	return quotaText(readWord("/sys/fs/cgroup/cpu/cpu.cfs_quota_us"), readWord("/sys/fs/cgroup/cpu/cpu.cfs_period_us"))
}

func quotaText(quota, period string) string {
	q, err1 := strconv.ParseFloat(quota, 64)
	p, err2 := strconv.ParseFloat(period, 64)
	if err1 != nil || err2 != nil || q <= 0 || p <= 0 {
		return "none"
	}
	return fmt.Sprintf("%.2f CPUs", q/p)
}

func kernelRelease() string {
	var name unix.Utsname
	if err := unix.Uname(&name); err != nil {
		return err.Error()
	}
	return unix.ByteSliceToString(name.Sysname[:]) + " " + unix.ByteSliceToString(name.Release[:])
}

func shmFact() fact {
	var fs unix.Statfs_t
	if err := unix.Statfs("/dev/shm", &fs); err != nil {
		return fact{Name: "/dev/shm", Value: "not there", Note: "weft run does not need it, only anonymous shared memory"}
	}
	return fact{Name: "/dev/shm", Value: sizeText(fs.Bavail*uint64(fs.Bsize)) + " free"}
}

// singleCopyFact tells whether a process may read another's memory, by trying it on itself and by asking the Yama
// security module, which rules over siblings.
func singleCopyFact() fact {
	word := []byte{42}
	into := []byte{0}
	local := []unix.Iovec{{Base: &into[0], Len: 1}}
	remote := []unix.RemoteIovec{{Base: addressOf(&word[0]), Len: 1}}
	f := fact{Name: "kernel copy", Value: "works: long messages between processes are copied once"}
	if _, err := unix.ProcessVMReadv(os.Getpid(), local, remote, 0); err != nil || into[0] != 42 {
		f.Value = fmt.Sprintf("refused: %v", err)
		f.Note = "long messages are copied twice; in a container allow process_vm_readv"
		return f
	}
	switch scope := readWord("/proc/sys/kernel/yama/ptrace_scope"); scope {
	case "", "0":
	case "1":
		f.Note = "Yama ptrace_scope 1: ranks allow each other at start"
	default:
		f.Value, f.Note = "refused between processes", "Yama ptrace_scope "+scope+": long messages are copied twice"
	}
	return f
}

func limitFact(name string, resource int, text func(uint64) string) fact {
	var limit unix.Rlimit
	if err := unix.Getrlimit(resource, &limit); err != nil {
		return fact{Name: name, Value: err.Error()}
	}
	if limit.Cur == unix.RLIM_INFINITY {
		return fact{Name: name, Value: "unlimited"}
	}
	value := text(limit.Cur)
	switch limit.Max {
	case limit.Cur:
	case unix.RLIM_INFINITY:
		value += ", can be raised without limit"
	default:
		value += ", can be raised to " + text(limit.Max)
	}
	return fact{Name: name, Value: value}
}

// sizeText writes a number of bytes in the largest unit of which there are at least ten, or a whole number.
func sizeText(n uint64) string {
	for _, unit := range []struct {
		name  string
		shift int
	}{{"GB", 30}, {"MB", 20}, {"KB", 10}} {
		if n >= 10<<unit.shift || n > 0 && n%(1<<unit.shift) == 0 {
			return fmt.Sprintf("%d %s", n>>unit.shift, unit.name)
		}
	}
	return fmt.Sprintf("%d B", n)
}

// readWord returns the content of a small kernel file, "" when there is none.
func readWord(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}
