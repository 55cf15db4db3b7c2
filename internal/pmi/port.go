package pmi

import (
	"context"
	"fmt"
	"net"
	"time"
)

// dialLimit is how long a manager may take to answer at its port.
const dialLimit = 30 * time.Second

// Dial joins the manager that listens at an address (PMI_PORT) as the process that it knows by a name (PMI_ID). It
// answers what others have in their environment: the rank, and how many there are. The connection is for NewClient.
func Dial(address, id string) (conn net.Conn, rank, size int, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), dialLimit)
	defer cancel()
	conn, err = new(net.Dialer).DialContext(ctx, "tcp", address)
	if err == nil {
		rank, size, err = introduce(conn, id)
	}
	if err != nil {
		if conn != nil {
			_ = conn.Close()
		}
		return nil, 0, 0, fmt.Errorf("the process manager at %s: %w", address, err)
	}
	return conn, rank, size, nil
}

// introduce says who we are, and reads the manager's acknowledgement and the lines that set a number each.
func introduce(conn net.Conn, id string) (rank, size int, err error) {
	line, err := AppendMessage(nil, NewMessage("initack", "pmiid", id))
	if err != nil {
		return 0, 0, err
	}
	if err := conn.SetDeadline(time.Now().Add(dialLimit)); err != nil {
		return 0, 0, err
	}
	if _, err := conn.Write(line); err != nil {
		return 0, 0, err
	}
	in := NewReader(conn)
	if m, err := in.Next(); err != nil || m.Cmd != "initack" {
		return 0, 0, unexpected("cmd=initack", m, err)
	}
	for _, n := range []struct {
		name string
		to   *int
	}{{"size", &size}, {"rank", &rank}, {"debug", new(int)}} {
		m, err := in.Next()
		if err == nil && m.Cmd == "set" {
			*n.to, err = m.Int(n.name)
		}
		if err != nil || m.Cmd != "set" {
			return 0, 0, unexpected("cmd=set "+n.name+"=", m, err)
		}
	}
	switch {
	case in.lines.Buffered() > 0:
		return 0, 0, fmt.Errorf("%w: it says more than it was asked", ErrLine)
	case size < 1 || rank < 0 || rank >= size:
		return 0, 0, fmt.Errorf("%w: we are to be rank %d of %d", ErrLine, rank, size)
	}
	return rank, size, conn.SetDeadline(time.Time{})
}

// unexpected says that another line has come than one of the manager's to a process that introduces itself, or none.
func unexpected(want string, m Message, err error) error {
	if err != nil {
		return fmt.Errorf("waiting for %s: %w", want, err)
	}
	return fmt.Errorf("%w: cmd=%s has come, and not %s", ErrLine, clip(m.Cmd), want)
}
