package soft

import (
	"fmt"
	"net"
	"net/netip"
	"sync"

	"github.com/weft-mpi/weft/internal/iwarp"
	"github.com/weft-mpi/weft/internal/iwarp/seal"
	"github.com/weft-mpi/weft/internal/socket"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/nic"
)

// Device is a software RNIC. It implements verbs.Device and verbs.Tapped.
type Device struct {
	cfg   Config
	rails []verbs.Rail

	mu      sync.Mutex // guards everything below, and all objects of the device
	closed  bool
	regions nic.Regions
	events  nic.Events
	count   counters
	timers  timers
	objects
	handshakes
	landing
	desk
	watcher
	driver
	datagrams
	secrets
	waiting []*stream // whose owners have been told of a message, or are to be
}

var (
	_ verbs.Device = (*Device)(nil)
	_ verbs.Tapped = (*Device)(nil)
)

// Open makes a device. Close gives it back.
func Open(cfg Config) (*Device, error) {
	if err := cfg.complete(); err != nil {
		return nil, fmt.Errorf("soft: %w", err)
	}
	rails, err := findRails(cfg.Rails)
	if err != nil {
		return nil, err
	}
	var key *seal.Key
	if cfg.KeyedDatagrams {
		if key, err = seal.NewKey(cfg.Key, cfg.Encrypt); err != nil {
			return nil, fmt.Errorf("soft: %w", err)
		}
	}
	var hidden secrets
	if cfg.Encrypt {
		if hidden, err = newSecrets(); err != nil {
			return nil, fmt.Errorf("soft: %w", err)
		}
	}
	poll, err := socket.NewPoller()
	if err != nil {
		return nil, fmt.Errorf("soft: %w", err)
	}
	d := &Device{
		cfg: cfg, rails: rails, objects: newObjects(), desk: newDesk(), watcher: watcher{poll: poll}, driver: newDriver(),
		datagrams: newDatagrams(key), secrets: hidden,
	}
	for i := range d.rails {
		d.rails[i].MaxDatagram = d.datagram(i) - iwarp.UntaggedSize - d.trailer()
	}
	if key != nil {
		d.lastNum = randomNum()
	}
	go d.serve()
	return d, nil
}

// findRails looks up the interfaces of addresses.
func findRails(addrs []netip.Addr) ([]verbs.Rail, error) {
	ifaces, err := net.Interfaces()
	if err != nil {
		return nil, fmt.Errorf("soft: list network interfaces: %w", err)
	}
	var rails []verbs.Rail
	for _, want := range addrs {
		rail := verbs.Rail{Addr: want}
		for _, i := range ifaces {
			if hasAddr(&i, want) {
				rail.Name, rail.MTU = i.Name, i.MTU
			}
		}
		if rail.Name == "" {
			return nil, fmt.Errorf("soft: no network interface of this host has the address %v (ip address lists them)", want)
		}
		rails = append(rails, rail)
	}
	return rails, nil
}

// hasAddr tells whether an interface has an address; all of 127.0.0.0/8 is the loopback's.
func hasAddr(i *net.Interface, want netip.Addr) bool {
	if i.Flags&net.FlagLoopback != 0 && want.IsLoopback() {
		return true
	}
	if zone := want.Zone(); zone != "" && zone != i.Name {
		return false
	}
	addrs, err := i.Addrs()
	if err != nil {
		return false
	}
	for _, a := range addrs {
		if p, err := netip.ParsePrefix(a.String()); err == nil && p.Addr().WithZone("") == want.WithZone("") {
			return true
		}
	}
	return false
}

// Caps tells what the device can do.
func (d *Device) Caps() verbs.Caps {
	return verbs.Caps{
		Name: "soft", RC: true, UD: true, RD: true,
		MaxSGE: maxSGE, MaxReadSGE: maxSGE, MaxInline: maxInline, MaxMessage: maxMessage, MaxDatagram: d.maxDatagram(),
		FirstSegment: d.firstSegment(), MaxDepth: maxDepth, MaxReads: maxReads, MaxPrivate: maxPrivate,
		SRQ: true, SRQMixed: true, Borrow: true, Place: true, Invalidate: true, WriteImm: true, Atomics: true, RDReadWrite: true, UDReadWrite: true,
		WriteRecord: true, Multicast: true, RNRWaits: true, Solicited: true, TellsSolicited: true, TellsWhy: true, GuardsReads: true, ErrorNotices: true, Wire: true,
	}
}

// firstSegment is how much of a long Send is in its first segment at least, if the other end is of our own
// kind, see message.most.
func (d *Device) firstSegment() int {
	if len(d.cfg.Key) == 0 || d.cfg.MaxFPDU > 0 {
		return 0
	}
	return longest - iwarp.UntaggedSize - 63
}

// Rails are the interfaces in use.
func (d *Device) Rails() []verbs.Rail { return append([]verbs.Rail(nil), d.rails...) }

// PollEvents takes asynchronous events.
func (d *Device) PollEvents(out []verbs.Event) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.events.Len() == 0 && !d.closed {
		d.attend()
		d.spun = pollerEvery // events come from those that are not asked directly
		d.drive()
	}
	return d.events.Take(out)
}

// NotifyEvents sets who is told of new events.
func (d *Device) NotifyEvents(f func()) {
	d.mu.Lock()
	d.events.Notify(f)
	d.mu.Unlock()
}

// event adds an asynchronous event.
func (d *Device) event(e verbs.Event) {
	if !d.events.Add(e) {
		d.count.eventsLost++
	}
}

// Tap has f decide the fate of every datagram that leaves.
func (d *Device) Tap(f func(verbs.Datagram) verbs.Fate) {
	d.mu.Lock()
	d.tap = f
	d.mu.Unlock()
}

// Close gives everything back.
func (d *Device) Close() error {
	d.mu.Lock()
	if d.closed {
		d.mu.Unlock()
		return verbs.ErrClosed
	}
	for l := range d.listeners {
		l.close()
	}
	for _, q := range d.qps {
		q.close()
	}
	for s := range d.links {
		s.drop()
	}
	d.closed = true
	for c := range d.cqs {
		c.bell.Forward()
	}
	d.mu.Unlock()
	err := d.poll.Close() // whoever sleeps on the sockets wakes up
	d.asleep.Forward()
	<-d.done
	return err
}

// maxDatagram is how much a UD message can carry on the rail with the longest datagrams.
func (d *Device) maxDatagram() int {
	most := 0
	for i := range d.rails {
		most = max(most, d.rails[i].MaxDatagram)
	}
	return most
}

// datagram is the longest UDP payload on a rail.
func (d *Device) datagram(rail int) int {
	if d.cfg.Datagram != 0 {
		return d.cfg.Datagram
	}
	headers := 20 + 8
	if d.rails[rail].Addr.Is6() {
		headers = 40 + 8
	}
	return min(max(d.rails[rail].MTU-headers, minDatagram), iwarp.MaxDatagram)
}
