package perf

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/verbs"
)

func TestKeysMustAgree(t *testing.T) {
	for name, c := range map[string]struct {
		server, client string
		want           string
	}{
		"none":        {"", "", ""},
		"the same":    {"0123456789abcdef", "0123456789abcdef", ""},
		"another":     {"0123456789abcdef", "0123456789abcdeX", "different keys"},
		"server only": {"0123456789abcdef", "", "wants a key"},
		"client only": {"", "0123456789abcdef", "has no key"},
	} {
		t.Run(name, func(t *testing.T) {
			server := startServer(t, &Server{Local: Local{Open: noDevice, Gentle: true, Key: []byte(c.server)}})
			s, err := Dial(t.Context(), server, netip.Addr{}, "test", Local{Open: noDevice, Gentle: true, Key: []byte(c.client)})
			if s != nil {
				defer s.Close()
			}
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// A client that claims to know the key but does not must get nothing from the server.
func TestServerWantsProof(t *testing.T) {
	server := startServer(t, &Server{Local: Local{Open: noDevice, Gentle: true, Key: []byte("0123456789abcdef")}})
	conn, err := net.Dial("tcp", server)
	if err != nil {
		t.Fatal(err)
	}
	c := newControl(conn, true)
	defer c.close()
	if err := c.say(message{Say: sayHello, Hello: &hello{Version: controlVersion, Keyed: true, Nonce: newNonce()}}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.expect(sayHello, patience); err != nil {
		t.Fatal(err)
	}
	if err := c.say(message{Say: sayProof, Hello: &hello{Proof: make([]byte, 32)}}); err != nil {
		t.Fatal(err)
	}
	var remote *RemoteError
	if _, err := c.take(patience); !errors.As(err, &remote) || !strings.Contains(remote.Text, "different keys") {
		t.Errorf("got %v", err)
	}
}

func TestServerSurvivesStrangers(t *testing.T) {
	server := startServer(t, &Server{Local: Local{Open: noDevice, Gentle: true}})
	for _, text := range []string{"", "GET / HTTP/1.0\r\n\r\n", string(frame(`{"say":"run","batch":{}}`)), "\x00\x00\x00\x08{\"say"} {
		conn, err := net.Dial("tcp", server)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = conn.Write([]byte(text)) // it may hang up at any time
		conn.Close()
	}
	if way, err := dial(t, server, Local{Open: noDevice, Gentle: true}).Open(tcpWay); err != nil || way != 0 {
		t.Errorf("way %d, %v", way, err)
	}
}

var tcpWay = Way{Kind: TCP, QPs: 1, TxDepth: 8, RxDepth: 16, MaxSize: 4096}

func TestServerIsBusy(t *testing.T) {
	server := startServer(t, &Server{Local: Local{Open: noDevice, Gentle: true}})
	first := dial(t, server, Local{Open: noDevice, Gentle: true})
	_, err := Dial(t.Context(), server, netip.Addr{}, "test", Local{Open: noDevice, Gentle: true})
	if err == nil || !strings.Contains(err.Error(), "busy") {
		t.Errorf("second client: %v", err)
	}
	first.Close()
	dial(t, server, Local{Open: noDevice, Gentle: true})
}

func TestServerOfOneTest(t *testing.T) {
	server := &Server{Local: Local{Open: noDevice, Gentle: true}, Test: "send_lat", Bind: netip.AddrPortFrom(loopback, 0)}
	address, ended := make(chan string, 1), make(chan error, 1)
	server.On = func(a net.Addr) { address <- a.String() }
	go func() { ended <- server.Serve(t.Context()) }()
	at := <-address
	s, err := Dial(t.Context(), at, netip.Addr{}, "send_bw", Local{Open: noDevice, Gentle: true})
	if err == nil {
		_, err = s.Open(tcpWay)
		s.Close()
	}
	if err == nil || !strings.Contains(err.Error(), "another test") {
		t.Errorf("the wrong test: %v", err)
	}
	if s, err = Dial(t.Context(), at, netip.Addr{}, "send_lat", Local{Open: noDevice, Gentle: true}); err != nil {
		t.Fatal(err)
	}
	s.Close()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(patience):
		t.Error("the server goes on after its client has left")
	}
}

// strangers connect to a server, each in his own way, and stay until the test ends if they can.
func strangers(t *testing.T, server string, n int) {
	t.Helper()
	ways := []func(net.Conn){
		func(net.Conn) {}, // silent
		func(c net.Conn) { c.Close() },
		func(c net.Conn) { _, _ = c.Write([]byte("GET / HTTP/1.0\r\n\r\n")) },
		func(c net.Conn) { _, _ = c.Write([]byte{0, 15}) },
		func(c net.Conn) {
			_ = writeMessage(c, message{Say: sayHello, Hello: &hello{Version: controlVersion, Test: "send_lat", Nonce: newNonce()}})
		},
	}
	for i := range n {
		conn, err := net.Dial("tcp", server)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		ways[i%len(ways)](conn)
	}
}

// Whoever connects without being a client neither ends a server of one test nor keeps its client out.
func TestServerIsNotEndedByStrangers(t *testing.T) {
	for name, key := range map[string]string{"open": "", "with a key": "0123456789abcdef"} {
		t.Run(name, func(t *testing.T) {
			local := Local{Open: noDevice, Gentle: true, Key: []byte(key)}
			server := &Server{Local: local, Test: "send_lat", Bind: netip.AddrPortFrom(loopback, 0)}
			address, ended := make(chan string, 1), make(chan error, 1)
			server.On = func(a net.Addr) { address <- a.String() }
			go func() { ended <- server.Serve(t.Context()) }()
			at := <-address
			strangers(t, at, 2*doorstepRoom)
			s, err := Dial(t.Context(), at, netip.Addr{}, "send_lat", local)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.Open(tcpWay); err != nil {
				t.Error(err)
			}
			strangers(t, at, 10)
			if _, err := Dial(t.Context(), at, netip.Addr{}, "send_lat", local); err == nil || !strings.Contains(err.Error(), "busy") {
				t.Errorf("second client: %v", err)
			}
			s.Close()
			if err := <-ended; err != nil {
				t.Error(err)
			}
		})
	}
}

// Before the greeting is over a stranger gets no memory: what is longer than a greeting is not read.
func TestServerReadsGreetingsOnly(t *testing.T) {
	server := startServer(t, &Server{Local: Local{Open: noDevice, Gentle: true}})
	conn, err := net.Dial("tcp", server)
	if err != nil {
		t.Fatal(err)
	}
	c := newControl(conn, true)
	defer c.close()
	if _, err := conn.Write([]byte{0, 0, 0x10, 1}); err != nil { // one byte more than a greeting may have
		t.Fatal(err)
	}
	var remote *RemoteError
	if _, err := c.take(patience); !errors.As(err, &remote) || !strings.Contains(remote.Text, "not from weft verbs") {
		t.Errorf("got %v", err)
	}
}

// liar changes a byte of what it sends after the pattern was written.
type liar struct{ *tcpEnd }

func (l liar) prepare(b Batch, leads bool) error {
	err := l.tcpEnd.prepare(b, leads)
	l.send[b.Size/2] ^= 1
	return err
}

func TestWrongDataIsAnError(t *testing.T) {
	server := startServer(t, &Server{Local: Local{Open: noDevice, Gentle: true}})
	for _, shape := range []Shape{PingPong, Stream} {
		s := dial(t, server, Local{Open: noDevice, Gentle: true})
		way, err := s.Open(tcpWay)
		if err != nil {
			t.Fatal(err)
		}
		s.ends[way] = liar{s.ends[way].(*tcpEnd)}
		_, err = s.Run(way, Batch{Op: verbs.Send, Shape: shape, QPs: 1, Size: 100, Iterations: 10})
		if err == nil || !strings.Contains(err.Error(), "byte 50 of 100") {
			t.Errorf("%s: %v", shape, err)
		}
		s.Close()
	}
}

// silent never answers.
type silent struct{ *tcpEnd }

func (silent) follow(Batch) (tally, error) { return tally{}, errors.New("out of order") }

func TestInterruptedInTheMiddleOfABatch(t *testing.T) {
	server := startServer(t, &Server{Local: Local{Open: noDevice, Gentle: true}})
	ctx, cancel := context.WithCancel(t.Context())
	s, err := Dial(ctx, server, netip.Addr{}, "test", Local{Open: noDevice, Gentle: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	way, err := s.Open(tcpWay)
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(20*time.Millisecond, cancel)
	if _, err := s.Run(way, Batch{Op: verbs.Send, Shape: PingPong, QPs: 1, Size: 1, Iterations: MaxIterations}); err == nil {
		t.Error("a cancelled batch succeeded")
	}
}

func TestFailureOfTheServerEndsTheBatch(t *testing.T) {
	mine, theirs := net.Pipe()
	c := newControl(theirs, true)
	broken := &served{c: c, ends: []end{silent{&tcpEnd{spin: spin{c: c}, send: make([]byte, 8), recv: make([]byte, readAhead+1)}}}, ways: []Way{tcpWay}}
	ended := make(chan error, 1)
	go func() { ended <- broken.loop() }()
	client := newControl(mine, true)
	defer client.close()
	defer c.close()
	b := Batch{Op: verbs.Send, Shape: PingPong, QPs: 1, Size: 8, Iterations: 1}
	if err := client.say(message{Say: sayRun, Batch: &b}); err != nil {
		t.Fatal(err)
	}
	if _, err := client.expect(sayReady, patience); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err == nil || err.Error() != "out of order" {
		t.Errorf("the server ended with %v", err)
	}
}

func TestNobodyListens(t *testing.T) {
	if _, err := Dial(t.Context(), "127.0.0.1:1", netip.Addr{}, "test", Local{Open: noDevice, Gentle: true}); err == nil || !strings.Contains(err.Error(), "--server") {
		t.Errorf("got %v", err)
	}
}
