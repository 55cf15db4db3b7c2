package experiments

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/lab"
)

// raceFigure is one of the chapter's races: scenarios that are played with all rules and without one, and others about
// the same race that are played with all rules only.
type raceFigure struct {
	id      string
	explain [2]string
	pairs   []string // of engine.Scenarios; the second half of each lacks a rule
	others  []string
}

// races are those of figures 4.7 to 4.10.
var races = []raceFigure{
	{"F4.7", [2]string{
		"Both sides may begin a rendezvous, so a packet's destination may be ambiguous. Case 1: the first send takes the RTR of the first receive and sends no RTS, so the RTS that comes belongs to the second receive. Case 2: RTR and RTS cross, and the RTS belongs to the first. To the receiver both look alike.",
		"Each case is played by two engines without a network, once as they are and once without the rule that decides the case. The drawing shows the first case with all rules. Without the rule, bytes are written to memory that is no longer offered.",
	}, []string{"figure07_no_rtr_ack", "figure07_no_crossing"}, []string{"race01_second_send", "race02_crossing"}},
	{"F4.8", [2]string{
		"Acknowledgements resolve the ambiguity: who takes an RTR or an RTS and has sent nothing itself says so. RTR_ACK takes the first receive out of its queue, so that the RTS behind it finds the second. RTS_ACK tells a send that its receive has no RTR to come, so that the next RTR is for the next send.",
		"Without RTS_ACK the RTR of the second receive is taken for the answer to the first send, and the messages of the second and third change places.",
	}, []string{"figure08_no_rts_ack"}, []string{"race03_mirror", "rts_ack"}},
	{"F4.9", [2]string{
		"A receive that is short, or from any source, sends no RTR. If a later receive of the same envelope sent one, the sender would take it for the first receive's, and its message would land in the wrong one. So behind a silent receive all are silent, until a message has taken it away.",
		"Both exceptions are played with the rule and without it. Without it the first message lands in the second receive.",
	}, []string{"figure09_any_source", "figure09_eager_prediction"}, []string{"race04_order"}},
	{"F4.10", [2]string{
		"A receive's room is only the most that its message can have. It may have sent an RTR for a message that turns out short and travels eagerly: the RTR is left over at the sender. After an eager message, therefore, the RTRs of its envelope are suspect. The next long send offers by RTS and says STOP; when all that was under way has been thrown away, a later one says RESUME.",
		"Without the eager flag the next long message takes the RTR that was left over, and writes to memory of a receive that has long completed.",
	}, []string{"figure10_no_eager_flag"}, []string{"race05_stop", "race06_eager_meanwhile", "published"}},
}

// raceExperiments are those of the races.
func raceExperiments() []lab.Experiment {
	var all []lab.Experiment
	for _, f := range races {
		all = append(all, lab.Experiment{ID: f.id, Explain: f.explain, Run: f.run, Timeline: f.timeline})
	}
	return all
}

// scenarioNamed returns one of the engine's scenarios.
func scenarioNamed(name string) (engine.Scenario, error) {
	all := engine.Scenarios()
	if i := slices.IndexFunc(all, func(s engine.Scenario) bool { return s.Name == name }); i >= 0 {
		return all[i], nil
	}
	return engine.Scenario{}, fmt.Errorf("there is no scenario %s", name)
}

// run plays the scenarios of a race.
func (f raceFigure) run(_ context.Context, b *lab.Bench) (*lab.Result, error) {
	r := b.NewResult(f.id)
	for _, name := range f.pairs {
		s, err := scenarioNamed(name)
		if err != nil {
			return nil, err
		}
		got := s.Play(engine.Witness{})
		addStory(r, s, got)
		with, right := outcome(got[0])
		without, still := outcome(got[1])
		r.Hold(
			lab.Holds(name+": every message lands where it belongs", "no hazard", with, right),
			lab.Holds(name+": without its rule it does not", "hazard", without, !still),
		)
	}
	passed := 0
	for _, name := range f.others {
		s, err := scenarioNamed(name)
		if err != nil {
			return nil, err
		}
		if plays(s) {
			passed++
		}
	}
	r.Hold(lab.Exactly("further scenarios of this race that lead to the expected actions: "+strings.Join(f.others, ", "), float64(len(f.others)), float64(passed), ""))
	return r, nil
}

// plays tells whether a scenario leads to the actions that it names.
func plays(s engine.Scenario) bool {
	for i, got := range s.Play(engine.Witness{}) {
		if got != s.Blocks[i].Want {
			return false
		}
	}
	return true
}

// addStory shows a scenario and what it leads to, with all rules and without one.
func addStory(r *lab.Result, s engine.Scenario, got []string) {
	with, without := strings.Split(got[0], "\n"), strings.Split(got[1], "\n")
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

// timeline draws the first scenario of a race with all rules. Its time counts steps.
func (f raceFigure) timeline(_ context.Context, _ *lab.Bench) (*lab.Timeline, error) {
	s, err := scenarioNamed(f.pairs[0])
	if err != nil {
		return nil, err
	}
	s.Blocks = s.Blocks[:1]
	about, _, _ := strings.Cut(strings.TrimPrefix(s.Blocks[0].Commands, "# "), "\n")
	t := &lab.Timeline{Title: about, Lanes: []string{"sender", "receiver"}, Steps: true}
	s.Play(engine.Witness{
		Call: func(c engine.Call) {
			from := int64(c.Step) * stepTime
			t.Spans = append(t.Spans, lab.Span{Rank: c.Rank, From: from, To: from + stepTime/4, What: c.What})
		},
		Passage: func(p engine.Passage) {
			t.Arrows = append(t.Arrows, lab.Arrow{From: p.From, To: p.To, Sent: int64(p.Left) * stepTime, Received: int64(p.Arrived+1) * stepTime, What: p.What})
		},
	})
	return t, nil
}
