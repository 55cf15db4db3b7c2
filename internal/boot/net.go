package boot

import (
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"

	"github.com/weft-mpi/weft/internal/tune"
)

// iface is a network interface with the address that we would use.
type iface struct {
	name string
	net  netip.Prefix
}

// interfaces lists the addresses of this host's interfaces that are up, the first usable one of each.
func interfaces() ([]iface, error) {
	all, err := net.Interfaces()
	if err != nil {
		return nil, fmt.Errorf("list network interfaces: %w", err)
	}
	var out []iface
	for _, i := range all {
		if i.Flags&net.FlagUp == 0 {
			continue
		}
		addrs, err := i.Addrs()
		if err != nil {
			continue
		}
		var best netip.Prefix
		for _, a := range addrs {
			p, err := netip.ParsePrefix(a.String())
			if err != nil || p.Addr().IsLinkLocalUnicast() {
				continue
			}
			if !best.IsValid() || p.Addr().Is4() && !best.Addr().Is4() {
				best = p
			}
		}
		if best.IsValid() {
			out = append(out, iface{i.Name, best})
		}
	}
	return out, nil
}

// virtual are the beginnings of names of interfaces that lead to containers and virtual machines of this host only.
var virtual = []string{"docker", "br-", "virbr", "veth", "cni", "flannel", "cali", "lxc", "vnet", "podman", "kube-"}

func isVirtual(name string) bool {
	return slices.ContainsFunc(virtual, func(p string) bool { return strings.HasPrefix(name, p) })
}

// chooseInterfaces picks those that WEFT_IFACE names, or all that lead outside; on one host alone, the loopback.
func chooseInterfaces(all []iface, spec string, oneHost bool, most int) ([]iface, error) {
	var out []iface
	rest, exclude := strings.CutPrefix(spec, "^")
	for _, i := range all {
		named, err := namesInterface(rest, i)
		if err != nil {
			return nil, err
		}
		loopback := i.net.Addr().IsLoopback()
		switch {
		case spec == "" && loopback != oneHost, spec == "" && isVirtual(i.name):
		case exclude && (named || loopback != oneHost):
		case spec != "" && !exclude && !named:
		default:
			out = append(out, i)
		}
	}
	if len(out) == 0 {
		var have []string
		for _, i := range all {
			have = append(have, fmt.Sprintf("%s %v", i.name, i.net))
		}
		return nil, fmt.Errorf("%w: WEFT_IFACE=%q leaves no network interface; this host has %s", tune.ErrBad, spec, strings.Join(have, ", "))
	}
	return out[:min(len(out), most)], nil
}

// Interface is a network interface of this host as a job sees it.
type Interface struct {
	Name string
	Net  netip.Prefix // its address and network
	Used bool         // by ranks that talk to other hosts
}

// Interfaces lists those that are switched on, but for the loopback, and says which of them ranks with
// these settings would use between hosts. If they could use none, the error says why.
func Interfaces(set *Settings) (list []Interface, err error) {
	all, err := interfaces()
	if err != nil {
		return nil, err
	}
	ours, err := chooseInterfaces(all, set.Iface, false, set.Rails)
	for _, i := range all {
		if !i.net.Addr().IsLoopback() {
			list = append(list, Interface{i.name, i.net, slices.Contains(ours, i)})
		}
	}
	return list, err
}

// namesInterface tells whether a list of names and networks has the interface in it.
func namesInterface(list string, i iface) (bool, error) {
	if list == "" {
		return false, nil
	}
	for _, word := range strings.Split(list, ",") {
		word = strings.TrimSpace(word)
		if word == i.name {
			return true, nil
		}
		if strings.Contains(word, "/") {
			p, err := netip.ParsePrefix(word)
			if err != nil {
				return false, fmt.Errorf("%w: WEFT_IFACE: %q is not a network such as 10.0.0.0/8", tune.ErrBad, word)
			}
			if p.Masked().Contains(i.net.Addr()) {
				return true, nil
			}
		}
		if a, err := netip.ParseAddr(word); err == nil && a == i.net.Addr() {
			return true, nil
		}
	}
	return false, nil
}

// routeBy tells which of our interfaces the host would use to send to an address, -1 if none of them. No
// packet is sent.
func routeBy(ours []iface) func(netip.Addr) int {
	return func(to netip.Addr) int {
		c, err := net.DialUDP("udp", nil, net.UDPAddrFromAddrPort(netip.AddrPortFrom(to, 9)))
		if err != nil {
			return -1
		}
		defer c.Close()
		from := c.LocalAddr().(*net.UDPAddr).AddrPort().Addr().Unmap()
		return slices.IndexFunc(ours, func(i iface) bool { return i.net.Addr() == from })
	}
}
