package lab

import (
	"slices"
	"sync"

	"github.com/weft-mpi/weft/internal/verbs/sim"
	"github.com/weft-mpi/weft/lab/measure"
)

// Timeline is what happened in a short run, for a drawing: one lane per rank, arrows between lanes.
type Timeline struct {
	Title  string   `json:"title"`
	Lanes  []string `json:"lanes"`
	Spans  []Span   `json:"spans"`
	Arrows []Arrow  `json:"arrows"`
	Steps  bool     `json:"steps,omitempty"` // a microsecond stands for a step of a scenario that knows no time
}

// Span is something that a rank did for a while. Times are nanoseconds.
type Span struct {
	Rank     int `json:"rank"`
	From, To int64
	What     string `json:"what"`
}

// Arrow is a packet on its way.
type Arrow struct {
	From, To       int // ranks
	Sent, Received int64
	// Landed is when the last byte was in the other side's memory, 0 if nobody knows; Received is when its
	// library saw it.
	Landed int64  `json:"landed,omitempty"`
	What   string `json:"what"`
	Bytes  int    `json:"bytes"`
}

// Recorder collects a timeline from the ranks of a run. A nil Recorder collects nothing.
type Recorder struct {
	mu       sync.Mutex
	after    int64
	before   int64 // 0: no end
	lanes    int
	spans    []Span
	arrows   []Arrow
	flights  map[flight][]departure
	landings []sim.Delivery
}

// attach has the recorder told of what a rank does.
func (r *Recorder) attach(k *measure.Rank) {
	if r == nil {
		return
	}
	rank := k.World.Rank()
	k.Seen = func(what string, from, to int64) { r.span(Span{rank, from, to, what}) }
}

func (r *Recorder) span(s Span) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lanes = max(r.lanes, s.Rank+1)
	r.spans = append(r.spans, s)
}

// Arrow records a packet.
func (r *Recorder) Arrow(a Arrow) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lanes = max(r.lanes, a.From+1, a.To+1)
	r.arrows = append(r.arrows, a)
}

// Start forgets what was recorded before a moment: the warm-up is no part of the drawing.
func (r *Recorder) Start(now int64) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.after = max(r.after, now)
}

// Stop forgets what begins at a moment or later: tearing down is no part of the drawing.
func (r *Recorder) Stop(now int64) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.before = max(r.before, now)
}

// Timeline returns what was recorded, in the order of time, with the lanes' names.
func (r *Recorder) Timeline(title string, lanes ...string) *Timeline {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := &Timeline{Title: title, Lanes: slices.Clone(lanes)}
	within := func(at int64) bool { return at >= r.after && (r.before == 0 || at < r.before) }
	for _, s := range r.spans {
		if within(s.From) {
			t.Spans = append(t.Spans, s)
		}
	}
	for _, a := range r.arrows {
		if within(a.Sent) {
			t.Arrows = append(t.Arrows, a)
		}
	}
	land(t.Arrows, r.landings)
	slices.SortStableFunc(t.Spans, func(a, b Span) int { return int(a.From - b.From) })
	slices.SortStableFunc(t.Arrows, func(a, b Arrow) int { return int(a.Sent - b.Sent) })
	return t
}

// Cut leaves only what began between two moments, and counts time from the first of them.
func (t *Timeline) Cut(from, to int64) {
	t.Spans = slices.DeleteFunc(t.Spans, func(s Span) bool { return s.From < from || s.From > to })
	t.Arrows = slices.DeleteFunc(t.Arrows, func(a Arrow) bool { return a.Sent < from || a.Sent > to })
	for i := range t.Spans {
		t.Spans[i].From, t.Spans[i].To = t.Spans[i].From-from, t.Spans[i].To-from
	}
	for i := range t.Arrows {
		a := &t.Arrows[i]
		a.Sent, a.Received = a.Sent-from, a.Received-from
		if a.Landed != 0 {
			a.Landed -= from
		}
	}
}

// Below adds the lanes of another run below those of t. Both count time from the same event.
func (t *Timeline) Below(other *Timeline) {
	lanes := len(t.Lanes)
	t.Lanes = append(t.Lanes, other.Lanes...)
	for _, s := range other.Spans {
		s.Rank += lanes
		t.Spans = append(t.Spans, s)
	}
	for _, a := range other.Arrows {
		a.From, a.To = a.From+lanes, a.To+lanes
		t.Arrows = append(t.Arrows, a)
	}
}
