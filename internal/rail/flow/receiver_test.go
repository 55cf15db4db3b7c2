package flow

import "testing"

// newReceiver is a receiver whose first number is 4 before the wrap.
func newReceiver(change func(*Config)) (*Receiver[int], *Counters) {
	c := tested()
	c.First = 1<<32 - 4
	if change != nil {
		change(&c)
	}
	r, count := new(Receiver[int]), new(Counters)
	r.Init(&c, count)
	return r, count
}

// arrive lets frame i of the stream arrive and returns what is delivered.
func arrive(t *testing.T, r *Receiver[int], i int, now int64, want Verdict) (got []int) {
	t.Helper()
	v := r.Arrive(r.cfg.First+uint32(i), i, now)
	if v != want {
		t.Errorf("frame %d: %v, want %v", i, v, want)
	}
	if v == Deliver {
		got = append(got, i)
		for f, ok := r.Next(); ok; f, ok = r.Next() {
			got = append(got, f)
		}
	}
	return got
}

func TestVerdicts(t *testing.T) {
	r, count := newReceiver(nil)
	same(t, "next", arrive(t, r, 0, start, Deliver), 0)
	arrive(t, r, 0, start, Duplicate)
	arrive(t, r, 3, start, Keep)
	arrive(t, r, 3, start, Duplicate)
	arrive(t, r, 10, start, Keep)
	arrive(t, r, 1+2501, start, Keep)
	arrive(t, r, 1+2502, start, Beyond)
	arrive(t, r, 1<<31, start, Beyond)
	arrive(t, r, 1+1<<31, start, Duplicate)
	arrive(t, r, -1, start, Duplicate)
	same(t, "one of two missing", arrive(t, r, 1, start, Deliver), 1)
	same(t, "the other", arrive(t, r, 2, start, Deliver), 2, 3)
	arrive(t, r, 3, start, Duplicate)
	equal(t, "expected", r.Expected(), 0)
	equal(t, "counted", *count, Counters{Delivered: 4, Duplicates: 5, OutOfOrder: 3, Beyond: 2})
	equal(t, "name", Beyond.String()+" "+Verdict(9).String(), "beyond unknown verdict")
}

// A frame that is kept but not yet asked for must not be delivered by its duplicate as well.
func TestDuplicateBeforeNext(t *testing.T) {
	r, _ := newReceiver(nil)
	arrive(t, r, 1, start, Keep)
	first := r.cfg.First
	equal(t, "next", r.Arrive(first, 0, start), Deliver)
	equal(t, "kept one again", r.Arrive(first+1, 1, start), Duplicate)
	f, ok := r.Next()
	equal(t, "kept one", f == 1 && ok, true)
}

func TestWhenToAcknowledge(t *testing.T) {
	r, count := newReceiver(nil)
	equal(t, "due at first", r.Due(), 0)
	equal(t, "nothing to tell", r.AckDue(1<<60), false)
	arrive(t, r, 0, start, Deliver)
	arrive(t, r, 1, start+5, Deliver)
	equal(t, "delayed", r.Due(), start+r.cfg.AckDelay)
	equal(t, "too soon", r.AckDue(start+r.cfg.AckDelay-1), false)
	equal(t, "late enough", r.AckDue(start+r.cfg.AckDelay), true)
	ack, limit := r.Ack()
	equal(t, "acknowledged", ack == r.cfg.First+2 && limit == ack+400, true)
	equal(t, "told", r.Due(), 0)
	for i := range 50 {
		equal(t, "every 50", r.AckDue(start), false)
		arrive(t, r, 2+i, start, Deliver)
	}
	equal(t, "every 50", r.AckDue(start), true)
	r.Notice()
	arrive(t, r, 5, start, Duplicate)
	equal(t, "after a duplicate", r.AckDue(start), true)
	r.Notice()
	arrive(t, r, 1<<20, start, Beyond)
	equal(t, "after one beyond", r.AckDue(start), true)
	r.Notice()
	equal(t, "notices", count.Acks, 3)
}

// A hole is told of when three frames have overtaken it, again when it is filled, and by notices alone.
func TestNotices(t *testing.T) {
	r, _ := newReceiver(nil)
	arrive(t, r, 1, start, Keep)
	equal(t, "one early", r.Due(), start+r.cfg.AckDelay)
	arrive(t, r, 3, start, Keep)
	arrive(t, r, 64, start, Keep)
	equal(t, "three early", r.AckDue(start), true)
	r.Ack()
	equal(t, "an acknowledgement does not tell of holes", r.AckDue(start), true)
	ack, _, ahead := r.Notice()
	equal(t, "acknowledged", ack, r.cfg.First)
	equal(t, "ahead", ahead, 1<<63|0b101)
	equal(t, "told", r.Due(), 0)
	arrive(t, r, 65, start, Keep)
	_, _, ahead = r.Notice()
	equal(t, "what does not fit", ahead, 1<<63|0b101)
	arrive(t, r, 0, start, Deliver)
	equal(t, "filled", r.AckDue(start), true)
	ack, _, ahead = r.Notice()
	equal(t, "acknowledged", ack, r.cfg.First+2)
	equal(t, "ahead", ahead, 1|1<<61|1<<62)
}

