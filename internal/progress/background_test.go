package progress

import (
	"testing"

	"github.com/weft-mpi/weft/internal/inproc"
)

// The background can begin after one waiter was woken to drive and before it does. If it serves that waiter, which then
// leaves, and comes to its own end, those who still sleep have nobody but the background to wake the next of them.
func TestBackgroundHandsOver(t *testing.T) {
	box := inproc.NewExchange(0, 1).Box(0)
	l := New(Config{Links: []Link{box}, Bell: box.Bell()})
	defer l.Close()
	l.lock()
	defer l.mu.Unlock()
	sleeper := l.newWaiter()
	sleeper.parked = true
	l.parked = append(l.parked, sleeper)
	l.driveBackground() // nothing is in flight: it ends at once
	if sleeper.parked || len(sleeper.wake) != 1 || l.driver != nil {
		t.Error("the background left, and nobody was woken to drive")
	}
}
