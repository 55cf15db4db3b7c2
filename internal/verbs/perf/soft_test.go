package perf

import (
	"maps"
	"net/netip"
	"testing"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/soft"
)

// openSoft is the Opener of these tests.
func openSoft(w Way, at netip.Addr) (verbs.Device, error) {
	return soft.Open(soft.Config{Rails: []netip.Addr{at}, NoCRC: w.NoCRC, NoOffload: w.NoOffload, ShareSockets: w.Share, Datagram: w.Datagram})
}

// verbsBatches are the batches that need more than Send.
var verbsBatches = map[string]Batch{
	"write ping-pong 1":    {Op: verbs.Write, Shape: PingPong, QPs: 1, Size: 1, Iterations: 300},
	"write ping-pong 5000": {Op: verbs.Write, Shape: PingPong, QPs: 1, Size: 5000, Iterations: 20, Warmup: 3},
	"read ping-pong 64":    {Op: verbs.Read, Shape: PingPong, QPs: 1, Size: 64, Iterations: 20},
	"write stream 3000":    {Op: verbs.Write, Shape: Stream, QPs: 1, Size: 3000, Iterations: 200},
	"write both-way 64":    {Op: verbs.Write, Shape: Stream, QPs: 1, Size: 64, Iterations: 200, Both: true},
	"read stream 60000":    {Op: verbs.Read, Shape: Stream, QPs: 1, Size: 60000, Iterations: 40},
	"read both-way 64":     {Op: verbs.Read, Shape: Stream, QPs: 1, Size: 64, Iterations: 200, Both: true},
}

// manyBatches go over several queue pairs.
var manyBatches = map[string]Batch{
	"ping-pong over 4":      {Op: verbs.Send, Shape: PingPong, QPs: 4, Size: 64, Iterations: 30},
	"ping-pong 0 bytes":     {Op: verbs.Send, Shape: PingPong, QPs: 1, Size: 0, Iterations: 30},
	"in turn over 3":        {Op: verbs.Send, Shape: PingPong, QPs: 3, Size: 64, Iterations: 5, InTurn: true},
	"both-way over 4":       {Op: verbs.Send, Shape: Stream, QPs: 4, Size: 3000, Iterations: 403, Both: true},
	"write stream over 4":   {Op: verbs.Write, Shape: Stream, QPs: 4, Size: 3000, Iterations: 403},
	"more lanes than sends": {Op: verbs.Send, Shape: Stream, QPs: 4, Size: 30, Iterations: 3},
}

func TestSoftDevice(t *testing.T) {
	local := Local{Open: openSoft}
	server := startServer(t, &Server{Local: local})
	for _, kind := range []string{RC} {
		t.Run(kind, func(t *testing.T) {
			s := dial(t, server, local)
			w := Way{Kind: kind, QPs: 4, TxDepth: 8, RxDepth: 32, MaxSize: 60000, Inline: 32}
			way, err := s.Open(w)
			if err != nil {
				t.Fatal(err)
			}
			all := maps.Clone(sendBatches)
			maps.Copy(all, manyBatches)
			if kind != UD {
				maps.Copy(all, verbsBatches)
			}
			for name, b := range all {
				t.Run(name, func(t *testing.T) { runBatch(t, s, way, b) })
			}
			if err := s.CloseWay(way); err != nil {
				t.Error(err)
			}
		})
	}
}
