package soft

import (
	"bytes"
	"io"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/weft-mpi/weft/internal/iwarp"
	"github.com/weft-mpi/weft/internal/verbs"
)

// TestAnswersAhead: the answer to a Read may come in segments of any lengths, with other messages between
// them and cut anywhere by the network. What is expected is received ahead; whatever else comes is not
// lost, and the Read gets what was sent.
func TestAnswersAhead(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		const size, short = 2 * aheadFrom, 64
		e, c := accepted(t, Config{}, size+8*short)
		defer e.dev.Close()
		inbox := e.buf[size:]
		for i := range 8 {
			wr := verbs.RecvWR{ID: uint64(100 + i), SGL: []verbs.SGE{{Buf: inbox[i*short : (i+1)*short], LKey: e.mr.LKey()}}}
			if _, err := e.qp.PostRecv([]verbs.RecvWR{wr}); err != nil {
				t.Fatal(err)
			}
		}
		c.say(fpdu(sendHeader(1, 0, true), []byte("first"))) // only then may the acceptor ask
		if got := e.await(); got.ID != 100 {
			t.Fatalf("completion %+v", got)
		}
		total := rapid.IntRange(aheadFrom, size).Draw(rt, "total")
		read := verbs.SendWR{ID: 7, Op: verbs.Read, Flags: verbs.Signaled, SGL: []verbs.SGE{{Buf: e.buf[:total], LKey: e.mr.LKey()}}, RKey: 5}
		if _, err := e.qp.PostSend([]verbs.SendWR{read}); err != nil {
			t.Fatal(err)
		}
		want := make([]byte, total)
		for i := range want {
			want[i] = byte(i*7 + i>>8)
		}
		stream, sends := answers(rt, c.request(), want)
		go func() {
			for len(stream) > 0 { // cuts where the test has put them
				c.say(stream[0])
				stream = stream[1:]
			}
		}()
		ended := map[uint64]int{}
		for range sends + 1 {
			got := e.await()
			if got.Status != verbs.OK {
				t.Fatalf("completion %+v", got)
			}
			ended[got.ID] = got.Len
		}
		if ended[7] != total || !bytes.Equal(e.buf[:total], want) {
			t.Errorf("the Read got %d of %d bytes, or others", ended[7], total)
		}
		for i := range sends {
			if text := inbox[(i+1)*short:][:ended[uint64(101+i)]]; string(text) != note(i) {
				t.Errorf("message %d is %q", i, text)
			}
		}
	})
}

// request hears the Read that the device asks.
func (c *rawConn) request() iwarp.ReadRequest {
	b := make([]byte, iwarp.FPDULen(iwarp.UntaggedSize+iwarp.ReadRequestSize))
	c.conn.SetReadDeadline(time.Now().Add(time.Minute))
	if _, err := io.ReadFull(c.conn, b); err != nil {
		c.t.Fatal(err)
	}
	segment, _, err := iwarp.ParseFPDU(b, true)
	if err != nil {
		c.t.Fatal(err)
	}
	r, ok := iwarp.ParseReadRequest(segment[iwarp.UntaggedSize:])
	if !ok {
		c.t.Fatal("this is no Read")
	}
	return r
}

func note(i int) string { return "between segments, number " + string(rune('a'+i)) }

// answers cuts an answer into segments, mostly of one length, puts a few Sends between them, and cuts all
// of it into pieces.
func answers(t *rapid.T, r iwarp.ReadRequest, data []byte) (pieces [][]byte, sends int) {
	usual := rapid.IntRange(1, 60000).Draw(t, "usual")
	var all []byte
	for at := 0; at < len(data); {
		n := usual
		if rapid.IntRange(0, 5).Draw(t, "unusual") == 0 {
			n = rapid.IntRange(1, 60000).Draw(t, "length")
		}
		n = max(n, len(data)/40)
		n = min(n, len(data)-at)
		h := iwarp.Header{Tagged: true, Op: iwarp.OpReadResponse, STag: r.SinkSTag, TO: r.SinkTO + uint64(at), Last: at+n == len(data)}
		all = append(all, fpdu(h, data[at:at+n])...)
		at += n
		if sends < 6 && rapid.IntRange(0, 3).Draw(t, "send") == 0 {
			all = append(all, fpdu(sendHeader(uint32(2+sends), 0, true), []byte(note(sends)))...)
			sends++
		}
	}
	return shred(t, all), sends
}

