package rd

import (
	"testing"

	"pgregory.net/rapid"
)

// Nothing is lost in a calm network, and nothing waits for a time-out.
func TestCalm(t *testing.T) {
	s := newSimulation(weather{delay: 50 * microsecond}, load{datagrams: 2000, message: 10}, Config{}, 1)
	took := s.run(10 * second)
	if s.fault != nil {
		t.Fatal(s.fault)
	}
	if len(s.completed[0]) != 2000 || len(s.completed[1]) != 2000 {
		t.Fatalf("%d and %d completed", len(s.completed[0]), len(s.completed[1]))
	}
	t.Logf("took %d us, %d datagrams", took/microsecond, s.sent)
}

// In any weather that lets anything pass, everything is delivered once and in order, or reported as failed.
func TestStorm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := weather{
			loss:   [2]float64{rapid.Float64Range(0, .3).Draw(t, "loss0"), rapid.Float64Range(0, .3).Draw(t, "loss1")},
			repeat: rapid.Float64Range(0, .2).Draw(t, "repeat"),
			stray:  rapid.Float64Range(0, .02).Draw(t, "stray"),
			slow:   rapid.Float64Range(0, .3).Draw(t, "slow"),
			delay:  rapid.Int64Range(10*microsecond, 5*millisecond).Draw(t, "delay"),
		}
		l := load{
			datagrams: rapid.IntRange(1, 300).Draw(t, "datagrams"),
			message:   rapid.IntRange(1, 80).Draw(t, "message"),
			pause:     rapid.SampledFrom([]int64{0, millisecond, 20 * millisecond}).Draw(t, "pause"),
			poolFull:  rapid.Float64Range(0, 1).Draw(t, "pool full"),
			keep:      rapid.Float64Range(0, 1).Draw(t, "keep"),
			starve:    rapid.Float64Range(0, .1).Draw(t, "starve"),
		}
		cfg := Config{Window: rapid.SampledFrom([]int{1, 2, 7, 64, 200, 960}).Draw(t, "window")}
		s := newSimulation(w, l, cfg, rapid.Uint64().Draw(t, "seed"))
		s.run(600 * second)
		if s.fault != nil {
			t.Fatal(s.fault)
		}
	})
}
