package pmi

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFormatRanks(t *testing.T) {
	for _, c := range []struct {
		ranks []int
		want  string
	}{
		{nil, ""}, {[]int{0}, "0"}, {[]int{0, 1, 2, 3, 7}, "0-3,7"}, {[]int{5, 4, 3}, "5,4,3"}, {[]int{1, 2, 9}, "1-2,9"},
	} {
		got := FormatRanks(c.ranks)
		if got != c.want {
			t.Errorf("%v: got %q, want %q", c.ranks, got, c.want)
		}
		back, err := ParseRanks(got, 10)
		if diff := cmp.Diff(c.ranks, back); err != nil || diff != "" {
			t.Errorf("%q: %v %s", got, err, diff)
		}
	}
	for _, bad := range []string{",", "1,", "a", "-1", "1-", "3-1", "0-10", "10", "0-9,0", "99999999999999999999"} {
		if ranks, err := ParseRanks(bad, 10); err == nil {
			t.Errorf("%q: got %v, want an error", bad, ranks)
		}
	}
}

func TestParseStallRefuses(t *testing.T) {
	good := Stall{Rank: 1, Op: "recv", Comm: "world", Seq: NoSeq, Peer: 2, Tag: 5, Members: []int{0, 1, 2},
		Lying: []Lying{{Peer: 2, Tag: 7, Bytes: 40}, {Peer: 0, Away: true}}, More: 3}
	if _, err := ParseStall(StallMessage(good), 3); err != nil {
		t.Fatal(err)
	}
	for i, f := range StallMessage(good).Fields {
		m := StallMessage(good)
		m.Fields[i].Value = "%"
		if _, err := ParseStall(m, 3); err == nil {
			t.Errorf("%s=%%: accepted", f.Key)
		}
		m.Fields = append(m.Fields[:i], m.Fields[i+1:]...)
		if _, err := ParseStall(m, 3); err == nil {
			t.Errorf("without %s: accepted", f.Key)
		}
	}
	for _, bad := range []Stall{
		{Rank: 3, Op: "recv"}, {Op: ""}, {Op: "recv", Seq: -2}, {Op: "recv", Peer: 3}, {Op: "recv", Peer: -3},
		{Op: "recv", Bytes: -1}, {Op: "recv", Seconds: math.NaN()}, {Op: "recv", Seconds: math.Inf(1)},
		{Op: "recv", Seconds: -1}, {Op: "recv", Members: []int{3}},
		{Op: "recv", Lying: []Lying{{Peer: 3}}}, {Op: "recv", Lying: []Lying{{Tag: -1}}}, {Op: "recv", Lying: []Lying{{Bytes: -1}}},
		{Op: "recv", Lying: make([]Lying, LyingMax+1)}, {Op: "recv", More: -1},
	} {
		if _, err := ParseStall(StallMessage(bad), 3); err == nil {
			t.Errorf("%+v: accepted", bad)
		}
	}
}

