package engine

import (
	"testing"

	"github.com/weft-mpi/weft/internal/match"
	"github.com/weft-mpi/weft/internal/wire"
)

// besieged is an engine with requests of every kind under way, whose peer sends what it likes.
func besieged() *Engine {
	e := New(Config{SpecMinSamples: 1})
	for i := range 12 {
		r := &Req{Buf: make([]byte, []int{4, 100}[i%2]), EagerMax: 16, Rendezvous: wire.Rendezvous(i % 4), Prefix: 10, Mode: Mode(i / 6)}
		r.Envelope = match.Envelope{Peer: 1, Tag: int32(i % 3)}
		if i%3 == 0 {
			e.PostRecv(r)
		} else {
			e.PostSend(r)
		}
		obey(e)
	}
	return e
}

// obey carries out an engine's actions as if links were quick.
func obey(e *Engine) {
	for i := 0; i < len(e.Actions()); i++ {
		switch a := e.Actions()[i]; a.Kind {
		case Expose, ExposeWrite:
			a.Packet.Key = wire.Key{Addr: 1}
			e.Gone(a.Packet)
		case SendPacket:
			e.Gone(a.Packet)
		case Retract:
			e.Retracted(a.Req, false)
		case StartRead:
			a.Req.ReadArgs()
			e.ReadDone(a.Req, nil)
		case StartWrite:
			a.Req.WriteArgs()
			e.WriteDone(a.Req, nil)
		}
	}
	e.Clear()
}

// FuzzArrive lets a peer send any packets in any order: the engine must survive them, and end everything when asked to.
func FuzzArrive(f *testing.F) {
	for k := wire.Eager; k <= wire.GiveUp; k++ {
		var b []byte
		for id := uint32(1); id < 10; id++ {
			b = wire.Append(b, &wire.Header{Kind: k, Tag: int32(id % 3), Send: id, Recv: id, Len: 50})
		}
		f.Add(b)
	}
	var prefixed []byte
	for id := uint32(1); id < 10; id++ {
		prefixed = wire.Append(prefixed, &wire.Header{Kind: wire.RTS, Tag: int32(id % 3), Send: id, Len: 50, Prefix: int(id) * 5, Key: wire.Key{Addr: 7}})
		prefixed = wire.Append(prefixed, &wire.Header{Kind: wire.Data, Recv: id, Len: 9})
	}
	f.Add(prefixed)
	var stop []byte
	for _, h := range []wire.Header{
		{Kind: wire.RTR, Tag: 1, Recv: 3, Len: 100, Key: wire.Key{Addr: 9}}, {Kind: wire.RTS, Send: 7, Len: 90, Flags: wire.Speculative | wire.StopRTR},
		{Kind: wire.RTRCancel, Tag: 1, Recv: 3, Send: 1}, {Kind: wire.RTS, Send: 7, Flags: wire.Speculative | wire.ResumeRTR | wire.AdaptStop},
		{Kind: wire.RTSAck, Send: 2, Flags: wire.AdaptResume}, {Kind: wire.Done, Recv: 1}, {Kind: wire.RTRAck, Recv: 1, Len: 10}, {Kind: wire.Done, Recv: 1},
	} {
		stop = wire.Append(stop, &h)
	}
	f.Add(stop)
	f.Fuzz(func(t *testing.T, b []byte) {
		e := besieged()
		for len(b) > 0 {
			var h wire.Header
			rest, err := wire.Parse(b, &h)
			if err != nil {
				break
			}
			b = rest
			e.Arrive(1, &h, make([]byte, min(h.Payload(), 200)))
			obey(e)
			if h.Payload() > 0 && h.Payload() <= 200 {
				_, token := e.Begin(1, &h)
				obey(e)
				if token != nil {
					e.End(token)
				}
				obey(e)
			}
		}
		e.Lost(1, ErrCancelled)
		obey(e)
		if used := len(e.ids) - len(e.freeIDs); used != 0 || e.posted.Len() != 0 {
			t.Fatalf("the peer is lost, but %d requests and %d receives wait for it", used, e.posted.Len())
		}
	})
}
