package engine

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the expected actions in testdata/*.txt")

// TestScenario runs testdata/*.txt.
func TestScenario(t *testing.T) {
	scenarios := Scenarios()
	if files, err := filepath.Glob("testdata/*.txt"); err != nil || len(files) == 0 || len(files) != len(scenarios) {
		t.Fatal(len(files), "files,", len(scenarios), "scenarios", err)
	}
	for _, s := range scenarios {
		t.Run(s.Name, func(t *testing.T) { playFile(t, s) })
	}
}

func playFile(t *testing.T, s Scenario) {
	var out strings.Builder
	for i, got := range s.Play(Witness{}) {
		block := s.Blocks[i]
		if got != block.Want && !*rewrite {
			t.Errorf("%s, block %d:\n%s\n---- got\n%s\n---- want\n%s", s.Name, i+1, block.Commands, got, block.Want)
		}
		if i > 0 {
			out.WriteString("\n")
		}
		fmt.Fprintf(&out, "%s\n----\n", block.Commands)
		if got != "" {
			out.WriteString(got + "\n")
		}
	}
	if *rewrite {
		if err := os.WriteFile(filepath.Join("testdata", s.Name+".txt"), []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestMoves: what a stage reports of requests leads from posting to completion, and only there.
func TestMoves(t *testing.T) {
	ends := map[string]bool{}
	for _, s := range Scenarios() {
		s.Play(Witness{Move: func(m Move) {
			if m.From == m.To || m.From == complete.String() || m.To == idle.String() || m.Event == "" {
				t.Errorf("%s: %+v", s.Name, m)
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
