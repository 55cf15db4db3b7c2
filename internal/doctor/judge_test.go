package doctor

import (
	"errors"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"
)

// healthy is a host that nothing is wrong with.
func healthy(name string, last byte) *Facts {
	return &Facts{
		Name: name, Version: "v1", Kernel: "Linux 6", CPUs: 4, Load: 0.5, Memory: 16 << 30, MemoryFree: 8 << 30,
		Files: Limit{4096, 65536}, Processes: Limit{30000, 30000}, Locked: Limit{Unlimited, Unlimited},
		ReceiveBuffer: 4 << 20, SendBuffer: 4 << 20, Backlog: 4096, Congestion: "cubic",
		Interfaces: []Interface{
			{"eth0", 1500, true, 10000, []netip.Prefix{netip.PrefixFrom(netip.AddrFrom4([4]byte{10, 0, 0, last}), 24)}},
			{"eth1", 1500, true, 10000, []netip.Prefix{netip.PrefixFrom(netip.AddrFrom4([4]byte{10, 0, 1, last}), 24)}},
		},
	}
}

// slurm is one that nothing is wrong with.
var slurm = Slurm{Version: "22.05.8", Plugins: []string{"none", "pmi2"}, Propagate: "ALL"}

// bad are the findings that are not well.
func bad(findings []Finding) []Finding {
	return slices.DeleteFunc(slices.Clone(findings), func(f Finding) bool { return f.Grade == OK })
}

// expect wants exactly one bad finding, or none if check is empty.
func expect(t *testing.T, what string, findings []Finding, grade Grade, check, text, fix string) {
	t.Helper()
	got := bad(findings)
	for _, f := range findings {
		if f.Text == "" || f.Check == "" || (f.Grade == OK) != (f.Fix == "") || strings.Contains(f.Text+f.Fix, "%!") || strings.Contains(f.Text+f.Fix, "\n") {
			t.Errorf("%s: malformed finding %+v", what, f)
		}
	}
	if check == "" {
		if len(got) != 0 {
			t.Errorf("%s: found %+v", what, got)
		}
		return
	}
	if len(got) != 1 || got[0].Grade != grade || got[0].Check != check || !strings.Contains(got[0].Text, text) || !strings.Contains(got[0].Fix, fix) {
		t.Errorf("%s: found %+v, want %v %s %q %q", what, got, grade, check, text, fix)
	}
}

