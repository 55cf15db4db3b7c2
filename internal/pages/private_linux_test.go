package pages

import (
	"strings"
	"testing"
)

const someMaps = `00400000-00500000 r-xp 00000000 fe:00 123 /bin/program
c000000000-c000400000 rw-p 00000000 00:00 0 [anon: Go: heap]
c000400000-c000500000 rw-p 00000000 00:00 0
c000500000-c000600000 rw-s 00001000 00:01 77 /memfd:weft (deleted)
c000600000-c000700000 r--p 00000000 00:00 0
7ff000000000-7ff000100000 rw-p 00000000 00:00 0 [stack]
`

// TestPrivate: which memory is the process's alone.
func TestPrivate(t *testing.T) {
	for _, c := range []struct {
		first, last uint64
		want        bool
	}{
		{0xc000000000, 0xc000001000, true}, {0xc0003ff000, 0xc000401000, true}, {0xc000400000, 0xc000500000, true},
		{0xc0004ff000, 0xc000501000, false}, {0xc000500000, 0xc000501000, false}, {0xc000600000, 0xc000601000, false},
		{0x400000, 0x401000, false}, {0x7ff000000000, 0x7ff000001000, false}, {0xb000000000, 0xb000001000, false},
		{0xbffffff000, 0xc000001000, false}, {0x7ff000200000, 0x7ff000201000, false},
	} {
		if got := listsPrivate(strings.NewReader(someMaps), c.first, c.last); got != c.want {
			t.Errorf("%x-%x: %v", c.first, c.last, got)
		}
	}
}

// FuzzPrivate: whatever the list looks like, nothing is taken for private that no line of it says so of.
func FuzzPrivate(f *testing.F) {
	for _, s := range []string{someMaps, "", "-", "1000-2000 rw-p 0 0 0", "1000 rw-p 0 00:00 0", "x-y rw-p 0 00:00 0", "1000-9000 rw-p 0 00:00 0 [stack:7]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, maps string) {
		if listsPrivate(strings.NewReader(maps), 0x1000, 0x2000) && !strings.Contains(maps, "rw-p") {
			t.Errorf("%q", maps)
		}
	})
}
