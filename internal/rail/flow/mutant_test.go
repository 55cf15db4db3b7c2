package flow

import (
	"fmt"
	"testing"
)

// trial runs the simulation through all that the flow promises, with halves that spoil has changed.
func trial(spoil func(*end)) error {
	run := func(name string, p plan) (*net, error) {
		n := newNet(p)
		spoil(n.a)
		spoil(n.b)
		if err := n.run(); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return n, nil
	}
	for seed := range uint64(3) {
		p := lossy(20, seed)
		p.forward, p.back, p.cfg.MaxRetry = 400, 200, 50
		if _, err := run("loss", p); err != nil {
			return err
		}
		p.steps = []step{{100, "connect"}}
		if _, err := run("promotion", p); err != nil {
			return err
		}
		p.steps, p.pace = []step{{1, "connect"}, {50, "cut"}, {90, "cut"}, {200, "cut"}}, 10_000
		if _, err := run("replay", p); err != nil {
			return err
		}
		p.cfg.Window, p.stall, p.steps, p.pace = 16, 10, nil, 0
		if _, err := run("stalls", p); err != nil {
			return err
		}
		p.steps = []step{{5, "connect"}}
		if _, err := run("stalls of a connection", p); err != nil {
			return err
		}
	}
	n, err := run("no loss", plan{cfg: quick(), forward: 5000, delay: 50_000, pace: 1000})
	if err != nil {
		return err
	}
	if n.b.count.Acks != 100 || n.a.count.Retransmits != 0 {
		return fmt.Errorf("no loss: %d acknowledgements, %d sent again", n.b.count.Acks, n.a.count.Retransmits)
	}
	n, err = run("little loss", plan{cfg: quick(), seed: 5, forward: 5000, loss: 2, delay: 50_000, jitter: 2000, pace: 3000})
	if err != nil {
		return err
	}
	if again, lost := n.a.count.Retransmits, uint64(n.lostData); again > lost+lost/4+10 || n.a.count.Timeouts > lost/4 {
		return fmt.Errorf("little loss: %d lost, %d sent again, %d time-outs", lost, again, n.a.count.Timeouts)
	}
	return nil
}

// Halves with one rule removed or wrong.
type (
	ignoresCredit   struct{ *Sender[int] }
	neverProbes     struct{ *Sender[int] }
	neverReplays    struct{ *Sender[int] }
	replaysLate     struct{ *Sender[int] }
	neverExpires    struct{ *Sender[int] }
	forgetsWatched  struct{ *Sender[int] }
	ignoresNotices  struct{ *Sender[int] }
	goesBack        struct{ *Sender[int] }
	sendsTooEarly   struct{ *Sender[int] }
	comparesAcks    struct{ *Sender[int] }
	deliversTwice   struct{ *Receiver[int] }
	deliversEarly   struct{ *Receiver[int] }
	keepsNothing    struct{ *Receiver[int] }
	acksTooMuch     struct{ *Receiver[int] }
	acksTooLittle   struct{ *Receiver[int] }
	acksEach        struct{ *Receiver[int] }
	acksLate        struct{ *Receiver[int] }
	grantsSilently  struct{ *Receiver[int] }
	withdrawsCredit struct{ *Receiver[int] }
	comparesNumbers struct{ *Receiver[int] }
)

func (m ignoresCredit) Full() bool { return m.InFlight() >= m.cfg.Window }
func (m ignoresCredit) Push(f int, now int64) uint32 {
	m.limit += uint32(m.cfg.Window)
	defer func() { m.limit -= uint32(m.cfg.Window) }()
	return m.Sender.Push(f, now)
}

func (m neverProbes) Full() bool { return m.Sender.Full() || !after(m.limit, m.next) }

func (m neverReplays) Replay(uint32, int64, func(uint32, int)) error { return nil }

func (m replaysLate) Replay(from uint32, now int64, resend func(uint32, int)) error {
	if from == m.next {
		return nil
	}
	return m.Sender.Replay(from+1, now, resend)
}

func (m neverExpires) Expire(int64, func(uint32, int)) bool { return false }

func (m forgetsWatched) SetTimed(on bool, now int64) {
	m.Sender.SetTimed(on, now)
	if !on {
		m.deadline = 0
	}
}

func (m ignoresNotices) Nack(uint32, uint64, int64) bool { return true }

func (m goesBack) Expire(now int64, resend func(uint32, int)) bool {
	if m.lost > 0 {
		for seq := m.base; seq != m.next; seq++ {
			if slot := m.ring.at(seq); !slot.lost {
				slot.lost = true
				m.lost++
				m.allowed++
			}
		}
	}
	return m.Sender.Expire(now, resend)
}

func (m sendsTooEarly) Nack(ack uint32, early uint64, now int64) bool {
	for seq := m.base; seq != m.next; seq++ { // no patience for a round trip
		m.ring.at(seq).again = false
	}
	return m.Sender.Nack(ack, early, now)
}

