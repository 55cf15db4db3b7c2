package sysfs

import (
	"io/fs"
	"net/netip"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// tree makes files of lines "PATH = CONTENT"; # begins a comment.
func tree(text string) fstest.MapFS {
	files := fstest.MapFS{}
	for l := range strings.Lines(text) {
		if name, value, ok := strings.Cut(strings.TrimSuffix(l, "\n"), " = "); ok && !strings.HasPrefix(l, "#") && fs.ValidPath(name) {
			files[path.Join(Root, name)] = &fstest.MapFile{Data: []byte(value + "\n")}
		}
	}
	return files
}

func read(t *testing.T, name string) []Device {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	devices, err := Devices(tree(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	return devices
}

func TestGuest(t *testing.T) {
	all := read(t, "guest.txt")
	if len(all) != 2 || all[0].Name != "rxe0" || all[1].Name != "siw0" {
		t.Fatalf("found %+v", all)
	}
	rxe, siw := all[0], all[1]
	if rxe.IWARP || !siw.IWARP || !rxe.Software || !siw.Software || rxe.NUMA != -1 || len(rxe.Ports) != 1 {
		t.Errorf("found %+v", all)
	}
	p := rxe.Ports[0]
	if p.Number != 1 || !p.Active() || !p.Ethernet || p.Rate != 2_500_000_000 || p.LID != 0 || len(p.GIDs) != 3 {
		t.Errorf("port %+v", p)
	}
	want := GID{Index: 1, Addr: netip.MustParseAddr("10.0.2.15"), Raw: [16]byte{10: 0xff, 11: 0xff, 12: 10, 14: 2, 15: 15}, RoCE2: true, Iface: "eth0"}
	if got, ok := p.Best(nil); !ok || !reflect.DeepEqual(got, want) {
		t.Errorf("the best address is %+v, want %+v", got, want)
	}
}

func TestCluster(t *testing.T) {
	all := read(t, "cluster.txt")
	ib, roce := all[0], all[1]
	if ib.Software || roce.Software {
		t.Error("adapters count as software")
	}
	if ib.NUMA != 1 || len(ib.Ports) != 2 || !ib.Ports[0].Active() || ib.Ports[1].Active() || ib.Ports[1].State != "DOWN" {
		t.Errorf("InfiniBand %+v", ib)
	}
	if p := ib.Ports[0]; p.Ethernet || p.LID != 0x2a || p.Rate != 200_000_000_000 || !slices.Equal(p.PKeys, []PKey{{0, 0xffff}, {2, 0x8001}}) {
		t.Errorf("port %+v", p)
	}
	if g, ok := ib.Ports[0].Best(func(netip.Addr) bool { return false }); !ok || g.Index != 0 {
		t.Errorf("InfiniBand uses GID %+v", g)
	}
	for name, row := range map[string]struct {
		admit func(netip.Addr) bool
		want  int // -1: none
	}{
		"any":         {nil, 3},
		"IPv6":        {netip.Addr.Is6, 4},
		"of the link": {netip.Addr.IsLinkLocalUnicast, 1},
		"none":        {func(netip.Addr) bool { return false }, -1},
	} {
		if g, ok := roce.Ports[0].Best(row.admit); ok != (row.want >= 0) || ok && g.Index != row.want {
			t.Errorf("%s: GID %+v, %v, want %d", name, g, ok, row.want)
		}
	}
}

// TestNothing: a kernel without RDMA has no devices, which is no error.
func TestNothing(t *testing.T) {
	if all, err := Devices(fstest.MapFS{}); err != nil || len(all) > 0 {
		t.Errorf("found %+v, %v", all, err)
	}
}

// TestNonsense: what cannot be understood is named.
func TestNonsense(t *testing.T) {
	whole := "a/node_type = 1: CA\na/ports/1/state = 4: ACTIVE\na/ports/1/link_layer = Ethernet\n"
	for spoiled, want := range map[string]string{
		whole + "a/ports/1/lid = zero":     `device a: port 1: lid "zero"`,
		whole + "a/ports/1/gids/0 = nix":   `GID 0 is "nix"`,
		whole + "a/ports/1/gids/x = ::1":   `GID "x"`,
		whole + "a/ports/1/pkeys/0 = nix":  `the key of partition 0 is "nix"`,
		whole + "a/ports/1/pkeys/x = 0x1":  `partition "x"`,
		whole + "a/ports/one/state = 1":    `port "one"`,
		"a/ports/1/state = 4: ACTIVE":      "node_type",
		"a/node_type = 1\na/ports/1/x = 1": "state",
	} {
		if _, err := Devices(tree(spoiled)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", spoiled, err, want)
		}
	}
}

// FuzzDevices: nothing that the files say makes it panic, and what it finds is within bounds.
func FuzzDevices(f *testing.F) {
	for _, name := range []string{"guest.txt", "cluster.txt"} {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		all, err := Devices(tree(text))
		if err != nil {
			return
		}
		for _, d := range all {
			for _, p := range d.Ports {
				if p.Number < 0 || p.Number > 255 || p.Rate < 0 {
					t.Errorf("port %+v", p)
				}
				if g, ok := p.Best(nil); ok && !g.Addr.IsValid() {
					t.Errorf("address %+v", g)
				}
			}
		}
	})
}
