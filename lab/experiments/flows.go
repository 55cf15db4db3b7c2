package experiments

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/engine/record"
	"github.com/weft-mpi/weft/internal/rail"
	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/measure"
)

// flowFigure is one of the chapter's flow charts: the moves of requests that belong to it, and the steps of the chart
// that must be among them.
type flowFigure struct {
	id      string
	explain [2]string
	title   string
	belongs func(m record.Move) bool
	steps   []flowStep
}

// flowStep is a step of a chart: what leads from a state to another, and what is done.
type flowStep struct {
	text                  string
	send                  bool
	event, from, to, does string
}

func posted(send bool) func(record.Move) bool {
	return func(m record.Move) bool { return m.Send == send && m.Event == "posted" }
}

// flows are those of figures 4.4 to 4.6, 4.11 and 4.12.
var flows = []flowFigure{
	{"F4.4", [2]string{
		"What posting a receive does. It looks among messages that have come: an eager one is copied, and the receive is complete; an RTS is answered by a read. If there is none the receive is queued, and if it is long and nothing forbids it, an RTR leaves.",
		"The table is no drawing by hand: the tests of the engine play all its scenarios, and what its requests were seen to do is on record. Each step of the document's chart must be among it.",
	}, "posting a receive", posted(false), []flowStep{
		{"an eager message is there: copy, complete", false, "posted", "idle", "complete", "complete"},
		{"an RTS is there: read", false, "posted", "idle", "reading", "read"},
		{"nothing is there, rendezvous is predicted: queue, send RTR", false, "posted", "idle", "queued", "send RTR"},
		{"nothing is there, eager is predicted or RTRs are stopped: queue", false, "posted", "idle", "queued", ""},
	}},
	{"F4.5", [2]string{
		"What posting a send does. A short message leaves at once. For a long one an RTR may have come: then the send acknowledges it and writes. Else it sends an RTS.",
		"There is no way out of this chart but these: a send has written, or has sent what its receiver needs to go on. That is the heart of the argument against deadlock.",
	}, "posting a send", posted(true), []flowStep{
		{"eager: transfer", true, "posted", "idle", "sending", "send EAGER"},
		{"an RTR is there: acknowledge, write", true, "posted", "idle", "writing", "send RTR_ACK, write"},
		{"none is there: send RTS", true, "posted", "idle", "offering", "send RTS"},
	}},
	{"F4.6", [2]string{
		"What the progress engine does with packets that come. An RTS is given to the first receive that matches, which reads; an RTR to the first send that has none, which writes unless its RTS is out; acknowledgements and the ends of transfers complete requests.",
		"The table lists what requests were seen to do in all scenarios when packets arrived and transfers ended.",
	}, "arrivals", func(m record.Move) bool { return m.Event != "posted" }, []flowStep{
		{"RTS matches a receive: read", false, "RTS arrives", "queued", "reading", "read"},
		{"the read ends: done", false, "the read ends", "reading", "complete", "send FIN, complete"},
		{"done completes the send", true, "FIN arrives", "offered", "complete", "complete"},
		{"RTR matches a send whose RTS has not left: write", true, "RTR arrives", "offering", "taking", ""},
		{"RTR_ACK takes the receive out of its queue", false, "RTR_ACK arrives", "queued", "landing", ""},
		{"done completes the receive", false, "DONE arrives", "landing", "complete", "complete"},
		{"the write ends", true, "the write ends", "writing", "complete", "complete"},
	}},
	{"F4.11", [2]string{
		"Posting a send, complete with what follows eager messages. They leave a mark. The next long send finds it: it uses no RTR, and its RTS says STOP. When that RTS is answered, no RTR from before can be under way; the next RTS says RESUME.",
		"The table has the same moves as that of the simpler chart, and those in which an RTS carries STOP and RESUME.",
	}, "posting a send, with the eager flag", posted(true), []flowStep{
		{"eager: transfer, set the flag", true, "posted", "idle", "sending", "send EAGER"},
		{"flag not set, RTR there: acknowledge, write", true, "posted", "idle", "writing", "send RTR_ACK, write"},
		{"flag not set, none there: send RTS", true, "posted", "idle", "offering", "send RTS"},
		{"flag set: send RTS with STOP", true, "posted", "idle", "offering", "send RTS STOP"},
		{"no RTR under way: send RTS with RESUME", true, "posted", "idle", "offering", "send RTS RESUME"},
	}},
	{deadlock, [2]string{
		"Nobody waits for ever. A receive may have sent no RTR, or its RTR may have been dropped: it waits in its queue for as long as nothing comes. A send never waits like that: it has written, or its RTS is out, and an RTS takes a receive out of its queue.",
		"The sender's machine, as it was seen in all scenarios, has no circle, and every way through it ends in complete. In jobs with all kinds of programs, each long send has used an RTR or sent an RTS.",
	}, "sends, from posting to completion", func(m record.Move) bool { return m.Send }, []flowStep{
		{"a send writes", true, "posted", "idle", "writing", "send RTR_ACK, write"},
		{"or sends an RTS", true, "posted", "idle", "offering", "send RTS"},
		{"an RTS takes a receive out of its queue", false, "RTS arrives", "queued", "reading", "read"},
	}},
}

