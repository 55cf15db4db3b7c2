package clock_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/weft-mpi/weft/internal/clock"
)

// log collects who did what when.
type log struct {
	s     *clock.Scheduler
	lines []string
}

func (l *log) say(what string) { l.lines = append(l.lines, fmt.Sprintf("%d %s", l.s.Now(), what)) }

func expect(t *testing.T, l *log, want ...string) {
	t.Helper()
	if !slices.Equal(l.lines, want) {
		t.Errorf("got\n  %s\nwant\n  %s", strings.Join(l.lines, "\n  "), strings.Join(want, "\n  "))
	}
}

func TestTasksTakeTurnsInTime(t *testing.T) {
	defer goleak.VerifyNone(t)
	s := clock.NewScheduler(0)
	l := &log{s: s}
	for _, name := range []string{"a", "b"} {
		s.Go(name, func() {
			for range 2 {
				l.say(name)
				s.Sleep(10)
			}
		})
	}
	s.Go("c", func() {
		s.Sleep(5)
		l.say("c")
		s.At(12, func() { l.say("event") })
	})
	if err := s.Run(); err != nil {
		t.Fatal(err)
	}
	expect(t, l, "0 a", "0 b", "5 c", "10 a", "10 b", "12 event")
}

// A task that is charged runs ahead of the others, until it settles.
func TestChargeAndSettle(t *testing.T) {
	s := clock.NewScheduler(0)
	l := &log{s: s}
	s.Go("busy", func() {
		s.At(50, func() { l.say("event") })
		s.Charge(100)
		l.say("charged")
		s.Settle()
		l.say("settled")
	})
	s.Go("other", func() {
		s.Sleep(70)
		l.say("other")
	})
	if err := s.Run(); err != nil {
		t.Fatal(err)
	}
	expect(t, l, "100 charged", "50 event", "70 other", "100 settled")
}

func TestWaitAndWake(t *testing.T) {
	s := clock.NewScheduler(0)
	l := &log{s: s}
	a := s.Go("a", func() {
		l.say(fmt.Sprint("woken ", s.Wait(0, nil)))
		l.say(fmt.Sprint("woken ", s.Wait(7, nil)))
		s.Sleep(100)
		l.say(fmt.Sprint("woken ", s.Wait(0, nil))) // was woken while it slept
	})
	s.Go("b", func() {
		s.Sleep(10)
		a.Wake()
		s.Sleep(50)
		a.Wake()
	})
	if err := s.Run(); err != nil {
		t.Fatal(err)
	}
	expect(t, l, "10 woken true", "17 woken false", "117 woken true")
}

func TestDeadlockSaysWhoWaits(t *testing.T) {
	defer goleak.VerifyNone(t)
	s := clock.NewScheduler(0)
	unwound := false
	s.Go("rank 0", func() {
		defer func() { unwound = true }()
		s.Sleep(3)
		s.Wait(0, func() string { return "waits for rank 1" })
	})
	s.Daemon("helper", func() { s.Wait(0, nil) })
	err := s.Run()
	var d *clock.Deadlock
	if !errors.As(err, &d) || d.At != 3 || !slices.Equal(d.Waits, []string{"rank 0: waits for rank 1"}) {
		t.Fatalf("%v", err)
	}
	if !unwound {
		t.Error("the task was not unwound")
	}
}

func TestLimit(t *testing.T) {
	s := clock.NewScheduler(0)
	s.Limit(1000)
	s.Go("endless", func() {
		for {
			s.Sleep(100)
		}
	})
	if err := s.Run(); !errors.Is(err, clock.ErrLimit) {
		t.Fatal(err)
	}
}

func TestPanicEndsTheRun(t *testing.T) {
	defer goleak.VerifyNone(t)
	s := clock.NewScheduler(0)
	s.Go("bad", func() { panic("oh") })
	s.Go("good", func() { s.Wait(0, nil) })
	if err := s.Run(); err == nil || !strings.Contains(err.Error(), "bad: panic: oh") {
		t.Fatal(err)
	}
}

// A task that calls runtime.Goexit has ended, after what it has deferred, and nobody else has: not
// even if it is stopped meanwhile.
func TestGoexitEndsTheTask(t *testing.T) {
	defer goleak.VerifyNone(t)
	s := clock.NewScheduler(0)
	l := &log{s: s}
	s.Go("first", func() {
		defer l.say("deferred")
		defer s.Sleep(10)
		runtime.Goexit()
	})
	s.Daemon("second", func() {
		defer s.Wait(0, nil)
		runtime.Goexit()
	})
	s.Daemon("third", func() {
		defer l.say("stopped")
		s.Wait(0, nil)
	})
	s.Go("last", func() {
		s.Sleep(20)
		l.say("over")
	})
	if err := s.Run(); err != nil {
		t.Fatal(err)
	}
	expect(t, l, "10 deferred", "20 over", "20 stopped")
}

