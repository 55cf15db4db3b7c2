package boot

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/weft-mpi/weft/internal/cgroup"
	"github.com/weft-mpi/weft/internal/rail"
	"github.com/weft-mpi/weft/internal/tune"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/kernel"
	"github.com/weft-mpi/weft/internal/verbs/kernel/ibv"
	"github.com/weft-mpi/weft/internal/verbs/kernel/sysfs"
	"github.com/weft-mpi/weft/internal/verbs/team"
)

// Hardware is where RDMA devices are found and opened.
type Hardware struct {
	Sys fs.FS // what the kernel tells of them, /sys
	// Open opens one; with library, libibverbs works on all queues. nil: this program cannot.
	Open func(name string, library bool) (ibv.Context, error)
}

// Adapters are those of this host. Package mpi/rdma sets Open, so that only programs that ask for it are linked
// with what calls a library of C's.
var Adapters = Hardware{Sys: os.DirFS("/sys")}

// Words of WEFT_DEVICE that are no names of devices.
const (
	softDevice = "soft"
	anyAdapter = "rdma"
)

// ErrDevice is the class of errors about a device that WEFT_DEVICE asks for and that cannot be used.
var ErrDevice = errors.New("the RDMA device cannot be used")

var errWithoutRDMA = errors.New(`this program was built without RDMA: import _ "github.com/weft-mpi/weft/mpi/rdma" and build it with: go build -tags rdma`)

// adapter is a device that a rank may use.
type adapter struct {
	sysfs.Device
	ports  []kernel.Port
	others []adapter // that the rank uses with it
}

// kind is what ranks must have alike to reach each other.
func (a *adapter) kind() string {
	switch {
	case a.IWARP:
		return "iWARP"
	case a.ports[0].Global:
		return "RoCE"
	}
	return "InfiniBand"
}

// network tells adapters apart that do not reach each other without a router.
func (a *adapter) network() string {
	p := &a.ports[0]
	if !p.Global && !a.IWARP {
		return fmt.Sprintf("%x", p.GID[:8])
	}
	return networkOf(p.Addr).Masked().String()
}

// openHardware opens the RDMA device that the rank uses. ours are the interfaces that it may use.
func (ps *parts) openHardware(ours []iface, key []byte) (verbs.Device, []netip.Prefix, error) {
	set := ps.set
	dev, prefixes, err := func() (verbs.Device, []netip.Prefix, error) {
		if Adapters.Open == nil {
			return nil, nil, errWithoutRDMA
		}
		all, err := sysfs.Devices(Adapters.Sys)
		if err != nil {
			return nil, nil, err
		}
		able, err := set.adapters(all, ours)
		if err != nil {
			return nil, nil, err
		}
		a := deal(able, max(ps.place.localRank(), 0), numaNode())
		ps.kind = a.kind()
		return set.open(append([]adapter{*a}, a.others...), key)
	}()
	if err != nil {
		return nil, nil, fmt.Errorf("%w: WEFT_DEVICE=%s on host %s: %w. All hosts of a job need such a device; WEFT_DEVICE=soft needs none",
			ErrDevice, set.Device, ps.place.hostName(), err)
	}
	return dev, prefixes, nil
}

// open opens adapters as one device, with as many of their ports as rails are asked for, and tells their networks.
func (s *Settings) open(all []adapter, key []byte) (d verbs.Device, nets []netip.Prefix, err error) {
	var opened []verbs.Device
	for i := range all {
		a := &all[i]
		ports := a.ports[:min(len(a.ports), s.Rails-len(nets))]
		if len(ports) == 0 {
			break
		}
		one, err := s.openOne(a, ports, key)
		if err != nil {
			for _, d := range opened {
				err = errors.Join(err, d.Close())
			}
			return nil, nil, err
		}
		opened = append(opened, one)
		for k := range ports {
			nets = append(nets, networkOf(ports[k].Addr))
		}
	}
	if len(opened) == 1 {
		return opened[0], nets, nil
	}
	d, err = team.New(opened...)
	return d, nets, err
}

// openOne opens an adapter.
func (s *Settings) openOne(a *adapter, ports []kernel.Port, key []byte) (verbs.Device, error) {
	ctx, err := Adapters.Open(a.Name, s.Adapter.Library)
	if err != nil {
		return nil, err
	}
	return kernel.Open(kernel.Config{Context: ctx, IWARP: a.IWARP, Ports: ports, Key: key, Silence: s.Soft.Silence})
}

