package soft

import (
	"encoding/binary"
	"io"
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/iwarp"
	"github.com/weft-mpi/weft/internal/iwarp/seal"
	"github.com/weft-mpi/weft/internal/verbs"
)

// rawConn is a peer made by hand: a TCP connection on which a test says what it likes.
type rawConn struct {
	t    testing.TB
	conn *net.TCPConn
}

// dialRaw connects to a listener.
func dialRaw(t testing.TB, to netip.AddrPort) *rawConn {
	t.Helper()
	c, err := net.DialTCP("tcp", nil, net.TCPAddrFromAddrPort(to))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return &rawConn{t, c}
}

// say sends bytes; that the other side has closed is no failure of the test.
func (c *rawConn) say(b []byte) bool {
	_, err := c.conn.Write(b)
	return err == nil
}

// hear reads a start-up frame, or reports that there is none.
func (c *rawConn) hear() (iwarp.StartFrame, bool) {
	c.conn.SetReadDeadline(time.Now().Add(5 * time.Second))
	var b []byte
	one := make([]byte, 1)
	for {
		if _, err := io.ReadFull(c.conn, one); err != nil {
			return iwarp.StartFrame{}, false
		}
		b = append(b, one[0])
		if f, _, err := iwarp.ParseStart(b); err == nil {
			return f, true
		} else if len(b) > iwarp.MaxStart {
			return f, false
		}
	}
}

// ended waits until the other side ends the connection, and returns what it said before.
func (c *rawConn) ended() []byte {
	c.t.Helper()
	c.conn.SetReadDeadline(time.Now().Add(20 * time.Second))
	b, err := io.ReadAll(c.conn)
	if e, ok := err.(net.Error); ok && e.Timeout() {
		c.t.Error("the connection was not ended")
	}
	return b
}

// plainRequest is a request without peer-to-peer mode, so that the acceptor may send after the first FPDU.
func plainRequest() []byte {
	f := iwarp.Request(iwarp.Wish{CRC: true, Revision: 2, IRD: 16, ORD: 16}, nil)
	b, err := f.Append(nil)
	if err != nil {
		panic(err) // the wish is a constant
	}
	return b
}

// fpdu frames a segment, sealed.
func fpdu(h iwarp.Header, payload []byte) []byte {
	ulpdu := h.Size() + len(payload)
	b := append(h.Append(iwarp.AppendFPDUHead(nil, ulpdu)), payload...)
	return iwarp.AppendFPDUTail(b, ulpdu, iwarp.NewCRC().Add(b), true)
}

// sendHeader is the header of segment mo of Send number msn.
func sendHeader(msn, mo uint32, last bool) iwarp.Header {
	return iwarp.Header{Op: iwarp.OpSend, QN: iwarp.QueueSend, MSN: msn, MO: mo, Last: last}
}

// accepted connects a raw peer to a fresh queue pair of a fresh device.
func accepted(t testing.TB, cfg Config, size int) (*end, *rawConn) {
	t.Helper()
	e := newEnd(t, open(t, cfg), verbs.RC, size)
	l, err := e.dev.Listen(verbs.ListenConfig{})
	if err != nil {
		t.Fatal(err)
	}
	c := dialRaw(t, l.Addr())
	c.say(plainRequest())
	if err := e.event(verbs.ConnectRequest).Request.Accept(e.qp, nil); err != nil {
		t.Fatal(err)
	}
	e.event(verbs.Established)
	if f, ok := c.hear(); !ok || f.Reject {
		t.Fatalf("reply %+v, %v", f, ok)
	}
	return e, c
}

// counter reads one counter of a device.
func counter(t testing.TB, d *Device, name string) uint64 {
	t.Helper()
	for n, v := range d.Counters() {
		if n == name {
			return v
		}
	}
	t.Fatalf("no counter %s", name)
	return 0
}

// eventually waits until something is so.
func eventually(t testing.TB, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(200 * time.Microsecond) {
		if is() {
			return
		}
	}
	t.Fatalf("did not happen: %s", what)
}

