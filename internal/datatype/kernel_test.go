package datatype

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A namedTable is one way this machine can reduce.
type namedTable struct {
	name    string
	kernels *table
}

// everyTable lists the portable kernels and what each acceleration makes of
// them, so that a machine with AVX-512 still tests its AVX2 kernels.
func everyTable() []namedTable {
	list := []namedTable{{"portable", portableTable()}}
	current := *portableTable()
	for _, a := range accelerations() {
		a.apply(&current)
		snapshot := current
		list = append(list, namedTable{a.name, &snapshot})
	}
	return list
}

// forEachDefined calls f for every operation and kind that has a kernel.
func forEachDefined(f func(op Op, k Kind)) {
	for op := range Op(opCount) {
		for k := range Kind(kindCount) {
			if _, ok := Kernel(op, k); ok {
				f(op, k)
			}
		}
	}
}

// specials are the bit patterns that break careless kernels, at the width of
// one part of an element (half of a complex number).
var (
	specials32 = []uint32{
		0, 1 << 31, 1, 1<<31 | 1, math.MaxUint32, math.MaxInt32, 0x7f800001, 0xffc00123,
		math.Float32bits(1), math.Float32bits(-1), math.Float32bits(math.MaxFloat32),
		math.Float32bits(float32(math.Inf(1))), math.Float32bits(float32(math.Inf(-1))),
		math.Float32bits(float32(math.NaN())),
	}
	specials64 = []uint64{
		0, 1 << 63, 1, 1<<63 | 1, math.MaxUint64, math.MaxInt64, 0x7ff0000000000001, 0xfff8000000000123,
		math.Float64bits(1), math.Float64bits(-1), math.Float64bits(math.MaxFloat64),
		math.Float64bits(math.Inf(1)), math.Float64bits(math.Inf(-1)), math.Float64bits(math.NaN()),
	}
)

// partSize is the width of the numbers an element is made of.
func partSize(k Kind) int {
	if k == Complex64 || k == Complex128 {
		return k.Size() / 2
	}
	return k.Size()
}

// appendPart appends the low bytes of v as one part of an element of kind k.
func appendPart(b []byte, k Kind, v uint64) []byte {
	switch partSize(k) {
	case 1:
		return append(b, byte(v))
	case 2:
		return binary.NativeEndian.AppendUint16(b, uint16(v))
	case 4:
		return binary.NativeEndian.AppendUint32(b, uint32(v))
	}
	return binary.NativeEndian.AppendUint64(b, v)
}

// special gives the i-th special pattern for k, counting round.
func special(k Kind, i int) uint64 {
	switch partSize(k) {
	case 8:
		return specials64[i%len(specials64)]
	case 4:
		return uint64(specials32[i%len(specials32)])
	case 2:
		return []uint64{0, 1, 2, 1 << 15, 1<<15 - 1, 1<<16 - 1, 0x3c00, 0x7bff, 0x7c00, 0xfc00, 0x3f80, 0x7f7f}[i%12]
	}
	return []uint64{0, 1, 2, 1 << 7, 1<<7 - 1, 1<<8 - 1}[i%6]
}

// fill makes n elements, one part in three special.
func fill(rng *rand.Rand, k Kind, n int) []byte {
	var b []byte
	for range n * k.Size() / partSize(k) {
		v := rng.Uint64()
		if rng.IntN(3) == 0 {
			v = special(k, rng.IntN(64))
		}
		b = appendPart(b, k, v)
	}
	return b
}

// diff describes the first part where got and want differ, "" if none does.
// Two NaNs are equal whatever their bits.
func diff(k Kind, got, want []byte) string {
	step := partSize(k)
	for i := 0; i < len(want); i += step {
		g, w := got[i:i+step], want[i:i+step]
		if !bytes.Equal(g, w) && !(isNaN(k, g) && isNaN(k, w)) {
			return fmt.Sprintf("element %d: got %x, want %x (native byte order)", i/k.Size(), g, w)
		}
	}
	return ""
}

func isNaN(k Kind, part []byte) bool {
	switch k {
	case Float32, Complex64:
		f := math.Float32frombits(binary.NativeEndian.Uint32(part))
		return f != f
	case Float16, BFloat16:
		half := halves[k]
		return isNaN64(half.value(binary.NativeEndian.Uint16(part)))
	case Float64, Complex128:
		f := math.Float64frombits(binary.NativeEndian.Uint64(part))
		return f != f
	}
	return false
}

const guard = 0xa5

