package rd

// alarm is a flow's place among the timers of its table. It goes off at the flow's deadline or before: a deadline
// that moves away is noticed only when the alarm goes off, so that the heap rests while a conversation runs.
type alarm struct {
	wakeAt int64
	index  int32 // in the heap
	slot   int32 // in the table's list of peers
}

// timers is a heap of flows, the earliest alarm first.
type timers []*Flow

// arm lets the flow's alarm go off at a time if it would later.
func (f *Flow) arm(at int64) {
	if at < f.wakeAt {
		f.wakeAt = at
		f.shared.timers.up(int(f.index))
	}
}

// set moves the flow's alarm to a time.
func (h timers) set(f *Flow, at int64) {
	f.wakeAt = at
	if !h.down(int(f.index)) {
		h.up(int(f.index))
	}
}

func (h *timers) add(f *Flow) {
	f.index = int32(len(*h))
	*h = append(*h, f)
	h.up(int(f.index))
}

func (h *timers) remove(f *Flow) {
	i, last := int(f.index), len(*h)-1
	h.swap(i, last)
	(*h)[last] = nil
	*h = (*h)[:last]
	if i < last && !h.down(i) {
		h.up(i)
	}
}

func (h timers) swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = int32(i), int32(j)
}

func (h timers) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if h[parent].wakeAt <= h[i].wakeAt {
			return
		}
		h.swap(i, parent)
		i = parent
	}
}

func (h timers) down(i int) (moved bool) {
	for {
		child := 2*i + 1
		if child >= len(h) {
			return moved
		}
		if right := child + 1; right < len(h) && h[right].wakeAt < h[child].wakeAt {
			child = right
		}
		if h[i].wakeAt <= h[child].wakeAt {
			return moved
		}
		h.swap(i, child)
		i, moved = child, true
	}
}
