package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/weft-mpi/weft/internal/verbs/kernel/sysfs"
)

// RDMA is what a host has of RDMA adapters.
type RDMA struct {
	Adapters []Adapter `json:"adapters,omitempty"` // one for each port
	Trouble  string    `json:"trouble,omitempty"`  // with opening them, or with reading about them
	Denied   bool      `json:"denied,omitempty"`   // which is for want of permission
	Library  bool      `json:"library,omitempty"`  // libibverbs is there
}

// Adapter is a port of an RDMA adapter.
type Adapter struct {
	Name     string `json:"name"`
	Port     int    `json:"port"`
	Kind     string `json:"kind"` // InfiniBand, RoCE, iWARP
	State    string `json:"state"`
	Software bool   `json:"software,omitempty"` // the kernel is the adapter
	Usable   bool   `json:"usable,omitempty"`   // it has an address
	MTU      int    `json:"mtu,omitempty"`      // of the interface with that address
}

// gatherRDMA finds the adapters that the kernel tells of in sys, /sys, and tries to open their files in dev, /dev/infiniband.
func gatherRDMA(sys fs.FS, dev string) (r RDMA) {
	all, err := sysfs.Devices(sys)
	if err != nil {
		return RDMA{Trouble: err.Error()}
	}
	for _, d := range all {
		for i := range d.Ports {
			p := &d.Ports[i]
			a := Adapter{Name: d.Name, Port: p.Number, Kind: "InfiniBand", State: p.State, Software: d.Software}
			gid, ok := p.Best(nil)
			switch {
			case d.IWARP:
				a.Kind, a.Usable = "iWARP", true
			case p.Ethernet:
				a.Kind, a.Usable = "RoCE", ok
			default:
				a.Usable = ok
			}
			if iface, err := net.InterfaceByName(gid.Iface); err == nil {
				a.MTU = iface.MTU
			}
			r.Adapters = append(r.Adapters, a)
		}
	}
	if len(r.Adapters) == 0 {
		return r
	}
	r.Library = hasLibrary()
	files, _ := filepath.Glob(filepath.Join(dev, "uverbs*")) // its pattern is right
	if len(files) == 0 {
		r.Trouble = "there is no " + dev + "/uverbs*"
	}
	for _, name := range files {
		f, err := os.OpenFile(name, os.O_RDWR, 0)
		if err != nil {
			r.Trouble, r.Denied = err.Error(), errors.Is(err, fs.ErrPermission)
			continue
		}
		f.Close()
	}
	return r
}

// hasLibrary tells whether libibverbs is where libraries usually are.
func hasLibrary() bool {
	return slices.ContainsFunc([]string{"/lib", "/lib64", "/usr/lib", "/usr/lib64", "/lib/*-linux-gnu", "/usr/lib/*-linux-gnu", "/usr/local/lib"}, func(dir string) bool {
		found, _ := filepath.Glob(filepath.Join(dir, "libibverbs.so.1"))
		return len(found) > 0
	})
}

// judgeRDMA looks at the adapters of a host. Only jobs with WEFT_DEVICE use them, so nothing here fails a host.
func judgeRDMA(s *sheet, f *Facts) {
	r := &f.RDMA
	if len(r.Adapters) == 0 {
		if r.Trouble != "" {
			s.warn("rdma", "see what is wrong below /sys/class/infiniband", "what the kernel tells of RDMA adapters cannot be read: %s", r.Trouble)
		}
		return
	}
	var well []string
	for i := range r.Adapters {
		a := &r.Adapters[i]
		name := fmt.Sprintf("%s port %d", a.Name, a.Port)
		switch {
		case a.State != "ACTIVE" && a.Kind == "InfiniBand":
			s.warn("rdma", "plug in the cable; see that a subnet manager runs (sminfo)", "%s is %s", name, a.State)
		case a.State != "ACTIVE":
			s.warn("rdma", "plug in the cable; switch the network interface on (ip link set ... up)", "%s is %s", name, a.State)
		case !a.Usable:
			s.warn("rdma", "give the network interface of the port an IP address, and see that RoCE v2 is switched on", "%s has no address of RoCE v2", name)
		default:
			well = append(well, fmt.Sprintf("%s (%s)", name, a.Kind))
		}
	}
	switch {
	case r.Denied:
		s.warn("rdma", "join the group that owns /dev/infiniband/uverbs*, or pass the device into the container (--device /dev/infiniband)", "%s", r.Trouble)
	case r.Trouble != "":
		s.warn("rdma", "load the module ib_uverbs; in a container pass the device in (--device /dev/infiniband)", "%s", r.Trouble)
	case !r.Library:
		s.warn("rdma", "install rdma-core (Debian: ibverbs-providers)", "there are RDMA adapters, but no libibverbs.so.1")
	case f.Locked.Now < hardwareNeeds:
		s.warn("rdma", "ulimit -l unlimited: memlock in /etc/security/limits.conf, LimitMEMLOCK=infinity for slurmd, --ulimit memlock=-1 for a container",
			"%s of memory may be locked, which adapters have little use for", bytesText(f.Locked.Now))
	case len(well) > 0:
		s.ok("rdma", "%s can be used: WEFT_DEVICE=rdma, or by name", strings.Join(well, ", "))
	}
}

// judgeAdapters compares the adapters of hosts: kind and length of packets must be the same for a job to use them.
func judgeAdapters(names []string, facts map[string]*Facts) []Finding {
	s := &sheet{}
	hosts := map[string][]string{} // by kind
	mtus := map[int][]string{}     // of RoCE
	examined := 0
	for _, name := range names {
		f := facts[name]
		if f == nil { // it was not reached, which is told elsewhere
			continue
		}
		examined++
		kinds, lengths := map[string]bool{}, map[int]bool{}
		for _, a := range f.RDMA.Adapters {
			if a.State == "ACTIVE" && a.Usable && !a.Software {
				kinds[a.Kind] = true
				lengths[a.MTU] = a.Kind == "RoCE" && a.MTU > 0
			}
		}
		for k := range kinds {
			hosts[k] = append(hosts[k], name)
		}
		for n, yes := range lengths {
			if yes {
				mtus[n] = append(mtus[n], name)
			}
		}
	}
	all := 0
	for _, have := range hosts {
		if len(have) == examined {
			all++
		}
	}
	if len(hosts) > 0 && all == 0 {
		var have []string
		for k, some := range hosts {
			have = append(have, fmt.Sprintf("%s: %s", k, strings.Join(some, ", ")))
		}
		slices.Sort(have)
		s.warn("rdma", "leave WEFT_DEVICE at soft, or run on hosts that have the same", "no kind of RDMA adapter is on all hosts (%s)", strings.Join(have, "; "))
	}
	if len(mtus) > 1 {
		s.warn("rdma", "give the interfaces of RoCE adapters the same MTU (ip link set ... mtu ...)", "RoCE adapters have packets of different lengths")
	}
	return s.findings
}