// receives posts n receives of size bytes each, with IDs from 1 on.
func (e *end) receives(n, size int) {
	e.t.Helper()
	for i := range n {
		wr := verbs.RecvWR{ID: uint64(i + 1), SGL: []verbs.SGE{{Buf: e.buf[:size], LKey: e.mr.LKey()}}}
		if _, err := e.qp.PostRecv([]verbs.RecvWR{wr}); err != nil {
			e.t.Fatal(err)
		}
	}
}

// flushed takes completions, which must be flushed receives with the IDs from first to last.
func (e *end) flushed(first, last uint64) {
	e.t.Helper()
	for id := first; id <= last; id++ {
		if c := e.await(); c.ID != id || c.Status != verbs.Flushed {
			e.t.Fatalf("receive %d %v, want %d flushed", c.ID, c.Status, id)
		}
	}
}

// TestHalfMessage: a connection that ends in the middle of a message gives back the receive that the message had
// taken, like all others.
func TestHalfMessage(t *testing.T) {
	for _, long := range []bool{false, true} {
		e, c := accepted(t, Config{}, 1<<20)
		e.receives(3, len(e.buf))
		if long { // its payload goes straight to memory
			b := fpdu(sendHeader(1, 0, true), make([]byte, 60000))
			c.say(b[:len(b)/2])
		} else {
			c.say(fpdu(sendHeader(1, 0, false), []byte("half")))
		}
		eventually(t, "the beginning arrives", func() bool {
			e.dev.mu.Lock()
			defer e.dev.mu.Unlock()
			return e.qp.(*rc).stream.midMessage
		})
		c.conn.Close()
		e.event(verbs.QPFatal)
		e.flushed(1, 3)
	}
}

// TestHalfMessageRD: likewise when the peer of a reliable datagram queue pair begins anew, and when the queue pair
// itself goes to Error.
func TestHalfMessageRD(t *testing.T) {
	e, c, _ := reliable(t, Config{}, 1<<16)
	e.receives(4, 100)
	c.send(sendHeader(1, 0, false), []byte("half"))
	mid := func(want bool) {
		t.Helper()
		eventually(t, "the beginning arrives", func() bool {
			e.dev.mu.Lock()
			defer e.dev.mu.Unlock()
			p := e.qp.(*dgram).sock.flows.Get(c.addr())
			return p != nil && p.Value != nil && p.Value.midMessage == want
		})
	}
	mid(true)
	c.shim.Epoch, c.shim.PSN = c.shim.Epoch+1, 1
	c.send(sendHeader(1, 0, true), []byte("whole"))
	e.flushed(1, 1)
	if d := e.await(); d.ID != 2 || d.Status != verbs.OK || d.Len != 5 {
		t.Fatalf("%+v", d)
	}
	c.send(sendHeader(2, 0, false), []byte("half"))
	mid(true)
	if err := e.qp.Modify(verbs.Error); err != nil {
		t.Fatal(err)
	}
	e.flushed(3, 4)
}

// rawPeer is a UDP socket that sends reliable datagrams by hand.
type rawPeer struct {
	t    testing.TB
	conn *net.UDPConn
	to   netip.AddrPort
	own  *seal.Table[netip.AddrPort] // for datagrams of a job with a key
	shim iwarp.Shim
}

func (c *rawPeer) addr() netip.AddrPort { return c.conn.LocalAddr().(*net.UDPAddr).AddrPort() }

// send sends one segment under the next PSN.
func (c *rawPeer) send(h iwarp.Header, payload []byte) {
	c.t.Helper()
	b := append(h.Append(c.shim.Append(nil)), payload...)
	c.shim.PSN++
	c.raw(c.seal(b))
}

// seal ends a datagram.
func (c *rawPeer) seal(b []byte) []byte {
	if c.own != nil {
		return c.own.Seal(b, 0, c.to)
	}
	return iwarp.SealDatagram(b, 0)
}

// raw sends bytes as they are.
func (c *rawPeer) raw(b []byte) {
	c.t.Helper()
	if _, err := c.conn.WriteToUDPAddrPort(b, c.to); err != nil {
		c.t.Fatal(err)
	}
}

