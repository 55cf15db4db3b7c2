package lab

import "slices"

// Flow is a state machine: which states there are, and which moves lead from one to another.
type Flow struct {
	Title string     `json:"title"`
	Moves []FlowMove `json:"moves"`
}

// FlowMove leads from a state to another, on an event.
type FlowMove struct {
	From, To string
	Event    string `json:"event"`
	Does     string `json:"does,omitempty"`
}

// Add adds a move, once.
func (f *Flow) Add(m FlowMove) {
	if !slices.Contains(f.Moves, m) {
		f.Moves = append(f.Moves, m)
	}
}

// Depths returns how many moves lead to each state at most, or false if moves lead in a circle.
func (f *Flow) Depths() (map[string]int, bool) {
	depth := map[string]int{}
	for range len(f.Moves) + 1 {
		changed := false
		for _, m := range f.Moves {
			if _, ok := depth[m.From]; !ok {
				depth[m.From] = 0
			}
			if d, ok := depth[m.To]; !ok || d <= depth[m.From] {
				depth[m.To], changed = depth[m.From]+1, true
			}
		}
		if !changed {
			return depth, true
		}
	}
	return depth, false
}

// Dead lists the states that no moves lead out of.
func (f *Flow) Dead() []string {
	var dead []string
	for _, m := range f.Moves {
		if !slices.Contains(dead, m.To) && !slices.ContainsFunc(f.Moves, func(n FlowMove) bool { return n.From == m.To }) {
			dead = append(dead, m.To)
		}
	}
	slices.Sort(dead)
	return dead
}
