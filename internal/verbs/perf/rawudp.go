package perf

import (
	"errors"
	"fmt"
	"net/netip"

	"github.com/weft-mpi/weft/internal/socket"
)

// udpEnd is one end of two raw UDP sockets that talk to each other, as tcpEnd is for TCP: one send call and one
// receive call per datagram. Streams have the window and the marks of streams on UD, since an unpaced sender would
// only measure how fast datagrams are thrown away.
type udpEnd struct {
	spin
	sock *socket.UDP
	to   rawTarget
	from rawTarget
	send []byte
	recv []byte
	lost int

	arrived int
	shrink  int // windows were too large so often
}

// udpBuffers is what the sockets of the device get, too.
const udpBuffers = 8 * mib

// LongestDatagram is the longest payload of UDP over IPv4.
const LongestDatagram = 65507

func newUDPEnd(w Way, at netip.Addr, c *control) (*udpEnd, error) {
	if w.MaxSize > LongestDatagram {
		return nil, fmt.Errorf("%d bytes do not fit one datagram, at most %d do", w.MaxSize, LongestDatagram)
	}
	sock, err := socket.OpenUDP(netip.AddrPortFrom(at, 0), socket.UDPOptions{Buffers: udpBuffers, NoOffload: true})
	if err != nil {
		return nil, err
	}
	room := max(w.MaxSize, longestMark)
	return &udpEnd{spin: spin{c: c}, sock: sock, send: make([]byte, room), recv: make([]byte, room)}, nil
}

func (e *udpEnd) place() place { return place{QPs: []qpPlace{{Addr: e.sock.LocalAddr()}}} }

func (e *udpEnd) connect(to place, _ bool) error {
	if len(to.QPs) != 1 {
		return fmt.Errorf("the other end has %d sockets, not one", len(to.QPs))
	}
	if peer := to.QPs[0].Addr; peer.Addr().Zone() != "" {
		return fmt.Errorf("a raw socket to %v is not measured: use addresses without a zone", peer)
	}
	e.to = target(to.QPs[0].Addr)
	return nil
}

func (e *udpEnd) prepare(b Batch, leads bool) error {
	for { // late datagrams of an earlier batch
		if n, err := e.get(); n < 0 || err != nil {
			break
		}
	}
	mine := followSeed(b.Seed)
	if leads {
		mine = leadSeed(b.Seed)
	}
	fill(e.send, mine)
	clear(e.recv)
	e.arrived, e.lost = 0, 0
	return nil
}

// put sends one datagram.
func (e *udpEnd) put(size int) error {
	for {
		err := sendTo(e.sock.FD(), e.send[:size], &e.to)
		if err == nil {
			return nil
		}
		if err != socket.ErrAgain {
			return fmt.Errorf("raw UDP: %w", err)
		}
		if err := e.idle(); err != nil {
			return err
		}
	}
}

// get receives one datagram, if there is one; -1 if not.
func (e *udpEnd) get() (int, error) {
	n, err := recvFrom(e.sock.FD(), e.recv, &e.from)
	switch {
	case err == socket.ErrAgain:
		e.rest()
		return -1, nil
	case err != nil:
		return -1, fmt.Errorf("raw UDP: %w", err)
	}
	e.spin.reset()
	return n, nil
}

func (e *udpEnd) lead(b Batch, times []int64) (tally, error) {
	if b.Shape == Stream {
		return e.stream(b, true)
	}
	last := int64(0)
	for i := -b.Warmup; i < len(times); i++ {
		if i == 0 {
			last = now()
		}
		if err := e.exchange(b.Size); err != nil {
			return tally{}, err
		}
		if i >= 0 {
			at := now()
			times[i] = at - last
			last = at
		}
	}
	return tally{Received: e.arrived}, e.c.say(message{Say: sayStop})
}

func (e *udpEnd) exchange(size int) error {
	if err := e.put(size); err != nil {
		return err
	}
	for {
		n, err := e.get()
		switch {
		case err != nil:
			return err
		case n == size:
			e.arrived++
			return nil
		}
		if err := e.idle(); err != nil {
			return err
		}
		if e.quiet() > resendAfter {
			e.lost++
			e.spin.reset()
			if err := e.put(size); err != nil {
				return err
			}
		}
	}
}

