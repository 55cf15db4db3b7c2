package stripe

// choose finds the path for a piece of n bytes, or -1 if it has to wait.
func (s *Scheduler) choose(x *Transfer, n int, now int64) int {
	if i := x.on - 1; i >= 0 {
		switch p := &s.paths[i]; {
		case s.usable(i) && s.room(i), p.state == probation && p.pieces == 0:
			return i
		case s.usable(i):
			return -1
		}
	}
	if i := s.probe(); i >= 0 {
		return i
	}
	if x.whole {
		return s.robin(func(i int) bool { return s.usable(i) && s.room(i) })
	}
	if s.cfg.Mode == Even {
		return s.inTurn(x, n)
	}
	weights, _ := s.weights()
	best := s.first(x, n, &weights, func(i int) bool { return !s.late(i, now) })
	if best < 0 {
		best = s.first(x, n, &weights, func(int) bool { return true })
	}
	if best < 0 || s.room(best) {
		return best
	}
	idle := s.first(x, n, &weights, func(i int) bool { return s.paths[i].pieces == 0 })
	if idle < 0 || !s.inTime(x, idle, n, &weights) {
		return -1
	}
	s.count.Stolen++
	return idle
}

// inTurn is the usable path that has got least of the transfer, if it has room.
func (s *Scheduler) inTurn(x *Transfer, n int) int {
	var weights [MaxPaths]float64
	for i := range s.cfg.Paths {
		if s.usable(i) {
			weights[i] = 1
		}
	}
	if i := s.first(x, n, &weights, func(int) bool { return true }); i >= 0 && s.room(i) {
		return i
	}
	return -1
}

// first is the usable path that would be first to be done with its share of the transfer if it got n bytes more, among
// those that fit; -1 if there is none.
func (s *Scheduler) first(x *Transfer, n int, weights *[MaxPaths]float64, fits func(int) bool) int {
	best, least := -1, 0.0
	for k := range s.cfg.Paths {
		i := (x.turn + k) % s.cfg.Paths
		if weights[i] <= 0 || !fits(i) {
			continue
		}
		if end := float64(x.given[i]+n) / weights[i]; best < 0 || end < least {
			best, least = i, end
		}
	}
	return best
}

// inTime tells whether path i would be done with n bytes before the others could be done with all that is under way and
// all that is left of the transfer. Otherwise it would make everybody wait for the last piece.
func (s *Scheduler) inTime(x *Transfer, i, n int, weights *[MaxPaths]float64) bool {
	work, speed := x.n-x.off, 0.0
	for _, r := range x.returned {
		work += r.n
	}
	for k := range s.cfg.Paths {
		if k != i && weights[k] > 0 {
			work += s.paths[k].bytes
			speed += weights[k]
		}
	}
	return float64(n)*speed <= weights[i]*float64(work)
}
