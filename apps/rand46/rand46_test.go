package rand46_test

import (
	"math/big"
	"testing"

	"github.com/weft-mpi/weft/apps/rand46"
	"pgregory.net/rapid"
)

// TestNext holds the generator against numbers of any length.
func TestNext(t *testing.T) {
	a, m := big.NewInt(1220703125), new(big.Int).Lsh(big.NewInt(1), 46)
	x, s := big.NewInt(rand46.Seed), rand46.At(rand46.Seed, 0)
	for i := range 1000 {
		x.Mod(x.Mul(x, a), m)
		want, _ := new(big.Rat).SetFrac(x, m).Float64()
		if got := s.Next(); got != want {
			t.Fatalf("number %d is %v, want %v", i, got, want)
		}
	}
}

// TestAt: a jump leads where drawing leads.
func TestAt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from, n := rapid.Uint64Range(0, 1<<50).Draw(t, "from"), rapid.Uint64Range(0, 100).Draw(t, "n")
		walk := rand46.At(rand46.Seed, from)
		for range n {
			walk.Next()
		}
		if got := rand46.At(rand46.Seed, from+n); got != walk {
			t.Fatalf("a jump over %d numbers leads to %d, want %d", from+n, got, walk)
		}
	})
}
