package ud

import (
	"testing"

	"pgregory.net/rapid"
)

func TestLimiterAgainstNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var l Limiter[int]
		latest, recent := map[int]int64{}, []int64{}
		now, refused := int64(1), uint64(0)
		peers := rapid.SampledFrom([]int{3, 1000}).Draw(t, "peers")
		for range rapid.IntRange(1, 300).Draw(t, "messages") {
			now += rapid.SampledFrom([]int64{0, 1, ErrorInterval / 50, ErrorInterval}).Draw(t, "wait")
			for len(recent) > 0 && now-recent[0] >= ErrorInterval {
				recent = recent[1:]
			}
			peer := rapid.IntRange(1, peers).Draw(t, "peer")
			at, known := latest[peer]
			want := len(recent) < maxRecent && (!known || now-at >= ErrorInterval)
			if got := l.Allow(now, peer); got != want {
				t.Fatalf("at %d to %d: %v, want %v", now, peer, got, want)
			}
			if want {
				latest[peer] = now
				recent = append(recent, now)
			} else {
				refused++
			}
		}
		if l.Suppressed() != refused {
			t.Fatalf("%d suppressed, want %d", l.Suppressed(), refused)
		}
	})
}

func TestLimiterBounded(t *testing.T) {
	var l Limiter[int]
	allowed := 0
	for peer := range 1000 {
		if l.Allow(1, peer) {
			allowed++
		}
	}
	if allowed != maxRecent || l.Suppressed() != 1000-maxRecent {
		t.Errorf("%d allowed, %d suppressed", allowed, l.Suppressed())
	}
	if !l.Allow(1+ErrorInterval, 0) {
		t.Error("refused a millisecond later")
	}
}
