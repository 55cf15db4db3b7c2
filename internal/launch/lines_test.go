package launch

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var noon = time.Date(2026, 11, 15, 12, 0, 0, 5000, time.UTC)

func TestFormat(t *testing.T) {
	for _, c := range []struct {
		f    format
		want string
	}{
		{format{tag: TagNone}, "text\n"},
		{format{tag: TagRank}, "[3] text\n"},
		{format{tag: TagOpenMPI}, "[1,3]<stdout>:text\n"},
		{format{tag: TagRank, timestamp: true}, "2026-11-15T12:00:00.000005Z [3] text\n"},
		{format{tag: TagNone, timestamp: true}, "2026-11-15T12:00:00.000005Z text\n"},
		{format{tag: TagJSON}, `{"rank":3,"stream":"stdout","time":"2026-11-15T12:00:00.000005Z","line":"text"}` + "\n"},
	} {
		if got := string(c.f.appendLine(nil, 3, "stdout", noon, []byte("text"), true)); got != c.want {
			t.Errorf("%+v: got %q, want %q", c.f, got, c.want)
		}
	}
}

// However the bytes arrive: plain output is unchanged, and what is given out before the end is whole lines.
func TestSplitterAnyChunks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune{'a', 'b', '\n'})).Draw(t, "text")
		plain := splitter{}
		tagged := splitter{format: format{tag: TagRank}, rank: 7}
		var gotPlain, gotTagged []byte
		for rest := text; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "n")
			out := plain.add(nil, []byte(rest[:n]), noon)
			if len(out) > 0 && out[len(out)-1] != '\n' {
				t.Fatalf("gave out %q in the middle of a line", out)
			}
			gotPlain = append(gotPlain, out...)
			gotTagged = tagged.add(gotTagged, []byte(rest[:n]), noon)
			rest = rest[n:]
		}
		gotPlain, gotTagged = plain.end(gotPlain, noon), tagged.end(gotTagged, noon)
		if string(gotPlain) != text {
			t.Fatalf("plain: got %q, want %q", gotPlain, text)
		}
		want := ""
		for line := range strings.Lines(text) {
			want += "[7] " + strings.TrimSuffix(line, "\n") + "\n"
		}
		if diff := cmp.Diff(want, string(gotTagged)); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestSplitterLongLine(t *testing.T) {
	long := strings.Repeat("x", lineMax)
	s := splitter{format: format{tag: TagJSON}}
	out := s.add(nil, []byte(long+"y\nz"), noon)
	out = s.end(s.add(out, []byte(long), noon), noon)
	var partial []bool
	for line := range strings.Lines(string(out)) {
		var v struct {
			Line    string
			Partial bool
		}
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatal(err)
		}
		partial = append(partial, v.Partial)
	}
	// A long line that arrives in one piece with its end is whole; one that does not is given out in pieces.
	if diff := cmp.Diff([]bool{false, true}, partial); diff != "" {
		t.Error(diff)
	}
	plain := splitter{}
	if out := plain.add(nil, []byte(long), noon); string(out) != long {
		t.Errorf("held back %d bytes of a line without end", len(long)-len(out))
	}
}

func TestSplitterDirect(t *testing.T) {
	s := splitter{direct: true}
	if out := s.add(nil, []byte("name? "), noon); string(out) != "name? " {
		t.Errorf("a prompt was held back: %q", out)
	}
}

func TestLastWords(t *testing.T) {
	var m memory
	for i := range 50 {
		m.add([]byte(strings.Repeat("line ", 1+i%3) + "\n"))
	}
	if got := strings.Count(m.words(), "\n") + 1; got != tailLines || m.panicked() {
		t.Errorf("%d lines, panicked %v", got, m.panicked())
	}
	m.add([]byte("not a panic: here\npanic: first\n"))
	m.add([]byte("\ngoroutine 1 [running]:\n"))
	for range 2000 {
		m.add([]byte("main.f()\n"))
	}
	got := m.words()
	if !m.panicked() || !strings.HasPrefix(got, "panic: first\n\ngoroutine 1 [running]:\nmain.f()") {
		t.Errorf("got %q", got)
	}
	if n := strings.Count(got, "\n") + 1; n != panicLines {
		t.Errorf("%d lines, want %d", n, panicLines)
	}
	if len(m.tail) > tailBytes || len(m.crash) > tailBytes {
		t.Errorf("remembers %d and %d bytes", len(m.tail), len(m.crash))
	}
	var silent memory
	if silent.words() != "" {
		t.Errorf("a silent rank said %q", silent.words())
	}
}

func TestExpandPattern(t *testing.T) {
	if got := expandPattern("out-%r.100%%r.%x", 12); got != "out-12.100%r.%x" {
		t.Errorf("got %q", got)
	}
}

// A crash report is kept back whole, until somebody asks for it or it grows too long; what came before is not.
func TestHold(t *testing.T) {
	never := func() { t.Error("released by time") }
	h := hold{memory: &memory{}, allowed: true}
	if before, kept := h.keep([]byte("fine\n"), never); string(before) != "fine\n" || !kept || h.holding {
		t.Errorf("passed on %q, kept %v", before, kept)
	}
	if before, _ := h.keep([]byte("still fine\npanic: no\n"), never); string(before) != "still fine\n" || !h.holding {
		t.Errorf("passed on %q", before)
	}
	if before, _ := h.keep([]byte("\ngoroutine 1\n"), never); len(before) != 0 {
		t.Errorf("passed on %q of the report", before)
	}
	if got := string(h.letGo()); got != "panic: no\n\ngoroutine 1\n" {
		t.Errorf("kept %q", got)
	}
	if got := h.letGo(); got != nil {
		t.Errorf("gave %q twice", got)
	}
	h.keep([]byte("fatal error: again\n"), never)
	if _, kept := h.keep([]byte(strings.Repeat("x\n", lineMax)), never); kept {
		t.Error("keeps a report without end")
	}
	h.letGo()

	h = hold{memory: &memory{}}
	if before, _ := h.keep([]byte("panic: into a file\n"), never); len(before) == 0 || h.holding {
		t.Error("kept back from a file of the rank's own")
	}
}
