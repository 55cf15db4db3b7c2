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
		requests[i] = mpi.Irecv(p.k.World, buf, p.partner, tagData)
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

// PairLatency returns the mean half round trip of pairs that play at the same time, divided by their number: what one
// message costs when so many share the network. In virtual time pairs stay in step with each other for ever, some better
// and some worse; so they begin several times, each time further spread over a round trip.
func PairLatency(k *Rank, size int, l Loops) (float64, error) {
	const starts = 5
	trip, err := k.roundTrip(size, Loops{Timed: max(l.Warmup, 1)})
	if err != nil {
		return 0, err
	}
	if trip, err = k.mean(trip); err != nil {
		return 0, err
	}
	pairs, out, in := k.World.Size()/2, buffer(size), buffer(size)
	mine, sum := float64(k.World.Rank()%pairs)/float64(pairs), 0.0
	for i := range starts {
		late := time.Duration(1e3 * trip * mine * float64(i+1) / starts)
		each, err := k.lateTrip(out, in, late, Loops{Warmup: 4, Timed: max(l.Timed/starts, 1)})
		if err != nil {
			return 0, err
		}
		sum += each
	}
	half, err := k.mean(sum / (2 * starts))
	return half / float64(pairs), err
}

// lateTrip is the round trip of a rank that begins some time after a barrier.
func (k *Rank) lateTrip(out, in []byte, late time.Duration, l Loops) (float64, error) {
	p, start := k.pair(), k.Now()
	if err := mpi.Barrier(k.World); err != nil {
		return 0, err
	}
	k.Compute(late)
	for i := range l.Warmup + l.Timed {
		if i == l.Warmup {
			start = k.Now()
		}
		if err := p.bounce(out, in); err != nil {
			return 0, err
		}
	}
	return microseconds(k.Now()-start) / float64(l.Timed), nil
}
