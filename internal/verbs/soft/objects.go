package soft

import (
	"fmt"
	"net/netip"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/nic"
)

// objects are what programs have made of a device, and connections.
type objects struct {
	lastNum   uint32
	pds       map[*pd]bool
	cqs       map[*cq]bool
	qps       map[uint32]queue
	srqs      map[*srq]bool
	listeners map[*listener]bool
	links     map[*stream]bool // connections, also those not yet or no longer of a queue pair
}

func newObjects() objects {
	return objects{pds: map[*pd]bool{}, cqs: map[*cq]bool{}, qps: map[uint32]queue{}, srqs: map[*srq]bool{},
		listeners: map[*listener]bool{}, links: map[*stream]bool{}}
}

// num gives out the next number for a queue; numbers fit 23 bits, as the datagram format wants, and
// are not used again before all others were. With a key for datagrams the first is random: what was
// recorded from an earlier device at the same address names another queue.
func (o *objects) num() uint32 {
	for {
		if o.lastNum = (o.lastNum + 1) & (1<<23 - 1); o.lastNum != 0 && o.qps[o.lastNum] == nil {
			return o.lastNum
		}
	}
}

// pd is a protection domain.
type pd struct {
	dev    *Device
	num    uint32
	users  int // objects made from it that are open
	closed bool
}

// NewPD makes a protection domain.
func (d *Device) NewPD() (verbs.PD, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, verbs.ErrClosed
	}
	p := &pd{dev: d, num: d.num()}
	d.pds[p] = true
	return p, nil
}

// open locks the device and tells whether the domain can be used; the caller unlocks in any case.
func (p *pd) open() error {
	p.dev.mu.Lock()
	if p.closed || p.dev.closed {
		return verbs.ErrClosed
	}
	return nil
}

// Close gives the domain back.
func (p *pd) Close() error {
	err := p.open()
	defer p.dev.mu.Unlock()
	if err != nil {
		return err
	}
	if p.users > 0 {
		return fmt.Errorf("soft: %w: %d objects of the protection domain", verbs.ErrBusy, p.users)
	}
	p.closed = true
	delete(p.dev.pds, p)
	return nil
}

// mr is a memory region.
type mr struct {
	pd     *pd
	region *nic.Region
	lkey   uint32
	addr   uint64
}

// Register makes memory known.
func (p *pd) Register(buf []byte, access verbs.Access) (verbs.MR, error) {
	err := p.open()
	defer p.dev.mu.Unlock()
	if err != nil {
		return nil, err
	}
	r, err := p.dev.regions.Add(p.num, buf, access)
	if err != nil {
		return nil, fmt.Errorf("soft: register %d bytes: %w", len(buf), err)
	}
	p.users++
	return &mr{pd: p, region: r, lkey: r.LKey(), addr: r.Addr()}, nil
}

func (m *mr) LKey() uint32  { return m.lkey }
func (m *mr) Addr() uint64  { return m.addr }
func (m *mr) Bytes() []byte { return m.region.Buf }

// RKey is the remote key; a peer may have made it invalid.
func (m *mr) RKey() uint32 {
	m.pd.dev.mu.Lock()
	defer m.pd.dev.mu.Unlock()
	return m.region.RKey()
}

// Rekey gives out another remote key.
func (m *mr) Rekey() error {
	m.pd.dev.mu.Lock()
	defer m.pd.dev.mu.Unlock()
	if !m.region.Open() || m.pd.dev.closed {
		return verbs.ErrClosed
	}
	m.pd.dev.regions.Rekey(m.region)
	return nil
}

// Close makes the keys invalid. Every access to the memory happens under the lock, after a look at the key.
func (m *mr) Close() error {
	m.pd.dev.mu.Lock()
	defer m.pd.dev.mu.Unlock()
	if !m.region.Open() || m.pd.dev.closed {
		return verbs.ErrClosed
	}
	m.pd.dev.regions.Remove(m.region)
	m.pd.users--
	for u := range m.pd.dev.sockets { // datagrams that a socket did not take yet may lie in the region
		u.empty()
	}
	return nil
}

// ah is an address handle.
type ah struct {
	pd     *pd
	to     netip.AddrPort
	size   int // longest datagram that the interface there takes; 0 if that is not known
	closed bool
}

