// Package window owns one-sided communication: windows (memory that the ranks of a communicator let each other read and
// write), the operations on them, and the epochs that say when operations may begin and are over.
//
// It promises that an operation is checked before it moves a byte (epoch, range, alignment, rank), that
// accumulates, fetches and swaps of all ranks are atomic with each other, element by element, that those of
// one rank happen in the order in which it asked for them, and that a dead peer ends whatever waits for it
// with an error. What peers ask for in packets is checked against the window's memory before anything is
// touched.
//
// # Ways
//
// How an operation travels depends on what the link to its target can do (progress.Reach):
//
//	near     the target's memory lies in our address space: ranks of one process, on one host allocated windows, and created
//	         ones over memory of the library's. Puts and gets are copies; nobody is asked.
//	copied   another process on this host: the kernel copies.
//	far      a device reads and writes the target's memory: long puts and gets between hosts.
//	packets  the target's progress loop serves it: short ones between hosts, accumulates, whatever else leads nowhere.
//
// A window whose memory is near for all of its ranks is native: accumulates fold in place under a lock in
// shared memory, and the locks of passive epochs lie there too, and so do the meetings of fences. In all
// others accumulates and locks are packets, from every rank, so that there is one mechanism per window.
//
// Buffers are bytes here, and element types exist only as far as a reduction needs them. The package knows
// no device and no link.
//
// Reading order: window.go makes and ends windows, epoch.go says what is allowed when, access.go is what an
// origin does and target.go what its packets ask for; sync.go with meet.go, group.go and lock.go are the
// three kinds of synchronisation.
package window
