package reuse

import "fmt"

// Meter is what Measure needs from outside.
type Meter struct {
	Now      func() int64           // nanoseconds
	Register func(buf []byte) error // registers buf and deregisters it
	Copy     func(n int)            // is told of n bytes copied, where that has a price; nil if not
	Search   func(buf []byte)       // finds buf in the registration cache and lets it go again; nil if there is none
}

// measureSizes are the lengths at which costs are measured; the rest is interpolated.
var measureSizes = [...]int{512, 4096, 8192, 16384, 32768}

// probeTime limits the time of one of the eleven probes, in nanoseconds, except that each does its work at
// least once: all together they take about a millisecond at most where registering takes less than
// probeTime.
const probeTime = 100_000

// Measure finds out what registering, copying and searching cost here. Where the clock stands still, as in a
// simulation, the costs are 0 and no buffer will ever be worth registering. An error is that of Register.
func Measure(m Meter) (Costs, error) {
	from, to := make([]byte, measureSizes[len(measureSizes)-1]), make([]byte, measureSizes[len(measureSizes)-1])
	var costs Costs
	for _, size := range measureSizes {
		var failed error
		p := Point{Size: size}
		p.Register = probe(m.Now, func() {
			if err := m.Register(from[:size]); err != nil {
				failed = err
			}
		})
		if failed != nil {
			return Costs{}, fmt.Errorf("buffer reuse: registering %d bytes to see what it costs: %w", size, failed)
		}
		p.Copy = probe(m.Now, func() {
			n := copy(to[:size], from[:size])
			if m.Copy != nil {
				m.Copy(n)
			}
		})
		costs.Points = append(costs.Points, p)
	}
	costs.Search = m.search(from)
	return costs, nil
}

// search is what a use of a known buffer costs in a table of some size, and in the registration cache.
func (m Meter) search(memory []byte) float64 {
	t, err := New(Config{Thresholds: PaperThresholds})
	if err != nil {
		panic(err) // the defaults are valid
	}
	for i := 0; i < len(memory); i += 128 {
		t.Use(memory[i:i+128], Fast)
	}
	if m.Search != nil {
		m.Search(memory) // from now on all of it is found, and nothing is registered while time is taken
	}
	i := 0
	return probe(m.Now, func() {
		i = (i + 128*37) % len(memory)
		buf := memory[i : i+128]
		t.Use(buf, Fast)
		if m.Search != nil {
			m.Search(buf)
		}
	})
}

// probe is the time that f takes when nothing disturbs it: the least of several batches, each twice as long as the one
// before.
func probe(now func() int64, f func()) float64 {
	var best float64
	begin := now()
	for round := range 8 {
		start := now()
		for range 1 << round {
			f()
		}
		end := now()
		if each := float64(end-start) / float64(int(1)<<round); round == 0 || each < best {
			best = each
		}
		if end-begin > probeTime/3 { // the next batch would take twice as long
			break
		}
	}
	return best
}
