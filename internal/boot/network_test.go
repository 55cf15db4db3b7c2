package boot

import (
	"bytes"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/pmi"
	"github.com/weft-mpi/weft/internal/rail"
	"github.com/weft-mpi/weft/internal/tune"
)

// manager serves ranks as a launcher does that shows what one rank puts to the others at once.
type manager struct {
	mu     sync.Mutex
	server *pmi.Server
	conns  []net.Conn
	asked  chan string // commands, in the order in which they were answered
}

func newManager(t *testing.T, size int, preset map[string]string) (*manager, []*pmi.Client) {
	t.Helper()
	m := &manager{server: pmi.NewServer(pmi.ServerConfig{Size: size, KVSName: "job", Preset: preset}), asked: make(chan string, 100)}
	var clients []*pmi.Client
	for rank := range size {
		here, there := net.Pipe()
		m.conns = append(m.conns, there)
		go m.serve(rank, there)
		clients = append(clients, pmi.NewClient(here, false))
		t.Cleanup(func() { _ = clients[rank].Close() })
	}
	return m, clients
}

func (m *manager) serve(rank int, conn net.Conn) {
	lines := pmi.NewReader(conn)
	for {
		asked, err := lines.Next()
		if err != nil {
			return
		}
		m.mu.Lock()
		out, err := m.server.Handle(rank, asked)
		for _, r := range out.Replies {
			line, _ := pmi.AppendMessage(nil, r.Message)
			_, _ = m.conns[r.Rank].Write(line)
		}
		m.mu.Unlock()
		if err != nil {
			return
		}
		m.asked <- fmt.Sprintf("%d %s", rank, asked.Cmd)
	}
}

// Under a launcher that has no key for the job, a rank that asks after rank 0 has left one still joins the others.
func TestKeyForLateRanks(t *testing.T) {
	for _, preset := range []map[string]string{nil, {pmi.JobKey: fmt.Sprintf("%064d", 7)}} {
		m, clients := newManager(t, 2, preset)
		keys := make([][]byte, 2)
		var all sync.WaitGroup
		start := func(rank int) {
			all.Go(func() {
				err := clients[rank].Init()
				if err == nil {
					keys[rank], err = jobKey(place{rank: rank, size: 2}, clients[rank])
				}
				if err == nil {
					err = clients[rank].Barrier() // as bring-up goes on
				}
				if err != nil {
					t.Error(err)
				}
			})
		}
		start(0)
		for asked := ""; asked != "0 barrier_in"; {
			asked = <-m.asked
		}
		start(1)
		all.Wait()
		if len(keys[0]) != 32 || !bytes.Equal(keys[0], keys[1]) {
			t.Errorf("keys %x and %x", keys[0], keys[1])
		}
	}
}

// Only where ranks outnumber processors does auto leave long messages whole; who says how has it so everywhere.
func TestStriping(t *testing.T) {
	for word, want := range map[string][2]string{"auto": {"rate", "off"}, "rate": {"rate", "rate"}, "even": {"even", "even"}, "off": {"off", "off"}} {
		if got := [2]string{striping(word, false), striping(word, true)}; got != want {
			t.Errorf("%s: %q with room, %q when crowded; want %q", word, got[0], got[1], want)
		}
	}
}

// Left to us, longer messages travel with their envelopes where ranks outnumber processors; who says how
// long has it so everywhere.
func TestEagerAlone(t *testing.T) {
	for wish, want := range map[int][2]int{tune.Auto: {socketAlone, crowdedAlone}, 0: {0, 0}, 70 << 10: {70 << 10, 70 << 10}} {
		for i, crowded := range []bool{false, true} {
			o := rail.Defaults()
			o.EagerAlone = wish
			if suitSockets(&o, crowded); o.EagerAlone != want[i] {
				t.Errorf("%d, crowded %t: %d, want %d", wish, crowded, o.EagerAlone, want[i])
			}
		}
	}
}

// Left to us, connections do not use bbr; who names an algorithm, or the system's, has it.
func TestCongestion(t *testing.T) {
	for _, c := range []struct{ wish, system, want string }{
		{"auto", "bbr", "reno"}, {"auto", "bbr2", "reno"}, {"auto", "cubic", ""}, {"auto", "", ""},
		{"system", "bbr", ""}, {"bbr", "cubic", "bbr"}, {"cubic", "bbr", "cubic"},
	} {
		if got := congestion(c.wish, c.system); got != c.want {
			t.Errorf("%s on a system with %q: %q, want %q", c.wish, c.system, got, c.want)
		}
	}
}

