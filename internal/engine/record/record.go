// Package record holds what the engine's scenarios led to when its tests played them, for those who explain
// the protocol: the engine that programs carry has neither scenarios nor a player, and keeps all its rules.
// A test of the engine holds the record against it.
package record

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"slices"
)

// Record is what was seen.
type Record struct {
	Moves   []Move  // of requests, in all scenarios of links that speculate; each once, sorted
	Stories []Story // the figures
}

// Move is a request that went from one state to another.
type Move struct {
	Send            bool // else a receive or a probe
	From, To, Event string
	Does            []string // what the engine asked for in the same event
}

// Compare orders moves.
func (m Move) Compare(n Move) int {
	side := func(m Move) int {
		if m.Send {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(side(m), side(n)), cmp.Compare(m.From, n.From), cmp.Compare(m.Event, n.Event), cmp.Compare(m.To, n.To), slices.Compare(m.Does, n.Does))
}

// Story is a scenario that engines have played against each other without a network.
type Story struct {
	Name   string
	Blocks []Block // the second one is played without the rule that the story is about
}

// Block is a part of a scenario: what was done, and the actions that it led to.
type Block struct {
	Commands, Actions string
	Calls             []Call    `json:",omitempty"` // if all rules were kept
	Passages          []Passage `json:",omitempty"` // likewise
}

// Call is a request that a rank posted, at a step of a scenario.
type Call struct {
	Rank, Step int
	What       string
}

// Passage is a packet, or the bytes of a read or a write, on its way from one rank to another, with the steps of the
// scenario at which it left and arrived.
type Passage struct {
	From, To, Left, Arrived int
	What                    string
}

//go:embed record.json
var text []byte

// Load returns the record.
func Load() (r Record, err error) {
	err = json.Unmarshal(text, &r)
	return r, err
}
