package main

import (
	"net/netip"
	"testing"
	"testing/fstest"

	"github.com/weft-mpi/weft/internal/boot"
	"github.com/weft-mpi/weft/internal/verbs/kernel/fake"
)

// TestFewSettingsAreShown: a user of a host without adapters has 25 settings to look through, and --all
// shows what is left out.
func TestFewSettingsAreShown(t *testing.T) {
	before := boot.Adapters
	t.Cleanup(func() { boot.Adapters = before })
	shown := func(all bool) map[string]bool {
		names := map[string]bool{}
		for _, s := range gatherInfo(false, all).Tunables {
			if s.Origin == "default" {
				names[s.Name] = true
			}
		}
		return names
	}
	const one = "WEFT_RDMA_SL"
	boot.Adapters.Sys = fstest.MapFS{}
	if few := shown(false); len(few) > 25 || few[one] || !shown(true)[one] {
		t.Errorf("%d settings are shown; %s is: %v, with --all: %v", len(few), one, few[one], shown(true)[one])
	}
	host := fake.Host{Devices: map[string]netip.Addr{"fake0": netip.MustParseAddr("127.0.0.1")}}
	boot.Adapters.Sys = host.Sys()
	if !shown(false)[one] {
		t.Errorf("%s is not shown on a host with an adapter", one)
	}
}
