package lab

import (
	"errors"
	"math"
	"testing"

	"github.com/weft-mpi/weft/lab/measure"
	"github.com/weft-mpi/weft/mpi"
)

// TestMIF: rows come for every factor, nobody is faster than the arrivals allow, and all ranks have the same.
func TestMIF(t *testing.T) {
	m := MIF{Op: measure.Allgather, Size: 64, Factors: []int{8, 64}, Calls: 5}
	var all [3][]MIFRow
	if err := mpi.Run(3, func(world *mpi.Comm) (err error) {
		all[world.Rank()], err = m.Run(world)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for rank, rows := range all {
		if len(rows) != 2 || rows[0] != all[0][0] || rows[1] != all[0][1] {
			t.Errorf("rank %d has %+v, rank 0 %+v", rank, rows, all[0])
		}
	}
	m.Message = 3
	if err := mpi.Run(2, func(world *mpi.Comm) error {
		rows, err := m.Run(world)
		if err == nil && (rows[0].Message != 3 || rows[1].Bound != ArrivalBound(2, 64, 0, 3)) {
			t.Errorf("with a message of 3 us: %+v", rows)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for i, r := range all[0] {
		if r.Factor != m.Factors[i] || r.Message <= 0 || r.Time < r.Drawn || r.Drawn <= 0 || math.Abs(r.Bound/(0.25*float64(r.Factor)*r.Message)-1) > 1e-9 {
			t.Errorf("%+v", r)
		}
	}
}

func TestMIFIsChecked(t *testing.T) {
	good := MIF{Op: measure.Alltoall, Size: 1, Factors: []int{1}, Calls: 1}
	if err := good.Check(); err != nil {
		t.Error(err)
	}
	for name, spoil := range map[string]func(m *MIF){
		"operation": func(m *MIF) { m.Op = measure.Bcast }, "size": func(m *MIF) { m.Size = 0 }, "calls": func(m *MIF) { m.Calls = 0 },
		"late": func(m *MIF) { m.Late = 1 }, "not a number": func(m *MIF) { m.Late = math.NaN() }, "message": func(m *MIF) { m.Message = -1 }, "no factor": func(m *MIF) { m.Factors = nil }, "factor": func(m *MIF) { m.Factors = []int{0} },
	} {
		m := good
		spoil(&m)
		if err := m.Check(); !errors.Is(err, ErrMIF) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := mpi.Run(1, func(world *mpi.Comm) error {
		if _, err := good.Run(world); !errors.Is(err, ErrMIF) {
			t.Errorf("one rank: %v", err)
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
}

func TestArrivalBound(t *testing.T) {
	if got, want := ArrivalBound(16, 32, 0, 1), 32*(16.0/17-0.5); math.Abs(got-want) > 1e-12 {
		t.Errorf("by chance: %g, want %g", got, want)
	}
	if got := ArrivalBound(16, 128, 0.25, 2); got != 192 {
		t.Errorf("a quarter of 16 late by 256: %g, want 192", got)
	}
}
