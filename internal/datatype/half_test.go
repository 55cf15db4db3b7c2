package datatype

import (
	"math"
	"sort"
	"testing"

	"pgregory.net/rapid"
)

// halfKind is one of the floats of 16 bits, as its definition has it and as the package converts it.
type halfKind struct {
	name           string
	exponent       int // bits
	to             func(uint16) float32
	from           func(float32) uint16
	infinite, ones uint16 // the code of infinity, and of the largest number
}

var halves = map[Kind]halfKind{
	Float16:  {"float16", 5, Float16To32, Float16From32, 0x7c00, 0x7bff},
	BFloat16: {"bfloat16", 8, BFloat16To32, BFloat16From32, 0x7f80, 0x7f7f},
}

// value is what a code stands for, by the definition of binary floats.
func (k *halfKind) value(code uint16) float64 {
	fraction := 15 - k.exponent
	exp, frac := int(code&0x7fff)>>fraction, int(code)&(1<<fraction-1)
	bias := 1<<(k.exponent-1) - 1
	v := math.Ldexp(float64(frac+1<<fraction), exp-bias-fraction)
	switch exp {
	case 0:
		v = math.Ldexp(float64(frac), 1-bias-fraction)
	case 1<<k.exponent - 1:
		v = math.Inf(1)
		if frac != 0 {
			v = math.NaN()
		}
	}
	if code&0x8000 != 0 {
		v = -v
	}
	return v
}

// nearest is the code of the number nearest to v, of two the even one, by looking for it.
func (k *halfKind) nearest(v float64) uint16 {
	sign := uint16(0)
	if math.Signbit(v) {
		sign, v = 0x8000, -v
	}
	if v != v {
		return sign | k.infinite | 1
	}
	up := uint16(sort.Search(int(k.infinite), func(i int) bool { return k.value(uint16(i)) >= v }))
	if up == 0 || up < k.infinite && k.value(up) == v {
		return sign | up
	}
	above := k.value(up)
	if up == k.infinite { // as if there were one more number
		above = 2*k.value(k.ones) - k.value(k.ones-1)
	}
	switch below := k.value(up - 1); {
	case v-below < above-v, v-below == above-v && up&1 == 1:
		return sign | (up - 1)
	}
	return sign | up
}

// TestHalvesConvertExactly: every code becomes the number that it stands for, and comes back.
func TestHalvesConvertExactly(t *testing.T) {
	for _, k := range halves {
		for code := range 1 << 16 {
			c := uint16(code)
			got, want := k.to(c), k.value(c)
			if want != want {
				if got == got || k.value(k.from(got)) == k.value(k.from(got)) {
					t.Fatalf("%s %#x is a NaN, got %v and back %#x", k.name, c, got, k.from(got))
				}
				continue
			}
			if float64(got) != want || math.Signbit(float64(got)) != math.Signbit(want) || k.from(got) != c {
				t.Fatalf("%s %#x is %v, got %v and back %#x", k.name, c, want, got, k.from(got))
			}
		}
	}
}

// TestHalvesRound: every float32 becomes the nearest number, those halfway between two the even one.
func TestHalvesRound(t *testing.T) {
	for _, k := range halves {
		check := func(fail func(string, ...any), f float32) {
			got, want := k.from(f), k.nearest(float64(f))
			if isNaN64(k.value(want)) && isNaN64(k.value(got)) {
				return
			}
			if got != want {
				fail("%s of %v (%#x) is %#x, want %#x", k.name, f, math.Float32bits(f), got, want)
			}
		}
		for code := range int(k.infinite) { // all that lie halfway, and their neighbours
			half := float32((k.value(uint16(code)) + k.value(uint16(code+1))) / 2)
			for _, f := range []float32{half, math.Nextafter32(half, 0), math.Nextafter32(half, half*2), -half} {
				check(t.Fatalf, f)
			}
		}
		rapid.Check(t, func(t *rapid.T) {
			check(t.Fatalf, math.Float32frombits(rapid.Uint32().Draw(t, "bits")))
			check(t.Fatalf, float32(k.value(uint16(rapid.Uint16().Draw(t, "code"))))*rapid.Float32Range(0.9, 1.1).Draw(t, "factor"))
		})
	}
}

func isNaN64(v float64) bool { return v != v }

// naiveHalf reduces in float64, where sums and products of halves are exact, or so near that they round
// alike, and rounds once.
func naiveHalf(op Op, k halfKind) func(a, b uint16) uint16 {
	exact := naiveFloat[float64](op)
	if exact == nil {
		return nil
	}
	return func(a, b uint16) uint16 { return k.nearest(exact(k.value(a), k.value(b))) }
}
