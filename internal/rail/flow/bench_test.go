package flow

import "testing"

// A stream in order, acknowledged every 50 frames, allocates nothing; neither does one with repaired losses.
func TestNoAllocation(t *testing.T) {
	s, r, cfg := newStream(false)
	buffer, release := new(int), func(*int) {}
	if n := testing.AllocsPerRun(1000, func() { stream(s, r, buffer, release) }); n != 0 {
		t.Errorf("in order: %v allocations for %d frames", n, cfg.AckEvery)
	}
	s, r, _ = newStream(true)
	resend := func(seq uint32, f *int) {
		r.Arrive(seq, f, 1)
		for _, ok := r.Next(); ok; _, ok = r.Next() {
		}
	}
	n := testing.AllocsPerRun(1000, func() {
		s.Push(buffer, 1) // lost
		for range 3 {
			r.Arrive(s.Push(buffer, 1), buffer, 1)
		}
		ack, limit, ahead := r.Notice()
		s.Acked(ack, limit, 1, release)
		s.Nack(ack, ahead, 1)
		s.Expire(1, resend)
		ack, limit, _ = r.Notice()
		s.Acked(ack, limit, 1, release)
	})
	if n != 0 || s.InFlight() != 0 || s.count.Retransmits == 0 {
		t.Errorf("with a loss: %v allocations, %d in flight", n, s.InFlight())
	}
}

func newStream(timed bool) (*Sender[*int], *Receiver[*int], *Config) {
	cfg := tested()
	s, r := new(Sender[*int]), new(Receiver[*int])
	s.Init(&cfg, nil)
	r.Init(&cfg, nil)
	s.SetTimed(timed, 1)
	return s, r, &cfg
}

// stream carries as many frames as one acknowledgement serves.
func stream(s *Sender[*int], r *Receiver[*int], buffer *int, release func(*int)) {
	for !r.AckDue(1) {
		r.Arrive(s.Push(buffer, 1), buffer, 1)
		r.Next()
	}
	ack, limit, _ := r.Notice()
	s.Acked(ack, limit, 1, release)
}

func BenchmarkPushAcked(b *testing.B) {
	for _, timed := range []bool{false, true} {
		name := "connection"
		if timed {
			name = "datagrams"
		}
		b.Run(name, func(b *testing.B) {
			s, _, cfg := newStream(timed)
			buffer, release := new(int), func(*int) {}
			b.ReportAllocs()
			for b.Loop() {
				seq := s.Push(buffer, 1)
				if s.InFlight() == cfg.AckEvery {
					s.Acked(seq+1, seq+1+uint32(cfg.Window), 1, release)
				}
			}
		})
	}
}

func BenchmarkArrive(b *testing.B) {
	_, r, _ := newStream(false)
	buffer := new(int)
	b.ReportAllocs()
	seq := uint32(0)
	for b.Loop() {
		r.Arrive(seq, buffer, 1)
		r.Next()
		if seq++; r.AckDue(1) {
			r.Notice()
		}
	}
}

// BenchmarkPingPong acknowledges each frame by the answer to it.
func BenchmarkPingPong(b *testing.B) {
	s, r, _ := newStream(false)
	buffer, release := new(int), func(*int) {}
	b.ReportAllocs()
	for b.Loop() {
		r.Arrive(s.Push(buffer, 1), buffer, 1)
		r.Next()
		ack, limit := r.Ack()
		s.Acked(ack, limit, 1, release)
	}
}

func BenchmarkArriveSwapped(b *testing.B) {
	_, r, _ := newStream(true)
	buffer := new(int)
	b.ReportAllocs()
	seq := uint32(0)
	for b.Loop() {
		r.Arrive(seq+1, buffer, 1)
		r.Arrive(seq, buffer, 1)
		r.Next()
		if seq += 2; r.AckDue(1) {
			r.Notice()
		}
	}
}
