package soft

import (
	"net"
	"sync"
	"time"

	"github.com/weft-mpi/weft/internal/iwarp"
	"github.com/weft-mpi/weft/internal/verbs"
)

// blow throws frames from several sides at once.
func (w *weather) blow(frames int) {
	var all sync.WaitGroup
	all.Go(func() { w.handshakes(frames / 20) })
	all.Go(func() { w.streams(frames / 4) })
	all.Go(func() { w.datagrams(verbs.UD, frames*7/20) })
	all.Go(func() { w.datagrams(verbs.RD, frames*7/20) })
	all.Wait()
}

// dial connects an attacker, from one of many addresses so that ports do not run out.
func (w *weather) dial(s spoiler) *net.TCPConn {
	from := &net.TCPAddr{IP: net.IPv4(127, byte(s.IntN(200)), byte(s.IntN(200)), byte(2+s.IntN(200)))}
	c, err := net.DialTCP("tcp4", from, net.TCPAddrFromAddrPort(w.door))
	if err != nil {
		w.t.Error(err)
		return nil
	}
	w.dialed.Add(1)
	c.SetLinger(0)
	return c
}

// handshakes attacks the listener.
func (w *weather) handshakes(n int) {
	s := newSpoiler(1)
	good := [][]byte{plainRequest(), requestWith([]byte("hello"))}
	for range n {
		c := w.dial(s)
		if c == nil {
			return
		}
		if s.IntN(4) == 0 {
			c.Write(s.junk(s.IntN(700)))
		} else {
			c.Write(s.spoil(good[s.IntN(2)], good))
		}
		if s.IntN(8) == 0 {
			time.Sleep(time.Millisecond)
		}
		c.Close()
	}
}

// streams attacks connections: some good FPDUs, then some that are not.
func (w *weather) streams(n int) {
	s := newSpoiler(2)
	for n > 0 {
		c := w.dial(s)
		if c == nil {
			return
		}
		aim := w.target(w.mr)
		segments := aim.segments()
		var b []byte
		for i := range s.IntN(len(segments)) {
			b = append(b, fpduOf(segments[i])...)
			n--
		}
		for range 1 + s.IntN(3) {
			if s.IntN(10) == 0 {
				b = append(b, s.junk(s.IntN(300))...)
			} else {
				b = append(b, s.frame(s.spoil(segments[s.IntN(len(segments))], segments))...)
			}
			n--
		}
		if c.Write(plainRequest()); s.IntN(8) > 0 { // mostly as polite as to wait for the reply
			c.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
			c.Read(make([]byte, iwarp.MaxStart))
		}
		for len(b) > 0 { // in pieces
			k := 1 + s.IntN(len(b))
			if _, err := c.Write(b[:k]); err != nil {
				break
			}
			b = b[k:]
		}
		c.SetReadDeadline(time.Now().Add(4 * time.Millisecond))
		for answer := make([]byte, 1<<14); ; {
			if _, err := c.Read(answer); err != nil {
				break
			}
		}
		c.Close()
	}
}

// fpduOf frames a segment as it should be.
func fpduOf(segment []byte) []byte {
	b := append(iwarp.AppendFPDUHead(nil, len(segment)), segment...)
	return iwarp.AppendFPDUTail(b, len(segment), iwarp.NewCRC().Add(b), true)
}

// datagrams attacks a queue pair that has asked its attackers for something.
func (w *weather) datagrams(typ verbs.Type, n int) {
	s, v := newSpoiler(uint64(10+typ)), w.victims[typ]
	var socks []*rawPeer
	for range 8 {
		p := rawTo(w.t, v.qp.Addr())
		defer p.conn.Close()
		socks = append(socks, p)
		v.qp.PostSend([]verbs.SendWR{{Op: verbs.Read, RKey: 1, SGL: []verbs.SGE{{Buf: v.buf[:64], LKey: v.mr.LKey()}}, AH: v.handle(p.addr())}})
	}
	var bodies [][]byte
	for i := range n {
		if i%256 == 0 {
			aim := w.target(v.mr)
			bodies = aim.datagrams(v.qp.Num())
		}
		body := bodies[s.IntN(len(bodies))]
		if s.IntN(4) > 0 {
			body = s.spoil(body, bodies)
		}
		p := socks[s.IntN(len(socks))]
		if typ == verbs.RD {
			body = append(s.head(&p.shim), body...)
		}
		b := s.seal(body[:min(len(body), 60000)])
		if s.IntN(8) == 0 {
			b = s.junk(1 + s.IntN(200))
		}
		p.raw(b)
		if i%32 == 31 {
			time.Sleep(200 * time.Microsecond)
		}
	}
}

// head makes the shim of an attacker's next datagram: mostly the one that is due, so that the segment is looked at.
func (s spoiler) head(shim *iwarp.Shim) []byte {
	switch s.IntN(20) {
	case 0: // begin anew
		shim.Epoch, shim.PSN, shim.Start = uint16(1+s.IntN(1<<16-1)), 1, true
	case 1, 2: // out of order
		ahead := *shim
		ahead.PSN += 1 + s.Uint32N(5)
		return ahead.Append(nil)
	case 3, 4: // the same again
		again := *shim
		again.PSN -= s.Uint32N(3)
		return again.Append(nil)
	case 5:
		heads := shims()
		return s.spoil(heads[s.IntN(len(heads))], heads)
	case 6:
		shim.Start = !shim.Start
	}
	b := shim.Append(nil)
	shim.PSN++
	return b
}
