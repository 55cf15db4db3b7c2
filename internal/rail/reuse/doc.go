// Package reuse owns the detection of small buffers that a program sends again and again: those are worth registering,
// so that the device takes the payload from the user's memory and the copy into a registered buffer is saved.
//
// It promises to say so from the use on which the measured costs name, never for a size where searching
// costs more than copying, and to stop counting new buffers when a program does not reuse them. It only
// counts and decides: it neither registers nor sends, and must not know who does. A use of a known buffer
// allocates nothing. It starts no goroutine and has no lock; the rail calls it under its own.
//
// # The rule
//
// Registering takes R, copying C and searching (this table and the registration cache) V. A buffer that is used n times
// more is worth registering if n > R / (C - V); for each kilobyte of length there is such a least n in Thresholds. A
// buffer is trusted (Config.Speculate) after a quarter of it.
//
// What Measure finds with the software device on a 2-core virtual machine: registering takes 0.11 us whatever the
// length, searching 0.07 us, copying 4 KB that lie in the nearest cache 0.04 us and 32 KB 1 us. So nothing below some
// 10 KB is ever worth registering there, and everything above 17 KB is from the second use on. Measuring takes 0.5 ms.
//
// # Addresses, not memory
//
// A buffer is known by the address of its first byte, as a number: the table keeps nothing alive. If the collector puts
// another object there, that inherits the count, and the worst that can happen is a registration too early. Which
// memory a registration covers is the registration cache's business, and it is exact.
//
// # Size of the table
//
// The original table has 2^20 buckets and stops growing when the first two buffers share a bucket, unless a
// fifth of all are in frequent use: by the birthday rule after some 1300 buffers. That is megabytes of
// mostly empty memory per process. Here the default is 2^12 buckets of four bytes, 16 KB, made when the
// first buffer comes; a list of up to four (Config.Chain) is no chain yet, which puts off the question
// whether to grow to some 2000 buffers. Each buffer costs 24 bytes more, and there are at most
// Config.Entries of them. Original is the table as it was.
//
// The hash is multiplicative, twice with a fold in between. A single multiplication with a sparse prime, as
// kernels once did to save shifts, sends a thousand page-aligned buffers into four lists; with the golden
// ratio there are still distances between buffers that fall into a few.
package reuse
