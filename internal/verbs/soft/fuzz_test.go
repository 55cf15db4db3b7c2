package soft

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net/netip"
	"syscall"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/iwarp"
	"github.com/weft-mpi/weft/internal/verbs"
)

// Inputs speak of a region by a key and an address of their own, so that they mean the same in every process. They are
// replaced on the way in; checks that were right before are made right again.
const (
	inputKey  uint32 = 0x00777701
	inputAddr uint64 = 1 << 40
	inputQPs         = 2 // queue pairs 1 and 2 of an input are the two that share a socket
)

// inputTarget is the region as inputs know it.
var inputTarget = target{rkey: inputKey, addr: inputAddr, size: regionSize, other: []place{{0x0000aa03, inputAddr}}}

// relocate replaces key and address in a segment: behind the control bytes of tagged ones, in the requests of others.
func relocate(segment []byte, to place) {
	at := func(key, addr int) {
		if len(segment) < addr+8 || binary.BigEndian.Uint32(segment[key:]) != inputKey {
			return
		}
		binary.BigEndian.PutUint32(segment[key:], to.key)
		off := binary.BigEndian.Uint64(segment[addr:]) - inputAddr
		binary.BigEndian.PutUint64(segment[addr:], to.addr+off)
	}
	h, n, f := iwarp.ParseHeader(segment)
	switch {
	case !f.OK():
	case h.Tagged:
		at(2, 6)
	case h.Op == iwarp.OpReadRequest:
		at(n+16, n+20)
	case h.Op == iwarp.OpAtomicRequest:
		at(n+8, n+12)
	case h.Op == iwarp.OpSendInvalidate && h.Invalidate == inputKey:
		binary.BigEndian.PutUint32(segment[2:], to.key)
	}
}

// relocateStream does so with all FPDUs that are whole up to the first whose check is wrong; with seal, those are made
// right too, so that fuzzing gets past the check.
func relocateStream(b []byte, to place, seal bool) []byte {
	b = bytes.Clone(b)
	for rest := b; ; {
		segment, n, err := iwarp.ParseFPDU(rest, !seal)
		if err != nil {
			return b
		}
		relocate(segment, to)
		binary.LittleEndian.PutUint32(rest[n-iwarp.CRCSize:n], iwarp.NewCRC().Add(rest[:n-iwarp.CRCSize]).Sum())
		rest = rest[n:]
	}
}

// laboratory is a device whose streams and sockets a test feeds by hand.
type laboratory struct {
	*end
	arena []byte
}

