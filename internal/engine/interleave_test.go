package engine

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/weft-mpi/weft/internal/match"
)

// program is a small job of two ranks: rank 0 sends, rank 1 receives.
type program struct {
	sends []progSend
	recvs []progRecv
	push  bool // reads fail, so that rendezvous are pushed
	busy  bool // rank 0's link takes packets only when a step says so
	worldConfig
}

type progSend struct {
	tag, len int
	mode     Mode
	pieces   bool // the payload arrives in two pieces
}

type progRecv struct{ tag, len int }

const progEager = 16

// path is one order of events: the choice taken at each step, and how many there were.
type path struct{ taken, width []int }

// next turns the path into the next one, depth first; false when all have been walked.
func (p *path) next() bool {
	for i := len(p.taken) - 1; i >= 0; i-- {
		if p.taken[i]+1 < p.width[i] {
			p.taken[i]++
			p.taken, p.width = p.taken[:i+1], p.width[:i+1]
			return true
		}
	}
	return false
}

// run is one walk of a program along a path.
type run struct {
	*world
	program      program
	sent, posted int
	at           int
}

// steps lists what can happen next.
func (r *run) steps() (all []func()) {
	out, back := pair{0, 1}, pair{1, 0}
	if r.sent < len(r.program.sends) {
		all = append(all, func() {
			s := r.program.sends[r.sent]
			r.send(fmt.Sprint("s", r.sent), out, 0, s.tag, s.len, s.mode)
			r.sent++
		})
	}
	if r.posted < len(r.program.recvs) {
		all = append(all, func() {
			v := r.program.recvs[r.posted]
			r.recv(fmt.Sprint("r", r.posted), 1, envelope(0, 0, v.tag), v.len)
			r.posted++
		})
	}
	if q := r.wires[out]; len(q) > 0 {
		switch {
		case q[0].begun && !q[0].gone:
		case q[0].begun:
			all = append(all, func() { r.end(out) })
		case r.inPieces(q[0]):
			all = append(all, func() { r.begin(out) })
		case q[0].gone:
			all = append(all, func() { r.deliver(out) })
		}
		if !q[len(q)-1].gone {
			all = append(all, func() { r.take(out) })
		}
	}
	if len(r.wires[back]) > 0 {
		all = append(all, func() { r.deliver(back) })
	}
	if len(r.ranks[1].reads) > 0 {
		all = append(all, func() {
			var err error
			if r.program.push {
				err = errors.New("not permitted")
			}
			r.finishRead(1, 0, err)
		})
	}
	return all
}

func (r *run) inPieces(f *flight) bool {
	if len(f.payload) == 0 {
		return false
	}
	req, _ := f.pkt.Owner.(*Req)
	for i, s := range r.program.sends {
		if s.pieces && r.reqs[fmt.Sprint("s", i)] == req {
			return true
		}
	}
	return false
}

// walk runs the program to its end along the path, which it lengthens by first choices.
func walk(p program, along *path) *run {
	cfg := p.worldConfig
	cfg.eager = progEager
	r := &run{world: makeWorld(2, cfg), program: p}
	r.held[pair{0, 1}] = p.busy
	for {
		all := r.steps()
		if len(all) == 0 {
			return r
		}
		if r.at == len(along.taken) {
			along.taken, along.width = append(along.taken, 0), append(along.width, len(all))
		}
		along.width[r.at] = len(all)
		all[along.taken[r.at]]()
		r.at++
	}
}

// expected is MPI's answer, which for one sender and one receiver does not depend on timing: receives take,
// in the order of posting, the earliest message that is left and fits. It returns the send of each receive.
func expected(p program) []int {
	taken := make([]bool, len(p.sends))
	got := make([]int, len(p.recvs))
	for i, v := range p.recvs {
		got[i] = -1
		for j, s := range p.sends {
			if !taken[j] && (v.tag == match.Any || v.tag == s.tag) {
				got[i], taken[j] = j, true
				break
			}
		}
	}
	return got
}

// check compares the end of a walk with what MPI promises.
func (r *run) check() error {
	matched := make([]bool, len(r.program.sends))
	for i, j := range expected(r.program) {
		name := fmt.Sprint("r", i)
		req, done := r.reqs[name], slices.Contains(r.ranks[1].done, name)
		if j < 0 {
			if done {
				return fmt.Errorf("%s fits no message but has completed", name)
			}
			continue
		}
		matched[j] = true
		s, v := r.program.sends[j], r.program.recvs[i]
		want := Status{Peer: 0, Tag: int32(s.tag), Len: min(s.len, v.len)}
		if !done || req.Status != want || errors.Is(req.Err, ErrTruncate) != (s.len > v.len) {
			return fmt.Errorf("%s: done %v, status %+v, error %v; want message s%d", name, done, req.Status, req.Err, j)
		}
		if want.Len > 0 && r.source(req) != fmt.Sprint("s", j) {
			return fmt.Errorf("%s holds the payload of %s, want s%d", name, r.source(req), j)
		}
	}
	allMatched := true
	for j, s := range r.program.sends {
		done := slices.Contains(r.ranks[0].done, fmt.Sprint("s", j))
		waits := s.mode == Sync || s.len > progEager
		if want := matched[j] || !waits; done != want {
			return fmt.Errorf("s%d completed: %v, want %v", j, done, want)
		}
		allMatched = allMatched && matched[j]
	}
	if left := r.leftovers(); allMatched && left != "" {
		return errors.New(left)
	}
	return nil
}

