package perf

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"

	"github.com/weft-mpi/weft/internal/verbs"
)

// Local is what both ends must be told.
type Local struct {
	Open Opener
	Key  []byte // both ends prove to know it; nil: none

	// Gentle has an end sleep for a moment when a poll finds nothing. Its numbers are worthless, but two ends can
	// share a core: for tests.
	Gentle bool
}

// Session is the client's side of a connection to a server. It is used by one goroutine.
type Session struct {
	Peer string // the server's host name
	c    *control
	at   netip.Addr
	open Opener
	ends []end
	ways []Way
	seed uint64
	stop func() bool
}

// Dial connects to a server at host:port, from the interface with address from (invalid: the kernel's choice). When
// ctx ends, whatever the session is doing fails.
func Dial(ctx context.Context, server string, from netip.Addr, test string, local Local) (*Session, error) {
	d := net.Dialer{Timeout: patience}
	if from.IsValid() {
		d.LocalAddr = net.TCPAddrFromAddrPort(netip.AddrPortFrom(from, 0))
	}
	conn, err := d.DialContext(ctx, "tcp", server)
	if err != nil {
		return nil, fmt.Errorf("no server: %w (start one there with: weft verbs --server)", err)
	}
	s := &Session{c: newControl(conn, local.Gentle), at: localAddr(conn), open: local.Open}
	s.stop = context.AfterFunc(ctx, s.c.close)
	if s.Peer, err = greetServer(s.c, test, hostName(), local.Key); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func hostName() string {
	name, err := os.Hostname()
	if err != nil {
		return "a host without a name"
	}
	return name
}

// At is the local address that the session's ways use.
func (s *Session) At() netip.Addr { return s.at }

// Caps tells what the device of a way can do on this end.
func (s *Session) Caps(w Way) (verbs.Caps, error) {
	dev, err := s.open(w, s.at)
	if err != nil {
		return verbs.Caps{}, fmt.Errorf("cannot open the device on %v: %w", s.at, err)
	}
	return dev.Caps(), dev.Close()
}

// Open opens a way and returns its number.
func (s *Session) Open(w Way) (int, error) {
	if _, err := s.openEnds(w, w); err != nil {
		return 0, fmt.Errorf("opening %s: %w", w.Name(), err)
	}
	return len(s.ends) - 1, nil
}

// openEnds opens this end as mine and the server's as theirs; they differ when one queue pair has many peers.
func (s *Session) openEnds(theirs, mine Way) (end, error) {
	if err := errors.Join(mine.check(), theirs.check()); err != nil {
		return nil, err
	}
	e, err := newEnd(mine, s.at, s.open, s.c)
	if err != nil {
		return nil, err
	}
	s.ends, s.ways = append(s.ends, e), append(s.ways, mine)
	here := e.place()
	if err := s.c.say(message{Say: sayOpen, Way: &theirs, Place: &here}); err != nil {
		return nil, err
	}
	m, err := s.c.expect(sayPlace, patience)
	if err != nil {
		return nil, err
	}
	if err := s.because(e.connect(*m.Place, true)); err != nil {
		return nil, err
	}
	_, err = s.c.expect(sayOpened, patience)
	return e, err
}

// because replaces "interrupted by the other end" by what the other end has to say.
func (s *Session) because(err error) error {
	if err == nil || !errors.Is(err, errCalled) {
		return err
	}
	m, reason := s.c.take(patience)
	if reason == nil {
		return fmt.Errorf("%w, which said %q", err, m.Say)
	}
	return reason
}

// Outcome is what one batch gave.
type Outcome struct {
	Times    []int64 // PingPong: nanoseconds of each exchange
	Elapsed  int64   // Stream: nanoseconds until the last message was known to be there
	Messages int     // Stream: that arrived, both directions together
	Lost     int     // datagrams that did not
}

// Run does one batch on a way, with data that no batch before had.
func (s *Session) Run(way int, b Batch) (Outcome, error) {
	if way < 0 || way >= len(s.ends) || s.ends[way] == nil {
		return Outcome{}, fmt.Errorf("there is no way %d", way)
	}
	s.seed++
	b.Seed = s.seed
	out, err := s.run(way, b)
	if err != nil {
		return out, fmt.Errorf("%s, %d bytes: %w", s.ways[way].Name(), b.Size, err)
	}
	return out, nil
}

func (s *Session) run(way int, b Batch) (Outcome, error) {
	if err := b.check(s.ways[way]); err != nil {
		return Outcome{}, err
	}
	e := s.ends[way]
	if err := e.prepare(b, true); err != nil {
		return Outcome{}, err
	}
	if err := s.c.say(message{Say: sayRun, ID: way, Batch: &b}); err != nil {
		return Outcome{}, err
	}
	if _, err := s.c.expect(sayReady, patience); err != nil {
		return Outcome{}, err
	}
	var times []int64
	if b.Shape == PingPong {
		times = make([]int64, b.Iterations)
	}
	mine, err := e.lead(b, times)
	if err := s.because(err); err != nil {
		return Outcome{}, err
	}
	m, err := s.c.expect(sayDone, patience)
	if err != nil {
		return Outcome{}, err
	}
	return b.outcome(mine, *m.Tally, times), e.check(b, true)
}

// outcome joins what the two ends counted.
func (b Batch) outcome(mine, theirs tally, times []int64) Outcome {
	out := Outcome{Times: times, Elapsed: max(mine.Elapsed, theirs.Elapsed)}
	if b.Shape == PingPong {
		return out
	}
	out.Messages = theirs.Received
	if b.Op == verbs.Read {
		out.Messages = mine.Received
	}
	if b.Both {
		out.Messages = mine.Received + theirs.Received
	}
	out.Lost = max(0, mine.Sent+theirs.Sent-out.Messages)
	return out
}

// CloseWay gives a way back.
func (s *Session) CloseWay(way int) error {
	e := s.ends[way]
	s.ends[way] = nil
	if err := s.c.say(message{Say: sayClose, ID: way}); err != nil {
		return err
	}
	_, err := s.c.expect(sayClosed, patience)
	return errors.Join(err, e.close())
}

// Close ends the session.
func (s *Session) Close() {
	if s.stop != nil {
		s.stop()
	}
	for _, e := range s.ends {
		if e != nil {
			_ = e.close() // the measurement is over
		}
	}
	s.c.close()
}
