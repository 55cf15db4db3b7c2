package soft

import (
	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/verbs"
)

// answerWait is for how long a peer that owes an answer may be silent before it is asked whether it is there.
const answerWait = second / 5

// expectAnswer has the socket look after a talk that waits for an answer. The flow does so only until the request is
// acknowledged.
func (u *udpSocket) expectAnswer(t *talk) {
	if t.watched {
		return
	}
	t.watched = true
	if u.waiting = append(u.waiting, t); len(u.waiting) == 1 {
		u.dev.setTimer(u.lookAfter, clock.Now()+answerWait)
	}
}

// probeSilent sends an empty segment to peers that owe an answer and have been silent for a while; if they are
// gone, the flow will find out.
func (u *udpSocket) probeSilent(now int64) {
	kept := u.waiting[:0]
	for _, t := range u.waiting {
		if len(t.asked) == 0 {
			t.watched = false
			continue
		}
		kept = append(kept, t)
		if t.quiet && t.flight.n == 0 {
			t.probe = true
			t.touch()
		}
		t.quiet = true
	}
	clear(u.waiting[len(kept):])
	if u.waiting = kept; len(kept) > 0 {
		u.dev.setTimer(u.lookAfter, now+answerWait)
	}
	u.pumpTouched(now)
	u.settle()
}

// fail ends all open work to the peer.
func (t *talk) fail(status verbs.Status) {
	t.dev.count.flowsFailed++
	end := func(q *base, number uint64) {
		if q == nil {
			return
		}
		if w := q.sends.Get(number); w != nil && !w.Done {
			w.Done, w.Status = true, status
		}
		q.sends.Retire(q.report)
	}
	flying, asked, queue, cur := t.flight, t.asked, t.queue, t.cur
	t.flight, t.asked, t.queue, t.cur, t.replies, t.notices = flight{}, nil, nil, message{}, nil, nil
	for i := range flying.n {
		end(flying.at(i).q, flying.at(i).number)
	}
	for _, a := range asked {
		end(a.q, a.number)
	}
	if cur.kind == work {
		end(cur.q, cur.number)
	}
	for _, w := range queue {
		end(w.q, w.number)
	}
}

// expire handles the flows whose time has come.
func (u *udpSocket) expire(now int64) {
	for p, what := u.flows.Expire(now); p != nil; p, what = u.flows.Expire(now) {
		t := u.talkOf(p)
		switch {
		case what.Forgotten:
			t.forget()
			t.fail(verbs.Unreachable)
		case what.Failed:
			replies := t.replies // the peer may be back and have asked anew: it is answered in the new epoch
			t.fail(verbs.Unreachable)
			t.replies = replies
			t.touch()
		default:
			t.touch()
		}
		if u.sock == nil {
			return
		}
	}
	u.pumpTouched(now)
	u.settle()
}

// abandon takes the work of a queue pair out of all talks of the socket. Peers of a socket that has no other queue
// pair are told, so that they do not wait.
func (u *udpSocket) abandon(q *dgram) {
	var waiting []*talk // for a receive of this queue pair, and in the way of messages to others
	now := clock.Now()
	for p := range u.flows.Peers() {
		t := p.Value
		if t == nil {
			continue
		}
		if t.abandon(&q.base) && u.shared {
			waiting = append(waiting, t)
		}
		if !u.shared && u.room(&load{}) {
			p.FillReset(&u.shim)
			u.putShim(p.Key, &u.shim)
			u.flows.Renounce(now, p)
			t.flight = flight{}
			t.forget()
		}
	}
	for _, t := range waiting {
		t.resume()
	}
	u.flush()
}

// abandon makes everything of a queue pair in this talk ask for nothing. It answers whether a message was waiting for
// a receive of it.
func (t *talk) abandon(q *base) (waited bool) {
	kept := t.queue[:0]
	for _, w := range t.queue {
		if w.q != q {
			kept = append(kept, w)
		}
	}
	t.queue = kept
	for i := range t.flight.n {
		if e := t.flight.at(i); e.q == q {
			*e = piece{header: nop}
		}
	}
	for i := range t.asked {
		if t.asked[i].q == q {
			t.asked[i] = ask{orphan: true}
		}
	}
	if t.cur.q == q {
		t.cur = message{}
	}
	if t.midMessage && t.receiver == q {
		t.cutOff()
		t.skipping = true
	}
	if t.to == q {
		t.to = nil
	}
	if t.heard != nil && &t.heard.base == q {
		waited = t.starved
		t.unstarve()
		t.heard = nil
	}
	return waited
}