// What a rank has done comes back as it was written, and nothing else is accepted.
func TestTally(t *testing.T) {
	good := Tally{Rank: 1, Ask: 4, Seconds: 1.5, Counts: []Count{{"sent", 0}, {"sent_bytes", math.MaxUint64}}}
	got, err := ParseTally(TallyMessage(good), 2)
	if diff := cmp.Diff(good, got); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	most := make([]Count, countsMax)
	for i := range most {
		most[i] = Count{strings.Repeat("x", countNameMax-2) + string(rune('a'+i/26)) + string(rune('a'+i%26)), math.MaxUint64}
	}
	line, err := AppendMessage(nil, TallyMessage(Tally{Ask: math.MaxInt, Seconds: math.MaxFloat64, Counts: most}))
	if err != nil {
		t.Fatalf("the longest tally: %v", err)
	}
	m, _ := ParseMessage(line)
	if got, err := ParseTally(m, 1); err != nil || len(got.Counts) != countsMax {
		t.Errorf("the longest tally: %d counts, %v", len(got.Counts), err)
	}
	for _, bad := range []Tally{
		{Rank: 2, Ask: 1}, {Ask: 0}, {Ask: 1, Seconds: -1}, {Ask: 1, Counts: append(most, Count{"one_more", 1})},
		{Ask: 1, Counts: []Count{{"", 1}}}, {Ask: 1, Counts: []Count{{"A", 1}}}, {Ask: 1, Counts: []Count{{"9a", 1}}},
		{Ask: 1, Counts: []Count{{"a", 1}, {"a", 1}}}, {Ask: 1, Counts: []Count{{strings.Repeat("x", countNameMax+1), 1}}},
	} {
		if _, err := ParseTally(TallyMessage(bad), 2); err == nil {
			t.Errorf("%+v: accepted", bad)
		}
	}
	for _, bad := range []string{"a", "a:", "a:-1", "a:01", "a:1,", "a:18446744073709551616", "a:1:2"} {
		if _, err := ParseTally(NewMessage(cmdTally, "rank", "0", "ask", "1", "seconds", "0", "counts", bad), 1); err == nil {
			t.Errorf("counts=%s: accepted", bad)
		}
	}
}

func FuzzStall(f *testing.F) {
	f.Add("recv", "world", -1, -1, 7, int64(8), 60.5, "main.go:12", uint8(3))
	f.Add("allreduce", "my comm\n%", 4, -2, 0, int64(0), 0.0, "", uint8(0))
	f.Fuzz(func(t *testing.T, op, comm string, seq, peer, tag int, bytes int64, seconds float64, site string, n uint8) {
		s := Stall{Rank: 1, Op: op, Comm: comm, Seq: seq, Peer: peer, Tag: tag, Bytes: bytes, Seconds: seconds, Site: site}
		for r := range int(n) {
			s.Members = append(s.Members, r)
		}
		for i := range min(int(n), LyingMax) {
			s.Lying = append(s.Lying, Lying{Peer: i, Tag: max(tag, 0), Bytes: max(bytes, 0), Away: i%2 == 1})
		}
		m := StallMessage(s)
		got, err := ParseStall(m, 256)
		if err != nil {
			return // the fields are out of range; TestParseStallRefuses says which those are
		}
		if diff := cmp.Diff(s, got); diff != "" {
			t.Error(diff)
		}
	})
}

func FuzzRanks(f *testing.F) {
	for _, s := range []string{"", "0", "1-3,7", "3-1", "0-0,0-0", "4294967296", "-1", ","} {
		f.Add(s, uint8(8))
	}
	f.Fuzz(func(t *testing.T, text string, size uint8) {
		ranks, err := ParseRanks(text, int(size))
		if err != nil {
			return
		}
		if len(ranks) > int(size) {
			t.Fatalf("%q: %d ranks of %d", text, len(ranks), size)
		}
		for _, r := range ranks {
			if r < 0 || r >= int(size) {
				t.Fatalf("%q: rank %d of %d", text, r, size)
			}
		}
		if again, err := ParseRanks(FormatRanks(ranks), int(size)); err != nil || !slices.Equal(again, ranks) {
			t.Fatalf("%q: %v came back as %v, %v", text, ranks, again, err)
		}
	})
}

func FuzzEscape(f *testing.F) {
	for _, s := range []string{"", "plain-1.0", "with space\n", "100%", "%41", "naïve", "%2"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		word := Escape(text)
		if !oneWord(word) {
			t.Fatalf("%q escaped to %q", text, word)
		}
		if back, err := Unescape(word); err != nil || back != text {
			t.Fatalf("%q escaped to %q came back as %q, %v", text, word, back, err)
		}
		if plain, err := Unescape(text); err == nil && Escape(plain) != text {
			t.Fatalf("%q unescaped to %q, which escapes differently", text, plain)
		}
	})
}