func newLaboratory(t testing.TB, cfg Config, typ verbs.Type) *laboratory {
	t.Helper()
	l := &laboratory{end: newEnd(t, open(t, cfg), typ, 8), arena: bytes.Repeat([]byte{guardByte}, 3*regionSize)}
	l.buf = l.arena[regionSize : 2*regionSize : 2*regionSize]
	var err error
	l.mr, err = l.pd.Register(l.buf, verbs.LocalWrite|verbs.RemoteRead|verbs.RemoteWrite|verbs.RemoteAtomic)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// place is where the region is.
func (l *laboratory) place() place { return place{l.mr.RKey(), l.mr.Addr()} }

// fresh makes a queue pair with receives.
func (l *laboratory) fresh(typ verbs.Type) verbs.QP {
	l.t.Helper()
	qp, err := l.pd.NewQP(verbs.QPConfig{Type: typ, SendCQ: l.cq, RecvCQ: l.cq, SendDepth: 8, RecvDepth: 8})
	if err != nil {
		l.t.Fatal(err)
	}
	if err := qp.Modify(verbs.Init); err != nil {
		l.t.Fatal(err)
	}
	for i := range 8 {
		piece := l.buf[i*1024 : i*1024+8192]
		if _, err := qp.PostRecv([]verbs.RecvWR{{ID: uint64(i), SGL: []verbs.SGE{{Buf: piece, LKey: l.mr.LKey()}}}}); err != nil {
			l.t.Fatal(err)
		}
	}
	return qp
}

// tidy prepares for the next input, after a look at the memory around the region.
func (l *laboratory) tidy(t *testing.T) {
	t.Helper()
	l.t = t
	for i, b := range l.arena {
		if (i < regionSize || i >= 2*regionSize) && b != guardByte {
			t.Fatalf("byte %d was changed, of a region of %d", i-regionSize, regionSize)
		}
	}
	for i := range l.buf {
		l.buf[i] = guardByte
	}
	if l.mr.RKey() == 0 {
		l.mr.Rekey()
	}
	var events [64]verbs.Event
	for l.dev.PollEvents(events[:]) > 0 {
	}
}

// outcome is what a stream has come to.
type outcome struct {
	done   []verbs.Completion
	fpdus  uint64
	memory []byte
	said   []byte
	end    error // why the connection ended, nil if it did not
}

// feed sends the pieces of a stream to a fresh connection, lets the device take in each before the next comes, and
// tells what that led to. Nobody else drives the device meanwhile.
func (l *laboratory) feed(t *testing.T, pieces [][]byte) (o outcome) {
	t.Helper()
	q := l.fresh(verbs.RC).(*rc)
	listener, err := l.dev.Listen(verbs.ListenConfig{})
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	c := dialRaw(t, listener.Addr())
	defer c.conn.Close()
	c.say(plainRequest())
	if err := l.event(verbs.ConnectRequest).Request.Accept(q, nil); err != nil {
		t.Fatal(err)
	}
	l.event(verbs.Established)
	c.hear()
	d := l.dev
	d.mu.Lock()
	s, before := q.stream, d.count.fpdusIn
	for _, p := range pieces {
		got := d.count.bytesIn
		if c.say(p); s.qp == nil || s.starved {
			break
		}
		for limit := time.Now().Add(5 * time.Second); s.qp != nil && !s.starved && d.count.bytesIn-got < uint64(len(p)); {
			if s.receive(); time.Now().After(limit) {
				t.Error("bytes that were sent do not arrive")
				break
			}
		}
	}
	o.fpdus, o.memory = d.count.fpdusIn-before, bytes.Clone(l.buf)
	d.mu.Unlock()
	o.said = c.rest()
	if q.State() == verbs.Error {
		o.end = l.event(verbs.QPFatal).Err
	}
	q.Close()
	var done [32]verbs.Completion
	for n := l.cq.Poll(done[:]); n > 0; n = l.cq.Poll(done[:]) {
		o.done = append(o.done, done[:n]...)
	}
	return o
}

// rest reads what has been said up to now. It looks once more after a pause, not until a deadline, which
// may be over before the first look on a busy machine.
func (c *rawConn) rest() (all []byte) {
	c.conn.SetReadDeadline(time.Time{})
	raw, err := c.conn.SyscallConn()
	if err != nil {
		c.t.Fatal(err)
	}
	b := make([]byte, 1<<16)
	look := func(fd uintptr) bool {
		for {
			n, _ := syscall.Read(int(fd), b)
			if n <= 0 {
				return true
			}
			all = append(all, b[:n]...)
		}
	}
	for looks := 0; looks < 2; looks++ {
		before := len(all)
		if err := raw.Read(look); err != nil {
			c.t.Fatal(err)
		}
		if len(all) > before {
			looks = 0 // there may be more
		}
		time.Sleep(2 * time.Millisecond)
	}
	return all
}

// summary is what must not depend on how the stream was cut.
func (o *outcome) summary() string {
	s := fmt.Sprintf("%d FPDUs, ended by %v\n", o.fpdus, o.end)
	for _, c := range o.done {
		c.QP = 0
		s += fmt.Sprintf("%+v\n", c)
	}
	return s + fmt.Sprintf("said %x\n", o.said)
}

// cutUp cuts a stream into pieces: the first as long as the square of the first cut, and so on; the rest is one.
func cutUp(b, cuts []byte) (pieces [][]byte) {
	for _, c := range cuts {
		n := int(c)*int(c)/16 + 1
		if n >= len(b) {
			break
		}
		pieces, b = append(pieces, b[:n]), b[n:]
	}
	return append(pieces, b)
}

// FuzzStream feeds a connection with bytes, once whole and once in pieces: both must come to the same.
func FuzzStream(f *testing.F) {
	segments := inputTarget.segments()
	var all []byte
	for i, s := range segments {
		all = append(all, fpduOf(s)...)
		f.Add(bytes.Clone(all), []byte{byte(i), 1, 7, 30, 2}, true)
		f.Add(fpduOf(s), []byte{0, byte(i)}, false)
	}
	sp := newSpoiler(3)
	for i := range 20 {
		s := sp.frame(sp.spoil(segments[sp.IntN(len(segments))], segments))
		f.Add(append(bytes.Clone(all[:sp.IntN(len(all))]), s...), sp.junk(i), i%2 == 0)
	}
	f.Add(fpdu(iwarp.Header{Tagged: true, Last: true, STag: inputKey, TO: inputAddr}, make([]byte, 10000)), []byte{20, 200, 1, 100}, true)
	f.Add(fpdu(sendHeader(1, 0, true), make([]byte, 9000)), []byte{20, 90}, true) // too long for its receive
	bad := fpdu(sendHeader(1, 0, true), make([]byte, 9000))
	bad[len(bad)-1] ^= 1
	f.Add(bad, []byte{20, 90}, false)
	lab := newLaboratory(f, Config{}, verbs.RC)
	f.Fuzz(func(t *testing.T, b, cuts []byte, seal bool) {
		if len(b) > 1<<17 || len(cuts) > 64 {
			t.Skip("longer than it need be")
		}
		lab.tidy(t)
		b = relocateStream(b, lab.place(), seal)
		whole := lab.feed(t, [][]byte{b})
		if lab.mr.RKey() == 0 {
			t.Skip("the key was made invalid and is another now")
		}
		lab.tidy(t)
		cut := lab.feed(t, cutUp(b, cuts))
		if x, y := whole.summary(), cut.summary(); x != y {
			t.Errorf("in one piece:\n%s\nin %d:\n%s", x, len(cutUp(b, cuts)), y)
		}
		// A long payload is placed before its check is known; it is not delivered then.
		if whole.end == nil && !bytes.Equal(whole.memory, cut.memory) {
			t.Error("other memory")
		}
		lab.tidy(t)
	})
}

// split takes datagrams out of an input: two bytes of length, of which the upper bits choose the sender, then the body.
func split(b []byte) (bodies [][]byte, senders []int) {
	for len(b) >= 2 {
		n := int(binary.BigEndian.Uint16(b))
		from := n >> 14
		n = min(n&(1<<14-1), len(b)-2)
		bodies, senders = append(bodies, b[2:2+n]), append(senders, from)
		b = b[2+n:]
	}
	return bodies, senders
}

// join is the inverse of split, for seeds.
func join(bodies ...[]byte) (b []byte) {
	for i, x := range bodies {
		b = binary.BigEndian.AppendUint16(b, uint16(len(x))|uint16(i%4)<<14)
		b = append(b, x...)
	}
	return b
}

// fuzzDatagrams has the sockets of two queue pairs, or the one they share, take in datagrams that pass the check. The
// datagram "close" closes a queue pair.
func fuzzDatagrams(f *testing.F, typ verbs.Type) {
	own, shared := newLaboratory(f, Config{}, typ), newLaboratory(f, Config{ShareSockets: true}, typ)
	var senders [4]*rawPeer
	for i := range senders {
		senders[i] = rawTo(f, netip.AddrPort{})
	}
	f.Fuzz(func(t *testing.T, b []byte, share bool) {
		if len(b) > 1<<17 {
			t.Skip("longer than it need be")
		}
		lab := own
		if share {
			lab = shared
		}
		lab.tidy(t)
		var qps []*dgram
		for range inputQPs {
			qps = append(qps, lab.asking(senders[:]))
		}
		at := lab.place()
		bodies, from := split(b)
		lab.dev.mu.Lock()
		for i, body := range bodies {
			if string(body) != "close" {
				lab.take(t, qps, bytes.Clone(body), at, senders[from[i]])
			} else if q := qps[from[i]%inputQPs]; !q.closed {
				q.close()
			}
		}
		lab.dev.mu.Unlock()
		for _, q := range qps {
			q.Close()
		}
		if lab.dev.poolUsed != 0 {
			t.Errorf("%d bytes are left in the pool", lab.dev.poolUsed)
		}
		var done [256]verbs.Completion
		lab.cq.Poll(done[:])
		lab.tidy(t)
	})
}

// asking makes a queue pair that has asked all peers for something.
func (l *laboratory) asking(peers []*rawPeer) *dgram {
	l.t.Helper()
	qp := l.fresh(l.qp.Type())
	if err := qp.Modify(verbs.RTS); err != nil {
		l.t.Fatal(err)
	}
	for _, p := range peers {
		ah := l.handle(p.addr())
		qp.PostSend([]verbs.SendWR{{Op: verbs.Read, RKey: 1, SGL: []verbs.SGE{{Buf: l.buf[:64], LKey: l.mr.LKey()}}, AH: ah}})
		ah.Close()
	}
	return qp.(*dgram)
}

// take hands a datagram to the socket of a queue pair, as if it had come from a peer.
func (l *laboratory) take(t *testing.T, qps []*dgram, body []byte, at place, from *rawPeer) {
	t.Helper()
	u := qps[0].sock
	skip := 0
	if u.typ == verbs.RD {
		var s iwarp.Shim
		skip, _ = iwarp.ParseShim(body, &s)
	}
	segment := body[skip:]
	relocate(segment, at)
	if h, _, f := iwarp.ParseHeader(segment); f.OK() && !h.Tagged && u.shared {
		if n := h.QN >> 8; n >= 1 && n <= inputQPs {
			binary.BigEndian.PutUint32(segment[6:], iwarp.QN(uint8(h.QN), qps[n-1].num))
		}
	}
	if u.sock == nil {
		return
	}
	u.arrive(clock.Now(), iwarp.SealDatagram(body, 0), from.addr())
	u.pumpTouched(0)
	u.settle()
	if n := l.dev.poolUsed; n < 0 || n > reorderPool {
		t.Fatalf("%d bytes in the pool", n)
	}
	if u.flows == nil {
		return
	}
	for p := range u.flows.Peers() {
		if p.Value != nil && (len(p.Value.kept) > 64 || len(p.Value.notices) > maxNotices+1 || len(p.Value.replies) > p.Value.maxServ) {
			t.Fatalf("%d segments, %d notices, %d replies are kept", len(p.Value.kept), len(p.Value.notices), len(p.Value.replies))
		}
	}
}

// toQP names a queue pair in an untagged segment.
func toQP(segment []byte, num uint32) []byte {
	if h, _, f := iwarp.ParseHeader(segment); f.OK() && !h.Tagged {
		h.QN = iwarp.QN(uint8(h.QN), num)
		return append(h.Append(nil), segment[h.Size():]...)
	}
	return segment
}

// FuzzUD feeds an unreliable queue pair.
func FuzzUD(f *testing.F) {
	bodies := inputTarget.datagrams(1)
	f.Add(join(bodies...), false)
	sp := newSpoiler(4)
	for _, b := range bodies {
		f.Add(join(b), false)
		f.Add(join(b, b, sp.spoil(b, bodies)), false)
		f.Add(join(toQP(b, 1), []byte("close"), toQP(b, 2), toQP(b, 1)), true)
	}
	fuzzDatagrams(f, verbs.UD)
}

// FuzzRD feeds a reliable queue pair.
func FuzzRD(f *testing.F) {
	bodies := inputTarget.segments()
	sp := newSpoiler(5)
	var flow, mixed [][]byte
	for i, b := range bodies {
		s := iwarp.Shim{Data: true, Start: i < 5, Epoch: 9, PSN: uint32(i + 1), APSN: 1, Window: 64}
		flow = append(flow, append(s.Append(nil), b...), nil, nil, nil) // all from the first sender
		f.Add(join(flow...), false)
		mixed = append(mixed, append(s.Append(nil), toQP(b, uint32(1+i%2))...), nil, nil, nil)
		f.Add(join(append(mixed, []byte("close"), nil, nil, nil)...), true)
		s.PSN = 1
		f.Add(join(append(s.Append(nil), sp.spoil(b, bodies)...)), i%2 == 0)
	}
	turned := [][]byte{}
	for i := len(flow) - 4; i >= 0; i -= 4 {
		turned = append(turned, flow[i], nil, nil, nil)
	}
	f.Add(join(turned...), false)
	for _, h := range shims() {
		f.Add(join(h, append(bytes.Clone(h), bodies[0]...)), false)
	}
	fuzzDatagrams(f, verbs.RD)
}
