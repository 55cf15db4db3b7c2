package comm

import (
	"testing"

	"pgregory.net/rapid"
)

// TestCutCoversTheMessage: pieces lie one behind the other, none is empty unless the message is, and there
// are not too many; what the note tells is the same.
func TestCutCoversTheMessage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts, size := rapid.IntRange(1, 20_000).Draw(t, "parts"), rapid.IntRange(0, 10_000).Draw(t, "size")
		c := cutOf(parts*size, parts)
		c.first = rapid.IntRange(0, mostPieceTags-c.pieces).Draw(t, "first")
		end := 0
		for k := range c.pieces {
			from, to := c.bytes(k)
			if from != end || to < from || size > 0 && to == from {
				t.Fatalf("%+v: piece %d is bytes %d to %d", c, k, from, to)
			}
			if last := k == c.pieces-1; !last && to-from < pieceMin {
				t.Fatalf("%+v: piece %d has %d bytes", c, k, to-from)
			}
			end = to
		}
		if end != parts*size || c.pieces > mostPieces || c.pieces < 1 {
			t.Fatalf("%+v: %d bytes", c, end)
		}
		if got, err := parseCut(c.append(nil), parts*size); err != nil || got != c {
			t.Fatalf("%+v comes as %+v: %v", c, got, err)
		}
	})
}

// FuzzParseCut: whatever a note says, pieces lie within the message.
func FuzzParseCut(f *testing.F) {
	c := cutOf(60_000, 6)
	f.Add(c.append(nil), 60_000)
	f.Add(c.append(nil), 60_001)
	f.Add([]byte{1, 2, 3}, 0)
	f.Fuzz(func(t *testing.T, b []byte, n int) {
		n = max(n, 0) % (1 << 20)
		c, err := parseCut(b, n)
		if err != nil {
			return
		}
		end := 0
		for k := range c.pieces {
			from, to := c.bytes(k)
			if from != end || to < from || to > n {
				t.Fatalf("%+v: piece %d is bytes %d to %d of %d", c, k, from, to, n)
			}
			end = to
		}
		if end != n || pieceTag(c.first+c.pieces-1) >= -1 {
			t.Fatalf("%+v: %d of %d bytes", c, end, n)
		}
	})
}
