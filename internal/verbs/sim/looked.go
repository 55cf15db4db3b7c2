package sim

import (
	"fmt"
	"math"
	"slices"
)

// value is a parameter as the model uses it. It knows whether a run depended on it, so that nobody has to
// change it to learn that it does not matter.
type value[T int | int64 | float64 | rate] struct {
	v      T
	looked bool
}

func (x *value[T]) get() T {
	x.looked = true
	return x.v
}

// nearby is how far from a limit something has to be, as a factor, so that it stays on its side of the
// limit whatever a sweep makes of that.
const nearby = 2

// exceeds tells whether n is more than a limit. Whoever is far from it has not depended on its value.
func (x *value[T]) exceeds(n T) bool {
	x.looked = x.looked || n >= x.v/nearby && n <= x.v*nearby
	return n > x.v
}

// fill takes parameters of one kind from the profile.
func fill[T int | int64 | float64 | rate](c *costs, p *Profile, convert func(float64) T, into map[string]*value[T]) {
	for name, x := range into {
		x.v = convert(p.get(name))
		c.looked[name] = &x.looked
	}
}

// Looked lists the parameters that what happened until now depended on, in order. Those that it does not
// name could have had any value, or for a limit one up to a factor of two away, and the same would have
// happened at the same time. What a program can ask for (verbs.Caps, verbs.Rail) counts as looked at;
// Profile.Machine, by which algorithms are chosen that nobody named, does not.
func (f *Fabric) Looked() []string {
	names := slices.Clone(asked)
	for name, looked := range f.cost.looked {
		if *looked {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// asked are parameters that do not come to the model as costs: what a cluster has, and what its devices say
// of themselves.
var asked = []string{"cores", "datagram_bytes", "global", "inline_bytes", "mtu", "multicast", "rails", "reads", "shared", "wire_mb_s"}

// choices are parameters whose numbers stand for something else.
var choices = []string{"global", "multicast", "shared"}

// mostAround is the farthest that Around goes, in per cent: Looked answers for that.
const mostAround = 50

// Around returns copies of the profile in which a parameter is that many per cent less and more; whole
// numbers go to others in any case, and nothing leaves its range. Where that changes nothing (0 stays 0, a
// choice is none of more or less) there is no copy.
func (p *Profile) Around(name string, percent float64) (less, more *Profile, err error) {
	k, known := parameters[name]
	switch {
	case !known:
		return nil, nil, fmt.Errorf("sim: %w %s: there is no parameter %q", ErrProfile, p.Name, name)
	case !(percent > 0 && percent <= mostAround):
		return nil, nil, fmt.Errorf("sim: values cannot be changed by %v%%, but by 0 to %v", percent, mostAround)
	}
	v := p.get(name)
	if v == 0 || slices.Contains(choices, name) {
		return nil, nil, nil
	}
	down, up := v*(1-percent/100), v*(1+percent/100)
	if k.whole {
		down, up = min(math.Round(down), v-1), max(math.Round(up), v+1)
	} else { // no digits that nobody meant
		down, up = math.Round(down*1e9)/1e9, math.Round(up*1e9)/1e9
	}
	if down = max(down, k.low); down < v {
		if less, err = p.With(name, down); err != nil {
			return nil, nil, err
		}
	}
	if up = min(up, k.high); up > v {
		more, err = p.With(name, up)
	}
	return less, more, err
}
