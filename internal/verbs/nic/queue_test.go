package nic

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/weft-mpi/weft/internal/verbs"
)

// TestCompletionsAgainstModel adds and takes completions at random, beside a slice that holds so many at most.
func TestCompletionsAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		depth := rapid.IntRange(1, 20).Draw(t, "depth")
		rings := 0
		c := NewCompletions(verbs.CQConfig{Depth: depth, Notify: func() { rings++ }})
		var model []uint64
		next, lost, wantRings := uint64(0), uint64(0), 0
		armed, picky := false, false
		t.Repeat(map[string]func(*rapid.T){
			"add": func(t *rapid.T) {
				next++
				slot, first := c.Add()
				if full := len(model) == depth; full != (slot == nil) || first != (full && lost == 0) {
					t.Fatalf("slot %v, first %v with %d of %d", slot, first, len(model), depth)
				}
				if slot == nil {
					lost++
					return
				}
				if !reflect.DeepEqual(*slot, verbs.Completion{}) {
					t.Fatalf("the slot holds %+v of before", *slot)
				}
				slot.ID = next
				slot.Marks = rapid.SampledFrom([]verbs.Marks{0, verbs.WasSolicited}).Draw(t, "marks")
				slot.Status = rapid.SampledFrom([]verbs.Status{verbs.OK, verbs.Flushed}).Draw(t, "status")
				if armed && (!picky || slot.Marks != 0 || slot.Status != verbs.OK) {
					armed, wantRings = false, wantRings+1
				}
				c.Ring(slot)
				model = append(model, next)
			},
			"take": func(t *rapid.T) {
				out := make([]verbs.Completion, rapid.IntRange(0, 5).Draw(t, "room"))
				n := c.Take(out)
				if n != min(len(out), len(model)) {
					t.Fatalf("took %d of %d with room for %d", n, len(model), len(out))
				}
				for i := range n {
					if out[i].ID != model[i] {
						t.Fatalf("completion %d, want %d", out[i].ID, model[i])
					}
				}
				model = model[n:]
			},
			"arm": func(t *rapid.T) {
				armed, picky = true, rapid.Bool().Draw(t, "picky")
				c.Arm(picky)
			},
			"": func(t *rapid.T) {
				if c.Len() != len(model) || c.Lost() != lost || rings != wantRings {
					t.Fatalf("%d completions, %d lost, %d rings; want %d, %d, %d", c.Len(), c.Lost(), rings, len(model), lost, wantRings)
				}
			},
		})
	})
}

// TestEventsAgainstModel adds and takes events; what is too much is counted and told after the last one kept.
func TestEventsAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var e Events
		rings, next, lost := 0, uint32(0), 0
		e.Notify(func() { rings++ })
		var model []uint32
		t.Repeat(map[string]func(*rapid.T){
			"add": func(t *rapid.T) {
				for range rapid.SampledFrom([]int{1, 3, maxEvents / 2}).Draw(t, "count") {
					next++
					kept := e.Add(verbs.Event{Kind: verbs.SRQLimit, Num: next})
					if kept != (len(model) < maxEvents) {
						t.Fatalf("kept %v with %d waiting", kept, len(model))
					}
					if kept {
						model = append(model, next)
					} else {
						lost++
					}
				}
			},
			"take": func(t *rapid.T) {
				out := make([]verbs.Event, rapid.SampledFrom([]int{0, 1, 7, maxEvents, maxEvents + 1}).Draw(t, "room"))
				n := e.Take(out)
				for i, want := range model[:min(len(out), len(model))] {
					if out[i].Num != want {
						t.Fatalf("event %d, want %d", out[i].Num, want)
					}
				}
				want := min(len(out), len(model))
				model = model[want:]
				if lost > 0 && want < len(out) {
					if out[want].Kind != verbs.EventsLost || out[want].Lost != lost {
						t.Fatalf("%+v, want %d lost", out[want], lost)
					}
					want, lost = want+1, 0
				}
				if n != want {
					t.Fatalf("took %d, want %d", n, want)
				}
			},
			"": func(t *rapid.T) {
				if e.Len() != len(model) || rings != int(next) {
					t.Fatalf("%d events and %d rings, want %d and %d", e.Len(), rings, len(model), next)
				}
			},
		})
	})
}

// board is a table with one region of domain 1 and a list for its pieces.
func board(t testing.TB) (*Regions, *Region) {
	t.Helper()
	table := new(Regions)
	r, err := table.Add(1, make([]byte, 64), verbs.LocalWrite)
	if err != nil {
		t.Fatal(err)
	}
	return table, r
}

