package window

import (
	"bytes"
	"cmp"
	"math"
	"testing"
	"unsafe"

	"pgregory.net/rapid"

	"github.com/weft-mpi/weft/internal/datatype"
)

// checkLoc holds both reductions of values of type T against a model, in memory that is aligned and in
// memory that is not.
func checkLoc[T cmp.Ordered](t *testing.T, kind datatype.Kind, values *rapid.Generator[T]) {
	t.Run(kind.String(), func(t *testing.T) {
		element := rapid.Custom(func(t *rapid.T) located[T] {
			return located[T]{values.Draw(t, "value"), rapid.IntRange(0, 3).Draw(t, "index")}
		})
		rapid.Check(t, func(t *rapid.T) {
			n, skip := rapid.IntRange(0, 5).Draw(t, "elements"), rapid.IntRange(0, 3).Draw(t, "misaligned by")
			there, comes := rapid.SliceOfN(element, n, n).Draw(t, "there"), rapid.SliceOfN(element, n, n).Draw(t, "comes")
			for _, op := range []Reduction{MinLoc, MaxLoc} {
				f := Fold{op, kind}
				if !f.Valid() || f.size() != int(unsafe.Sizeof(located[T]{})) {
					t.Fatalf("%v: valid %v, %d bytes", f, f.Valid(), f.size())
				}
				mem, src := append(make([]byte, skip), rawBytes(there)...)[skip:], append(make([]byte, skip), rawBytes(comes)...)[skip:]
				f.into(mem, src)
				for i := range there {
					want := there[i]
					if op == MinLoc && comes[i].value < want.value || op == MaxLoc && comes[i].value > want.value ||
						comes[i].value == want.value && comes[i].index < want.index {
						want = comes[i]
					}
					size := f.size()
					if got := mem[i*size : (i+1)*size]; !bytes.Equal(got, rawBytes([]located[T]{want})) {
						t.Fatalf("%v: %v with %v gives %x", f, there[i], comes[i], got)
					}
				}
			}
		})
	})
}

// rawBytes is the memory of v, with nothing in the gaps.
func rawBytes[T cmp.Ordered](v []located[T]) []byte {
	size := int(unsafe.Sizeof(located[T]{}))
	b := make([]byte, len(v)*size)
	for i, e := range v {
		*(*T)(unsafe.Pointer(&b[i*size])) = e.value
		le.PutUint64(b[i*size+int(unsafe.Offsetof(e.index)):], uint64(e.index))
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
	for _, kind := range []datatype.Kind{datatype.Invalid, datatype.Complex64, datatype.Complex128, datatype.Bool, datatype.Bool + 1, 255} {
		if (Fold{MinLoc, kind}).Valid() || (Fold{MaxLoc, kind}).Valid() {
			t.Errorf("there is an order of %v", kind)
		}
	}
}
