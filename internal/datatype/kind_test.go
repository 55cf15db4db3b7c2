package datatype

import (
	"reflect"
	"testing"
	"unsafe"
)

func TestKindOf(t *testing.T) {
	word := func(four, eight Kind) Kind {
		if unsafe.Sizeof(uintptr(0)) == 4 {
			return four
		}
		return eight
	}
	cases := map[reflect.Kind]Kind{
		reflect.Int8: Int8, reflect.Int16: Int16, reflect.Int32: Int32, reflect.Int64: Int64,
		reflect.Uint8: Uint8, reflect.Uint16: Uint16, reflect.Uint32: Uint32, reflect.Uint64: Uint64,
		reflect.Float32: Float32, reflect.Float64: Float64,
		reflect.Complex64: Complex64, reflect.Complex128: Complex128, reflect.Bool: Bool,
		reflect.Int: word(Int32, Int64), reflect.Uint: word(Uint32, Uint64), reflect.Uintptr: word(Uint32, Uint64),
	}
	for rk := reflect.Invalid; rk <= reflect.UnsafePointer+1; rk++ {
		if got, want := KindOf(rk), cases[rk]; got != want {
			t.Errorf("KindOf(%v) = %v, want %v", rk, got, want)
		}
	}
}

func TestKindNameAndSizeAreThoseOfTheGoType(t *testing.T) {
	for _, v := range []any{
		int8(0), int16(0), int32(0), int64(0), uint8(0), uint16(0), uint32(0), uint64(0),
		float32(0), float64(0), complex64(0), complex128(0), false,
	} {
		rt := reflect.TypeOf(v)
		k := KindOf(rt.Kind())
		if k.String() != rt.String() || k.Size() != int(rt.Size()) {
			t.Errorf("kind of %v: name %q, size %d; want size %d", rt, k, k.Size(), rt.Size())
		}
	}
	if Invalid.String() != "invalid" || Invalid.Size() != 0 {
		t.Errorf("Invalid: name %q, size %d", Invalid, Invalid.Size())
	}
	if k := Kind(99); k.String() != "Kind(99)" || k.Size() != 0 {
		t.Errorf("no kind: name %q, size %d", k, k.Size())
	}
}

func TestOpString(t *testing.T) {
	seen := map[string]Op{}
	for op := range Op(opCount) {
		name := op.String()
		if other, dup := seen[name]; dup || name == "" {
			t.Errorf("operation %d is named %q, as is %d", uint8(op), name, uint8(other))
		}
		seen[name] = op
	}
	if BXor.String() != "bxor" || Sum.String() != "sum" || Op(200).String() != "Op(200)" {
		t.Errorf("names: %q %q %q", BXor, Sum, Op(200))
	}
}

func TestPointerFree(t *testing.T) {
	type point struct{ X, Y float64 }
	type particle struct {
		At   point
		Past [3]point
		ID   int32
		_    [4]byte
		Live bool
	}
	type named struct {
		particle
		Name string
	}
	cases := []struct {
		value any
		want  bool
	}{
		{int(0), true}, {int8(0), true}, {uint64(0), true}, {uintptr(0), true},
		{float32(0), true}, {complex128(0), true}, {false, true},
		{[4]int{}, true}, {[0]*int{}, true}, {[2][3]bool{}, true},
		{struct{}{}, true}, {point{}, true}, {particle{}, true}, {[2]particle{}, true},
		{"", false}, {[]int{}, false}, {map[int]int{}, false}, {make(chan int), false},
		{func() {}, false}, {new(int), false}, {unsafe.Pointer(nil), false},
		{[1]*int{}, false}, {[2]string{}, false}, {named{}, false},
		{struct{ E error }{}, false}, {struct{ P *point }{}, false}, {[1]struct{ S []byte }{}, false},
		{struct{ Any [1]any }{}, false}, {nil, false},
	}
	for _, c := range cases {
		rt := reflect.TypeOf(c.value)
		if got := PointerFree(rt); got != c.want {
			t.Errorf("PointerFree(%v) = %v, want %v", rt, got, c.want)
		}
	}
	if PointerFree(reflect.TypeFor[error]()) {
		t.Error("an interface type is called pointer-free")
	}
}