// adapters are the devices of this host that WEFT_DEVICE means, the best kind first, all of the same kind and network.
func (s *Settings) adapters(all []sysfs.Device, ours []iface) ([]adapter, error) {
	var able []adapter
	var why []error
	for _, names := range strings.Split(s.Device, ",") {
		some, err := s.together(all, strings.Split(names, "+"), ours)
		if err != nil {
			why = append(why, err)
		}
		able = append(able, some...)
	}
	if len(able) == 0 || s.Device != anyAdapter && len(why) > 0 {
		return nil, errors.Join(why...)
	}
	rank := map[string]int{"InfiniBand": 0, "RoCE": 1, "iWARP": 2}
	if s.Device == anyAdapter {
		slices.SortStableFunc(able, func(a, b adapter) int { return rank[a.kind()] - rank[b.kind()] })
	}
	first := able[0]
	return slices.DeleteFunc(able, func(a adapter) bool { return a.kind() != first.kind() || a.network() != first.network() }), nil
}

// together finds the devices of a name, or of several that a rank uses together.
func (s *Settings) together(all []sysfs.Device, names []string, ours []iface) (able []adapter, err error) {
	for i, name := range names {
		name, port, _ := strings.Cut(name, ":")
		some, err := s.named(all, name, port, ours)
		switch {
		case err != nil:
			return nil, err
		case i == 0:
			able = some
		case some[0].kind() != able[0].kind():
			return nil, fmt.Errorf("%s is %s and %s is %s: they cannot be used together", able[0].Name, able[0].kind(), name, some[0].kind())
		default:
			able[0].others = append(able[0].others, some[0])
		}
	}
	return able, nil
}

// named finds the devices of a name, or of any, with the ports that can be used.
func (s *Settings) named(all []sysfs.Device, name, port string, ours []iface) (able []adapter, err error) {
	var have []string
	var why []error
	for _, d := range all {
		have = append(have, d.Name)
		if name != d.Name && (name != anyAdapter || d.Software) {
			continue
		}
		d.Ports = slices.DeleteFunc(slices.Clone(d.Ports), func(p sysfs.Port) bool { return port != "" && fmt.Sprint(p.Number) != port })
		ports, err := kernel.Ports(d, s.Adapter, s.admits, ours[0].net.Addr())
		if err != nil {
			why = append(why, err)
			continue
		}
		able = append(able, adapter{Device: d, ports: ports})
	}
	switch {
	case len(able) > 0:
		return able, nil
	case len(why) > 0:
		return nil, errors.Join(why...)
	case len(have) == 0:
		return nil, errors.New("the kernel has no RDMA device (`weft info` lists them): no adapter, or no driver for it")
	case name == anyAdapter:
		return nil, fmt.Errorf("the kernel has %s only, which are made of software and are used if they are named", strings.Join(have, ", "))
	}
	return nil, fmt.Errorf("the kernel has no RDMA device %s, it has %s", name, strings.Join(have, ", "))
}

// admits tells whether WEFT_IFACE lets an address be used.
func (s *Settings) admits(addr netip.Addr) bool {
	rest, exclude := strings.CutPrefix(s.Iface, "^")
	if rest == "" {
		return true
	}
	named := false
	for _, i := range addressed(addr) {
		yes, err := namesInterface(rest, i)
		named = named || err == nil && yes
	}
	return named != exclude
}

// addressed are the interfaces of this host that have an address, each with its network.
func addressed(addr netip.Addr) (found []iface) {
	all, _ := net.Interfaces() // without them no interface is named
	for _, i := range all {
		addrs, _ := i.Addrs()
		for _, a := range addrs {
			if p, err := netip.ParsePrefix(a.String()); err == nil && p.Addr() == addr.WithZone("") {
				found = append(found, iface{i.Name, p})
			}
		}
	}
	return found
}

// networkOf is an address of this host with its network; alone, if no interface has it.
func networkOf(addr netip.Addr) netip.Prefix {
	for _, i := range addressed(addr) {
		return i.net
	}
	return netip.PrefixFrom(addr.WithZone(""), addr.BitLen())
}

// deal chooses an adapter for one of the ranks of a host: they share those at their own processors evenly, or all, if none
// is there or that is not known.
func deal(able []adapter, localRank, node int) *adapter {
	var near []*adapter
	for i := range able {
		if node >= 0 && able[i].NUMA == node {
			near = append(near, &able[i])
		}
	}
	if len(near) > 0 {
		return near[localRank%len(near)]
	}
	return &able[localRank%len(able)]
}

