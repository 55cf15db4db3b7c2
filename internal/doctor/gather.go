package doctor

import (
	"net"
	"net/netip"
	"os"
	"runtime"
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/weft-mpi/weft/internal/cgroup"
)

// Gather finds the facts of this host.
func Gather(version string) Facts {
	f := Facts{Version: version, CPUs: runtime.NumCPU(), Quota: cpuQuota(), MemoryLimit: cgroup.MemoryLimit()}
	f.Name, _ = os.Hostname()
	var name unix.Utsname
	if err := unix.Uname(&name); err == nil {
		f.Kernel = unix.ByteSliceToString(name.Sysname[:]) + " " + unix.ByteSliceToString(name.Release[:])
	}
	load, _, _ := strings.Cut(word("/proc/loadavg"), " ")
	f.Load, _ = strconv.ParseFloat(load, 64)
	f.Memory, f.MemoryFree = memory(word("/proc/meminfo"))
	f.MemfdTrouble = text(tryMemfd())
	f.CMATrouble = text(tryCMA())
	f.PtraceScope, _ = strconv.Atoi(word("/proc/sys/kernel/yama/ptrace_scope"))
	f.Files = limit(unix.RLIMIT_NOFILE)
	f.Processes = limit(unix.RLIMIT_NPROC)
	f.Locked = limit(unix.RLIMIT_MEMLOCK)
	f.ReceiveBuffer = number("/proc/sys/net/core/rmem_max")
	f.SendBuffer = number("/proc/sys/net/core/wmem_max")
	f.Backlog = number("/proc/sys/net/core/somaxconn")
	f.Congestion = word("/proc/sys/net/ipv4/tcp_congestion_control")
	f.Interfaces = interfaces()
	f.RDMA = gatherRDMA(os.DirFS("/sys"), "/dev/infiniband")
	f.Slurm = gatherSlurm()
	f.Container = container()
	f.Group = processesLimit()
	if f.MemoryLimit > 0 {
		f.MemoryUsed = memoryUsed()
	}
	return f
}

// word is the content of a small file of the kernel, empty when there is none.
func word(path string) string {
	content, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(content))
}

func number(path string) uint64 { return parsed(word(path)) }

// parsed is a number in words, 0 if it is none.
func parsed(text string) uint64 {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0
	}
	return n
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func limit(resource int) Limit {
	var l unix.Rlimit
	if err := unix.Getrlimit(resource, &l); err != nil {
		return Limit{}
	}
	return Limit{l.Cur, l.Max}
}

// memory reads the kernel's table of memory, whose lines look like "MemTotal:  8000000 kB".
func memory(table string) (total, free uint64) {
	for line := range strings.Lines(table) {
		fields := strings.Fields(line)
		if len(fields) < 2 {
			continue
		}
		n, err := strconv.ParseUint(fields[1], 10, 54)
		if err != nil {
			continue
		}
		switch fields[0] {
		case "MemTotal:":
			total = n << 10
		case "MemAvailable:":
			free = n << 10
		}
	}
	return total, free
}

// cpuQuota reads the limit of CPU time in version 2 of control groups, then in version 1.
func cpuQuota() float64 {
	for _, dir := range cgroup.Dirs("") {
		if q := quota(strings.Fields(word(dir + "/cpu.max"))); q > 0 {
			return q
		}
	}
	for _, dir := range cgroup.Dirs("cpu") {
		if q := quota([]string{word(dir + "/cpu.cfs_quota_us"), word(dir + "/cpu.cfs_period_us")}); q > 0 {
			return q
		}
	}
	return 0
}

// quota turns a time and a period into a number of CPUs; 0 is no limit.
func quota(words []string) float64 {
	if len(words) != 2 {
		return 0
	}
	time, err1 := strconv.ParseFloat(words[0], 64)
	period, err2 := strconv.ParseFloat(words[1], 64)
	if err1 != nil || err2 != nil || !(time > 0) || !(period > 0) {
		return 0
	}
	return time / period
}

// tryMemfd makes shared memory as a job does.
func tryMemfd() error {
	fd, err := unix.MemfdCreate("weft-doctor", unix.MFD_CLOEXEC)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	const size = 1 << 20
	if err := unix.Ftruncate(fd, size); err != nil {
		return err
	}
	shared, err := unix.Mmap(fd, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return err
	}
	return unix.Munmap(shared)
}

// tryCMA reads a byte of this process in the way by which one rank reads another's memory.
func tryCMA() error {
	source, target := []byte{42}, []byte{0}
	local := []unix.Iovec{{Base: &target[0], Len: 1}}
	remote := []unix.RemoteIovec{{Base: uintptr(unsafe.Pointer(&source[0])), Len: 1}}
	_, err := unix.ProcessVMReadv(os.Getpid(), local, remote, 0)
	runtime.KeepAlive(source)
	return err
}

// interfaces lists those that are switched on, without the loopback and without addresses that are valid on one wire
// only.
func interfaces() []Interface {
	all, err := net.Interfaces()
	if err != nil {
		return nil
	}
	var found []Interface
	for _, i := range all {
		if i.Flags&net.FlagUp == 0 || i.Flags&net.FlagLoopback != 0 {
			continue
		}
		dir := "/sys/class/net/" + i.Name
		facts := Interface{Name: i.Name, MTU: i.MTU, Carrier: word(dir+"/carrier") != "0"}
		if speed, err := strconv.Atoi(word(dir + "/speed")); err == nil && speed > 0 {
			facts.Speed = speed
		}
		addresses, err := i.Addrs()
		if err != nil {
			continue
		}
		for _, a := range addresses {
			p, err := netip.ParsePrefix(a.String())
			if err == nil && p.Addr().IsGlobalUnicast() {
				facts.Addresses = append(facts.Addresses, netip.PrefixFrom(p.Addr().Unmap(), p.Bits()))
			}
		}
		found = append(found, facts)
	}
	return found
}
