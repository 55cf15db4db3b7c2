package rd

import (
	"testing"

	"pgregory.net/rapid"
)

// In a calm network nothing is sent twice and nothing waits for a time-out.
func TestCalm(t *testing.T) {
	const n = 2000
	s := newSimulation(weather{delay: 50 * microsecond}, load{datagrams: n, message: 10}, Config{}, 1)
	took := s.run(10 * second)
	if s.fault != nil {
		t.Fatal(s.fault)
	}
	if len(s.completed[0]) != n || len(s.completed[1]) != n {
		t.Fatalf("%d and %d completed", len(s.completed[0]), len(s.completed[1]))
	}
	// cwnd rises from 16 to 64 in 48 round trips, which is about the number of datagrams.
	if took > 60*100*microsecond || s.sent > 2*n+n/2 {
		t.Fatalf("took %d us and %d datagrams", took/microsecond, s.sent)
	}
}

func drawWeather(t *rapid.T) weather {
	return weather{
		loss:   [2]float64{rapid.Float64Range(0, .3).Draw(t, "loss0"), rapid.Float64Range(0, .3).Draw(t, "loss1")},
		repeat: rapid.Float64Range(0, .2).Draw(t, "repeat"),
		stray:  rapid.Float64Range(0, .05).Draw(t, "stray"),
		slow:   rapid.Float64Range(0, .3).Draw(t, "slow"),
		delay:  rapid.Int64Range(10*microsecond, 5*millisecond).Draw(t, "delay"),
	}
}

func drawLoad(t *rapid.T) load {
	return load{
		datagrams: rapid.IntRange(1, 400).Draw(t, "datagrams"),
		message:   rapid.IntRange(1, 80).Draw(t, "message"),
		pause:     rapid.SampledFrom([]int64{0, millisecond, 20 * millisecond}).Draw(t, "pause"),
		poolFull:  rapid.Float64Range(0, 1).Draw(t, "pool full"),
		keep:      rapid.Float64Range(0, 1).Draw(t, "keep"),
		starve:    rapid.Float64Range(0, .1).Draw(t, "starve"),
	}
}

func drawConfig(t *rapid.T) Config {
	return Config{
		Window:   rapid.SampledFrom([]int{1, 2, 7, 64, 65, 200, 960}).Draw(t, "window"),
		AckEvery: rapid.SampledFrom([]int{1, 16, 200}).Draw(t, "ack every"),
	}
}

// finish runs a simulation and checks that everything was delivered or failed, and that what cannot fail did not.
func finish(t *rapid.T, s *simulation, limit int64, mayFail bool) {
	s.run(limit)
	if s.fault != nil {
		t.Fatal(s.fault)
	}
	for i, h := range s.hosts {
		if len(s.completed[i])+len(s.failed[i]) != s.datagrams {
			t.Fatalf("host %d: %d completed and %d failed of %d", i, len(s.completed[i]), len(s.failed[i]), s.datagrams)
		}
		if h.failures > 0 && !mayFail {
			t.Fatalf("host %d: %d failures", i, h.failures)
		}
		for id := range s.completed[i] {
			if s.failed[i][id] {
				t.Fatalf("host %d: %d completed and failed", i, id)
			}
		}
	}
}

// In any weather that lets anything pass, everything is delivered once and in order, or reported as failed. With
// moderate losses nothing fails: twelve time-outs in a row have a chance of 2e-9 at 10 % each way.
func TestStorm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWeather(t)
		s := newSimulation(w, drawLoad(t), drawConfig(t), rapid.Uint64().Draw(t, "seed"))
		finish(t, s, 300*second, max(w.loss[0], w.loss[1]) > .1)
	})
}

