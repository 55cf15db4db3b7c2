package soft

import (
	"net/netip"

	"github.com/weft-mpi/weft/internal/socket"
	"github.com/weft-mpi/weft/internal/verbs"
)

// A socket of datagrams serves all peers, and pays for it: with every datagram the kernel looks for the way to its receiver, and for the
// socket that one is for. A queue pair that for long has exchanged short messages with one peer only has a branch for it, which is
// connected. That is one socket more to ask, which pays while glances can leave the other one aside: whoever sleeps on the sockets, or
// hears of others, gives the branch back.

const (
	branchAfter  = 256 // datagrams in a row to and from one peer
	branchBefore = 16  // datagrams in a row to and from another one, and the branch is given back
	branchPolls  = 16  // of so many glances one is at the socket itself, too
)

// branch is the part of a socket that is connected to one peer. A device has at most one, while the poller is left aside.
type branch struct {
	u *udpSocket
	inlet
	spot seat // never taken: nobody asks the poller for it
}

// row is the peer that a socket's last datagrams went to or came from, and how many they were.
type row struct {
	peer netip.AddrPort
	n    int
}

// add counts a datagram to or from a peer.
func (r *row) add(peer netip.AddrPort) {
	if peer != r.peer {
		*r = row{peer: peer}
	}
	r.n++
}

// wayTo is the socket by which a short message to a peer is to leave.
func (u *udpSocket) wayTo(to netip.AddrPort) *socket.UDP {
	u.row.add(to)
	b := u.dev.branch
	if b == nil && u.row.n >= branchAfter {
		u.row.n = 0
		b = u.branchTo(to)
	}
	if b != nil && b.sock.Peer() == to {
		return b.sock
	}
	return u.sock
}

// branchTo makes a branch to a peer, or returns nil if there is none to be.
func (u *udpSocket) branchTo(to netip.AddrPort) *branch {
	d := u.dev
	if !d.detached || u.branchless || u.typ != verbs.UD || u.only == nil || to.Addr().IsMulticast() || to == u.sock.LocalAddr() || len(d.direct) >= maxDirect {
		return nil
	}
	sock, err := u.sock.Branch(to)
	if err != nil {
		u.branchless = true
		return nil
	}
	d.branch = &branch{u: u, inlet: inlet{sock: sock}}
	d.direct = append(d.direct, d.branch)
	d.count.branches++
	return d.branch
}

// dissolve gives the branch back, and handles what has come to it: nothing is lost.
func (b *branch) dissolve() {
	b.remove()
	if b.sock.Connect(b.u.sock.LocalAddr()) == nil { // who sends it nothing, and from now on all goes to the socket
		for b.u.sock != nil && b.u.fetch(&b.inlet) {
		}
	}
	b.sock.Close()
	if b.u.sock != nil {
		b.u.settle()
	}
}

// close gives the branch back with its socket. What has come and was not fetched is lost, as datagrams may be.
func (b *branch) close() {
	b.remove()
	b.sock.Close()
}

func (b *branch) remove() {
	d := b.u.dev
	d.branch = nil
	d.forgetDirect(b)
	b.u.row = row{}
}

// outdated tells that the branch is for one whom others have followed.
func (b *branch) outdated() bool {
	return b.u.row.n >= branchBefore && b.u.row.peer != b.sock.Peer()
}

func (b *branch) seat() *seat { return &b.spot }

// ready receives what there is. What is to be sent and cannot leave at once waits for the socket itself.
func (b *branch) ready(read, _ bool) bool {
	worked := read && b.u.drain(&b.inlet)
	if worked && b.u.sock != nil {
		b.u.settle()
	}
	return worked
}

// calm tells that datagrams come one by one, of the peer that the branch is for; the rest the socket itself is asked.
func (b *branch) calm(*cq) bool {
	return b.streak < busyStreak && !b.sock.Joins() && !b.outdated()
}

func (b *branch) glance(c *cq) bool { return b.u.glanceAt(&b.inlet, c) }
