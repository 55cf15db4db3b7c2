package apps_test

import (
	"math"
	"math/bits"

	"github.com/weft-mpi/weft/apps/meter"
)

// traffic is what all ranks together send in a run: how often which calls, and how many bytes long. Messages to
// oneself are called self.
type traffic map[sent]int

type sent struct {
	name  string
	bytes int
}

func (t traffic) add(name string, bytes, n int) {
	if n > 0 {
		t[sent{name, bytes}] += n
	}
}

// note adds what one rank has counted.
func (t traffic) note(rank int, calls map[meter.Call]int) {
	for c, n := range calls {
		if c.Peer == rank {
			c.Name = "self"
		}
		t.add(c.Name, c.Bytes, n)
	}
}

// network is the number of messages that cross the network if each rank has a host of its own, in the study of
// shared receive queues that counted them: messages of more than 9216 bytes take four. Short all-to-alls and
// Allreduce take a message for each bit of the number of ranks.
func (t traffic) network(ranks int) (total int) {
	log := bits.Len(uint(ranks)) - 1
	for s, n := range t {
		each := 1
		if s.bytes > 9216 {
			each = 4
		}
		switch {
		case s.name == "self":
		case s.name == "send":
			total += n * each
		case s.name == "allreduce", s.name == "alltoall" && s.bytes <= 256:
			total += n * log
		case s.name == "alltoall", s.name == "alltoallv":
			total += n * (ranks - 1) * each
		case s.name == "bcast", s.name == "reduce":
			total += n / ranks * (ranks - 1)
		}
	}
	return total
}

// trafficOf is what the originals send, from their specification.
var trafficOf = map[string]func(class string, ranks int) traffic{"ep": epTraffic, "is": isTraffic, "cg": cgTraffic, "mg": mgTraffic, "ft": ftTraffic,
	"lu": luTraffic, "bt": btTraffic, "sp": spTraffic}

func epTraffic(_ string, ranks int) traffic {
	return traffic{{"allreduce", 8}: 2 * ranks, {"allreduce", 80}: ranks}
}

func isTraffic(class string, ranks int) traffic {
	c := map[string]struct{ keys, buckets int }{"S": {16, 9}, "W": {20, 10}, "A": {23, 10}, "B": {25, 10}}[class]
	t, times := traffic{}, 11*ranks
	t.add("allreduce", 4*(1<<c.buckets+5), times)
	t.add("alltoall", 4, times)
	t.add("alltoallv", 4<<c.keys/(ranks*ranks), times)
	t.add("send", 4, ranks-1)
	t.add("reduce", 4, ranks)
	return t
}

func cgTraffic(class string, ranks int) traffic {
	c := map[string]struct{ n, steps int }{"S": {1400, 15}, "W": {7000, 15}, "A": {14000, 15}, "B": {75000, 75}, "C": {150000, 75}}[class]
	t, log := traffic{}, bits.Len(uint(ranks))-1
	down := 1 << (log / 2)
	across := bits.Len(uint(ranks/down)) - 1
	if ranks == 1 {
		return t
	}
	steps, length, diagonal := c.steps+1, 8*c.n/down, down
	if log%2 == 1 {
		length, diagonal = length/2, 2*down
	}
	t.add("send", 8, 52*across*steps*ranks)
	t.add("send", 16, across*steps*ranks)
	t.add("send", length, 26*steps*(across*ranks+ranks-diagonal))
	t.add("self", length, 26*steps*diagonal)
	return t
}

func ftTraffic(class string, ranks int) traffic {
	c := map[string]struct{ points, steps int }{"S": {1 << 18, 6}, "W": {1 << 19, 6}, "A": {1 << 23, 6}, "B": {1 << 25, 20}}[class]
	return traffic{{"alltoall", 16 * c.points / (ranks * ranks)}: (2 + c.steps) * ranks, {"reduce", 16}: c.steps * ranks, {"bcast", 4}: 5 * ranks}
}

func mgTraffic(class string, ranks int) traffic {
	c := map[string]struct{ side, cycles int }{"S": {32, 4}, "W": {128, 4}, "A": {256, 4}, "B": {256, 20}, "C": {512, 20}}[class]
	t, cycles := traffic{}, c.cycles+1
	for bytes, n := range map[int]int{8: 40 + 8, 16: 40} {
		t.add("allreduce", bytes, n*ranks)
	}
	if ranks == 1 {
		return t
	}
	log := bits.Len(uint(ranks)) - 1
	p := [3]int{1 << (log / 3), 1 << ((log - log/3) / 2), 1}
	p[2] = ranks / (p[0] * p[1])
	for side := c.side; side >= 2; side /= 2 {
		halos := 3 * cycles
		switch side {
		case 2:
			halos = 2 * cycles
		case c.side:
			halos = 3*cycles + 4
		}
		mgHalos(t, p, side, halos)
		if side > 2 {
			mgWakes(t, p, side, cycles)
		}
	}
	return t
}

