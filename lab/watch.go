package lab

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/weft-mpi/weft/internal/progress"
	"github.com/weft-mpi/weft/internal/verbs/sim"
	"github.com/weft-mpi/weft/internal/wire"
)

// departure is when a packet left and what it carries.
type departure struct {
	at    int64
	bytes int
}

// left notes that a packet is on its way.
func (r *Recorder) left(f flight, at int64, bytes int) {
	if r.flights == nil {
		r.flights = map[flight][]departure{}
	}
	r.flights[f] = append(r.flights[f], departure{at, bytes})
}

// arrived turns the oldest packet of that kind into an arrow: links keep the order of packets to a peer.
func (r *Recorder) arrived(f flight, at int64) {
	if waiting := r.flights[f]; len(waiting) > 0 {
		r.flights[f] = waiting[1:]
		r.Arrow(Arrow{From: f.from, To: f.to, Sent: waiting[0].at, Received: at, What: f.kind.String(), Bytes: waiting[0].bytes})
	}
}

// watched is a link that tells a recorder what passes. Virtual time only: one task runs at a time.
type watched struct {
	progress.Transport
	to   *Recorder
	rank int
	now  func() int64
}

// watchedLong is the same for its long messages.
type watchedLong struct {
	progress.Long
	*watched
}

// link wraps a rank's link. It is for one run at a time.
func (r *Recorder) link(rank int, now func() int64, l *progress.Link) {
	w := &watched{Transport: l.Transport, to: r, rank: rank, now: now}
	l.Transport = w
	if l.Long != nil {
		l.Long = watchedLong{l.Long, w}
	}
}

// flight is a packet that has left and not arrived.
type flight struct {
	from, to int
	kind     wire.Kind
}

// Send notes when a packet left.
func (w *watched) Send(p *wire.Packet) bool {
	at, key := w.now(), flight{w.rank, p.Peer, p.Kind}
	sent := w.Transport.Send(p)
	if sent {
		w.to.left(key, at, len(p.Data))
	}
	return sent
}

// Poll has arrivals noted on their way up.
func (w *watched) Poll(s wire.Sink) bool { return w.Transport.Poll(&sink{s, w}) }

// Read notes a remote read: the data travels towards us.
func (w *watched) Read(peer int, k wire.Key, dst []byte, token any) bool {
	at := w.now()
	return w.Transport.Read(peer, k, dst, &transfer{token, Arrow{From: peer, To: w.rank, Sent: at, What: "read", Bytes: len(dst)}})
}

// Write notes a remote write, and the packet that follows it.
func (w watchedLong) Write(peer int, k wire.Key, src []byte, then *wire.Packet, token any) {
	at := w.now()
	if then != nil {
		w.to.left(flight{w.rank, peer, then.Kind}, at, 0)
	}
	w.Long.Write(peer, k, src, then, &transfer{token, Arrow{From: w.rank, To: peer, Sent: at, What: "write", Bytes: len(src)}})
}

// transfer is a token of ours around the loop's.
type transfer struct {
	token any
	arrow Arrow
}

// sink is the loop's, with our eyes on it.
type sink struct {
	wire.Sink
	w *watched
}

// Arrive notes a packet.
func (s *sink) Arrive(peer int, h *wire.Header, payload []byte) {
	s.w.to.arrived(flight{peer, s.w.rank, h.Kind}, s.w.now())
	s.Sink.Arrive(peer, h, payload)
}

// Begin notes a packet whose payload is to come.
func (s *sink) Begin(peer int, h *wire.Header) (dst []byte, token any) {
	s.w.to.arrived(flight{peer, s.w.rank, h.Kind}, s.w.now())
	return s.Sink.Begin(peer, h)
}

// ReadDone ends a read.
func (s *sink) ReadDone(token any, err error) { s.Sink.ReadDone(s.done(token), err) }

// WriteDone ends a write.
func (s *sink) WriteDone(token any, err error) { s.Sink.WriteDone(s.done(token), err) }

func (s *sink) done(token any) any {
	t, ok := token.(*transfer)
	if !ok {
		panic(fmt.Sprintf("lab: a transfer ended that nobody began: %v", token)) // a defect of the link
	}
	t.arrow.Received = s.w.now()
	s.w.to.Arrow(t.arrow)
	return t.token
}

// landed notes that bytes have come to a node. There is one rank on each.
func (r *Recorder) landed(d sim.Delivery) { r.landings = append(r.landings, d) }

// controlMost is more than any packet without a payload has on the wire.
const controlMost = 1024

// land finds out when the packets of arrows arrived: a control packet came with the first small delivery after it left
// that no packet before it came with, a transfer was over with the last large one before its end was seen.
func land(arrows []Arrow, landings []sim.Delivery) {
	slices.SortStableFunc(arrows, func(a, b Arrow) int { return cmp.Compare(a.Sent, b.Sent) })
	taken := make([]bool, len(landings))
	for i := range arrows {
		a := &arrows[i]
		large := a.Bytes >= controlMost
		for j, d := range landings {
			if taken[j] || d.From != a.From || d.To != a.To || d.At <= a.Sent || d.At > a.Received || large != (d.Bytes >= controlMost) {
				continue
			}
			a.Landed = d.At
			if !large {
				taken[j] = true
				break
			}
		}
	}
}
