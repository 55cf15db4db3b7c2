// Package metrics answers HTTP requests for the numbers of a job, as Prometheus makes them.
//
// It owns the listener and the clients: who may ask, how many at a time, for how long. A client that is slow, silent or
// hostile costs its own connection and nothing else. What the numbers are, and how they are come by, it does not know.
package metrics

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Bounds on clients.
const (
	clientsMax  = 16
	headerMax   = 8 << 10
	readLimit   = 5 * time.Second  // for a request to arrive
	answerLimit = 5 * time.Second  // for the numbers to be there
	writeLimit  = 20 * time.Second // for both, and for the answer to be read
)

// path is where the numbers are.
const path = "/metrics"

// Server answers requests.
type Server struct {
	listener net.Listener
	http     *http.Server
	token    []byte
	text     func(context.Context) ([]byte, error)
	slots    chan struct{}

	mu     sync.Mutex
	closed bool
	wg     sync.WaitGroup // the server, and requests that have entered
}

// Listen takes the address: HOST:PORT, or a port of this host's own address 127.0.0.1. One that other hosts can reach
// needs a token, which clients send as "Authorization: Bearer TOKEN". Nobody is answered before Serve.
func Listen(addr string, token []byte) (*Server, error) {
	if !strings.Contains(addr, ":") {
		addr = "127.0.0.1:" + addr
	}
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("metrics at %s: %w; write a port, or HOST:PORT", addr, err)
	}
	if ip := net.ParseIP(host); token == nil && host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("metrics at %s: other hosts could read them; listen at 127.0.0.1, "+
			"or name a file with a token by --metrics-token", addr)
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("metrics: %w", err)
	}
	if at, ok := l.Addr().(*net.TCPAddr); token == nil && (!ok || !at.IP.IsLoopback()) { // localhost may be anything
		l.Close()
		return nil, fmt.Errorf("metrics at %s: that is %v, which other hosts could reach; "+
			"name a file with a token by --metrics-token", addr, l.Addr())
	}
	return &Server{listener: l, token: token, slots: make(chan struct{}, clientsMax)}, nil
}

// URL is where to ask.
func (s *Server) URL() string { return "http://" + s.listener.Addr().String() + path }

// Serve begins to answer. text is called by several goroutines; its context ends when it takes too long.
func (s *Server) Serve(text func(context.Context) ([]byte, error)) {
	s.text = text
	s.http = &http.Server{Handler: http.HandlerFunc(s.answer), ReadTimeout: readLimit, ReadHeaderTimeout: readLimit,
		WriteTimeout: writeLimit, MaxHeaderBytes: headerMax, ErrorLog: log.New(io.Discard, "", 0)}
	s.http.SetKeepAlivesEnabled(false)
	s.wg.Go(func() { _ = s.http.Serve(&bounded{s.listener, s.slots}) })
}

// Close ends all conversations. It may be called on nil, and again.
func (s *Server) Close() {
	if s == nil {
		return
	}
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.listener.Close()
	if s.http != nil {
		_ = s.http.Close()
	}
	s.wg.Wait()
}

// answer is one request.
func (s *Server) answer(w http.ResponseWriter, q *http.Request) {
	if !s.enter() {
		return
	}
	defer s.wg.Done()
	switch {
	case !s.knows(q):
		w.Header().Set("WWW-Authenticate", "Bearer")
		http.Error(w, "a token is needed", http.StatusUnauthorized)
		return
	case s.token == nil && !local(q.Host):
		http.Error(w, "ask for the address itself", http.StatusForbidden)
		return
	case q.URL.Path != path:
		http.Error(w, "the numbers are at "+path, http.StatusNotFound)
		return
	case q.Method != http.MethodGet && q.Method != http.MethodHead:
		http.Error(w, "only GET", http.StatusMethodNotAllowed)
		return
	}
	ctx, cancel := context.WithTimeout(q.Context(), answerLimit)
	defer cancel()
	text, err := s.text(ctx)
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = w.Write(text)
}

// enter has Close wait for a request; false if it does not any more.
func (s *Server) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.wg.Add(1)
	}
	return !s.closed
}

// knows tells whether a request has the token. How long that takes says nothing about it.
func (s *Server) knows(q *http.Request) bool {
	if s.token == nil {
		return true
	}
	given, bearer := strings.CutPrefix(q.Header.Get("Authorization"), "Bearer ")
	a, b := sha256.Sum256([]byte(given)), sha256.Sum256(s.token)
	return bearer && subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// local tells whether a request names an address, or localhost: pages of the web that a browser on this host shows can
// make it ask here, but only by names of theirs.
func local(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return host == "localhost" || net.ParseIP(strings.Trim(host, "[]")) != nil
}

// bounded is a listener with so many connections at a time. Those beyond are closed at once.
type bounded struct {
	net.Listener
	slots chan struct{}
}

// Accept returns the next connection for which there is room.
func (b *bounded) Accept() (net.Conn, error) {
	for {
		conn, err := b.Listener.Accept()
		if err != nil {
			return nil, err
		}
		select {
		case b.slots <- struct{}{}:
			return &slotted{Conn: conn, free: sync.OnceFunc(func() { <-b.slots })}, nil
		default:
			conn.Close()
		}
	}
}

// slotted is a connection that gives its slot back.
type slotted struct {
	net.Conn
	free func()
}

func (c *slotted) Close() error {
	defer c.free()
	return c.Conn.Close()
}
