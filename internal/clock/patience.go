package clock

// Patience is for how long a rank polls before it sleeps, learned from what comes of it.
//
// To count ranks and processors is a first guess only. In containers, in virtual machines and beside other programs a processor that
// seems to be a rank's own is shared, and no kernel says so: who polls then may stand in the way of the very rank that it waits for,
// and to offer the processor does not help those whom the kernel schedules in another group. What a rank does see is whether answers
// come while it polls. As long as they do, it has got its processor, and to sleep would only cost it the wake. If they come after it
// has gone to sleep, it has polled in vain; if a yield comes back late, somebody else has had the processor. So polling has a credit:
// answers pay in, vain polls and late yields draw, and once nothing is left the rank sleeps almost at once. After many waits it tries
// again to poll; the more often that has failed in a row, the later.
//
// It is a matter of this rank alone: nobody has to know, and nothing that ranks decide alike may depend on it. The Patience that has a
// Policy and nothing else keeps to it.
type Patience struct {
	Policy  // how to wait now
	long    Policy
	learns  bool
	credit  int
	left    int // waits before polling is tried again
	gap     int // how many that are next time
	learned Learned
}

// Learned is what a rank has learned about its waits.
type Learned struct {
	Shared  bool   // its processor is: it sleeps almost at once
	Changes uint64 // of that
	Vain    uint64 // times that it polled for long in vain, and slept
	Late    uint64 // yields that came back late
}

// The credit of polling. A vain poll may have cost others many times what an answer in time saves us, which is a wake. A late yield
// costs less: where a program computes beside us, who sleeps gets the processor back no sooner than who yields.
const (
	mostCredit  = 64
	firstCredit = 32
	tryCredit   = 16 // when polling is tried again
	vainCosts   = 4
	lateCosts   = 2
	firstGap    = 512 // waits; a try costs as much as some fifty
	mostGap     = 16 << 10
)

// Learning is the patience of a rank that waits by p until it has learned better.
func Learning(p Policy) Patience {
	return Patience{Policy: p, long: p, learns: true, credit: firstCredit, gap: firstGap}
}

// brief looks a few times, offers the processor once, and sleeps.
func (p Policy) brief() Policy { return Policy{Spins: min(p.Spins, 4), Yields: min(p.Yields, 1)} }

// Shared tells that the rank has learned to let go of its processor.
func (p *Patience) Shared() bool { return p.learned.Shared }

// Learned tells what the rank has learned.
func (p *Patience) Learned() Learned { return p.learned }

// Answered notes that something has come for who has polled.
func (p *Patience) Answered() {
	if p.learned.Shared {
		p.waited()
	} else if p.credit < mostCredit {
		if p.credit++; p.credit == mostCredit {
			p.gap = firstGap
		}
	}
}

// Slept notes that nothing has, and that he goes to sleep.
func (p *Patience) Slept() {
	if p.learned.Shared {
		p.waited()
		return
	}
	p.learned.Vain++
	p.draw(vainCosts)
}

// Late notes that a yield came back late.
func (p *Patience) Late() {
	p.learned.Late++
	if !p.learned.Shared {
		p.draw(lateCosts)
	}
}

// draw takes from the credit. When nothing is left the processor is let go.
func (p *Patience) draw(n int) {
	if p.credit -= n; p.credit > 0 || !p.learns {
		return
	}
	p.set(true, p.long.brief())
	p.left = p.gap
	p.gap = min(2*p.gap, mostGap)
}

// waited counts a wait on a shared processor. After many it is tried to hold on to it.
func (p *Patience) waited() {
	if p.left--; p.left == 0 {
		p.set(false, p.long)
		p.credit = tryCredit
	}
}

func (p *Patience) set(shared bool, how Policy) {
	p.Policy, p.learned.Shared = how, shared
	p.learned.Changes++
}
