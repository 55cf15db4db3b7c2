package doctor

import (
	"net/netip"
	"os"
	"slices"
	"testing"
)

func TestMemory(t *testing.T) {
	total, free := memory("MemTotal:  8000 kB\nMemFree: 1 kB\nMemAvailable:    6000 kB\n\nodd\nMemTotal: x\n")
	if total != 8000<<10 || free != 6000<<10 {
		t.Errorf("%d of %d", free, total)
	}
}

func TestQuota(t *testing.T) {
	for _, c := range []struct {
		words []string
		want  float64
	}{
		{[]string{"150000", "100000"}, 1.5}, {[]string{"max", "100000"}, 0}, {[]string{"-1", "100000"}, 0},
		{[]string{"1", "0"}, 0}, {[]string{"NaN", "1"}, 0}, {[]string{"", ""}, 0}, {nil, 0},
	} {
		if got := quota(c.words); got != c.want {
			t.Errorf("%q: %v, want %v", c.words, got, c.want)
		}
	}
}

// TestGather looks for facts that every Linux has.
func TestGather(t *testing.T) {
	f := Gather("v9")
	name, _ := os.Hostname()
	if f.Name != name || f.Version != "v9" || f.Kernel == "" || f.CPUs < 1 || f.Memory == 0 || f.MemoryFree == 0 || f.Files.Now == 0 || f.MemfdTrouble != "" {
		t.Errorf("%+v", f)
	}
}

func TestAddresses(t *testing.T) {
	f := healthy("h", 1)
	if i := f.holder(netip.MustParseAddr("10.0.1.1")); i == nil || i.Name != "eth1" {
		t.Errorf("holder %+v", i)
	}
	if i := f.neighbour(netip.MustParseAddr("10.0.1.77")); i == nil || i.Name != "eth1" {
		t.Errorf("neighbour %+v", i)
	}
	if f.holder(netip.MustParseAddr("10.0.1.77")) != nil || f.neighbour(netip.MustParseAddr("10.0.9.1")) != nil {
		t.Error("an interface for a strange address")
	}
	// An address that two hosts have is nobody's own.
	a, b := &visit{facts: healthy("a", 1)}, &visit{facts: healthy("b", 2)}
	a.facts.Interfaces[1].Addresses = b.facts.Interfaces[1].Addresses
	if got := ownAddresses(a, []*visit{a, b, {}}); !slices.Equal(got, []netip.Addr{netip.MustParseAddr("10.0.0.1")}) {
		t.Errorf("own addresses %v", got)
	}
}

// TestTargets tries hosts in common networks only, unless there is none.
func TestTargets(t *testing.T) {
	v := &visit{facts: healthy("v", 1)}
	near, far := Ear{Address: netip.MustParseAddr("10.0.0.2")}, Ear{Address: netip.MustParseAddr("192.168.5.1")}
	w, x := &visit{ears: []Ear{near, far}}, &visit{ears: []Ear{far}}
	got := targets(v, []*visit{v, w, x})
	if len(got) != 2 || got[0].Host != 1 || got[0].Ear != near || got[1].Host != 2 || got[1].Ear != far {
		t.Errorf("%+v", got)
	}
	passed, failed := well("v", "x", 9), well("v", "x", 9)
	failed.Address, failed.TCP = far.Address, Silent
	if !detour(failed, []Path{passed, failed}, v.facts) || detour(failed, []Path{failed}, v.facts) || detour(passed, []Path{passed, failed}, v.facts) {
		t.Error("wrong paths are left out")
	}
}