func (e *udpEnd) follow(b Batch) (tally, error) {
	if b.Shape == Stream {
		return e.stream(b, false)
	}
	for {
		n, err := e.get()
		switch {
		case err != nil:
			return tally{}, err
		case n == b.Size:
			e.arrived++
			if err := e.put(n); err != nil {
				return tally{}, err
			}
		case n < 0 && e.c.called():
			return tally{Received: e.arrived}, nil
		}
	}
}

// udpStream is the state of one end of a stream, as flow and lane are for verbs.
type udpStream struct {
	b      Batch
	sends  bool
	gets   bool
	waits  bool // for the first datagram of the peer, to start together
	window int  // datagrams in flight
	every  int  // a mark after so many
	sent   int
	marks  int // marks that arrived
	marked int // datagrams the peer was told about
	forgot int // datagrams presumed lost
}

// stream is endpoint.stream with one lane.
func (e *udpEnd) stream(b Batch, leads bool) (tally, error) {
	s := udpStream{b: b, sends: leads || b.Both, gets: !leads || b.Both, waits: b.Both && !leads}
	s.window, s.every = udWindow(b.Size, 1, DefaultRxDepth/2)
	s.window = max(s.every, s.window>>e.shrink)
	var t tally
	start := now()
	told := false
	for {
		found, err := e.streamStep(&s)
		if err != nil {
			return t, err
		}
		if s.waits && e.arrived > 0 {
			s.waits, start = false, now()
		}
		if s.sends && t.Elapsed == 0 && s.sent == b.Iterations && s.marks*s.every+s.forgot >= s.sent {
			t.Elapsed, t.Sent = now()-start, b.Iterations
		}
		mine := !s.sends || t.Elapsed != 0
		if leads && mine && !told {
			told = true
			if err := e.c.say(message{Say: sayStop}); err != nil {
				return t, err
			}
		}
		if mine && (leads && !b.Both || !found && e.c.called() && e.calmed(&s)) {
			t.Received = e.arrived
			return t, nil
		}
		if found || mine {
			continue
		}
		if err := e.idle(); err != nil && (leads || err != errCalled || e.c.gone.Load()) {
			return t, err
		}
		if e.quiet() > lostAfter {
			s.forgot = s.sent - s.marks*s.every
			e.shrink++
			s.window = max(s.every, s.window/2)
			e.spin.reset()
		}
	}
}

// calmed is endpoint.calmed.
func (e *udpEnd) calmed(s *udpStream) bool {
	e.spin.empty++
	return !s.gets || e.arrived == s.b.Iterations || e.quiet() > calmAfter
}

// streamStep receives one datagram, answers it if due, and sends one if the window allows.
func (e *udpEnd) streamStep(s *udpStream) (bool, error) {
	n, err := e.get()
	if err != nil {
		return false, err
	}
	switch n {
	case s.b.Size:
		e.arrived++
	case markLen(s.b.Size):
		s.marks++
	}
	if s.gets && (e.arrived-s.marked >= s.every || e.arrived == s.b.Iterations && s.marked < e.arrived) {
		s.marked = min(e.arrived, s.marked+s.every)
		if err := e.put(markLen(s.b.Size)); err != nil {
			return false, err
		}
	}
	if s.sends && !s.waits && s.sent < s.b.Iterations && s.sent-s.marks*s.every-s.forgot < s.window {
		s.sent++
		if err := e.put(s.b.Size); err != nil {
			return false, err
		}
	}
	return n >= 0, nil
}

func (e *udpEnd) check(b Batch, leads bool) error {
	theirs := leadSeed(b.Seed)
	if leads {
		theirs = followSeed(b.Seed)
	}
	if b.Shape == Stream && leads && !b.Both {
		return nil
	}
	if e.arrived == 0 {
		return errors.New("not one message arrived")
	}
	return verify(e.recv[:b.Size], theirs)
}

func (e *udpEnd) close() error { return e.sock.Close() }
