package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

func TestCountsTheSame(t *testing.T) {
	const size = 40
	want := 0
	for row := range size {
		want += inside(row, size)
	}
	for _, n := range []int{1, 2, 3, 9, size + 3} {
		var out bytes.Buffer
		if err := mpi.Run(n, func(world *mpi.Comm) error { return run(world, &out, size) }); err != nil {
			t.Fatal(err)
		}
		if first := fmt.Sprintf("%d of %d x %d points", want, size, size); !strings.HasPrefix(out.String(), first) {
			t.Errorf("%d ranks: %q, want %q", n, out.String(), first)
		}
		sum := 0
		for i, line := range strings.Split(strings.TrimSpace(out.String()), "\n")[1:] {
			var rank, did, of int
			if _, err := fmt.Sscanf(line, "rank %d did %d of %d rows", &rank, &did, &of); err != nil || rank != i || of != size {
				t.Errorf("line %q: %v", line, err)
			}
			sum += did
		}
		if sum != size {
			t.Errorf("%d ranks did %d rows of %d", n, sum, size)
		}
	}
}

// A row of a worker that has died is done by another, and counts once even if the first one's result comes, too.
func TestRowsOfTheDead(t *testing.T) {
	p := newPool(3, 2)
	for worker := 1; worker <= 2; worker++ {
		row, _ := p.take()
		p.has[worker] = row
	}
	p.bury(2)
	p.bury(2)
	p.count(2, counted{Row: 1, Inside: 5}) // sent before it died
	if _, ok := p.take(); ok || p.left != 1 {
		t.Errorf("a row that is done is dealt out again; %d are left", p.left)
	}
	p.bury(1)
	if row, ok := p.take(); !ok || row != 0 {
		t.Errorf("row %d, %v, not the one that the dead had", row, ok)
	}
	p.count(0, counted{Row: 0, Inside: 1})
	p.count(1, counted{Row: 0, Inside: 1})
	if p.left != 0 || p.inside != 6 || len(p.workers()) != 0 {
		t.Errorf("%+v", p)
	}
}
