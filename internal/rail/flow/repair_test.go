package flow

import "testing"

// measured is a sender with one frame acknowledged after 10 ms: a round trip may take 10 + 4*5 ms, a time-out 35 ms.
func measured(n int, change func(*Config)) *desk {
	d := newDesk(true, 1, change)
	d.ack(1, start+10*millisecond)
	d.push(n, start+10*millisecond)
	return d
}

const sent, wait = start + 10*millisecond, 35 * millisecond

// Frames that follow do not put off the time-out of the oldest, nor are they sent again before their own time.
func TestOnlyTheOverdue(t *testing.T) {
	d := measured(2, nil)
	d.push(3, sent+30*millisecond)
	equal(t, "due", d.Due(), sent+wait)
	same(t, "sent again", d.resent(d.Due()), 1, 2)
	d.ack(3, sent+40*millisecond)
	now := d.Due()
	equal(t, "due for the others", now, sent+40*millisecond+2*wait)
	same(t, "sent again", d.resent(now), 3, 4, 5)
}

// A repair shortly before the deadline puts it off, and is no time-out.
func TestRepairBeforeTheDeadline(t *testing.T) {
	d := measured(4, nil)
	repaired := sent + 34*millisecond
	d.nack(1, 0b111, repaired)
	same(t, "repaired", d.resent(repaired), 1)
	same(t, "at the deadline", d.resent(sent+wait))
	equal(t, "time-outs", d.count.Timeouts, 0)
	now := d.Due()
	equal(t, "put off", now > sent+wait && now >= repaired+d.cfg.MinTimeout, true)
	same(t, "at last", d.resent(now), 1)
	equal(t, "time-outs", d.count.Timeouts, 1)
}

// What a notice shows goes out whole, even if a time-out comes at the same moment.
func TestRepairAtTheDeadline(t *testing.T) {
	d := measured(61, nil)
	d.nack(1, 0x5555555555555555>>4, sent+wait) // frames 2, 4, ..., 60 are there
	got := d.resent(sent + d.cfg.Timeout)
	equal(t, "sent again", len(got) >= 28, true)
	equal(t, "time-outs", d.count.Timeouts, 1)
}

// Acknowledgements before a loss do not save up a large burst for it.
func TestNoBurstFromThePast(t *testing.T) {
	d := measured(200, nil)
	d.ack(101, sent+millisecond)
	d.ack(102, sent+millisecond)
	equal(t, "sent again", len(d.resent(d.Due())), burst)
}

// Frames sent more than once say nothing about the round trip: time-outs stay as they were.
func TestRoundTripOfRepeats(t *testing.T) {
	for name, repeat := range map[string]func(d *desk){
		"time-out, then a notice": func(d *desk) {
			now := d.Due()
			d.resent(now)
			d.nack(1, 0b111, now+1)
		},
		"time-out, then an acknowledgement": func(d *desk) {
			now := d.Due()
			d.resent(now)
			d.ack(4, now+1)
		},
		"replay": func(d *desk) {
			if err := d.Replay(d.cfg.First+1, sent, d.ignore); err != nil {
				t.Fatal(err)
			}
			d.ack(4, sent+1000*millisecond)
		},
	} {
		d := measured(4, nil)
		trip := d.roundTrip()
		repeat(d)
		equal(t, name+": round trip", d.roundTrip(), trip)
	}
}

func (d *desk) ignore(uint32, int) {}

// After a replay all is as if sent now for the first time: nothing counts as there, nothing is overdue.
func TestTimersAfterReplay(t *testing.T) {
	d := measured(5, nil)
	d.nack(1, 0b1110, sent)
	now := sent + 34*millisecond
	if err := d.Replay(d.cfg.First+1, now, d.ignore); err != nil {
		t.Fatal(err)
	}
	equal(t, "due", d.Due(), now+d.timeout())
	d.nack(1, 0b1110, now+millisecond)
	same(t, "a notice from before the replay", d.resent(now+millisecond))
	d = measured(5, nil)
	d.nack(1, 0b1110, sent)
	if err := d.Replay(d.cfg.First+1, now, d.ignore); err != nil {
		t.Fatal(err)
	}
	same(t, "lost", d.resent(d.Due()), 1, 2, 3, 4, 5)
}

