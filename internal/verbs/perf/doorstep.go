package perf

import (
	"net"
	"slices"
	"sync"
)

// doorstepRoom is how many connections may be in the middle of their greeting.
const doorstepRoom = 256

// doorstep is where connections are until they have greeted. The zero value is ready.
type doorstep struct {
	mu    sync.Mutex
	conns []net.Conn // the oldest first
}

// enter adds a connection. When there is no room, the oldest has to go: a client greets at once, a
// stranger may stand there and say nothing.
func (d *doorstep) enter(conn net.Conn) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.conns = append(d.conns, conn)
	if len(d.conns) > doorstepRoom {
		_ = d.conns[0].Close() // whoever waits for its greeting notices
		d.conns = slices.Delete(d.conns, 0, 1)
	}
}

// leave takes a connection out, which may have had to go before.
func (d *doorstep) leave(conn net.Conn) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if i := slices.Index(d.conns, conn); i >= 0 {
		d.conns = slices.Delete(d.conns, i, i+1)
	}
}
