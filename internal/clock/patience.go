package clock

// Patience is for how long a rank polls before it sleeps, learned from what comes of it.
//
// To count ranks and processors is a first guess only. In containers, in virtual machines and
// beside other programs a processor that seems to be a rank's own is shared, and no kernel says so:
// who polls then may stand in the way of the very rank that it waits for. What a rank does see is
// how long yields take and whether answers come while it polls.
//
// A yield that takes long enough for somebody else to have run tells that to spin only holds others
// up: where many do, the rank offers its processor between all polls. That helps ranks that yield
// in turn, but where programs compute, each yield gives them the processor for as long as they may
// have it. So polling has a credit: answers pay in, and whatever comes only after the rank has gone
// to sleep, and yields that come back late, draw. Once nothing is left the rank sleeps almost at
// once: a sleeper that is woken gets its turn soon. After many waits it tries again to poll; the
// more often that has failed in a row, the later.
//
// It is a matter of this rank alone: nobody has to know, and nothing that ranks decide alike may
// depend on it. The Patience that has a Policy and nothing else keeps to it.
type Patience struct {
	Policy  // how to wait now
	long    Policy
	learns  bool
	credit  int
	turns   int // yields that others have used, less those that came back at once
	left    int // waits before polling is tried again
	gap     int // how many that are next time
	learned Learned
}

// Learned is what a rank has learned about its waits.
type Learned struct {
	Yields  bool   // others use its processor: it offers that between all polls
	Sleeps  bool   // and not only while it does so: it sleeps almost at once
	Changes uint64 // of either
	Vain    uint64 // times that it polled for long in vain, and slept
	Turns   uint64 // yields that others used
	Late    uint64 // of them, such as came back late
	Woken   uint64 // times that something came while nobody waited, and woke who slept for it
}

// The credit of polling. A vain poll may have cost others many times what an answer in time saves
// us, which is a wake. A late yield costs what the answer after it pays in: where a program
// computes beside us, who sleeps need not get the processor back sooner than who yields.
const (
	mostCredit  = 64
	firstCredit = 32
	tryCredit   = 16 // when polling is tried again
	vainCosts   = 4
	lateCosts   = 1
	firstGap    = 512 // waits; a try costs as much as some fifty
	mostGap     = 16 << 10
)

// How long yields take, in nanoseconds. One that nobody uses takes some 400; ranks that take turns
// have theirs for some ten thousand.
const (
	turnYield = 1_500
	lateYield = 100_000
	mostTurns = 16
)

// Learning is the patience of a rank that waits by p until it has learned better.
func Learning(p Policy) Patience {
	return Patience{Policy: p, long: p, learns: true, credit: firstCredit, gap: firstGap}
}

// brief looks a few times and sleeps. It does not yield: who computes would keep the processor for its
// whole slice.
func (p Policy) brief() Policy { return Policy{Spins: min(p.Spins, 4)} }

// Shared tells that the rank has learned that others use its processor.
func (p *Patience) Shared() bool { return p.learned.Yields || p.learned.Sleeps }

// Learned tells what the rank has learned.
func (p *Patience) Learned() Learned { return p.learned }

// Woken notes that something has come while nobody waited, and has woken who slept for it.
func (p *Patience) Woken() { p.learned.Woken++ }

// Answered notes that something has come for who has polled.
func (p *Patience) Answered() {
	if p.learned.Sleeps {
		p.waited()
	} else if p.credit < mostCredit {
		if p.credit++; p.credit == mostCredit {
			p.gap = firstGap
		}
	}
}

// Slept notes that nothing has, and that he goes to sleep.
func (p *Patience) Slept() {
	if p.learned.Sleeps {
		p.waited()
		return
	}
	p.learned.Vain++
	p.draw(vainCosts)
}

// Yielded notes how many nanoseconds a yield took.
func (p *Patience) Yielded(took int64) {
	if took < turnYield {
		if p.turns = max(p.turns-1, 0); p.turns == 0 && p.learned.Yields {
			p.learned.Yields = false
			p.change()
		}
		return
	}
	p.learned.Turns++
	if p.turns = min(p.turns+1, mostTurns); p.turns == mostTurns && p.learns && !p.learned.Yields {
		p.learned.Yields = true
		p.change()
	}
	if took < lateYield {
		return
	}
	p.learned.Late++
	if !p.learned.Sleeps {
		p.draw(lateCosts)
	}
}

// draw takes from the credit. When nothing is left the processor is let go.
func (p *Patience) draw(n int) {
	if p.credit -= n; p.credit > 0 || !p.learns {
		return
	}
	p.learned.Sleeps = true
	p.change()
	p.left = p.gap
	p.gap = min(2*p.gap, mostGap)
}

// waited counts a wait on a shared processor. After many it is tried to hold on to it.
func (p *Patience) waited() {
	if p.left--; p.left == 0 {
		p.learned.Sleeps = false
		p.change()
		p.credit = tryCredit
	}
}

// change has the Policy follow what was learned.
func (p *Patience) change() {
	p.learned.Changes++
	switch {
	case p.learned.Sleeps:
		p.Policy = p.long.brief()
	case p.learned.Yields:
		p.Policy = Policy{Spins: min(p.long.Spins, 1), Yields: p.long.Yields}
	default:
		p.Policy = p.long
	}
}
