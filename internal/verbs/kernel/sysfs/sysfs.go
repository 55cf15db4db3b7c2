// Package sysfs finds RDMA devices where the kernel tells of them, without a library: their ports,
// addresses, rates and whereabouts.
//
// It owns the meaning of those files. It opens no device: what one can do is for its driver to say.
// Everything it reads is checked; what the kernel does not tell is left out, and what cannot be understood
// is an error that names the file.
package sysfs

import (
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Root is where the kernel tells of devices, below /sys.
const Root = "class/infiniband"

// Device is an RDMA device.
type Device struct {
	Name  string
	IWARP bool // connections are made by the kernel's connection manager
	// Software: the kernel is the adapter (rxe, siw), as far as its driver tells.
	Software bool
	NUMA     int // its node, -1 if that is not known
	Ports    []Port
}

// Port is one of its ports.
type Port struct {
	Number   int
	State    string // in words: ACTIVE, DOWN, ...
	Ethernet bool   // RoCE or iWARP; else InfiniBand
	Rate     int64  // bits per second, 0 if unknown
	LID      uint16
	GIDs     []GID // those that are set
	PKeys    []PKey
}

// Active tells whether a port can be used.
func (p *Port) Active() bool { return p.State == "ACTIVE" }

// GID is an address of a port.
type GID struct {
	Index int
	Addr  netip.Addr // an IPv4 address inside IPv6 is IPv4
	Raw   [16]byte
	RoCE2 bool
	Iface string // the network interface that has the address, if any
}

// PKey is a partition that a port belongs to.
type PKey struct {
	Index int
	Key   uint16
}

// Devices lists what the kernel has, by name; sys is /sys, as os.DirFS gives it. A kernel without RDMA has none.
func Devices(sys fs.FS) ([]Device, error) {
	names, err := list(sys, Root)
	if err != nil {
		return nil, err
	}
	var all []Device
	for _, name := range names {
		d, err := device(sys, name)
		if err != nil {
			return nil, fmt.Errorf("RDMA device %s: %w", name, err)
		}
		all = append(all, d)
	}
	return all, nil
}

// device reads one device.
func device(sys fs.FS, name string) (Device, error) {
	d, dir := Device{Name: name, NUMA: -1}, path.Join(Root, name)
	kind, err := line(sys, path.Join(dir, "node_type"))
	if err != nil {
		return d, err
	}
	code, _, _ := strings.Cut(kind, ":")
	d.IWARP = code == "4"
	text, err := line(sys, path.Join(dir, "node_desc"))
	_, over := line(sys, path.Join(dir, "parent")) // rxe's, over a network interface
	d.Software = over == nil || err == nil && (text == "rxe" || strings.HasPrefix(text, "Software"))
	if node, err := line(sys, path.Join(dir, "device/numa_node")); err == nil {
		if n, err := strconv.Atoi(node); err == nil {
			d.NUMA = n
		}
	}
	numbers, err := list(sys, path.Join(dir, "ports"))
	if err != nil {
		return d, err
	}
	for _, text := range numbers {
		number, err := strconv.ParseUint(text, 10, 8)
		if err != nil {
			return d, fmt.Errorf("port %q is not a number", text)
		}
		p, err := port(sys, path.Join(dir, "ports", text))
		if err != nil {
			return d, fmt.Errorf("port %d: %w", number, err)
		}
		p.Number = int(number)
		d.Ports = append(d.Ports, p)
	}
	slices.SortFunc(d.Ports, func(a, b Port) int { return a.Number - b.Number })
	return d, nil
}

// port reads one port.
func port(sys fs.FS, dir string) (p Port, err error) {
	state, err := line(sys, path.Join(dir, "state"))
	if err != nil {
		return p, err
	}
	_, p.State, _ = strings.Cut(state, ": ")
	layer, err := line(sys, path.Join(dir, "link_layer"))
	if err != nil {
		return p, err
	}
	p.Ethernet = layer == "Ethernet"
	if rate, err := line(sys, path.Join(dir, "rate")); err == nil {
		p.Rate = bits(rate)
	}
	if lid, err := line(sys, path.Join(dir, "lid")); err == nil {
		n, err := strconv.ParseUint(strings.TrimPrefix(lid, "0x"), 16, 16)
		if err != nil {
			return p, fmt.Errorf("lid %q is not a number", lid)
		}
		p.LID = uint16(n)
	}
	if p.GIDs, err = gids(sys, dir); err == nil {
		p.PKeys, err = pkeys(sys, dir)
	}
	return p, err
}

// pkeys reads the table of partitions; entries that are not set are zero.
func pkeys(sys fs.FS, dir string) ([]PKey, error) {
	indexes, err := list(sys, path.Join(dir, "pkeys"))
	if err != nil {
		return nil, err
	}
	var all []PKey
	for _, text := range indexes {
		index, err := strconv.ParseUint(text, 10, 16)
		if err != nil {
			return nil, fmt.Errorf("partition %q is not a number", text)
		}
		value, err := line(sys, path.Join(dir, "pkeys", text))
		if err != nil {
			return nil, err
		}
		key, err := strconv.ParseUint(strings.TrimPrefix(value, "0x"), 16, 16)
		if err != nil {
			return nil, fmt.Errorf("the key of partition %d is %q, which is no number", index, value)
		}
		if key != 0 {
			all = append(all, PKey{int(index), uint16(key)})
		}
	}
	slices.SortFunc(all, func(a, b PKey) int { return a.Index - b.Index })
	return all, nil
}

// bits is a rate as the kernel writes it, such as "2.5 Gb/sec (1X SDR)"; 0 if it means nothing.
func bits(text string) int64 {
	number, unit, _ := strings.Cut(text, " ")
	f, err := strconv.ParseFloat(number, 64)
	if err != nil || !strings.HasPrefix(unit, "Gb/sec") || f < 0 || f > 1e6 {
		return 0
	}
	return int64(f * 1e9)
}

// gids reads the table of addresses; entries that are not set are zeros.
func gids(sys fs.FS, dir string) ([]GID, error) {
	indexes, err := list(sys, path.Join(dir, "gids"))
	if err != nil {
		return nil, err
	}
	var all []GID
	for _, text := range indexes {
		index, err := strconv.ParseUint(text, 10, 16)
		if err != nil {
			return nil, fmt.Errorf("GID %q is not a number", text)
		}
		value, err := line(sys, path.Join(dir, "gids", text))
		if err != nil {
			return nil, err
		}
		addr, err := netip.ParseAddr(value)
		if err != nil || !addr.Is6() || addr.Zone() != "" {
			return nil, fmt.Errorf("GID %d is %q, which is no address", index, value)
		}
		if addr.IsUnspecified() {
			continue
		}
		g := GID{Index: int(index), Addr: addr.Unmap(), Raw: addr.As16()}
		if kind, err := line(sys, path.Join(dir, "gid_attrs/types", text)); err == nil {
			g.RoCE2 = kind == "RoCE v2"
		}
		if iface, err := line(sys, path.Join(dir, "gid_attrs/ndevs", text)); err == nil {
			g.Iface = iface
		}
		all = append(all, g)
	}
	slices.SortFunc(all, func(a, b GID) int { return a.Index - b.Index })
	return all, nil
}

// Best chooses the address to use: on Ethernet one of RoCE v2, of IPv4 rather than IPv6 and a global one
// rather than that of the link, on InfiniBand the first. admit says which addresses may be used, nil all.
func (p *Port) Best(admit func(netip.Addr) bool) (GID, bool) {
	best, rank := GID{}, 0
	for _, g := range p.GIDs {
		switch r := p.rank(&g); {
		case p.Ethernet && admit != nil && !admit(g.Addr):
		case r > rank:
			best, rank = g, r
		}
	}
	return best, rank > 0
}

// rank says how good an address is; 0 is not at all.
func (p *Port) rank(g *GID) int {
	switch {
	case !p.Ethernet:
		return 1
	case !g.RoCE2:
		return 0
	case g.Addr.Is4():
		return 3
	case g.Addr.IsGlobalUnicast():
		return 2
	}
	return 1
}

// list names what is in a directory; one that is not there is empty.
func list(sys fs.FS, dir string) ([]string, error) {
	entries, err := fs.ReadDir(sys, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names, nil
}

// line reads a file of one line. The kernel refuses to read entries of tables that are not set.
func line(sys fs.FS, name string) (string, error) {
	text, err := fs.ReadFile(sys, name)
	if err != nil {
		return "", err
	}
	return strings.TrimSpace(string(text)), nil
}
