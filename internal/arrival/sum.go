package arrival

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// Imbalance is how unevenly the ranks of a call arrived, in nanoseconds.
type Imbalance struct {
	Average float64 // mean distance from the mean arrival
	Worst   float64 // from the first to the last arrival
}

// Imbalance returns how unevenly the ranks arrived.
func (c *Call) Imbalance() Imbalance {
	var sum, away float64
	for _, t := range c.Arrive {
		sum += float64(t)
	}
	mean := sum / float64(len(c.Arrive))
	for _, t := range c.Arrive {
		away += max(float64(t)-mean, mean-float64(t))
	}
	return Imbalance{Average: away / float64(len(c.Arrive)), Worst: float64(slices.Max(c.Arrive) - slices.Min(c.Arrive))}
}

// Cost returns what one message of some bytes takes, between and beyond the measured lengths by a straight
// line. It is at least one nanosecond.
func (p *Profile) Cost(bytes int) float64 {
	switch len(p.Costs) {
	case 0:
		return 1
	case 1:
		return max(float64(p.Costs[0].Nanos), 1)
	}
	k := 1
	for k < len(p.Costs)-1 && bytes > p.Costs[k].Bytes {
		k++
	}
	from, to := p.Costs[k-1], p.Costs[k]
	slope := float64(to.Nanos-from.Nanos) / float64(max(to.Bytes-from.Bytes, 1))
	return max(float64(from.Nanos)+slope*float64(bytes-from.Bytes), 1)
}

// Row is the sum of the calls of one routine, or of one routine at one call site.
type Row struct {
	Routine string  `json:"routine"`
	Site    string  `json:"site,omitempty"`
	Calls   int     `json:"calls"`
	Bytes   float64 `json:"mean_bytes"`
	// Average and Worst are the means over the calls of their imbalance, divided by the time of one message
	// of the call's length: the imbalance factors. Spread is the mean of Imbalance.Worst in nanoseconds.
	Average float64 `json:"average_factor"`
	Worst   float64 `json:"worst_factor"`
	Spread  float64 `json:"spread_ns"`
	// Inside is the mean time that a rank spends in the call, in nanoseconds; 0 if no call was waited for in one go.
	Inside float64 `json:"inside_ns"`
}

// Rows sums the profile up per routine and, if bySite, per call site, the most uneven first.
func (p *Profile) Rows(bySite bool) []Row {
	type name struct{ routine, site string }
	rows := map[name]*Row{}
	waited := map[name]int{}
	for i := range p.Calls {
		c := &p.Calls[i]
		n := name{c.Routine, ""}
		if bySite {
			n.site = c.Site
		}
		if rows[n] == nil {
			rows[n] = &Row{Routine: n.routine, Site: n.site}
		}
		r, uneven, cost := rows[n], c.Imbalance(), p.Cost(c.Bytes)
		r.Calls++
		r.Bytes += float64(c.Bytes)
		r.Average += uneven.Average / cost
		r.Worst += uneven.Worst / cost
		r.Spread += uneven.Worst
		for k, left := range c.Leave {
			if left != 0 {
				r.Inside += float64(left - c.Arrive[k])
				waited[n]++
			}
		}
	}
	var all []Row
	for n, r := range rows {
		calls := float64(r.Calls)
		r.Bytes, r.Average, r.Worst, r.Spread = r.Bytes/calls, r.Average/calls, r.Worst/calls, r.Spread/calls
		r.Inside /= float64(max(waited[n], 1))
		all = append(all, *r)
	}
	slices.SortFunc(all, func(a, b Row) int {
		return cmp.Or(-cmp.Compare(a.Spread*float64(a.Calls), b.Spread*float64(b.Calls)), cmp.Compare(a.Routine, b.Routine), cmp.Compare(a.Site, b.Site))
	})
	return all
}

// ErrProfile is the error of a file that holds no profile.
var ErrProfile = errors.New("no profile of arrivals")

// Write writes the profile as JSON.
func (p *Profile) Write(w io.Writer) error { return json.NewEncoder(w).Encode(p) }

// Read reads what Write has written, and checks it.
func Read(r io.Reader) (*Profile, error) {
	p := new(Profile)
	if err := json.NewDecoder(r).Decode(p); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrProfile, err)
	}
	for i, c := range p.Calls {
		if len(c.Arrive) == 0 || len(c.Arrive) > p.Ranks || len(c.Leave) != len(c.Arrive) || c.Bytes < 0 || c.Routine == "" {
			return nil, fmt.Errorf("%w: call %d does not have the times of 1 to %d ranks", ErrProfile, i, p.Ranks)
		}
	}
	if !slices.IsSortedFunc(p.Costs, func(a, b Cost) int { return cmp.Compare(a.Bytes, b.Bytes) }) {
		return nil, fmt.Errorf("%w: message costs are not in the order of their lengths", ErrProfile)
	}
	return p, nil
}
