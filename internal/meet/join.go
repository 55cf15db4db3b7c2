package meet

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Address is where a leader may be.
type Address struct{ Network, Where string }

// Pauses between attempts, and how long one may take to be answered.
const (
	firstPause   = 20 * time.Millisecond
	longestPause = time.Second
	dialLimit    = 2 * time.Second

	// refusedLimit is how long to come again after the leader has said no: it may be about to end, for a program that
	// runs twice in one step.
	refusedLimit = 10 * time.Second
)

// Join finds the leader at one of the addresses and returns the connection to it. It tries all of them again and again
// until limit is over: the leader may start later, and somebody else may listen where it would.
func Join(ctx context.Context, job Job, at []Address, s Secret, limit time.Duration) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var said refusals
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		for _, a := range at {
			c, err := try(ctx, job, a, s)
			if err == nil {
				return c, nil
			}
			if said.note(a, err) {
				return nil, said.last
			}
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("rank %d has not found the leader of job %s within %v: %w", job.Rank, job.Name, limit, said.err(at))
		case <-time.After(pause):
		}
	}
}

// refusals is what attempts have met with.
type refusals struct {
	last   error     // of a leader of this job, or of who may be it; else of anybody
	since  time.Time // when a leader first said no
	weight int
}

// note takes note of an attempt that failed, and tells whether there is no point in another.
func (x *refusals) note(a Address, err error) (hopeless bool) {
	var no *Refused
	weight := 1
	switch {
	case errors.As(err, &no):
		weight = 3
		if x.since.IsZero() {
			x.since = time.Now()
		}
	case !errors.Is(err, unix.ECONNREFUSED) && !errors.Is(err, errOther):
		weight = 2
	}
	if weight >= x.weight {
		x.last, x.weight = fmt.Errorf("%s: %w", a.Where, err), weight
	}
	return !x.since.IsZero() && time.Since(x.since) > refusedLimit
}

func (x *refusals) err(at []Address) error {
	if x.weight > 1 {
		return x.last
	}
	var all []string
	for _, a := range at {
		all = append(all, a.Where)
	}
	return fmt.Errorf("it listens at none of %s", strings.Join(all, ", "))
}

// try greets whoever is at an address.
func try(ctx context.Context, job Job, a Address, s Secret) (net.Conn, error) {
	dialer := net.Dialer{Timeout: dialLimit, KeepAlive: -1}
	c, err := dialer.DialContext(ctx, a.Network, a.Where)
	if err != nil {
		return nil, err
	}
	watch(c)
	r, err := newcomer(c, job, s)
	if err != nil {
		c.Close()
		return nil, err
	}
	return r, nil
}

// watch has the kernel end a connection whose other end is silent.
func watch(c net.Conn) {
	t, ok := c.(*net.TCPConn)
	if !ok {
		return
	}
	// Where the kernel cannot do it a silent host is noticed by others: rank to rank, or by the scheduler.
	_ = t.SetKeepAliveConfig(net.KeepAliveConfig{Enable: true, Idle: silence / 2, Interval: silence / 10, Count: 5})
	if raw, err := t.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) {
			_ = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, int(silence.Milliseconds()))
		})
	}
}

// silence is how long the other end of a connection may say nothing, not even that it is there.
const silence = 10 * time.Second
