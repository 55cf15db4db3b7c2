package stripe

// Rate is what a path was measured to move, in bytes per nanosecond; 0 is unknown.
func (s *Scheduler) Rate(path int) float64 {
	p := &s.paths[path]
	if p.busy <= 0 {
		return 0
	}
	return p.moved / p.busy
}

// sample counts n bytes that took the time since the path's last completion, or since they were posted if the path was
// idle before. Completions that are seen at the same time count as one.
func (p *path) sample(n int, posted, now int64) {
	const fade = 7.0 / 8
	p.moved = fade*p.moved + float64(n)
	p.busy = fade*p.busy + float64(max(0, now-max(p.since, posted)))
}

// weights are the relative rates of the usable paths, 0 for the others: as measured, else the average of what is
// known; and 1 for all if they are within a tenth of each other.
func (s *Scheduler) weights() (w [MaxPaths]float64, equal bool) {
	known, sum := 0, 0.0
	for i := range s.cfg.Paths {
		if !s.usable(i) {
			continue
		}
		if w[i] = s.Rate(i); w[i] > 0 {
			known, sum = known+1, sum+w[i]
		}
	}
	if known == 0 {
		known, sum = 1, 1
	}
	return s.level(w, sum/float64(known))
}

// level gives usable paths of unknown rate the average, and all of them 1 if they are nearly equal.
func (s *Scheduler) level(w [MaxPaths]float64, average float64) ([MaxPaths]float64, bool) {
	least, most := average, average
	for i := range s.cfg.Paths {
		if s.usable(i) {
			if w[i] <= 0 {
				w[i] = average
			}
			least, most = min(least, w[i]), max(most, w[i])
		}
	}
	if most > 1.1*least {
		return w, false
	}
	for i := range w {
		if w[i] > 0 {
			w[i] = 1
		}
	}
	return w, true
}

// late tells whether a path with pieces under way has moved none in twice the time that its rate promises.
func (s *Scheduler) late(i int, now int64) bool {
	p := &s.paths[i]
	rate := s.Rate(i)
	return p.pieces > 0 && rate > 0 && float64(now-p.since) > 2*float64(p.bytes/p.pieces)/rate
}
