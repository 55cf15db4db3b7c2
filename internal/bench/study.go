package bench

import (
	"fmt"
	"slices"
	"strings"
)

// Arm is one way of running Weft: a name for tables and the tunables that make it, as NAME=value without WEFT_.
type Arm struct {
	Name string
	Set  []string
}

// NewArm makes an arm from a list such as rndv=rget,progress=poll; its name is the values, rget+poll.
func NewArm(list string) (Arm, error) {
	var a Arm
	var values []string
	for part := range strings.SplitSeq(list, ",") {
		name, value, found := strings.Cut(part, "=")
		if !found || name == "" || value == "" || strings.ContainsAny(part, " \t\n") {
			return Arm{}, fmt.Errorf("setting %q is not of the form name=value[,name=value]", list)
		}
		a.Set = append(a.Set, part)
		values = append(values, value)
	}
	a.Name = strings.Join(values, "+")
	return a, nil
}

// Environment returns the arm's settings as environment variables.
func (a Arm) Environment() []string {
	var all []string
	for _, s := range a.Set {
		name, value, _ := strings.Cut(s, "=")
		name = strings.ToUpper(strings.NewReplacer("-", "_", ".", "_").Replace(name))
		all = append(all, "WEFT_"+strings.TrimPrefix(name, "WEFT_")+"="+value)
	}
	return all
}

// Study is a question that takes several tests and several settings of Weft to answer.
type Study struct {
	Name, About string
	Tests       []string
	Sizes       []int // nil: the default range of each test
	Ranks       []int // job sizes; nil: what the user says
	Rounds      int   // unless the user says otherwise
	Arms        []Arm // what is compared unless the user says otherwise; ratios are those of the first
	Peers       bool  // other libraries can be put beside
	PeerRanks   int   // on at most so many ranks; 0: on any number
	Rails       bool  // needs more than one interface
	Unbound     bool  // nobody is bound to a core: who computes needs another CPU for its traffic
	Bars        []Bar
	Evidence    []string // counters that show what happened
}

// Studies returns every study in the order of the help text. The slice is the caller's.
func Studies() []Study { return slices.Clone(studies) }

// FindStudy returns the study of that name.
func FindStudy(name string) (Study, bool) {
	i := slices.IndexFunc(studies, func(s Study) bool { return s.Name == name })
	if i < 0 {
		return Study{}, false
	}
	return studies[i], true
}

// Setup is what a user may say about the cases of a study.
type Setup struct {
	Sizes  Range
	Loops  Loops
	Ranks  int // 0: the study's own, or 2
	Window int
	Memory int // bytes of one buffer
}

// Cases returns the cases of the study, in rounds' short steps.
func (s Study) Cases(u Setup) ([]Case, error) {
	ranks := s.Ranks
	if u.Ranks > 0 || ranks == nil {
		ranks = []int{max(u.Ranks, 2)}
	}
	var cases []Case
	for _, name := range s.Tests {
		t := mustFind(name)
		for _, n := range ranks {
			if err := t.CheckRanks(n); err != nil {
				return nil, err
			}
			sizes := s.Sizes
			if sizes == nil || u.Sizes.MinGiven || u.Sizes.MaxGiven {
				var err error
				if sizes, err = Sizes(t, s.narrow(u.Sizes), n, u.Memory); err != nil {
					return nil, err
				}
			}
			cases = append(cases, Case{Test: t, Ranks: n, Window: u.Window, Unbound: s.Unbound, Bars: s.Bars, Evidence: s.Evidence, Steps: RoundSteps(t, sizes, n, u.Window, u.Loops)})
		}
	}
	return cases, nil
}

// narrow lets a single size mean just that size where the study has a list of its own: -m 64K is 64 KB then, and not
// everything up to it.
func (s Study) narrow(r Range) Range {
	if r.MaxGiven && !r.MinGiven && s.Sizes != nil {
		r.Min, r.MinGiven = r.Max, true
	}
	return r
}

// HasPeers says whether other libraries are put beside Weft in a case of the study.
func (s Study) HasPeers(c Case) bool {
	return s.Peers && c.Test.Counter == "" && (s.PeerRanks == 0 || c.Ranks <= s.PeerRanks)
}

// Members returns the tests of the study.
func (s Study) Members() []Test {
	all := make([]Test, len(s.Tests))
	for i, name := range s.Tests {
		all[i] = mustFind(name)
	}
	return all
}

// NetBars returns the promises of all studies: those that concern a test by itself apply to it outside of its study
// too.
func NetBars() []Bar {
	var all []Bar
	for _, s := range studies {
		all = append(all, s.Bars...)
	}
	return all
}
