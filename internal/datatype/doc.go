// Package datatype knows what the elements of a message are and how two of
// them become one.
//
// It owns the element kinds ([Kind]), the predefined reduction operations
// ([Op]), the kernels that apply an operation to whole buffers ([Kernel]), the
// test whether a Go type may travel as plain bytes ([PointerFree]), and data
// that is not contiguous: where its elements lie ([Layout]), and items of such
// a layout in memory ([Shape]), which it packs and unpacks.
//
// Layouts are made as the MPI standard's derived datatypes are ([Contiguous],
// [Vector], [HVector], [Indexed], [HIndexed], [IndexedBlock], [HIndexedBlock],
// [Struct], [Subarray], [Darray], [Resized]), from [Elements] of a kind or
// [Opaque] bytes. They are trees of runs, repeats and lists, made as simple as
// they can be when they are made. A duplicate is the same layout: it never
// changes.
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
