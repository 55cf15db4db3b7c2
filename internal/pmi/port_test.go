package pmi

import (
	"errors"
	"io"
	"net"
	"strings"
	"testing"
)

// managerAt listens and answers the first who comes with some text.
func managerAt(t *testing.T, answer string) (address string, heard <-chan string) {
	t.Helper()
	door, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { door.Close() })
	said := make(chan string, 1)
	go func() {
		conn, err := door.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		line := make([]byte, 100)
		n, _ := conn.Read(line)
		said <- string(line[:n])
		_, _ = io.WriteString(conn, answer)
		_, _ = io.Copy(io.Discard, conn) // until the other end hangs up
	}()
	return door.Addr().String(), said
}

func TestDial(t *testing.T) {
	const ack = "cmd=initack\n"
	for answer, want := range map[string]error{
		ack + "cmd=set size=4\ncmd=set rank=3\ncmd=set debug=0\n":           nil,
		ack + "cmd=set size=4\ncmd=set rank=4\ncmd=set debug=0\n":           ErrLine,
		ack + "cmd=set size=0\ncmd=set rank=0\ncmd=set debug=0\n":           ErrLine,
		ack + "cmd=set size=4\ncmd=set rank=-1\ncmd=set debug=0\n":          ErrLine,
		ack + "cmd=set rank=3\ncmd=set size=4\ncmd=set debug=0\n":           ErrLine,
		ack + "cmd=set size=4\ncmd=set rank=3\ncmd=set debug=0\ncmd=more\n": ErrLine,
		ack + "cmd=kill\n": ErrLine,
		"cmd=set size=4\n": ErrLine,
		"hello\n":          ErrLine,
	} {
		address, heard := managerAt(t, answer)
		conn, rank, size, err := Dial(address, "3")
		if said := <-heard; said != "cmd=initack pmiid=3\n" {
			t.Fatalf("said %q", said)
		}
		if !errors.Is(err, want) || err == nil && (rank != 3 || size != 4) {
			t.Errorf("%q: rank %d of %d, %v", answer, rank, size, err)
		}
		if conn != nil {
			conn.Close()
		}
	}
	if _, _, _, err := Dial("127.0.0.1:1", "0"); err == nil || !strings.Contains(err.Error(), "127.0.0.1:1") {
		t.Errorf("nobody listens: %v", err)
	}
}
