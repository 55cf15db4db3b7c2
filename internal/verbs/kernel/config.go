package kernel

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/netip"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/kernel/cm"
	"github.com/weft-mpi/weft/internal/verbs/kernel/ibv"
	"github.com/weft-mpi/weft/internal/verbs/kernel/sysfs"
)

// Config says how to open a device.
type Config struct {
	// Context is the driver's device, already open. The device owns it from then on, also if Open fails.
	Context ibv.Context

	// IWARP says that it is an iWARP device, whose connections are made by the kernel's connection manager.
	IWARP bool

	// Connector is that manager; if it is empty, Open opens it. The device owns it likewise.
	Connector cm.Connector

	// Ports are those to use, each a rail; see Ports.
	Ports []Port

	// Key is shared by the processes of a job. With it, both ends of a connection prove to each other that
	// they know it.
	Key []byte

	// ConnectWait limits each step of making a connection, in nanoseconds; default 10 s.
	ConnectWait int64

	// Silence is for how long, in nanoseconds, the host of a connection's peer may leave probes unanswered
	// before the connection counts as broken; 0 leaves it to the kernel, which waits for many minutes.
	Silence int64

	// UnprovenConns is how many connections may be at the stage where the peer has not proven anything; when another
	// one comes, the oldest is closed. Default 128.
	UnprovenConns int
}

// Port is a port of a device, and the address by which it is reached.
type Port struct {
	Name     string // of the device and, if it has several, the port
	Number   uint8
	GIDIndex uint8
	GID      ibv.GID
	LID      uint16
	Global   bool       // packets carry GIDs, as they do on Ethernet
	Addr     netip.Addr // of TCP connections
	IPMTU    int        // bytes of an IP packet
	Rate     int64

	ServiceLevel, TrafficClass uint8  // of what is sent
	PKeyIndex                  uint16 // of the partition
}

const second = int64(1e9)

// Ports lists the active ports of a device that have what was chosen, and an address which admit allows, nil all. An
// InfiniBand port has none: fallback is an address of the host, by which its peers reach it.
func Ports(d sysfs.Device, use Choice, admit func(netip.Addr) bool, fallback netip.Addr) ([]Port, error) {
	var ports []Port
	var why []error
	for i := range d.Ports {
		p := &d.Ports[i]
		if !p.Active() {
			why = append(why, fmt.Errorf("port %d is %s (cable, subnet manager)", p.Number, p.State))
			continue
		}
		port := Port{Name: d.Name, Number: uint8(p.Number), LID: p.LID, Global: p.Ethernet, Rate: p.Rate}
		if len(d.Ports) > 1 {
			port.Name = fmt.Sprintf("%s:%d", d.Name, p.Number)
		}
		find := func() error { return port.chooseGID(p, use, admit, fallback) }
		if d.IWARP {
			find = func() error { return port.findInterface(p, use, admit) }
		}
		if err := find(); err != nil {
			why = append(why, err)
			continue
		}
		ports = append(ports, port)
	}
	switch {
	case len(ports) > 0:
		return ports, nil
	case len(d.Ports) == 0:
		why = append(why, errors.New("it has no ports"))
	}
	return nil, fmt.Errorf("kernel: %s cannot be used: %w", d.Name, errors.Join(why...))
}

// chooseGID finds the address that peers send to.
func (p *Port) chooseGID(from *sysfs.Port, use Choice, admit func(netip.Addr) bool, fallback netip.Addr) error {
	gid, err := use.address(from, func() (sysfs.GID, bool) { return from.Best(admit) })
	if err != nil {
		return err
	}
	p.GIDIndex, p.GID, p.Addr = uint8(gid.Index), gid.Raw, gid.Addr
	if !p.Global {
		p.Addr = fallback
	}
	if gid.Addr.IsLinkLocalUnicast() && p.Global {
		p.Addr = gid.Addr.WithZone(gid.Iface)
	}
	if iface, err := net.InterfaceByName(gid.Iface); err == nil {
		p.IPMTU = iface.MTU
	}
	return use.apply(p, from)
}

// findInterface finds the network interface of an iWARP port: the first bytes of the port's GID are its hardware address.
func (p *Port) findInterface(from *sysfs.Port, use Choice, admit func(netip.Addr) bool) error {
	if !use.plain() {
		return errors.New("iWARP has no GIDs to choose from, service levels, traffic classes nor partitions (WEFT_RDMA_...)")
	}
	all, err := net.Interfaces()
	if err != nil {
		return err
	}
	for i := range all {
		mac := all[i].HardwareAddr
		if len(from.GIDs) == 0 || len(mac) != 6 || !bytes.Equal(mac, from.GIDs[0].Raw[:6]) {
			continue
		}
		if addr, ok := bestAddr(&all[i], admit); ok {
			p.Addr, p.IPMTU, p.GID = addr, all[i].MTU, from.GIDs[0].Raw
			return nil
		}
	}
	return fmt.Errorf("port %d has no address that may be used", from.Number)
}

// bestAddr chooses an address of an interface: of IPv4 rather than IPv6; none of the link, which the
// connection manager would want to know the interface of.
func bestAddr(iface *net.Interface, admit func(netip.Addr) bool) (best netip.Addr, ok bool) {
	list, err := iface.Addrs()
	if err != nil {
		return best, false
	}
	for _, each := range list {
		prefix, err := netip.ParsePrefix(each.String())
		if err != nil {
			continue
		}
		a := prefix.Addr().Unmap()
		if a.IsLinkLocalUnicast() || admit != nil && !admit(a) || ok && (best.Is4() || a.Is6()) {
			continue
		}
		best, ok = a, true
	}
	return best, ok
}

// complete fills in defaults and checks the rest.
func (c *Config) complete() error {
	c.ConnectWait, c.UnprovenConns = cmp.Or(c.ConnectWait, 10*second), cmp.Or(c.UnprovenConns, 128)
	switch {
	case c.Context == nil:
		return fmt.Errorf("%w: no driver", verbs.ErrArgument)
	case len(c.Ports) == 0:
		return fmt.Errorf("%w: no port", verbs.ErrArgument)
	case c.ConnectWait < 0 || c.Silence < 0 || c.UnprovenConns < 0:
		return fmt.Errorf("%w: a negative limit", verbs.ErrArgument)
	}
	for i := range c.Ports {
		if !c.Ports[i].Addr.IsValid() {
			return fmt.Errorf("%w: port %d has no address", verbs.ErrArgument, c.Ports[i].Number)
		}
	}
	return nil
}
