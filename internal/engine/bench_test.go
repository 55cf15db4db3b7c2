package engine

import (
	"testing"
	"unsafe"

	"github.com/weft-mpi/weft/internal/wire"
)

// carryTo carries out what an engine asks for against another one, whose peer it is, as a link would that
// is never busy.
func carryTo(from, to *Engine, peer int) {
	for i := 0; i < len(from.Actions()); i++ {
		switch a := from.Actions()[i]; a.Kind {
		case SendPacket, Expose, ExposeWrite:
			to.Arrive(peer, &a.Packet.Header, a.Packet.Data)
			from.Gone(a.Packet)
		case StartRead:
			from.ReadDone(a.Req, nil)
		}
	}
	from.Clear()
}

// BenchmarkMessage is what the engines of both ends do for a message, the receive posted first or last.
func BenchmarkMessage(b *testing.B) {
	for _, c := range []struct {
		name  string
		bytes int
		late  bool
	}{{"eager", 64, false}, {"eager, unexpected", 64, true}, {"rget", 4096, false}} {
		b.Run(c.name, func(b *testing.B) {
			out, in := New(Config{}), New(Config{})
			s, r := &Req{}, &Req{}
			from, to := make([]byte, c.bytes), make([]byte, c.bytes)
			recv := func() {
				r.Reset()
				r.Buf, r.EagerMax, r.Rendezvous, r.Envelope = to, 1024, wire.Pull, envelope(0, 0, 1)
				in.PostRecv(r)
			}
			for b.Loop() {
				if !c.late {
					recv()
				}
				s.Reset()
				s.Buf, s.EagerMax, s.Rendezvous, s.Envelope = from, 1024, wire.Pull, envelope(1, 0, 1)
				out.PostSend(s)
				carryTo(out, in, 0)
				if c.late {
					recv()
				}
				carryTo(in, out, 1)
				out.Clear()
			}
			b.ReportMetric(float64(unsafe.Sizeof(*s)), "B/request")
			if !s.Done() || !r.Done() {
				b.Fatal(s.State(), r.State())
			}
		})
	}
}
