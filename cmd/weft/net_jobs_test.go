package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/cluster"
)

// Shared memory inside hosts, the network between them, and everything arrives.
func TestNetJob(t *testing.T) {
	f := newBox(t, cluster.Config{Hosts: 3})
	j := f.job(t, "--host h0:2,h1:2,h2:1 --host-timeout 120", "soak", "1", "40")
	j.good(t)
	m := regexp.MustCompile(`(\d+) collectives and (\d+) messages right`).FindStringSubmatch(j.out.String())
	if m == nil || len(m[1]) < 3 || len(m[2]) < 4 {
		t.Errorf("hundreds of collectives and thousands of messages were to be right:\n%s", tail(j.out.String()))
	}
	want := []struct {
		host  string
		peers int
	}{{"h0", 3}, {"h0", 3}, {"h1", 3}, {"h1", 3}, {"h2", 4}}
	for rank, r := range j.reports(t, 5) {
		if r.Host != want[rank].host || r.Rail.Peers != want[rank].peers || r.Rail.Counters.Reads == 0 {
			t.Errorf("rank %d on %s spoke to %d others over the network: %+v", rank, r.Host, r.Rail.Peers, r.Rail.Counters)
		}
	}
}

// Datagrams that the network loses are sent again.
func TestNetLoss(t *testing.T) {
	f := newBox(t, cluster.Config{Hosts: 2})
	for _, host := range f.Hosts() {
		if err := f.Loss(host, 0, 1); err != nil { // at both ends: two of a hundred
			t.Fatal(err)
		}
	}
	j := f.job(t, "--host h0:2,h1:2 --host-timeout 120 --set channel=ud", "soak", "2", "15")
	j.good(t)
	resent := uint64(0)
	for rank, r := range j.reports(t, 4) {
		if resent += r.Rail.Counters.Resent; r.Rail.Counters.Datagrams == 0 {
			t.Errorf("rank %d got no datagrams: %+v", rank, r.Rail.Counters)
		}
	}
	if resent == 0 {
		t.Error("nothing was sent again, so nothing can have been lost")
	}
}

// Ranks listen where they are told to, and nowhere else: for connections on every interface, for datagrams
// on the first.
func TestNetPortsAndInterfaces(t *testing.T) {
	f := newBox(t, cluster.Config{Hosts: 2, Rails: 2})
	for _, c := range []struct {
		options string
		nets    []string // beginnings of the addresses that ranks listen on
	}{
		{"", []string{"10.77.0.", "10.77.1."}},
		{"--iface eth1", []string{"10.77.1."}},
		{"--iface 10.77.0.0/24", []string{"10.77.0."}},
		{"--iface ^eth0", []string{"10.77.1."}},
		{"--iface ^10.77.1.0/24,lo", []string{"10.77.0."}},
	} {
		t.Run(c.options, func(t *testing.T) {
			const first, last = 21200, 21215
			want := map[string]int{}
			for _, host := range f.Hosts() {
				want[host+" -u "+c.nets[0]] = 2
				for _, net := range c.nets {
					want[host+" -t "+net] = 2
				}
			}
			j := f.job(t, fmt.Sprintf("--host h0:2,h1:2 --set channel=hybrid --port-range %d-%d %s", first, last, c.options), "rounds")
			j.more(t, "round", 1)
			got := map[string]int{}
			for _, host := range f.Hosts() {
				for _, kind := range []string{"-t", "-u"} {
					for _, s := range f.listeners(t, host, kind) {
						if s.port < first || s.port > last {
							t.Errorf("%s %s: a rank listens on %v", host, kind, s)
						}
						got[host+" "+kind+" "+s.addr[:strings.LastIndex(s.addr, ".")+1]]++
					}
				}
			}
			if !maps.Equal(got, want) {
				t.Errorf("ranks listen on %v, want %v", got, want)
			}
			f.checkTraffic(t, j, c.nets)
			j.end(t)
		})
	}
}

// checkTraffic: long messages flow over the interfaces of nets, nothing of the job over the others. Outside of rail 0,
// where the launcher's own connections are, that means nothing at all.
func (f *fleet) checkTraffic(t *testing.T, j *netJob, nets []string) {
	t.Helper()
	const little = 20_000 // neighbours are asked for their hardware addresses
	for rail, net := range []string{"10.77.0.", "10.77.1."} {
		iface := fmt.Sprintf("eth%d", rail)
		before := f.carried(t, "h1", iface)
		if strings.Contains(strings.Join(nets, " "), net) {
			j.eventually(t, "traffic on "+iface, func() bool { return f.carried(t, "h1", iface) > before+1<<20 })
			continue
		}
		j.more(t, "round", 5)
		if got := f.carried(t, "h1", iface) - before; rail > 0 && got > little || got > 1<<20 {
			t.Errorf("%d bytes on %s, which is not to be used", got, iface)
		}
	}
}

