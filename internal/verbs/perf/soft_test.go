package perf

import (
	"maps"
	"net/netip"
	"sync/atomic"
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
	"write stream over 4":  {Op: verbs.Write, Shape: Stream, QPs: 4, Size: 3000, Iterations: 403},
	"read both-way 64":     {Op: verbs.Read, Shape: Stream, QPs: 1, Size: 64, Iterations: 200, Both: true},
}

// manyBatches go over several queue pairs.
var manyBatches = map[string]Batch{
	"ping-pong over 4":      {Op: verbs.Send, Shape: PingPong, QPs: 4, Size: 64, Iterations: 30},
	"ping-pong 0 bytes":     {Op: verbs.Send, Shape: PingPong, QPs: 1, Size: 0, Iterations: 30},
	"in turn over 3":        {Op: verbs.Send, Shape: PingPong, QPs: 3, Size: 64, Iterations: 5, InTurn: true},
	"both-way over 4":       {Op: verbs.Send, Shape: Stream, QPs: 4, Size: 3000, Iterations: 403, Both: true},
	"more lanes than sends": {Op: verbs.Send, Shape: Stream, QPs: 4, Size: 30, Iterations: 3},
}

func TestSoftDevice(t *testing.T) {
	local := Local{Open: openSoft, Gentle: true}
	server := startServer(t, &Server{Local: local})
	for _, kind := range []string{RC, UD, RD} {
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

// Every tenth datagram is lost, on both ends; nothing hangs, and what is lost is counted.
func TestLostDatagrams(t *testing.T) {
	var loses atomic.Bool
	open := func(w Way, at netip.Addr) (verbs.Device, error) {
		dev, err := openSoft(w, at)
		if err == nil {
			n := 0 // the device's lock is held in a tap
			dev.(verbs.Tapped).Tap(func(verbs.Datagram) verbs.Fate {
				n++
				return verbs.Fate{Drop: loses.Load() && n%10 == 0}
			})
		}
		return dev, err
	}
	server := startServer(t, &Server{Local: Local{Open: open, Gentle: true}})
	for _, kind := range []string{UD, RD} {
		s := dial(t, server, Local{Open: open, Gentle: true})
		way, err := s.Open(Way{Kind: kind}.complete(4096))
		if err != nil {
			t.Fatal(err)
		}
		loses.Store(true)
		runBatch(t, s, way, Batch{Op: verbs.Send, Shape: PingPong, QPs: 1, Size: 64, Iterations: 15})
		for _, both := range []bool{false, true} {
			out := runBatch(t, s, way, Batch{Op: verbs.Send, Shape: Stream, QPs: 1, Size: 1000, Iterations: 500, Both: both})
			if (out.Lost > 0) != (kind == UD) {
				t.Errorf("%s, both ways %v: %d lost", kind, both, out.Lost)
			}
		}
		loses.Store(false)
		s.Close()
	}
}

func TestPing(t *testing.T) {
	local := Local{Open: openSoft, Gentle: true}
	server := startServer(t, &Server{Local: local})
	for kind, ops := range map[string]int{RC: 3, UD: 1, RD: 3} {
		s := dial(t, server, local)
		w := Way{Kind: kind}.complete(1000)
		var seen []Ping
		err := s.Ping(t.Context(), w, 2, func(p Ping) error { seen = append(seen, p); return nil })
		if err != nil || len(seen) != 2 || seen[1].Seq != 2 || len(seen[1].Times) != ops {
			t.Errorf("%s: %v, %+v", kind, err, seen)
		}
		s.Close()
	}
}

func TestRegister(t *testing.T) {
	dev, err := openSoft(Way{}, loopback)
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	var rows []Registration
	err = Register(t.Context(), dev, []int{4096, 1 << 20}, 5, func(r Registration) error { rows = append(rows, r); return nil })
	if err != nil || len(rows) != 2 || rows[1].Size != 1<<20 || rows[1].Iterations != 5 || rows[1].Register.Max <= 0 {
		t.Errorf("%v, %+v", err, rows)
	}
}

func TestMemoryOfPeers(t *testing.T) {
	local := Local{Open: openSoft, Gentle: true}
	server := startServer(t, &Server{Local: local})
	for _, kind := range []string{RC, UD, RD} {
		s := dial(t, server, local)
		w := Way{Kind: kind}.complete(64)
		w.TxDepth, w.RxDepth = 8, 16
		m, err := s.Memory(t.Context(), w, 60)
		if err != nil || m.Kind != kind || m.Peers != 60 || m.Heap <= -1000 {
			t.Errorf("%s: %v, %+v", kind, err, m)
		}
		if _, err := s.Memory(t.Context(), w, fewPeers); err == nil {
			t.Errorf("%s: %d peers were measured", kind, fewPeers)
		}
		s.Close()
	}
}
