package simtest

import (
	"testing"
	"time"
)

// A run that goes on and on is told of, once.
func TestWatchTellsOfWhatDoesNotEnd(t *testing.T) {
	told := make(chan *Case, 10)
	c := &Case{Seed: 5}
	w := &sweeping{Sweep: &Sweep{Patience: 10 * time.Millisecond, Stuck: func(c *Case) { told <- c }}, running: map[*Case]int{c: 0}}
	quit, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		w.watch(quit)
	}()
	if got := <-told; got != c {
		t.Errorf("told of seed %d", got.Seed)
	}
	w.mu.Lock()
	looked := w.running[c]
	w.mu.Unlock()
	for again := looked; again < looked+3; { // it goes on looking
		w.mu.Lock()
		again = w.running[c]
		w.mu.Unlock()
		time.Sleep(time.Millisecond)
	}
	close(quit)
	<-ended
	if len(told) > 0 {
		t.Error("told again")
	}
}
