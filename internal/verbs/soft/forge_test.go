package soft

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"net/netip"
	"testing"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/iwarp"
	"github.com/weft-mpi/weft/internal/iwarp/seal"
	"github.com/weft-mpi/weft/internal/verbs"
)

// What somebody can do who hears all datagrams of a job and sends under any name, but does not know
// the key: nothing. He is counted.

// sealsOf are the seals of a socket at an address.
func sealsOf(t testing.TB, key string, at netip.AddrPort, epoch uint64) *seal.Table[netip.AddrPort] {
	t.Helper()
	k, err := seal.NewKey([]byte(key), false)
	if err != nil {
		t.Fatal(err)
	}
	return seal.NewTable(k, at, epoch, addrName)
}

// record has a send a Send of the first n bytes of its buffer, which is lost on its way, as all is
// that it sends from then on, and returns the datagram.
func record(t *testing.T, a *end, to verbs.AH, n int) (datagram []byte) {
	t.Helper()
	a.dev.Tap(func(d verbs.Datagram) verbs.Fate {
		if datagram == nil {
			datagram = bytes.Clone(d.Bytes)
		}
		return verbs.Fate{Drop: true}
	})
	post(t, a, verbs.SendWR{Op: verbs.Send, SGL: []verbs.SGE{{Buf: a.buf[:n], LKey: a.mr.LKey()}}, AH: to})
	if datagram == nil {
		t.Fatal("nothing was sent")
	}
	return datagram
}

// spoof has a device receive a datagram at a queue pair as if it had come from an address.
func (e *end) spoof(datagram []byte, from netip.AddrPort) {
	e.dev.mu.Lock()
	e.qp.(*dgram).sock.arrive(clock.Now(), datagram, from)
	e.dev.mu.Unlock()
}

// hears tells what has been received, "" for nothing.
func (e *end) hears() string {
	var out [1]verbs.Completion
	for e.cq.Poll(out[:]) == 1 {
		if out[0].Op == verbs.Recv && out[0].Status == verbs.OK {
			return string(e.buf[:out[0].Len])
		}
	}
	return ""
}

// refused fails unless datagrams were refused for a reason so often, and none was heard.
func (e *end) refused(t *testing.T, why string, want uint64) {
	t.Helper()
	if heard, n := e.hears(), counter(t, e.dev, why); heard != "" || n != want {
		t.Errorf("heard %q, %s is %d, want %d", heard, why, n, want)
	}
}

const order = "pay 10 to Ann"

// robbed are two ends of a job and a datagram that one has sent to the other, which has not come.
func robbed(t *testing.T) (a, b *end, datagram []byte) {
	t.Helper()
	a, b, ab, _ := readied(t, Config{Key: jobKey, KeyedDatagrams: true}, verbs.UD, 1<<10)
	b.receives(2, 64)
	copy(a.buf, order)
	return a, b, record(t, a, ab, len(order))
}

// A CRC with a secret start could be made to fit: how it changes with the bytes depends on their
// difference alone.
func TestForgedLikeCRC(t *testing.T) {
	a, b, d := robbed(t)
	forged := bytes.Replace(d, []byte("10"), []byte("99"), 1)
	table, end := crc32.MakeTable(crc32.Castagnoli), len(d)-iwarp.CRCSize
	delta := crc32.Checksum(d[:end], table) ^ crc32.Checksum(forged[:end], table)
	binary.LittleEndian.PutUint32(forged[end:], binary.LittleEndian.Uint32(d[end:])^delta)
	b.spoof(forged, a.qp.Addr())
	b.refused(t, "datagrams_bad_tag", 1)
	b.spoof(iwarp.SealDatagram(bytes.Clone(forged[:len(d)-seal.Size]), 0), a.qp.Addr())
	b.refused(t, "datagrams_bad_tag", 2)
}

func TestReplayed(t *testing.T) {
	a, b, d := robbed(t)
	b.spoof(d, a.qp.Addr())
	if heard := b.hears(); heard != order {
		t.Fatalf("heard %q", heard)
	}
	b.spoof(d, a.qp.Addr())
	b.refused(t, "datagrams_replayed", 1)
}

