package clock

// event is a moment at which a task goes on, or a function is called.
type event struct {
	at    int64
	luck  uint32 // of tasks that are ready at the same time, the one with less goes first
	gen   uint32 // changes when the event is used again
	order uint64 // then the older one
	task  *Task
	f     func()
	spot  int // in the heap, plus one; 0: it is not there
}

func (e *event) before(o *event) bool {
	switch {
	case e.at != o.at:
		return e.at < o.at
	case e.luck != o.luck:
		return e.luck < o.luck
	}
	return e.order < o.order
}

func (s *Scheduler) newEvent(at int64) *event {
	var e *event
	if n := len(s.spare); n > 0 {
		e, s.spare = s.spare[n-1], s.spare[:n-1]
	} else {
		e = new(event)
	}
	s.order++
	e.at, e.order = at, s.order
	return e
}

// recycle makes an event that is over available again.
func (s *Scheduler) recycle(e *event) {
	e.gen++
	e.task, e.f, e.luck = nil, nil, 0
	s.spare = append(s.spare, e)
}

// drop takes an event back before it happens.
func (s *Scheduler) drop(e *event) {
	if e != nil && e.spot > 0 {
		s.queue.remove(e.spot - 1)
		s.recycle(e)
	}
}

// heap holds events, the next one first. Its nodes have four children: half as deep as with two.
type heap struct{ all []*event }

func (h *heap) first() *event {
	if len(h.all) == 0 {
		return nil
	}
	return h.all[0]
}

func (h *heap) push(e *event) {
	h.all = append(h.all, e)
	h.up(len(h.all) - 1)
}

func (h *heap) pop() *event {
	e := h.all[0]
	h.remove(0)
	return e
}

func (h *heap) remove(i int) {
	last := len(h.all) - 1
	h.all[i].spot = 0
	if i < last {
		h.put(i, h.all[last])
	}
	h.all[last] = nil
	h.all = h.all[:last]
	if i < last {
		h.down(i)
		h.up(i)
	}
}

func (h *heap) put(i int, e *event) { h.all[i], e.spot = e, i+1 }

func (h *heap) up(i int) {
	e := h.all[i]
	for i > 0 {
		parent := (i - 1) / 4
		if !e.before(h.all[parent]) {
			break
		}
		h.put(i, h.all[parent])
		i = parent
	}
	h.put(i, e)
}

func (h *heap) down(i int) {
	e := h.all[i]
	for {
		best := -1
		for c := 4*i + 1; c <= 4*i+4 && c < len(h.all); c++ {
			if best < 0 || h.all[c].before(h.all[best]) {
				best = c
			}
		}
		if best < 0 || !h.all[best].before(e) {
			break
		}
		h.put(i, h.all[best])
		i = best
	}
	h.put(i, e)
}