// runAt runs fn on copies of dst and src that start the given number of bytes
// after an allocation and are fenced by guard bytes. It returns the result, and
// an error if fn touched a fence or src.
func runAt(fn kernel, dst, src []byte, dstOffset, srcOffset int) ([]byte, error) {
	fence := func(b []byte, offset int) (whole, inner []byte) {
		whole = bytes.Repeat([]byte{guard}, offset+len(b)+64)
		inner = whole[offset : offset+len(b)]
		copy(inner, b)
		return whole, inner
	}
	dstWhole, d := fence(dst, dstOffset)
	srcWhole, s := fence(src, srcOffset)
	srcBefore := bytes.Clone(srcWhole)
	fn(d, s)
	if !bytes.Equal(srcWhole, srcBefore) {
		return d, fmt.Errorf("the kernel wrote to src")
	}
	result := bytes.Clone(d)
	for i := range d {
		d[i] = guard
	}
	for i, b := range dstWhole {
		if b != guard {
			return result, fmt.Errorf("the kernel wrote %d bytes from the start of dst", i-dstOffset)
		}
	}
	return result, nil
}

func TestKernelMatchesNaiveAtEveryLength(t *testing.T) {
	tables := everyTable()
	forEachDefined(func(op Op, k Kind) {
		rng := rand.New(rand.NewPCG(uint64(op), uint64(k)))
		for n := range 301 {
			dst, src := fill(rng, k, n), fill(rng, k, n)
			want := bytes.Clone(dst)
			if !naiveFold(op, k, want, src) {
				t.Fatalf("%v of %v has a kernel but is not defined", op, k)
			}
			// Aligned, one element off, and (every 7th length) one byte off.
			offsets := [][2]int{{0, 0}, {k.Size(), 0}, {8, 3 * k.Size()}}
			if n%7 == 0 {
				offsets = append(offsets, [2]int{1, 0}, [2]int{0, 3}, [2]int{5, 5})
			}
			for _, table := range tables {
				for _, o := range offsets {
					got, err := runAt(table.kernels[op][k], dst, src, o[0], o[1])
					if err != nil {
						t.Fatalf("%s %v of %d %v at offsets %v: %v", table.name, op, n, k, o, err)
					}
					if d := diff(k, got, want); d != "" {
						t.Fatalf("%s %v of %d %v at offsets %v: %s", table.name, op, n, k, o, d)
					}
				}
			}
		}
	})
}

// Every special value meets every other, in several lanes of a vector.
func TestKernelSpecialPairs(t *testing.T) {
	tables := everyTable()
	forEachDefined(func(op Op, k Kind) {
		var dst, src []byte
		count := len(specials64)
		for lane := range 3 {
			for i := range count {
				for j := range count {
					dst = appendPart(dst, k, special(k, i))
					src = appendPart(src, k, special(k, j))
				}
			}
			for range lane*2 + 1 { // shift the pairs to other lanes
				dst, src = appendPart(dst, k, 1), appendPart(src, k, 1)
			}
		}
		whole := len(dst) / k.Size() * k.Size()
		dst, src = dst[:whole], src[:whole]
		want := bytes.Clone(dst)
		naiveFold(op, k, want, src)
		for _, table := range tables {
			got := bytes.Clone(dst)
			table.kernels[op][k](got, src)
			if d := diff(k, got, want); d != "" {
				t.Errorf("%s %v of %v: %s", table.name, op, k, d)
			}
		}
	})
}

func TestKernelMatchesNaiveOnAnyInput(t *testing.T) {
	type opKind struct {
		op Op
		k  Kind
	}
	var cases []opKind
	forEachDefined(func(op Op, k Kind) { cases = append(cases, opKind{op, k}) })
	tables := everyTable()
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.SampledFrom(cases).Draw(t, "operation and kind")
		op, k := c.op, c.k
		part := rapid.OneOf(
			rapid.Uint64(),
			rapid.Map(rapid.IntRange(0, 63), func(i int) uint64 { return special(k, i) }),
		)
		parts := rapid.IntRange(0, 300).Draw(t, "elements") * (k.Size() / partSize(k))
		var dst, src []byte
		for range parts {
			dst = appendPart(dst, k, part.Draw(t, "dst"))
			src = appendPart(src, k, part.Draw(t, "src"))
		}
		dstOffset := rapid.IntRange(0, 64).Draw(t, "dst offset")
		srcOffset := rapid.IntRange(0, 64).Draw(t, "src offset")
		want := bytes.Clone(dst)
		naiveFold(op, k, want, src)
		for _, table := range tables {
			got, err := runAt(table.kernels[op][k], dst, src, dstOffset, srcOffset)
			if err != nil {
				t.Fatalf("%s %v of %v: %v", table.name, op, k, err)
			}
			if d := diff(k, got, want); d != "" {
				t.Fatalf("%s %v of %v: %s", table.name, op, k, d)
			}
		}
	})
}

