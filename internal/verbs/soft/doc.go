// Package soft is an RDMA NIC made of software: verbs over ordinary sockets, without the kernel's help and without
// cgo.
//
// RC queue pairs speak iWARP (MPA, DDP, RDMAP) on TCP, as other implementations do. UD and RD queue pairs
// speak the datagram variant that docs/building/wire.md describes, on UDP. The package owns sockets, their
// polling and the goroutine that serves peers while the program computes; the formats and the state
// machines are in iwarp, the queues and keys in nic.
//
// It promises what verbs promises; in particular nothing that arrives from a network makes it panic, and a stranger
// without the job's key changes nothing but a counter. It must not know MPI.
//
// One lock guards a device. Who polls drives it: Poll looks for traffic itself. When nobody has polled for a
// while, or the program has armed a queue, the device's own goroutine sleeps on the sockets and serves what
// arrives.
package soft
