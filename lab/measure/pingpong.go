package measure

import "github.com/weft-mpi/weft/mpi"

const (
	tagPing = iota + 1
	tagPong
	tagData
	tagDone
	tagReady
	tagGo
	tagAnswer
	tagRight
	tagLeft
)

// pair is one of two ranks that talk to each other: in a world of 2n, rank i leads and rank i+n is its partner.
type pair struct {
	k       *Rank
	leads   bool
	partner int
}

func (k *Rank) pair() pair {
	half := k.World.Size() / 2
	if k.World.Rank() < half {
		return pair{k, true, k.World.Rank() + half}
	}
	return pair{k, false, k.World.Rank() - half}
}

// bounce sends one message there and back.
func (p pair) bounce(out, in []byte) error {
	if p.leads {
		if err := mpi.Send(p.k.World, out, p.partner, tagPing); err != nil {
			return err
		}
		_, err := mpi.Recv(p.k.World, in, p.partner, tagPong)
		return err
	}
	if _, err := mpi.Recv(p.k.World, in, p.partner, tagPing); err != nil {
		return err
	}
	return mpi.Send(p.k.World, out, p.partner, tagPong)
}

// PingPong returns half the round trip of a message between the two halves of the world, in microseconds. With more
// than two ranks all pairs play at the same time, and rank 0's time counts.
func PingPong(k *Rank, size int, l Loops) (float64, error) {
	trip, err := k.roundTrip(size, l)
	if err != nil {
		return 0, err
	}
	return k.agree(trip/2, 0)
}

// roundTrip is how many microseconds a message of this rank takes there and back.
func (k *Rank) roundTrip(size int, l Loops) (float64, error) {
	p, out, in := k.pair(), buffer(size), buffer(size)
	return k.timed(l, func(n int) error {
		for range n {
			if err := p.bounce(out, in); err != nil {
				return err
			}
		}
		return nil
	})
}

// FarPingPong returns half the round trip of a message between the first and the last rank, in
// microseconds, while the others wait.
func FarPingPong(k *Rank, size int, l Loops) (float64, error) {
	last := k.World.Size() - 1
	p, out, in := pair{k, k.Lead(), last}, buffer(size), buffer(size)
	if k.World.Rank() == last {
		p.partner = 0
	}
	trip, err := k.timed(l, func(n int) error {
		for i := 0; i < n && (p.leads || k.World.Rank() == last); i++ {
			if err := p.bounce(out, in); err != nil {
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
