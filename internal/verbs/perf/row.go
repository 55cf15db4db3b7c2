package perf

import (
	"math"
	"slices"
)

// Row is the result of one line of a table. Either Latency or Bandwidth is set.
type Row struct {
	Size       int        `json:"bytes"`
	QPs        int        `json:"qps"`
	Iterations int        `json:"iterations"`
	Lost       int        `json:"lost,omitempty"` // datagrams
	Latency    *Latency   `json:"latency,omitempty"`
	Bandwidth  *Bandwidth `json:"bandwidth,omitempty"`
}

// Value is the one number of a row that comparisons and figures use: the typical latency or the average bandwidth.
func (r Row) Value() float64 {
	switch {
	case r.Latency != nil:
		return r.Latency.Typical
	case r.Bandwidth != nil:
		return r.Bandwidth.Average
	}
	return 0
}

// Latency is a distribution of times, in microseconds.
type Latency struct {
	Min     float64 `json:"t_min"`
	Max     float64 `json:"t_max"`
	Typical float64 `json:"t_typical"` // the median
	Avg     float64 `json:"t_avg"`
	Stdev   float64 `json:"t_stdev"`
	P99     float64 `json:"p99"`
	P999    float64 `json:"p99_9"`
}

// Bandwidth is in MB/s, with MB = 10^6 bytes, and in million messages per second.
type Bandwidth struct {
	Peak    float64 `json:"bw_peak"` // of the best batch
	Average float64 `json:"bw_average"`
	Rate    float64 `json:"msg_rate_mpps"`
}

// summarizeTimes makes the distribution of exchanges. share is by how much the nanoseconds of one exchange are
// divided: 2 for a round trip, times the queue pairs that did one at once. It sorts times.
func summarizeTimes(times []int64, share float64) Latency {
	if len(times) == 0 {
		return Latency{}
	}
	slices.Sort(times)
	us := func(ns float64) float64 { return ns / share / 1000 }
	at := func(q float64) float64 {
		return us(float64(times[min(len(times)-1, int(math.Ceil(q*float64(len(times))))-1)]))
	}
	sum := 0.0
	for _, t := range times {
		sum += float64(t)
	}
	mean := sum / float64(len(times))
	squares := 0.0
	for _, t := range times {
		squares += (float64(t) - mean) * (float64(t) - mean)
	}
	return Latency{Min: us(float64(times[0])), Max: us(float64(times[len(times)-1])), Typical: at(0.5), Avg: us(mean),
		Stdev: us(math.Sqrt(squares / float64(len(times)))), P99: at(0.99), P999: at(0.999)}
}

// traffic adds up the batches of a stream.
type traffic struct {
	bytes, messages, lost int
	elapsed               int64
	peak                  float64
}

// add books a batch and returns its own bandwidth.
func (t *traffic) add(size int, out Outcome) float64 {
	bytes := size * out.Messages
	t.bytes += bytes
	t.messages += out.Messages
	t.lost += out.Lost
	t.elapsed += out.Elapsed
	v := rate(bytes, out.Elapsed)
	t.peak = max(t.peak, v)
	return v
}

func (t *traffic) bandwidth() Bandwidth {
	return Bandwidth{Peak: t.peak, Average: rate(t.bytes, t.elapsed), Rate: rate(t.messages, t.elapsed)}
}

// rate is millions per second.
func rate(n int, ns int64) float64 {
	if ns <= 0 {
		return 0
	}
	return float64(n) * 1000 / float64(ns)
}
