package verbstest

import (
	"errors"

	"github.com/weft-mpi/weft/internal/verbs"
)

// Queues that nobody empties.
var overflowCases = []scenario{
	{name: "overflow/completion queue", run: cqOverflow},
	{name: "overflow/events", run: eventsOverflow},
}

// cqOverflow lets a completion queue run over: an event says so and the queue pair that did it fails.
func cqOverflow(r *rig) {
	const many = 200
	h := r.hosts[1]
	box := r.box(h, verbs.CQConfig{Depth: 4})
	box.muted = true
	a := r.endOn(r.hosts[0]).init()
	b := r.endOn(h, func(c *verbs.QPConfig) { c.RecvCQ, c.RecvDepth = box.cq, many }).init()
	r.join(a, b)
	for i := range uint64(many) {
		b.recv(i)
	}
	for i := range uint64(many) {
		n, err := a.qp.PostSend([]verbs.SendWR{a.aim(verbs.SendWR{ID: i, Op: verbs.Send, Flags: verbs.Signaled})})
		if n != 1 && !errors.Is(err, verbs.ErrFull) {
			r.Fatalf("send %d: %v", i, err)
		}
		r.step()
	}
	e := r.event(h, 0, verbs.CQOverflow)
	if e.Num != box.cq.Num() {
		r.Errorf("the event is about cq %d, want %d", e.Num, box.cq.Num())
	}
	b.becomes(verbs.Error)
	var out [many]verbs.Completion
	n := box.cq.Poll(out[:])
	if n < 4 || n >= many {
		r.Errorf("a queue of 4 gave %d completions of %d", n, many)
	}
	for i, c := range out[:n] {
		if c.ID != uint64(i) || c.Status != verbs.OK {
			r.Fatalf("completion %d before the overflow: id %d %v", i, c.ID, c.Status)
		}
	}
}

// eventsOverflow makes events that nobody polls: the newest are lost, and counted.
func eventsOverflow(r *rig) {
	made := 20_000
	switch {
	case r.opt.Lossy:
		made = 200 // each message that is lost takes its time
	case r.opt.Brief:
		made = 2000
	}
	s, box, senders := r.sharing(1, 4)
	h, a := r.hosts[1], senders[0]
	box.muted, a.sends.muted = true, true
	var one [1]verbs.Completion
	wr := []verbs.SendWR{a.aim(verbs.SendWR{Op: verbs.Send, Flags: verbs.Signaled})}
	in := []verbs.RecvWR{{}}
	for i := range made {
		_, err := s.srq.PostRecv(in)
		if err = errors.Join(err, s.srq.Limit(1)); err != nil {
			r.Fatalf("receive %d: %v", i, err)
		}
		if _, err := a.qp.PostSend(wr); err != nil {
			r.Fatalf("send %d: %v", i, err)
		}
		r.spin("a receive", func() bool { return box.cq.Poll(one[:]) == 1 })
		r.spin("a send", func() bool { return a.sends.cq.Poll(one[:]) == 1 })
	}
	kept, lost, last := 0, 0, verbs.EventKind(0)
	r.until("events", func() bool {
		for _, e := range h.events {
			last = e.Kind
			switch e.Kind {
			case verbs.SRQLimit:
				kept++
			case verbs.EventsLost:
				lost += e.Lost
			}
		}
		h.events = nil
		return kept+lost >= made
	})
	if kept+lost != made || lost > 0 && last != verbs.EventsLost {
		r.Errorf("%d events kept and %d lost, of %d; the last is %v", kept, lost, made, last)
	}
	if lost == 0 && made == 20_000 {
		r.Errorf("%d events were all kept: that is not a bounded number", kept)
	}
}