func (m comparesAcks) Acked(ack, limit uint32, now int64, release func(int)) bool {
	return ack >= m.base && m.Sender.Acked(ack, limit, now, release)
}

func (m deliversTwice) Arrive(seq uint32, f int, now int64) Verdict {
	if v := m.Receiver.Arrive(seq, f, now); v != Duplicate {
		return v
	}
	return Deliver
}

func (m deliversEarly) Arrive(seq uint32, f int, now int64) Verdict {
	if v := m.Receiver.Arrive(seq, f, now); v != Keep {
		return v
	}
	return Deliver
}

func (m keepsNothing) Arrive(seq uint32, f int, now int64) Verdict {
	v := m.Receiver.Arrive(seq, f, now)
	if v == Keep {
		*m.ring.at(seq) = early[int]{}
		m.kept--
	}
	return v
}

func (m acksTooMuch) Notice() (ack, limit uint32, ahead uint64) {
	ack, limit, ahead = m.Receiver.Notice()
	return ack + 1, limit, ahead
}

func (m acksTooLittle) Ack() (ack, limit uint32) {
	ack, limit = m.Receiver.Ack()
	return ack - 1, limit
}

func (m acksTooLittle) Notice() (ack, limit uint32, ahead uint64) {
	ack, limit, ahead = m.Receiver.Notice()
	return ack - 1, limit, ahead
}

func (m acksEach) AckDue(int64) bool { return m.ackAt != 0 }

func (m acksLate) AckDue(now int64) bool { return m.ackAt > atOnce && now >= m.ackAt }
func (m acksLate) Due() int64 {
	if m.ackAt == atOnce {
		return 0
	}
	return m.ackAt
}

func (m grantsSilently) Grant(frames int, now int64) {
	at := m.ackAt
	m.Receiver.Grant(frames, now)
	m.ackAt = at
}

func (m withdrawsCredit) Grant(frames int, now int64) {
	m.limit = m.expected
	m.Receiver.Grant(frames, now)
}

func (m comparesNumbers) Arrive(seq uint32, f int, now int64) Verdict {
	if seq < m.expected {
		return Duplicate
	}
	return m.Receiver.Arrive(seq, f, now)
}

var mutants = []struct {
	rule  string
	spoil func(*end)
}{
	{"the sender heeds the credit", func(e *end) { e.s = ignoresCredit{e.sender} }},
	{"one frame may be in flight without credit", func(e *end) { e.s = neverProbes{e.sender} }},
	{"a new connection replays", func(e *end) { e.s = neverReplays{e.sender} }},
	{"a replay begins with what the peer expects", func(e *end) { e.s = replaysLate{e.sender} }},
	{"what is lost is sent again", func(e *end) { e.s = neverExpires{e.sender} }},
	{"datagrams are watched beyond the promotion", func(e *end) { e.s = forgetsWatched{e.sender} }},
	{"notices make repair fast", func(e *end) { e.s = ignoresNotices{e.sender} }},
	{"only what is lost is sent again", func(e *end) { e.s = goesBack{e.sender} }},
	{"a repair gets a round trip", func(e *end) { e.s = sendsTooEarly{e.sender} }},
	{"acknowledgements survive the wrap", func(e *end) { e.s = comparesAcks{e.sender} }},
	{"duplicates are dropped", func(e *end) { e.r = deliversTwice{e.receiver} }},
	{"early frames wait for their turn", func(e *end) { e.r = deliversEarly{e.receiver} }},
	{"early frames are kept", func(e *end) { e.r = keepsNothing{e.receiver} }},
	{"only what was delivered is acknowledged", func(e *end) { e.r = acksTooMuch{e.receiver} }},
	{"all that was delivered is acknowledged", func(e *end) { e.r = acksTooLittle{e.receiver} }},
	{"one acknowledgement for 50 frames", func(e *end) { e.r = acksEach{e.receiver} }},
	{"what is urgent is told at once", func(e *end) { e.r = acksLate{e.receiver} }},
	{"new credit is told", func(e *end) { e.r = grantsSilently{e.receiver} }},
	{"a promise is not taken back", func(e *end) { e.r = withdrawsCredit{e.receiver} }},
	{"numbers survive the wrap", func(e *end) { e.r = comparesNumbers{e.receiver} }},
}

// The simulation sees it when any rule is broken, and only then.
func TestEveryRuleCounts(t *testing.T) {
	if err := trial(func(*end) {}); err != nil {
		t.Fatalf("without a fault: %v", err)
	}
	for _, m := range mutants {
		if err := trial(m.spoil); err == nil {
			t.Errorf("nobody sees it when it is not true that %s", m.rule)
		} else {
			t.Logf("%s: %v", m.rule, err)
		}
	}
}