// programs are all small programs that are worth walking: message lengths around the protocols' borders,
// tags that match and do not, wildcards, buffers that are too short.
func programs(short bool) (all []program) {
	kinds := []progSend{{len: 4}, {len: 4, mode: Sync}, {len: 12, pieces: true}, {len: 12, pieces: true, mode: Sync}, {len: 40}}
	recvs := [][]progRecv{
		{{0, 64}, {0, 64}},
		{{match.Any, 64}, {0, 64}},
		{{1, 64}, {match.Any, 64}},
		{{match.Any, 8}, {1, 64}, {0, 64}},
		{{0, 0}, {match.Any, 64}, {match.Any, 20}},
	}
	for _, a := range kinds {
		for _, b := range kinds {
			for _, tags := range [][2]int{{0, 0}, {0, 1}} {
				for i, rs := range recvs {
					a.tag, b.tag = tags[0], tags[1]
					all = append(all, program{sends: []progSend{a, b}, recvs: rs, push: i%2 == 1})
				}
			}
		}
	}
	if short {
		for i := range len(all) / 4 { // every fourth: all kinds and receives still occur
			all[i] = all[4*i+i%4]
		}
		return all[:len(all)/4]
	}
	for _, k := range kinds {
		eager, long := progSend{len: 4}, progSend{len: 40}
		rs := []progRecv{{match.Any, 64}, {0, 64}, {match.Any, 64}}
		all = append(all,
			program{sends: []progSend{eager, k, eager}, recvs: rs},
			program{sends: []progSend{long, k, eager}, recvs: rs[1:]})
	}
	return all
}

// prefixPrograms are those in which long messages bring their first bytes along, or all of them: whole or
// in pieces, for receives that are shorter than these, longer, and longer than the message, which may read
// or have to ask.
func prefixPrograms() (all []program) {
	kinds := []progSend{{len: 4}, {len: 40}, {len: 40, pieces: true}, {len: 40, pieces: true, mode: Sync}, {len: 17, pieces: true}}
	recvs := [][]progRecv{{{0, 64}, {0, 64}}, {{match.Any, 20}, {0, 12}}, {{0, 5}, {0, 0}}}
	for _, with := range []worldConfig{{prefix: 12}, {unasked: true}} {
		for i, a := range kinds {
			for k, rs := range recvs {
				for _, push := range []bool{false, true} { // one message in every order, behind a busy link
					all = append(all, program{sends: []progSend{a}, recvs: rs[:1], push: push, busy: true, worldConfig: with})
				}
				for j, b := range kinds[:3] {
					all = append(all, program{sends: []progSend{a, b}, recvs: rs, push: (i+j+k)%2 == 1, worldConfig: with})
				}
			}
		}
	}
	return all
}

var prefixRules = []string{"both-halves", "prefix-gone"}

// TestEveryPrefixRuleIsNeeded takes away the rules of prefixes one at a time: some order of events must then go wrong.
func TestEveryPrefixRuleIsNeeded(t *testing.T) {
	if !rulesGo(t) {
		return
	}
	for _, off := range prefixRules {
		fault := func() (err error) {
			defer func() {
				if broken := recover(); broken != nil {
					err = fmt.Errorf("fault: %v", broken)
				}
			}()
			for _, p := range prefixPrograms() {
				p.off = off
				along := new(path)
				for ok := true; ok; ok = along.next() {
					if err := walk(p, along).check(); err != nil {
						return fmt.Errorf("%+v along %v: %w", p, along.taken, err)
					}
				}
			}
			return nil
		}()
		if fault == nil {
			t.Errorf("every order went well without rule %s: it is not needed, or not tested", off)
		}
		t.Logf("without rule %s: %v", off, fault)
	}
}

// TestEveryInterleaving walks small programs through every order of posts, deliveries and reads.
func TestEveryInterleaving(t *testing.T) {
	walks := 0
	for _, p := range append(programs(testing.Short() || underRace), prefixPrograms()...) {
		along := new(path)
		for ok := true; ok; ok = along.next() {
			walks++
			if err := walk(p, along).check(); err != nil {
				t.Fatalf("%+v along %v: %v", p, along.taken, err)
			}
		}
	}
	t.Logf("%d walks", walks)
	if walks < 1000 {
		t.Errorf("only %d walks: the choices are not being explored", walks)
	}
}