// shred cuts a stream into pieces.
func shred(t *rapid.T, all []byte) (pieces [][]byte) {
	for len(all) > 0 {
		n := min(len(all), rapid.IntRange(1, 200000).Draw(t, "piece"))
		pieces = append(pieces, all[:n])
		all = all[n:]
	}
	return pieces
}

// TestWritesInPieces: a Write may come in segments of any lengths, cut anywhere by the network. It is what
// was sent, and nothing else has changed.
func TestWritesInPieces(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		const size, short, edge = 2 * aheadFrom, 64, 64 << 10
		e, c := accepted(t, Config{}, edge+size+edge+short)
		defer e.dev.Close()
		inbox := e.buf[edge+size+edge:]
		if _, err := e.qp.PostRecv([]verbs.RecvWR{{ID: 1, SGL: []verbs.SGE{{Buf: inbox, LKey: e.mr.LKey()}}}}); err != nil {
			t.Fatal(err)
		}
		total := rapid.IntRange(1, size).Draw(rt, "total")
		want := make([]byte, total)
		for i := range want {
			want[i] = byte(i*7+i>>8) | 1
		}
		at := iwarp.Header{Tagged: true, Op: iwarp.OpWrite, STag: e.mr.RKey(), TO: e.mr.Addr() + edge}
		for _, piece := range writes(rt, at, want) {
			c.say(piece)
		}
		if got := e.await(); got.Status != verbs.OK || string(inbox[:got.Len]) != note(0) {
			t.Fatalf("completion %+v, %q", got, inbox)
		}
		if !bytes.Equal(e.buf[edge:edge+total], want) {
			t.Error("the Write brought other bytes")
		}
		if around := append(bytes.Clone(e.buf[:edge]), e.buf[edge+total:edge+size+edge]...); len(bytes.TrimLeft(around, "\x00")) > 0 {
			t.Error("memory around the Write was changed")
		}
	})
}

// writes cuts a Write into segments, mostly of one length, puts a Send behind it, and cuts all of it into pieces.
func writes(t *rapid.T, h iwarp.Header, data []byte) [][]byte {
	usual := rapid.IntRange(1, 60000).Draw(t, "usual")
	var lengths []int
	for at := 0; at < len(data); at += lengths[len(lengths)-1] {
		n := usual
		if rapid.IntRange(0, 9).Draw(t, "unusual") == 0 {
			n = rapid.IntRange(1, 60000).Draw(t, "length")
		}
		lengths = append(lengths, min(max(n, len(data)/40), len(data)-at))
	}
	var all []byte
	for i, n := range lengths {
		h.Last = i == len(lengths)-1
		all = append(all, fpdu(h, data[:n])...)
		data, h.TO = data[n:], h.TO+uint64(n)
	}
	all = append(all, fpdu(sendHeader(1, 0, true), []byte(note(0)))...)
	return shred(t, all)
}

// TestReservedBitsAreZero: what RFC 5041 reserves is 0 in what others receive.
func TestReservedBitsAreZero(t *testing.T) {
	const size, each = 512 << 10, 192 << 10
	e, c := accepted(t, Config{}, size)
	defer e.dev.Close()
	if _, err := e.qp.PostRecv([]verbs.RecvWR{{ID: 1}}); err != nil {
		t.Fatal(err)
	}
	c.say(fpdu(sendHeader(1, 0, true), nil)) // only then may the acceptor send
	e.await()
	post(t, e, verbs.SendWR{Op: verbs.Write, RKey: 5, SGL: []verbs.SGE{{Buf: e.buf, LKey: e.mr.LKey()}}})
	send := verbs.SendWR{Op: verbs.Send, SGL: []verbs.SGE{{Buf: e.buf[:each], LKey: e.mr.LKey()}}}
	if _, err := e.qp.PostSend([]verbs.SendWR{send, send}); err != nil {
		t.Fatal(err)
	}
	for got := 0; got < size+2*each; {
		var length [iwarp.FPDULengthSize]byte
		c.conn.SetReadDeadline(time.Now().Add(time.Minute))
		if _, err := io.ReadFull(c.conn, length[:]); err != nil {
			t.Fatal(err)
		}
		ulpdu := int(length[0])<<8 | int(length[1])
		rest := make([]byte, iwarp.FPDULen(ulpdu)-len(length))
		if _, err := io.ReadFull(c.conn, rest); err != nil {
			t.Fatal(err)
		}
		h, n, f := iwarp.ParseHeader(rest[:ulpdu])
		if !f.OK() || h.Op != iwarp.OpWrite && h.Op != iwarp.OpSend || rest[0]&0x3c != 0 {
			t.Fatalf("header %+v, %v", h, f)
		}
		got += ulpdu - n
	}
}
