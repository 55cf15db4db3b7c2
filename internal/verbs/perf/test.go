package perf

import (
	"fmt"
	"slices"
	"strings"

	"github.com/weft-mpi/weft/internal/verbs"
)

// Shape is the pattern of messages of a test.
type Shape string

// The shapes.
const (
	PingPong Shape = "ping-pong" // one message, one answer, on every queue pair at once
	Stream   Shape = "stream"    // as many messages as the window takes
	Alone    Shape = "alone"     // no messages: a test of its own kind
)

// Test is one row of the table of tests.
type Test struct {
	Name  string
	About string
	Op    verbs.Op // what moves the bytes
	Shape Shape
	Multi bool // over 1, 2, 4 ... queue pairs instead of over sizes
	Size  int  // default message size
}

var tests = []Test{
	{Name: "ping", About: "does it work: data there and back by Read and Write (datagrams: Send), every byte compared", Shape: Alone, Size: 64},
	{Name: "send_lat", About: "latency of Send: half a round trip", Op: verbs.Send, Shape: PingPong, Size: 64},
	{Name: "write_lat", About: "latency of Write, seen by the peer in its memory: half a round trip", Op: verbs.Write, Shape: PingPong, Size: 64},
	{Name: "read_lat", About: "latency of Read: from request to data", Op: verbs.Read, Shape: PingPong, Size: 64},
	{Name: "send_bw", About: "bandwidth of Send", Op: verbs.Send, Shape: Stream, Size: 64 * kib},
	{Name: "write_bw", About: "bandwidth of Write", Op: verbs.Write, Shape: Stream, Size: 64 * kib},
	{Name: "read_bw", About: "bandwidth of Read", Op: verbs.Read, Shape: Stream, Size: 64 * kib},
	{Name: "multi_lat", About: "ping-pong over 1 to 256 queue pairs at once: half a round trip divided by their number",
		Op: verbs.Send, Shape: PingPong, Multi: true, Size: 64},
	{Name: "multi_bw", About: "both-way throughput over 1 to 256 queue pairs in turn", Op: verbs.Send, Shape: Stream, Multi: true, Size: 64 * kib},
	{Name: "reg", About: "time to register and to deregister memory, against its size", Shape: Alone},
	{Name: "mem", About: "memory per idle RC connection and per UD and RD peer", Shape: Alone},
}

const (
	kib = 1 << 10
	mib = 1 << 20
)

// Tests returns the table, in the order help shows it.
func Tests() []Test { return slices.Clone(tests) }

// Find returns the test of that name; the names of the perftest tools (ib_send_lat) work too.
func Find(name string) (Test, error) {
	short := strings.TrimPrefix(name, "ib_")
	var names []string
	for _, t := range tests {
		if t.Name == short {
			return t, nil
		}
		names = append(names, t.Name)
	}
	return Test{}, fmt.Errorf("there is no test %q; the tests are %s", name, strings.Join(names, ", "))
}

// Kinds of ways.
const (
	RC  = "RC"  // verbs, reliable connections
	UD  = "UD"  // verbs, unreliable datagrams
	RD  = "RD"  // verbs, reliable datagrams
	TCP = "TCP" // a raw socket
	UDP = "UDP" // a raw socket
)

// RawOf names the raw socket below a kind of queue pair.
func RawOf(kind string) string {
	if kind == RC {
		return TCP
	}
	return UDP
}

// typeOf returns the type of queue pair of a kind; zero for raw sockets.
func typeOf(kind string) verbs.Type {
	return map[string]verbs.Type{RC: verbs.RC, UD: verbs.UD, RD: verbs.RD}[kind]
}

// Way describes one way between the two processes. Both ends open it with the same description.
type Way struct {
	Kind      string `json:"kind"`
	QPs       int    `json:"qps"`
	TxDepth   int    `json:"tx_depth"`
	RxDepth   int    `json:"rx_depth"`
	Inline    int    `json:"inline,omitempty"`
	MaxSize   int    `json:"max_size"` // bytes of the longest message
	NoCRC     bool   `json:"no_crc,omitempty"`
	Markers   bool   `json:"markers,omitempty"` // in the stream of RC, as the standard has them by default
	NoOffload bool   `json:"no_offload,omitempty"`
	Share     bool   `json:"share,omitempty"`    // datagram queue pairs share a socket
	Datagram  int    `json:"datagram,omitempty"` // longest UDP payload; 0: what fits the interface's MTU
}