// numaNode is the one node that has all processors of this process, -1 if several have.
func numaNode() int {
	var cpus unix.CPUSet
	if unix.SchedGetaffinity(0, &cpus) != nil {
		return -1
	}
	return nodeOfCPUs(Adapters.Sys, func(cpu int) bool { return cpus.IsSet(cpu) })
}

// nodeOfCPUs is numaNode for processors that mine tells.
func nodeOfCPUs(sys fs.FS, mine func(cpu int) bool) int {
	found := -1
	dirs, _ := fs.Glob(sys, "devices/system/node/node[0-9]*") // its pattern is right
	for _, dir := range dirs {
		text, err := fs.ReadFile(sys, dir+"/cpulist")
		var node int
		if _, scanned := fmt.Sscanf(dir, "devices/system/node/node%d", &node); err != nil || scanned != nil {
			return -1
		}
		if slices.ContainsFunc(cpuList(string(text)), mine) {
			if found >= 0 {
				return -1
			}
			found = node
		}
	}
	return found
}

// cpuList reads numbers of processors as the kernel writes them, such as 0-3,8; what it does not understand it leaves out.
func cpuList(text string) (cpus []int) {
	for part := range strings.SplitSeq(strings.TrimSpace(text), ",") {
		var first, last int
		if n, _ := fmt.Sscanf(part, "%d-%d", &first, &last); n == 1 {
			last = first
		} else if n != 2 {
			continue
		}
		for cpu := max(first, 0); cpu <= min(last, 1<<16); cpu++ {
			cpus = append(cpus, cpu)
		}
	}
	return cpus
}

// pinning adds to an error about memory how much of it may be pinned, where a device pins it.
func pinning(err error, device string) error {
	if device == softDevice || !errors.Is(err, verbs.ErrFull) {
		return err
	}
	return fmt.Errorf("%w; %s", err, LockedMemory())
}

// LockedMemory says how much memory this process may pin, and what to do about it.
func LockedMemory() string {
	n := lockable()
	if n == unix.RLIM_INFINITY {
		return "memory may be locked without limit"
	}
	return fmt.Sprintf("%d KB of memory may be locked here: ulimit -l unlimited, or memlock in /etc/security/limits.conf", n>>10)
}

// checkDevice takes soft, rdma, or names of devices with or without a port.
func checkDevice(words string) error {
	for word := range strings.SplitSeq(strings.ReplaceAll(words, "+", ","), ",") {
		name, port, has := strings.Cut(word, ":")
		var number uint8
		if n, err := fmt.Sscan(port, &number); has && (n != 1 || err != nil || number == 0) || !interfaceName.MatchString(name) {
			return errors.New("must be soft, rdma, or devices such as mlx5_0 or mlx5_0:1, joined by commas or +; weft info lists them")
		}
		if (name == softDevice || name == anyAdapter) && word != words {
			return fmt.Errorf("%s does not go with anything else", name)
		}
	}
	return nil
}

// suitHardware decides what was left to the device where that is an adapter: it copies nothing itself, so what is
// longer than a short message is read or written in place, and stays pinned for the next one.
func suitHardware(o *rail.Options, p *place) {
	o.Striping = striping(o.Striping, p.crowded())
	if o.RegBytes == tune.Auto {
		o.RegBytes = keepsPinned(hostMemory(), lockable(), uint64(max(len(p.local), 1)))
	}
	for _, length := range []*int{&o.Prefix, &o.EagerAlone, &o.Unasked} {
		if *length == tune.Auto {
			*length = 0
		}
	}
}

// keepsPinned is how much of the program's memory a rank keeps pinned for the next message: its share of a
// quarter of the host's, since it cannot be swapped, and what the program has forgotten is kept for a
// while; but no more than half of what the process may lock, which the link's own buffers and windows need
// as well.
func keepsPinned(memory, locks, ranks uint64) int {
	if memory == 0 {
		return tune.Auto
	}
	return int(min(memory/4/ranks, locks/2, 1<<40))
}

// hostMemory is how many bytes of memory the processes of this host may have, 0 if nobody says.
func hostMemory() uint64 {
	var host unix.Sysinfo_t
	if unix.Sysinfo(&host) != nil {
		return 0
	}
	all := uint64(host.Totalram) * uint64(host.Unit)
	if limit := cgroup.MemoryLimit(); limit > 0 {
		all = min(all, limit)
	}
	return all
}

// lockable is how many bytes of memory this process may lock, all there are if that is not known.
func lockable() uint64 {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_MEMLOCK, &limit) != nil {
		return unix.RLIM_INFINITY
	}
	return limit.Cur
}
