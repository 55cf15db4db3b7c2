package soft

import "container/heap"

// timer calls fire once when its time has come, with the device's lock held.
type timer struct {
	at    int64
	index int // in the heap, -1 if not set
	fire  func(now int64)
}

func newTimer(fire func(now int64)) *timer { return &timer{index: -1, fire: fire} }

// timers are the device's pending timers, the earliest first.
type timers []*timer

func (h timers) Len() int           { return len(h) }
func (h timers) Less(i, j int) bool { return h[i].at < h[j].at }
func (h timers) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i, j
}

// Push and Pop are heap's.
func (h *timers) Push(x any) {
	t := x.(*timer)
	t.index = len(*h)
	*h = append(*h, t)
}

// Pop removes the last.
func (h *timers) Pop() any {
	old := *h
	t := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	t.index = -1
	return t
}

// set has t fire at a time, 0 never.
func (h *timers) set(t *timer, at int64) {
	switch {
	case at == 0 && t.index >= 0:
		heap.Remove(h, t.index)
	case at == 0 || t.index >= 0 && t.at == at:
	case t.index >= 0:
		t.at = at
		heap.Fix(h, t.index)
	default:
		t.at = at
		heap.Push(h, t)
	}
}

// next is when the earliest fires, 0 if none is set.
func (h timers) next() int64 {
	if len(h) == 0 {
		return 0
	}
	return h[0].at
}

// run fires those whose time has come.
func (h *timers) run(now int64) {
	for len(*h) > 0 && (*h)[0].at <= now {
		t := (*h)[0]
		heap.Remove(h, 0)
		t.fire(now)
	}
}
