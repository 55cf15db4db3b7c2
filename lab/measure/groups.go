package measure

import "time"

// Copies returns the microseconds in which so many ranks copy that many bytes each, all at the same time.
func Copies(k *Rank, size, ranks int, l Loops) (float64, error) {
	from, to := buffer(size), buffer(size)
	sum := 0.0
	for range l.Timed {
		start, err := k.together()
		if err != nil {
			return 0, err
		}
		if k.World.Rank() < ranks {
			k.copied(copy(to, from))
		} else {
			k.Compute(time.Millisecond) // who does not copy keeps still: its next message would be copied
		}
		took, mine := microseconds(k.Now()-start), 0.0
		if k.World.Rank() < ranks {
			mine = took
		}
		last, err := k.largest(mine)
		if err != nil {
			return 0, err
		}
		sum += last
	}
	return sum / float64(max(l.Timed, 1)), nil
}

// Spectrum returns the microseconds of one operation with its fence, the mean over buffers that are used
// unequally often and lie on pages of their own. Both sides call it; the leading side's value counts.
func (o *OneSided) Spectrum(a Access, size int, u Uses) (float64, error) {
	stride := pages(size)
	all := buffer(u.Buffers * stride)
	start, operations := o.w.Clock.Now(), 0
	for i := range u.Buffers {
		for range u.Step * (i + 1) {
			if err := o.step(a, all[i*stride:][:size]); err != nil {
				return 0, err
			}
			operations++
		}
	}
	return float64(o.w.Clock.Now()-start) / 1e3 / float64(max(operations, 1)), o.w.drain()
}
