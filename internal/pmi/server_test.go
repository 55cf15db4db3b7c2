package pmi

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// say drives a server with text lines and returns what it says, one "rank< line" per reply.
func say(t *testing.T, s *Server, rank int, line string) string {
	t.Helper()
	out, err := handleLine(s, rank, line)
	if err != nil {
		t.Fatalf("rank %d said %q: %v", rank, line, err)
	}
	return replies(t, out)
}

func handleLine(s *Server, rank int, line string) (Outcome, error) {
	m, err := ParseMessage([]byte(line))
	if err != nil {
		return Outcome{}, err
	}
	return s.Handle(rank, m)
}

func replies(t *testing.T, out Outcome) string {
	t.Helper()
	var b strings.Builder
	for _, r := range out.Replies {
		line, err := AppendMessage(nil, r.Message)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%d< %s", r.Rank, line)
	}
	return b.String()
}

// What the launcher has preset is there from the start, before any barrier, and stays as it is.
func TestServerPreset(t *testing.T) {
	s := NewServer(ServerConfig{Size: 2, KVSName: "job", Mapping: "(vector,(0,2,1))", Preset: map[string]string{JobKey: "c0ffee"}})
	say(t, s, 1, "cmd=init pmi_version=1 pmi_subversion=1")
	for _, key := range []string{JobKey, "PMI_process_mapping"} {
		if got := say(t, s, 1, "cmd=put kvsname=job key="+key+" value=mine"); got != "1< cmd=put_result rc=-1 msg=preset_key\n" {
			t.Errorf("put of %s: %s", key, got)
		}
	}
	for key, want := range map[string]string{JobKey: "c0ffee", "PMI_process_mapping": "(vector,(0,2,1))"} {
		if got := say(t, s, 1, "cmd=get kvsname=job key="+key); got != "1< cmd=get_result rc=0 msg=success value="+want+"\n" {
			t.Errorf("get of %s: %s", key, got)
		}
	}
}

func TestServerConversation(t *testing.T) {
	s := NewServer(ServerConfig{Size: 2, KVSName: "job", AppNum: []int{0, 1}})
	for _, step := range []struct {
		rank      int
		say, want string
	}{
		{0, "cmd=init pmi_version=1 pmi_subversion=1", "0< cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0\n"},
		{1, "cmd=init pmi_version=1 pmi_subversion=1", "1< cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0\n"},
		{0, "cmd=get_maxes", "0< cmd=maxes kvsname_max=256 keylen_max=64 vallen_max=1024\n"},
		{1, "cmd=get_appnum", "1< cmd=appnum appnum=1\n"},
		{1, "cmd=get_universe_size", "1< cmd=universe_size size=2\n"},
		{0, "cmd=get_my_kvsname", "0< cmd=my_kvsname kvsname=job\n"},
		{0, "cmd=get kvsname=job key=PMI_process_mapping",
			"0< cmd=get_result rc=0 msg=success value=(vector,(0,1,2))\n"},
		{0, "cmd=put kvsname=job key=a value=1=2", "0< cmd=put_result rc=0 msg=success\n"},
		{0, "cmd=put kvsname=other key=a value=1", "0< cmd=put_result rc=-1 msg=unknown_kvsname\n"},
		{0, "cmd=put kvsname=job key=" + strings.Repeat("k", KeyMax) + " value=1",
			"0< cmd=put_result rc=-1 msg=bad_key_length\n"},
		{0, "cmd=put kvsname=job key=b value=" + strings.Repeat("v", ValueMax),
			"0< cmd=put_result rc=-1 msg=bad_value_length\n"},
		{0, "cmd=barrier_in", ""},
		{1, "cmd=barrier_in", "0< cmd=barrier_out\n1< cmd=barrier_out\n"},
		{1, "cmd=get kvsname=job key=a", "1< cmd=get_result rc=0 msg=success value=1=2\n"},
		{1, "cmd=get kvsname=job key=b", "1< cmd=get_result rc=-1 msg=key_not_found value=unknown\n"},
		{0, "cmd=finalize", "0< cmd=finalize_ack\n"},
		{1, "cmd=finalize", "1< cmd=finalize_ack\n"},
	} {
		if diff := cmp.Diff(step.want, say(t, s, step.rank, step.say)); diff != "" {
			t.Errorf("rank %d said %q: %s", step.rank, step.say, diff)
		}
	}
}

func TestServerRefusesBrokenProtocol(t *testing.T) {
	joined := "cmd=init pmi_version=1"
	for _, c := range []struct {
		before []string
		line   string
	}{
		{nil, "cmd=get_maxes"},
		{nil, "cmd=init"},
		{nil, "cmd=finalize"},
		{nil, "cmd=spawn"},
		{nil, "cmd=weft_stall rank=0"},
		{nil, "cmd=weft_lastwords text=%"},
		{[]string{joined}, joined},
		{[]string{joined, "cmd=barrier_in"}, "cmd=barrier_in"},
		{[]string{joined, "cmd=barrier_in"}, "cmd=finalize"},
		{[]string{joined, "cmd=finalize"}, "cmd=barrier_in"},
	} {
		s := NewServer(ServerConfig{Size: 2, KVSName: "job"})
		for _, line := range c.before {
			say(t, s, 0, line)
		}
		if out, err := handleLine(s, 0, c.line); err == nil {
			t.Errorf("after %q, %q: got %+v, want an error", c.before, c.line, out)
		}
	}
	s := NewServer(ServerConfig{Size: 2, KVSName: "job"})
	if got := say(t, s, 0, "cmd=init pmi_version=2 pmi_subversion=0"); !strings.Contains(got, "rc=-1") ||
		s.Phase(0) != Silent {
		t.Errorf("PMI-2 init: %q, phase %v", got, s.Phase(0))
	}
	wrongName := StallMessage(Stall{Rank: 1, Op: "recv", Seq: NoSeq})
	if _, err := s.Handle(0, wrongName); err == nil {
		t.Error("a rank reported in the name of another")
	}
	if _, err := s.Handle(0, TallyMessage(Tally{Rank: 1, Ask: 1})); err == nil {
		t.Error("a rank told what another has done")
	}
}