func TestJudgeHost(t *testing.T) {
	for _, c := range []struct {
		what      string
		change    func(f *Facts)
		when      Circumstances
		grade     Grade
		check     string
		text, fix string
	}{
		{"all well", func(f *Facts) {}, Circumstances{Ranks: 4}, OK, "", "", ""},
		{"ranks unknown", func(f *Facts) {}, Circumstances{}, OK, "", "", ""},
		{"too many ranks", func(f *Facts) {}, Circumstances{Ranks: 5}, Warn, "cpus", "5 ranks for 4 CPUs", "at most 4 ranks"},
		{"quota", func(f *Facts) { f.Quota = 1.5 }, Circumstances{}, Warn, "quota", "1.5 of 4 CPUs", "cpu.max"},
		{"quota that does not limit", func(f *Facts) { f.Quota = 8 }, Circumstances{Ranks: 4}, OK, "", "", ""},
		{"busy", func(f *Facts) { f.Load = 7 }, Circumstances{}, Warn, "load", "7.0 processes", "top"},
		{"little memory", func(f *Facts) { f.MemoryFree = 200 << 20 }, Circumstances{}, Warn, "memory", "200 MiB", "fewer ranks"},
		{"little memory per rank", func(f *Facts) { f.MemoryFree = 1000 << 20 }, Circumstances{Ranks: 4}, Warn, "memory", "1000 MiB", "fewer"},
		{"no memory", func(f *Facts) { f.MemoryFree = 10 << 20 }, Circumstances{}, Fail, "memory", "10 MiB", "end something"},
		{"memory limit", func(f *Facts) { f.MemoryLimit = 50 << 20 }, Circumstances{}, Fail, "memory", "limit of the control group", "fewer"},
		{"memory limit, used up", func(f *Facts) { f.MemoryLimit, f.MemoryUsed = 4<<30, 4<<30-100<<20 }, Circumstances{}, Warn, "memory", "100 MiB free (limit", "fewer"},
		{"memory used beyond its limit", func(f *Facts) { f.MemoryLimit, f.MemoryUsed = 1<<30, 2<<30 }, Circumstances{}, Fail, "memory", "limit", "fewer"},
		{"container", func(f *Facts) { f.Container = "Docker" }, Circumstances{}, OK, "", "", ""},
		{"few processes in the group", func(f *Facts) { f.Group = 100 }, Circumstances{}, Warn, "processes", "control group allows only 100", "pids-limit"},
		{"slurm", func(f *Facts) { f.Slurm = slurm }, Circumstances{}, OK, "", "", ""},
		{"slurm is down", func(f *Facts) { f.Slurm = Slurm{Version: "22", Trouble: "no answer"} }, Circumstances{}, Warn, "slurm", "no answer", "scontrol ping"},
		{"no munge", func(f *Facts) { f.Slurm = slurm; f.Slurm.Munge = "there is none" }, Circumstances{}, Warn, "munge", "without PMI", "--mpi=pmi2"},
		{"no munge, no pmi2", func(f *Facts) { f.Slurm = Slurm{Version: "22", Munge: "there is none"} }, Circumstances{}, Warn, "munge", "no plugin pmi2", "WEFT_KEY_FILE"},
		{"memory unknown", func(f *Facts) { f.Memory = 0 }, Circumstances{}, Warn, "memory", "cannot be read", "meminfo"},
		{"no memfd", func(f *Facts) { f.MemfdTrouble = "not permitted" }, Circumstances{}, Fail, "shared memory", "not permitted", "memfd_create"},
		{"no CMA", func(f *Facts) { f.CMATrouble = "not permitted" }, Circumstances{}, Warn, "single copy", "not permitted", "SYS_PTRACE"},
		{"Yama 1", func(f *Facts) { f.PtraceScope = 1 }, Circumstances{}, OK, "", "", ""},
		{"Yama 2", func(f *Facts) { f.PtraceScope = 2 }, Circumstances{}, Warn, "single copy", "ptrace_scope is 2", "sysctl"},
		{"few files", func(f *Facts) { f.Files = Limit{512, 4096} }, Circumstances{}, Warn, "open files", "512", "ulimit -n 4096"},
		{"very few files", func(f *Facts) { f.Files = Limit{64, 64} }, Circumstances{}, Fail, "open files", "64", "limits.conf"},
		{"files unlimited", func(f *Facts) { f.Files = Limit{Unlimited, Unlimited} }, Circumstances{}, OK, "", "", ""},
		{"few processes", func(f *Facts) { f.Processes = Limit{100, 100} }, Circumstances{}, Warn, "processes", "100", "raise nproc"},
		{"little locked memory", func(f *Facts) { f.Locked = Limit{64 << 10, 64 << 10} }, Circumstances{}, OK, "", "", ""},
		{"small receive buffer", func(f *Facts) { f.ReceiveBuffer = 212992 }, Circumstances{}, Warn, "receive buffer", "208 KiB", "net.core.rmem_max=4194304"},
		{"small send buffer", func(f *Facts) { f.SendBuffer = 212992 }, Circumstances{}, Warn, "send buffer", "208 KiB", "net.core.wmem_max"},
		{"small buffers, one host", func(f *Facts) { f.ReceiveBuffer, f.SendBuffer, f.Backlog = 1, 1, 1 }, Circumstances{Alone: true}, OK, "", "", ""},
		{"buffers unknown", func(f *Facts) { f.ReceiveBuffer, f.SendBuffer, f.Backlog = 0, 0, 0 }, Circumstances{}, OK, "", "", ""},
		{"short backlog", func(f *Facts) { f.Backlog = 16 }, Circumstances{}, Warn, "backlog", "16", "somaxconn"},
		{"bbr", func(f *Facts) { f.Congestion = "bbr" }, Circumstances{}, OK, "", "", ""},
		{"congestion unknown", func(f *Facts) { f.Congestion = "" }, Circumstances{}, OK, "", "", ""},
		{"no carrier", func(f *Facts) { f.Interfaces[1].Carrier = false }, Circumstances{}, Warn, "interface", "eth1 has no carrier", "ip link set eth1 down"},
		{"slow network", func(f *Facts) { f.Interfaces[0].Speed = 100 }, Circumstances{}, Warn, "interface", "100 Mbit/s", "ethtool eth0"},
		{"speed unknown", func(f *Facts) { f.Interfaces[0].Speed = 0 }, Circumstances{}, OK, "", "", ""},
		{"no network", func(f *Facts) { f.Interfaces = nil }, Circumstances{}, Fail, "interface", "no interface has both", "ip address add"},
		{"no network, one host", func(f *Facts) { f.Interfaces = nil }, Circumstances{Alone: true}, OK, "", "", ""},
	} {
		f := healthy("h", 1)
		c.change(f)
		findings := judgeHost(f, c.when)
		expect(t, c.what, findings, c.grade, c.check, c.text, c.fix)
		if findings[0].Host != "h" {
			t.Errorf("%s: no host in %+v", c.what, findings[0])
		}
	}
}