// pieces draws a list of up to most pieces of a region.
func pieces(t *rapid.T, r *Region, most int) (list []verbs.SGE, n int) {
	for range rapid.IntRange(0, most).Draw(t, "pieces") {
		size := rapid.IntRange(0, len(r.Buf)).Draw(t, "size")
		list = append(list, verbs.SGE{Buf: r.Buf[:size], LKey: r.LKey()})
		n += size
	}
	return list, n
}

// receiveModel is a receive queue and its naive twin.
type receiveModel struct {
	q           *Receives
	depth, sges int
	table       *Regions
	r           *Region
	open        []Receive
	next        uint64
	limit       int // watermark that will ring, 0 if none
}

// post posts a random receive to both.
func (m *receiveModel) post(t *rapid.T) {
	m.next++
	list, n := pieces(t, m.r, m.sges+1)
	given := slices.Clone(list)
	err := m.q.Post(m.table, 1, &verbs.RecvWR{ID: m.next, SGL: given})
	clear(given) // the queue has its own copy
	switch {
	case len(list) > m.sges:
		if !errors.Is(err, verbs.ErrArgument) {
			t.Fatalf("%d pieces of at most %d: %v", len(list), m.sges, err)
		}
	case len(m.open) == m.depth:
		if err != verbs.ErrFull {
			t.Fatalf("into a full queue: %v", err)
		}
	case err != nil:
		t.Fatal(err)
	default:
		m.open = append(m.open, Receive{ID: m.next, SGL: list, Len: n})
	}
}

// postForeign posts with a key that is not for this.
func (m *receiveModel) postForeign(t *rapid.T) {
	if len(m.open) == m.depth {
		t.Skip("full")
	}
	bad := verbs.RecvWR{SGL: []verbs.SGE{{Buf: m.r.Buf, LKey: m.r.RKey()}}}
	if err := m.q.Post(m.table, 1, &bad); err != verbs.ErrKey {
		t.Fatalf("a remote key: %v", err)
	}
}

// take takes the next of both.
func (m *receiveModel) take(t *rapid.T) {
	var got Receive
	m.takeTo(t, &got)
}

// takeTo takes the next of both to got.
func (m *receiveModel) takeTo(t *rapid.T, got *Receive) {
	ok, low := m.q.Take(got)
	if ok != (len(m.open) > 0) {
		t.Fatalf("took %v of %d", ok, len(m.open))
	}
	if !ok {
		return
	}
	same := func(a, b verbs.SGE) bool { return a.LKey == b.LKey && len(a.Buf) == len(b.Buf) }
	next := 0
	if m.q.Newest {
		next = len(m.open) - 1
	}
	if want := m.open[next]; got.ID != want.ID || got.Len != want.Len || !slices.EqualFunc(got.SGL, want.SGL, same) {
		t.Fatalf("took %+v, want %+v", got, want)
	}
	m.open = slices.Delete(m.open, next, next+1)
	if want := m.limit > 0 && len(m.open) < m.limit; low != want {
		t.Fatalf("low %v with %d left and watermark %d", low, len(m.open), m.limit)
	} else if want {
		m.limit = 0 // it rings once
	}
}

// setLimit sets a random watermark.
func (m *receiveModel) setLimit(t *rapid.T) {
	m.limit = rapid.IntRange(0, m.depth).Draw(t, "limit")
	if now := m.q.Limit(m.limit); now != (m.limit > 0 && len(m.open) < m.limit) {
		t.Fatalf("limit %d with %d there answers %v", m.limit, len(m.open), now)
	} else if now {
		m.limit = 0
	}
}

// TestReceivesAgainstModel posts and takes receives at random, with a watermark now and then.
func TestReceivesAgainstModel(t *testing.T) {
	table, r := board(t)
	rapid.Check(t, func(t *rapid.T) {
		depth, sges := rapid.IntRange(1, 12).Draw(t, "depth"), rapid.IntRange(1, 3).Draw(t, "sges")
		m := &receiveModel{q: NewReceives(depth, sges), depth: depth, sges: sges, table: table, r: r}
		m.q.Newest = rapid.Bool().Draw(t, "newest first")
		t.Repeat(map[string]func(*rapid.T){
			"unpost": func(t *rapid.T) {
				if len(m.open) > 0 {
					m.q.Unpost()
					m.open = m.open[:len(m.open)-1]
				}
			},
			"post": m.post, "post what is not ours": m.postForeign, "take": m.take, "limit": m.setLimit,
			"": func(t *rapid.T) {
				if m.q.Len() != len(m.open) {
					t.Fatalf("%d receives, want %d", m.q.Len(), len(m.open))
				}
			},
		})
	})
}
