package doctor

import (
	"fmt"
	"strings"
)

// Circumstances are what a job would be like that the hosts are judged for.
type Circumstances struct {
	Ranks int  // on the host; 0 is not known
	Alone bool // there is no other host
}

// What is enough. A rank takes a few descriptors, and more for every peer it talks to on other hosts.
const (
	scarceFiles   = 256
	fewFiles      = 1024
	fewProcesses  = 512
	scarceMemory  = 64 << 20
	littleMemory  = 256 << 20 // per rank
	smallBuffer   = 1 << 20
	shortBacklog  = 128
	slowNetwork   = 1000 // Mbit/s
	hardwareNeeds = 64 << 20
)

// judgeHost looks at the facts of one host.
func judgeHost(f *Facts, c Circumstances) []Finding {
	s := &sheet{host: f.Name}
	judgeCPUs(s, f, c)
	judgeMemory(s, f, c)
	judgeSharing(s, f)
	judgeLimits(s, f)
	judgeSockets(s, f, c)
	judgeInterfaces(s, f, c)
	judgeRDMA(s, f)
	judgeContainer(s, f)
	judgeSlurm(s, f)
	return s.findings
}

func judgeCPUs(s *sheet, f *Facts, c Circumstances) {
	usable := float64(f.CPUs)
	if f.Quota > 0 && f.Quota < usable {
		usable = f.Quota
		s.warn("quota", "raise the container's CPU limit (cpu.max of its control group), or start fewer ranks there",
			"the control group allows %.2g of %d CPUs", f.Quota, f.CPUs)
	}
	if ranks := float64(c.Ranks); ranks > usable {
		s.warn("cpus", fmt.Sprintf("start at most %d ranks there, or expect waiting ranks to sleep instead of polling", max(1, int(usable))),
			"%d ranks for %.3g CPUs: they take turns", c.Ranks, usable)
	} else {
		s.ok("cpus", "%d CPUs%s", f.CPUs, ranksText(c.Ranks))
	}
	if f.CPUs > 0 && f.Load > float64(f.CPUs) {
		s.warn("load", "see what else runs there (top), or expect slow and uneven ranks", "%.1f processes want to run on %d CPUs", f.Load, f.CPUs)
	}
}

func ranksText(ranks int) string {
	if ranks == 0 {
		return ""
	}
	return fmt.Sprintf(" for %d ranks", ranks)
}

func judgeMemory(s *sheet, f *Facts, c Circumstances) {
	free := f.MemoryFree
	limited := ""
	if left := f.MemoryLimit - min(f.MemoryLimit, f.MemoryUsed); f.MemoryLimit > 0 && left < free {
		free, limited = left, " (limit of the control group)"
	}
	ranks := uint64(max(1, c.Ranks))
	switch {
	case f.Memory == 0:
		s.warn("memory", "look at /proc/meminfo there", "the free memory cannot be read")
	case free < scarceMemory*ranks:
		s.fail("memory", "end something there, or start fewer ranks", "only %s free%s", bytesText(free), limited)
	case free < littleMemory*ranks:
		s.warn("memory", "end something there, or start fewer ranks", "only %s free%s", bytesText(free), limited)
	default:
		s.ok("memory", "%s free of %s%s", bytesText(free), bytesText(f.Memory), limited)
	}
}

func judgeSharing(s *sheet, f *Facts) {
	if f.MemfdTrouble != "" {
		s.fail("shared memory", "allow memfd_create and mmap in the container's or service's system-call filter",
			"ranks of one host cannot share memory: %s", f.MemfdTrouble)
	} else {
		s.ok("shared memory", "memfd works")
	}
	switch {
	case f.CMATrouble != "":
		s.warn("single copy", "in a container allow process_vm_readv (docker run --cap-add SYS_PTRACE)",
			"long messages within the host are copied twice: %s", f.CMATrouble)
	case f.PtraceScope > 1:
		s.warn("single copy", "sysctl -w kernel.yama.ptrace_scope=1",
			"long messages within the host are copied twice: Yama ptrace_scope is %d", f.PtraceScope)
	default:
		s.ok("single copy", "processes may read each other's memory")
	}
}