// rawTo makes a hand-made peer of a queue pair.
func rawTo(t testing.TB, to netip.AddrPort) *rawPeer {
	t.Helper()
	conn, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return &rawPeer{t: t, conn: conn, to: to, shim: iwarp.Shim{Data: true, Start: true, Epoch: 1000, PSN: 1, APSN: 1, Window: 64}}
}

// reliable makes an RD queue pair that is ready, another that shares its device, and a hand-made peer of the first.
func reliable(t testing.TB, cfg Config, size int) (e *end, c *rawPeer, other *end) {
	t.Helper()
	d := open(t, cfg)
	e, other = newEnd(t, d, verbs.RD, size), newEnd(t, d, verbs.RD, size)
	for _, x := range []*end{e, other} {
		if err := x.qp.Modify(verbs.RTS); err != nil {
			t.Fatal(err)
		}
	}
	return e, rawTo(t, e.qp.Addr()), other
}

// to makes the queue number of a queue pair on a shared socket.
func (e *end) to(h iwarp.Header) iwarp.Header {
	h.QN = iwarp.QN(uint8(h.QN), e.qp.Num())
	return h
}

// handle makes an address handle.
func (e *end) handle(to netip.AddrPort) verbs.AH {
	e.t.Helper()
	a, err := e.pd.NewAH(to)
	if err != nil {
		e.t.Fatal(err)
	}
	return a
}

// TestAnswerForNobody: the answer to a Read whose queue pair has gone is dropped, and the peer's other messages
// still arrive.
func TestAnswerForNobody(t *testing.T) {
	e, c, other := reliable(t, Config{ShareSockets: true}, 1<<12)
	other.receives(1, 100)
	post(t, e, verbs.SendWR{Op: verbs.Read, RKey: 1, SGL: []verbs.SGE{{Buf: e.buf[:64], LKey: e.mr.LKey()}}, AH: e.handle(c.addr()), DestQP: 1})
	b := make([]byte, 1<<16)
	n, err := c.conn.Read(b)
	if err != nil {
		t.Fatal(err)
	}
	var s iwarp.Shim
	k, ok := iwarp.ParseShim(b[:n], &s)
	if !ok {
		t.Fatal("no shim")
	}
	sink := binary.BigEndian.Uint32(b[k+iwarp.UntaggedSize:])
	if err := e.qp.Close(); err != nil {
		t.Fatal(err)
	}
	c.shim.PeerEpoch, c.shim.APSN = s.Epoch, s.PSN+1
	c.send(iwarp.Header{Tagged: true, Last: true, Op: iwarp.OpReadResponse, STag: sink}, make([]byte, 64))
	c.send(other.to(sendHeader(1, 0, true)), []byte("hello"))
	if d := other.await(); d.Status != verbs.OK || d.Len != 5 {
		t.Fatalf("%+v", d)
	}
}

// TestMixedMessages: a peer that mixes a Write to one queue pair into a Send to another does not turn the receive of
// one into the completion of the other.
func TestMixedMessages(t *testing.T) {
	e, c, other := reliable(t, Config{ShareSockets: true}, 1<<12)
	e.receives(1, 100)
	c.send(e.to(sendHeader(1, 0, false)), []byte("first "))
	c.send(iwarp.Header{Tagged: true, Last: true, Op: iwarp.OpWrite, STag: other.mr.RKey(), TO: other.mr.Addr()}, []byte("elsewhere"))
	c.send(e.to(sendHeader(1, 6, true)), []byte("second"))
	d := e.await()
	if d.Status != verbs.OK || d.QP != e.qp.Num() || d.Len != 12 || string(e.buf[:12]) != "first second" {
		t.Fatalf("%+v %q", d, e.buf[:12])
	}
	if string(other.buf[:9]) != "elsewhere" {
		t.Errorf("the Write brought %q", other.buf[:9])
	}
}