// mgHalos adds so many exchanges of surfaces on a level. Ranks with points have as many as all others.
func mgHalos(t traffic, p [3]int, side, halos int) {
	var inner [3]int
	awake := 1
	for ax := range p {
		inner[ax] = max(1, side/p[ax])
		awake *= min(p[ax], side)
	}
	for ax, surface := range [3]int{inner[1] * inner[2], (inner[0] + 2) * inner[2], (inner[0] + 2) * (inner[1] + 2)} {
		name := "send"
		if p[ax] == 1 {
			name = "self"
		}
		t.add(name, 8*surface, 2*awake*halos)
	}
}

// mgWakes adds what ranks with points on the level below that of so many points a side give to those without.
func mgWakes(t traffic, p [3]int, side, cycles int) {
	for ax := range p {
		givers := min(p[ax], side/2)
		if givers == min(p[ax], side) {
			continue
		}
		b, c := (ax+1)%3, (ax+2)%3
		for widthB, ranksB := range widths(p[b], side) {
			for widthC, ranksC := range widths(p[c], side) {
				for _, layers := range []int{1, 2} {
					t.add("send", 8*layers*widthB*widthC, givers*ranksB*ranksC*cycles)
				}
			}
		}
	}
}

// widths is how wide boxes with their border are along an axis on the level below that of so many points a side,
// and how many of the ranks with points on that level have boxes so wide.
func widths(p, side int) map[int]int {
	all := min(p, side)
	full := min(p, side/2)
	w := map[int]int{max(1, side/2/p) + 2: full}
	if all > full {
		w[2] = all - full
	}
	return w
}

// part is how many of n points rank number at of several has, and how many of these are not the first or last of all.
func part(n, ranks, at int) (points, inner int) {
	points = n / ranks
	if at < n%ranks {
		points++
	}
	inner = points
	if at == 0 {
		inner--
	}
	if at == ranks-1 {
		inner--
	}
	return points, inner
}

func luTraffic(class string, ranks int) traffic {
	c := map[string]struct{ n, steps int }{"S": {12, 50}, "W": {33, 300}, "A": {64, 250}, "B": {102, 250}}[class]
	t := traffic{{"bcast", 4}: 6 * ranks, {"bcast", 8}: 2 * ranks, {"bcast", 40}: ranks, {"allreduce", 40}: 4 * ranks, {"allreduce", 8}: 3 * ranks}
	down := 1 << ((bits.Len(uint(ranks)) - 1) / 2)
	grid := [2]int{ranks / down, down}
	for ax, across := range grid {
		along := grid[1-ax]
		for at := range along { // so many pairs of neighbours have edges as long
			points, inner := part(c.n, along, at)
			t.add("send", 10*8*c.n*points, 2*(across-1)*(c.steps+1))
			t.add("send", 5*8*inner, 2*(across-1)*c.steps*(c.n-2))
		}
	}
	return t
}

func btTraffic(class string, ranks int) traffic {
	c := map[string]struct{ n, steps int }{"S": {12, 60}, "W": {24, 200}, "A": {64, 200}, "B": {102, 200}}[class]
	q := int(math.Sqrt(float64(ranks)) + .5)
	t, m := cellTraffic(c.n, q, c.steps), c.n/q+1
	t.add("send", 30*8*m*m, 3*(q-1)*ranks*(c.steps+1))
	t.add("send", 5*8*m*m, 3*(q-1)*ranks*(c.steps+1))
	return t
}

func spTraffic(class string, ranks int) traffic {
	c := map[string]struct{ n, steps int }{"S": {12, 100}, "W": {36, 400}, "A": {64, 400}, "B": {102, 400}}[class]
	q := int(math.Sqrt(float64(ranks)) + .5)
	t := cellTraffic(c.n, q, c.steps)
	for x := range q { // all cells with the same place across an axis: of each row of q, all but one pass something on
		for y := range q {
			_, a := part(c.n, q, x)
			_, b := part(c.n, q, y)
			t.add("send", 22*8*a*b, 3*(q-1)*(c.steps+1))
			t.add("send", 10*8*a*b, 3*(q-1)*(c.steps+1))
		}
	}
	return t
}

// cellTraffic is what BT and SP have in common: surfaces of q cells a rank, for every step, one before and one after.
func cellTraffic(n, q, steps int) traffic {
	t := traffic{{"allreduce", 40}: 2 * q * q}
	for rank := range q * q {
		for ax := range 3 {
			for _, last := range []int{0, q - 1} { // the layer without neighbours below, above
				bytes := 0
				for c := range q {
					at := [3]int{(rank%q + c) % q, (rank/q - c + q) % q, c}
					a, _ := part(n, q, at[(ax+1)%3])
					b, _ := part(n, q, at[(ax+2)%3])
					if at[ax] != last {
						bytes += 2 * 5 * 8 * a * b
					}
				}
				if q > 1 {
					t.add("send", bytes, steps+2)
				}
			}
		}
	}
	return t
}

// near tells whether a number is within a share of another.
func near(got int, want, share float64) bool { return math.Abs(float64(got)-want) <= share*want }
