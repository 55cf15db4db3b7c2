package experiments

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/weft-mpi/weft/internal/engine/record"
	"github.com/weft-mpi/weft/lab"
)

// raceFigure is one of the chapter's races: stories of the engine's record, each played with all rules and without one.
type raceFigure struct {
	id      string
	explain [2]string
	stories []string
}

// races are those of figures 4.7 to 4.10.
var races = []raceFigure{
	{"F4.7", [2]string{
		"Both sides may begin a rendezvous, so a packet's destination may be ambiguous. Case 1: the first send takes the RTR of the first receive and sends no RTS, so the RTS that comes belongs to the second receive. Case 2: RTR and RTS cross, and the RTS belongs to the first. To the receiver both look alike.",
		"Each case was played by two engines without a network, once as they are and once without the rule that decides the case; a test of the engine holds what is shown here against it. The drawing shows the first case with all rules. Without the rule, bytes are written to memory that is no longer offered.",
	}, []string{"figure07_no_rtr_ack", "figure07_no_crossing"}},
	{"F4.8", [2]string{
		"Acknowledgements resolve the ambiguity: who takes an RTR or an RTS and has sent nothing itself says so. RTR_ACK takes the first receive out of its queue, so that the RTS behind it finds the second. RTS_ACK tells a send that its receive has no RTR to come, so that the next RTR is for the next send.",
		"Without RTS_ACK the RTR of the second receive is taken for the answer to the first send, and the messages of the second and third change places.",
	}, []string{"figure08_no_rts_ack"}},
	{"F4.9", [2]string{
		"A receive that is short, or from any source, sends no RTR. If a later receive of the same envelope sent one, the sender would take it for the first receive's, and its message would land in the wrong one. So behind a silent receive all are silent, until a message has taken it away.",
		"Both exceptions were played with the rule and without it. Without it the first message lands in the second receive.",
	}, []string{"figure09_any_source", "figure09_eager_prediction"}},
	{"F4.10", [2]string{
		"A receive's room is only the most that its message can have. It may have sent an RTR for a message that turns out short and travels eagerly: the RTR is left over at the sender. After an eager message, therefore, the RTRs of its envelope are suspect. The next long send offers by RTS and says STOP; when all that was under way has been thrown away, a later one says RESUME.",
		"Without the eager flag the next long message takes the RTR that was left over, and writes to memory of a receive that has long completed.",
	}, []string{"figure10_no_eager_flag"}},
}

// raceExperiments are those of the races.
func raceExperiments() []lab.Experiment {
	var all []lab.Experiment
	for _, f := range races {
		all = append(all, lab.Experiment{ID: f.id, Explain: f.explain, Run: f.run, Timeline: f.timeline})
	}
	return all
}

// storyNamed returns one of the engine's stories.
func storyNamed(name string) (record.Story, error) {
	r, err := record.Load()
	if err != nil {
		return record.Story{}, err
	}
	if i := slices.IndexFunc(r.Stories, func(s record.Story) bool { return s.Name == name }); i >= 0 {
		return r.Stories[i], nil
	}
	return record.Story{}, fmt.Errorf("there is no story %s", name)
}

// run tells the stories of a race.
func (f raceFigure) run(_ context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult(f.id)
	for _, name := range f.stories {
		s, err := storyNamed(name)
		if err != nil {
			return nil, err
		}
		addStory(r, s)
		with, right := outcome(s.Blocks[0].Actions)
		without, still := outcome(s.Blocks[1].Actions)
		r.Hold(lab.Structural, lab.Holds(name+": every message lands where it belongs, and without the rule one does not",
			"no hazard with it, a hazard without it", "with it "+with+"; without it "+without, right && !still))
	}
	return r, nil
}

// addStory shows a scenario and what it leads to, with all rules and without one.
func addStory(r *lab.Result, s record.Story) {
	with, without := strings.Split(s.Blocks[0].Actions, "\n"), strings.Split(s.Blocks[1].Actions, "\n")
	t := r.AddTable(s.Name, "step", "with all rules", "without the rule")
	for i := range max(len(with), len(without)) {
		row := []string{fmt.Sprint(i + 1), "", ""}
		if i < len(with) {
			row[1] = with[i]
		}
		if i < len(without) {
			row[2] = without[i]
		}
		t.Add(row...)
	}
}

var receipt = regexp.MustCompile(`complete (r(\d+)) .* data=(\w+)`)

// outcome tells which receive got which message, and whether the first got the first and so on. A scenario that
// reaches for memory which is gone has gone wrong.
func outcome(actions string) (text string, right bool) {
	right = true
	var all []string
	for line := range strings.Lines(actions) {
		if _, fault, ok := strings.Cut(line, "fault: "); ok {
			all, right = append(all, strings.TrimSpace(fault)), false
		}
		if m := receipt.FindStringSubmatch(line); m != nil {
			all = append(all, m[1]+" gets "+m[3])
			right = right && len(m[3]) == 1 && m[2][0]-'1' == m[3][0]-'a'
		}
	}
	slices.Sort(all)
	return strings.Join(all, ", "), right && len(all) > 0
}

// stepTime is how long a step of a scenario takes in its drawing.
const stepTime = 1000

// timeline draws the first story of a race with all rules. Its time counts steps.
func (f raceFigure) timeline(_ context.Context, _ *lab.Bench) (*lab.Timeline, error) {
	s, err := storyNamed(f.stories[0])
	if err != nil {
		return nil, err
	}
	about, _, _ := strings.Cut(strings.TrimPrefix(s.Blocks[0].Commands, "# "), "\n")
	t := &lab.Timeline{Title: about, Lanes: []string{"sender", "receiver"}, Steps: true}
	for _, c := range s.Blocks[0].Calls {
		from := int64(c.Step) * stepTime
		t.Spans = append(t.Spans, lab.Span{Rank: c.Rank, From: from, To: from + stepTime/4, What: c.What})
	}
	for _, p := range s.Blocks[0].Passages {
		t.Arrows = append(t.Arrows, lab.Arrow{From: p.From, To: p.To, Sent: int64(p.Left) * stepTime, Received: int64(p.Arrived+1) * stepTime, What: p.What})
	}
	return t, nil
}