func TestJudgeContact(t *testing.T) {
	for _, c := range []struct {
		err              error
		check, text, fix string
	}{
		{errors.New("no such file"), "ssh", "ssh cannot be run: no such file", "install ssh"},
		{&unreached{code: -1, late: true, cause: errSilent}, "ssh", "in time", "ssh h9 true"},
		{&unreached{code: 127, said: "weft: not found", cause: errSilent}, "weft", "there is no weft (weft: not found)", "scp"},
		{&unreached{code: 255, said: "u@h9: Permission denied (publickey).", cause: errSilent}, "ssh", "Permission denied", "ssh-copy-id h9"},
		{&unreached{code: 255, said: "Host key verification failed.", cause: errSilent}, "ssh", "Host key", "accept its key"},
		{&unreached{code: 255, said: "ssh: Could not resolve hostname h9", cause: errSilent}, "ssh", "resolve", "/etc/hosts"},
		{&unreached{code: 255, said: "connect to host h9 port 22: Connection refused", cause: errSilent}, "ssh", "refused", "port="},
		{&unreached{code: 255, said: "", cause: errSilent}, "ssh", "does not get there", "host is up"},
		{&unreached{code: -1, cause: errors.New("the agent speaks version 9")}, "version", "version 9", "same weft"},
		{&unreached{code: 2, said: "there is no command", cause: errSilent}, "weft", "code 2 (there is no command)", "ssh h9 weft doctor"},
	} {
		expect(t, c.err.Error(), []Finding{judgeContact("h9", c.err)}, Fail, c.check, c.text, c.fix)
	}
}

func TestJudgeMeeting(t *testing.T) {
	for _, c := range []struct {
		what      string
		h         hello
		c         clock
		grade     Grade
		check     string
		text, fix string
	}{
		{"well", hello{version: "v1"}, clock{time.Millisecond, time.Millisecond}, OK, "", "", ""},
		{"version", hello{version: "v2"}, clock{}, Fail, "version", "weft there is v2, here v1", "same weft"},
		{"ahead", hello{version: "v1"}, clock{5 * time.Second, time.Millisecond}, Warn, "clock", "5s ahead", "chrony"},
		{"behind", hello{version: "v1"}, clock{-90 * time.Second, time.Millisecond}, Warn, "clock", "1m30s behind", "chrony"},
		{"perhaps ahead", hello{version: "v1"}, clock{2 * time.Second, 3 * time.Second}, OK, "", "", ""},
		{"noise", hello{version: "v1", noise: "Welcome\nto h1\n"}, clock{}, Warn, "shell", "2 line(s)", "[ -t 1 ]"},
		{"empty lines", hello{version: "v1", noise: "\n\n"}, clock{}, OK, "", "", ""},
	} {
		expect(t, c.what, judgeMeeting("h1", c.h, "v1", true, c.c), c.grade, c.check, c.text, c.fix)
	}
	if got := judgeMeeting("h1", hello{version: "v1"}, "v1", false, clock{time.Hour, 0}); len(got) != 1 {
		t.Errorf("this very host: %+v", got)
	}
}

// well is a path on which everything passes.
func well(from, to string, last byte) Path {
	return Path{From: from, To: to, Interface: "eth0", Local: netip.MustParseAddr("10.0.0.1"), Peer: "eth0",
		Address: netip.AddrFrom4([4]byte{10, 0, 0, last}), TCPPort: 20001, UDPPort: 20002, TCP: Passed, UDP: Passed, Size: 1500, Large: Passed}
}

