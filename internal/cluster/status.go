package cluster

import (
	"fmt"
	"strings"
)

// Status is what a cluster is like at one moment.
type Status struct {
	Config Config       `json:"config"` // as given to Up, with defaults filled in
	Hosts  []HostStatus `json:"hosts"`
}

// HostStatus is one host. Pid is its first process as seen on the machine, 0 when the host is down.
type HostStatus struct {
	Name  string `json:"name"`
	Pid   int    `json:"pid"`
	Wires []Wire `json:"wires"`
}

// Wire is the connection of a host to one rail.
type Wire struct {
	Interface string  `json:"interface"`
	Address   string  `json:"address"`
	Cut       bool    `json:"cut"`
	Loss      Percent `json:"loss"`
	Rate      BitRate `json:"rate"`
}

// Status tells what the cluster is like now.
func (c *Cluster) Status() Status {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := Status{Config: c.config}
	for i, h := range c.hosts {
		status := HostStatus{Name: hostName(i), Pid: h.pid()}
		for rail, w := range c.fabric.wires[i] {
			status.Wires = append(status.Wires, Wire{nic(rail), address(i, rail).String(), w.cut, w.loss, w.rate})
		}
		s.Hosts = append(s.Hosts, status)
	}
	return s
}

// Hostfile lists the hosts, each with its slots, in the form that "weft run --hostfile" reads.
func (s Status) Hostfile(slots int) string {
	var text strings.Builder
	for _, h := range s.Hosts {
		fmt.Fprintf(&text, "%s slots=%d\n", h.Name, slots)
	}
	return text.String()
}
