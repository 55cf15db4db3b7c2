package perf

import (
	"fmt"
	"net/netip"
	"time"

	"github.com/weft-mpi/weft/internal/socket"
)

// tcpEnd is one end of a raw TCP connection: what is left when nothing is between the program and the socket. It
// spins on non-blocking calls, one send per message, and reads into one buffer.
type tcpEnd struct {
	spin
	at   netip.Addr
	lis  *socket.Listener
	conn *socket.Conn
	send []byte
	recv []byte // a whole number of messages
	ring int    // bytes of recv in use for the prepared batch
	got  int    // bytes read in this batch
}

// readAhead is how much one read may bring when messages are short.
const readAhead = 256 * kib

func newTCPEnd(w Way, at netip.Addr, c *control) (*tcpEnd, error) {
	room := max(w.MaxSize, 1)
	return &tcpEnd{spin: spin{c: c}, at: at, send: make([]byte, room), recv: make([]byte, max(room, readAhead)+1)}, nil
}

func (e *tcpEnd) listen() (err error) {
	e.lis, err = socket.Listen(netip.AddrPortFrom(e.at, 0), 1)
	return err
}

func (e *tcpEnd) place() place {
	if e.lis == nil {
		return place{}
	}
	return place{Listen: e.lis.Addr()}
}

func (e *tcpEnd) connect(to place, leads bool) (err error) {
	step := func() error { e.conn, err = e.lis.Accept(); return err }
	if leads {
		if e.conn, err = socket.Dial(e.at, to.Listen); err != nil {
			return err
		}
		step = e.conn.Connected
	}
	for limit := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		err = step()
		if err != socket.ErrAgain {
			break
		}
		if e.c.called() || time.Now().After(limit) {
			return errCalled
		}
	}
	if err != nil {
		return err
	}
	return e.conn.SetNoDelay(true)
}

func (e *tcpEnd) prepare(b Batch, leads bool) error {
	mine := followSeed(b.Seed)
	if leads {
		mine = leadSeed(b.Seed)
	}
	fill(e.send[:b.Size], mine)
	clear(e.recv)
	e.ring, e.got = b.Size, 0
	if b.Shape == Stream {
		e.ring = b.Size * max(1, readAhead/b.Size)
	}
	return nil
}

// put sends all of b, in one call unless the socket is full.
func (e *tcpEnd) put(b []byte) error {
	for {
		n, err := e.conn.Send(b, false)
		b = b[n:]
		switch {
		case len(b) == 0 && err == nil:
			return nil
		case err == nil:
		case err != socket.ErrAgain:
			return fmt.Errorf("raw TCP: %w", err)
		default:
			if err := e.idle(); err != nil {
				return err
			}
		}
	}
}

// get reads one message of a PingPong; it tells false when the peer said stop instead.
func (e *tcpEnd) get(size int, leads bool) (bool, error) {
	for at := 0; at < size; {
		n, err := e.conn.Recv(e.recv[at:size])
		if err == nil {
			at += n
			e.spin.reset()
			continue
		}
		if err != socket.ErrAgain {
			return false, fmt.Errorf("raw TCP: %w", err)
		}
		e.rest()
		if !leads && e.c.called() {
			return false, nil
		}
		if leads {
			if err := e.idle(); err != nil {
				return false, err
			}
		}
	}
	e.got += size
	return true, nil
}

func (e *tcpEnd) lead(b Batch, times []int64) (tally, error) {
	if b.Shape == Stream {
		return e.stream(b, true)
	}
	last := int64(0)
	for i := -b.Warmup; i < len(times); i++ {
		if i == 0 {
			last = now()
		}
		if err := e.put(e.send[:b.Size]); err != nil {
			return tally{}, err
		}
		if _, err := e.get(b.Size, true); err != nil {
			return tally{}, err
		}
		if i >= 0 {
			at := now()
			times[i] = at - last
			last = at
		}
	}
	return tally{Received: e.got / b.Size}, e.c.say(message{Say: sayStop})
}

