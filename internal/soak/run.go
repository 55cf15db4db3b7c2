package soak

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"github.com/weft-mpi/weft/mpi"
)

// Config says what to do. All ranks are given the same, but for Progress.
type Config struct {
	Seed     uint64
	Time     time.Duration // how long to go on
	Rounds   int           // if not 0: how many rounds instead
	Limit    time.Duration // what one round may take; 0: a minute
	Progress io.Writer     // rank 0 writes a line here now and then; nil: nobody does

	spoil func(m *message, payload []byte) (copies int) // of tests: damages what is sent
}

// Begun is how the first line of progress begins: all ranks have joined.
const Begun = "weft soak: begins:"

// Summary is what was done. All numbers are those of all ranks together.
type Summary struct {
	Seed        uint64  `json:"seed"`
	Ranks       int     `json:"ranks"`
	Rounds      int     `json:"rounds"`
	Messages    uint64  `json:"messages"` // received and checked
	Bytes       uint64  `json:"bytes"`
	Collectives uint64  `json:"collectives"` // calls of all ranks
	Seconds     float64 `json:"seconds"`
	Slowest     float64 `json:"slowest"` // seconds of the slowest round
}

func (s Summary) String() string {
	return fmt.Sprintf("%d rounds, %d messages, %d MB, %d collectives in %.1f s, slowest round %.2f s",
		s.Rounds, s.Messages, s.Bytes>>20, s.Collectives, s.Seconds, s.Slowest)
}

// soaker is one rank.
type soaker struct {
	world *mpi.Comm
	cfg   Config
	seas  [2]waters // of even and odd rounds: what is left over of one round is not mistaken for the next one's
	crowd *mpi.Comm // for collectives that go on while messages fly
	total Summary
	own   [tallies]uint64

	mu    sync.Mutex
	storm *storm // in flight, for the report of a round that does not end
	err   error  // the first that was found
}

// What a rank counts, and whether it is over: rank 0 alone says so.
const (
	tallyMessages = iota
	tallyBytes
	tallyCollectives
	tallyOver
	tallies
)

// Run soaks a job: all its ranks call it. It returns what all of them did, or the first thing that went wrong. Then the
// job has been aborted, since other ranks may wait for ever.
func Run(world *mpi.Comm, cfg Config) (Summary, error) {
	if cfg.Limit == 0 {
		cfg.Limit = time.Minute
	}
	s := &soaker{world: world, cfg: cfg, total: Summary{Seed: cfg.Seed, Ranks: world.Size()}}
	err := s.run()
	if err != nil {
		s.fail(err)
		s.mu.Lock()
		defer s.mu.Unlock()
		err = s.err
	}
	return s.total, err
}

// fail remembers the first error and ends the job.
func (s *soaker) fail(err error) {
	s.mu.Lock()
	first := s.err == nil
	if first {
		s.err = fmt.Errorf("seed %d, rank %d: %w", s.cfg.Seed, s.world.Rank(), err)
	}
	err = s.err
	s.mu.Unlock()
	if first && !errors.Is(err, mpi.ErrAborted) {
		s.world.Abort(1, err.Error())
	}
}

func (s *soaker) run() (err error) {
	for i := range s.seas {
		if s.seas[i].tame, err = s.named("tame", i); err == nil {
			s.seas[i].wild, err = s.named("wild", i)
		}
		if err != nil {
			return err
		}
	}
	if s.crowd, err = s.named("crowd", 0); err != nil {
		return err
	}
	if s.cfg.Progress != nil && s.world.Rank() == 0 {
		fmt.Fprintf(s.cfg.Progress, "%s seed %d, %d ranks\n", Begun, s.cfg.Seed, s.world.Size())
	}
	begin := time.Now()
	told := begin
	for over := false; !over; s.total.Rounds++ {
		start := time.Now()
		if over, err = s.guarded(s.total.Rounds, begin); err != nil {
			return err
		}
		s.total.Slowest = max(s.total.Slowest, time.Since(start).Seconds())
		s.total.Seconds = time.Since(begin).Seconds()
		if s.cfg.Progress != nil && s.world.Rank() == 0 && time.Since(told) > time.Second {
			told = time.Now()
			fmt.Fprintf(s.cfg.Progress, "weft soak: %v\n", s.total)
		}
	}
	for _, c := range []*mpi.Comm{s.seas[0].tame, s.seas[0].wild, s.seas[1].tame, s.seas[1].wild, s.crowd} {
		err = errors.Join(err, c.Free())
	}
	return err
}

