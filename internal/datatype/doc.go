// Package datatype knows what the elements of a message are and how two of
// them become one.
//
// It owns the element kinds ([Kind]), the predefined reduction operations
// ([Op]), the kernels that apply an operation to whole buffers ([Kernel]) and
// the test whether a Go type may travel as plain bytes ([PointerFree]).
//
// It promises that a kernel gives the same answer whichever instruction set
// runs it, up to the payload and sign of a NaN, and that a kernel is safe to
// call from any number of goroutines on disjoint buffers: the package keeps no
// state that changes after start-up.
//
// Buffers are bytes in the byte order of the host; a peer with another order
// is the caller's business. The package must not know about ranks,
// communicators, packets or who owns a buffer: it works on what it is given
// and keeps nothing.
//
// On amd64 the sums, minima and maxima that dominate real reductions run in
// AVX2 or AVX-512 assembly where the processor has it. The build tag purego
// leaves the assembly out.
package datatype
