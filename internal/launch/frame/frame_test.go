package frame

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// samples is a message of every kind.
var samples = []Message{
	&Setup{Job: "j", Size: 8, Hosts: 2, Node: 1, Host: "h1", Ranks: []int{4, 5, 6, 7}, Segment: true, Bind: 2, Silence: 5000},
	&Program{ID: 1, Path: "/bin/x", Name: "x", Size: 1 << 40, Sum: []byte{1, 2, 3}, Upload: true, Users: []int{1000}, Groups: []int{7, 8}},
	&Found{ID: 1, State: Differs},
	&Piece{ID: 300, Data: []byte("elf")},
	&Start{Rank: 5, Program: 1, Argv: []string{"x", "", "-v"}, Env: []string{"A=1"}, Dir: "/tmp", AnyDir: true, Stdin: true},
	&Go{}, &Started{5, 4711}, &Failed{Everyone, 127, "no such file"},
	&Data{Rank: 5, Stream: Control, Data: []byte("cmd=init\n")}, &Credit{5, Stderr, 1 << 20}, &Signal{Everyone, 15, true},
	&Exited{5, 3, 0}, &Note{"bound"}, &Ping{}, &Pause{true}, &Bye{}, &Done{},
	&Reach{9, []string{"ssh", "h2", "exec weft agent"}}, &Drop{9}, &Reached{9, 255, "no such file"},
}

func TestEveryKindComesBack(t *testing.T) {
	if len(samples) != len(kinds)-1 {
		t.Fatalf("%d samples of %d kinds", len(samples), len(kinds)-1)
	}
	var all []byte
	for i, m := range samples {
		b, err := Append(nil, m)
		if err != nil || int(b[0]) != i+1 {
			t.Fatalf("%T: kind %d, %v", m, b[0], err)
		}
		got, rest, err := Parse(b)
		if diff := cmp.Diff(m, got); err != nil || len(rest) > 0 || diff != "" {
			t.Errorf("%T: %v, %d bytes left, %s", m, err, len(rest), diff)
		}
		for cut := range b {
			if _, _, err := Parse(b[:cut]); !errors.Is(err, ErrFrame) {
				t.Errorf("%T cut to %d bytes: %v", m, cut, err)
			}
		}
		all = append(all, b...)
	}
	r := NewReader(bufio.NewReader(bytes.NewReader(all)))
	for _, m := range samples {
		got, err := r.Next()
		if diff := cmp.Diff(m, got); err != nil || diff != "" {
			t.Errorf("%T from a stream: %v, %s", m, err, diff)
		}
	}
	if _, err := r.Next(); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
}

func TestReaderBounds(t *testing.T) {
	for name, b := range map[string][]byte{
		"kind 0":         {0, 0, 0, 0, 0},
		"kind of nobody": {200, 0, 0, 0, 0},
		"long body":      {9, 0xff, 0xff, 0xff, 0xff},
		"cut header":     {9, 0},
		"cut body":       {9, 0, 0, 1, 0, 2},
		"left over":      {14, 0, 0, 0, 1, 0},
		"bad stream":     {10, 0, 0, 0, 3, 2, 20, 2},
		"bad flag":       {15, 0, 0, 0, 1, 2},
		"long number":    {15, 0, 0, 0, 2, 0x81, 0},
		"long list":      {5, 0, 0, 0, 4, 0, 0, 0xff, 0x7f},
		"long text":      {13, 0, 0, 0, 2, 5, 'a'},
	} {
		if m, err := NewReader(bufio.NewReader(bytes.NewReader(b))).Next(); !errors.Is(err, ErrFrame) {
			t.Errorf("%s: %v, %v", name, m, err)
		}
	}
	if _, err := Append(nil, &Note{strings.Repeat("x", BodyMax)}); !errors.Is(err, ErrFrame) {
		t.Errorf("a body too long: %v", err)
	}
}

// FuzzParse: what is accepted is what Append writes.
func FuzzParse(f *testing.F) {
	for _, m := range samples {
		b, err := Append(nil, m)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		m, rest, err := Parse(b)
		streamed, streamErr := NewReader(bufio.NewReader(bytes.NewReader(b))).Next()
		if (err == nil) != (streamErr == nil) {
			t.Fatalf("Parse says %v, Reader %v", err, streamErr)
		}
		if err != nil {
			return
		}
		again, err := Append(nil, m)
		if err != nil || !bytes.Equal(again, b[:len(b)-len(rest)]) {
			t.Fatalf("%x is read as %#v and written as %x, %v", b, m, again, err)
		}
		if diff := cmp.Diff(m, streamed); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestHello(t *testing.T) {
	hello := string(AppendHello(nil, Hello{Protocol, "v1.2\n\x1b"}))
	for noise, want := range map[string]string{
		"": "", "Welcome to h1\n": "Welcome to h1\n", "no newline": "no newline", strings.Repeat("x", 5000) + "\n": strings.Repeat("x", 5000) + "\n",
	} {
		in := bufio.NewReader(strings.NewReader(noise + hello + "\x0e\x00\x00\x00\x00"))
		h, got, err := ReadHello(in)
		if err != nil || got != want || h.Protocol != Protocol || h.Version != "v1.2??" {
			t.Errorf("after %.20q: %v, %.20q, %v", noise, h, got, err)
		}
		if m, err := NewReader(in).Next(); err != nil || m == nil {
			t.Errorf("after %.20q: %v, %v", noise, m, err)
		}
	}
	for _, bad := range []string{"", "bash: weft: command not found\n", "weft-agent-hello x y\n", "weft-agent-hello 1\n", "weft-agent-hello 1 v",
		strings.Repeat("all work and no play\n", noiseMax/10), strings.Repeat("x", 2*noiseMax)} {
		if h, _, err := ReadHello(bufio.NewReader(strings.NewReader(bad))); !errors.Is(err, ErrNoHello) {
			t.Errorf("%.40q: %v, %v", bad, h, err)
		}
	}
}

func FuzzHello(f *testing.F) {
	f.Add([]byte("motd\nweft-agent-hello 1 v0\nrest"))
	f.Add([]byte("weft-agent-hello 99999999999999999999 v0\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		h, noise, err := ReadHello(bufio.NewReader(bytes.NewReader(b)))
		if err == nil && (h.Protocol < 1 || !bytes.HasPrefix(b, []byte(noise))) {
			t.Fatalf("%q is read as %v after %q", b, h, noise)
		}
	})
}

// The frames that carry output are written and read without a new buffer each.
func TestDataTakesNoMemory(t *testing.T) {
	piece := Data{Rank: 3, Stream: Stdout, Data: make([]byte, PieceMax)}
	buf, err := Append(nil, &piece)
	if err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(100, func() { buf, _ = Append(buf[:0], &piece) }); n > 1 {
		t.Errorf("%v allocations to write", n)
	}
}
