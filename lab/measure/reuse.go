package measure

// Pool is where the messages of Reuse come from. It holds more buffers than a registration cache keeps.
type Pool struct{ Buffers, Bytes int }

// DefaultPool is larger than the default registration cache, in buffers, as far as memory allows.
var DefaultPool = Pool{Buffers: 2048, Bytes: 64 << 20}

// Reuse returns half the round trip, in microseconds, of messages of which share in a hundred come from one buffer and
// the others each from the buffer of the pool that was not used for longest.
func Reuse(k *Rank, size, share int, pool Pool, l Loops) (float64, error) {
	stride := pages(size)
	n := min(max(pool.Bytes/stride, 2), max(pool.Buffers, 2))
	p, out, in := k.pair(), buffer(n*stride), buffer(n*stride)
	next, due := 1, 0
	trip, err := k.timed(l, func(rounds int) error {
		for range rounds {
			at := 0
			if due += share; due >= 100 {
				due -= 100
			} else {
				at = next
				if next++; next == n {
					next = 1
				}
			}
			if err := p.bounce(out[at*stride:][:size], in[at*stride:][:size]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return k.agree(trip/2, 0)
}

// Uses says how often the buffers of Spectrum are used: the first Step times, the next one twice as often, and so on.
type Uses struct{ Buffers, Step int }

// Spectrum returns the mean half round trip, in microseconds, over buffers that are used unequally often.
// They lie back to back, or each on pages of its own.
func Spectrum(k *Rank, size int, u Uses, paged bool) (float64, error) {
	stride := size
	if paged {
		stride = pages(size)
	}
	p, out, in := k.pair(), buffer(u.Buffers*stride), buffer(u.Buffers*stride)
	messages := u.Step * u.Buffers * (u.Buffers + 1) / 2
	trip, err := k.timed(Loops{Timed: 1}, func(int) error {
		for i := range u.Buffers {
			for range u.Step * (i + 1) {
				if err := p.bounce(out[i*stride:][:size], in[i*stride:][:size]); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return k.agree(trip/float64(2*messages), 0)
}

// pages rounds bytes up to whole pages, at least one.
func pages(bytes int) int { return max((bytes+page-1)/page, 1) * page }
