package experiments

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/weft-mpi/weft/lab"
	"github.com/weft-mpi/weft/lab/measure"
)

// timing is one of the chapter's timing diagrams: a meeting of a sender and of a receiver that computes,
// and the order in which the diagram has things happen.
type timing struct {
	id, title string
	explain   [2]string
	first     measure.Side
	protocol  int // of specProtocols
	order     []string
}

// timings are the diagrams of figures 4.1 to 4.3.
var timings = []timing{
	{"F4.1", "1 MB from an early sender, rendezvous as MPICH2 had it",
		[2]string{
			"The sender comes first. Its RTS lies in the receiver's memory when the receive is posted, but posting does not look there, so the receive is only queued. The RTS is found in the wait, after the computation, and only then the data is read.",
			"The drawing is made from the packets of a run. RTS is there long before it is seen: the arrow ends in the wait.",
		},
		measure.Sender, 0, []string{"Send", "RTS leaves", "Irecv", "Wait", "RTS is seen", "read begins", "read ends", "FIN leaves", "FIN is seen"}},
	{"F4.2", "1 MB to an early receiver, rendezvous as MPICH2 had it",
		[2]string{
			"The receiver comes first. It cannot know how long the message will be, so it does nothing but queue its receive, and computes. The RTS comes meanwhile and waits for the receiver to call the library again.",
			"The drawing is made from the packets of a run. As with an early sender, nothing moves while the receiver computes.",
		},
		measure.Receiver, 0, []string{"Irecv", "Send", "RTS leaves", "Wait", "RTS is seen", "read begins", "read ends", "FIN leaves", "FIN is seen"}},
	{"F4.3", "1 MB to an early receiver, speculative rendezvous",
		[2]string{
			"The receiver comes first and guesses from the room of its buffer that the message will be long. It tells the sender where to write (RTR). The sender finds the RTR when it sends, acknowledges it, and writes at once, while the receiver computes.",
			"The drawing is made from the packets of a run. When the receiver calls its wait, the bytes are there, and so is the packet that says so.",
		},
		measure.Receiver, 1, []string{"Irecv", "RTR leaves", "Send", "RTR is seen", "RTR_ACK leaves", "write begins", "write ends", "DONE leaves", "Wait", "RTR_ACK is seen", "DONE is seen"}},
}

// timingExperiments are those of the timing diagrams.
func timingExperiments() []lab.Experiment {
	var all []lab.Experiment
	for _, t := range timings {
		all = append(all, lab.Experiment{ID: t.id, Explain: t.explain, Run: t.run, Timeline: t.trace})
	}
	return all
}

// trace records one message. The receiver computes for longer than the message takes.
func (t timing) trace(ctx context.Context, b *lab.Bench) (*lab.Timeline, error) {
	c := measure.Case{Computes: measure.Receiver, First: t.first}
	got, err := traceMessage(ctx, b, specProtocols[t.protocol].settings, c, 1200*time.Microsecond)
	if err != nil {
		return nil, err
	}
	got.Title, got.Lanes = t.title, []string{"receiver", "sender"}
	return got, nil
}

// run compares the order of events in a trace with the diagram's.
func (t timing) run(ctx context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult(t.id)
	trace, err := t.trace(ctx, b)
	if err != nil {
		return nil, err
	}
	got := happenings(trace)
	table := r.AddTable("Order of events", "us", "what happens", "the diagram")
	var names []string
	for i, e := range got {
		names = append(names, e.what)
		want := ""
		if i < len(t.order) {
			want = t.order[i]
		}
		table.Add(fmt.Sprintf("%.1f", float64(e.at)/1e3), e.what, want)
	}
	r.Hold(lab.Structural, lab.Holds("the order in a trace equals the diagram's", strings.Join(t.order, ", "), strings.Join(names, ", "), slices.Equal(names, t.order)))
	return r, nil
}

// happening is something that happens at one moment of a trace.
type happening struct {
	at   int64
	what string
}

// happenings lists the calls and packets of a trace, in the order of time. What a call does comes after its beginning.
func happenings(t *lab.Timeline) []happening {
	var all []happening
	for _, s := range t.Spans {
		if s.What != "compute" {
			all = append(all, happening{s.From, s.What})
		}
	}
	for _, a := range t.Arrows {
		leaves, seen := a.What+" leaves", a.What+" is seen"
		if a.What == "read" || a.What == "write" {
			leaves, seen = a.What+" begins", a.What+" ends"
		}
		all = append(all, happening{a.Sent, leaves}, happening{a.Received, seen})
	}
	slices.SortStableFunc(all, func(a, b happening) int { return int(a.at - b.at) })
	return all
}
