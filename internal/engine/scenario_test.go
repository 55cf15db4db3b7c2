package engine

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/engine/record"
	"github.com/weft-mpi/weft/internal/wire"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the expected actions in testdata/*.txt, and the record")

// lacks tells whether some of the scenario is played without a rule.
func (s scenario) lacks() bool { return slices.ContainsFunc(s.blocks, block.lacks) }

// TestScenario runs testdata/*.txt.
func TestScenario(t *testing.T) {
	for _, s := range scenarios(t) {
		if !s.lacks() {
			t.Run(s.name, func(t *testing.T) { playFile(t, s) })
		}
	}
}

// TestScenarioWithoutARule runs those in which a rule is taken away.
func TestScenarioWithoutARule(t *testing.T) {
	if !rulesGo(t) {
		return
	}
	for _, s := range scenarios(t) {
		if s.lacks() {
			t.Run(s.name, func(t *testing.T) { playFile(t, s) })
		}
	}
}

func playFile(t *testing.T, s scenario) {
	var out strings.Builder
	for i, got := range s.play(witness{}) {
		block := s.blocks[i]
		if got != block.want && !*rewrite {
			t.Errorf("%s, block %d:\n%s\n---- got\n%s\n---- want\n%s", s.name, i+1, block.commands, got, block.want)
		}
		if i > 0 {
			out.WriteString("\n")
		}
		fmt.Fprintf(&out, "%s\n----\n", block.commands)
		if got != "" {
			out.WriteString(got + "\n")
		}
	}
	if *rewrite {
		if err := os.WriteFile(filepath.Join("testdata", s.name+".txt"), []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestMoves: what a stage reports of requests leads from posting to completion, and only there.
func TestMoves(t *testing.T) {
	ends := map[string]bool{}
	for _, s := range scenarios(t) {
		s.play(witness{Move: func(m record.Move) {
			if m.From == m.To || m.From == complete.String() || m.To == idle.String() || m.Event == "" {
				t.Errorf("%s: %+v", s.name, m)
			}
			ends[m.To] = true
		}})
	}
	for _, st := range []state{queued, offered, taking, writing, reading, asked, landing, complete} {
		if !ends[st.String()] {
			t.Errorf("no scenario brings a request to %v", st)
		}
	}
}

// TestRecord holds the record against what the scenarios lead to. Of the figures it has the story of each;
// what happens without a rule is as TestScenarioWithoutARule has found it.
func TestRecord(t *testing.T) {
	var all record.Record
	for _, s := range scenarios(t) {
		story := record.Story{Name: s.name}
		p := &script{}
		for _, b := range s.blocks {
			part := record.Block{Commands: b.commands, Actions: b.want}
			if b.lacks() {
				story.Blocks = append(story.Blocks, part)
				break
			}
			p.witness = witness{
				Move: func(m record.Move) {
					if p.w.rendezvous == wire.Speculate {
						all.Moves = append(all.Moves, m)
					}
				},
				Call:    func(c record.Call) { part.Calls = append(part.Calls, c) },
				Passage: func(g record.Passage) { part.Passages = append(part.Passages, g) },
			}
			part.Actions = p.play(b.commands)
			story.Blocks = append(story.Blocks, part)
		}
		if strings.HasPrefix(s.name, "figure") {
			all.Stories = append(all.Stories, story)
		}
	}
	slices.SortFunc(all.Moves, record.Move.Compare)
	all.Moves = slices.CompactFunc(all.Moves, func(a, b record.Move) bool { return a.Compare(b) == 0 })
	now, err := json.MarshalIndent(all, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	const file = "record/record.json"
	if *rewrite {
		if err := os.WriteFile(file, append(now, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if was, err := os.ReadFile(file); err != nil || !bytes.Equal(bytes.TrimSpace(was), now) {
		t.Errorf("the record differs from what the scenarios lead to: look, and go test -run 'Scenario|Record' -rewrite (%v)", err)
	}
}
