package iwarp

import (
	"encoding/hex"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// vector is one frame of testdata/vectors.txt.
type vector struct {
	kind, maker, name string
	pos               uint64 // of kind marked
	bytes             []byte
}

// readVectors parses the file and returns its blocks in order.
func readVectors(t testing.TB) []vector {
	t.Helper()
	text, err := os.ReadFile("testdata/vectors.txt")
	if err != nil {
		t.Fatal(err)
	}
	var all []vector
	for i, line := range strings.Split(string(text), "\n") {
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || words[0][0] == '#':
		case line[0] != ' ' && len(words) == 3:
			v := vector{kind: words[0], maker: words[1], name: words[2]}
			if kind, pos, ok := strings.Cut(v.kind, "@"); ok {
				if v.pos, err = strconv.ParseUint(pos, 10, 64); err != nil {
					t.Fatalf("vectors.txt:%d: %v", i+1, err)
				}
				v.kind = kind
			}
			all = append(all, v)
		case line[0] == ' ' && len(all) > 0:
			last := &all[len(all)-1]
			for _, w := range words {
				last.bytes = append(last.bytes, vectorBytes(t, i+1, w)...)
			}
		default:
			t.Fatalf("vectors.txt:%d: neither a title nor bytes: %q", i+1, line)
		}
	}
	return all
}

// vectorBytes decodes one word of a line: a group separator, a repeated byte or plain hexadecimal.
func vectorBytes(t testing.TB, line int, word string) []byte {
	t.Helper()
	if word == "|" {
		return nil
	}
	digits, times, repeated := strings.Cut(word, "*")
	b, err := hex.DecodeString(digits)
	if err != nil {
		t.Fatalf("vectors.txt:%d: %v", line, err)
	}
	if !repeated {
		return b
	}
	n, err := strconv.Atoi(times)
	if err != nil {
		t.Fatalf("vectors.txt:%d: %v", line, err)
	}
	return slices.Repeat(b, n)
}

// vectorsOf returns the vectors of the given kinds; there must be some.
func vectorsOf(t testing.TB, kinds ...string) []vector {
	t.Helper()
	some := slices.DeleteFunc(readVectors(t), func(v vector) bool { return !slices.Contains(kinds, v.kind) })
	if len(some) == 0 {
		t.Fatalf("no vectors of kind %v", kinds)
	}
	return some
}

// expect returns what each of the vectors is expected to be, and complains where one of the two is missing.
func expect[T any](t *testing.T, vectors []vector, want map[string]T) func(yield func(vector, T) bool) {
	t.Helper()
	names := map[string]bool{}
	for _, v := range vectors {
		names[v.name] = true
		if _, ok := want[v.name]; !ok {
			t.Errorf("%s: the test does not know this vector", v.name)
		}
	}
	for name := range want {
		if !names[name] {
			t.Errorf("%s: vectors.txt does not have it", name)
		}
	}
	return func(yield func(vector, T) bool) {
		for _, v := range vectors {
			if w, ok := want[v.name]; ok && !yield(v, w) {
				return
			}
		}
	}
}

// TestVectorsAreAllUsed: every block is of a kind that some test reads, and has a name of its own.
func TestVectorsAreAllUsed(t *testing.T) {
	names := map[string]bool{}
	for _, v := range readVectors(t) {
		if !slices.Contains([]string{"start", "fpdu", "fpdu-nocrc", "head", "marked", "datagram"}, v.kind) {
			t.Errorf("%s: nobody reads kind %q", v.name, v.kind)
		}
		if names[v.name] {
			t.Errorf("%s: two vectors have this name", v.name)
		}
		names[v.name] = true
	}
}