// Limits of a way and a batch, so that a mistyped option or a strange peer ends in a message and not in a dead host.
const (
	MaxQPs        = 4096
	MaxDepth      = 16384
	MaxInline     = 4096
	MaxSize       = 1 << 30
	MaxIterations = 10_000_000
	maxWayMemory  = 2 << 30
)

// Name says what the way is, for tables.
func (w Way) Name() string {
	name := w.Kind
	switch {
	case typeOf(w.Kind) == 0:
		return "raw " + name
	case w.NoCRC:
		return name + " without CRC"
	case w.Markers:
		return name + " with markers"
	}
	return name
}

// check refuses what no endpoint can be made from.
func (w Way) check() error {
	if !slices.Contains([]string{RC, UD, RD, TCP, UDP}, w.Kind) {
		return fmt.Errorf("there is no way of kind %q", w.Kind)
	}
	for _, n := range []struct {
		what      string
		v, lo, hi int
	}{
		{"queue pairs", w.QPs, 1, MaxQPs}, {"tx depth", w.TxDepth, 1, MaxDepth}, {"rx depth", w.RxDepth, 8, MaxDepth},
		{"inline size", w.Inline, 0, MaxInline}, {"message size", w.MaxSize, 0, MaxSize}, {"datagram size", w.Datagram, 0, LongestDatagram},
	} {
		if n.v < n.lo || n.v > n.hi {
			return fmt.Errorf("%s %d is not from %d to %d", n.what, n.v, n.lo, n.hi)
		}
	}
	if w.QPs > 1 && typeOf(w.Kind) == 0 {
		return fmt.Errorf("a way of kind %s has one socket, not %d", w.Kind, w.QPs)
	}
	return nil
}

// Batch is one timed loop on a way.
type Batch struct {
	Op         verbs.Op `json:"op"`
	Shape      Shape    `json:"shape"`
	Both       bool     `json:"both,omitempty"` // Stream: both directions at once
	QPs        int      `json:"qps"`            // how many of the way's queue pairs
	Size       int      `json:"size"`
	Iterations int      `json:"iterations"`        // PingPong: exchanges; Stream: messages of each sender, over all queue pairs
	Warmup     int      `json:"warmup"`            // PingPong: exchanges before the clock starts
	InTurn     bool     `json:"in_turn,omitempty"` // PingPong: queue pair after queue pair instead of all at once
	Seed       uint64   `json:"seed"`              // of the data
}

// check refuses a batch that does not fit the way.
func (b Batch) check(w Way) error {
	switch {
	case b.Op != verbs.Send && b.Op != verbs.Write && b.Op != verbs.Read:
		return fmt.Errorf("no test of operation %v", b.Op)
	case b.Op != verbs.Send && typeOf(w.Kind) == 0:
		return fmt.Errorf("raw sockets only send, they do not %v", b.Op)
	case b.Shape != PingPong && b.Shape != Stream:
		return fmt.Errorf("no batch of shape %q", b.Shape)
	case b.QPs < 1 || b.QPs > w.QPs:
		return fmt.Errorf("%d queue pairs are not from 1 to %d", b.QPs, w.QPs)
	case b.Size < 0 || b.Size > w.MaxSize:
		return fmt.Errorf("message size %d is not from 0 to %d", b.Size, w.MaxSize)
	case b.Size == 0 && (b.Op != verbs.Send || b.Shape == Stream || typeOf(w.Kind) == 0):
		return fmt.Errorf("a message of 0 bytes is for the latency of Send only")
	case b.Iterations < 1 || b.Iterations > MaxIterations || b.Warmup < 0 || b.Warmup > MaxIterations:
		return fmt.Errorf("%d iterations and %d to warm up are not from 1 to %d", b.Iterations, b.Warmup, MaxIterations)
	case b.Op == verbs.Write && w.Kind == UD && b.Shape == Stream:
		return fmt.Errorf("a UD Write arrives unannounced, so nobody can count it: measure Send on UD")
	}
	return nil
}
