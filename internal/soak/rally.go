package soak

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/weft-mpi/weft/mpi"
)

// rally is two ranks that send long messages to and fro, each alone on its way.
type rally struct {
	*soaker
	round, first, second int
	hops, bytes          int
	salt                 uint64
}

// rally has ranks play in pairs. One that finds no other sits it out.
func (s *soaker) rally(round int, rng *rand.Rand) error {
	r := rally{soaker: s, round: round, hops: 10 + rng.IntN(40), bytes: longWild + rng.IntN(longest-longWild)>>rng.IntN(4), salt: rng.Uint64()}
	players := rng.Perm(s.world.Size())
	for i := 0; i+1 < len(players); i += 2 {
		if r.first, r.second = players[i], players[i+1]; r.first == s.world.Rank() || r.second == s.world.Rank() {
			return r.play()
		}
	}
	return nil
}

func (r *rally) play() error {
	for hop := range r.hops {
		from, to := r.first, r.second
		if hop%2 == 1 {
			from, to = to, from
		}
		err := error(nil)
		if r.world.Rank() == from {
			err = r.serve(hop, to)
		} else {
			err = r.take(hop, from)
		}
		if err != nil {
			return fmt.Errorf("round %d, hop %d from %d to %d, %d bytes: %w", r.round, hop, from, to, r.bytes, err)
		}
	}
	return nil
}

const rallyTag = mpi.MaxTag - 2

func (r *rally) court() *mpi.Comm { return r.seas[r.round%2].tame }

func (r *rally) key(hop int) uint64 { return mix(r.salt, uint64(r.first), uint64(hop)) }

func (r *rally) serve(hop, to int) error {
	out := make([]byte, r.bytes)
	fill(out, r.key(hop))
	return mpi.Send(r.court(), out, to, rallyTag)
}

// take receives a message. Now and then it does so only when the message is there.
func (r *rally) take(hop, from int) error {
	in := make([]byte, r.bytes+guard)
	clean(in)
	if r.key(hop)%16 == 0 {
		if st, err := mpi.Probe(r.court(), from, rallyTag); err != nil || st.Bytes != r.bytes {
			return errors.Join(err, fmt.Errorf("a probe found %d bytes", st.Bytes))
		}
	}
	st, err := mpi.Recv(r.court(), in, from, rallyTag)
	if err == nil && (st.Source != from || st.Bytes != r.bytes) {
		err = fmt.Errorf("got %d bytes from %d", st.Bytes, st.Source)
	}
	if wrong := damage(in, r.bytes, r.key(hop)); err == nil && wrong != "" {
		err = errors.New(wrong)
	}
	r.own[tallyMessages]++
	r.own[tallyBytes] += uint64(r.bytes)
	return err
}