func (e *tcpEnd) follow(b Batch) (tally, error) {
	if b.Shape == Stream {
		return e.stream(b, false)
	}
	for {
		more, err := e.get(b.Size, false)
		if err != nil || !more {
			return tally{Received: e.got / b.Size}, err
		}
		if err := e.put(e.send[:b.Size]); err != nil {
			return tally{}, err
		}
	}
}

// tcpStream is the state of one end of a stream. Each direction carries the data, if that end sends, and one byte
// more, when that end has received everything: the acknowledgement that stops the peer's clock.
type tcpStream struct {
	total   int // bytes to send and to expect
	sent    int
	sends   bool
	gets    bool
	ackSent bool
	waits   bool // for the first byte of the peer
	ackWant int  // bytes to have read when the acknowledgement is there
}

func (e *tcpEnd) stream(b Batch, leads bool) (tally, error) {
	s := tcpStream{total: b.Size * b.Iterations, sends: leads || b.Both, gets: !leads || b.Both}
	if s.gets {
		s.ackWant = s.total
	}
	if s.sends {
		s.ackWant++
	}
	start := now()
	s.waits = b.Both && !leads // both senders start together: see endpoint.begin
	for e.got < s.ackWant || s.gets && !s.ackSent || s.sends && s.sent < s.total {
		moved, err := e.streamSend(&s, b.Size)
		if err == nil {
			err = e.streamRecv(&s, b, &moved)
		}
		if s.waits && e.got > 0 {
			s.waits, start = false, now()
		}
		if err == nil && moved {
			e.spin.reset()
		} else if err == nil {
			e.rest()
			if err = e.idle(); err == errCalled && !leads && !e.c.gone.Load() {
				err = nil
			}
		}
		if err != nil {
			return tally{}, err
		}
	}
	t := tally{Elapsed: now() - start}
	if s.sends {
		t.Sent = b.Iterations
	}
	if s.gets {
		t.Received = b.Iterations
	}
	if leads {
		return t, e.c.say(message{Say: sayStop})
	}
	for !e.c.called() { // the client has its acknowledgement and says stop next
		e.rest()
		if err := e.idle(); err != nil && err != errCalled {
			return t, err
		}
	}
	return t, nil
}

// streamSend makes one send call, if there is something to send.
func (e *tcpEnd) streamSend(s *tcpStream, size int) (bool, error) {
	var part []byte
	switch at := s.sent % size; {
	case s.waits:
		return false, nil
	case s.sends && s.sent < s.total:
		part = e.send[at:size]
	case s.gets && !s.ackSent && e.got >= s.total:
		part = e.send[:1]
	default:
		return false, nil
	}
	n, err := e.conn.Send(part, false)
	if err == socket.ErrAgain {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("raw TCP: %w", err)
	}
	if s.sends && s.sent < s.total {
		s.sent += n
	} else {
		s.ackSent = true
	}
	return true, nil
}

// streamRecv makes one receive call. The acknowledgement goes behind the data, where it disturbs no check.
func (e *tcpEnd) streamRecv(s *tcpStream, b Batch, moved *bool) error {
	if e.got >= s.ackWant {
		return nil
	}
	into := e.recv[e.ring : e.ring+1]
	if s.gets && e.got < s.total {
		at := e.got % e.ring
		into = e.recv[at:min(e.ring, at+s.total-e.got)]
	}
	n, err := e.conn.Recv(into)
	switch {
	case err == socket.ErrAgain:
		return nil
	case err != nil:
		return fmt.Errorf("raw TCP: %w", err)
	}
	e.got += n
	*moved = true
	return nil
}

func (e *tcpEnd) check(b Batch, leads bool) error {
	theirs := leadSeed(b.Seed)
	if leads {
		theirs = followSeed(b.Seed)
	}
	if b.Shape == Stream && leads && !b.Both {
		return nil
	}
	return verify(e.recv[:b.Size], theirs)
}

func (e *tcpEnd) close() error {
	var err error
	if e.lis != nil {
		err = e.lis.Close()
	}
	if e.conn != nil {
		err = e.conn.Close()
	}
	return err
}