// A datagram is for one receiver and from one sender: not for the sender himself, nor for a third
// one, nor from a fourth.
func TestReflected(t *testing.T) {
	a, b, d := robbed(t)
	c, _, _, _ := readied(t, Config{Key: jobKey, KeyedDatagrams: true}, verbs.UD, 1<<10)
	for _, e := range []*end{a, c} {
		e.receives(1, 64)
		for _, from := range []*end{a, b, c} {
			e.spoof(d, from.qp.Addr())
		}
		e.refused(t, "datagrams_bad_tag", 3)
	}
	b.spoof(d, c.qp.Addr())
	b.refused(t, "datagrams_bad_tag", 1)
}

// What a sender has sent before it began anew, at the same address, is not heard after what it has
// sent since. Nor is another job.
func TestRecordedBefore(t *testing.T) {
	a, b, d := robbed(t)
	at := a.qp.Addr()
	if err := a.qp.Close(); err != nil {
		t.Fatal(err)
	}
	qp, err := a.pd.NewQP(verbs.QPConfig{Type: verbs.UD, SendCQ: a.cq, RecvCQ: a.cq, SendDepth: 4, RecvDepth: 4, SendSGE: 1, RecvSGE: 1, Port: at.Port()})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []verbs.State{verbs.Init, verbs.RTS} {
		if err := qp.Modify(s); err != nil {
			t.Fatal(err)
		}
	}
	a.qp = qp
	b.spoof(record(t, a, a.handle(b.qp.Addr()), len(order)), at)
	if heard := b.hears(); heard != order {
		t.Fatalf("heard %q", heard)
	}
	b.spoof(d, at)
	b.refused(t, "datagrams_too_old", 1)
	b.spoof(sealsOf(t, "another job", at, 1<<63).Seal(bytes.Clone(d[:len(d)-seal.Size]), 0, b.qp.Addr()), at)
	b.refused(t, "datagrams_bad_tag", 1)
}

// A datagram that the network doubles is heard once.
func TestDoubled(t *testing.T) {
	for _, typ := range []verbs.Type{verbs.UD, verbs.RD} {
		a, b, ab, _ := readied(t, Config{Key: jobKey, KeyedDatagrams: true}, typ, 1<<10)
		b.receives(10, 64)
		a.dev.Tap(func(verbs.Datagram) verbs.Fate { return verbs.Fate{Copies: 2} })
		copy(a.buf, order) // once: what has been heard may still be sent again
		for i := range 5 {
			post(t, a, verbs.SendWR{Op: verbs.Send, SGL: []verbs.SGE{{Buf: a.buf[:8+i], LKey: a.mr.LKey()}}, AH: ab})
			if c := b.await(); c.Status != verbs.OK || c.Len != 8+i {
				t.Fatalf("%v: %+v", typ, c)
			}
		}
		eventually(t, "the copies come", func() bool { return counter(t, b.dev, "datagrams_replayed") >= 10 })
		if c := b.hears(); c != "" {
			t.Errorf("%v: heard %q again", typ, c)
		}
	}
}

// Strangers of whom nothing genuine has come leave no state behind.
func TestForgersLeaveNoState(t *testing.T) {
	_, b, d := robbed(t)
	for port := range uint16(100) {
		b.spoof(d, netip.AddrPortFrom(netip.MustParseAddr("192.0.2.1"), 1+port))
	}
	b.refused(t, "datagrams_bad_tag", 100)
	if n := b.qp.(*dgram).sock.seals.Senders(); n != 0 {
		t.Errorf("%d senders are remembered", n)
	}
}

// FuzzSealed: whatever comes to a socket of a job, from whomever, is dropped and counted.
func FuzzSealed(f *testing.F) {
	d, err := Open(Config{Key: jobKey, KeyedDatagrams: true})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { d.Close() })
	e := newEnd(f, d, verbs.UD, 64)
	if err := e.qp.Modify(verbs.RTS); err != nil {
		f.Fatal(err)
	}
	e.receives(1, 64)
	h := sendHeader(1, 0, true)
	body := append(h.Append(nil), order...)
	f.Add([]byte{}, uint16(1))
	f.Add(make([]byte, seal.Size), uint16(1))
	f.Add(iwarp.SealDatagram(bytes.Clone(body), 0), uint16(1))
	f.Add(sealsOf(f, "another job", e.qp.Addr(), 1).Seal(bytes.Clone(body), 0, e.qp.Addr()), e.qp.Addr().Port())
	f.Fuzz(func(t *testing.T, b []byte, port uint16) {
		before := counter(t, d, "datagrams_bad_tag")
		e.spoof(b, netip.AddrPortFrom(e.qp.Addr().Addr(), port))
		e.refused(t, "datagrams_bad_tag", before+1)
	})
}
