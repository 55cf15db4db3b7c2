package munge

import (
	"fmt"
	"io"
	"net"
	"time"
)

// Socket is where the daemon listens, if nobody has told it otherwise.
const Socket = "/run/munge/munge.socket.2"

// limit is how long the daemon may take to answer.
const limit = 10 * time.Second

// PayloadMax is the most bytes that Encode takes.
const PayloadMax = 8 << 10

// Daemon is a munge daemon, by the path of its socket.
type Daemon string

// Encode seals payload so that the user with this number alone can open it, once on each host, within minutes.
func (d Daemon) Encode(payload []byte, uid uint32) (credential string, err error) {
	if len(payload) > PayloadMax {
		return "", fmt.Errorf("munge takes %d bytes here, not %d", PayloadMax, len(payload))
	}
	reply, err := d.ask(encodeRequest, encodeReply, sealing(payload, uid))
	if err != nil {
		return "", err
	}
	sealed, err := parseSealed(reply)
	return string(sealed), err
}

// Decode opens a credential and tells who made it. A credential opens once.
func (d Daemon) Decode(credential string) (payload []byte, uid uint32, err error) {
	sealed := append([]byte(credential), 0) // as a string of C
	reply, err := d.ask(decodeRequest, decodeReply, appendBytes(nil, sealed))
	if err != nil {
		return nil, 0, err
	}
	return parseOpened(reply)
}

// ask has one question answered. The daemon closes the connection after it, and knows by the socket who asks.
func (d Daemon) ask(question, answer byte, b []byte) ([]byte, error) {
	conn, err := net.DialTimeout("unix", string(d), limit)
	if err != nil {
		return nil, fmt.Errorf("no munge daemon answers here: %w", err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(limit)); err != nil {
		return nil, err
	}
	if _, err := conn.Write(message(question, 0, b)); err != nil {
		return nil, fmt.Errorf("munge: %w", err)
	}
	head := make([]byte, headSize)
	if _, err := io.ReadFull(conn, head); err != nil {
		return nil, fmt.Errorf("munge does not answer: %w", err)
	}
	n, err := bodyLength(head, answer)
	if err != nil {
		return nil, err
	}
	reply := make([]byte, n)
	if _, err := io.ReadFull(conn, reply); err != nil {
		return nil, fmt.Errorf("munge does not answer: %w", err)
	}
	return reply, nil
}