func TestJudgePaths(t *testing.T) {
	for _, c := range []struct {
		what             string
		change           func(p *Path, facts map[string]*Facts)
		check, text, fix string
	}{
		{"well", func(p *Path, _ map[string]*Facts) {}, "", "", ""},
		{"large untried", func(p *Path, _ map[string]*Facts) { p.Large = Untried }, "", "", ""},
		{"TCP dropped", func(p *Path, _ map[string]*Facts) { p.TCP = Silent }, "firewall",
			"10.0.0.2 (eth0) from h1: TCP port 20001 (of 20000-20100) is dropped by a firewall, UDP passes", "on h2: nft insert rule inet filter input ip saddr 10.0.0.0/24 tcp dport 20000-20100 accept"},
		{"TCP rejected", func(p *Path, _ map[string]*Facts) { p.TCP = Refused }, "firewall", "is rejected by", "tcp dport"},
		{"TCP answered by another", func(p *Path, _ map[string]*Facts) { p.TCP = Stranger }, "firewall", "answered by somebody else", ""},
		{"UDP dropped", func(p *Path, _ map[string]*Facts) { p.UDP = Silent }, "firewall", "UDP port 20002 (of 20000-20100) is dropped by a firewall, TCP passes", "udp dport"},
		{"UDP not let out", func(p *Path, _ map[string]*Facts) { p.UDP = Forbidden }, "firewall", "not let out", "udp dport"},
		{"odd error", func(p *Path, _ map[string]*Facts) { p.UDP = "100% odd" }, "firewall", "fails (100% odd)", "udp dport"},
		{"both rejected", func(p *Path, _ map[string]*Facts) { p.TCP, p.UDP = Refused, Refused }, "firewall", "TCP port 20001 (of 20000-20100) is rejected", "the same for udp"},
		{"both dropped", func(p *Path, _ map[string]*Facts) { p.TCP, p.UDP = Silent, Silent }, "network", "nothing passes (TCP silent, UDP silent)", "nft list ruleset"},
		{"wrong host", func(p *Path, _ map[string]*Facts) { p.TCP, p.UDP = Stranger, Silent }, "address", "another host or program answers", "own address"},
		{"receiver unplugged", func(p *Path, f map[string]*Facts) {
			p.TCP, p.UDP = Unreachable, Silent
			f["h2"].Interfaces[0].Carrier = false
		}, "cable", "eth0 has no carrier: nothing passes between it and h1", "plug it in"},
		{"sender unplugged", func(p *Path, f map[string]*Facts) {
			p.TCP, p.UDP = Unreachable, Silent
			f["h1"].Interfaces[0].Carrier = false
		}, "cable", "eth0 has no carrier: nothing passes between it and h2", "plug it in"},
		{"sender unplugged, no route", func(p *Path, f map[string]*Facts) {
			p.TCP, p.UDP, p.Local = Unreachable, Unreachable, netip.Addr{}
			f["h1"].Interfaces[0].Carrier = false
		}, "cable", "eth0 has no carrier: nothing passes between it and h2", "plug it in"},
		{"large lost", func(p *Path, _ map[string]*Facts) { p.Size, p.Large = 9000, Silent }, "mtu", "packets of 9000 bytes do not", "ip link set eth0 mtu 1500"},
		{"no ear", func(p *Path, _ map[string]*Facts) { p.TCP, p.UDP, p.Trouble = Untried, Untried, "all ports 100% used" }, "listen", "all ports 100% used", "--port-range"},
		{"unknown hosts", func(p *Path, f map[string]*Facts) {
			p.TCP, p.UDP = Silent, Silent
			clear(f)
		}, "network", "nothing passes", ""},
	} {
		facts := map[string]*Facts{"h1": healthy("h1", 1), "h2": healthy("h2", 2)}
		p := well("h1", "h2", 2)
		c.change(&p, facts)
		expect(t, c.what, judgePaths([]Path{p}, facts, Ports{20000, 20100}), Fail, c.check, c.text, c.fix)
	}
}

// TestJudgePathsTogether wants one finding for one cause, and the networks that are well.
func TestJudgePathsTogether(t *testing.T) {
	facts := map[string]*Facts{"h1": healthy("h1", 1), "h2": healthy("h2", 2), "h3": healthy("h3", 3)}
	a, b, back := well("h1", "h3", 3), well("h2", "h3", 3), well("h3", "h1", 1)
	a.TCP, b.TCP = Silent, Silent
	other := well("h1", "h2", 2)
	other.Address = netip.MustParseAddr("10.0.1.2")
	got := judgePaths([]Path{a, b, back, other}, facts, Ports{})
	if len(got) != 2 {
		t.Fatalf("%+v", got)
	}
	expect(t, "firewall", got[:1], Fail, "firewall", "10.0.0.3 (eth0) from h1, h2: TCP port 20001 is dropped", "1024-65535 accept, or fewer")
	if want := (Finding{OK, "", "network", "10.0.1.0/24: TCP and UDP pass between h1, h2", ""}); got[1] != want {
		t.Errorf("%+v, want %+v", got[1], want)
	}
}

func TestJudgeMTUs(t *testing.T) {
	facts := map[string]*Facts{"h1": healthy("h1", 1), "h2": healthy("h2", 2), "h3": nil}
	names := []string{"h1", "h2", "h3"}
	expect(t, "same", judgeMTUs(names, facts), OK, "", "", "")
	facts["h2"].Interfaces[1].MTU = 9000
	expect(t, "different", judgeMTUs(names, facts), Warn, "mtu", "10.0.1.0/24 differ in MTU: 1500 on h1 eth1; 9000 on h2 eth1", "mtu 1500")
}

func TestGrade(t *testing.T) {
	r := Report{Findings: []Finding{{Grade: Warn}, {Grade: OK}}}
	if r.Worst() != Warn || (&Report{}).Worst() != OK {
		t.Error("wrong grade of a report")
	}
	if text, err := Fail.MarshalText(); err != nil || string(text) != "fail" || Grade(7).String() != "Grade(7)" {
		t.Errorf("%s %v", text, err)
	}
}
