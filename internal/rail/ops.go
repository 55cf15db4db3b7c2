package rail

// ops names parts of long messages in work requests. Names are not used again soon, because
// completions of a lane that is gone may still come.
type ops struct {
	slots []opSlot
	free  []uint32
}

type opSlot struct {
	part *part
	gen  uint32
}

func (o *ops) name(a *part) uint64 {
	var i uint32
	if n := len(o.free); n > 0 {
		i = o.free[n-1]
		o.free = o.free[:n-1]
	} else {
		i = uint32(len(o.slots))
		o.slots = append(o.slots, opSlot{})
	}
	s := &o.slots[i]
	s.part = a
	s.gen = (s.gen + 1) & 0xffffff
	return idOp | uint64(s.gen)<<32 | uint64(i)
}

func (o *ops) drop(a *part) {
	i := uint32(a.name)
	if a.name == 0 || int(i) >= len(o.slots) || o.slots[i].part != a {
		return
	}
	o.slots[i].part = nil
	o.free = append(o.free, i)
	a.name = 0
}

func (o *ops) find(id uint64) *part {
	i := uint32(id)
	if int(i) >= len(o.slots) || uint64(o.slots[i].gen) != id>>32&0xffffff {
		return nil
	}
	return o.slots[i].part
}

// open is how many parts have names.
func (o *ops) open() int { return len(o.slots) - len(o.free) }
