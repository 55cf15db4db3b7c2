package council

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// world is a job whose ranks agree some times on overlapping communicators, and die.
type world struct {
	c       *Council
	comms   [][]int
	todo    [][]round        // by rank: what it will vote on, in order
	waits   []bool           // by rank: it has voted and not heard
	dead    []bool           // by rank
	heard   map[round][]Word // what ranks were told
	flags   map[round]map[int]uint64
	known   map[round]map[int][]int
	numbers map[round]map[int]uint32
}

func (w *world) deliver(t *rapid.T, all []Answer) {
	for _, a := range all {
		key := roundOf(a.Word)
		switch {
		case w.dead[a.To]:
			t.Fatalf("rank %d is dead and told %+v", a.To, a.Word)
		case !w.waits[a.To] || w.todo[a.To][0] != key:
			t.Fatalf("rank %d is told %+v and waits for %v", a.To, a.Word, w.todo[a.To])
		}
		w.waits[a.To] = false
		w.todo[a.To] = w.todo[a.To][1:]
		w.heard[key] = append(w.heard[key], a.Word)
		w.judge(t, a.Word)
	}
}

// judge compares a word with what the voters have said and with who is dead now.
func (w *world) judge(t *rapid.T, got Word) {
	key := roundOf(got)
	want := Word{Comm: got.Comm, Kind: got.Kind, Seq: got.Seq, Flags: ^uint64(0)}
	first := -1
	for _, r := range w.comms[got.Comm] {
		_, voted := w.flags[key][r]
		switch {
		case w.dead[r]:
			want.Dead = append(want.Dead, r)
		case !voted:
			want.Absent = append(want.Absent, r)
		case first < 0:
			first = r
		}
	}
	if want.Absent != nil && got.Kind == lastKind {
		t.Fatalf("the last agreement does without %v", want.Absent)
	}
	want.Number = w.numbers[key][first]
	for r, f := range w.flags[key] {
		want.Flags &= f
		for _, d := range want.Dead {
			if !slices.Contains(w.known[key][r], d) && !slices.Contains(want.News, d) {
				want.News = append(want.News, d)
			}
		}
	}
	if want.Absent != nil {
		want.Flags = 0
	}
	slices.SortFunc(want.News, func(a, b int) int {
		return slices.Index(w.comms[got.Comm], a) - slices.Index(w.comms[got.Comm], b)
	})
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("the word is %+v, want %+v", got, want)
	}
}

// lastKind is the kind of last ballots.
const lastKind = 9

func roundOf(w Word) round { return round{w.Comm, w.Kind, w.Seq} }

// leap has a rank go on to its last ballot on a communicator, if it has one there.
func (w *world) leap(r int) {
	for i, key := range w.todo[r] {
		if key.comm != w.todo[r][0].comm {
			return
		}
		if key.kind == lastKind {
			w.todo[r] = w.todo[r][i:]
			return
		}
	}
}

func (w *world) vote(t *rapid.T, r int) {
	if rapid.IntRange(0, 5).Draw(t, "leaps") == 0 {
		w.leap(r)
	}
	key := w.todo[r][0]
	b := Ballot{
		Comm: key.comm, Kind: key.kind, Seq: key.seq, Last: key.kind == lastKind, Members: w.comms[key.comm],
		Flags: rapid.Uint64().Draw(t, "flags"), Number: uint32(100*r) + key.seq,
	}
	for _, m := range b.Members {
		if w.dead[m] && rapid.Bool().Draw(t, "known") {
			b.Known = append(b.Known, m)
		}
	}
	if w.flags[key] == nil {
		w.flags[key], w.known[key], w.numbers[key] = map[int]uint64{}, map[int][]int{}, map[int]uint32{}
	}
	w.flags[key][r], w.known[key][r], w.numbers[key][r] = b.Flags, b.Known, b.Number
	w.waits[r] = true
	all, err := w.c.Vote(r, b)
	if err != nil {
		t.Fatal(err)
	}
	w.deliver(t, all)
}

func (w *world) die(t *rapid.T, r int) {
	w.dead[r] = true
	w.deliver(t, w.c.Bury(r))
}

