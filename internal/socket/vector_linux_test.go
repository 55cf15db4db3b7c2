package socket

import (
	"bytes"
	"runtime"
	"testing"

	"pgregory.net/rapid"
)

// contents is what a vector still holds.
func (v *Vector) contents() []byte {
	var all []byte
	for i := range v.Len() {
		all = append(all, v.Part(i)...)
	}
	return all
}

// A vector behaves like the bytes put one after another and dropped from the front.
func TestVectorAgainstBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := NewVector(rapid.IntRange(-1, 6).Draw(t, "room"))
		var twin []byte
		t.Repeat(map[string]func(*rapid.T){
			"add": func(t *rapid.T) {
				b := rapid.SliceOfN(rapid.Byte(), 0, 9).Draw(t, "bytes")
				full := len(v.parts) == cap(v.parts)
				if v.Add(b) {
					twin = append(twin, b...)
				} else if !full || len(b) == 0 {
					t.Fatal("refused though there was room")
				}
			},
			"skip": func(t *rapid.T) {
				n := rapid.IntRange(-1, 20).Draw(t, "n")
				v.Skip(n)
				twin = twin[min(max(n, 0), len(twin)):]
			},
			"reset": func(t *rapid.T) { v.Reset(); twin = nil },
			"": func(t *rapid.T) {
				if !bytes.Equal(v.contents(), twin) || v.Bytes() != len(twin) || (v.Len() == 0) != (len(twin) == 0) {
					t.Fatalf("%q, %d bytes in %d slices; want %q", v.contents(), v.Bytes(), v.Len(), twin)
				}
			},
		})
	})
}

// What a vector holds is alive; what it has passed is not held.
func TestVectorHoldsItsMemory(t *testing.T) {
	v := NewVector(2)
	freed := make(chan string, 2)
	for _, name := range []string{"first", "second"} {
		b := make([]byte, 1<<16)
		copy(b, name)
		runtime.AddCleanup(&b[0], func(n string) { freed <- n }, name)
		v.Add(b)
	}
	v.Skip(1 << 16)
	for len(freed) == 0 {
		runtime.GC()
	}
	if got := <-freed; got != "first" {
		t.Errorf("%s was freed", got)
	}
	runtime.GC()
	if got := v.contents(); string(got[:6]) != "second" {
		t.Errorf("the second slice holds %q", got[:6])
	}
	if len(freed) != 0 {
		t.Error("the second slice was freed while held")
	}
	runtime.KeepAlive(v)
}