// Back from a connection to datagrams, what was watched all the time is due when it was.
func TestBackToDatagrams(t *testing.T) {
	d := measured(2, nil)
	d.SetTimed(false, sent+millisecond)
	d.SetTimed(true, sent+2*millisecond)
	equal(t, "due", d.Due(), sent+wait)
}

// A peer that shows by notices that something arrives is not dead, even if the oldest frame does not get through.
func TestNewsKeepsAlive(t *testing.T) {
	d := measured(30, func(c *Config) { c.MaxRetry = 2 })
	for i := range 20 {
		now := d.Due()
		d.nack(1, 1<<i, now)
		d.resent(now)
		equal(t, "dead", d.dead, false)
	}
	equal(t, "many time-outs", d.count.Timeouts > 5, true)
	for range 4 {
		d.resent(d.Due())
	}
	equal(t, "dead", d.dead, true)
}

// A peer that first claims to have a frame and then asks for it gets it.
func TestPeerThatChangesItsMind(t *testing.T) {
	d := measured(9, nil)
	d.nack(1, 0b1000, sent)
	d.ack(5, sent)
	got := d.resent(d.Due())
	equal(t, "sent again", len(got) > 0 && got[0] == 5, true)
}

// While a peer is silent, pauses double up to Patience times the time-out, and each copy is of the oldest
// frame alone. Neither that nor its being switched off changes after how long the peer is dead.
func TestSilence(t *testing.T) {
	for _, patience := range []int{0, 1, 4, 64, 1000} {
		d := measured(12, func(c *Config) { c.Patience = patience })
		longest, most, copies := int64(0), 0, 0
		for began := d.Due(); !d.dead; {
			now := d.Due()
			got := d.resent(now)
			if now != began && !d.dead {
				most, copies = max(most, len(got)), copies+len(got)
			}
			if !d.dead {
				longest = max(longest, d.Due()-now)
				continue
			}
			if took := (now - began) / d.cfg.Timeout; took < 990 || took > 1010 {
				t.Errorf("patience %d: dead after %d times the time-out, want 1000 or little more", patience, took)
			}
		}
		switch grown := min(patience, 8); { // 64 copies at the least in 1000 time-outs: 15 each, and 8 is the last doubling before it
		case patience <= 1:
			equal(t, "longest pause", longest, d.cfg.Timeout)
			equal(t, "copies at a time", most, burst)
		default:
			equal(t, "longest pause", longest, int64(grown)*d.cfg.Timeout)
			equal(t, "copies at a time", most, 1)
			equal(t, "few copies", copies < 1000/grown+20, true)
		}
	}
}

// Whatever news comes of a peer ends the pauses: the next loss waits no longer than the time-out, and a few
// frames are sent again then.
func TestNewsEndsThePauses(t *testing.T) {
	for name, news := range map[string]func(d *desk, now int64){
		"acknowledgement": func(d *desk, now int64) { d.ack(2, now) },
		"notice":          func(d *desk, now int64) { d.nack(1, 0b1000, now) },
		"replay": func(d *desk, now int64) {
			if err := d.Replay(d.cfg.First+1, now, d.ignore); err != nil {
				t.Fatal(err)
			}
		},
	} {
		d := measured(30, nil)
		for range 12 {
			d.resent(d.Due())
		}
		now := d.Due()
		equal(t, name+": the pause has grown", now > sent+40*d.cfg.Timeout, true)
		news(d, now-1)
		got := d.resent(max(d.Due(), now)) // of a notice, the time-out that was set before it
		for len(got) == 0 {
			got = d.resent(d.Due())
		}
		equal(t, name+": more than the oldest is sent again", len(got) > 1, true)
		equal(t, name+": next time-out", d.Due()-now <= 2*d.cfg.Timeout, true)
	}
}
