package datatype

import (
	"fmt"
	"testing"
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
