package verbstest

import (
	"runtime"
	"testing"
	"time"
)

// World is the time in which a case runs, and what runs beside it. It is the host's, unless the devices
// live in another one.
type World struct {
	// Run runs a case, and returns when it and all that it started with Go have ended.
	Run func(body func())
	// Go runs f beside its caller.
	Go func(f func())
	// Now is the time since some moment.
	Now func() time.Duration
	// Sleep lets time pass for the caller.
	Sleep func(time.Duration)
	// Pass lets others run for a moment.
	Pass func()
}

// theHost is the world of devices that live in the host's time.
func theHost(testing.TB) *World {
	start := time.Now()
	return &World{
		Run:   func(body func()) { body() },
		Go:    func(f func()) { go f() },
		Now:   func() time.Duration { return time.Since(start) },
		Sleep: time.Sleep,
		Pass:  runtime.Gosched,
	}
}

// await waits for what somebody that runs beside the case has to say.
func await[T any](r *rig, what string, from <-chan T) (v T) {
	r.Helper()
	r.spin(what, func() bool {
		select {
		case v = <-from:
			return true
		default:
			return false
		}
	})
	return v
}

// beside runs functions beside the case, until all have ended.
type beside struct {
	r    *rig
	left chan bool
	n    int
}

func (r *rig) beside() *beside { return &beside{r: r, left: make(chan bool, 64)} }

func (b *beside) run(f func()) {
	b.n++
	b.r.world.Go(func() {
		defer func() { b.left <- true }()
		f()
	})
}

func (b *beside) wait() {
	b.r.Helper()
	for ; b.n > 0; b.n-- {
		await(b.r, "all that run beside the case", b.left)
	}
}
