package nic

import (
	"fmt"
	"unsafe"

	"github.com/weft-mpi/weft/internal/verbs"
)

// A key is the index of a region in the table, shifted by eight, and a byte that changes with every use of the
// index, so that stale keys are noticed. Local keys have even bytes and remote keys odd ones: taking one for the
// other is noticed too. Index 0 is never used, so no key is 0.
const keyBits = 8

// MaxRegions is how many regions a table holds: keys stay below 1<<31, the upper half is left to the device.
const MaxRegions = 1 << 23

// Regions is a device's table of memory regions.
type Regions struct {
	slots []*Region
	free  []uint32
	open  int
}

// Region is a registered piece of memory.
type Region struct {
	Buf    []byte
	Access verbs.Access
	PD     uint32

	index  uint32
	serial uint8 // last key byte given out for this index
	local  uint32
	remote uint32 // 0: no valid remote key
}

// LKey is the local key.
func (r *Region) LKey() uint32 { return r.local }

// RKey is the remote key, or 0 if it was made invalid.
func (r *Region) RKey() uint32 { return r.remote }

// Open tells whether the region is still registered.
func (r *Region) Open() bool { return r.local != 0 }

// Addr is the remote address of the first byte.
func (r *Region) Addr() uint64 { return uint64(addressOf(r.Buf)) }

// Contains tells whether buf lies within the region.
func (r *Region) Contains(buf []byte) bool {
	if len(buf) == 0 {
		return true
	}
	base, at := addressOf(r.Buf), addressOf(buf)
	return at >= base && at-base <= uintptr(len(r.Buf)) && uintptr(len(r.Buf))-(at-base) >= uintptr(len(buf))
}

func addressOf(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

// Len is how many regions are open.
func (t *Regions) Len() int { return t.open }

// Add registers buf for protection domain pd.
func (t *Regions) Add(pd uint32, buf []byte, access verbs.Access) (*Region, error) {
	if access&(verbs.RemoteWrite|verbs.RemoteAtomic) != 0 && access&verbs.LocalWrite == 0 {
		return nil, fmt.Errorf("%w: a region that peers may change needs LocalWrite too", verbs.ErrArgument)
	}
	if access >= verbs.RemoteAtomic<<1 {
		return nil, fmt.Errorf("%w: access %#x", verbs.ErrArgument, uint8(access))
	}
	r := &Region{Buf: buf, Access: access, PD: pd}
	switch {
	case len(t.free) > 0:
		r.index = t.free[len(t.free)-1]
		t.free = t.free[:len(t.free)-1]
		r.serial = t.slots[r.index].serial
	case len(t.slots) >= MaxRegions:
		return nil, fmt.Errorf("%w: %d memory regions are open", verbs.ErrFull, t.open)
	default:
		if len(t.slots) == 0 {
			t.slots = append(t.slots, nil)
		}
		r.index = uint32(len(t.slots))
		t.slots = append(t.slots, nil)
	}
	t.slots[r.index] = r
	t.open++
	r.serial += 2 - r.serial&1
	r.local = r.index<<keyBits | uint32(r.serial)
	t.Rekey(r)
	return r, nil
}

// Rekey gives a region a new remote key.
func (t *Regions) Rekey(r *Region) {
	r.serial += 1 + r.serial&1
	r.remote = r.index<<keyBits | uint32(r.serial)
}

// Remove makes both keys of a region invalid.
func (t *Regions) Remove(r *Region) {
	if !r.Open() {
		return
	}
	r.local, r.remote = 0, 0
	t.slots[r.index] = &Region{serial: r.serial} // remembers the key byte, not the memory
	t.free = append(t.free, r.index)
	t.open--
}

// Find returns the region at a key's index, or nil; the rest of the key may be wrong.
func (t *Regions) Find(key uint32) *Region {
	if i := key >> keyBits; int(i) < len(t.slots) && key>>31 == 0 {
		return t.slots[i]
	}
	return nil
}

// Local checks one entry of a gather list or, with write, of a scatter list.
func (t *Regions) Local(pd uint32, e *verbs.SGE, write bool) error {
	if len(e.Buf) == 0 {
		return nil
	}
	r := t.Find(e.LKey)
	switch {
	case r == nil || r.local != e.LKey || e.LKey == 0 || r.PD != pd:
		return verbs.ErrKey
	case !r.Contains(e.Buf):
		return verbs.ErrBounds
	case write && r.Access&verbs.LocalWrite == 0:
		return verbs.ErrAccess
	}
	return nil
}

// LocalList checks a whole list.
func (t *Regions) LocalList(pd uint32, list []verbs.SGE, write bool) error {
	for i := range list {
		if err := t.Local(pd, &list[i], write); err != nil {
			return err
		}
	}
	return nil
}

// Remote returns the n bytes at addr of the region with remote key rkey, if a peer with the rights of domain pd
// may use them so; pd 0 stands for any domain, for packets that name none. The error is ErrKey, ErrBounds or
// ErrAccess.
func (t *Regions) Remote(pd, rkey uint32, addr uint64, n int, need verbs.Access) ([]byte, *Region, error) {
	r := t.Find(rkey)
	if r == nil || r.remote != rkey || rkey == 0 || pd != 0 && r.PD != pd {
		return nil, nil, verbs.ErrKey
	}
	if r.Access&need != need {
		return nil, nil, verbs.ErrAccess
	}
	base, size := r.Addr(), uint64(len(r.Buf))
	if off := addr - base; addr >= base && off <= size && uint64(n) <= size-off {
		return r.Buf[off : off+uint64(n)], r, nil
	}
	return nil, nil, verbs.ErrBounds
}

// Invalidate takes the remote key away on behalf of a peer with the rights of domain pd.
func (t *Regions) Invalidate(pd, rkey uint32) error {
	r := t.Find(rkey)
	if r == nil || r.remote != rkey || rkey == 0 || pd != 0 && r.PD != pd {
		return verbs.ErrKey
	}
	r.remote = 0
	return nil
}

// Index is the place in the table of the region that a local key belongs to.
func Index(lkey uint32) uint32 { return lkey >> keyBits }
