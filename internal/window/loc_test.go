package window

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"testing"
	"unsafe"

	"pgregory.net/rapid"

	"github.com/weft-mpi/weft/internal/datatype"
)

// checkLoc holds both reductions of values of type T against a model, in memory that is aligned and in
// memory that is not.
func checkLoc[T cmp.Ordered](t *testing.T, kind datatype.Kind, values *rapid.Generator[T]) {
	checkLocs(t, kind, values, rapid.IntRange(0, 3), MinLoc, MaxLoc)
}

func checkLocs[T, I cmp.Ordered](t *testing.T, kind datatype.Kind, values *rapid.Generator[T], places *rapid.Generator[I], low, high Reduction) {
	t.Run(fmt.Sprint(kind, low), func(t *testing.T) {
		element := rapid.Custom(func(t *rapid.T) located[T, I] {
			return located[T, I]{values.Draw(t, "value"), places.Draw(t, "index")}
		})
		rapid.Check(t, func(t *rapid.T) {
			n, skip := rapid.IntRange(0, 5).Draw(t, "elements"), rapid.IntRange(0, 3).Draw(t, "misaligned by")
			there, comes := rapid.SliceOfN(element, n, n).Draw(t, "there"), rapid.SliceOfN(element, n, n).Draw(t, "comes")
			for _, op := range []Reduction{low, high} {
				f := Fold{op, kind}
				if !f.Valid() || f.size() != int(unsafe.Sizeof(located[T, I]{})) {
					t.Fatalf("%v: valid %v, %d bytes", f, f.Valid(), f.size())
				}
				mem, src := append(make([]byte, skip), rawBytes(there)...)[skip:], append(make([]byte, skip), rawBytes(comes)...)[skip:]
				f.into(mem, src)
				for i := range there {
					want := there[i]
					if op == low && comes[i].value < want.value || op == high && comes[i].value > want.value ||
						comes[i].value == want.value && comes[i].index < want.index {
						want = comes[i]
					}
					size := f.size()
					if got := mem[i*size : (i+1)*size]; !bytes.Equal(got, rawBytes([]located[T, I]{want})) {
						t.Fatalf("%v: %v with %v gives %x", f, there[i], comes[i], got)
					}
				}
			}
		})
	})
}

// rawBytes is the memory of v, with nothing in the gaps.
func rawBytes[T, I cmp.Ordered](v []located[T, I]) []byte {
	size := int(unsafe.Sizeof(located[T, I]{}))
	b := make([]byte, len(v)*size)
	for i, e := range v {
		*(*T)(unsafe.Pointer(&b[i*size])) = e.value
		*(*I)(unsafe.Pointer(&b[i*size+int(unsafe.Offsetof(e.index))])) = e.index
	}
	return b
}

// TestLoc: the reductions of values with places, of every kind that has an order.
func TestLoc(t *testing.T) {
	checkLoc(t, datatype.Int8, rapid.Int8Range(-2, 2))
	checkLoc(t, datatype.Int16, rapid.Int16Range(-2, 2))
	checkLoc(t, datatype.Int32, rapid.Int32Range(-2, 2))
	checkLoc(t, datatype.Int64, rapid.Int64Range(-2, 2))
	checkLoc(t, datatype.Uint8, rapid.SampledFrom([]uint8{0, 1, 200, 255}))
	checkLoc(t, datatype.Uint16, rapid.SampledFrom([]uint16{0, 1, 40_000, 1<<16 - 1}))
	checkLoc(t, datatype.Uint32, rapid.SampledFrom([]uint32{0, 1, 1 << 31, 1<<32 - 1}))
	checkLoc(t, datatype.Uint64, rapid.SampledFrom([]uint64{0, 1, 1 << 63, 1<<64 - 1}))
	nan := math.NaN()
	checkLoc(t, datatype.Float32, rapid.SampledFrom([]float32{-1, 0, 2, float32(nan)}))
	checkLoc(t, datatype.Float64, rapid.SampledFrom([]float64{-1, 0, 2, nan, math.Inf(-1)}))
	places := rapid.Int32Range(-1, 2)
	checkLocs(t, datatype.Int16, rapid.Int16Range(-2, 2), places, MinLocInt32, MaxLocInt32)
	checkLocs(t, datatype.Int32, rapid.Int32Range(-2, 2), places, MinLocInt32, MaxLocInt32)
	checkLocs(t, datatype.Int64, rapid.Int64Range(-2, 2), places, MinLocInt32, MaxLocInt32)
	checkLocs(t, datatype.Float32, rapid.SampledFrom([]float32{-1, 0, 2, float32(nan)}), places, MinLocInt32, MaxLocInt32)
	checkLocs(t, datatype.Float64, rapid.SampledFrom([]float64{-1, 0, 2, nan}), places, MinLocInt32, MaxLocInt32)
	checkLocs(t, datatype.Float32, rapid.SampledFrom([]float32{-1, 0, 2}), rapid.SampledFrom([]float32{0, 1.5, 3}), MinLocAlike, MaxLocAlike)
	checkLocs(t, datatype.Float64, rapid.SampledFrom([]float64{-1, 0, 2}), rapid.SampledFrom([]float64{0, 1.5, 3}), MinLocAlike, MaxLocAlike)
	for _, kind := range []datatype.Kind{datatype.Int8, datatype.Uint32, datatype.Bool, datatype.Complex64} {
		if (Fold{MinLocInt32, kind}).Valid() || (Fold{MaxLocAlike, kind}).Valid() {
			t.Errorf("there are pairs of %v", kind)
		}
	}
	for _, kind := range []datatype.Kind{datatype.Invalid, datatype.Complex64, datatype.Complex128, datatype.Bool, datatype.Bool + 1, 255} {
		if (Fold{MinLoc, kind}).Valid() || (Fold{MaxLoc, kind}).Valid() {
			t.Errorf("there is an order of %v", kind)
		}
	}
}
