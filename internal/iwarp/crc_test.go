package iwarp

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

func TestCRCKnownValue(t *testing.T) {
	sum := NewCRC().Add([]byte("123456789")).Sum()
	if got := binary.LittleEndian.AppendUint32(nil, sum); !bytes.Equal(got, []byte{0x83, 0x92, 0x06, 0xe3}) {
		t.Errorf("got % x", got)
	}
}

// TestCRCInPieces: it does not matter how the bytes are cut, nor which of the two ways adds a piece.
func TestCRCInPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.SliceOfN(rapid.Byte(), 0, 200).Draw(t, "bytes")
		cut := rapid.IntRange(0, len(b)).Draw(t, "cut")
		whole := NewCRC().Add(b)
		if got := NewCRC().Add(b[:cut]).Add(b[cut:]); got != whole {
			t.Fatalf("in two pieces %08x, whole %08x", got, whole)
		}
		if got := NewCRC().addFew(b[:cut]).addFew(b[cut:]); got != whole {
			t.Fatalf("few at a time %08x, whole %08x", got, whole)
		}
	})
}

func BenchmarkCRC(b *testing.B) {
	for _, size := range []int{64, 1448, 65507} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			data := make([]byte, size)
			b.SetBytes(int64(size))
			var c CRC
			for b.Loop() {
				c = NewCRC().Add(data)
			}
			_ = c.Sum()
		})
	}
}
