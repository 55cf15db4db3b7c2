package arrival

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
)

// Profile is what a job's recorders have seen, joined.
type Profile struct {
	Ranks   int    `json:"ranks"`
	Bound   int64  `json:"clock_error_ns"` // no two ranks' times are wrong against each other by more
	Costs   []Cost `json:"message_costs"`
	Calls   []Call `json:"calls"`
	Dropped int    `json:"dropped,omitempty"` // calls that were not recorded, of the rank with the most
	Partial int    `json:"partial,omitempty"` // calls that not all their ranks have recorded, and are left out
}

// Call is one collective call of all its ranks. Times are rank 0's, in nanoseconds since the first arrival
// of the profile; Leave is 0 for a call that was started and not waited for in one go.
type Call struct {
	Routine string  `json:"routine"`
	Bytes   int     `json:"bytes"`
	Site    string  `json:"site,omitempty"`
	Arrive  []int64 `json:"arrive"`
	Leave   []int64 `json:"leave,omitempty"`
}

// page is what one rank hands in.
type page struct {
	Bound   int64
	Offset  int64
	Dropped int
	Sites   []string
	Records []line
}

// line is a record in the form in which it travels.
type line struct {
	Ctx           uint32
	Seq, Site     int
	Op            string
	Bytes         int
	Rank, Ranks   int
	Arrive, Leave int64
}

// Stop ends the recording and joins what all ranks have seen. All ranks call it; rank 0 gets the profile,
// all others nil.
func (r *Recorder) Stop() (*Profile, error) {
	r.pause()
	text, err := json.Marshal(r.page())
	if err != nil {
		return nil, fmt.Errorf("arrival: %w", err)
	}
	texts, err := r.private.HandIn(text, recordTag)
	if err != nil {
		return nil, fmt.Errorf("arrival: %w", err)
	}
	var pages []page
	for peer, text := range texts {
		var p page
		if err := json.Unmarshal(text, &p); err != nil {
			return nil, fmt.Errorf("arrival: records of rank %d: %w", peer, err)
		}
		pages = append(pages, p)
	}
	if pages == nil {
		return nil, r.private.Free()
	}
	return join(pages, r.costs), r.private.Free()
}

func (r *Recorder) page() page {
	p := page{Bound: r.bound, Offset: r.offset, Dropped: r.dropped, Sites: r.sites}
	for _, rec := range r.records {
		p.Records = append(p.Records, line{rec.ctx, rec.seq, rec.site, rec.op, rec.bytes, rec.rank, rec.ranks, rec.arrive, rec.leave})
	}
	return p
}

// key names a call in the whole job. A communicator that was freed may leave its context to another, whose
// calls are counted from the beginning: again tells them apart.
type key struct {
	ctx        uint32
	seq, again int
}

// gathering is a call of which some ranks have been seen.
type gathering struct {
	call Call
	seen int
}

// join puts the records of all ranks together, in the order of first arrivals.
func join(pages []page, costs []Cost) *Profile {
	p := &Profile{Ranks: len(pages), Costs: costs}
	calls := map[key]*gathering{}
	for _, pg := range pages {
		p.Bound = max(p.Bound, 2*pg.Bound) // two ranks may be wrong in opposite directions
		p.Dropped = max(p.Dropped, pg.Dropped)
		times := map[key]int{}
		for _, l := range pg.Records {
			k := key{l.Ctx, l.Seq, 0}
			times[k]++
			k.again = times[k]
			g := calls[k]
			if g == nil {
				g = &gathering{call: Call{Routine: l.Op, Bytes: l.Bytes, Arrive: make([]int64, l.Ranks), Leave: make([]int64, l.Ranks)}}
				calls[k] = g
			}
			g.add(l, pg)
		}
	}
	for _, g := range calls {
		if g.seen != len(g.call.Arrive) {
			p.Partial++
			continue
		}
		p.Calls = append(p.Calls, g.call)
	}
	p.order()
	return p
}

// add takes over one rank's part. What a file or a peer claims to be is not believed.
func (g *gathering) add(l line, pg page) {
	if l.Rank < 0 || l.Rank >= len(g.call.Arrive) {
		return
	}
	g.seen++
	if l.Rank == 0 && l.Site >= 0 && l.Site < len(pg.Sites) {
		g.call.Site = pg.Sites[l.Site]
	}
	g.call.Bytes = max(g.call.Bytes, l.Bytes)
	g.call.Arrive[l.Rank] = l.Arrive + pg.Offset
	if l.Leave != 0 {
		g.call.Leave[l.Rank] = l.Leave + pg.Offset
	}
}

// order sorts the calls by their first arrival and counts time from there.
func (p *Profile) order() {
	slices.SortFunc(p.Calls, func(a, b Call) int {
		return cmp.Compare(slices.Min(a.Arrive), slices.Min(b.Arrive))
	})
	if len(p.Calls) == 0 {
		return
	}
	origin := slices.Min(p.Calls[0].Arrive)
	for _, c := range p.Calls {
		for i := range c.Arrive {
			c.Arrive[i] -= origin
			if c.Leave[i] != 0 {
				c.Leave[i] -= origin
			}
		}
	}
}
