// Package shm owns the link between ranks that are processes of one host: one shared segment per job.
//
// The segment is an anonymous file that exists only as long as a process holds it, so it never outlives the
// job, whatever kills it. It holds, for every ordered pair of ranks, a ring of descriptors with short
// payloads inline and two byte rings for longer ones (see ring.go); for every rank a doorbell and slots for
// long messages (see single.go); and an arena for user buffers (see alloc.go). It is sparse: a pair that
// never talks costs no memory, and a rank polls only the rings of peers that have talked to it.
//
// It promises order per pair, at most one copy for messages above EagerMax where the kernel lets a process
// read another's memory (or the buffer lies in the arena), and that no message is lost or torn by a peer
// that dies. It knows nothing of matching or protocols.
package shm
