package datatype

import (
	"reflect"
	"strconv"
	"unsafe"
)

// Kind is the kind of one element of a message. The zero Kind is Invalid.
type Kind uint8

// The element kinds. Go's int, uint and uintptr are the kind of their size.
const (
	Invalid Kind = iota
	Int8
	Int16
	Int32
	Int64
	Uint8
	Uint16
	Uint32
	Uint64
	Float32
	Float64
	Complex64
	Complex128
	Bool
	Float16  // IEEE 754's half; no Go type has it
	BFloat16 // the upper half of a float32; likewise

	kindCount = int(BFloat16) + 1
)

// kindFacts holds the name and the size in bytes of each kind.
var kindFacts = [kindCount]struct {
	name string
	size int
}{
	Invalid:    {"invalid", 0},
	Int8:       {"int8", 1},
	Int16:      {"int16", 2},
	Int32:      {"int32", 4},
	Int64:      {"int64", 8},
	Uint8:      {"uint8", 1},
	Uint16:     {"uint16", 2},
	Uint32:     {"uint32", 4},
	Uint64:     {"uint64", 8},
	Float32:    {"float32", 4},
	Float64:    {"float64", 8},
	Complex64:  {"complex64", 8},
	Complex128: {"complex128", 16},
	Bool:       {"bool", 1},
	Float16:    {"float16", 2},
	BFloat16:   {"bfloat16", 2},
}

// KindCount is how many kinds there are, Invalid among them.
const KindCount = kindCount

// String gives the name of the Go type of that kind.
func (k Kind) String() string {
	if int(k) >= kindCount {
		return "Kind(" + strconv.Itoa(int(k)) + ")"
	}
	return kindFacts[k].name
}

// Size gives the bytes one element takes; 0 for Invalid and for values that
// are no Kind at all.
func (k Kind) Size() int {
	if int(k) >= kindCount {
		return 0
	}
	return kindFacts[k].size
}

// KindOf gives the element kind of a Go type's kind, and Invalid where no
// predefined operation could apply (strings, structs, pointers and so on).
// int, uint and uintptr map to the kind of their size on this machine.
func KindOf(k reflect.Kind) Kind {
	switch k {
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return Int8 + Kind(k-reflect.Int8)
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return Uint8 + Kind(k-reflect.Uint8)
	case reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return Float32 + Kind(k-reflect.Float32)
	case reflect.Bool:
		return Bool
	case reflect.Int:
		return bySize(unsafe.Sizeof(int(0)), Int32, Int64)
	case reflect.Uint:
		return bySize(unsafe.Sizeof(uint(0)), Uint32, Uint64)
	case reflect.Uintptr:
		return bySize(unsafe.Sizeof(uintptr(0)), Uint32, Uint64)
	}
	return Invalid
}

// bySize picks between the 4-byte and the 8-byte kind of a machine word.
func bySize(size uintptr, four, eight Kind) Kind {
	if size == 4 {
		return four
	}
	return eight
}

// Reflect gives the kind of the Go type of that kind; reflect.Invalid for Invalid.
func (k Kind) Reflect() reflect.Kind {
	for r := reflect.Bool; r <= reflect.Complex128; r++ {
		if r != reflect.Int && r != reflect.Uint && r != reflect.Uintptr && KindOf(r) == k {
			return r
		}
	}
	return reflect.Invalid
}
