package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

// serial is the naive twin: one torus without ranks, blocks or frames.
func serial(g game, first []byte) []byte {
	now := first
	for range g.Steps {
		next := make([]byte, len(now))
		for i := range g.Rows {
			for j := range g.Columns {
				around := 0
				for di := -1; di <= 1; di++ {
					for dj := -1; dj <= 1; dj++ {
						if di != 0 || dj != 0 {
							around += int(now[(i+di+g.Rows)%g.Rows*g.Columns+(j+dj+g.Columns)%g.Columns])
						}
					}
				}
				if around == 3 || around == 2 && now[i*g.Columns+j] == 1 {
					next[i*g.Columns+j] = 1
				}
			}
		}
		now = next
	}
	return now
}

// shown returns the cells that a game draws on n ranks.
func shown(t *testing.T, n int, g game) []byte {
	t.Helper()
	g.Show = true
	var out bytes.Buffer
	if err := mpi.Run(n, func(world *mpi.Comm) error { return run(world, &out, g) }); err != nil {
		t.Fatalf("%+v on %d ranks: %v", g, n, err)
	}
	_, picture, _ := strings.Cut(out.String(), "\n")
	cells := []byte(strings.ReplaceAll(picture, "\n", ""))
	for i := range cells {
		cells[i] = byte(strings.IndexByte(" #", cells[i]))
	}
	if len(cells) != g.Rows*g.Columns {
		t.Fatalf("%+v on %d ranks drew\n%s", g, n, picture)
	}
	return cells
}

func TestEqualToSerial(t *testing.T) {
	for _, g := range []game{{Rows: 12, Columns: 20, Steps: 30}, {Rows: 3, Columns: 4, Steps: 3}, {Rows: 17, Columns: 7, Steps: 11}} {
		first := shown(t, 1, game{Rows: g.Rows, Columns: g.Columns})
		if living := bytes.Count(first, []byte{1}); living == 0 || living == len(first) {
			t.Fatalf("%d of %d cells live at first", living, len(first))
		}
		want := serial(g, first)
		for _, n := range []int{1, 2, 3, 4, 6} {
			if got := shown(t, n, g); !slices.Equal(got, want) {
				t.Errorf("%+v on %d ranks differs from the serial game", g, n)
			}
		}
	}
}

func TestMoreRanksThanCells(t *testing.T) {
	err := mpi.Run(4, func(world *mpi.Comm) error { return run(world, new(bytes.Buffer), game{Rows: 1, Columns: 9}) })
	if err == nil || !strings.Contains(err.Error(), "4 ranks are a grid of 2 x 2, each of them needs a cell") {
		t.Errorf("got %v", err)
	}
}