func FuzzKernel(f *testing.F) {
	f.Add(uint8(Sum), uint8(Float64), uint8(0), bytes.Repeat([]byte{0x3f, 0xf0, 0, 1}, 100))
	f.Add(uint8(Max), uint8(Float32), uint8(4), bytes.Repeat([]byte{0, 0, 0xc0, 0x7f, 0, 0, 0, 0x80, 0, 0, 0, 0}, 50))
	f.Add(uint8(Min), uint8(Int64), uint8(8), bytes.Repeat([]byte{0xff, 0, 0x80, 0x7f, 1}, 97))
	f.Add(uint8(LXor), uint8(Bool), uint8(1), []byte{0, 1, 2, 255, 0, 0})
	f.Add(uint8(BAnd), uint8(Uint16), uint8(3), bytes.Repeat([]byte{0xf0, 0x3c}, 33))
	f.Add(uint8(Prod), uint8(Complex64), uint8(2), bytes.Repeat([]byte{1, 0x80, 0x7f, 0xbf}, 40))
	tables := everyTable()
	f.Fuzz(func(t *testing.T, opByte, kindByte, offset uint8, data []byte) {
		op, k := Op(opByte), Kind(kindByte)
		if _, ok := Kernel(op, k); !ok {
			return
		}
		n := len(data) / 2 / k.Size() * k.Size()
		dst, src := data[:n], data[n:2*n]
		want := bytes.Clone(dst)
		naiveFold(op, k, want, src)
		for _, table := range tables {
			got, err := runAt(table.kernels[op][k], dst, src, int(offset), int(offset>>4))
			if err != nil {
				t.Fatalf("%s %v of %v: %v", table.name, op, k, err)
			}
			if d := diff(k, got, want); d != "" {
				t.Fatalf("%s %v of %v: %s", table.name, op, k, d)
			}
		}
	})
}

func TestKernelDefinedWhereTheTwinIs(t *testing.T) {
	for op := range Op(opCount) {
		for k := range Kind(kindCount) {
			fn, ok := Kernel(op, k)
			if want := naiveFold(op, k, nil, nil); ok != want || (fn != nil) != want {
				t.Errorf("Kernel(%v, %v) ok = %v, function present = %v, want %v", op, k, ok, fn != nil, want)
			}
		}
	}
	for _, bad := range []struct {
		op Op
		k  Kind
	}{{Op(opCount), Int8}, {255, Int8}, {Sum, Kind(kindCount)}, {Sum, 255}, {Sum, Invalid}} {
		if fn, ok := Kernel(bad.op, bad.k); ok || fn != nil {
			t.Errorf("Kernel(%v, %v) exists", bad.op, bad.k)
		}
	}
}

func TestKernelOnOneBuffer(t *testing.T) {
	for _, table := range everyTable() {
		rng := rand.New(rand.NewPCG(1, 2))
		both := fill(rng, Int64, 77)
		want := bytes.Clone(both)
		naiveFold(Sum, Int64, want, bytes.Clone(both))
		table.kernels[Sum][Int64](both, both)
		if d := diff(Int64, both, want); d != "" {
			t.Errorf("%s: %s", table.name, d)
		}
	}
}

func TestKernelRefusesBuffersThatDoNotPair(t *testing.T) {
	refused := func(fn kernel, dst, src int) (message string) {
		defer func() { message, _ = recover().(string) }()
		fn(make([]byte, dst), make([]byte, src))
		return ""
	}
	for _, table := range everyTable() {
		forEachDefined(func(op Op, k Kind) {
			fn, size := table.kernels[op][k], k.Size()
			cases := [][2]int{{64 * size, 63 * size}, {63 * size, 64 * size}, {0, size}}
			if size > 1 {
				cases = append(cases, [2]int{65*size + 1, 65*size + 1}, [2]int{size / 2, size / 2})
			}
			for _, c := range cases {
				if m := refused(fn, c[0], c[1]); !strings.HasPrefix(m, "datatype: reduction of ") {
					t.Errorf("%s %v of %v took %d and %d bytes: %q", table.name, op, k, c[0], c[1], m)
				}
			}
		})
	}
}

func TestKernelDoesNotAllocate(t *testing.T) {
	dst, src := make([]byte, 1016*16), make([]byte, 1016*16)
	forEachDefined(func(op Op, k Kind) {
		fn, _ := Kernel(op, k)
		if n := testing.AllocsPerRun(5, func() { fn(dst, src) }); n != 0 {
			t.Errorf("%v of %v: %v allocations", op, k, n)
		}
	})
}
