package model

import (
	"fmt"
	"unsafe"

	"github.com/weft-mpi/weft/internal/verbs"
)

// mr is a region. Its remote addresses are those of the memory itself.
type mr struct {
	p          *pd
	buf        []byte
	access     verbs.Access
	lkey, rkey uint32
	dead       bool // no remote key
}

func (p *pd) Register(buf []byte, access verbs.Access) (verbs.MR, error) {
	p.d.f.mu.Lock()
	defer p.d.f.mu.Unlock()
	const remote = verbs.RemoteWrite | verbs.RemoteAtomic
	if access > 15 || access&remote != 0 && access&verbs.LocalWrite == 0 {
		return nil, fmt.Errorf("access %b: %w", access, verbs.ErrArgument)
	}
	if err := p.usable(); err != nil {
		return nil, err
	}
	m := &mr{p: p, buf: buf, access: access, lkey: p.d.f.number()}
	p.d.local[m.lkey] = m
	m.rekey()
	p.uses++
	return m, nil
}

func (m *mr) LKey() uint32  { return m.lkey }
func (m *mr) RKey() uint32  { return m.rkey }
func (m *mr) Addr() uint64  { return uint64(uintptr(unsafe.Pointer(unsafe.SliceData(m.buf)))) }
func (m *mr) Bytes() []byte { return m.buf }

func (m *mr) rekey() {
	delete(m.p.d.keys, m.rkey)
	m.rkey = m.p.d.f.number()<<8 | uint32(m.lkey&0xff)
	m.p.d.keys[m.rkey] = m
	m.dead = false
}

func (m *mr) Rekey() error {
	m.p.d.f.mu.Lock()
	defer m.p.d.f.mu.Unlock()
	if m.p.d.local[m.lkey] != m {
		return verbs.ErrClosed
	}
	m.rekey()
	return nil
}

func (m *mr) Close() error {
	m.p.d.f.mu.Lock()
	defer m.p.d.f.mu.Unlock()
	if m.p.d.local[m.lkey] != m {
		return verbs.ErrClosed
	}
	delete(m.p.d.local, m.lkey)
	delete(m.p.d.keys, m.rkey)
	m.p.uses--
	return nil
}

// local checks a gather or scatter list; write says that the device will write there.
func (p *pd) local(sgl []verbs.SGE, write bool) error {
	for i, s := range sgl {
		if err := p.entry(s, write); err != nil {
			if h := p.d.f.hooks.LocalKey; h != nil && h(err) == nil {
				continue
			}
			return fmt.Errorf("entry %d: %w", i, err)
		}
	}
	return nil
}

func (p *pd) entry(s verbs.SGE, write bool) error {
	m := p.d.local[s.LKey]
	switch {
	case len(s.Buf) == 0:
		return nil
	case m == nil || m.p != p:
		return verbs.ErrKey
	case !m.has(uint64(uintptr(unsafe.Pointer(unsafe.SliceData(s.Buf)))), uint64(len(s.Buf))):
		return verbs.ErrBounds
	case write && m.access&verbs.LocalWrite == 0:
		return verbs.ErrAccess
	}
	return nil
}

func (m *mr) has(addr, n uint64) bool {
	size := uint64(len(m.buf))
	return addr >= m.Addr() && addr-m.Addr() <= size && n <= size-(addr-m.Addr())
}

// remote finds n bytes at addr of the region with remote key key, if a peer may do what needs right.
func (p *pd) remote(key uint32, addr uint64, n int, right verbs.Access) ([]byte, verbs.Status) {
	if n == 0 {
		return nil, verbs.OK
	}
	m := p.d.keys[key]
	if m == nil || m.p != p || m.dead || !m.has(addr, uint64(n)) || m.access&right == 0 {
		return nil, verbs.RemoteAccess
	}
	off := addr - m.Addr()
	return m.buf[off : off+uint64(n)], verbs.OK
}

// RailKey is RKey.
func (m *mr) RailKey(int) uint32 { return m.RKey() }
