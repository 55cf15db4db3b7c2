package kernel

import (
	"errors"
	"fmt"
	"syscall"
	"unsafe"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/kernel/ibv"
	"github.com/weft-mpi/weft/internal/verbs/nic"
)

// pd is a protection domain.
type pd struct {
	dev    *Device
	driver ibv.PD
	num    uint32
	users  int // objects made from it that are open
	closed bool

	handles map[*ah]bool // those that are open
}

// NewPD makes a protection domain.
func (d *Device) NewPD() (verbs.PD, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, verbs.ErrClosed
	}
	driver, err := d.ctx.NewPD()
	if err != nil {
		return nil, fmt.Errorf("kernel: make a protection domain: %w", full(err))
	}
	p := &pd{dev: d, driver: driver, num: d.num(), handles: map[*ah]bool{}}
	d.pds[p] = true
	return p, nil
}

// full says of an error of the driver's that something was used up.
func full(err error) error {
	if errors.Is(err, syscall.ENOMEM) || errors.Is(err, syscall.ENOSPC) {
		return fmt.Errorf("%w: %w", verbs.ErrFull, err)
	}
	return err
}

// refused says of an error of a post what is wrong.
func refused(err error) error {
	if errors.Is(err, syscall.EINVAL) {
		return fmt.Errorf("%w: the driver refuses it: %w", verbs.ErrArgument, err)
	}
	return full(err)
}

// usable tells whether the domain can be used, with the lock held.
func (p *pd) usable() error {
	if p.closed || p.dev.closed {
		return verbs.ErrClosed
	}
	return nil
}

// Close gives the domain back.
func (p *pd) Close() error {
	p.dev.mu.Lock()
	defer p.dev.mu.Unlock()
	p.dev.mourn()
	if err := p.usable(); err != nil {
		return err
	}
	if p.users > 0 {
		return fmt.Errorf("kernel: %w: %d objects of the protection domain", verbs.ErrBusy, p.users)
	}
	p.closed = true
	delete(p.dev.pds, p)
	return p.driver.Close()
}

// mr is a memory region. Its local key is the device's own, so that it can be looked at when work is
// posted; its remote key is the driver's.
type mr struct {
	pd     *pd
	region *nic.Region
	driver ibv.MR // nil if there is no memory
	lkey   uint32
	index  uint32
}

// rights are the driver's words for those of the seam.
var rights = []struct {
	right verbs.Access
	bit   uint32
}{{verbs.LocalWrite, ibv.AccessLocalWrite}, {verbs.RemoteRead, ibv.AccessRemoteRead}, {verbs.RemoteWrite, ibv.AccessRemoteWrite},
	{verbs.RemoteAtomic, ibv.AccessRemoteAtomic}}

// access translates rights.
func access(a verbs.Access) (bits uint32) {
	for _, r := range rights {
		if a&r.right != 0 {
			bits |= r.bit
		}
	}
	return bits
}

// pin registers memory with the driver. It may take long, so the lock is not held.
func (p *pd) pin(buf []byte, a verbs.Access) (ibv.MR, error) {
	if len(buf) == 0 {
		return nil, nil
	}
	m, err := p.driver.Register(buf, access(a))
	if err != nil {
		return nil, fmt.Errorf("kernel: pin %d bytes (ulimit -l): %w", len(buf), full(err))
	}
	return m, nil
}

// Register makes memory known.
func (p *pd) Register(buf []byte, a verbs.Access) (verbs.MR, error) {
	d := p.dev
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := p.usable(); err != nil {
		return nil, err
	}
	region, err := d.regions.Add(p.num, buf, a)
	if err != nil {
		return nil, fmt.Errorf("kernel: register %d bytes: %w", len(buf), err)
	}
	p.users++
	d.mu.Unlock()
	driver, err := p.pin(buf, a)
	d.mu.Lock()
	if err == nil && d.closed {
		err = errors.Join(verbs.ErrClosed, release(driver))
	}
	if err != nil {
		d.regions.Remove(region)
		p.users--
		return nil, err
	}
	m := &mr{pd: p, region: region, driver: driver, lkey: region.LKey(), index: nic.Index(region.LKey())}
	for int(m.index) >= len(d.memory) {
		d.memory = append(d.memory, nil)
	}
	d.memory[m.index] = m
	return m, nil
}

// release gives memory back to the driver.
func release(m ibv.MR) error {
	if m == nil {
		return nil
	}
	return m.Close()
}

func (m *mr) release() error { return release(m.driver) }

// LKey is the device's own key.
func (m *mr) LKey() uint32 { return m.lkey }

// Addr is the address of the first byte, here as for peers.
func (m *mr) Addr() uint64 { return m.region.Addr() }

// Bytes is the memory.
func (m *mr) Bytes() []byte { return m.region.Buf }

// RKey is the driver's key.
func (m *mr) RKey() uint32 {
	m.pd.dev.mu.Lock()
	defer m.pd.dev.mu.Unlock()
	if m.driver == nil {
		return m.region.RKey()
	}
	return m.driver.RKey()
}

// RailKey is RKey.
func (m *mr) RailKey(int) uint32 { return m.RKey() }

// Rekey registers the memory again, under another key, and closes the old registration. That takes as long
// as any registration, and work under way on the region ends as if it had been closed.
func (m *mr) Rekey() error {
	d := m.pd.dev
	d.mu.Lock()
	defer d.mu.Unlock()
	if !m.region.Open() || d.closed {
		return verbs.ErrClosed
	}
	if m.driver == nil {
		d.regions.Rekey(m.region)
		return nil
	}
	d.mu.Unlock()
	fresh, err := m.pd.pin(m.region.Buf, m.region.Access)
	d.mu.Lock()
	if err != nil {
		return err
	}
	if !m.region.Open() || d.closed {
		return errors.Join(verbs.ErrClosed, release(fresh))
	}
	old := m.driver
	m.driver = fresh
	return old.Close()
}

// Close makes both keys invalid; the driver promises that no byte is touched afterwards.
func (m *mr) Close() error {
	d := m.pd.dev
	d.mu.Lock()
	if !m.region.Open() || d.closed {
		d.mu.Unlock()
		return verbs.ErrClosed
	}
	d.regions.Remove(m.region)
	d.memory[m.index] = nil
	driver := m.driver
	d.mu.Unlock()
	err := release(driver)
	d.mu.Lock()
	m.pd.users--
	d.mu.Unlock()
	return err
}

// pieces appends a list, which was checked, to room for it; entries without bytes are left out, since to
// some drivers 0 means 2 GB. Those of iWARP devices want to have one at least.
func (d *Device) pieces(room []ibv.SGE, list []verbs.SGE) []ibv.SGE {
	for i := range list {
		if e := &list[i]; len(e.Buf) > 0 {
			room = append(room, ibv.SGE{Addr: addressOf(e.Buf), Length: uint32(len(e.Buf)), LKey: d.driverKey(e.LKey)})
		}
	}
	if len(room) == 0 && d.iwarp() {
		room = append(room, ibv.SGE{})
	}
	return room
}

// driverKey is the driver's key of a region. That may have been closed since the list was checked: the
// driver refuses what it gets then.
func (d *Device) driverKey(lkey uint32) uint32 {
	if m := d.memory[nic.Index(lkey)]; m != nil && m.lkey == lkey {
		return m.driver.LKey()
	}
	return 0
}

// addressOf is where a slice begins.
func addressOf(b []byte) uint64 { return uint64(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) }