// TestWords: whatever ranks vote and whenever they die, all survivors get through all their agreements, and all who
// hear the word of one hear the same, which is true.
func TestWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 7).Draw(t, "ranks")
		w := &world{c: New(n), todo: make([][]round, n), waits: make([]bool, n), dead: make([]bool, n), heard: map[round][]Word{},
			flags: map[round]map[int]uint64{}, known: map[round]map[int][]int{}, numbers: map[round]map[int]uint32{}}
		for i := range rapid.IntRange(1, 3).Draw(t, "communicators") {
			all := make([]int, n)
			for r := range all {
				all[r] = r
			}
			members := rapid.Permutation(all).Draw(t, "order")[:rapid.IntRange(1, n).Draw(t, "members")]
			w.comms = append(w.comms, members)
			for seq := range rapid.IntRange(1, 4).Draw(t, "agreements") {
				for _, r := range members { // communicator by communicator, so that nobody waits in a circle
					w.todo[r] = append(w.todo[r], round{uint32(i), 1, uint32(seq + 1)})
				}
			}
			if rapid.Bool().Draw(t, "last") {
				for _, r := range members {
					w.todo[r] = append(w.todo[r], round{uint32(i), lastKind, 1})
				}
			}
		}
		deaths := rapid.IntRange(0, n).Draw(t, "deaths")
		for step := 0; ; step++ {
			var can []int // who can vote
			var living []int
			for r := range n {
				if !w.dead[r] {
					living = append(living, r)
					if !w.waits[r] && len(w.todo[r]) > 0 {
						can = append(can, r)
					}
				}
			}
			if len(can) == 0 {
				break
			}
			if deaths > 0 && rapid.IntRange(0, 3).Draw(t, "fate") == 0 {
				deaths--
				w.die(t, rapid.SampledFrom(living).Draw(t, "dies"))
				continue
			}
			w.vote(t, rapid.SampledFrom(can).Draw(t, "votes"))
		}
		for r := range n {
			if !w.dead[r] && len(w.todo[r]) > 0 {
				t.Fatalf("rank %d lives and waits for %v", r, w.todo[r])
			}
		}
		for key, words := range w.heard {
			for _, word := range words[1:] {
				if !reflect.DeepEqual(word, words[0]) {
					t.Fatalf("agreement %v: %+v and %+v", key, words[0], word)
				}
			}
		}
		if len(w.c.rounds) > 0 && slices.Contains(w.dead, false) && len(w.comms) == 1 && !w.allDead(0) {
			t.Fatalf("%d agreements are left", len(w.c.rounds))
		}
	})
}

func (w *world) allDead(comm int) bool {
	return !slices.ContainsFunc(w.comms[comm], func(r int) bool { return !w.dead[r] })
}

// TestDeathEverywhere: one of three ranks dies before, between and behind the votes of an agreement.
func TestDeathEverywhere(t *testing.T) {
	members := []int{2, 0, 1}
	for at := range 4 {
		for dies := range 3 {
			c := New(3)
			var all []Answer
			for step := range 4 {
				if step == at {
					all = append(all, c.Bury(dies)...)
				}
				if step < 3 {
					some, err := c.Vote(step, Ballot{Comm: 7, Seq: 1, Members: members, Flags: ^uint64(1 << step), Number: uint32(step) + 10})
					if err != nil {
						t.Fatal(err)
					}
					all = append(all, some...)
				}
			}
			told := 2
			want := Word{Comm: 7, Seq: 1, Flags: ^uint64(7), Dead: []int{dies}, News: []int{dies}, Number: 12}
			switch {
			case at == 3: // when all was over
				told, want.Dead, want.News = 3, nil, nil
			case dies == 2:
				want.Number = 10
			}
			if at <= dies { // it died before it could vote
				want.Flags |= 1 << dies
			}
			if len(all) != told {
				t.Fatalf("death of %d at %d: %d answers", dies, at, len(all))
			}
			for _, a := range all {
				if !reflect.DeepEqual(a.Word, want) {
					t.Errorf("death of %d at %d: rank %d hears %+v, want %+v", dies, at, a.To, a.Word, want)
				}
			}
		}
	}
}