func judgeLimits(s *sheet, f *Facts) {
	raise := "raise it in /etc/security/limits.conf or in the service that starts the shell"
	fix := raise
	if f.Files.Max > f.Files.Now {
		fix = fmt.Sprintf("ulimit -n %s before weft run, or %s", countText(min(f.Files.Max, 65536)), raise)
	}
	switch {
	case f.Files.Now < scarceFiles:
		s.fail("open files", fix, "a process may open only %s files", countText(f.Files.Now))
	case f.Files.Now < fewFiles:
		s.warn("open files", fix, "a process may open only %s files", countText(f.Files.Now))
	default:
		s.ok("open files", "%s, at most %s", countText(f.Files.Now), countText(f.Files.Max))
	}
	if f.Group > 0 && f.Group < fewProcesses {
		s.warn("processes", "raise pids.max of the control group (docker run --pids-limit)", "the control group allows only %d processes and threads", f.Group)
	} else if f.Processes.Now < fewProcesses {
		s.warn("processes", strings.Replace(raise, "it", "nproc", 1), "a user may have only %s processes and threads", countText(f.Processes.Now))
	} else {
		s.ok("processes", "%s", countText(f.Processes.Now))
	}
	text := countText(f.Locked.Now)
	if f.Locked.Now != Unlimited {
		text = bytesText(f.Locked.Now)
	}
	if f.Locked.Now < hardwareNeeds {
		text += "; only RDMA hardware would need more"
	}
	s.ok("locked memory", "%s", text)
}

func judgeSockets(s *sheet, f *Facts, c Circumstances) {
	if c.Alone {
		return
	}
	for _, b := range []struct {
		name, key string
		size      uint64
	}{{"receive buffer", "net.core.rmem_max", f.ReceiveBuffer}, {"send buffer", "net.core.wmem_max", f.SendBuffer}} {
		switch {
		case b.size == 0: // not to be seen from a container
		case b.size < smallBuffer:
			s.warn(b.name, fmt.Sprintf("sysctl -w %s=%d", b.key, 4<<20), "sockets may have at most %s: datagrams get lost under load", bytesText(b.size))
		default:
			s.ok(b.name, "up to %s", bytesText(b.size))
		}
	}
	switch {
	case f.Backlog == 0:
	case f.Backlog < shortBacklog:
		s.warn("backlog", "sysctl -w net.core.somaxconn=4096", "only %d connections may wait at a listener", f.Backlog)
	default:
		s.ok("backlog", "%d connections may wait", f.Backlog)
	}
	judgeCongestion(s, f)
}

// judgeCongestion knows of one algorithm that is made for long ways and hurts between neighbours: it
// measures what the way carries, and sends by a clock of its own. Ranks ask for another one, unless they
// are told to take the system's.
func judgeCongestion(s *sheet, f *Facts) {
	switch {
	case f.Congestion == "":
	case strings.HasPrefix(f.Congestion, "bbr"):
		s.ok("congestion", "TCP uses %s, ranks use reno", f.Congestion)
	default:
		s.ok("congestion", "TCP uses %s", f.Congestion)
	}
}

func judgeInterfaces(s *sheet, f *Facts, c Circumstances) {
	usable := 0
	for _, i := range f.Interfaces {
		if len(i.Addresses) == 0 {
			continue
		}
		var addresses []string
		for _, a := range i.Addresses {
			addresses = append(addresses, a.String())
		}
		text := fmt.Sprintf("%s %s, MTU %d%s", i.Name, strings.Join(addresses, " "), i.MTU, speedText(i.Speed))
		switch {
		case !i.Carrier:
			s.warn("interface", fmt.Sprintf("plug it in at both ends, or switch it off: ip link set %s down", i.Name), "%s has no carrier", i.Name)
			continue
		case i.Speed > 0 && i.Speed < slowNetwork:
			s.warn("interface", "see why the link is slow: ethtool "+i.Name, "%s", text)
		default:
			s.ok("interface", "%s", text)
		}
		usable++
	}
	if usable == 0 && !c.Alone {
		s.fail("interface", "give an interface an address (ip address add ...) and plug it in", "no interface has both an address and a carrier")
	}
}

func speedText(mbit int) string {
	switch {
	case mbit == 0:
		return ""
	case mbit < 1000:
		return fmt.Sprintf(", %d Mbit/s", mbit)
	}
	return fmt.Sprintf(", %g Gbit/s", float64(mbit)/1000)
}

func bytesText(n uint64) string {
	switch {
	case n >= 10<<30:
		return fmt.Sprintf("%d GiB", n>>30)
	case n >= 10<<20:
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d KiB", n>>10)
}

func countText(n uint64) string {
	if n == Unlimited {
		return "unlimited"
	}
	return fmt.Sprint(n)
}