// flowExperiments are those of the flow charts.
func flowExperiments() []lab.Experiment {
	var all []lab.Experiment
	for _, f := range flows {
		all = append(all, lab.Experiment{ID: f.id, Explain: f.explain, Run: f.run})
	}
	return all
}

// run lists the moves of a chart and looks for its steps among all.
func (f flowFigure) run(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult(f.id)
	seen, err := record.Load()
	if err != nil {
		return nil, err
	}
	moves := seen.Moves
	t := r.AddTable(f.title, "request", "from", "event", "to", "does")
	flow := &lab.Flow{Title: f.title}
	for _, m := range moves {
		if f.belongs(m) {
			t.Add(sideOf(m.Send), m.From, m.Event, m.To, strings.Join(m.Does, ", "))
			flow.Add(lab.FlowMove{From: sideOf(m.Send) + " " + m.From, To: sideOf(m.Send) + " " + m.To, Event: m.Event, Does: strings.Join(m.Does, ", ")})
		}
	}
	r.Flow = flow
	f.holdSteps(r, moves)
	if f.id != deadlock { // what is true of all charts is held once
		return r, nil
	}
	holdSenders(r, moves)
	return r, holdInvariant(ctx, b, r)
}

// deadlock is the chart about all sends.
const deadlock = "F4.12"

// holdSteps: each step of the chart is among what requests were seen to do.
func (f flowFigure) holdSteps(r *lab.Result, moves []record.Move) {
	t := r.AddTable("Steps of the document's chart", "step", "from", "to", "seen")
	never := 0
	for _, s := range f.steps {
		found := slices.ContainsFunc(moves, func(m record.Move) bool {
			return m.Send == s.send && m.Event == s.event && m.From == s.from && m.To == s.to && strings.Join(m.Does, ", ") == s.does
		})
		t.Add(s.text, s.from, s.to, yes(found))
		if !found {
			never++
		}
	}
	r.Hold(lab.Structural, lab.Holds("each step of the chart is one of the machine", fmt.Sprintf("%d steps", len(f.steps)), fmt.Sprintf("%d were seen", len(f.steps)-never), never == 0))
}

func sideOf(send bool) string {
	if send {
		return "send"
	}
	return "receive"
}

// holdSenders: a send's moves lead in no circle, and all end in completion.
func holdSenders(r *lab.Result, moves []record.Move) {
	flow := &lab.Flow{}
	for _, m := range moves {
		if m.Send {
			flow.Add(lab.FlowMove{From: m.From, To: m.To})
		}
	}
	_, straight := flow.Depths()
	r.Hold(lab.Structural, lab.Holds("a send never goes in circles, and ends", "no cycle", fmt.Sprintf("cycle: %v, ends in %s", !straight, strings.Join(flow.Dead(), ", ")),
		straight && slices.Equal(flow.Dead(), []string{"complete"})))
}

// holdInvariant runs programs of many kinds and holds their counters against the invariant: each long send has used an
// RTR or sent an RTS.
func holdInvariant(ctx context.Context, b *lab.Bench, r *lab.Result) error {
	var sends, used, rts uint64
	job := lab.Job{On: b.Setups("IW2")[0], Ranks: 2, Settings: specProtocols[1].settings}
	job.Report = func(_ int, c engine.Counters, _ *rail.Report) {
		sends, used, rts = sends+c.RendezvousSends, used+c.RTRUsed, rts+c.RTSSent
	}
	err := b.Run(ctx, job, func(k *measure.Rank) error {
		for _, p := range measure.Patterns() {
			if err := p.Program(k, 256<<10, 10, 600*time.Microsecond); err != nil {
				return err
			}
		}
		for number := 1; number <= 2; number++ {
			if _, err := measure.Exchange(k, measure.Model{Number: number, Neighbours: 1}, exchangeBytes, 300*time.Microsecond, measure.Loops{Timed: 20}); err != nil {
				return err
			}
		}
		_, err := measure.Crossing(k, 256<<10, measure.Loops{Timed: 20})
		return err
	})
	if err == nil {
		r.Hold(lab.Structural, lab.Holds("in jobs: long sends = RTRs used + RTSs sent", "equal", fmt.Sprintf("%d = %d + %d", sends, used, rts), sends == used+rts && used > 0 && rts > 0))
	}
	return err
}
