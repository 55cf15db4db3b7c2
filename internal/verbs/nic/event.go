package nic

import "github.com/weft-mpi/weft/internal/verbs"

// maxEvents is how many events a device keeps for a program that does not look.
const maxEvents = 4096

// Events is the queue of asynchronous events.
type Events struct {
	queue  []verbs.Event
	lost   int
	notify func()
}

// Notify sets who is told of a new event.
func (e *Events) Notify(f func()) { e.notify = f }

// Add appends an event, or counts it as lost; it answers whether it was kept.
func (e *Events) Add(ev verbs.Event) bool {
	kept := len(e.queue) < maxEvents
	if kept {
		e.queue = append(e.queue, ev)
	} else {
		e.lost++
	}
	if e.notify != nil {
		e.notify()
	}
	return kept
}

// Len is how many events wait.
func (e *Events) Len() int { return len(e.queue) }

// Take moves up to len(out) events, oldest first; after the last one it tells how many were lost.
func (e *Events) Take(out []verbs.Event) int {
	n := copy(out, e.queue)
	e.queue = append(e.queue[:0], e.queue[n:]...)
	clear(e.queue[len(e.queue) : len(e.queue)+n : cap(e.queue)])
	if n < len(out) && e.lost > 0 {
		out[n] = verbs.Event{Kind: verbs.EventsLost, Lost: e.lost}
		e.lost, n = 0, n+1
	}
	return n
}