// TestStarvedQueuePairGoes: a message that waits for a receive of a queue pair does not hold up the others of the
// socket when that queue pair is closed.
func TestStarvedQueuePairGoes(t *testing.T) {
	e, c, other := reliable(t, Config{ShareSockets: true}, 1<<12)
	other.receives(1, 100)
	c.send(e.to(sendHeader(1, 0, true)), []byte("for nobody"))
	c.send(other.to(sendHeader(2, 0, true)), []byte("hello"))
	eventually(t, "the message waits", func() bool { return counter(t, e.dev, "rc_waits_for_receive") == 1 })
	if err := e.qp.Close(); err != nil {
		t.Fatal(err)
	}
	if d := other.await(); d.Status != verbs.OK || d.Len != 5 {
		t.Fatalf("%+v", d)
	}
}

// TestEmptyWriteOnSharedSocket: a Write of no bytes needs no key (RFC 5041), wherever it goes.
func TestEmptyWriteOnSharedSocket(t *testing.T) {
	a, b, ab, _ := readied(t, Config{ShareSockets: true}, verbs.RD, 64)
	post(t, a, verbs.SendWR{ID: 1, Op: verbs.Write, AH: ab, DestQP: b.qp.Num()})
	if d := a.await(); d.Status != verbs.OK {
		t.Fatalf("%+v", d)
	}
	if n := counter(t, b.dev, "datagram_errors_out"); n != 0 {
		t.Errorf("%d complaints", n)
	}
}

// TestPoolAfterClose: early segments of a queue pair that is closed do not stay in the pool.
func TestPoolAfterClose(t *testing.T) {
	for _, shared := range []bool{false, true} {
		e, c, other := reliable(t, Config{ShareSockets: shared}, 1<<12)
		early := c.shim.PSN + 3
		c.send(e.to(sendHeader(1, 0, true)), []byte("opens the flow"))
		c.shim.PSN = early
		c.send(e.to(sendHeader(4, 0, true)), []byte("early"))
		eventually(t, "the early one is kept", func() bool { return counter(t, e.dev, "rd_out_of_order") == 1 })
		for _, x := range []*end{e, other} {
			if err := x.qp.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if n := e.dev.poolUsed; n != 0 {
			t.Errorf("shared %v: %d bytes are left in the pool", shared, n)
		}
	}
}

// TestBoxesAreLentOnce: a queue pair that dies of its completion queue while it sends does not give its box back
// twice.
func TestBoxesAreLentOnce(t *testing.T) {
	d := open(t, Config{})
	e := newEnd(t, d, verbs.UD, 64)
	cq, err := d.NewCQ(verbs.CQConfig{Depth: 1})
	if err != nil {
		t.Fatal(err)
	}
	qp, err := e.pd.NewQP(verbs.QPConfig{Type: verbs.UD, SendCQ: cq, RecvCQ: cq, SendDepth: 8, RecvDepth: 1, SignalAll: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := qp.Modify(verbs.Init); err != nil {
		t.Fatal(err)
	}
	if err := qp.Modify(verbs.RTS); err != nil {
		t.Fatal(err)
	}
	to := e.handle(qp.Addr())
	wr := verbs.SendWR{Op: verbs.Send, SGL: []verbs.SGE{{Buf: e.buf, LKey: e.mr.LKey()}}, AH: to}
	qp.PostSend([]verbs.SendWR{wr, wr, wr, wr})
	e.event(verbs.CQOverflow)
	seen := map[*outbox]bool{}
	for _, b := range d.spareBoxes {
		if seen[b] {
			t.Fatal("a box is there twice")
		}
		seen[b] = true
	}
}

// TestTalkativePeer: a peer that does not stop talking after its connection was ended does not keep the device busy
// with it.
func TestTalkativePeer(t *testing.T) {
	e, c := accepted(t, Config{}, 64)
	bad := sendHeader(7, 0, true) // there was no Send before
	if !c.say(fpdu(bad, nil)) {
		t.Fatal("ended too early")
	}
	e.event(verbs.QPFatal)
	done := make(chan struct{})
	go func() {
		defer close(done)
		junk := make([]byte, 1<<20)
		for c.say(junk) {
		}
	}()
	fresh := newEnd(t, e.dev, verbs.UD, 64)
	for range 200 { // each needs the device
		if fresh.qp.State() != verbs.Init {
			t.Error("state")
		}
	}
	c.conn.Close()
	<-done
}
