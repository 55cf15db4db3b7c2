package witness

import (
	"slices"
	"testing"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/soft"
	"github.com/weft-mpi/weft/internal/verbs/soft/interop"
)

// exchange is two datagram queue pairs with a recording relay between them; a sends to b.
type exchange struct {
	a, b   *interop.End
	to     verbs.AH // b, by way of the relay
	finish func() []byte
}

// The longest datagram of these sessions: short, so that small messages already take several.
const maxDatagram = 600

func newExchange(t *testing.T, kind verbs.Type) *exchange {
	t.Helper()
	var ends [2]*interop.End
	for i := range ends {
		dev, err := soft.Open(soft.Config{Datagram: maxDatagram})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { dev.Close() })
		if ends[i], err = interop.NewEnd(dev, verbs.QPConfig{Type: kind}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := ends[0].Open(); err != nil {
		t.Fatal(err)
	}
	target, err := ends[1].Open()
	if err != nil {
		t.Fatal(err)
	}
	at, finish := relayUDP(t, target)
	to, err := ends[0].To(at)
	if err != nil {
		t.Fatal(err)
	}
	return &exchange{ends[0], ends[1], to, finish}
}

// do has a do something that must succeed.
func (x *exchange) do(t *testing.T, wr verbs.SendWR) {
	t.Helper()
	wr.AH = x.to
	if wr.RKey == 0 {
		wr.RemoteAddr, wr.RKey = x.b.Window.Addr(), x.b.Window.RKey()
	}
	if _, err := x.a.Do(wr); err != nil {
		t.Fatalf("%v: %v", wr.Op, err)
	}
}

// arrived wants something at b.
func (x *exchange) arrived(t *testing.T, op verbs.Op) {
	t.Helper()
	if _, c, err := x.b.Receive(); err != nil || c.Op != op {
		t.Fatalf("%v arrived, not %v: %v", c.Op, op, err)
	}
}

// refused does something that b refuses, and wants a to be told.
func (x *exchange) refused(t *testing.T, wr verbs.SendWR) {
	t.Helper()
	wr.AH, wr.RemoteAddr, wr.RKey = x.to, x.b.Window.Addr(), x.b.Window.RKey()^0x5a00
	x.a.Do(wr) // whether it fails or only the event tells is a matter of time
	if ev, err := x.a.Event(); err != nil || ev.Kind != verbs.RemoteError {
		t.Fatalf("event %v, %v", ev.Kind, err)
	}
}

func (x *exchange) dissect(t *testing.T) []frame {
	t.Helper()
	frames := dissect(t, x.finish(), readsDatagrams(initiator.Port(), responder.Port())...)
	checkFrames(t, frames)
	return frames
}

// Unreliable datagrams. Requests and answers that came twice, because somebody was slow, count once.
func TestUnreliableDatagrams(t *testing.T) {
	requireTshark(t)
	x := newExchange(t, verbs.UD)
	for _, size := range []int{0, 5, 500} {
		x.do(t, verbs.SendWR{Op: verbs.Send, SGL: x.a.Filled(size)})
		x.arrived(t, verbs.Recv)
	}
	x.do(t, verbs.SendWR{Op: verbs.Send, Flags: verbs.Solicited, SGL: x.a.Filled(5)})
	x.arrived(t, verbs.Recv)
	x.do(t, verbs.SendWR{Op: verbs.Write, SGL: x.a.Filled(1500)})
	x.do(t, verbs.SendWR{Op: verbs.Read, SGL: x.a.Filled(1500)})
	x.do(t, verbs.SendWR{Op: verbs.WriteRecord, SGL: x.a.Filled(5)})
	x.arrived(t, verbs.RecvRecord)
	x.refused(t, verbs.SendWR{Op: verbs.Write, SGL: x.a.Filled(5)})
	frames := x.dissect(t)
	for i, f := range frames {
		if got := f.Shown["iwarp_udp.service"]; got != "UD" {
			t.Errorf("datagram %d is %q", i, got)
		}
	}
	compare(t, "who asks", []string{"Send", "Send with SE", "Write ...", "Write", "Read Request", "Write (record)", "Write"},
		slices.Compact(names(frames, initiator.Port())))
	answers := slices.Compact(names(frames, responder.Port()))
	if len(answers) < 3 {
		t.Fatalf("answers %v", answers)
	}
	compare(t, "who answers", []string{"Read Response ...", "Read Response"}, answers[:2])
	compare(t, "who answers, at last", []string{"Terminate"}, answers[len(answers)-1:])
}

// first keeps each numbered datagram of a sender once, in the order of the numbers, and drops those without data.
func first(frames []frame, from uint16) []string {
	var list []frame
	seen := map[int64]bool{}
	for _, f := range frames {
		psn := f.number("iwarp_udp.psn")
		if f.From == from && f.number("iwarp_udp.flags.data") == 1 && !seen[psn] {
			seen[psn] = true
			list = append(list, f)
		}
	}
	slices.SortFunc(list, func(x, y frame) int { return int(x.number("iwarp_udp.psn") - y.number("iwarp_udp.psn")) })
	return names(list, from)
}

// Reliable datagrams: every operation, segments and their order; what was sent twice counts once.
func TestReliableDatagrams(t *testing.T) {
	requireTshark(t)
	x := newExchange(t, verbs.RD)
	for _, size := range []int{0, 5, 1500} {
		x.do(t, verbs.SendWR{Op: verbs.Send, SGL: x.a.Filled(size)})
		x.arrived(t, verbs.Recv)
	}
	mr, err := x.b.Register(64, verbs.LocalWrite|verbs.RemoteWrite)
	if err != nil {
		t.Fatal(err)
	}
	x.do(t, verbs.SendWR{Op: verbs.SendInvalidate, SGL: x.a.Filled(7), Invalidate: mr.RKey()})
	x.arrived(t, verbs.Recv)
	x.do(t, verbs.SendWR{Op: verbs.Write, SGL: x.a.Filled(700)})
	x.do(t, verbs.SendWR{Op: verbs.WriteImm, SGL: x.a.Filled(9), Imm: 0x01020304})
	x.arrived(t, verbs.RecvImm)
	x.do(t, verbs.SendWR{Op: verbs.Read, SGL: x.a.Filled(700)})
	x.do(t, verbs.SendWR{Op: verbs.FetchAdd, SGL: x.a.Filled(8), Swap: 1})
	x.do(t, verbs.SendWR{Op: verbs.CompareSwap, SGL: x.a.Filled(8), Compare: 1, Swap: 2})
	x.refused(t, verbs.SendWR{Op: verbs.Write, SGL: x.a.Filled(5)})
	frames := x.dissect(t)
	compare(t, "who asks", []string{"Send", "Send", "Send ...", "Send ...", "Send", "Send with Invalidate",
		"Write ...", "Write", "Write", unknown, "Read Request", "Atomic Request", "Atomic Request", "Write"},
		first(frames, initiator.Port()))
	compare(t, "who answers", []string{"Read Response ...", "Read Response", "Atomic Response", "Atomic Response", "Terminate"},
		first(frames, responder.Port()))
	if !slices.Contains(names(frames, responder.Port()), "Acknowledgement") {
		t.Error("nothing was acknowledged by a datagram of its own")
	}
	for i, f := range frames {
		if f.number("iwarp_udp.epoch") <= 0 {
			t.Errorf("datagram %d, %v: epoch %q", i, &f, f.Shown["iwarp_udp.epoch"])
		}
	}
}
