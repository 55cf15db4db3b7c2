package datatype

import (
	"fmt"
	"testing"
	"unsafe"
)

// loopSum and loopMax are the loops a program would write by hand.
func loopSum[T number](dst, src []T) {
	for i := range dst {
		dst[i] += src[i]
	}
}

func loopMax[T ordered](dst, src []T) {
	for i := range dst {
		if src[i] > dst[i] {
			dst[i] = src[i]
		}
	}
}

// BenchmarkKernel reports GB/s of the vector reduced, for every table of this
// machine and for the hand-written loop:
//
//	go test -run '^$' -bench 'Kernel/sum/float64' ./internal/datatype
func BenchmarkKernel(b *testing.B) {
	cases := []struct {
		op   Op
		k    Kind
		loop kernel
	}{
		{Sum, Float64, lift(loopSum[float64])},
		{Sum, Float32, lift(loopSum[float32])},
		{Sum, Int64, lift(loopSum[int64])},
		{Sum, Int32, lift(loopSum[int32])},
		{Max, Float64, lift(loopMax[float64])},
		{Max, Float32, lift(loopMax[float32])},
		{Max, Int64, lift(loopMax[int64])},
		{Max, Int32, lift(loopMax[int32])},
	}
	for _, c := range cases {
		for _, size := range []int{64, 1 << 10, 16 << 10, 256 << 10, 4 << 20} {
			name := fmt.Sprintf("%v/%v/%d", c.op, c.k, size)
			b.Run(name+"/loop", func(b *testing.B) { measure(b, c.loop, size) })
			for _, table := range everyTable() {
				b.Run(name+"/"+table.name, func(b *testing.B) { measure(b, table.kernels[c.op][c.k], size) })
			}
		}
	}
}

func measure(b *testing.B, fn kernel, size int) {
	dst, src := make([]byte, size), make([]byte, size)
	for b.Loop() {
		fn(dst, src)
	}
	b.ReportMetric(float64(size)*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "GB/s")
}

// BenchmarkPack reports GB/s of packed bytes, for blocks of a fixed size at equal distances, for blocks anywhere and for
// fields of a struct, beside the same loop written by hand:
//
//	go test -run '^$' -bench Pack ./internal/datatype
func BenchmarkPack(b *testing.B) {
	elem, _ := Elements(Float64, 1)
	for _, block := range []int{1, 2, 3, 8, 64} {
		for _, size := range []int{1 << 10, 64 << 10, 1 << 20} {
			n := size / 8 / block
			strided, _ := Vector(n, block, 2*block, elem)
			displs := make([]int, n)
			for i := range displs {
				displs[i] = 2*block*i + i%2
			}
			indexed, _ := IndexedBlock(block, displs, elem)
			mem, out := make([]float64, 2*block*n+2), make([]float64, n*block)
			b.Run(fmt.Sprintf("loop/%d/%d", block, size), func(b *testing.B) {
				for b.Loop() {
					for i := range n {
						copy(out[i*block:(i+1)*block], mem[2*i*block:])
					}
				}
				b.ReportMetric(float64(size)*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "GB/s")
			})
			measureShape(b, fmt.Sprintf("strided/%d/%d", block, size), mem, out, strided)
			measureShape(b, fmt.Sprintf("indexed/%d/%d", block, size), mem, out, indexed)
		}
	}
	ints, _ := Elements(Int32, 1)
	fields, _ := Struct([]int{1, 2, 1}, []int{0, 8, 36}, []*Layout{elem, elem, ints})
	fields, _ = Resized(fields, 0, 48)
	mem, out := make([]float64, 6<<10), make([]float64, 4<<10)
	items, _ := Contiguous(1<<10, fields)
	measureShape(b, "fields", mem, out, items)
}

func measureShape(b *testing.B, name string, mem, out []float64, l *Layout) {
	bytes := func(f []float64) []byte { return unsafe.Slice((*byte)(unsafe.Pointer(&f[0])), 8*len(f)) }
	s, err := In(bytes(mem), 0, 1, l)
	if err != nil {
		b.Fatal(err)
	}
	packed := bytes(out)[:s.Len()]
	for _, way := range []struct {
		name string
		f    func([]byte, int) int
	}{{"/pack", s.Pack}, {"/unpack", s.Unpack}} {
		b.Run(name+way.name, func(b *testing.B) {
			for b.Loop() {
				way.f(packed, 0)
			}
			b.ReportMetric(float64(s.Len())*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "GB/s")
		})
	}
}
