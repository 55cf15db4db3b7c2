package progress

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
)

func TestCopyPieces(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, pieceBytes - 1, pieceBytes, pieceBytes + 1, 3 * pieceBytes, 4*pieceBytes + 17} {
		src, dst := make([]byte, n), make([]byte, n+1)
		for i := range src {
			src[i] = byte(rnd.Uint32())
		}
		copyPieces(dst[:n], src)
		if !bytes.Equal(dst[:n], src) || dst[n] != 0 {
			t.Errorf("%d bytes: what was copied differs, or more was", n)
		}
	}
}

// BenchmarkCopy compares one call of copy with pieces, in memory that no cache holds.
func BenchmarkCopy(b *testing.B) {
	const all = 64 << 20
	src, dst := make([]byte, all), make([]byte, all)
	for i := range src {
		src[i], dst[i] = 1, 2
	}
	for _, n := range []int{256 << 10, 1 << 20, 4 << 20} {
		for name, move := range map[string]func(dst, src []byte){"whole": func(dst, src []byte) { copy(dst, src) }, "pieces": copyPieces} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				b.SetBytes(int64(n))
				for i := 0; b.Loop(); i++ {
					at := i * n % all
					move(dst[at:at+n], src[at:at+n])
				}
			})
		}
	}
}
