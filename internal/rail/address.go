package rail

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"
)

// railAddress is where one interface of a peer can be reached.
type railAddress struct {
	net    netip.Prefix // address and network
	rc     uint16       // port for connections, 0 for none
	dgram  uint16       // port of the datagram queue pair, 0 for none
	dgramQ uint32       // its number, 0 if its address says enough
}

func (r *railAddress) connectTo() netip.AddrPort { return netip.AddrPortFrom(r.net.Addr(), r.rc) }
func (r *railAddress) datagramTo() netip.AddrPort {
	return netip.AddrPortFrom(r.net.Addr(), r.dgram)
}

// formatAddress writes what peers need to know, in letters that every process manager carries:
// network,connections,datagrams,number for each rail, joined by "+".
func formatAddress(rails []railAddress) string {
	var parts []string
	for _, r := range rails {
		parts = append(parts, fmt.Sprintf("%v,%d,%d,%d", r.net, r.rc, r.dgram, r.dgramQ))
	}
	return strings.Join(parts, "+")
}

func parseAddress(text string) ([]railAddress, error) {
	var rails []railAddress
	for _, part := range strings.Split(text, "+") {
		f := strings.Split(part, ",")
		if len(f) != 4 || len(rails) == maxPaths {
			return nil, fmt.Errorf("rail: %q is not the address of a rank", text)
		}
		var r railAddress
		var err error
		if r.net, err = netip.ParsePrefix(f[0]); err != nil {
			return nil, fmt.Errorf("rail: address of a rank: %w", err)
		}
		ports := [3]uint64{}
		for i, bits := range []int{16, 16, 32} {
			if ports[i], err = strconv.ParseUint(f[1+i], 10, bits); err != nil {
				return nil, fmt.Errorf("rail: address of a rank: %w", err)
			}
		}
		r.rc, r.dgram, r.dgramQ = uint16(ports[0]), uint16(ports[1]), uint32(ports[2])
		rails = append(rails, r)
	}
	return rails, nil
}

// path is a pair of interfaces by which two peers can reach each other.
type path struct {
	local, remote int // rails
}

// findPaths pairs our rails with a peer's: those on the same network first, each used once. If none is, the route that
// the host has decides.
func findPaths(ours []netip.Prefix, theirs []railAddress, route func(netip.Addr) int) []path {
	var paths []path
	used := make([]bool, len(theirs))
	for i, net := range ours {
		for j := range theirs {
			if !used[j] && net.Contains(theirs[j].net.Addr()) {
				used[j] = true
				paths = append(paths, path{i, j})
				break
			}
		}
	}
	if len(paths) > 0 {
		return paths
	}
	for j := range theirs {
		if theirs[j].net.Addr().Is4() != ours[0].Addr().Is4() {
			continue
		}
		i := 0
		if route != nil {
			i = max(route(theirs[j].net.Addr()), 0)
		}
		paths = append(paths, path{i, j})
	}
	return paths[:min(len(paths), 1)]
}
