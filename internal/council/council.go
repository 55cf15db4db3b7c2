package council

import (
	"fmt"
	"slices"
)

// Ballot is what one rank brings to an agreement.
type Ballot struct {
	Comm    uint32 // the number of the communicator
	Kind    uint8  // what the agreement is for
	Seq     uint32 // which agreement of this kind on the communicator it is
	Last    bool   // agreements of other kinds on this communicator need not wait for the voter, now and later
	Members []int  // processes of the communicator: of all voters the same, in the same order. Not changed by anyone
	Flags   uint64 // to be put together: a bit counts if all voters have it
	Known   []int  // members whose death the voter has taken note of
	Number  uint32 // what counts if the voter turns out to be the first of those that live
}

// Word is what all living members hear.
type Word struct {
	Comm   uint32
	Kind   uint8
	Seq    uint32
	Flags  uint64 // the bits that all voters have; none if somebody who lives is absent
	Absent []int  // members that live and have cast their last ballot, in the order of the members
	Dead   []int  // members that are dead, in the order of the members
	News   []int  // those of them that some voter had not taken note of
	Number uint32 // the Number of the first voter that lives
}

// Answer is a word for one rank.
type Answer struct {
	To   int
	Word Word
}

// openMax bounds the agreements that one rank may have open at a time.
const openMax = 1 << 10

// Council is the state of all agreements of a job.
type Council struct {
	dead   []bool
	open   []int // agreements that wait, by voter
	rounds map[round]*agreement
	order  []round                 // of them, in the order in which they began, so that nothing depends on chance
	last   map[uint32]map[int]bool // who has cast a last ballot that waits for its word, by communicator
}

// round names an agreement.
type round struct {
	comm uint32
	kind uint8
	seq  uint32
}

// agreement is one that has begun and has not been decided.
type agreement struct {
	members []int
	last    bool // its ballots are last ones
	flags   uint64
	known   map[int]int // how many voters have taken note of a member's death
	voted   map[int]uint32
	missing int // members that may still vote, and have not
}

// New returns the council of a job of size ranks, all alive.
func New(size int) *Council {
	return &Council{
		dead: make([]bool, size), open: make([]int, size),
		rounds: map[round]*agreement{}, last: map[uint32]map[int]bool{},
	}
}

// Dead tells whether a rank is known to be dead.
func (c *Council) Dead(rank int) bool { return c.dead[rank] }

// Vote takes the ballot of a rank. The answers are to be given at once. An error means that the rank is out of order:
// nothing has changed, and it would wait for ever. What the dead still say is ignored.
func (c *Council) Vote(rank int, b Ballot) ([]Answer, error) {
	if c.dead[rank] {
		return nil, nil
	}
	key := round{b.Comm, b.Kind, b.Seq}
	a := c.rounds[key]
	if err := c.check(rank, &b, a); err != nil {
		return nil, fmt.Errorf("agreement %d on communicator %#x: %w", b.Seq, b.Comm, err)
	}
	if a == nil {
		a = c.begin(key, &b)
	}
	a.missing--
	a.voted[rank] = b.Number
	a.flags &= b.Flags
	for _, r := range b.Known {
		a.known[r]++
	}
	c.open[rank]++
	var all []Answer
	if b.Last {
		all = c.leave(rank, b)
	}
	return append(all, c.decide(key, a)...), nil
}

// leave has agreements of other kinds wait no more for a rank that casts its last ballot.
func (c *Council) leave(rank int, b Ballot) (all []Answer) {
	if c.last[b.Comm] == nil {
		c.last[b.Comm] = map[int]bool{}
	}
	c.last[b.Comm][rank] = true
	return c.spare(rank, func(key round) bool { return key.comm == b.Comm && key.kind != b.Kind })
}

// spare decides those agreements that waited for a rank only.
func (c *Council) spare(rank int, which func(round) bool) (all []Answer) {
	for _, key := range slices.Clone(c.order) {
		a := c.rounds[key]
		if _, voted := a.voted[rank]; !voted && which(key) && slices.Contains(a.members, rank) {
			a.missing--
			all = append(all, c.decide(key, a)...)
		}
	}
	return all
}

// absent tells whether an agreement does without a rank that lives.
func (c *Council) absent(key round, a *agreement, rank int) bool {
	return !a.last && c.last[key.comm][rank]
}

// check says what is wrong with a ballot for agreement a, nil if that begins with it.
func (c *Council) check(rank int, b *Ballot, a *agreement) error {
	outside := func(r int) bool { return r < 0 || r >= len(c.dead) }
	switch {
	case a != nil && !same(a.members, b.Members):
		return fmt.Errorf("rank %d names other members than those before it", rank)
	case a != nil && a.last != b.Last:
		return fmt.Errorf("rank %d does not go on as those before it", rank)
	case !b.Last && c.last[b.Comm][rank]:
		return fmt.Errorf("rank %d has cast its last ballot", rank)
	case a == nil && slices.ContainsFunc(b.Members, outside):
		return fmt.Errorf("rank %d names members that the job does not have", rank)
	case !slices.Contains(b.Members, rank):
		return fmt.Errorf("rank %d is no member", rank)
	case c.open[rank] >= openMax:
		return fmt.Errorf("rank %d waits for %d others", rank, openMax)
	}
	if a != nil {
		if _, twice := a.voted[rank]; twice {
			return fmt.Errorf("rank %d votes twice", rank)
		}
	}
	return nil
}

// same compares lists, which are the same memory more often than not.
func same(a, b []int) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0] || slices.Equal(a, b))
}

// begin opens an agreement by its first ballot.
func (c *Council) begin(key round, b *Ballot) *agreement {
	a := &agreement{members: b.Members, last: b.Last, flags: ^uint64(0), known: map[int]int{}, voted: map[int]uint32{}}
	for _, r := range a.members {
		if !c.dead[r] && !c.absent(key, a, r) {
			a.missing++
		}
	}
	c.rounds[key] = a
	c.order = append(c.order, key)
	return a
}

// Bury takes note that a rank has died, and decides what waited for it only.
func (c *Council) Bury(rank int) (all []Answer) {
	if c.dead[rank] {
		return nil
	}
	c.dead[rank] = true
	return c.spare(rank, func(key round) bool { return !c.absent(key, c.rounds[key], rank) })
}

// decide gives the word of an agreement for which everybody has voted who lives.
func (c *Council) decide(key round, a *agreement) (all []Answer) {
	if a.missing > 0 {
		return nil
	}
	delete(c.rounds, key)
	c.order = slices.DeleteFunc(c.order, func(k round) bool { return k == key })
	w := Word{Comm: key.comm, Kind: key.kind, Seq: key.seq, Flags: a.flags}
	var voters []int // that live
	for _, r := range a.members {
		switch _, voted := a.voted[r]; {
		case c.dead[r]:
			w.Dead = append(w.Dead, r)
			if a.known[r] < len(a.voted) {
				w.News = append(w.News, r)
			}
		case voted:
			voters = append(voters, r)
		default:
			w.Absent = append(w.Absent, r)
			w.Flags = 0
		}
	}
	if len(voters) > 0 {
		w.Number = a.voted[voters[0]]
	}
	for _, r := range voters {
		all = append(all, Answer{r, w})
	}
	for r := range a.voted {
		c.open[r]--
	}
	if a.last { // all who live have cast it, so nobody votes on anything else there
		delete(c.last, key.comm)
	}
	return all
}
