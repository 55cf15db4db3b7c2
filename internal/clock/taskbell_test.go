package clock_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/clock"
)

// TestTaskBell: a ring wakes everybody who sleeps, counts only while the bell is armed, and is not lost
// between arming and sleeping.
func TestTaskBell(t *testing.T) {
	s := clock.NewScheduler(0)
	l := &log{s: s}
	b := clock.NewTaskBell(s, func() string { return "sleeps" })
	s.Go("a", func() {
		b.Arm()
		b.Sleep(0)
		l.say("a")
		b.Disarm()
		b.Ring() // is not armed
		b.Arm()
		b.Sleep(5)
		l.say("a again")
		b.Arm()
		b.Ring()
		b.Sleep(0)
		l.say("a at once")
		b.Sleep(7)
		l.say("a late")
	})
	s.Go("b", func() {
		b.Sleep(0)
		l.say("b")
	})
	s.Go("c", func() {
		s.Sleep(10)
		b.Ring()
	})
	if err := s.Run(); err != nil {
		t.Fatal(err)
	}
	expect(t, l, "10 a", "10 b", "15 a again", "15 a at once", "22 a late")
	b.Sleep(0) // outside of tasks nobody sleeps
}

// TestTaskBellSaysWhy: a deadlock's report has the words of the bell.
func TestTaskBellSaysWhy(t *testing.T) {
	s := clock.NewScheduler(0)
	b := clock.NewTaskBell(s, func() string { return fmt.Sprint("waits for ", 7) })
	s.Go("rank 0", func() { b.Sleep(0) })
	if err := s.Run(); err == nil || !strings.Contains(err.Error(), "rank 0: waits for 7") {
		t.Error(err)
	}
}
