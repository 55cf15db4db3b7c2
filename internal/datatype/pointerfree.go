package datatype

import "reflect"

// PointerFree reports whether values of t hold no Go pointer, so that their
// bytes mean the same in another process and may be copied behind the back of
// the garbage collector. It is true for numbers, bool and uintptr, for arrays
// and structs made of such, and for arrays of length zero; false for
// everything else, nil included.
func PointerFree(t reflect.Type) bool {
	if t == nil {
		return false
	}
	switch t.Kind() {
	case reflect.Array:
		return t.Len() == 0 || PointerFree(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !PointerFree(t.Field(i).Type) {
				return false
			}
		}
		return true
	}
	return KindOf(t.Kind()) != Invalid
}
