package nic

import (
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/weft-mpi/weft/internal/verbs"
)

const (
	readable  = verbs.RemoteRead
	changable = verbs.LocalWrite | verbs.RemoteRead | verbs.RemoteWrite | verbs.RemoteAtomic
)

// add registers n fresh bytes for domain 1.
func add(t *testing.T, table *Regions, n int, access verbs.Access) *Region {
	t.Helper()
	r, err := table.Add(1, make([]byte, n), access)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// local asks for the whole region with a local key.
func local(table *Regions, r *Region, key uint32) error {
	return table.Local(1, &verbs.SGE{Buf: r.Buf, LKey: key}, true)
}

// remote asks for the whole region with a remote key.
func remote(table *Regions, r *Region, key uint32) error {
	_, _, err := table.Remote(1, key, r.Addr(), len(r.Buf), verbs.RemoteWrite)
	return err
}

// TestKeysAreNotMixed: each key works on its own side only.
func TestKeysAreNotMixed(t *testing.T) {
	var table Regions
	r := add(t, &table, 64, changable)
	if err := errors.Join(local(&table, r, r.LKey()), remote(&table, r, r.RKey())); err != nil {
		t.Fatal(err)
	}
	if local(&table, r, r.RKey()) != verbs.ErrKey || remote(&table, r, r.LKey()) != verbs.ErrKey {
		t.Error("a key was taken on the other side")
	}
	if local(&table, r, 0) != verbs.ErrKey || remote(&table, r, 0) != verbs.ErrKey {
		t.Error("key 0 was taken")
	}
	if r.LKey()>>31 != 0 || r.RKey()>>31 != 0 {
		t.Errorf("keys %#x and %#x reach into the device's half", r.LKey(), r.RKey())
	}
	if remote(&table, r, r.RKey()|1<<31) != verbs.ErrKey {
		t.Error("a key of the device's half was taken")
	}
}

// TestStaleKeys: after Remove, Rekey and Invalidate the old keys mean nothing, also when their index is used again.
func TestStaleKeys(t *testing.T) {
	var table Regions
	r := add(t, &table, 64, changable)
	lkey, rkey := r.LKey(), r.RKey()
	table.Rekey(r)
	if remote(&table, r, rkey) != verbs.ErrKey || remote(&table, r, r.RKey()) != nil || local(&table, r, lkey) != nil {
		t.Error("after Rekey: the old remote key, the new one or the local one")
	}
	rkey = r.RKey()
	if err := table.Invalidate(1, rkey); err != nil {
		t.Fatal(err)
	}
	if remote(&table, r, rkey) != verbs.ErrKey || r.RKey() != 0 || local(&table, r, lkey) != nil {
		t.Error("after Invalidate: the remote key or the local one")
	}
	if table.Invalidate(1, rkey) != verbs.ErrKey {
		t.Error("a key could be made invalid twice")
	}
	table.Rekey(r)
	if remote(&table, r, r.RKey()) != nil || r.RKey() == rkey {
		t.Error("no new key after Invalidate")
	}
	rkey = r.RKey()
	table.Remove(r)
	table.Remove(r) // nothing more happens
	if table.Len() != 0 || r.Open() || local(&table, r, lkey) != verbs.ErrKey || remote(&table, r, rkey) != verbs.ErrKey {
		t.Error("a removed region can be used")
	}
	again, err := table.Add(1, r.Buf, changable)
	if err != nil {
		t.Fatal(err)
	}
	if again.LKey()>>keyBits != lkey>>keyBits {
		t.Fatalf("index %d was not used again", lkey>>keyBits)
	}
	if local(&table, again, lkey) != verbs.ErrKey || remote(&table, again, rkey) != verbs.ErrKey {
		t.Error("a stale key works for the region that came after")
	}
}

// TestBounds: every range that leaves the region by a byte, and every one that wraps around, is refused.
func TestBounds(t *testing.T) {
	var table Regions
	whole := make([]byte, 192)
	r, err := table.Add(1, whole[64:128:128], changable)
	if err != nil {
		t.Fatal(err)
	}
	base := r.Addr()
	for _, c := range []struct {
		addr uint64
		n    int
		want error
	}{
		{base, 64, nil}, {base + 63, 1, nil}, {base, 0, nil}, {base + 64, 0, nil}, {base + 10, 54, nil},
		{base - 1, 1, verbs.ErrBounds}, {base - 1, 65, verbs.ErrBounds}, {base, 65, verbs.ErrBounds},
		{base + 64, 1, verbs.ErrBounds}, {base + 65, 0, verbs.ErrBounds}, {base + 1, 64, verbs.ErrBounds},
		{0, 1, verbs.ErrBounds}, {0, 0, verbs.ErrBounds}, {math.MaxUint64, 1, verbs.ErrBounds},
		{math.MaxUint64 - 3, 8, verbs.ErrBounds}, {base, math.MaxInt, verbs.ErrBounds}, {base, -1, verbs.ErrBounds},
		{base + 1, math.MinInt, verbs.ErrBounds}, {base + 1<<63, 1, verbs.ErrBounds},
	} {
		buf, _, err := table.Remote(1, r.RKey(), c.addr, c.n, verbs.RemoteWrite)
		if err != c.want {
			t.Errorf("%d bytes at base%+d: %v, want %v", c.n, int64(c.addr-base), err, c.want)
		} else if err == nil && (len(buf) != c.n || !r.Contains(buf)) {
			t.Errorf("%d bytes at base%+d: got %d bytes, within the region: %v", c.n, int64(c.addr-base), len(buf), r.Contains(buf))
		}
	}
	for _, c := range []struct {
		from, to int
		want     error
	}{
		{64, 128, nil}, {127, 128, nil}, {64, 64, nil}, {0, 0, nil}, {63, 64, verbs.ErrBounds}, {63, 128, verbs.ErrBounds},
		{64, 129, verbs.ErrBounds}, {128, 129, verbs.ErrBounds}, {0, 192, verbs.ErrBounds},
	} {
		if err := table.Local(1, &verbs.SGE{Buf: whole[c.from:c.to], LKey: r.LKey()}, true); err != c.want {
			t.Errorf("local bytes %d to %d of a region from 64 to 128: %v, want %v", c.from, c.to, err, c.want)
		}
	}
}

// TestRights: what was not granted is refused, and rights that contradict each other are not granted.
func TestRights(t *testing.T) {
	var table Regions
	for _, bad := range []verbs.Access{verbs.RemoteWrite, verbs.RemoteAtomic, verbs.RemoteAtomic << 1, 255} {
		if _, err := table.Add(1, nil, bad); !errors.Is(err, verbs.ErrArgument) {
			t.Errorf("access %#x: %v", bad, err)
		}
	}
	for _, have := range []verbs.Access{0, verbs.LocalWrite, readable, verbs.LocalWrite | verbs.RemoteWrite, changable} {
		r := add(t, &table, 8, have)
		for _, need := range []verbs.Access{verbs.RemoteRead, verbs.RemoteWrite, verbs.RemoteAtomic} {
			want := verbs.ErrAccess
			if have&need != 0 {
				want = nil
			}
			if _, _, err := table.Remote(1, r.RKey(), r.Addr(), 8, need); err != want {
				t.Errorf("%#x of a region with %#x: %v", need, have, err)
			}
		}
		want := verbs.ErrAccess
		if have&verbs.LocalWrite != 0 {
			want = nil
		}
		if err := local(&table, r, r.LKey()); err != want {
			t.Errorf("scatter into a region with %#x: %v", have, err)
		}
		if err := table.Local(1, &verbs.SGE{Buf: r.Buf, LKey: r.LKey()}, false); err != nil {
			t.Errorf("gather from a region with %#x: %v", have, err)
		}
	}
}

// TestDomains: keys of one domain mean nothing in another; domain 0 stands for a packet that names none.
func TestDomains(t *testing.T) {
	var table Regions
	r := add(t, &table, 8, changable)
	if _, _, err := table.Remote(2, r.RKey(), r.Addr(), 8, verbs.RemoteRead); err != verbs.ErrKey {
		t.Errorf("a remote key in another domain: %v", err)
	}
	if err := table.Local(2, &verbs.SGE{Buf: r.Buf, LKey: r.LKey()}, false); err != verbs.ErrKey {
		t.Errorf("a local key in another domain: %v", err)
	}
	if err := table.Invalidate(2, r.RKey()); err != verbs.ErrKey || r.RKey() == 0 {
		t.Errorf("made invalid from another domain: %v", err)
	}
	if _, _, err := table.Remote(0, r.RKey(), r.Addr(), 8, verbs.RemoteRead); err != nil {
		t.Errorf("no domain named: %v", err)
	}
}

// twin is what a naive table knows of a region.
type twin struct {
	r            *Region
	pd           uint32
	access       verbs.Access
	local, remot uint32 // valid keys, 0 if none
}

// TestRegionsAgainstModel does random things to a table and to a list of what should be valid, and looks up random
// keys in both.
func TestRegionsAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var table Regions
		var open []*twin
		var stale []uint32
		pick := func(t *rapid.T) *twin {
			if len(open) == 0 {
				t.Skip("nothing is open")
			}
			return rapid.SampledFrom(open).Draw(t, "region")
		}
		t.Repeat(map[string]func(*rapid.T){
			"add": func(t *rapid.T) {
				access := verbs.Access(rapid.IntRange(0, 15).Draw(t, "access"))
				pd := rapid.Uint32Range(1, 3).Draw(t, "pd")
				r, err := table.Add(pd, make([]byte, rapid.IntRange(1, 32).Draw(t, "size")), access)
				if access&(verbs.RemoteWrite|verbs.RemoteAtomic) != 0 && access&verbs.LocalWrite == 0 {
					if err == nil {
						t.Fatalf("access %#x was granted", access)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				open = append(open, &twin{r: r, pd: pd, access: access, local: r.LKey(), remot: r.RKey()})
			},
			"remove": func(t *rapid.T) {
				w := pick(t)
				table.Remove(w.r)
				stale = append(stale, w.local, w.remot)
				open = slices.DeleteFunc(open, func(x *twin) bool { return x == w })
			},
			"rekey": func(t *rapid.T) {
				w := pick(t)
				stale = append(stale, w.remot)
				table.Rekey(w.r)
				w.remot = w.r.RKey()
			},
			"invalidate": func(t *rapid.T) {
				w := pick(t)
				pd := rapid.Uint32Range(1, 3).Draw(t, "pd")
				if w.remot == 0 {
					t.Skip("has no key")
				}
				err := table.Invalidate(pd, w.remot)
				if (err == nil) != (pd == w.pd) {
					t.Fatalf("from domain %d in %d: %v", pd, w.pd, err)
				}
				if err == nil {
					stale, w.remot = append(stale, w.remot), 0
				}
			},
			"": func(t *rapid.T) { agree(t, &table, open, stale) },
		})
	})
}