func TestServerBoundsKeys(t *testing.T) {
	s := NewServer(ServerConfig{Size: 1, KVSName: "job"})
	say(t, s, 0, "cmd=init pmi_version=1")
	var last string
	for i := range keysMax + 1 {
		last = say(t, s, 0, fmt.Sprintf("cmd=put kvsname=job key=k%d value=v", i))
	}
	if want := "0< cmd=put_result rc=-1 msg=too_many_keys\n"; last != want {
		t.Errorf("got %q, want %q", last, want)
	}
}

func TestServerDepartures(t *testing.T) {
	join := func(s *Server, r int) Outcome {
		out, err := handleLine(s, r, "cmd=init pmi_version=1")
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	s := NewServer(ServerConfig{Size: 3, KVSName: "job"})
	if got := s.Exited(2); got != Harmless {
		t.Errorf("nobody joined: %v", got)
	}
	if out := join(s, 0); out.Deserted == nil || *out.Deserted != 2 {
		t.Errorf("joined after rank 2 had left: %+v", out)
	}
	if got := s.Exited(1); got != NeverJoined {
		t.Errorf("left while rank 0 waits: %v", got)
	}
	if got := s.Exited(0); got != Unfinalised {
		t.Errorf("left without finalize: %v", got)
	}

	s = NewServer(ServerConfig{Size: 2, KVSName: "job"})
	join(s, 0)
	say(t, s, 0, "cmd=finalize")
	if got := s.Exited(0); got != Harmless {
		t.Errorf("left after finalize: %v", got)
	}
	if got := s.Exited(1); got != Harmless {
		t.Errorf("never joined, and nobody is left to wait: %v", got)
	}
}

func TestServerAbortAndReports(t *testing.T) {
	s := NewServer(ServerConfig{Size: 2, KVSName: "job"})
	for line, want := range map[string]Abort{
		"cmd=abort exitcode=5":                    {5, ""},
		"cmd=abort exitcode=6 message=out%20of%3": {6, "out%20of%3"},
		"cmd=abort exitcode=7 message=a%20b":      {7, "a b"},
		"cmd=abort":                               {1, ""},
	} {
		out, err := handleLine(s, 0, line)
		if err != nil || out.Abort == nil || *out.Abort != want {
			t.Errorf("%q: %+v, %v", line, out.Abort, err)
		}
	}
	stall := Stall{Rank: 1, Op: "allreduce", Comm: "world", Seq: 3, Peer: NoPeer, Members: []int{0, 1},
		Lying: []Lying{{Peer: 0, Tag: 7, Bytes: 40}, {Peer: 1, Tag: 8, Away: true}}, More: 2}
	out, err := s.Handle(1, StallMessage(stall))
	if err != nil || out.Stall == nil {
		t.Fatalf("%+v, %v", out, err)
	}
	if diff := cmp.Diff(stall, *out.Stall); diff != "" {
		t.Error(diff)
	}
	out, err = handleLine(s, 1, "cmd=weft_lastwords text=it%20broke")
	if err != nil || out.LastWords == nil || *out.LastWords != "it broke" {
		t.Errorf("%+v, %v", out, err)
	}
}

// Whatever ranks say in whatever order, the server never answers a rank that did not ask, and lets a barrier go
// exactly when everyone is inside.
func TestServerRandomTalk(t *testing.T) {
	lines := []string{"cmd=init pmi_version=1", "cmd=barrier_in", "cmd=finalize", "cmd=get_maxes", "cmd=abort",
		"cmd=put kvsname=job key=a value=b", "cmd=get kvsname=job key=a", "cmd=nonsense"}
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(1, 4).Draw(t, "size")
		s := NewServer(ServerConfig{Size: size, KVSName: "job"})
		pending := make([]bool, size) // inside a barrier, by the test's own book-keeping
		for range rapid.IntRange(0, 60).Draw(t, "steps") {
			rank := rapid.IntRange(0, size-1).Draw(t, "rank")
			line := rapid.SampledFrom(lines).Draw(t, "line")
			out, err := handleLine(s, rank, line)
			if err == nil && line == "cmd=barrier_in" {
				pending[rank] = true
			}
			released := len(out.Replies) > 0 && out.Replies[0].Message.Cmd == "barrier_out"
			everyone := true
			for _, p := range pending {
				everyone = everyone && p
			}
			if released != everyone {
				t.Fatalf("barrier released: %v, inside: %v", released, pending)
			}
			if released {
				clear(pending)
			} else if len(out.Replies) > 0 && out.Replies[0].Rank != rank {
				t.Fatalf("rank %d said %q, answer went to %d", rank, line, out.Replies[0].Rank)
			}
		}
	})
}
