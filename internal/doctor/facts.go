package doctor

import (
	"net/netip"
	"slices"
)

// Facts is what an agent finds on its host. A number that could not be read is 0; a trouble is told as text, which is
// empty when there is none.
type Facts struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Kernel  string `json:"kernel"`

	CPUs  int     `json:"cpus"`  // that a process may use
	Quota float64 `json:"quota"` // CPUs that the control group allows, 0 for no limit
	Load  float64 `json:"load"`  // processes that want to run, over the last minute

	Memory      uint64 `json:"memory"`
	MemoryFree  uint64 `json:"memoryFree"`  // that programs can have
	MemoryLimit uint64 `json:"memoryLimit"` // of the control group, 0 for none
	MemoryUsed  uint64 `json:"memoryUsed"`  // by the control group, where it has a limit

	Container string `json:"container,omitempty"` // what kind of container this is; empty: none that is known

	MemfdTrouble string `json:"memfdTrouble,omitempty"` // with memory that processes share
	CMATrouble   string `json:"cmaTrouble,omitempty"`   // with reading another process's memory
	PtraceScope  int    `json:"ptraceScope"`            // of the Yama security module, 0 if absent

	Files     Limit  `json:"files"`
	Processes Limit  `json:"processes"`
	Group     uint64 `json:"group"`  // processes and threads that the control group allows, 0 for no limit
	Locked    Limit  `json:"locked"` // bytes

	ReceiveBuffer uint64 `json:"receiveBuffer"` // largest that a socket may ask for, in bytes
	SendBuffer    uint64 `json:"sendBuffer"`
	Backlog       uint64 `json:"backlog"`              // connections that may wait at a listener
	Congestion    string `json:"congestion,omitempty"` // the kernel's algorithm against congestion on TCP connections

	Interfaces []Interface `json:"interfaces"`
	RDMA       RDMA        `json:"rdma"`
	Slurm      Slurm       `json:"slurm"`
}

// Limit is a resource limit: what holds now and how far a process may raise it. Unlimited stands for no limit.
type Limit struct {
	Now uint64 `json:"now"`
	Max uint64 `json:"max"`
}

// Unlimited is a limit that does not limit.
const Unlimited = ^uint64(0)

// Interface is a network interface that is switched on and is not the loopback.
type Interface struct {
	Name      string         `json:"name"`
	MTU       int            `json:"mtu"`
	Carrier   bool           `json:"carrier"` // a cable is plugged in at both ends
	Speed     int            `json:"speed"`   // in Mbit/s, 0 if the driver does not say
	Addresses []netip.Prefix `json:"addresses"`
}

// holder returns the interface that has an address, if any.
func (f *Facts) holder(a netip.Addr) *Interface {
	for i := range f.Interfaces {
		if slices.ContainsFunc(f.Interfaces[i].Addresses, func(p netip.Prefix) bool { return p.Addr() == a }) {
			return &f.Interfaces[i]
		}
	}
	return nil
}

// neighbour returns the interface whose network an address is in, if any.
func (f *Facts) neighbour(a netip.Addr) *Interface {
	for i := range f.Interfaces {
		if slices.ContainsFunc(f.Interfaces[i].Addresses, func(p netip.Prefix) bool { return p.Contains(a) }) {
			return &f.Interfaces[i]
		}
	}
	return nil
}
