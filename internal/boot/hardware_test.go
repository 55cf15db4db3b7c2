package boot

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/comm"
	"github.com/weft-mpi/weft/internal/rail"
	"github.com/weft-mpi/weft/internal/tune"
	"github.com/weft-mpi/weft/internal/verbs/kernel/fake"
	"github.com/weft-mpi/weft/internal/verbs/kernel/ibv"
	"github.com/weft-mpi/weft/internal/verbs/kernel/sysfs"
)

// onFakes has ranks of this process find devices of a driver made of Go.
func onFakes(t *testing.T, h fake.Habits, device string) *fake.Host {
	t.Helper()
	host := &fake.Host{Fabric: fake.New(h), Devices: map[string]netip.Addr{
		"fake0": netip.MustParseAddr("127.0.0.1"), "fake1": netip.MustParseAddr("127.0.0.1"), "other0": netip.MustParseAddr("192.0.2.7"),
	}}
	before := Adapters
	Adapters = Hardware{Sys: host.Sys(), Open: host.Open}
	t.Cleanup(func() { Adapters = before })
	t.Setenv("WEFT_LINKS", "rail")
	t.Setenv("WEFT_DEVICE", device)
	return host
}

// hardwareCrew makes ranks that are closed with the test.
func hardwareCrew(t *testing.T, n int) *Crew {
	t.Helper()
	c, err := NewCrew(n, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// TestHardwareJob: ranks talk over RDMA devices, on every channel that these can do.
func TestHardwareJob(t *testing.T) {
	for _, channel := range []string{"srq", "sr", "ardma-srq", "ardma-sr", "ud", "hybrid"} {
		t.Run(channel, func(t *testing.T) {
			onFakes(t, fake.Habits{}, "fake0,fake1")
			t.Setenv("WEFT_CHANNEL", channel)
			c := hardwareCrew(t, 4)
			if err := c.Run(func(r *Rank) error { return ringJob(r.Env.World()) }); err != nil {
				t.Fatal(err)
			}
			for i, r := range c.Ranks {
				if caps := r.net.dev.Caps(); caps.Name != "rdma" {
					t.Errorf("rank %d runs on %q", i, caps.Name)
				}
			}
		})
	}
}

// TestHardwareTeam: a rank uses two adapters together, whose keys differ; long messages are cut over both, on every channel and by
// every protocol, and no connection breaks for a wrong key.
func TestHardwareTeam(t *testing.T) {
	for _, way := range []string{"rget", "rput", "speculative"} {
		for _, channel := range []string{"srq", "ardma-sr", "hybrid"} {
			t.Run(way+" "+channel, func(t *testing.T) {
				onFakes(t, fake.Habits{}, "fake0+fake1")
				t.Setenv("WEFT_CHANNEL", channel)
				t.Setenv("WEFT_RNDV", way)
				t.Setenv("WEFT_LAB_STRIPING", "even")
				c := hardwareCrew(t, 3)
				// The second adapter's connections may come late, and who of two begins a transfer is chance
				// when receivers may, too.
				for round := 0; round < 3 || round < 100 && !allOnBoth(c); round++ {
					if err := c.Run(func(r *Rank) error { return ringJob(r.Env.World()) }); err != nil {
						t.Fatal(err)
					}
				}
				for i, r := range c.Ranks {
					n := r.net.link.Report()
					if !onBoth(n) || n.Counters.BadFrames+n.Counters.Broken+n.Counters.PostErrors > 0 {
						t.Errorf("rank %d: rails %+v, %+v", i, n.Rails, n.Counters)
					}
				}
			})
		}
	}
}

// onBoth tells whether a rank has moved long messages over two rails.
func onBoth(n *rail.Report) bool {
	return len(n.Rails) == 2 && n.Rails[0].Bytes > 0 && n.Rails[1].Bytes > 0
}

// allOnBoth tells whether all ranks of a crew have.
func allOnBoth(c *Crew) bool {
	return !slices.ContainsFunc(c.Ranks, func(r *Rank) bool { return !onBoth(r.net.link.Report()) })
}

// TestHardwareRefuses: what an adapter cannot be used for is said when the job begins.
func TestHardwareRefuses(t *testing.T) {
	for name, row := range map[string]struct{ device, channel, want string }{
		"channel": {"fake0", "rd", "WEFT_CHANNEL"},
		"name":    {"mlx5_0", "srq", "the kernel has no RDMA device mlx5_0, it has fake0, fake1, other0"},
		"port":    {"fake0:2", "srq", "fake0 cannot be used"},
		"one":     {"fake0,mlx5_0", "srq", "no RDMA device mlx5_0"},
	} {
		t.Run(name, func(t *testing.T) {
			onFakes(t, fake.Habits{}, row.device)
			t.Setenv("WEFT_CHANNEL", row.channel)
			c, err := NewCrew(2, nil)
			if err == nil {
				c.Close()
			}
			if err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("said %v, want %q", err, row.want)
			}
		})
	}
	t.Run("built without", func(t *testing.T) {
		onFakes(t, fake.Habits{}, "fake0")
		Adapters.Open = nil
		if _, err := NewCrew(2, nil); !errors.Is(err, ErrDevice) || !strings.Contains(err.Error(), "go build -tags rdma") {
			t.Errorf("said %v", err)
		}
	})
	t.Run("little memory", func(t *testing.T) {
		onFakes(t, fake.Habits{MayPin: 4096}, "fake0")
		if _, err := NewCrew(2, nil); err == nil || !strings.Contains(err.Error(), "may be locked") {
			t.Errorf("said %v", err)
		}
	})
}

// TestHardwareLibrary: who asks for it has libibverbs work on all queues.
func TestHardwareLibrary(t *testing.T) {
	for word, want := range map[string]bool{"off": false, "on": true} {
		host, seen := onFakes(t, fake.Habits{}, "fake0"), false
		Adapters.Open = func(name string, library bool) (ibv.Context, error) {
			seen = library
			return host.Open(name, library)
		}
		t.Setenv("WEFT_LAB_RDMA_LIBRARY", word)
		if hardwareCrew(t, 1); seen != want {
			t.Errorf("%s: opened with %v", word, seen)
		}
	}
}

// TestHardwareLittleMemory: where only some of the memory can be pinned, old registrations go, and what cannot be pinned
// at all is copied.
func TestHardwareLittleMemory(t *testing.T) {
	for _, way := range []string{"rget", "rput", "speculative"} {
		for _, pages := range []int{1500, 4000} { // of memory; to begin with, two ranks need 550
			t.Run(fmt.Sprint(way, " ", pages), func(t *testing.T) {
				host := onFakes(t, fake.Habits{MayPin: pages * 4096}, "fake0")
				t.Setenv("WEFT_RNDV", way)
				c := hardwareCrew(t, 2)
				t.Logf("%d bytes pinned at first", host.Fabric.Pinned())
				err := c.Run(func(r *Rank) error {
					for range 3 {
						if err := ringJob(r.Env.World()); err != nil {
							return err
						}
					}
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
				if host.Fabric.Refused() == 0 && pages < 4000 {
					t.Errorf("there was enough memory")
				}
			})
		}
	}
}

// TestHardwareDies: whoever has something for a rank whose device is gone is told soon. Who only waits for its messages is told by
// the launcher.
func TestHardwareDies(t *testing.T) {
	onFakes(t, fake.Habits{}, "fake0")
	t.Setenv("WEFT_PEER_WAIT", "300ms")
	c := hardwareCrew(t, 2)
	gone := make(chan struct{})
	begin := clock.Now()
	err := c.Run(func(r *Rank) error {
		w := r.Env.World()
		if err := ringJob(w); err != nil {
			return err
		}
		if w.Rank() == 1 {
			r.net.dev.Close()
			close(gone)
			return nil
		}
		<-gone
		return w.Send(make([]byte, 10), 1, 7, comm.Synchronous)
	})
	if err == nil || !strings.Contains(err.Error(), "cannot be reached") {
		t.Errorf("the send ended with %v", err)
	}
	if took := time.Duration(clock.Now() - begin); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
}

// TestHardwareCancel: a receive and a send that nobody answers can be taken back, and those that follow are right.
func TestHardwareCancel(t *testing.T) {
	onFakes(t, fake.Habits{}, "fake0")
	c := hardwareCrew(t, 2)
	err := c.Run(func(r *Rank) error {
		w := r.Env.World()
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
		defer cancel()
		if w.Rank() == 0 {
			for _, n := range []int{1, 1 << 20} {
				if err := w.WithContext(ctx).Send(make([]byte, n), 1, 5, comm.Synchronous); !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("the send of %d bytes ended with %v", n, err)
				}
			}
		}
		return ringJob(w)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestDifferentNetworks: ranks on adapters of different kinds, or with none, do not begin.
func TestDifferentNetworks(t *testing.T) {
	p := place{size: 2, hosts: 1, local: []int{0, 1}}
	set, err := ReadSettings(nil)
	if err != nil {
		t.Fatal(err)
	}
	var first, second = p, p
	second.rank = 1
	a, err := first.sheet(set, "RoCE")
	if err != nil {
		t.Fatal(err)
	}
	b, err := second.sheet(set, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Compare(a.Text()); err == nil || !strings.Contains(err.Error(), "WEFT_DEVICE") || !strings.Contains(err.Error(), "RoCE") || !strings.Contains(err.Error(), "sockets") {
		t.Errorf("compared: %v", err)
	}
}

// TestAdapters: which adapters of a host a rank may use.
func TestAdapters(t *testing.T) {
	port := func(number int, state string, addr string) sysfs.Port {
		a := netip.MustParseAddr(addr)
		return sysfs.Port{Number: number, State: state, Ethernet: true, GIDs: []sysfs.GID{{Index: 3, Addr: a, Raw: a.As16(), RoCE2: true}}}
	}
	ib := sysfs.Device{Name: "mlx5_2", NUMA: 1, Ports: []sysfs.Port{{Number: 1, State: "ACTIVE", GIDs: []sysfs.GID{{Addr: netip.MustParseAddr("fe80::1"), Raw: [16]byte{0xfe, 0x80}}}}}}
	roce := sysfs.Device{Name: "mlx5_0", NUMA: 0, Ports: []sysfs.Port{port(1, "ACTIVE", "192.0.2.1"), port(2, "ACTIVE", "192.0.2.1")}}
	down := sysfs.Device{Name: "mlx5_1", Ports: []sysfs.Port{port(1, "DOWN", "192.0.2.1")}}
	rxe := sysfs.Device{Name: "rxe0", Software: true, NUMA: -1, Ports: []sysfs.Port{port(1, "ACTIVE", "192.0.2.1")}}
	far := sysfs.Device{Name: "mlx5_3", NUMA: 1, Ports: []sysfs.Port{port(1, "ACTIVE", "198.51.100.1")}}
	ours := []iface{{"eth0", netip.MustParsePrefix("10.0.0.1/24")}}
	for _, row := range []struct {
		device string
		all    []sysfs.Device
		want   string // names of devices and how many ports, or the error
	}{
		{"rdma", []sysfs.Device{roce, down, rxe, ib}, "mlx5_2/1"},
		{"rdma", []sysfs.Device{roce, down, rxe}, "mlx5_0/2"},
		{"rdma", []sysfs.Device{down, rxe}, "port 1 is DOWN"},
		{"rdma", []sysfs.Device{rxe}, "used if they are named"},
		{"rdma", nil, "no RDMA device"},
		{"rxe0", []sysfs.Device{roce, rxe}, "rxe0/1"},
		{"mlx5_0:2", []sysfs.Device{roce}, "mlx5_0/1"},
		{"mlx5_0:3", []sysfs.Device{roce}, "has no ports"},
		{"mlx5_0,rxe0", []sysfs.Device{rxe, roce}, "mlx5_0/2 rxe0/1"},
		{"mlx5_0,mlx5_3", []sysfs.Device{roce, far}, "mlx5_0/2"}, // the other leads elsewhere
		{"mlx5_0,mlx5_1", []sysfs.Device{roce, down}, "port 1 is DOWN"},
		{"mlx5_0+mlx5_3", []sysfs.Device{roce, far}, "mlx5_0/2+1"},
		{"mlx5_0+mlx5_2", []sysfs.Device{roce, ib}, "cannot be used together"},
		{"mlx5_0+mlx5_1", []sysfs.Device{roce, down}, "port 1 is DOWN"},
	} {
		set := defaults()
		set.Device = row.device
		able, err := set.adapters(row.all, ours)
		var got []string
		for _, a := range able {
			got = append(got, a.Name+"/"+string('0'+rune(len(a.ports))))
			for _, o := range a.others {
				got[len(got)-1] += "+" + string('0'+rune(len(o.ports)))
			}
		}
		text := strings.Join(got, " ")
		if err != nil {
			text = err.Error()
		}
		if text != row.want && (err == nil || !strings.Contains(text, row.want)) {
			t.Errorf("%s of %d: %s, want %s", row.device, len(row.all), text, row.want)
		}
	}
}

// TestDeal: the ranks of a host share the adapters at their processors.
func TestDeal(t *testing.T) {
	able := make([]adapter, 3)
	for i, node := range []int{0, 1, 1} {
		able[i].Device = sysfs.Device{Name: string('a' + rune(i)), NUMA: node}
	}
	for _, row := range []struct {
		node int
		want string
	}{{-1, "abca"}, {0, "aaaa"}, {1, "bcbc"}, {5, "abca"}} {
		got := ""
		for local := range 4 {
			got += deal(able, local, row.node).Name
		}
		if got != row.want {
			t.Errorf("node %d gets %s, want %s", row.node, got, row.want)
		}
	}
}

// TestNodeOfCPUs: where a process is bound to.
func TestNodeOfCPUs(t *testing.T) {
	sys := fstest.MapFS{"devices/system/node/node0/cpulist": {Data: []byte("0-3,8\n")}, "devices/system/node/node1/cpulist": {Data: []byte("4-7\n")}}
	for want, mine := range map[int][]int{0: {8}, 1: {4, 7}, -1: {3, 4}} {
		if got := nodeOfCPUs(sys, func(cpu int) bool { return slices.Contains(mine, cpu) }); got != want {
			t.Errorf("processors %v are on node %d, want %d", mine, got, want)
		}
	}
	if got := nodeOfCPUs(fstest.MapFS{}, func(int) bool { return true }); got != -1 {
		t.Errorf("without nodes: %d", got)
	}
}

// FuzzCPUList: whatever the kernel writes is numbers or nothing.
func FuzzCPUList(f *testing.F) {
	f.Add("0-3,8\n")
	f.Add("-1,9999999999-,x")
	f.Fuzz(func(t *testing.T, text string) {
		for _, cpu := range cpuList(text) {
			if cpu < 0 {
				t.Errorf("processor %d", cpu)
			}
		}
	})
}

// TestSplitByMemory: ranks of one host and one NUMA node are together, those that may use several are nowhere.
func TestSplitByMemory(t *testing.T) {
	c := hardwareCrew(t, 5)
	for i, node := range []int{1, 0, 1, -1, 0} {
		c.Ranks[i].Env.NUMA = func() int { return node }
	}
	want := [][]int{{0, 2}, {1, 4}, {0, 2}, nil, {1, 4}}
	err := c.Run(func(r *Rank) error {
		w := r.Env.World()
		near, err := w.Split(w.MemoryColor(), 0)
		if err != nil {
			return err
		}
		var got []int
		if near != nil {
			for i := range near.Size() {
				got = append(got, near.Group().Process(i))
			}
			err = near.Free()
		}
		if !slices.Equal(got, want[w.Rank()]) {
			return fmt.Errorf("rank %d is with %v, should be with %v", w.Rank(), got, want[w.Rank()])
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// TestKeepsPinned: how much stays pinned is a share of the host's memory, within what may be locked; who
// says how much has that, and where nobody knows, the link's own default stands.
func TestKeepsPinned(t *testing.T) {
	const all = ^uint64(0)
	for _, c := range []struct {
		memory, locks, ranks uint64
		want                 int
	}{{64 << 30, all, 1, 16 << 30}, {64 << 30, all, 16, 1 << 30}, {64 << 30, 8 << 20, 16, 4 << 20}, {64 << 30, 0, 1, 0},
		{0, all, 1, tune.Auto}, {1 << 50, all, 1, 1 << 40}} {
		if got := keepsPinned(c.memory, c.locks, c.ranks); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
	o := rail.Defaults()
	suitHardware(&o, &place{local: []int{0, 1}, cpus: 2})
	if want := keepsPinned(hostMemory(), lockable(), 2); o.RegBytes != want || want == tune.Auto {
		t.Errorf("%d bytes by default, want %d", o.RegBytes, want)
	}
	o.RegBytes = 5
	if suitHardware(&o, &place{local: []int{0}, cpus: 1}); o.RegBytes != 5 {
		t.Errorf("chosen 5 bytes became %d", o.RegBytes)
	}
}
