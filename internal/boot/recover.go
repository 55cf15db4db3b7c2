package boot

import (
	"fmt"
	"sync"

	"github.com/weft-mpi/weft/internal/comm"
	"github.com/weft-mpi/weft/internal/council"
	"github.com/weft-mpi/weft/internal/pmi"
)

// courier brings news to a rank, one after the other and in order: who has them must not wait for the rank's loop.
type courier struct {
	mu      sync.Mutex
	news    []func()
	running bool
	start   func(func()) // has somebody run a function
}

// bring has f called, after all that was brought before.
func (c *courier) bring(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.news = append(c.news, f)
	if !c.running {
		c.running = true
		c.start(c.run)
	}
}

func (c *courier) run() {
	for {
		c.mu.Lock()
		if len(c.news) == 0 {
			c.running = false
			c.mu.Unlock()
			return
		}
		f := c.news[0]
		c.news = c.news[1:]
		c.mu.Unlock()
		f()
	}
}

// launcherCouncil is the council of a job that weft run has started.
type launcherCouncil struct{ client *pmi.Client }

// Vote brings a ballot.
func (l launcherCouncil) Vote(b council.Ballot) error { return l.client.Vote(pmi.Ballot(b)) }

// Revoke has the launcher tell all members.
func (l launcherCouncil) Revoke(ctx uint32, procs []int) error {
	return l.client.Revoke(pmi.Revocation{Comm: ctx, Members: procs})
}

// recovers prepares the rank to live with the death of others, if the job survives that. It returns when all ranks can:
// a death that comes earlier, while somebody still initialises, ends the job.
func (r *Rank) recovers(client *pmi.Client) error {
	if !client.Recovers() {
		return nil
	}
	news := &courier{start: func(f func()) { go f() }} // it ends with the news
	env := r.Env
	env.Council = launcherCouncil{client}
	client.OnNotice(func(n pmi.Notice) {
		switch {
		case n.Dead != nil:
			news.bring(func() { env.Died(*n.Dead) })
		case n.Word != nil:
			news.bring(func() { env.Heard(council.Word(*n.Word)) })
		case n.Revoked != nil:
			news.bring(func() { env.Revoked(*n.Revoked) })
		}
	})
	if err := client.Up(); err != nil {
		return err
	}
	if err := client.Barrier(); err != nil {
		return fmt.Errorf("%w: waiting for the other ranks to prepare for deaths: %w", ErrLauncher, err)
	}
	return nil
}

// crewCouncil is the council of a crew, as one of its ranks reaches it.
type crewCouncil struct {
	*crewCouncils
	rank int
}

type crewCouncils struct {
	mu      sync.Mutex
	council *council.Council
	tell    func(rank int, news func(*comm.Env)) // in order
}

// convene gives the crew a council. In virtual time news take as long as over a control socket.
func (c *Crew) convene() {
	all := &crewCouncils{council: council.New(len(c.Ranks))}
	all.tell = func(rank int, news func(*comm.Env)) { news(c.Ranks[rank].Env) }
	c.councils = all
	if c.sim != nil {
		couriers := make([]courier, len(c.Ranks))
		for i := range couriers {
			couriers[i].start = func(run func()) {
				c.sim.scheduler.Daemon("news", func() {
					c.sim.scheduler.Sleep(newsTime)
					run()
				})
			}
		}
		all.tell = func(rank int, news func(*comm.Env)) {
			couriers[rank].bring(func() {
				if !c.Dead(rank) { // it may have died with its loop's lock held
					news(c.Ranks[rank].Env)
				}
			})
		}
	}
	for i, r := range c.Ranks {
		r.Env.Council = crewCouncil{all, i}
	}
}

// newsTime is how long news of the council take in virtual time, in nanoseconds.
const newsTime = 20_000

// Vote brings a ballot.
func (c crewCouncil) Vote(b council.Ballot) error {
	c.mu.Lock()
	all, err := c.council.Vote(c.rank, b)
	c.mu.Unlock()
	c.announce(all)
	return err
}

func (c *crewCouncils) announce(all []council.Answer) {
	for _, a := range all {
		c.tell(a.To, func(e *comm.Env) { e.Heard(a.Word) })
	}
}

// Revoke tells all members.
func (c crewCouncil) Revoke(ctx uint32, procs []int) error {
	for _, p := range procs {
		if p != c.rank && !c.dead(p) {
			c.tell(p, func(e *comm.Env) { e.Revoked(ctx) })
		}
	}
	return nil
}

func (c *crewCouncils) dead(rank int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.council.Dead(rank)
}

// Bury has the crew go on without a rank that was killed, as the launcher does with Job.Recover. It is for
// virtual time.
func (c *Crew) Bury(rank int) {
	all := c.councils
	all.mu.Lock()
	words := all.council.Bury(rank)
	all.mu.Unlock()
	for i := range c.Ranks {
		if i != rank && !c.Dead(i) {
			all.tell(i, func(e *comm.Env) { e.Died(rank) })
		}
	}
	all.announce(words)
}
