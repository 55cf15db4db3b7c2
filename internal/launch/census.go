package launch

import (
	"time"

	"github.com/weft-mpi/weft/internal/pmi"
)

// censusLimit is how long ranks may take to answer a question. Most take moments; one that is stopped never does.
const censusLimit = time.Second

// waitsMax bounds the calls of one rank that are kept: one per goroutine that waits.
const waitsMax = 64

// census asks all ranks what they wait for and what they have done. However many want to know, there is one question at
// a time, and who comes while it is open gets its answers, too.
type census struct {
	number  int // of the last question, from 1
	open    bool
	closed  time.Time // when the last one was
	answers []answer  // by rank
	then    []func()  // called when the question is closed
}

// answer is what a rank has told.
type answer struct {
	asked   bool // in the last question
	told    bool // and it has answered
	waits   []pmi.Stall
	tally   *pmi.Tally // the latest, whichever question it answers
	arrived time.Time  // when the tally came
}

// censusOver is the event that a question has been open for long enough.
type censusOver struct{ number int }

// ask asks all ranks and calls then when they have answered, or have had time to. It is called by the loop, and so is
// then.
func (r *run) ask(then func()) {
	c := &r.census
	c.then = append(c.then, then)
	if c.open {
		return
	}
	if c.answers == nil {
		c.answers = make([]answer, len(r.ranks))
	}
	c.number++
	c.open = true
	question := r.server.DumpRequest(c.number)
	limit := time.Duration(0)
	for i := range c.answers {
		a := &c.answers[i]
		a.told, a.waits = false, nil
		a.asked = r.answerable(i) && r.tell(i, question) == nil // who cannot be told will not be heard either
		if a.asked {
			limit = censusLimit
		}
	}
	number := c.number
	time.AfterFunc(limit, func() { r.post(censusOver{number}) })
}

// answerable tells whether rank i can be asked: it is inside MPI.
func (r *run) answerable(i int) bool {
	return r.server.Phase(i) == pmi.Joined && !r.ranks[i].controlClosed && !r.ranks[i].ended
}

// onAnswer takes a call that a rank waits in. One that was not asked for belongs to the question that it leads to.
func (r *run) onAnswer(s pmi.Stall) {
	c := &r.census
	if !c.open || s.Ask != 0 && s.Ask != c.number {
		return // too late
	}
	a := &c.answers[s.Rank]
	for i, old := range a.waits {
		if sameWait(old, s) {
			a.waits[i] = s
			return
		}
	}
	if len(a.waits) < waitsMax {
		a.waits = append(a.waits, s)
	}
}

// onTally takes the end of a rank's answer.
func (r *run) onTally(t pmi.Tally) {
	c := &r.census
	if t.Ask > c.number || c.answers == nil {
		return
	}
	a := &c.answers[t.Rank]
	a.tally, a.arrived = &t, time.Now()
	if t.Ask == c.number {
		a.told = true
		r.countAnswers()
	}
}

// countAnswers closes the question if one is open and nobody is left to answer it.
func (r *run) countAnswers() {
	if !r.census.open {
		return
	}
	for i, a := range r.census.answers {
		if a.asked && !a.told && r.answerable(i) {
			return
		}
	}
	r.closeCensus()
}

// closeCensus is the end of a question: who has asked looks at the answers.
func (r *run) closeCensus() {
	c := &r.census
	c.open, c.closed = false, time.Now()
	then := c.then
	c.then = nil
	for _, f := range then {
		f()
	}
}

// onCensusOver closes a question that not all have answered.
func (r *run) onCensusOver(number int) {
	if r.census.open && number == r.census.number {
		r.closeCensus()
	}
}
