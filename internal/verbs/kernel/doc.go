// Package kernel is RDMA hardware behind the seam of package verbs: the devices that Linux has drivers for,
// InfiniBand and RoCE HCAs and the kernel's own software RoCE.
//
// It owns what verbs promise and drivers do not: local keys are looked at when work is posted, sends are
// counted until they are polled, work of a queue pair in Error is flushed, and both ends learn of a
// failure. It works on the interfaces of package ibv, so that a driver made of Go can stand in for a real
// one; who opens a real one imports package ffi.
//
// A queue pair in Error has no queue pair of the driver any more. Drivers differ in what they still do
// there; all of them promise that a queue pair that was destroyed touches no memory. What the driver had
// completed by then is reported as it is, and the rest is flushed here. So is a connection that ends for
// whatever reason, and numbers of RC queue pairs are the device's own.
//
// Queue pairs of a connection find each other over TCP, as in other MPIs: what one must know of the other
// travels there, proven by the job's key (package auth). The TCP connection stays open as long as the queue
// pairs are connected, because verbs tell neither that a peer is gone nor why.
//
// One lock guards a device. Who polls asks the driver directly. The device's goroutine sleeps on the
// driver's files and on TCP connections; it wakes those who wait.
package kernel
