package main

import (
	"errors"
	"fmt"
	"net/netip"
	"os"
	"slices"

	"github.com/weft-mpi/weft/internal/boot"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/kernel"
	"github.com/weft-mpi/weft/internal/verbs/kernel/sysfs"
)

// softDevice is what -d calls the device made of software.
const softDevice = "soft"

// openAdapter opens an RDMA adapter of this host by its name. Of its addresses it uses at, unless that is one
// of the host itself.
func openAdapter(host boot.Hardware, name string, at netip.Addr, key []byte) (verbs.Device, error) {
	if host.Open == nil {
		return nil, fmt.Errorf("-d %s: this program was built without RDMA: go build -tags rdma", name)
	}
	all, err := sysfs.Devices(host.Sys)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(all, func(d sysfs.Device) bool { return d.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("-d %s: the kernel has no such device; weft info lists them", name)
	}
	admit := func(a netip.Addr) bool { return at.IsLoopback() || a == at }
	set, err := boot.ReadSettings(os.Environ())
	if err != nil {
		return nil, err
	}
	ports, err := kernel.Ports(all[i], set.Adapter, admit, at)
	if err != nil {
		return nil, err
	}
	ctx, err := host.Open(name, set.Adapter.Library)
	if err != nil {
		return nil, err
	}
	return kernel.Open(kernel.Config{Context: ctx, IWARP: all[i].IWARP, Ports: ports[:1], Key: key})
}

// setDevice takes any name; whether there is such a device shows when it is opened.
func (o *verbsOptions) setDevice(text string) error {
	if text == "" {
		return errors.New("want the name of a device")
	}
	o.device = text
	return nil
}