// Short times without any network do no harm; long ones make work fail, and the flow recovers.
func TestBlackout(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, l := drawWeather(t), drawLoad(t)
		w.loss = [2]float64{w.loss[0] / 3, w.loss[1] / 3}
		l.pause = rapid.SampledFrom([]int64{5 * millisecond, 100 * millisecond, 2 * second}).Draw(t, "long pause")
		at, long := second, false
		for range rapid.IntRange(1, 4).Draw(t, "blackouts") {
			from := at + rapid.Int64Range(0, 2*second).Draw(t, "from")
			length := rapid.SampledFrom([]int64{millisecond, 200 * millisecond, 20 * second}).Draw(t, "length")
			long = long || length > second
			at = from + length
			w.blackout = append(w.blackout, span{from, at})
		}
		if !long {
			w.loss = [2]float64{} // so that it is the blackouts that are tested
		}
		s := newSimulation(w, l, drawConfig(t), rapid.Uint64().Draw(t, "seed"))
		finish(t, s, 2000*second, long)
	})
}

// A host that loses its memory is noticed: its peer's work fails, nothing is delivered twice to the same life, and
// nothing of the old life is delivered late.
func TestRestart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, l := drawWeather(t), drawLoad(t)
		l.pause = rapid.SampledFrom([]int64{millisecond, 20 * millisecond, second}).Draw(t, "long pause")
		at := second
		for range rapid.IntRange(1, 5).Draw(t, "restarts") {
			at += rapid.Int64Range(0, second).Draw(t, "after")
			l.restart = append(l.restart, at)
		}
		s := newSimulation(w, l, drawConfig(t), rapid.Uint64().Draw(t, "seed"))
		finish(t, s, 2000*second, true)
	})
}

// A program that pauses for longer than flows live uses many epochs and notices nothing.
func TestPauses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, l := drawWeather(t), drawLoad(t)
		w.loss = [2]float64{w.loss[0] / 3, w.loss[1] / 3}
		l.datagrams = min(l.datagrams, 60)
		l.message = min(l.message, 10)
		l.pause = 40 * second
		s := newSimulation(w, l, drawConfig(t), rapid.Uint64().Draw(t, "seed"))
		finish(t, s, 10000*second, false)
	})
}

// The numbers of datagrams wrap through 2^32 in the midst of a storm.
func TestWrap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, l := drawWeather(t), drawLoad(t)
		w.loss = [2]float64{w.loss[0] / 3, w.loss[1] / 3}
		w.stray = 0 // repeats of the time before the jump are not from the recent past
		l.pause = 0
		s := newSimulation(w, l, drawConfig(t), rapid.Uint64().Draw(t, "seed"))
		s.starve, s.datagrams = 0, 1
		for !s.done() {
			s.step()
		}
		s.air = nil
		for i, h := range s.hosts {
			p, q := h.table.Get(1-i), s.hosts[1-i].table.Get(i)
			psn := uint32(rapid.IntRange(-100, -1).Draw(t, "before the wrap"))
			p.out.next, p.out.recover, q.in.expect = psn, psn, psn
			p.out.board.begin(psn)
		}
		s.datagrams, s.starve = l.datagrams, l.starve
		finish(t, s, 300*second, false)
	})
}

// A flow that lives for more than 2^31 datagrams grows and shrinks its cwnd as ever.
func TestLongLife(t *testing.T) {
	a, b := newPair(t, Config{})
	meet(start, a, b)
	for i := range 10 {
		p, q := a.flow(start), b.flow(start)
		psn := p.out.next + 1<<29
		p.out.next, q.in.expect = psn, psn
		p.out.board.begin(psn)
		before := p.out.cwnd
		for range 2 {
			b.takeAll(start, a.send(start, p.Room()))
			a.take(start, b.ack(start))
		}
		equal(t, "cwnd grows", p.out.cwnd, before+2)
		if i < 9 {
			continue
		}
		b.takeAll(start, a.send(start, p.Room())[1:])
		a.take(start, b.ack(start))
		equal(t, "cwnd halves", p.out.cwnd, (before+2)/2)
		_, again := a.resends(start)
		b.takeAll(start, again)
		a.take(start, b.ack(start))
	}
}
