package soft

import (
	"net/netip"
	"testing"

	"github.com/weft-mpi/weft/internal/iwarp"
	"github.com/weft-mpi/weft/internal/socket"
	"github.com/weft-mpi/weft/internal/verbs"
)

// BenchmarkPath is the processor time of a 64-byte message, both ends in one goroutine: what the device adds to the
// system calls of BenchmarkPathRaw.
func BenchmarkPath(b *testing.B) {
	for _, typ := range []verbs.Type{verbs.RC, verbs.UD, verbs.RD} {
		b.Run(typ.String(), func(b *testing.B) {
			var x, y *end
			var to verbs.AH
			if typ == verbs.RC {
				x, y = connected(b, Config{}, 4096)
			} else {
				x, y, to, _ = readied(b, Config{}, typ, 4096)
			}
			send := []verbs.SendWR{{Op: verbs.Send, AH: to, SGL: []verbs.SGE{{Buf: x.buf[:64], LKey: x.mr.LKey()}}, Flags: verbs.Signaled}}
			recv := []verbs.RecvWR{{SGL: []verbs.SGE{{Buf: y.buf[:64], LKey: y.mr.LKey()}}}}
			var out [4]verbs.Completion
			b.ReportAllocs()
			for b.Loop() {
				y.qp.PostRecv(recv)
				x.qp.PostSend(send)
				for y.cq.Poll(out[:]) == 0 {
				}
				for x.cq.Poll(out[:]) == 0 {
				}
			}
		})
	}
}

// BenchmarkPathRaw is the same with bare sockets.
func BenchmarkPathRaw(b *testing.B) {
	lo := netip.MustParseAddrPort("127.0.0.1:0")
	b.Run("TCP", func(b *testing.B) {
		l, err := socket.Listen(lo, 1)
		if err != nil {
			b.Fatal(err)
		}
		defer l.Close()
		x, err := socket.Dial(netip.Addr{}, l.Addr())
		if err != nil {
			b.Fatal(err)
		}
		defer x.Close()
		y, err := l.Accept()
		for err == socket.ErrAgain {
			y, err = l.Accept()
		}
		if err != nil {
			b.Fatal(err)
		}
		defer y.Close()
		for x.Connected() != nil {
		}
		x.SetNoDelay(true)
		buf := make([]byte, 64)
		for b.Loop() {
			x.Send(buf, false)
			for {
				if n, _ := y.Recv(buf); n == 64 {
					break
				}
			}
		}
	})
	b.Run("UDP", func(b *testing.B) {
		x, err := socket.OpenUDP(lo, socket.UDPOptions{NoOffload: true})
		if err != nil {
			b.Fatal(err)
		}
		defer x.Close()
		y, err := socket.OpenUDP(lo, socket.UDPOptions{NoOffload: true})
		if err != nil {
			b.Fatal(err)
		}
		defer y.Close()
		buf := make([]byte, 64)
		for b.Loop() {
			x.SendOne(y.LocalAddr(), buf)
			for {
				if n, _, _ := y.RecvOne(buf); n == 64 {
					break
				}
			}
		}
	})
}

// BenchmarkReceive is what handling a 64-byte message costs once its bytes are here.
func BenchmarkReceive(b *testing.B) {
	b.Run("RC", func(b *testing.B) {
		_, y := connected(b, Config{}, 4096)
		s := y.qp.(*rc).stream
		h := iwarp.Header{Last: true, Op: iwarp.OpSend, MSN: 1}
		f := h.Append(iwarp.AppendFPDUHead(nil, iwarp.UntaggedSize+64))
		f = append(f, make([]byte, 64)...)
		f = iwarp.AppendFPDUTail(f, len(f)-2, iwarp.NewCRC().Add(f), true)
		receiveLoop(b, y, func() {
			s.recvNum[0] = 1
			s.parse(f)
		})
	})
	b.Run("UD", func(b *testing.B) {
		x, y, _, _ := readied(b, Config{}, verbs.UD, 4096)
		h := iwarp.Header{Last: true, Op: iwarp.OpSend, MSN: 1}
		f := iwarp.SealDatagram(append(h.Append(nil), make([]byte, 64)...), 0)
		u, from := y.qp.(*dgram).sock, x.qp.Addr()
		receiveLoop(b, y, func() { u.arrive(0, f, from) })
	})
}

func receiveLoop(b *testing.B, y *end, arrive func()) {
	recv := []verbs.RecvWR{{SGL: []verbs.SGE{{Buf: y.buf[:64], LKey: y.mr.LKey()}}}}
	var out [1]verbs.Completion
	b.ReportAllocs()
	for b.Loop() {
		y.qp.PostRecv(recv)
		arrive()
		if y.cq.(*cq).Take(out[:]) != 1 || out[0].Status != verbs.OK {
			b.Fatal("not received")
		}
	}
}
