package fake

import (
	"fmt"
	"io/fs"
	"net/netip"
	"path"
	"testing/fstest"

	"github.com/weft-mpi/weft/internal/verbs/kernel/ibv"
)

// Host is a host with devices of a fabric, each with one port, by name.
type Host struct {
	Fabric  *Fabric
	Devices map[string]netip.Addr
	NUMA    map[string]int // nodes of devices; of others it is not known
}

// Open opens a device. There is no library besides.
func (h *Host) Open(name string, _ bool) (ibv.Context, error) {
	addr, ok := h.Devices[name]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return h.Fabric.Open(addr.As16()), nil
}

// Sys is what the kernel would tell of the devices, /sys.
func (h *Host) Sys() fs.FS {
	files := fstest.MapFS{}
	for name, addr := range h.Devices {
		add := func(file, text string) {
			files[path.Join("class/infiniband", name, file)] = &fstest.MapFile{Data: []byte(text + "\n")}
		}
		add("node_type", "1: CA")
		add("ports/1/state", "4: ACTIVE")
		add("ports/1/link_layer", "Ethernet")
		add("ports/1/rate", "100 Gb/sec (4X EDR)")
		add("ports/1/lid", "0x0")
		add("ports/1/pkeys/0", "0xffff")
		raw := addr.As16()
		add("ports/1/gids/0", netip.AddrFrom16(raw).StringExpanded())
		add("ports/1/gid_attrs/types/0", "RoCE v2")
		add("ports/1/gid_attrs/ndevs/0", "lo")
		if node, known := h.NUMA[name]; known {
			add("device/numa_node", fmt.Sprint(node))
		}
	}
	return files
}
