package pmi

import (
	"math"
	"net"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func drawRanks(t *rapid.T, name string, size int) []int {
	all := rapid.SliceOfNDistinct(rapid.IntRange(0, size-1), 0, size, rapid.ID[int]).Draw(t, name)
	if len(all) == 0 {
		return nil
	}
	return all
}

// TestBallotTwins: what a rank votes is what the launcher reads, and what the launcher says is what a rank hears.
func TestBallotTwins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const size = 20
		b := Ballot{
			Comm: rapid.Uint32().Draw(t, "comm"), Kind: rapid.Uint8().Draw(t, "kind"), Seq: rapid.Uint32().Draw(t, "seq"),
			Last: rapid.Bool().Draw(t, "last"), Members: drawRanks(t, "members", size), Flags: rapid.Uint64().Draw(t, "flags"),
			Known: drawRanks(t, "known", size), Number: rapid.Uint32().Draw(t, "number"),
		}
		line, err := AppendMessage(nil, ballotMessage(b))
		if err != nil {
			t.Fatal(err)
		}
		m, err := ParseMessage(line)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := parseBallot(m, size); err != nil || !reflect.DeepEqual(got, b) {
			t.Fatalf("%+v became %+v, %v", b, got, err)
		}
		w := Word{
			Comm: b.Comm, Kind: b.Kind, Seq: b.Seq, Flags: b.Flags, Absent: drawRanks(t, "absent", size),
			Dead: b.Members, News: b.Known, Number: b.Number,
		}
		if n, ok, err := parseNotice(WordMessage(w)); err != nil || !ok || !reflect.DeepEqual(*n.Word, w) {
			t.Fatalf("%+v became %+v, %v", w, n.Word, err)
		}
	})
}

// TestNotices: other notices, and what is none.
func TestNotices(t *testing.T) {
	if n, ok, err := parseNotice(DeadMessage(3)); err != nil || !ok || n.Dead == nil || *n.Dead != 3 {
		t.Error(n, ok, err)
	}
	if n, ok, err := parseNotice(RevokedMessage(math.MaxUint32)); err != nil || !ok || n.Revoked == nil || *n.Revoked != math.MaxUint32 {
		t.Error(n, ok, err)
	}
	if _, ok, err := parseNotice(NewMessage(cmdDump)); ok || err != nil {
		t.Error(ok, err)
	}
	for _, bad := range []Message{
		NewMessage(cmdDead), NewMessage(cmdDead, "rank", "-1"), NewMessage(cmdRevoke, "comm", "x"), NewMessage(cmdWord, "comm", "1"),
	} {
		if n, ok, err := parseNotice(bad); !ok || err == nil {
			t.Errorf("%v is taken as %+v", bad, n)
		}
	}
}

// survivor is a server whose ranks have all joined and come up.
func survivor(t *testing.T, size int) *Server {
	s := NewServer(ServerConfig{Size: size, Recover: true})
	for r := range size {
		if s.AllUp() {
			t.Error("up, and not all have said so")
		}
		for _, m := range []Message{NewMessage("init", "pmi_version", "1"), NewMessage(cmdUp), NewMessage(cmdUp)} {
			if _, err := s.Handle(r, m); err != nil {
				t.Fatal(err)
			}
		}
	}
	if !s.AllUp() {
		t.Error("not all are up")
	}
	return s
}

// TestBarrierWithoutTheDead: a barrier opens when all have come who live, whoever dies before, in it or as the last
// that is missing, and what the dead have said is not handled.
func TestBarrierWithoutTheDead(t *testing.T) {
	enter := func(s *Server, r int) []Reply {
		out, err := s.Handle(r, NewMessage("barrier_in"))
		if err != nil {
			t.Fatal(err)
		}
		return out.Replies
	}
	s := survivor(t, 4)
	if got := s.Bury(1).Replies; got != nil {
		t.Errorf("%v, though nobody is in the barrier", got)
	}
	s.Bury(1)
	if enter(s, 0) != nil || enter(s, 2) != nil || enter(s, 1) != nil {
		t.Error("open before all have come")
	}
	if got := enter(s, 3); len(got) != 3 {
		t.Errorf("%v for three ranks", got)
	}
	enter(s, 0)
	enter(s, 2)
	s.Bury(2) // in the barrier
	if got := s.Bury(3).Replies; len(got) != 1 || got[0].Rank != 0 {
		t.Errorf("%v, and rank 0 is alone", got)
	}
}

// TestVotesAreForSurvivors: a server passes on what ranks vote and revoke, unless the job ends with the first death.
func TestVotesAreForSurvivors(t *testing.T) {
	vote := ballotMessage(Ballot{Comm: 7, Members: []int{0, 2}})
	revoke := NewMessage(cmdRevoke, "comm", "7", "members", "0-1")
	s := survivor(t, 3)
	for range 2 { // the second time the members are known
		out, err := s.Handle(2, vote)
		if err != nil || out.Ballot == nil || !reflect.DeepEqual(out.Ballot.Members, []int{0, 2}) {
			t.Fatal(out, err)
		}
	}
	if out, err := s.Handle(0, revoke); err != nil || !reflect.DeepEqual(*out.Revocation, Revocation{7, []int{0, 1}}) {
		t.Error(out, err)
	}
	if _, err := s.Handle(0, NewMessage(cmdRevoke, "comm", "7", "members", "0-3")); err == nil {
		t.Error("members that the job does not have")
	}
	mortal := NewServer(ServerConfig{Size: 1})
	if _, err := mortal.Handle(0, NewMessage("init", "pmi_version", "1")); err != nil {
		t.Fatal(err)
	}
	for _, m := range []Message{vote, revoke, NewMessage(cmdUp)} {
		if _, err := mortal.Handle(0, m); err == nil || !strings.Contains(err.Error(), "first process that dies") {
			t.Errorf("%s: %v", m.Cmd, err)
		}
	}
}

// TestClientHears: a client learns from init whether the job survives, and hears notices in order, in the midst of a
// request too.
func TestClientHears(t *testing.T) {
	near, far := net.Pipe()
	c := NewClient(near, true)
	defer c.Close()
	heard := make(chan Notice, 4)
	c.OnNotice(func(n Notice) { heard <- n })
	go func() {
		r := NewReader(far)
		for _, answers := range [][]Message{
			{NewMessage("response_to_init", "pmi_version", "1", "rc", "0", keyRecover, "1")},
			{DeadMessage(2), WordMessage(Word{Seq: 5}), NewMessage("barrier_out")},
		} {
			if _, err := r.Next(); err != nil {
				return
			}
			for _, m := range answers {
				line, _ := AppendMessage(nil, m)
				_, _ = far.Write(line)
			}
		}
	}()
	if err := c.Init(); err != nil || !c.Recovers() {
		t.Fatal(err, c.Recovers())
	}
	if err := c.Barrier(); err != nil {
		t.Fatal(err)
	}
	for _, want := range []func(Notice) bool{
		func(n Notice) bool { return n.Dead != nil && *n.Dead == 2 },
		func(n Notice) bool { return n.Word != nil && n.Word.Seq == 5 },
	} {
		select {
		case n := <-heard:
			if !want(n) {
				t.Errorf("heard %+v", n)
			}
		case <-time.After(30 * time.Second):
			t.Fatal("nothing is heard")
		}
	}
}
