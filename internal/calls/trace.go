package calls

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
)

// event is one of the Trace Event format that Perfetto and Chrome read. Times are in microseconds.
type event struct {
	Name  string         `json:"name"`
	Cat   string         `json:"cat,omitempty"`
	Phase string         `json:"ph"`
	Time  float64        `json:"ts"`
	Took  *float64       `json:"dur,omitempty"`
	Proc  int            `json:"pid"`
	Line  int            `json:"tid"`
	ID    int            `json:"id,omitempty"`
	Bind  string         `json:"bp,omitempty"`
	Args  map[string]any `json:"args,omitempty"`
}

// Timeline writes the calls of all ranks, a line for each, and messages as arrows, in the Trace Event format. An arrow
// begins with the call that sends and ends with the one that takes the message. It does nothing for ranks without a
// Trace.
func (r *Report) Timeline(w io.Writer) error {
	t := timeline{out: bufio.NewWriter(w), start: r.start()}
	fmt.Fprint(t.out, `{"displayTimeUnit":"ns","traceEvents":[`)
	t.add(event{Name: "process_name", Phase: "M", Args: map[string]any{"name": r.Program}})
	for _, p := range r.Ranks {
		if p.Trace != nil {
			t.rank(p)
		}
	}
	for i, a := range r.arrows() {
		e := event{Name: "message", Cat: "message", ID: i + 1}
		e.Phase, e.Line, e.Time, e.Args = "s", a.from, t.micros(a.start), map[string]any{"bytes": a.bytes, "tag": a.tag}
		t.add(e)
		e.Phase, e.Line, e.Time, e.Args, e.Bind = "f", a.to, t.micros(a.end), nil, "e"
		t.add(e)
	}
	fmt.Fprintln(t.out, "\n]}")
	if t.err != nil {
		return t.err
	}
	return t.out.Flush()
}

// ForgetTraces leaves out of the report what Timeline writes.
func (r *Report) ForgetTraces() {
	for i := range r.Ranks {
		r.Ranks[i].Trace = nil
	}
}

// start is when the first call began, by rank 0's clock.
func (r *Report) start() (first int64) {
	seen := false
	for _, p := range r.Ranks {
		if p.Trace == nil {
			continue
		}
		for _, c := range p.Trace.Calls {
			if at := c.Start + p.Trace.Offset; !seen || at < first {
				first, seen = at, true
			}
		}
	}
	return first
}

type timeline struct {
	out   *bufio.Writer
	start int64
	count int
	err   error
}

func (t *timeline) micros(at int64) float64 { return float64(at-t.start) / 1e3 }

func (t *timeline) add(e event) {
	text, err := json.Marshal(e)
	if t.err = cmp.Or(t.err, err); t.err != nil {
		return
	}
	if t.count++; t.count > 1 {
		t.out.WriteByte(',')
	}
	t.out.WriteByte('\n')
	t.out.Write(text)
}

// rank writes the calls of one rank.
func (t *timeline) rank(p Page) {
	name := map[string]any{"name": fmt.Sprintf("rank %d", p.Rank)}
	if p.Trace.Dropped > 0 {
		name["name"] = fmt.Sprintf("rank %d (%d calls and messages left out)", p.Rank, p.Trace.Dropped)
	}
	t.add(event{Name: "thread_name", Phase: "M", Line: p.Rank, Args: name})
	t.add(event{Name: "thread_sort_index", Phase: "M", Line: p.Rank, Args: map[string]any{"sort_index": p.Rank}})
	for _, c := range p.Trace.Calls {
		took := float64(c.Took) / 1e3
		args := map[string]any{"place": c.Place, "bytes": c.Bytes}
		if c.To.Peer != Nobody {
			args["to"], args["tag"] = c.To.Peer, c.To.Tag
		}
		at := t.micros(c.Start + p.Trace.Offset)
		t.add(event{Name: c.Call, Cat: "call", Phase: "X", Line: p.Rank, Time: at, Took: &took, Args: args})
	}
}

// arrow is a message: when the call began that sent it, and when the one ended that took it.
type arrow struct {
	from, to   int
	start, end int64
	bytes      int
	tag        int32
}

// stream is messages that cannot overtake each other.
type stream struct {
	from, to int
	ctx      uint32
	tag      int32
}

// arrows joins sends with receives: of each stream the first with the first, and so on. Where a matched probe may have
// claimed some, or calls were left out, nobody can tell, and there are none.
func (r *Report) arrows() (all []arrow) {
	sent, unclear := map[stream][]Event{}, map[stream]bool{}
	offset, lost := map[int]int64{}, map[int]bool{}
	for _, p := range r.Ranks {
		if p.Trace == nil {
			continue
		}
		offset[p.Rank], lost[p.Rank] = p.Trace.Offset, p.Trace.Dropped > 0
		for _, c := range p.Trace.Calls {
			if c.To.Peer != Nobody {
				s := stream{p.Rank, c.To.Peer, c.To.Ctx, c.To.Tag}
				sent[s] = append(sent[s], c)
			}
		}
		for _, a := range p.Trace.Taken {
			if a.Claimed {
				unclear[stream{a.From.Peer, p.Rank, 0, a.From.Tag}] = true
			}
		}
	}
	for _, p := range r.Ranks {
		if p.Trace == nil || lost[p.Rank] {
			continue
		}
		taken := slices.Clone(p.Trace.Taken)
		slices.SortFunc(taken, func(a, b Arrival) int { return cmp.Compare(a.Posted, b.Posted) })
		for _, a := range taken {
			s := stream{a.From.Peer, p.Rank, a.From.Ctx, a.From.Tag}
			if len(sent[s]) == 0 || unclear[stream{s.from, s.to, 0, s.tag}] || lost[s.from] {
				continue
			}
			c := sent[s][0]
			sent[s] = sent[s][1:]
			all = append(all, arrow{s.from, s.to, c.Start + offset[s.from], a.At + p.Trace.Offset, c.Bytes, s.tag})
		}
	}
	return all
}
