package soft

import (
	"errors"
	"net/netip"
	"testing"

	"github.com/weft-mpi/weft/internal/verbs"
)

// TestRails: a device has a port per interface address, and queue pairs and listeners use the one they name.
func TestRails(t *testing.T) {
	addrs := []netip.Addr{netip.MustParseAddr("127.0.0.1"), netip.MustParseAddr("127.0.0.2"), netip.IPv6Loopback()}
	d := open(t, Config{Rails: addrs})
	rails := d.Rails()
	if len(rails) != len(addrs) {
		t.Fatalf("%d rails", len(rails))
	}
	for i, rail := range rails {
		if rail.Addr != addrs[i] || rail.Name == "" || rail.MTU == 0 {
			t.Errorf("rail %d: %+v", i, rail)
		}
		pd, _ := d.NewPD()
		cq, _ := d.NewCQ(verbs.CQConfig{Depth: 16})
		cfg := verbs.QPConfig{SendCQ: cq, RecvCQ: cq, SendDepth: 4, RecvDepth: 4, Rail: i}
		for _, cfg.Type = range []verbs.Type{verbs.UD, verbs.RD} {
			qp, err := pd.NewQP(cfg)
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(qp.Modify(verbs.Init), qp.Modify(verbs.RTS)); err != nil || qp.Addr().Addr() != addrs[i] {
				t.Errorf("%v on rail %d is at %v: %v", cfg.Type, i, qp.Addr(), err)
			}
		}
		l, err := d.Listen(verbs.ListenConfig{Rail: i})
		if err != nil || l.Addr().Addr() != addrs[i] {
			t.Errorf("listener of rail %d: %v", i, err)
		}
		cfg.Rail = len(addrs)
		if _, err := pd.NewQP(cfg); !errors.Is(err, verbs.ErrArgument) {
			t.Errorf("a rail that is not there: %v", err)
		}
	}
	if _, err := Open(Config{Rails: []netip.Addr{netip.MustParseAddr("192.0.2.1")}}); err == nil {
		t.Error("opened a device on an address that this host does not have")
	}
}

// TestConfig: what makes no sense is refused when the device is opened.
func TestConfig(t *testing.T) {
	for name, cfg := range map[string]Config{
		"revision": {Revision: 3}, "FPDU": {MaxFPDU: 64}, "datagram": {Datagram: 70000}, "key": {KeyedDatagrams: true},
		"wait": {ReceiveWait: -1}, "any address": {Rails: []netip.Addr{netip.IPv4Unspecified()}},
		"congestion": {Congestion: "nosuch"},
	} {
		if d, err := Open(cfg); !errors.Is(err, verbs.ErrArgument) {
			t.Errorf("%s: %v", name, err)
			if d != nil {
				d.Close()
			}
		}
	}
}