// A hole that is filled before anybody was told of it is worth no notice, after an earlier one as before.
func TestNeighboursChangePlaces(t *testing.T) {
	r, _ := newReceiver(nil)
	arrive(t, r, 1, start, Keep)
	r.Notice()
	arrive(t, r, 0, start, Deliver)
	r.Notice()
	for i := 2; i < 50; i += 2 {
		arrive(t, r, i+1, start, Keep)
		arrive(t, r, i, start, Deliver)
		equal(t, "due", r.AckDue(start), false)
	}
	arrive(t, r, 51, start, Keep)
	equal(t, "49 frames", r.AckDue(start), false)
	same(t, "delivered", arrive(t, r, 50, start, Deliver), 50, 51)
	equal(t, "50 frames, the last by Next", r.AckDue(start), true)
}

func TestGrant(t *testing.T) {
	r, _ := newReceiver(func(c *Config) { c.Window = 10; c.OutOfOrder = 100 })
	limit := func() int { _, limit := r.Ack(); return int(limit - r.cfg.First) }
	equal(t, "limit at first", limit(), 10)
	for i := range 6 {
		equal(t, "half of the credit", r.AckDue(start), false)
		arrive(t, r, i, start, Deliver)
	}
	equal(t, "half of the credit", r.AckDue(start), true)
	r.Grant(0, start)
	equal(t, "promises stand", limit(), 10)
	r.Grant(5, start)
	equal(t, "little more is not told at once", r.AckDue(start), false)
	r.Grant(8, start)
	equal(t, "twice as much is", r.AckDue(start), true)
	equal(t, "limit", limit(), 14)
	r.Grant(-1, start)
	equal(t, "nothing", limit(), 14)
	for i := 6; i < 14; i++ {
		arrive(t, r, i, start, Deliver)
	}
	r.Notice()
	r.Grant(0, start)
	equal(t, "nothing is not worth a notice", r.AckDue(start), false)
	r.Grant(1<<30, start)
	equal(t, "no more than can be kept", limit(), 114)
}

// Early frames take memory for as far ahead as they are, and no longer than needed.
func TestReceiverMemory(t *testing.T) {
	r, _ := newReceiver(nil)
	for seq := uint32(0); seq < 1<<20; seq += 97 {
		r.Arrive(r.cfg.First+1+seq, 1, start)
	}
	equal(t, "slots", len(r.ring.buf), 4096)
	equal(t, "kept", int(r.kept), 2501/97+1)
	r.Rest()
	equal(t, "slots at rest with frames kept", len(r.ring.buf), 4096)
	r, _ = newReceiver(nil)
	arrive(t, r, 100, start, Keep)
	for i := range 101 {
		if i < 100 {
			arrive(t, r, i, start, Deliver)
		}
	}
	equal(t, "slots", len(r.ring.buf), 128)
	next := 101
	early := func(ahead, times int) {
		for range times {
			r.Arrive(r.cfg.First+uint32(next+ahead), 0, start)
			for i := range ahead {
				r.Arrive(r.cfg.First+uint32(next+i), 0, start)
			}
			r.Next()
			next += ahead + 1
		}
	}
	early(60, 3*calmTimes)
	equal(t, "slots that are needed", len(r.ring.buf), 128)
	early(1, 10*calmTimes)
	equal(t, "slots after calm times", len(r.ring.buf), smallest)
	equal(t, "expected", r.Expected(), r.cfg.First+uint32(next))
	r.Rest()
	equal(t, "slots at rest", len(r.ring.buf), 0)
}

// Where frames need credit, acknowledgements of all that may be in flight find receives though they have none.
func TestFewAcksWithCredit(t *testing.T) {
	for credit, want := range map[int]int{0: 40, 2: 4} {
		r, _ := newReceiver(func(c *Config) { c.Credit, c.AckEvery = credit, 1 })
		r.Grant(40, start)
		r.Notice() // of the grant
		acks := 0
		for i := range 40 {
			arrive(t, r, i, start, Deliver)
			if r.AckDue(start) {
				r.Notice()
				acks++
			}
		}
		equal(t, "acknowledgements", acks, want)
	}
}
