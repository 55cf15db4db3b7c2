package clock

// event is a moment at which a task goes on, or a function is called.
type event struct {
	gen  uint32 // changes when the event is used again
	spot int    // in the heap, plus one; 0: it is not there
	task *Task
	f    func()
}

// moment is when an event happens, and its place among others of the same nanosecond.
type moment struct {
	at    int64
	luck  uint32 // of tasks that are ready at the same time, the one with less goes first
	order uint64 // then the older one
	e     *event
}

func (m *moment) before(o *moment) bool {
	switch {
	case m.at != o.at:
		return m.at < o.at
	case m.luck != o.luck:
		return m.luck < o.luck
	}
	return m.order < o.order
}

// plan makes an event that happens at a time.
func (s *Scheduler) plan(at int64, luck uint32, t *Task, f func()) *event {
	var e *event
	if n := len(s.spare); n > 0 {
		e, s.spare = s.spare[n-1], s.spare[:n-1]
	} else {
		e = new(event)
	}
	e.task, e.f = t, f
	s.order++
	s.queue.push(moment{at, luck, s.order, e})
	return e
}

// recycle makes an event that is over available again.
func (s *Scheduler) recycle(e *event) {
	e.gen++
	e.task, e.f = nil, nil
	s.spare = append(s.spare, e)
}

// drop takes an event back before it happens.
func (s *Scheduler) drop(e *event) {
	if e != nil && e.spot > 0 {
		s.queue.remove(e.spot - 1)
		s.recycle(e)
	}
}

// when is the time of an event that has not happened.
func (s *Scheduler) when(e *event) int64 { return s.queue.all[e.spot-1].at }

// heap holds moments, the next one first. Its nodes have four children: half as deep as with two. What is
// compared lies in the heap itself, for with many ranks its events are spread over more memory than the
// cache holds; and the children of a node, 128 bytes, begin where a line of the cache does, for which the
// first three places are left empty.
type heap struct{ all []moment }

// root is where the next moment is. The children of i are at 4*(i-2) and behind it.
const root = 3

func parent(i int) int { return i>>2 + 2 }

// first is the next moment, nil if there is none. It is valid until the heap changes.
func (h *heap) first() *moment {
	if len(h.all) <= root {
		return nil
	}
	return &h.all[root]
}

// rest is all moments, in no order.
func (h *heap) rest() []moment { return h.all[min(root, len(h.all)):] }

func (h *heap) push(m moment) {
	if len(h.all) == 0 {
		h.all = make([]moment, root, 64)
	}
	h.all = append(h.all, m)
	h.up(len(h.all)-1, m)
}

// pop removes the next moment and returns it.
func (h *heap) pop() moment {
	m := h.all[root]
	h.remove(root)
	return m
}

func (h *heap) remove(i int) {
	last := len(h.all) - 1
	h.all[i].e.spot = 0
	m := h.all[last]
	h.all[last] = moment{}
	h.all = h.all[:last]
	if i == last {
		return
	}
	if i > root && m.before(&h.all[parent(i)]) {
		h.up(i, m)
	} else {
		h.down(i, m)
	}
}

func (h *heap) put(i int, m moment) {
	h.all[i] = m
	m.e.spot = i + 1
}

// up places m at i or further up.
func (h *heap) up(i int, m moment) {
	for i > root {
		over := parent(i)
		if !m.before(&h.all[over]) {
			break
		}
		h.put(i, h.all[over])
		i = over
	}
	h.put(i, m)
}

// down places m at i or further down.
func (h *heap) down(i int, m moment) {
	for {
		best := 4 * (i - 2)
		if best >= len(h.all) {
			break
		}
		for c, end := best+1, min(best+4, len(h.all)); c < end; c++ {
			if h.all[c].before(&h.all[best]) {
				best = c
			}
		}
		if !h.all[best].before(&m) {
			break
		}
		h.put(i, h.all[best])
		i = best
	}
	h.put(i, m)
}
