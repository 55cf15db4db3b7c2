package rail

// opSlot names a part in work requests; names are not used again soon, because completions of a lane that is gone may
// still come.
type opSlot struct {
	part *part
	gen  uint32
}

func (l *Link) nameOp(a *part) uint64 {
	var i uint32
	if n := len(l.freeOps); n > 0 {
		i = l.freeOps[n-1]
		l.freeOps = l.freeOps[:n-1]
	} else {
		i = uint32(len(l.ops))
		l.ops = append(l.ops, opSlot{})
	}
	s := &l.ops[i]
	s.part = a
	s.gen = (s.gen + 1) & 0xffffff
	return idOp | uint64(s.gen)<<32 | uint64(i)
}

func (l *Link) dropOp(a *part) {
	i := uint32(a.name)
	if a.name == 0 || int(i) >= len(l.ops) || l.ops[i].part != a {
		return
	}
	l.ops[i].part = nil
	l.freeOps = append(l.freeOps, i)
	a.name = 0
}

func (l *Link) op(id uint64) *part {
	i := uint32(id)
	if int(i) >= len(l.ops) || uint64(l.ops[i].gen) != id>>32&0xffffff {
		return nil
	}
	return l.ops[i].part
}