func (s *soaker) named(name string, number int) (*mpi.Comm, error) {
	c, err := s.world.Dup()
	if err == nil {
		c.SetName(fmt.Sprintf("%s%d", name, number))
	}
	return c, err
}

// agree adds up what all ranks did, which ends the round for all, and finds out whether rank 0 has seen enough.
func (s *soaker) agree(begin time.Time) (over bool, err error) {
	if rounds := s.total.Rounds + 1; s.world.Rank() == 0 && s.cfg.Rounds > 0 {
		over = rounds >= s.cfg.Rounds
	} else if s.world.Rank() == 0 {
		over = time.Since(begin) >= s.cfg.Time
	}
	if over {
		s.own[tallyOver] = 1
	}
	var sum [tallies]uint64
	if err := mpi.Allreduce(s.world, s.own[:], sum[:], mpi.Sum); err != nil {
		return false, fmt.Errorf("end of round %d: %w", s.total.Rounds, err)
	}
	s.total.Messages, s.total.Bytes, s.total.Collectives = sum[tallyMessages], sum[tallyBytes], sum[tallyCollectives]
	return sum[tallyOver] != 0, nil
}

// leftovers finds messages that nobody was meant to get.
func (s *soaker) leftovers(w waters) error {
	for _, c := range []*mpi.Comm{w.tame, w.wild} {
		st, found, err := mpi.Iprobe(c, mpi.AnySource, mpi.AnyTag)
		if err != nil {
			return err
		}
		if found {
			return fmt.Errorf("after round %d a message is left that was not sent, or was sent once and came twice: %d bytes from rank %d, tag %d, on %s",
				s.total.Rounds, st.Bytes, st.Source, st.Tag, c.Name())
		}
	}
	return nil
}

// guarded runs a round and reports it when it takes too long: at once if messages have not come, and a
// second later if it waits for none of its own, as the word of a rank that does says more.
func (s *soaker) guarded(round int, begin time.Time) (over bool, err error) {
	var once sync.Once
	for _, waitsForNone := range []bool{false, true} {
		limit := s.cfg.Limit
		if waitsForNone {
			limit += time.Second
		}
		watch := time.AfterFunc(limit, func() {
			if late := s.overdue(); waitsForNone || len(late) > 0 {
				once.Do(func() { s.stuck(round, late) })
			}
		})
		defer watch.Stop()
	}
	if err := s.round(round); err != nil {
		return false, err
	}
	if over, err = s.agree(begin); err != nil {
		return false, err
	}
	return over, s.leftovers(s.seas[round%2])
}

// overdue lists the messages of the round that have not come.
func (s *soaker) overdue() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.storm == nil {
		return nil
	}
	return s.storm.overdue()
}

// stuck reports a round that does not end, and the messages that have not come. All ranks find out at about
// the same time; a moment later the first ends the job, so that the others' reports are seen too.
func (s *soaker) stuck(round int, late []string) {
	what := "it waits for no message of its own"
	if len(late) > 0 {
		what = fmt.Sprintf("%d messages have not come, among them %s", len(late), strings.Join(late[:min(5, len(late))], "; "))
	}
	err := fmt.Errorf("round %d takes longer than %v; %s", round, s.cfg.Limit, what)
	if s.cfg.Progress != nil {
		fmt.Fprintf(s.cfg.Progress, "weft soak: rank %d: %v\n", s.world.Rank(), err)
		time.Sleep(time.Second)
	}
	s.fail(err)
}

