package soft

import (
	"fmt"
	"net"
	"net/netip"
	"sync"

	"github.com/weft-mpi/weft/internal/clock"
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
	lastNum uint32
	pds     map[*pd]bool
	cqs     map[*cq]bool
	qps     map[uint32]queue
	heard   map[*listener]bool
	srqs    map[*srq]bool
	links   map[*stream]bool // connections, also those not yet or no longer of a queue pair

	sealKey   *seal.Key // of KeyedDatagrams; else nil
	sealEpoch uint64    // of the last socket

	bounds map[netip.AddrPort]int // longest datagram to an address, where that is less than a rail's

	poll     *socket.Poller
	sources  sources
	direct   []direct // what a poll asks without asking the poller first, while it is short
	unproven unprovens
	fresh    nonces // of requests for connections
	ahead    ahead  // what a call that receives several segments expects
	landing
	scratch  []byte         // where short frames are put together
	vector   *socket.Vector // for calls under the lock
	ready    [64]socket.Event
	spun     int   // polls since the poller was asked
	turns    int   // polls since somebody slept on the sockets, or may have
	detached bool  // sockets that polls ask directly are out of the poller's set
	shaking  int   // connections that are being made
	inPoller *cq   // whose caller of Wait sleeps on the sockets
	waitsTo  int64 // when that caller will look at the timers

	shared        map[sharedBy]*udpSocket
	groups        map[groupAt]*udpSocket
	sockets       map[*udpSocket]bool // all that are open
	refusedBefore uint64              // offloads refused to those that are closed
	deferred      []*udpSocket        // have talks to pump with the next call
	wasted        []byte              // see waste
	waiting       []*stream           // whose owners have been told of a message, or are to be
	spinning      bool                // the caller polls, and will again
	poolUsed      int                 // bytes of early RD segments
	spareBoxes    []*outbox           // lent to UDP sockets that are sending
	piece         piece               // for calls under the lock
	spareBytes    [][]byte            // lent to connections with half a message

	tap func(verbs.Datagram) verbs.Fate

	attendance
	done chan struct{}
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
		if key, err = seal.NewKey(cfg.Key); err != nil {
			return nil, fmt.Errorf("soft: %w", err)
		}
	}
	poll, err := socket.NewPoller()
	if err != nil {
		return nil, fmt.Errorf("soft: %w", err)
	}
	d := &Device{
		cfg: cfg, rails: rails, poll: poll, sealKey: key,
		pds: map[*pd]bool{}, cqs: map[*cq]bool{}, qps: map[uint32]queue{}, srqs: map[*srq]bool{},
		sockets: map[*udpSocket]bool{}, shared: map[sharedBy]*udpSocket{}, groups: map[groupAt]*udpSocket{},
		bounds: map[netip.AddrPort]int{}, heard: map[*listener]bool{}, links: map[*stream]bool{},
		scratch: make([]byte, 0, stageSize), vector: socket.NewVector(256),
		attendance: attendance{asleep: clock.NewBell()}, done: make(chan struct{}),
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
		MaxSGE: maxSGE, MaxInline: maxInline, MaxMessage: maxMessage, MaxDatagram: d.maxDatagram(),
		FirstSegment: d.firstSegment(), MaxDepth: maxDepth, MaxReads: maxReads, MaxPrivate: maxPrivate,
		SRQ: true, Borrow: true, Place: true, Invalidate: true, WriteImm: true, Atomics: true, RDReadWrite: true, UDReadWrite: true,
		WriteRecord: true, Multicast: true, RNRWaits: true, ErrorNotices: true, Wire: true,
	}
}

// firstSegment is how much of a long Send is in its first segment at least, if the other end is of our own kind, see message.most.
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

// num gives out the next number for a queue; numbers fit 23 bits, as the datagram format wants, and
// are not used again before all others were. With a key for datagrams the first is random: what was
// recorded from an earlier device at the same address names another queue.
func (d *Device) num() uint32 {
	for {
		if d.lastNum = (d.lastNum + 1) & (1<<23 - 1); d.lastNum != 0 && d.qps[d.lastNum] == nil {
			return d.lastNum
		}
	}
}

// Close gives everything back.
func (d *Device) Close() error {
	d.mu.Lock()
	if d.closed {
		d.mu.Unlock()
		return verbs.ErrClosed
	}
	for l := range d.heard {
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
