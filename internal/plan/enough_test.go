package plan

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// awaitPort is a port on which awaits end when told.
type awaitPort struct {
	Port    // nothing is lent
	started []int
}

func (p *awaitPort) Send(*Step, []byte, int) bool { return true }
func (p *awaitPort) Recv(*Step, []byte, int)      {}
func (p *awaitPort) Set(flag int)                 { p.started = append(p.started, flag) }
func (p *awaitPort) Await(_, _, _ int) bool       { return false }
func (p *awaitPort) Arrived(int) bool             { return false }
func (p *awaitPort) Copy(*Step, []byte, []byte)   {}
func (p *awaitPort) Cancel(int)                   {}

// Whatever ends besides what Enough has picked starts nothing and does not end the run, and what it picks
// is not all where one step needs several.
func TestEnough(t *testing.T) {
	chance := rand.New(rand.NewPCG(3, 4))
	spared := 0
	for range 2000 {
		b := NewBuilder("random", 0, 8)
		var kinds []Kind
		for i := range 3 + chance.IntN(12) {
			var deps []int
			for range chance.IntN(4) {
				if i > 0 {
					deps = append(deps, chance.IntN(i))
				}
			}
			if chance.IntN(2) == 0 {
				b.Await(1, i, deps...)
				kinds = append(kinds, Await)
			} else {
				b.Set(i, deps...)
				kinds = append(kinds, Set)
			}
		}
		b.OnNode(0, 0, len(kinds))
		p := b.Build()
		var run Run
		port := &awaitPort{}
		for over := run.Start(p, &Bufs{}, nil, port); !over; {
			var open []int
			for i, o := range run.open {
				if o {
					open = append(open, i)
				}
			}
			var picked []int
			run.Enough(len(open), func(i int) int { return open[i] }, func(i int) { picked = append(picked, open[i]) })
			if len(picked) == 0 {
				t.Fatalf("nothing is worth waking up for:\n%v", p)
			}
			spared += len(open) - len(picked)
			before, opened := len(port.started), countOpen(&run)
			for _, i := range open {
				if !slices.Contains(picked, i) {
					opened--
					if run.Done(i, nil) || len(port.started) != before || countOpen(&run) != opened {
						t.Fatalf("step %d was not worth waking up for, of %v only %v, and something happened:\n%v", i, open, picked, p)
					}
				}
			}
			over = run.Done(picked[chance.IntN(len(picked))], nil)
		}
	}
	if spared == 0 {
		t.Error("everything was worth waking up for")
	}
}

func countOpen(r *Run) (n int) {
	for _, o := range r.open {
		if o {
			n++
		}
	}
	return n
}
