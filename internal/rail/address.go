package rail

import (
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"strings"

	"github.com/weft-mpi/weft/internal/wire"
)

// railAddress is where one interface of a peer can be reached.
type railAddress struct {
	net    netip.Prefix // address and network
	rc     uint16       // port for connections, 0 for none
	dgram  uint16       // port of the datagram queue pair, 0 for none
	dgramQ uint32       // its number, 0 if its address says enough
	most   uint32       // the longest frame that fits a datagram by the interface
}

func (r *railAddress) connectTo() netip.AddrPort { return netip.AddrPortFrom(r.net.Addr(), r.rc) }
func (r *railAddress) datagramTo() netip.AddrPort {
	return netip.AddrPortFrom(r.net.Addr(), r.dgram)
}

// nature is what a rank says of its link as a whole.
type nature struct {
	probe wire.Key // memory that can always be read
	past  int      // how long a frame must be to be taken past its receive
	keyed bool     // keys differ from rail to rail
}

// formatAddress writes what peers need to know, in letters that every process manager carries:
// where the probe is, how long a frame must be to be taken past its receive, and whether keys differ, address.key.bytes.keyed,
// then network,connections,datagrams,number,longest for each rail, joined by "+".
func formatAddress(rails []railAddress, is nature) string {
	keyed := 0
	if is.keyed {
		keyed = 1
	}
	parts := []string{fmt.Sprintf("%d.%d.%d.%d", is.probe.Addr, is.probe.Slot, is.past, keyed)}
	for _, r := range rails {
		parts = append(parts, fmt.Sprintf("%v,%d,%d,%d,%d", r.net, r.rc, r.dgram, r.dgramQ, r.most))
	}
	return strings.Join(parts, "+")
}

func parseAddress(text string) (rails []railAddress, is nature, err error) {
	first, rest, _ := strings.Cut(text, "+")
	words, bits, numbers := strings.Split(first, "."), [...]int{64, 32, 31, 1}, [4]uint64{}
	for i := range bits {
		if err == nil && len(words) == len(bits) {
			numbers[i], err = strconv.ParseUint(words[i], 10, bits[i])
		}
	}
	if err != nil || len(words) != len(bits) {
		return nil, is, fmt.Errorf("rail: %q is not the address of a rank", text)
	}
	is = nature{wire.Key{Addr: numbers[0], Slot: uint32(numbers[1])}, int(numbers[2]), numbers[3] == 1}
	for _, part := range strings.Split(rest, "+") {
		r, err := parseRail(part)
		if err != nil || len(rails) == maxPaths {
			return nil, is, fmt.Errorf("rail: %q is not the address of a rank: %w", text, err)
		}
		rails = append(rails, r)
	}
	return rails, is, nil
}

var errRail = errors.New("a rail is network,port,port,number,length")

func parseRail(part string) (r railAddress, err error) {
	f := strings.Split(part, ",")
	if len(f) != 5 {
		return r, errRail
	}
	if r.net, err = netip.ParsePrefix(f[0]); err != nil {
		return r, err
	}
	numbers := [4]uint64{}
	for i, bits := range []int{16, 16, 32, 31} {
		if numbers[i], err = strconv.ParseUint(f[1+i], 10, bits); err != nil {
			return r, err
		}
	}
	r.rc, r.dgram, r.dgramQ, r.most = uint16(numbers[0]), uint16(numbers[1]), uint32(numbers[2]), uint32(numbers[3])
	return r, nil
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
