package sim

import (
	"fmt"
	"net/netip"
	"slices"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/nic"
)

// without removes x from a list; what was added last is found first.
func without[T comparable](list []T, x T) []T {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i] == x {
			return slices.Delete(list, i, i+1)
		}
	}
	return list
}

// pd is a protection domain.
type pd struct {
	d      *Device
	num    uint32
	users  int // open objects made from it
	closed bool
}

// NewPD makes a protection domain.
func (d *Device) NewPD() (verbs.PD, error) {
	if d.dead() {
		return nil, verbs.ErrClosed
	}
	return &pd{d: d, num: d.f.next()}, nil
}

func (p *pd) dead() bool { return p.closed || p.d.dead() }

// Close gives the domain back.
func (p *pd) Close() error {
	if p.dead() {
		return verbs.ErrClosed
	}
	if p.users > 0 {
		return fmt.Errorf("sim: %w: %d objects of the protection domain", verbs.ErrBusy, p.users)
	}
	p.closed = true
	return nil
}

// mr is a memory region.
type mr struct {
	p      *pd
	region *nic.Region
	lkey   uint32
}

// Register makes memory known, which takes time for each page. It goes by the length alone: where memory lies is the
// machine's business.
func (p *pd) Register(buf []byte, access verbs.Access) (verbs.MR, error) {
	if p.dead() {
		return nil, verbs.ErrClosed
	}
	r, err := p.d.regions.Add(p.num, buf, access)
	if err != nil {
		return nil, fmt.Errorf("sim: register %d bytes: %w", len(buf), err)
	}
	c := p.d.f.cost
	p.d.f.s.Charge(c.register.get() + c.registerPage.get()*c.pages(len(buf)))
	p.d.counts.registered++
	p.users++
	return &mr{p: p, region: r, lkey: r.LKey()}, nil
}

func (c *costs) pages(n int) int64 { return int64(max(1, (n+c.page.get()-1)/c.page.get())) }

func (m *mr) LKey() uint32  { return m.lkey }
func (m *mr) RKey() uint32  { return m.region.RKey() }
func (m *mr) Addr() uint64  { return m.region.Addr() }
func (m *mr) Bytes() []byte { return m.region.Buf }

func (m *mr) open() bool { return m.region.Open() && !m.p.d.dead() }

// Rekey gives out another remote key.
func (m *mr) Rekey() error {
	if !m.open() {
		return verbs.ErrClosed
	}
	m.p.d.regions.Rekey(m.region)
	return nil
}

// Close makes the keys invalid.
func (m *mr) Close() error {
	if !m.open() {
		return verbs.ErrClosed
	}
	m.p.d.regions.Remove(m.region)
	c := m.p.d.f.cost
	m.p.d.f.s.Charge(c.deregister.get() + c.deregPage.get()*c.pages(len(m.region.Buf)))
	m.p.d.counts.deregistered++
	m.p.users--
	return nil
}

// ah is an address handle.
type ah struct {
	p      *pd
	to     netip.AddrPort
	most   int // bytes of a Send on UD
	closed bool
}

// NewAH names a destination.
func (p *pd) NewAH(to netip.AddrPort) (verbs.AH, error) {
	switch {
	case p.dead():
		return nil, verbs.ErrClosed
	case !to.IsValid() || to.Port() == 0:
		return nil, fmt.Errorf("sim: %w: %v is no address to send to", verbs.ErrArgument, to)
	}
	p.users++
	return &ah{p: p, to: to, most: p.d.f.caps.MaxDatagram}, nil
}

func (a *ah) Addr() netip.AddrPort { return a.to }

// Bound has a longer Send be refused.
func (a *ah) Bound(most int) { a.most = min(most, a.most) }

// Close gives the handle back; work that was posted with it goes on.
func (a *ah) Close() error {
	if a.closed || a.p.dead() {
		return verbs.ErrClosed
	}
	a.closed = true
	a.p.users--
	return nil
}

// srq is a shared receive queue.
type srq struct {
	*nic.Receives
	p       *pd
	num     uint32
	closed  bool
	starved []*qp // who waits for a receive, in order
}

// NewSRQ makes a shared receive queue.
func (p *pd) NewSRQ(cfg verbs.SRQConfig) (verbs.SRQ, error) {
	switch {
	case p.dead():
		return nil, verbs.ErrClosed
	case cfg.Depth < 1 || cfg.Depth > maxDepth || cfg.MaxSGE < 0 || cfg.MaxSGE > maxSGE:
		return nil, fmt.Errorf("sim: %w: shared receive queue of depth %d with %d entries each", verbs.ErrArgument, cfg.Depth, cfg.MaxSGE)
	}
	p.users++
	s := &srq{Receives: nic.NewReceives(cfg.Depth, cfg.MaxSGE), p: p, num: p.d.f.next()}
	s.Newest = cfg.Newest
	return s, nil
}

func (s *srq) Num() uint32 { return s.num }

// Len is how many receives wait.
func (s *srq) Len() int {
	s.p.d.f.s.Settle()
	return s.Receives.Len()
}

// PostRecv adds receives.
func (s *srq) PostRecv(wrs []verbs.RecvWR) (int, error) {
	d := s.p.d
	if s.closed || d.dead() {
		return 0, verbs.ErrClosed
	}
	d.f.s.Settle() // what has come until now did not find them
	var err error
	n := 0
	for ; n < len(wrs) && err == nil; n++ {
		if err = s.Post(&d.regions, s.p.num, &wrs[n]); err != nil {
			break
		}
	}
	d.f.s.Charge(d.f.cost.postRecv.get() * int64(n))
	if n > 0 {
		for _, q := range s.starved {
			q.fed()
		}
		s.starved = s.starved[:0]
	}
	return n, err
}

// Limit sets the low watermark.
func (s *srq) Limit(low int) error {
	switch {
	case s.closed || s.p.d.dead():
		return verbs.ErrClosed
	case low < 0:
		return fmt.Errorf("sim: %w: watermark %d", verbs.ErrArgument, low)
	}
	s.p.d.f.s.Settle()
	if s.Receives.Limit(low) {
		s.p.d.event(verbs.Event{Kind: verbs.SRQLimit, Num: s.num})
	}
	return nil
}

// Close gives the queue back.
func (s *srq) Close() error {
	switch {
	case s.closed || s.p.d.dead():
		return verbs.ErrClosed
	case s.Users > 0:
		return fmt.Errorf("sim: %w: %d queue pairs use the shared receive queue", verbs.ErrBusy, s.Users)
	}
	s.closed = true
	s.p.users--
	return nil
}

// RailKey is RKey.
func (m *mr) RailKey(int) uint32 { return m.RKey() }
