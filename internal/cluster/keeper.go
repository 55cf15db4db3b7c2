package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// A named cluster is held by a keeper, a process in the background that listens on a socket with the cluster's name.
// The socket has no file, so it too is gone with the process. Only root may talk to it, and it serves one request per
// connection: one value of JSON in, one out.

// Op is what a request asks for.
type Op string

// The requests. All but Show and End name a host; Cut, Heal, Loss and Rate also a rail.
const (
	OpShow  Op = "status"
	OpEnd   Op = "down"
	OpCut   Op = "cut"
	OpHeal  Op = "heal"
	OpLoss  Op = "loss"
	OpRate  Op = "rate"
	OpKill  Op = "kill"
	OpCrash Op = "crash"
	OpBoot  Op = "boot"
)

// Request is one request to a keeper.
type Request struct {
	Op   Op      `json:"op"`
	Host string  `json:"host,omitempty"`
	Rail int     `json:"rail"`
	Loss Percent `json:"loss,omitempty"`
	Rate BitRate `json:"rate,omitempty"`
}

// order is the first thing a keeper reads: what it shall keep.
type order struct {
	Name   string `json:"name"`
	Config Config `json:"config"`
}

// reply is what a keeper answers. Error is empty when all went well; Status is what holds after the request.
type reply struct {
	Error  string `json:"error,omitempty"`
	Status Status `json:"status"`
}

const (
	requestLimit = 64 << 10         // bytes
	requestTime  = 10 * time.Second // to say what is wanted
)

// do carries out a request other than OpEnd.
func (c *Cluster) do(ctx context.Context, r Request) error {
	switch r.Op {
	case OpShow:
		return nil
	case OpCut:
		return c.Cut(r.Host, r.Rail)
	case OpHeal:
		return c.Heal(r.Host, r.Rail)
	case OpLoss:
		return c.Loss(r.Host, r.Rail, r.Loss)
	case OpRate:
		return c.Rate(r.Host, r.Rail, r.Rate)
	case OpKill:
		return c.Kill(r.Host)
	case OpCrash:
		return c.Crash(r.Host)
	case OpBoot:
		return c.Boot(ctx, r.Host)
	}
	return fmt.Errorf("there is no request %q", r.Op)
}

// Keep is the work of a keeper's process: it reads an order from in, makes the cluster, answers on out, waits for the
// one who ordered to confirm on in, and keeps the cluster until somebody asks for its end or ctx ends. When in ends
// before the confirmation, the one who ordered has died, and so does the cluster.
func Keep(ctx context.Context, in io.Reader, out io.Writer) error {
	words := json.NewDecoder(in)
	var o order
	if err := words.Decode(&o); err != nil {
		return fmt.Errorf("a keeper reads an order from its input; use weft cluster up: %w", err)
	}
	ctx, end := context.WithCancel(ctx)
	defer end()
	confirmed := make(chan error, 1)
	go func() {
		err := words.Decode(new(bool))
		if err != nil {
			end()
		}
		confirmed <- err
	}()
	listener, c, err := raiseNamed(ctx, o)
	if err != nil {
		return json.NewEncoder(out).Encode(reply{Error: err.Error()})
	}
	defer c.Down()
	defer listener.Close()
	if err := json.NewEncoder(out).Encode(reply{Status: c.Status()}); err != nil {
		return err
	}
	select {
	case err := <-confirmed:
		if err != nil {
			return err
		}
	case <-ctx.Done():
		return nil
	}
	context.AfterFunc(ctx, func() { listener.Close() })
	return serve(ctx, listener, c, end)
}

// raiseNamed takes the name and makes the cluster.
func raiseNamed(ctx context.Context, o order) (*net.UnixListener, *Cluster, error) {
	listener, err := listen(o.Name)
	if err != nil {
		return nil, nil, err
	}
	c, err := Up(ctx, o.Config)
	if err != nil {
		listener.Close()
		return nil, nil, err
	}
	return listener, c, nil
}

func listen(name string) (*net.UnixListener, error) {
	address, err := socketOf(name)
	if err != nil {
		return nil, err
	}
	listener, err := net.ListenUnix("unix", address)
	if errors.Is(err, unix.EADDRINUSE) {
		return nil, taken(name, address)
	}
	return listener, err
}

// taken says who has the socket of a name.
func taken(name string, address *net.UnixAddr) error {
	conn, err := net.DialUnix("unix", nil, address)
	if err == nil {
		defer conn.Close()
		_, err = peer(conn)
	}
	var other *otherUser
	if errors.As(err, &other) {
		return fmt.Errorf("cluster %q: %w", name, other)
	}
	return fmt.Errorf("there is a cluster %q already; end it with weft cluster down --name %s, or choose another --name", name, name)
}

// serve answers requests until the listener is closed.
func serve(ctx context.Context, listener *net.UnixListener, c *Cluster, end func()) error {
	for {
		conn, err := listener.AcceptUnix()
		if errors.Is(err, net.ErrClosed) {
			return nil
		}
		if err != nil {
			return err
		}
		go answer(ctx, conn, c, end)
	}
}

// answer serves one connection.
func answer(ctx context.Context, conn *net.UnixConn, c *Cluster, end func()) {
	defer conn.Close()
	if _, err := peer(conn); err != nil {
		return
	}
	if err := conn.SetDeadline(time.Now().Add(requestTime)); err != nil {
		return
	}
	var r Request
	err := json.NewDecoder(io.LimitReader(conn, requestLimit)).Decode(&r)
	switch {
	case err != nil:
		err = fmt.Errorf("the request is not understood: %w", err)
	case r.Op == OpEnd:
		c.Down()
		defer end()
	default:
		err = c.do(ctx, r)
	}
	answer := reply{Status: c.Status()}
	if err != nil {
		answer.Error = err.Error()
	}
	if err := conn.SetDeadline(time.Now().Add(requestTime)); err != nil {
		return
	}
	// Who does not read the answer does not get it; there is nobody else to tell.
	_ = json.NewEncoder(conn).Encode(answer)
}

// peer returns the process at the other end of a connection, which must belong to the same user.
func peer(conn *net.UnixConn) (pid int, err error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return 0, err
	}
	var cred *unix.Ucred
	var err2 error
	err = raw.Control(func(fd uintptr) { cred, err2 = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) })
	if err := errors.Join(err, err2); err != nil {
		return 0, err
	}
	if int(cred.Uid) != os.Geteuid() {
		return 0, &otherUser{uid: int(cred.Uid), pid: int(cred.Pid)}
	}
	return int(cred.Pid), nil
}

// otherUser is a process of somebody else at the other end of a connection. Anybody can take the
// name of a socket.
type otherUser struct{ uid, pid int }

func (e *otherUser) Error() string {
	if e.uid == 0 {
		return "it belongs to root; use sudo"
	}
	return fmt.Sprintf("its socket belongs to user %d (process %d), so it is no cluster of yours; have that process ended, or choose another --name",
		e.uid, e.pid)
}
