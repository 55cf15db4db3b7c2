package measure

import (
	"math"
	"testing"
	"time"
)

// TestArrivals: exactly the share that is late is late, everybody else comes within the limit, and the
// floor is what theory says.
func TestArrivals(t *testing.T) {
	late := Arrivals{Most: time.Millisecond, Late: 0.25, Calls: 8}
	for call := range late.Calls {
		n := 0
		for _, d := range late.delays(call, 16) {
			if d != 0 && d != late.Most {
				t.Fatalf("a delay of %v", d)
			}
			if d == late.Most {
				n++
			}
		}
		if n != 4 {
			t.Errorf("call %d: %d of 16 ranks are late, want 4", call, n)
		}
	}
	if got := late.Floor(16); got != 750 {
		t.Errorf("a quarter late by 1000 us: at least %g us, want 750", got)
	}
	chance := Arrivals{Most: time.Millisecond, Seed: 1, Calls: 4000}
	for _, d := range chance.delays(0, 16) {
		if d < 0 || d > chance.Most {
			t.Errorf("a delay of %v", d)
		}
	}
	if got, want := chance.Floor(16), 1000*(16.0/17-0.5); math.Abs(got/want-1) > 0.02 {
		t.Errorf("late by chance: at least %g us, want about %g", got, want)
	}
}