// TestLast: whoever casts a last ballot is not waited for elsewhere on that communicator, and those who waited hear so.
func TestLast(t *testing.T) {
	members := []int{0, 1, 2}
	c := New(3)
	vote(t, c, 0, Ballot{Seq: 1, Members: members, Flags: 1})
	vote(t, c, 0, Ballot{Comm: 1, Seq: 1, Members: members, Flags: 1}) // another communicator
	vote(t, c, 1, Ballot{Seq: 1, Kind: 9, Last: true, Members: members, Number: 5})
	all := vote(t, c, 2, Ballot{Seq: 1, Members: members, Flags: 1})
	want := Word{Seq: 1, Absent: []int{1}}
	if len(all) != 2 || !reflect.DeepEqual(all[0], Answer{0, want}) || !reflect.DeepEqual(all[1], Answer{2, want}) {
		t.Errorf("those who waited hear %+v, want %+v", all, want)
	}
	if _, err := c.Vote(1, Ballot{Seq: 1, Members: members}); err == nil {
		t.Error("a rank votes again after its last ballot")
	}
	if all := vote(t, c, 2, Ballot{Seq: 2, Members: members, Flags: 1}); all != nil {
		t.Errorf("%+v, though rank 0 has not voted", all)
	}
	all = vote(t, c, 0, Ballot{Seq: 1, Kind: 9, Last: true, Members: members, Number: 4})
	if want := (Answer{2, Word{Seq: 2, Absent: []int{0, 1}}}); len(all) != 1 || !reflect.DeepEqual(all[0], want) {
		t.Errorf("%+v, want %+v", all, want)
	}
	all = c.Bury(2)
	want = Word{Kind: 9, Seq: 1, Dead: []int{2}, News: []int{2}, Number: 4}
	if len(all) != 2 || !reflect.DeepEqual(all[0], Answer{0, want}) || !reflect.DeepEqual(all[1], Answer{1, want}) {
		t.Errorf("the last ballots come to %+v, want %+v", all, want)
	}
	if len(c.last) != 0 {
		t.Error("last ballots are kept, and would hold for another communicator with that number")
	}
}

func vote(t *testing.T, c *Council, rank int, b Ballot) []Answer {
	t.Helper()
	all, err := c.Vote(rank, b)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestDisorder: what no rank of ours would say is refused, and changes nothing.
func TestDisorder(t *testing.T) {
	c := New(3)
	vote(t, c, 0, Ballot{Members: []int{0, 1}, Flags: 3})
	for _, bad := range []struct {
		rank int
		b    Ballot
		want string
	}{
		{0, Ballot{Members: []int{0, 1}}, "votes twice"},
		{1, Ballot{Members: []int{1, 0}}, "other members"},
		{2, Ballot{Seq: 1, Members: []int{0, 1}}, "is no member"},
		{2, Ballot{Seq: 1, Members: []int{2, 3}}, "does not have"},
		{2, Ballot{Seq: 1, Members: []int{-1, 2}}, "does not have"},
	} {
		if all, err := c.Vote(bad.rank, bad.b); err == nil || !strings.Contains(err.Error(), bad.want) || all != nil {
			t.Errorf("%+v: %v, %v", bad, all, err)
		}
	}
	for seq := range uint32(openMax) {
		vote(t, c, 2, Ballot{Comm: 1, Seq: seq, Members: []int{1, 2}})
	}
	if _, err := c.Vote(2, Ballot{Comm: 2, Members: []int{1, 2}}); err == nil {
		t.Error("one rank may fill the council's memory")
	}
	want := []Answer{{0, Word{Flags: 3, Dead: []int{1}, News: []int{1}}}}
	if got := c.Bury(1); len(got) != openMax+1 || !reflect.DeepEqual(got[:1], want) {
		t.Errorf("%d words, the first %+v", len(got), got[:1])
	}
	if all := vote(t, c, 1, Ballot{Members: []int{0, 1}}); all != nil || len(c.rounds) != 0 || c.open[2] != 0 || c.Bury(1) != nil {
		t.Errorf("the dead vote: %v, %d", all, len(c.rounds))
	}
}

// ExampleCouncil shows two ranks that agree on their flags, and on the third being dead.
func ExampleCouncil() {
	c := New(3)
	members := []int{0, 1, 2}
	_, _ = c.Vote(0, Ballot{Comm: 1, Seq: 1, Members: members, Flags: 0b11})
	c.Bury(2)
	words, _ := c.Vote(1, Ballot{Comm: 1, Seq: 1, Members: members, Flags: 0b10})
	for _, a := range words {
		fmt.Println(a.To, a.Word.Flags, a.Word.Dead)
	}
	// Output:
	// 0 2 [2]
	// 1 2 [2]
}
