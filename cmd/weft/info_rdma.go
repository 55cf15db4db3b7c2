package main

import (
	"fmt"
	"strings"

	"github.com/weft-mpi/weft/internal/boot"
	"github.com/weft-mpi/weft/internal/verbs/kernel/sysfs"
)

// rdmaFacts tells of the RDMA adapters of this host, port by port, and whether this tool can use them.
func rdmaFacts() (facts []fact) {
	all, err := sysfs.Devices(boot.Adapters.Sys)
	if err != nil {
		facts = append(facts, fact{Name: "unreadable", Value: err.Error()})
	}
	for i := range all {
		for k := range all[i].Ports {
			facts = append(facts, portFact(&all[i], &all[i].Ports[k]))
		}
	}
	built := fact{Name: "this tool", Value: "uses libibverbs"}
	if boot.Adapters.Open == nil {
		built.Value = "was built without the tag rdma, so it uses no adapter"
	}
	if len(facts) == 0 {
		facts = append(facts, fact{Name: "adapters", Value: "none"})
	}
	return append(facts, built)
}

// portFact is what the kernel tells of a port.
func portFact(d *sysfs.Device, p *sysfs.Port) fact {
	kind := "InfiniBand"
	switch {
	case d.IWARP:
		kind = "iWARP"
	case p.Ethernet:
		kind = "RoCE"
	}
	words := []string{kind, p.State}
	if p.Rate > 0 {
		words = append(words, fmt.Sprintf("%g Gbit/s", float64(p.Rate)/1e9))
	}
	if p.LID > 0 {
		words = append(words, fmt.Sprintf("LID %d", p.LID))
	}
	if gid, ok := p.Best(nil); ok {
		words = append(words, strings.TrimSpace(fmt.Sprintf("GID %d %v %s", gid.Index, gid.Addr, gid.Iface)))
	}
	if d.NUMA >= 0 {
		words = append(words, fmt.Sprintf("NUMA node %d", d.NUMA))
	}
	f := fact{Name: fmt.Sprintf("%s:%d", d.Name, p.Number), Value: strings.Join(words, ", ")}
	if d.Software {
		f.Note = "the kernel is the adapter"
	}
	return f
}
