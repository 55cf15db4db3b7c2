package rail

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weft-mpi/weft/internal/rail/flow"
	"github.com/weft-mpi/weft/internal/tune"
)

// What a link takes by default is what the tunables say by default, so that tests of this package try what users have.
func TestDefaults(t *testing.T) {
	s, _, err := tune.Read(nil)
	if err != nil {
		t.Fatal(err)
	}
	n := &s.Net
	if n.Vbuf != tune.Auto {
		t.Errorf("frames have %d bytes, not as many as suits the device", n.Vbuf)
	}
	want := Config{
		EagerMax: n.EagerMax, Vbuf: 17 << 10, SRQSize: n.SRQSize, SRQLimit: n.SRQLimit, SRFirst: n.SRFirst, SRFull: n.SRFull, RCRecvs: n.RCRecvs,
		RCMax: n.RCMax, Promote: n.Promote, RingAfter: n.RingAfter, RingPeers: n.RingPeers, RingBytes: n.RingBytes, Quiet: int64(n.Quiet),
		SendBytes: n.SendBytes, Stripe: n.Stripe, PeerWait: int64(n.PeerWait), NoReconnect: !n.Reconnect, RegEntries: n.RegEntries, RegBytes: n.RegBytes,
		Flow: flow.Config{Window: n.Window, AckEvery: n.AckEvery, AckDelay: int64(n.AckDelay), Timeout: int64(n.Timeout),
			MinTimeout: int64(n.Timeout) / 100, MaxRetry: n.Retries, Patience: n.Patience, OutOfOrder: 2501},
	}
	if want.Channel, err = ParseChannel(n.Channel); err != nil {
		t.Fatal(err)
	}
	var got Config
	got.complete()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("tunables (-) and links (+) have other defaults:\n%s", diff)
	}
}

// The tunable WEFT_CHANNEL takes the names that this package knows.
func TestChannelNames(t *testing.T) {
	for c := range lastChannel {
		s, _, err := tune.Read([]string{"WEFT_CHANNEL=" + c.String()})
		if err != nil {
			t.Errorf("%v: %v", c, err)
			continue
		}
		if got, err := ParseChannel(s.Net.Channel); err != nil || got != c {
			t.Errorf("%v is read as %v, %v", c, got, err)
		}
	}
}