// An interface list that leaves nothing is an error that says where and what there is.
func TestNetNoInterface(t *testing.T) {
	f := newBox(t, cluster.Config{Hosts: 2})
	for _, list := range []string{"ib0", "192.168.0.0/16", "^eth0"} {
		l := f.launch(t, "--host", "h0,h1", "-n", "2", "--iface", list, filepath.Join(f.bin, "netrank"), "wait", "0")
		if code := l.code(t); code == 0 {
			t.Errorf("%s: code 0", list)
		}
		for _, want := range []string{fmt.Sprintf("WEFT_IFACE=%q leaves no network interface", list), "eth0 10.77.0.", " on h"} {
			if !strings.Contains(l.out.String(), want) {
				t.Errorf("%s: no %q in\n%s", list, want, l.out.String())
			}
		}
	}
}

// The job's key is where only the job can see it: in no command line, no environment and no file.
func TestNetKeyIsSecret(t *testing.T) {
	f := newBox(t, cluster.Config{Hosts: 2})
	j := f.job(t, "--host h0,h1 -n 2", "key")
	j.more(t, "key ", 2)
	key := regexp.MustCompile(`key ([0-9a-f]{64})`).FindStringSubmatch(j.out.String())
	if key == nil {
		t.Fatalf("the job says\n%s", j.out.String())
	}
	// What to look for comes by standard input, so that the search does not find itself.
	const search = `read key
		for f in /proc/[0-9]*/cmdline /proc/[0-9]*/environ; do
			echo looked; tr '\0' '\n' 2>/dev/null < $f | grep -q "$key" && echo "found in $f"
		done
		find /run /dev/shm /tmp -xdev -type f -size -64k -mmin -2 -exec grep -l "$key" {} + 2>/dev/null | sed 's/^/found in /'`
	for _, host := range f.Hosts() {
		cmd := f.Command(host, "bash", "-c", search)
		cmd.Stdin = strings.NewReader(key[1] + "\n")
		out, _ := cmd.Output() // its code is that of the last search
		if strings.Count(string(out), "looked") < 8 || strings.Contains(string(out), "found") {
			t.Errorf("%s:\n%s", host, out)
		}
	}
	j.end(t)
}

// A rank dies, or a whole host without a word, while others wait for its message: the job ends and says who it was.
func TestNetDeath(t *testing.T) {
	for _, c := range []struct {
		name string
		kill func(t *testing.T, j *netJob, process string) error
		code int
		says []string
	}{
		{"rank", func(t *testing.T, j *netJob, process string) error {
			out, err := j.box.Command("h1", "kill", "-9", process).CombinedOutput()
			if err != nil {
				err = fmt.Errorf("%w: %s", err, out)
			}
			return err
		}, 137, []string{"weft: rank 3 (pid ", " on h1) was killed by signal 9"}},
		{"host", func(_ *testing.T, j *netJob, _ string) error { return j.box.Crash("h1") }, 111,
			[]string{"weft: host h1 has been silent for 2s; ranks 2-3 were there"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := newBox(t, cluster.Config{Hosts: 2})
			j := f.job(t, "--host h0:2,h1:2 --host-timeout 2", "wait", "3")
			j.more(t, "is process", 4)
			process := regexp.MustCompile(`rank 3 is process (\d+)`).FindStringSubmatch(j.out.String())
			if err := c.kill(t, j, process[1]); err != nil {
				t.Fatal(err)
			}
			if code := j.code(t); code != c.code {
				t.Errorf("code %d, want %d", code, c.code)
			}
			for _, want := range c.says {
				if !strings.Contains(j.out.String(), want) {
					t.Errorf("no %q in\n%s", want, j.out.String())
				}
			}
		})
	}
}

// MPICH's launcher starts ranks on two hosts: they find out who shares a host and use the network between.
func TestNetHydra(t *testing.T) {
	hydra, err := exec.LookPath("mpiexec.hydra")
	if err != nil {
		t.Skip("MPICH's mpiexec.hydra is not installed")
	}
	f := newBox(t, cluster.Config{Hosts: 2})
	dir := t.TempDir()
	cmd := exec.Command(hydra, "-hosts", "h0,h1", "-ppn", "2", "-n", "4", "-genv", "WEFT_REPORT", dir,
		filepath.Join(f.bin, "netrank"), "soak", "3", "10")
	l := &launcher{cmd: cmd}
	cmd.Env = append(os.Environ(), "PATH="+f.bin+":"+os.Getenv("PATH"))
	cmd.Stdout, cmd.Stderr = &l.out, &l.out
	if err := f.Start("h0", cmd); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	if code := l.code(t); code != 0 || !strings.Contains(l.out.String(), "messages right") {
		t.Fatalf("code %d:\n%s", code, l.out.String())
	}
	for rank, r := range readReports(t, dir, 4) {
		if want := fmt.Sprintf("h%d", rank/2); r.Host != want || r.Rail.Peers != 2 {
			t.Errorf("rank %d is on %s, not %s, and spoke to %d others over the network", rank, r.Host, want, r.Rail.Peers)
		}
	}
}