// round is one round: some of what there is, chosen by the seed.
func (s *soaker) round(round int) error {
	rng := rand.New(rand.NewPCG(s.cfg.Seed, mix(uint64(round), 7)))
	if rng.IntN(4) == 0 {
		if err := s.ring(round, rng); err != nil {
			return err
		}
	}
	if rng.IntN(4) == 0 {
		if err := s.rally(round, rng); err != nil {
			return err
		}
	}
	var background sync.WaitGroup
	if rng.IntN(2) == 0 {
		background.Go(func() {
			if err := s.collectives(s.crowd, mix(s.cfg.Seed, 1), round); err != nil {
				s.fail(err)
			}
		})
	}
	err := s.blow(s.seas[round%2], round, 0)
	background.Wait()
	if err == nil && rng.IntN(6) == 0 {
		err = s.part(round)
	}
	return err
}

// blow runs a storm on communicators of its own. part tells apart the storms of one round.
func (s *soaker) blow(w waters, round, part int) error {
	p := newPlan(s.cfg.Seed, round, part, w.tame.Size())
	st := newStorm(w, p, round)
	if s.cfg.spoil != nil {
		st.spoil = s.cfg.spoil
	}
	s.mu.Lock()
	s.storm = st
	s.mu.Unlock()
	err := st.run(s.fail)
	s.mu.Lock()
	s.storm = nil
	s.mu.Unlock()
	for _, m := range p.toTake(st.rank, 0, takings-1) {
		s.own[tallyMessages]++
		s.own[tallyBytes] += uint64(m.bytes)
	}
	return err
}

func (s *soaker) collectives(c *mpi.Comm, key uint64, round int) error {
	n, err := newGroup(c, key, round).run()
	s.own[tallyCollectives] += uint64(n)
	return err
}

// ring passes messages around by Sendrecv.
func (s *soaker) ring(round int, rng *rand.Rand) error {
	const tag = mpi.MaxTag - 1
	n, self := s.world.Size(), s.world.Rank()
	hop, bytes, other := rng.IntN(n), randomSize(rng), randomSize(rng)
	to, from := (self+hop)%n, (self+n-hop)%n
	length := func(rank int) int {
		if rank%2 == 0 {
			return bytes
		}
		return other
	}
	key := func(rank int) uint64 { return mix(s.cfg.Seed, uint64(round), uint64(rank), 2) }
	out, in := make([]byte, length(self)), make([]byte, length(from)+guard)
	fill(out, key(self))
	clean(in)
	st, err := mpi.Sendrecv(s.seas[round%2].tame, out, to, tag, in, from, tag)
	if err == nil && (st.Source != from || st.Bytes != length(from)) {
		err = fmt.Errorf("got %d bytes from %d, not %d from %d", st.Bytes, st.Source, length(from), from)
	}
	if wrong := damage(in, length(from), key(from)); err == nil && wrong != "" {
		err = errors.New(wrong)
	}
	if err != nil {
		return fmt.Errorf("round %d, sendrecv to %d and from %d: %w", round, to, from, err)
	}
	s.own[tallyMessages]++
	s.own[tallyBytes] += uint64(st.Bytes)
	return nil
}

// part splits the world at random, lets each part do the same on its own, and joins it again.
func (s *soaker) part(round int) error {
	colors := 1 + mix(s.cfg.Seed, uint64(round), 3)%3
	draw := mix(s.cfg.Seed, uint64(round), uint64(s.world.Rank()), 4)
	color := int(draw % colors)
	tame, err := s.world.Split(color, int(draw>>40))
	if err != nil {
		return fmt.Errorf("round %d, split: %w", round, err)
	}
	wild, err := tame.Dup()
	if err == nil {
		err = s.collectives(tame, mix(s.cfg.Seed, 5, uint64(color)), round)
	}
	if err == nil {
		err = s.blow(waters{tame, wild}, round, 1+color)
	}
	if err == nil {
		err = mpi.Barrier(tame)
	}
	if err == nil {
		err = s.leftovers(waters{tame, wild})
	}
	if err != nil {
		return err
	}
	return errors.Join(wild.Free(), tame.Free())
}
