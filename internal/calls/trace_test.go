package calls

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// shown is what a viewer reads of an event.
type shown struct {
	Name string         `json:"name"`
	Ph   string         `json:"ph"`
	Ts   *float64       `json:"ts"`
	Dur  *float64       `json:"dur"`
	Pid  *int           `json:"pid"`
	Tid  *int           `json:"tid"`
	Cat  string         `json:"cat"`
	ID   int            `json:"id"`
	Bp   string         `json:"bp"`
	Args map[string]any `json:"args"`
}

// timelineOf reads what Timeline writes, and holds it against what the format asks for.
func timelineOf(t *testing.T, r *Report) (calls, arrows []shown) {
	t.Helper()
	var b bytes.Buffer
	if err := r.Timeline(&b); err != nil {
		t.Fatal(err)
	}
	var file struct {
		Unit   string  `json:"displayTimeUnit"`
		Events []shown `json:"traceEvents"`
	}
	d := json.NewDecoder(&b)
	d.DisallowUnknownFields()
	if err := d.Decode(&file); err != nil {
		t.Fatal(err)
	}
	ends := map[int]int{}
	for _, e := range file.Events {
		if e.Name == "" || e.Ts == nil || e.Pid == nil || e.Tid == nil || *e.Ts < 0 {
			t.Errorf("%+v lacks what every event has", e)
		}
		switch e.Ph {
		case "M":
			if e.Args == nil {
				t.Errorf("%+v says nothing", e)
			}
		case "X":
			if e.Dur == nil || *e.Dur < 0 {
				t.Errorf("%+v lasts for no time", e)
			}
			calls = append(calls, e)
		case "s":
			ends[e.ID]++
			arrows = append(arrows, e)
		case "f":
			if ends[e.ID]--; e.Bp != "e" {
				t.Errorf("%+v does not end with its call", e)
			}
			arrows = append(arrows, e)
		default:
			t.Errorf("%+v is of no kind that there is", e)
		}
	}
	for id, n := range ends {
		if n != 0 || id == 0 {
			t.Errorf("arrow %d has not one beginning and one end", id)
		}
	}
	return calls, arrows
}

// traced is a rank with calls and messages that it has received.
func traced(rank int, offset int64, calls []Event, taken ...Arrival) Page {
	return Page{Rank: rank, Trace: &Trace{Offset: offset, Calls: calls, Taken: taken}}
}

// sends are calls that send, 10 ns each, with a tag each.
func sends(start int64, to int, tags ...int32) (all []Event) {
	for i, tag := range tags {
		all = append(all, Event{Call: "send", Place: "a/b.go:1", Start: start + int64(i)*10, Took: 10, Bytes: i, To: Message{to, 4, tag}})
	}
	return all
}

// TestTimeline: calls are there by rank 0's clock, and arrows join the messages of a stream in the order in which their
// receives were posted, whatever the order in which they were waited for.
func TestTimeline(t *testing.T) {
	from := func(peer int, tag int32, posted int, at int64) Arrival {
		return Arrival{From: Message{peer, 4, tag}, Posted: posted, At: at}
	}
	claimed := from(0, 9, 6, 400)
	claimed.Claimed, claimed.From.Ctx = true, 0
	r := &Report{Program: "p", Ranks: []Page{
		traced(0, 0, sends(1000, 1, 7, 8, 7, 9, 9)),
		traced(1, 600, []Event{{Call: "waitall", Start: 450, Took: 50, To: Message{Peer: Nobody}}},
			from(0, 7, 2, 500), from(0, 8, 3, 500), from(0, 7, 1, 510), from(0, 9, 5, 390), claimed, from(0, 3, 7, 9), from(2, 7, 8, 9)),
	}}
	calls, arrows := timelineOf(t, r)
	var names []string
	for _, c := range calls {
		names = append(names, c.Name)
	}
	if want := []string{"send", "send", "send", "send", "send", "waitall"}; !slices.Equal(names, want) || *calls[5].Ts != .05 || *calls[5].Tid != 1 || *calls[2].Ts != .02 {
		t.Errorf("calls %v, the last at %v", names, *calls[5].Ts)
	}
	var got [][2]float64
	for i := 0; i+1 < len(arrows); i += 2 {
		got = append(got, [2]float64{*arrows[i].Ts, *arrows[i+1].Ts})
	}
	if want := [][2]float64{{0, .11}, {.02, .1}, {.01, .1}}; !slices.Equal(got, want) {
		t.Errorf("arrows from and to %v, want %v", got, want)
	}
}

// TestTimelineOfLosses: where calls were left out there are no arrows, and the rank's line says so.
func TestTimelineOfLosses(t *testing.T) {
	r := &Report{Ranks: []Page{traced(0, 0, sends(0, 1, 7)), traced(1, 0, nil, Arrival{From: Message{0, 4, 7}, Posted: 1, At: 100})}}
	if _, arrows := timelineOf(t, r); len(arrows) != 2 {
		t.Fatalf("%d ends of arrows, want 2", len(arrows))
	}
	r.Ranks[0].Trace.Dropped = 3
	var b bytes.Buffer
	if err := r.Timeline(&b); err != nil || !strings.Contains(b.String(), "rank 0 (3 calls and messages left out)") {
		t.Errorf("%v: %s", err, &b)
	}
	if _, arrows := timelineOf(t, r); len(arrows) > 0 {
		t.Errorf("%d ends of arrows", len(arrows))
	}
	r.ForgetTraces()
	if calls, arrows := timelineOf(t, r); len(calls)+len(arrows) > 0 {
		t.Error("a report without traces has calls")
	}
}

// TestKeep: a recorder keeps calls up to a limit, and counts the others.
func TestKeep(t *testing.T) {
	c := new(clock)
	r := Start(c.now)
	r.Keep()
	for range MostKept + 5 {
		entry(r, c, "send", 1, 8, 1)
	}
	for range MostKept + 2 {
		r.Take(Arrival{})
	}
	p := r.Page(0, Received{}, library)
	if got := p.Trace; len(got.Calls) != MostKept || len(got.Taken) != MostKept || got.Dropped != 7 || got.Calls[2].Start != 2 || got.Calls[2].Took != 1 || got.Calls[2].To.Peer != 1 {
		t.Errorf("%d calls, %d messages, %d left out; call 2 is %+v", len(got.Calls), len(got.Taken), got.Dropped, got.Calls[2])
	}
	if p.Lines[0].Count != MostKept+5 {
		t.Errorf("%d calls were counted", p.Lines[0].Count)
	}
}
