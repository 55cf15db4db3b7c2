package measure

import (
	"time"

	"github.com/weft-mpi/weft/mpi"
)

// Window is how many messages the streams keep in flight.
const Window = 64

// OneWay returns the MB/s at which each leading rank sends windows of messages to its partner, all pairs together. A
// short answer ends each window.
func OneWay(k *Rank, size, window int, l Loops) (float64, error) {
	return k.streams(k.pair(), size, window, l)
}

// streams returns the MB/s of all pairs when each moves windows of messages from the rank that leads.
func (k *Rank) streams(p pair, size, window int, l Loops) (float64, error) {
	buf, done := buffer(size), make([]byte, 4)
	requests := make([]mpi.Request, window)
	each, err := k.timed(l, func(n int) error {
		for range n {
			if err := p.oneWindow(buf, requests, done); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return k.rate(each, size*window)
}

func (p pair) oneWindow(buf []byte, requests []mpi.Request, done []byte) error {
	if p.leads {
		for i := range requests {
			requests[i] = mpi.Isend(p.k.World, buf, p.partner, tagData)
		}
		if err := mpi.Waitall(requests); err != nil {
			return err
		}
		_, err := mpi.Recv(p.k.World, done, p.partner, tagDone)
		return err
	}
	for i := range requests {
		requests[i] = mpi.Irecv(p.k.World, buf, p.partner, tagData) //weft:ignore buffer nobody looks at what comes
	}
	if err := mpi.Waitall(requests); err != nil {
		return err
	}
	return mpi.Send(p.k.World, done, p.partner, tagDone)
}

// BothWays returns the MB/s, both directions and all pairs together, at which partners exchange windows of messages:
// each posts a window of sends and then a window of receives.
func BothWays(k *Rank, size, window int, l Loops) (float64, error) {
	p, out, in := k.pair(), buffer(size), buffer(size)
	requests := make([]mpi.Request, 0, 2*window)
	each, err := k.timed(l, func(n int) error {
		for range n {
			requests = requests[:0]
			for range window {
				requests = append(requests, mpi.Isend(k.World, out, p.partner, tagData))
			}
			for range window {
				requests = append(requests, mpi.Irecv(k.World, in, p.partner, tagData))
			}
			if err := mpi.Waitall(requests); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return k.rate(each, 2*size*window)
}

// OppositePairs returns the MB/s of an even number of pairs of which every other one sends the other way: of four ranks
// on two nodes, one pair streams there and one back.
func OppositePairs(k *Rank, size, window int, l Loops) (float64, error) {
	p := k.pair()
	if min(k.World.Rank(), p.partner)%2 == 1 {
		p.leads = !p.leads
	}
	return k.streams(p, size, window, l)
}

// rate turns microseconds per iteration, in which each pair moves that many bytes, into MB/s of all pairs: the slowest
// rank counts.
func (k *Rank) rate(each float64, bytes int) (float64, error) {
	mine, most := []float64{each}, []float64{0}
	if err := mpi.Allreduce(k.World, mine, most, mpi.Max); err != nil {
		return 0, err
	}
	if most[0] <= 0 {
		return 0, nil
	}
	return float64(bytes*(k.World.Size()/2)) / most[0], nil
}

// PairLatency returns what one message costs when pairs play ping-pong at the same time and share the
// network: half a round trip, divided by the number of pairs. Trips of all pairs are counted over the same
// time, so that nobody is measured while others have ended. In virtual time pairs stay in step with each
// other for ever, some better and some worse; so they begin several times, each time further spread over a
// round trip.
func PairLatency(k *Rank, size int, l Loops) (float64, error) {
	const starts, settle = 40, 20
	trip, err := k.roundTrip(size, Loops{Timed: max(l.Warmup, 1)})
	if err != nil {
		return 0, err
	}
	if trip, err = k.mean(trip); err != nil {
		return 0, err
	}
	pairs := k.World.Size() / 2
	r := rally{pair: k.pair(), out: buffer(size), in: buffer(size), warm: settle * trip, window: trip * float64(max(l.Timed/starts, 1))}
	mine, sum := float64(k.World.Rank()%pairs)/float64(pairs), 0.0
	for i := range starts {
		if err := mpi.Barrier(k.World); err != nil {
			return 0, err
		}
		rate, err := r.play(trip * mine * float64(i+1) / starts)
		if err != nil {
			return 0, err
		}
		sum += rate
	}
	rate, err := k.mean(sum / starts) // followers have that of their leaders
	return 1 / (2 * rate * float64(pairs)), err
}

// rally is a pair that plays for as long as others do. Times are in microseconds.
type rally struct {
	pair
	out, in      []byte
	warm, window float64
}

// play begins that late and returns how many round trips the pair makes in a microsecond, of those that end
// in the window.
func (r *rally) play(late float64) (rate float64, err error) {
	k, begin := r.k, r.k.Now()
	since := func() float64 { return microseconds(k.Now() - begin) }
	k.Compute(time.Duration(1e3 * late))
	trips, first, last := -1, 0.0, 0.0
	for over := false; !over; {
		if over, err = r.bounce(since() >= r.warm+r.window); err != nil {
			return 0, err
		}
		if last = since(); last >= r.warm {
			if trips++; trips == 0 {
				first = last
			}
		}
	}
	if trips < 1 {
		return 1 / last, nil // too short a window: one trip began before it and ended after it
	}
	return float64(trips) / (last - first), nil
}

// bounce sends one message there and back. The leader knows whether it is the last, its partner learns it from the tag.
func (r *rally) bounce(last bool) (bool, error) {
	world := r.k.World
	if !r.leads {
		got, err := mpi.Recv(world, r.in, r.partner, mpi.AnyTag)
		if err != nil {
			return true, err
		}
		return got.Tag == tagDone, mpi.Send(world, r.out, r.partner, tagPong)
	}
	tag := tagPing
	if last {
		tag = tagDone
	}
	if err := mpi.Send(world, r.out, r.partner, tag); err != nil {
		return true, err
	}
	_, err := mpi.Recv(world, r.in, r.partner, tagPong)
	return last, err
}
