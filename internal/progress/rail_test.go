package progress_test

import (
	"net/netip"
	"testing"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/progress"
	"github.com/weft-mpi/weft/internal/rail"
	"github.com/weft-mpi/weft/internal/verbs/soft"
)

// railBell is a doorbell that the network rings too.
type railBell struct {
	*clock.Bell
	link *rail.Link
}

func (b railBell) Arm() {
	b.Bell.Arm()
	b.link.Arm()
}

// rails makes ends that reach each other over the loopback interface by a channel, configured further by change.
func rails(channel rail.Channel, change ...func(*rail.Config)) func(testing.TB, int) []end {
	return func(t testing.TB, n int) (ends []end) {
		links := make([]*rail.Link, n)
		for i := range n {
			dev, err := soft.Open(soft.Config{Key: []byte("key of the test"), KeyedDatagrams: true, ReceiveWait: 3600e9, NoCRC: true})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { dev.Close() })
			bell := clock.NewBell()
			cfg := rail.Config{
				Device: dev, Self: i, Size: n, Prefixes: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/8")}, Bell: bell.Ring,
				Address: func(peer int) (string, error) { return links[peer].Address(), nil }, Options: rail.Defaults(),
			}
			cfg.Channel, cfg.Hold, cfg.Reuse.On = channel, 0, false
			for _, f := range change {
				f(&cfg)
			}
			if links[i], err = rail.New(cfg); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(links[i].Close)
			link := &progress.Link{Transport: links[i], Long: links[i], Timed: links[i], Dialer: links[i], Far: links[i]}
			if links[i].Catches() {
				link.Catcher = links[i]
			}
			ends = append(ends, end{link: link, bell: railBell{bell, links[i]}, self: selfLink(i), eventual: true})
		}
		return ends
	}
}