// TestOverNetwork: ranks wait the longer for others the fewer of them share a host's processors, and
// never longer than the user wants.
func TestOverNetwork(t *testing.T) {
	for _, c := range []struct {
		wait        string
		ranks, cpus int
		yields      int
	}{
		{"hybrid", 1, 2, roomyYields}, {"hybrid", 4, 8, roomyYields},
		{"hybrid", 2, 2, networkYields}, {"hybrid", 5, 8, networkYields},
		{"hybrid", 3, 2, clock.PolicyFor(3, 2).Yields},
		{"park", 1, 8, 0},
		{"spin", 1, 8, 0},
	} {
		p := overNetwork(policy(c.wait, c.ranks, c.cpus), &place{local: everybody(c.ranks), cpus: c.cpus})
		if p.Yields != c.yields {
			t.Errorf("%s, %d ranks on %d CPUs: %+v", c.wait, c.ranks, c.cpus, p)
		}
	}
}

// The processors of a host are those of all of its ranks together, each of which may see its own share alone.
func TestProcessorsOfBoundRanks(t *testing.T) {
	_, clients := newManager(t, 3, nil)
	own, err := hostID()
	if err != nil {
		t.Fatal(err)
	}
	for i, told := range []string{own + "/1000-1002", "another/2000-2100"} {
		go func() {
			_ = clients[i+1].Init()
			_ = clients[i+1].Put(hostKey(i+1), told)
			_ = clients[i+1].Barrier()
			_ = clients[i+1].Barrier()
		}()
	}
	p := place{rank: 0, size: 3, cpus: 77}
	if err := clients[0].Init(); err != nil {
		t.Fatal(err)
	}
	if err := p.findNeighbours(clients[0]); err != nil {
		t.Fatal(err)
	}
	mine, err := clock.AllowedCPUs()
	if err != nil {
		t.Fatal(err)
	}
	if want := len(mine) + 3; p.cpus != want || p.hosts != 2 || len(p.local) != 2 {
		t.Errorf("%d processors, want %d; %d hosts, ranks %v here", p.cpus, want, p.hosts, p.local)
	}
}

// TestHostsAreToldAtOnce: what the first rank makes of what all say of their hosts places every rank, however
// many there are and however they are dealt.
func TestHostsAreToldAtOnce(t *testing.T) {
	const size = 300
	for name, host := range map[string]func(rank int) int{
		"one host":  func(int) int { return 0 },
		"in turn":   func(rank int) int { return rank % 7 },
		"in blocks": func(rank int) int { return rank / 40 },
		"alone":     func(rank int) int { return rank },
		"uneven":    func(rank int) int { return min(rank/2, 3) },
	} {
		b, hosts := newNotes(), 0
		for rank := range size {
			_ = b.Put(hostKey(rank), fmt.Sprintf("host%d/%d-%d", host(rank), 2*rank, 2*rank+1))
			hosts = max(hosts, host(rank)+1)
		}
		all, err := askAll(b, size)
		if err != nil {
			t.Fatal(err)
		}
		if err := putLong(b, hostsKey, formatHosts(all)); err != nil {
			t.Fatal(err)
		}
		for rank := range size {
			var want []int
			for other := range size {
				if host(other) == host(rank) {
					want = append(want, other)
				}
			}
			text, err := getLong(b, hostsKey)
			p := place{rank: rank, size: size}
			if err == nil {
				err = p.among(text)
			}
			if err != nil || p.hosts != hosts || p.node != host(rank) || !slices.Equal(p.local, want) || p.cpus != 2*len(want) {
				t.Fatalf("%s, rank %d: %v, host %d of %d, %d processors for %v", name, rank, err, p.node, p.hosts, p.cpus, p.local)
			}
		}
	}
	for _, bad := range []string{"", "0/0", "0,2/0", "1-9/0", "x/0", "0-1/x"} {
		p := place{rank: 1, size: 2}
		if err := p.among(bad); err == nil {
			t.Errorf("%q places rank 1: %+v", bad, p)
		}
	}
	p := place{rank: 1, size: 2}
	if err := p.among("0-1/"); err != nil || p.cpus != 1 { // who knows of no processors has one
		t.Errorf("%d processors, %v", p.cpus, err)
	}
}

// Adapters do not encrypt, so a job that is to be encrypted does not use them.
func TestAdaptersDoNotEncrypt(t *testing.T) {
	set := defaults()
	set.Device, set.Soft.Encrypt = "mlx5_0", true
	ps := &parts{set: set}
	n, err := ps.openNetwork(nil, nil, nil)
	if said := fmt.Sprint(err); n != nil || !strings.Contains(said, "WEFT_ENCRYPT=on") || !strings.Contains(said, "mlx5_0") {
		t.Errorf("%v, %v", n, err)
	}
}
