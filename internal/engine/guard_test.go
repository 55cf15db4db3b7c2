package engine

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/weft-mpi/weft/internal/match"
	"github.com/weft-mpi/weft/internal/wire"
)

func speculating(cfg Config) *world {
	return makeWorld(2, worldConfig{eager: 16, rendezvous: wire.Speculate, cfg: cfg})
}

// cross exchanges n long messages whose RTS and RTR cross; early ones whose RTR is there in time.
func cross(w *world, n, tag int) {
	for range n {
		w.recv("r", 1, envelope(0, 0, tag), 100)
		w.send("s", pair{0, 1}, 0, tag, 100, Standard)
		w.settle()
	}
}

func early(w *world, n, tag int) {
	for range n {
		w.recv("r", 1, envelope(0, 0, tag), 100)
		w.deliver(pair{1, 0})
		w.send("s", pair{0, 1}, 0, tag, 100, Standard)
		w.settle()
	}
}

// A receiver whose long buffers take short messages stops sending RTRs, and starts again when a long one has come.
func TestVoidRTRsDoNotPileUp(t *testing.T) {
	w := speculating(Config{MaxUnusedRTR: 3})
	for range 50 {
		w.recv("r", 1, envelope(0, 0, 1), 100)
		w.send("s", pair{0, 1}, 0, 1, 4, Standard)
		w.settle()
	}
	s, r := &w.ranks[0].eng.Counters, &w.ranks[1].eng.Counters
	kept := len(w.ranks[0].eng.spec.supplies[envelope(1, 0, 1)].kept)
	if r.RTRSent != 3 || kept != 3 || r.Mispredicted != 3 || r.RTRSuppressed.Guard != 47 {
		t.Errorf("%d RTRs sent, %d lie at the sender, %+v", r.RTRSent, kept, r.RTRSuppressed)
	}
	cross(w, 2, 1) // STOP and RESUME
	early(w, 1, 1)
	if s.RTRUsed != 1 || r.RTRSent != 4 {
		t.Errorf("after long messages %d RTRs sent, %d used", r.RTRSent, s.RTRUsed)
	}
}

// Crossing messages end the RTRs of their envelope within the window; a program that changes gets them back.
func TestAdaptation(t *testing.T) {
	w := speculating(Config{RoundTrip: 100})
	s, r := &w.ranks[0].eng.Counters, &w.ranks[1].eng.Counters
	cross(w, 100, 1)
	if r.RTRSent != 9 || s.AdaptStops != 1 || r.RTRSuppressed.Adapt != 100-r.RTRSent {
		t.Errorf("crossing: %d RTRs sent, %d stops, %+v", r.RTRSent, s.AdaptStops, r.RTRSuppressed)
	}
	early(w, 1, 2)
	if s.RTRUsed != 1 {
		t.Error("another envelope was stopped too")
	}
	sent, used := r.RTRSent, s.RTRUsed
	for range 100 {
		w.recv("r", 1, envelope(0, 0, 1), 100)
		w.deliver(pair{1, 0})
		w.pass(1000)
		w.send("s", pair{0, 1}, 0, 1, 100, Standard)
		w.settle()
	}
	if r.AdaptResumes != 1 || r.RTRSent == sent || s.RTRUsed-used < 30 {
		t.Errorf("early: %d resumes, %d RTRs sent, %d used", r.AdaptResumes, r.RTRSent-sent, s.RTRUsed-used)
	}
	if s.RTSSent+s.RTRUsed != s.RendezvousSends {
		t.Errorf("%d sends, %d RTS, %d RTRs used", s.RendezvousSends, s.RTSSent, s.RTRUsed)
	}
}

// While adaptation has stopped an envelope, its sends do not look at what has arrived; its receives do.
func TestAdaptationEndsTheInitialLook(t *testing.T) {
	w := speculating(Config{})
	r := &Req{Buf: make([]byte, 100), EagerMax: 16, Rendezvous: wire.Speculate}
	r.Envelope = envelope(1, 0, 1)
	eng := w.ranks[0].eng
	if !eng.WantsPoll(r, true) {
		t.Error("a long send does not look")
	}
	cross(w, 20, 1)
	v := &Req{Buf: r.Buf, EagerMax: 16, Rendezvous: wire.Speculate}
	v.Envelope = envelope(0, 0, 1)
	if eng.WantsPoll(r, true) {
		t.Error("the stop makes no difference")
	}
	if !w.ranks[1].eng.WantsPoll(v, false) {
		t.Error("a receive does not look for the RTS that may be there")
	}
	if r.Tag = 2; !eng.WantsPoll(r, true) {
		t.Error("the stop concerns other envelopes")
	}
	for _, no := range []*Req{{Buf: make([]byte, 16), EagerMax: 16, Rendezvous: wire.Speculate}, {Buf: make([]byte, 100), EagerMax: 16}} {
		if eng.WantsPoll(no, false) {
			t.Errorf("%+v looks", no)
		}
	}
}

