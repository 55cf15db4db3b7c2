package perf

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/verbs"
)

var loopback = netip.MustParseAddr("127.0.0.1")

// noDevice is an Opener for tests that use sockets only.
func noDevice(Way, netip.Addr) (verbs.Device, error) { return nil, errors.New("there is no device") }

// startServer serves on loopback until the test ends and returns the address.
func startServer(t testing.TB, s *Server) string {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	address, ended := make(chan string, 1), make(chan error, 1)
	if !s.Bind.IsValid() {
		s.Bind = netip.AddrPortFrom(loopback, 0)
	}
	s.On = func(a net.Addr) { address <- a.String() }
	go func() { ended <- s.Serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		select {
		case <-ended:
		case <-time.After(patience):
			t.Error("the server does not end")
		}
	})
	return <-address
}

func dial(t testing.TB, server string, local Local) *Session {
	t.Helper()
	s, err := Dial(t.Context(), server, netip.Addr{}, "test", local)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// batches are the shapes that every way of Send must carry.
var sendBatches = map[string]Batch{
	"ping-pong 1":        {Op: verbs.Send, Shape: PingPong, QPs: 1, Size: 1, Iterations: 50, Warmup: 5},
	"ping-pong 4096":     {Op: verbs.Send, Shape: PingPong, QPs: 1, Size: 4096, Iterations: 50},
	"stream 1":           {Op: verbs.Send, Shape: Stream, QPs: 1, Size: 1, Iterations: 300},
	"stream 12":          {Op: verbs.Send, Shape: Stream, QPs: 1, Size: 12, Iterations: 300},
	"stream 60000":       {Op: verbs.Send, Shape: Stream, QPs: 1, Size: 60000, Iterations: 50},
	"both-way 14":        {Op: verbs.Send, Shape: Stream, QPs: 1, Size: 14, Iterations: 300, Both: true},
	"both-way 2048":      {Op: verbs.Send, Shape: Stream, QPs: 1, Size: 2048, Iterations: 301, Both: true},
	"stream of only one": {Op: verbs.Send, Shape: Stream, QPs: 1, Size: 100, Iterations: 1},
}

func runBatch(t *testing.T, s *Session, way int, b Batch) Outcome {
	t.Helper()
	out, err := s.Run(way, b)
	if err != nil {
		t.Fatal(err)
	}
	switch b.Shape {
	case PingPong:
		if len(out.Times) != b.Iterations {
			t.Errorf("%d times for %d exchanges", len(out.Times), b.Iterations)
		}
		for _, v := range out.Times {
			if v <= 0 {
				t.Errorf("an exchange took %d ns", v)
			}
		}
	case Stream:
		want := b.Iterations
		if b.Both {
			want *= 2
		}
		if out.Messages+out.Lost != want || out.Elapsed <= 0 {
			t.Errorf("got %+v of %d messages", out, want)
		}
	}
	return out
}

func TestRawSocketsOverIPv6(t *testing.T) {
	lis, err := net.Listen("tcp6", "[::1]:0")
	if err != nil {
		t.Skip("this host has no IPv6")
	}
	lis.Close()
	server := startServer(t, &Server{Local: Local{Open: noDevice, Gentle: true}, Bind: netip.AddrPortFrom(netip.IPv6Loopback(), 0)})
	for _, kind := range []string{TCP, UDP} {
		s := dial(t, server, Local{Open: noDevice, Gentle: true})
		way, err := s.Open(Way{Kind: kind}.complete(4096))
		if err != nil {
			t.Fatal(err)
		}
		runBatch(t, s, way, sendBatches["ping-pong 4096"])
		s.Close()
	}
}

func TestRawSockets(t *testing.T) {
	server := startServer(t, &Server{Local: Local{Open: noDevice, Gentle: true}})
	for _, kind := range []string{TCP, UDP} {
		t.Run(kind, func(t *testing.T) {
			s := dial(t, server, Local{Open: noDevice, Gentle: true})
			way, err := s.Open(Way{Kind: kind, QPs: 1, TxDepth: 16, RxDepth: 64, MaxSize: 60000})
			if err != nil {
				t.Fatal(err)
			}
			for name, b := range sendBatches {
				t.Run(name, func(t *testing.T) { runBatch(t, s, way, b) })
			}
			if err := s.CloseWay(way); err != nil {
				t.Error(err)
			}
			if _, err := s.Run(way, sendBatches["stream 1"]); err == nil {
				t.Error("a closed way carried a batch")
			}
		})
	}
}
