package perf

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"
)

// patience is how long either end waits for the other before it gives up.
const patience = 10 * time.Second

// control is one end of the control connection. Messages are read by a goroutine of its own, so that a measuring loop
// learns by a single atomic load that the peer has something to say or has left.
type control struct {
	conn    net.Conn
	in      chan message
	known   atomic.Bool  // the greeting is over
	waiting atomic.Int32 // messages in the channel, plus one when the connection has ended
	gone    atomic.Bool  // the connection has ended
	gentle  bool         // Local.Gentle
	failure error        // why; valid once in is closed
	closing sync.Once
	closed  chan struct{} // lets the reader go
}

// newControl takes over a connection.
func newControl(conn net.Conn, gentle bool) *control {
	c := &control{conn: conn, in: make(chan message, 16), gentle: gentle, closed: make(chan struct{})}
	go c.read()
	return c
}

func (c *control) read() {
	for {
		m, err := readMessage(c.conn, c.longest)
		if err != nil {
			c.failure = err
			c.gone.Store(true)
			c.waiting.Add(1)
			close(c.in)
			return
		}
		c.waiting.Add(1)
		select {
		case c.in <- m:
		case <-c.closed:
			return // nobody takes it any more
		}
	}
}

// longest is how many bytes the next message may have.
func (c *control) longest() uint32 {
	if c.known.Load() {
		return maxMessage
	}
	return maxGreeting
}

// called tells whether the peer has said something that was not taken yet, or has left.
func (c *control) called() bool { return c.waiting.Load() > 0 }

// say sends a message.
func (c *control) say(m message) error {
	if err := c.conn.SetWriteDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	if err := writeMessage(c.conn, m); err != nil {
		return fmt.Errorf("control connection to %v: %w", c.conn.RemoteAddr(), err)
	}
	return nil
}

// errLeft is a peer that closed the control connection.
var errLeft = errors.New("the other end has left")

// take waits for the next message.
func (c *control) take(limit time.Duration) (message, error) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case m, ok := <-c.in:
		if !ok {
			err := c.failure
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) {
				err = errLeft
			}
			return message{}, fmt.Errorf("control connection to %v: %w", c.conn.RemoteAddr(), err)
		}
		c.waiting.Add(-1)
		if m.Say == sayError {
			return m, &RemoteError{Host: c.conn.RemoteAddr().String(), Text: m.Error}
		}
		return m, nil
	case <-timer.C:
		return message{}, fmt.Errorf("no answer from %v for %v", c.conn.RemoteAddr(), limit)
	}
}

// expect waits for a message of one kind.
func (c *control) expect(want word, limit time.Duration) (message, error) {
	m, err := c.take(limit)
	if err == nil && m.Say != want {
		err = fmt.Errorf("%v answered %q where %q was expected", c.conn.RemoteAddr(), m.Say, want)
	}
	return m, err
}

// close ends the connection; the reader leaves by itself.
func (c *control) close() {
	c.closing.Do(func() { close(c.closed) })
	_ = c.conn.Close() // nothing can be done about a failure, nor need it be
}

// RemoteError is what the other end said went wrong there.
type RemoteError struct{ Host, Text string }

func (e *RemoteError) Error() string { return e.Host + ": " + e.Text }

// localAddr is the address of this end: the interface through which the peer is reached.
func localAddr(conn net.Conn) netip.Addr {
	tcp, ok := conn.LocalAddr().(*net.TCPAddr)
	if !ok {
		return netip.Addr{}
	}
	return tcp.AddrPort().Addr().Unmap()
}