// Judged together, an envelope that does badly ends the RTRs of one that does well.
func TestScopes(t *testing.T) {
	for _, scope := range []Scope{PerEnvelope, PerProcess} {
		w := speculating(Config{SpecScope: scope})
		cross(w, 20, 1)
		early(w, 1, 2)
		w.send("s", pair{0, 1}, 0, 2, 100, Standard) // an RTS that can carry the news
		w.settle()
		w.recv("r", 1, envelope(0, 0, 2), 100)
		w.settle()
		before := w.ranks[1].eng.Counters.RTRSent
		w.recv("r", 1, envelope(0, 0, 2), 100)
		silent := w.ranks[1].eng.Counters.RTRSent == before
		if silent != (scope == PerProcess) {
			t.Errorf("scope %d: silent %v", scope, silent)
		}
	}
}

// A static switch lets every RTR go, however few are of use.
func TestNoAdapt(t *testing.T) {
	w := speculating(Config{NoAdapt: true})
	cross(w, 100, 1)
	if c := w.ranks[1].eng.Counters; c.RTRSent != 100 {
		t.Errorf("%d RTRs", c.RTRSent)
	}
}

// What is known of envelopes does not grow with their number.
func TestEnvelopesAreForgotten(t *testing.T) {
	w := speculating(Config{})
	const many = 3 * maxEnvelopes
	for tag := range many {
		early(w, 1, tag)
	}
	s, r := w.ranks[0].eng, w.ranks[1].eng
	if s.Counters.RTRUsed != many || len(s.spec.supplies) > maxEnvelopes || len(r.spec.gates) > maxEnvelopes {
		t.Errorf("%d of %d RTRs used, %d supplies, %d gates", s.Counters.RTRUsed, many, len(s.spec.supplies), len(r.spec.gates))
	}
	for tag := range many { // and those that must be remembered limit how many may become so
		w.recv("r", 1, envelope(0, 1, tag), 100)
		w.send("s", pair{0, 1}, 1, tag, 4, Standard)
		w.settle()
		cross(w, 1, tag)
	}
	for tag := range many {
		w.recv("r", 1, envelope(0, 2, tag), 100)
		w.send("e", pair{0, 1}, 2, tag, 4, Standard)
		w.settle()
		w.recv("r", 1, envelope(0, 2, tag), 100)
		w.settle()
		w.send("s", pair{0, 1}, 2, tag, 100, Standard) // STOP
		w.settle()
	}
	if len(r.spec.gates) > maxEnvelopes || r.Counters.RTRSuppressed.Full == 0 {
		t.Errorf("%d gates, %d receives without room", len(r.spec.gates), r.Counters.RTRSuppressed.Full)
	}
	if left := w.leftovers(); left != "" {
		t.Error(left)
	}
}

// An eager message in pieces goes straight into the buffer of its posted receive.
func TestPiecesLandInThePostedBuffer(t *testing.T) {
	e := New(Config{})
	r := &Req{Buf: make([]byte, 100)}
	r.Envelope = envelope(0, 0, 1)
	e.PostRecv(r)
	dst, token := e.Begin(0, &wire.Header{Kind: wire.Eager, Tag: 1, Len: 80})
	if &dst[0] != &r.Buf[0] || token != any(r) {
		t.Error("the payload takes a detour")
	}
	e.End(token)
	if !r.Done() || r.Status.Len != 80 {
		t.Errorf("%s, %+v", r.State(), r.Status)
	}
}