func TestKill(t *testing.T) {
	defer goleak.VerifyNone(t)
	s := clock.NewScheduler(0)
	l := &log{s: s}
	victim := s.Go("victim", func() {
		defer l.say("deferred")
		for {
			s.Sleep(10)
			l.say("victim")
		}
	})
	s.Go("killer", func() {
		s.Sleep(25)
		victim.Kill()
		s.Sleep(25)
		l.say("over")
	})
	if err := s.Run(); err != nil {
		t.Fatal(err)
	}
	expect(t, l, "10 victim", "20 victim", "25 deferred", "50 over")
}

// An event may kill the task on whose stack it happens to run, and comes to its own end.
func TestKillFromAnEvent(t *testing.T) {
	defer goleak.VerifyNone(t)
	s := clock.NewScheduler(0)
	l := &log{s: s}
	s.Go("other", func() { s.Sleep(20) })
	var victim *clock.Task
	victim = s.Go("victim", func() {
		defer l.say("deferred")
		s.At(5, func() {
			victim.Kill()
			l.say("killed")
		})
		s.Sleep(10)
		l.say("alive")
	})
	if err := s.Run(); err != nil {
		t.Fatal(err)
	}
	expect(t, l, "5 killed", "5 deferred")
}

func TestCancel(t *testing.T) {
	s := clock.NewScheduler(0)
	s.Go("a", func() {
		first := s.At(5, func() { t.Error("was cancelled") })
		done := s.At(6, func() {})
		if !s.Cancel(first) || s.Cancel(first) {
			t.Error("cancel before the time, and again")
		}
		s.Sleep(10)
		s.At(20, func() {}) // takes the memory of the old ones
		if s.Cancel(done) {
			t.Error("cancelled what had happened")
		}
	})
	if err := s.Run(); err != nil {
		t.Fatal(err)
	}
}

// What was to happen can be taken back after the end too.
func TestCancelAfterTheEnd(t *testing.T) {
	s := clock.NewScheduler(0)
	var late clock.Timer
	s.Go("a", func() { late = s.At(50, func() { t.Error("happened after the end") }) })
	if err := s.Run(); err != nil {
		t.Fatal(err)
	}
	if s.Cancel(late) {
		t.Error("cancelled what the end had taken")
	}
	if s.Current() != nil {
		t.Error("somebody runs after the end")
	}
}

// crowd is a run of many tasks that sleep, wait and wake each other at random; it returns what happened.
func crowd(t *testing.T, seed uint64, tasks int) string {
	t.Helper()
	s := clock.NewScheduler(seed)
	var b strings.Builder
	all := make([]*clock.Task, tasks)
	for i := range tasks {
		dice := rand.New(rand.NewPCG(1, uint64(i)))
		all[i] = s.Go(fmt.Sprint(i), func() {
			for range 20 {
				switch dice.IntN(4) {
				case 0:
					s.Charge(dice.Int64N(50))
				case 1:
					s.Sleep(dice.Int64N(20))
				case 2:
					all[dice.IntN(tasks)].Wake()
				case 3:
					s.Wait(1+dice.Int64N(30), nil)
				}
				fmt.Fprintln(&b, s.Now(), i)
			}
		})
	}
	if err := s.Run(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestSameSeedSameRun(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	seen := map[string]bool{}
	for seed := range uint64(3) {
		runtime.GOMAXPROCS(1)
		one := crowd(t, seed, 100)
		runtime.GOMAXPROCS(2)
		if crowd(t, seed, 100) != one {
			t.Errorf("seed %d: two runs differ", seed)
		}
		seen[one] = true
	}
	if len(seen) != 3 {
		t.Errorf("3 seeds gave %d different runs", len(seen))
	}
}

// BenchmarkSwitch measures how fast two tasks give each other the turn.
func BenchmarkSwitch(b *testing.B) {
	s := clock.NewScheduler(0)
	for range 2 {
		s.Go("", func() {
			for range b.N {
				s.Sleep(10)
			}
		})
	}
	b.ReportAllocs()
	if err := s.Run(); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkEvents measures how fast events follow each other while a task waits.
func BenchmarkEvents(b *testing.B) {
	s := clock.NewScheduler(0)
	s.Go("", func() {
		for i := range b.N {
			s.At(s.Now()+int64(i%7), func() {})
			s.Sleep(3)
		}
	})
	b.ReportAllocs()
	if err := s.Run(); err != nil {
		b.Fatal(err)
	}
}