// NewAH names a destination.
func (p *pd) NewAH(to netip.AddrPort) (verbs.AH, error) {
	err := p.open()
	defer p.dev.mu.Unlock()
	if err != nil {
		return nil, err
	}
	if !to.IsValid() || to.Port() == 0 || to.Addr().IsUnspecified() {
		return nil, fmt.Errorf("soft: %w: %v is no address to send to", verbs.ErrArgument, to)
	}
	p.users++
	return &ah{pd: p, to: netip.AddrPortFrom(to.Addr().Unmap(), to.Port())}, nil
}

func (a *ah) Addr() netip.AddrPort { return a.to }

// Close gives the handle back; work that was posted with it goes on.
func (a *ah) Close() error {
	a.pd.dev.mu.Lock()
	defer a.pd.dev.mu.Unlock()
	if a.closed || a.pd.dev.closed {
		return verbs.ErrClosed
	}
	a.closed = true
	a.pd.users--
	return nil
}

// srq is a shared receive queue.
type srq struct {
	*nic.Receives
	pd      *pd
	num     uint32
	closed  bool
	starved []starving // who waits for a receive, first come first served
}

// starving is a queue pair that waits for receives.
type starving interface{ fed() }

// NewSRQ makes a shared receive queue.
func (p *pd) NewSRQ(cfg verbs.SRQConfig) (verbs.SRQ, error) {
	if cfg.Depth < 1 || cfg.Depth > maxDepth || cfg.MaxSGE < 0 || cfg.MaxSGE > maxSGE {
		return nil, fmt.Errorf("soft: %w: shared receive queue of depth %d with %d entries each", verbs.ErrArgument, cfg.Depth, cfg.MaxSGE)
	}
	err := p.open()
	defer p.dev.mu.Unlock()
	if err != nil {
		return nil, err
	}
	s := &srq{Receives: nic.NewReceives(cfg.Depth, cfg.MaxSGE), pd: p, num: p.dev.num()}
	s.Newest = cfg.Newest
	p.users++
	p.dev.srqs[s] = true
	return s, nil
}

func (s *srq) Num() uint32 { return s.num }

// Len is how many receives wait.
func (s *srq) Len() int {
	s.pd.dev.mu.Lock()
	defer s.pd.dev.mu.Unlock()
	return s.Receives.Len()
}

// PostRecv adds receives and feeds those who wait for one.
func (s *srq) PostRecv(wrs []verbs.RecvWR) (int, error) {
	d := s.pd.dev
	d.mu.Lock()
	defer d.mu.Unlock()
	if s.closed || d.closed {
		return 0, verbs.ErrClosed
	}
	for i := range wrs {
		if err := s.Post(&d.regions, s.pd.num, &wrs[i]); err != nil {
			s.feed()
			return i, err
		}
	}
	s.feed()
	return len(wrs), nil
}

// feed lets queue pairs go on that had found no receive.
func (s *srq) feed() {
	for len(s.starved) > 0 && s.Receives.Len() > 0 {
		q := s.starved[0]
		s.starved = s.starved[1:]
		q.fed()
	}
	if len(s.starved) == 0 {
		s.starved = nil
	}
}

// Limit sets the low watermark.
func (s *srq) Limit(low int) error {
	d := s.pd.dev
	d.mu.Lock()
	defer d.mu.Unlock()
	if s.closed || d.closed {
		return verbs.ErrClosed
	}
	if low < 0 {
		return fmt.Errorf("soft: %w: watermark %d", verbs.ErrArgument, low)
	}
	if s.Receives.Limit(low) {
		d.event(verbs.Event{Kind: verbs.SRQLimit, Num: s.num})
	}
	return nil
}

// Close gives the queue back.
func (s *srq) Close() error {
	d := s.pd.dev
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case s.closed || d.closed:
		return verbs.ErrClosed
	case s.Users > 0:
		return fmt.Errorf("soft: %w: %d queue pairs use the shared receive queue", verbs.ErrBusy, s.Users)
	}
	s.closed = true
	s.pd.users--
	delete(d.srqs, s)
	return nil
}

// RailKey is RKey.
func (m *mr) RailKey(int) uint32 { return m.RKey() }