// Long messages cost no memory of the allocator once the engine is warm.
func TestSpeculationAllocatesNothing(t *testing.T) {
	a, b := New(Config{}), New(Config{})
	s, r := &Req{}, &Req{}
	payload, room := make([]byte, 100), make([]byte, 100)
	run := func(from, to *Engine, peer int) {
		for i := 0; i < len(from.Actions()); i++ {
			switch act := from.Actions()[i]; act.Kind {
			case ExposeWrite:
				act.Packet.Key = wire.Key{Addr: 1}
				fallthrough
			case SendPacket:
				to.Arrive(peer, &act.Packet.Header, nil)
				from.Gone(act.Packet)
			case StartWrite:
				to.Arrive(peer, &act.Packet.Header, nil)
				from.WriteDone(act.Req, nil)
			}
		}
		from.Clear()
	}
	exchange := func() {
		s.Reset()
		r.Reset()
		s.Buf, r.Buf, s.EagerMax, r.EagerMax = payload, room, 16, 16
		s.Rendezvous, r.Rendezvous = wire.Speculate, wire.Speculate
		s.Envelope, r.Envelope = envelope(1, 0, 1), envelope(0, 0, 1)
		b.PostRecv(r)
		run(b, a, 1)
		a.PostSend(s)
		run(a, b, 0)
		run(b, a, 1)
	}
	exchange()
	if n := testing.AllocsPerRun(100, exchange); n != 0 {
		t.Errorf("%v allocations per message", n)
	}
	if !s.Done() || !r.Done() || a.Counters.RTRUsed < 100 {
		t.Errorf("%s, %s, %+v", s.State(), r.State(), a.Counters)
	}
	a.NoteEager(s.Envelope)
	if n := testing.AllocsPerRun(100, func() { a.NoteEager(match.Envelope{Ctx: 3, Peer: 1, Tag: 9}) }); n != 0 {
		t.Errorf("%v allocations per eager message", n)
	}
}

// Once adaptation has stopped an envelope, its messages make the same packets and the same reads in the same order as
// under rget, whichever side comes first.
func TestStoppedEnvelopesTravelAsRget(t *testing.T) {
	play := func(rendezvous wire.Rendezvous) (lines []string) {
		w := makeWorld(2, worldConfig{eager: 16, rendezvous: rendezvous})
		cross(w, 20, 1)
		w.log = func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
		cross(w, 5, 1)
		for range 5 { // the send is there first, and two are under way at once
			w.send("a", pair{0, 1}, 0, 1, 100, Standard)
			w.send("b", pair{0, 1}, 0, 1, 100, Standard)
			w.deliver(pair{0, 1})
			w.recv("ra", 1, envelope(0, 0, 1), 100)
			w.recv("rb", 1, envelope(0, 0, 1), 100)
			w.settle()
		}
		return lines
	}
	want, got := play(wire.Pull), play(wire.Speculate)
	if d := cmp.Diff(want, got); d != "" || len(want) == 0 {
		t.Errorf("rget (-) and speculation that has stopped (+) differ:\n%s", d)
	}
}

// pretend exchanges n long messages whose RTRs cross although a silent receive looks early enough for one.
func pretend(w *world, n int) {
	for range n {
		w.recv("r", 1, envelope(0, 0, 1), 100)
		w.pass(1000)
		w.send("s", pair{0, 1}, 0, 1, 100, Standard)
		w.settle()
	}
}

// Receives that look early enough and whose RTRs are of no use all the same do not begin again and again: each silence
// is longer than the one before. RTRs that do well for long make it short again.
func TestSilencesGrow(t *testing.T) {
	w := speculating(Config{RoundTrip: 100})
	s, r := &w.ranks[0].eng.Counters, &w.ranks[1].eng.Counters
	pretend(w, 20_000)
	if r.AdaptResumes < 4 || r.AdaptResumes > 8 || r.RTRSent > 100 {
		t.Errorf("%d resumes, %d of 20000 RTRs sent", r.AdaptResumes, r.RTRSent)
	}
	resumes := r.AdaptResumes
	for s.RTRUsed < maxWindow { // a program that has changed: the longest silence ends, and the RTRs are used
		w.recv("r", 1, envelope(0, 0, 1), 100)
		w.pass(1000)
		w.deliver(pair{1, 0})
		w.send("s", pair{0, 1}, 0, 1, 100, Standard)
		w.settle()
		if r.RTRSuppressed.Adapt > 30_000 {
			t.Fatal("RTRs never come back")
		}
	}
	pretend(w, 200)
	if r.AdaptResumes < resumes+2 {
		t.Errorf("%d resumes before RTRs did well, %d now", resumes, r.AdaptResumes)
	}
}
