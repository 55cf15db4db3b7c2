package perf

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"sync/atomic"
	"time"
)

// Server serves clients one after the other: whoever comes while another is served is told so and
// sent away. Connections that do not greet as clients do, or do not prove to know the key, keep
// nobody out.
type Server struct {
	Local
	Bind netip.AddrPort // where to wait for clients
	Test string         // serve only this test, once; empty: any test, until the context ends
	Log  func(string)   // told of clients and failures; may be nil
	On   func(net.Addr) // told the address once the server can be reached; may be nil

	busy     atomic.Bool
	doorstep doorstep
}

// clientIdle is how long a client may say nothing between two commands.
const clientIdle = time.Minute

// maxWays is how many ways one session may have open.
const maxWays = 16

// Serve waits for clients until ctx ends, or until the one of a single test has left.
func (s *Server) Serve(ctx context.Context) error {
	lis, err := net.ListenTCP("tcp", net.TCPAddrFromAddrPort(s.Bind))
	if err != nil {
		return err
	}
	defer lis.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends connections that are still greeting
	defer context.AfterFunc(ctx, func() { _ = lis.Close() })()
	if s.On != nil {
		s.On(lis.Addr())
	}
	ended := make(chan error, 1)
	for {
		conn, err := lis.Accept()
		if err != nil {
			select {
			case err = <-ended: // the session that was the last one
			default:
				if ctx.Err() != nil {
					err = nil
				}
			}
			return err
		}
		s.doorstep.enter(conn)
		go func() {
			began, err := s.serve(ctx, conn)
			switch {
			case began && s.Test != "":
				ended <- err // once: the server stays busy
				_ = lis.Close()
			case began:
				s.busy.Store(false)
			}
		}()
	}
}

// occupy makes the server busy. A client that is just leaving gets a moment to do so.
func (s *Server) occupy() bool {
	for range 100 {
		if s.busy.CompareAndSwap(false, true) {
			return true
		}
		time.Sleep(5 * time.Millisecond)
	}
	return false
}

func (s *Server) log(format string, args ...any) {
	if s.Log != nil {
		s.Log(fmt.Sprintf(format, args...))
	}
}

// serve is one connection. began tells whether it became a session, which made the server busy.
func (s *Server) serve(ctx context.Context, conn net.Conn) (began bool, err error) {
	c := newControl(conn, s.Gentle)
	defer c.close()
	defer context.AfterFunc(ctx, c.close)()
	if err = s.admit(c); err == nil {
		began = true
		session := &served{c: c, at: localAddr(conn), open: s.Open}
		defer session.close()
		err = session.loop()
	}
	if errors.Is(err, errLeft) || ctx.Err() != nil {
		return began, nil
	}
	s.log("%v: %v", conn.RemoteAddr(), err)
	_ = c.say(message{Say: sayError, Error: err.Error()}) // the client may be gone
	time.Sleep(lastWords)
	return began, err
}

// admit greets a client and makes the server busy with it.
func (s *Server) admit(c *control) error {
	test, err := greetClient(c, hostName(), s.Key)
	s.doorstep.leave(c.conn)
	switch {
	case err != nil:
		return err
	case s.Test != "" && test != s.Test:
		return fmt.Errorf("this server runs another test: %s, not %.20q", s.Test, test)
	case !s.occupy():
		return errors.New("busy with another client; try again later")
	}
	s.log("%v runs %.20q", c.conn.RemoteAddr(), test)
	if err := c.say(message{Say: sayCome}); err != nil {
		s.busy.Store(false)
		return err
	}
	return nil
}

// lastWords is how long the connection stays open after an error, so that the client reads it before the end.
const lastWords = 50 * time.Millisecond

// served is the server's side of a session.
type served struct {
	c    *control
	at   netip.Addr
	open Opener
	ends []end
	ways []Way
}

func (s *served) close() {
	for _, e := range s.ends {
		if e != nil {
			_ = e.close() // the session is over
		}
	}
}

// loop does what the client says until it leaves.
func (s *served) loop() error {
	for {
		m, err := s.c.take(clientIdle)
		if err != nil {
			return err
		}
		switch m.Say {
		case sayOpen:
			err = s.openWay(*m.Way, *m.Place)
		case sayRun:
			err = s.run(m.ID, *m.Batch)
		case sayClose:
			err = s.closeWay(m.ID)
		default:
			err = fmt.Errorf("%q makes no sense here", m.Say)
		}
		if err != nil {
			return err
		}
	}
}

func (s *served) openWay(w Way, client place) error {
	if len(s.ends) >= maxWays {
		return fmt.Errorf("more than %d ways", maxWays)
	}
	e, err := newEnd(w, s.at, s.open, s.c)
	if err != nil {
		return err
	}
	s.ends, s.ways = append(s.ends, e), append(s.ways, w)
	if l, ok := e.(interface{ listen() error }); ok {
		if err := l.listen(); err != nil {
			return err
		}
	}
	here := e.place()
	if err := s.c.say(message{Say: sayPlace, Place: &here}); err != nil {
		return err
	}
	if err := e.connect(client, false); err != nil {
		return err
	}
	return s.c.say(message{Say: sayOpened})
}

func (s *served) way(id int) (end, error) {
	if id < 0 || id >= len(s.ends) || s.ends[id] == nil {
		return nil, fmt.Errorf("there is no way %d", id)
	}
	return s.ends[id], nil
}

func (s *served) run(id int, b Batch) error {
	e, err := s.way(id)
	if err == nil {
		err = b.check(s.ways[id])
	}
	if err == nil {
		err = e.prepare(b, false)
	}
	if err == nil {
		err = s.c.say(message{Say: sayReady})
	}
	if err != nil {
		return err
	}
	t, err := e.follow(b)
	if err != nil {
		return err
	}
	if _, err := s.c.expect(sayStop, patience); err != nil {
		return err
	}
	if err := e.check(b, false); err != nil {
		return err
	}
	return s.c.say(message{Say: sayDone, Tally: &t})
}

func (s *served) closeWay(id int) error {
	e, err := s.way(id)
	if err != nil {
		return err
	}
	s.ends[id] = nil
	if err := e.close(); err != nil {
		return err
	}
	return s.c.say(message{Say: sayClosed})
}
