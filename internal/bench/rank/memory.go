package rank

import "unsafe"

const page = 4096

// alignedBytes returns zeroed memory that starts on a page and whose pages are all touched, as the twin's are.
func alignedBytes(n int) []byte {
	b := make([]byte, n+2*page)
	skip := (page - int(uintptr(unsafe.Pointer(&b[0]))%page)) % page
	b = b[skip : skip+n+page]
	for i := 0; i < len(b); i += page {
		b[i] = 1
		b[i] = 0
	}
	return b[:n:n]
}

// alignedFloats is alignedBytes for n bytes worth of elements.
func alignedFloats(n int) []float32 {
	b := alignedBytes(n + 4)
	return unsafe.Slice((*float32)(unsafe.Pointer(&b[0])), n/4)
}

// byteAt is the byte that rank sends at an index in a round of checking. It is never the 0 of a cleared buffer.
func byteAt(rank, index, round int) byte { return byte(1 + (rank*31+index*7+round*53)%255) }

// floatAt is the element that rank contributes. Sums over a thousand ranks stay exact in a float32.
func floatAt(rank, index, round int) float32 { return float32((rank + 1) * (1 + (index+round)%16)) }

// sumTo is the sum of floatAt over the ranks below n.
func sumTo(n, index, round int) float32 { return float32(n * (n + 1) / 2 * (1 + (index+round)%16)) }