// agree compares the table with the model: all that is valid, something stale and something made up.
func agree(t *rapid.T, table *Regions, open []*twin, stale []uint32) {
	if table.Len() != len(open) {
		t.Fatalf("%d regions open, want %d", table.Len(), len(open))
	}
	valid := map[uint32]*twin{}
	for _, w := range open {
		if w.remot != 0 {
			valid[w.remot] = w
		}
		if w.local == w.remot || valid[w.local] != nil {
			t.Fatalf("key %#x was given out twice", w.local)
		}
		valid[w.local] = w
	}
	keys := append([]uint32{rapid.Uint32().Draw(t, "any key"), rapid.Uint32Range(0, 1<<12).Draw(t, "likely key")}, stale...)
	for key := range valid {
		keys = append(keys, key)
	}
	pd := rapid.Uint32Range(1, 3).Draw(t, "asking domain")
	for _, key := range keys {
		w := valid[key]
		if r := table.Find(key); w != nil && r != w.r {
			t.Fatalf("key %#x finds another region", key)
		}
		probe := w
		if probe == nil {
			if len(open) == 0 {
				continue
			}
			probe = open[0]
		}
		want := func(isKey bool, need bool) error {
			switch {
			case !isKey || w == nil || w.pd != pd:
				return verbs.ErrKey
			case !need:
				return verbs.ErrAccess
			}
			return nil
		}
		e := verbs.SGE{Buf: probe.r.Buf, LKey: key}
		if err := table.Local(pd, &e, true); err != want(w != nil && key == w.local, probe.access&verbs.LocalWrite != 0) {
			t.Fatalf("local key %#x (valid %v): %v", key, w != nil, err)
		}
		_, _, err := table.Remote(pd, key, probe.r.Addr(), len(probe.r.Buf), verbs.RemoteRead)
		if err != want(w != nil && key == w.remot, probe.access&verbs.RemoteRead != 0) {
			t.Fatalf("remote key %#x (valid %v): %v", key, w != nil, err)
		}
	}
}

// TestRegionsAllocateNothing: looking at keys is on the way of every message.
func TestRegionsAllocateNothing(t *testing.T) {
	var table Regions
	r := add(t, &table, 64, changable)
	list := []verbs.SGE{{Buf: r.Buf, LKey: r.LKey()}, {Buf: r.Buf[:1], LKey: r.RKey()}}
	if n := testing.AllocsPerRun(100, func() {
		table.LocalList(1, list, true)
		table.Remote(1, r.RKey(), r.Addr(), 64, verbs.RemoteWrite)
		table.Rekey(r)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
