// Package regcache owns the registrations of user memory: it keeps them for the next message (lazy de-registration)
// instead of registering and closing for each.
//
// It promises that an Entry covers its buffer with at least the rights asked for from Acquire to Release, that it never
// closes one in use, that what it keeps without use stays within Config.Entries and Config.Bytes, and that a hit
// allocates nothing. It must not know who communicates, nor any device: a Registrar registers. It starts no goroutine
// and has no lock; the rail calls it under its own.
//
// # What an entry covers
//
// On a processor's pages, a C library rounds a buffer to whole pages and so shares a registration among all
// buffers on a page. Here memory is Go's, and a slice must not reach beyond its allocation: the bytes next
// to it on the page may be another object, which the slice would not keep alive. What a slice proves to
// belong to one allocation is its capacity. So an entry begins exactly where the buffer begins, and ends at
// the end of the buffer's last page, or of its capacity if that comes first. Buffers cut from one slab in
// ascending order thus share a registration per page; buffers that were allocated apart never share one.
// Config.Page 1 registers exactly what is asked for.
//
// If a buffer so extended has a byte in common with an entry, both lie in one allocation (both are alive,
// and objects do not overlap); then, and only then, memory between the first and the last byte of both may
// be put into one slice. The union is registered with the rights of both and takes the place of the old
// entry, unless it is longer than a quarter of Config.Bytes, or 16 MB, and than either part: then the buffer alone
// replaces the old entry, for a window that slides over a large array would otherwise register it again and
// again. Entries that touch but do not overlap are left apart. Entries never overlap, so one search for the
// nearest start below decides.
//
// # What an entry keeps alive
//
// Entries are found by address. That is sound only while no other object can come to that address, so an
// entry must keep its memory alive, and it does, by holding the slice. Weak pointers or cleanups would be
// of no use: the region of an open registration holds the memory too (a device must be able to serve a
// peer's Read from it), and a cleanup runs some time after the memory has been given to somebody else. What
// is kept is the whole allocation, even if a small part was sent, so counting bytes is no sufficient bound.
// Therefore an entry also goes if it has not been used from one collection of garbage to the next but one,
// as with sync.Pool: a program that collects often pays with registrations that are rare beside the
// collections; one that does not collect does not miss the memory. This is noticed at misses and by Trim,
// which costs a few nanoseconds and which the rail calls now and then.
//
// Memory that is not Go's (mapped files, shared segments) is not kept by holding a slice: who unmaps it
// calls Invalidate before.
//
// # Keys live longer than requests
//
// A peer that was given a key can use it until the entry is closed, not just until Release.
// Config.FreshKeys makes the remote key void at the last Release, while the registration stays, so that a
// late or wrong Write of a peer cannot change memory the program has back.
//
// # When it pays
//
// On the software device a registration is an entry in a table: Register and Close take 0.18 us and three
// allocations, whatever the length, a hit 16 to 60 ns and none (BenchmarkAcquire, 2-core virtual machine).
// It is made for devices that pin pages in the kernel, where registering costs microseconds and more for
// each page. A program that never uses a buffer twice pays 0.8 us per message once the cache is full,
// against 0.22 us with Config.Entries 0.
package regcache
