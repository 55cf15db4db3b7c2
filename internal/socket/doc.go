// Package socket gives non-blocking TCP and UDP sockets and an epoll set, straight on system calls.
//
// It owns: file descriptors, socket addresses, gather lists, batched datagram calls, segmentation offload,
// and the set that waits for many sockets at once. A call on a socket never blocks, never enters the Go
// scheduler and never meets Go's netpoller; it does its work or answers [ErrAgain], and then nothing
// happened. The only call that may sleep is [Poller.Wait].
//
// It promises: nothing is allocated on send, receive and wait; a partial result is exact; memory handed to a
// call is read or written only during that call, and memory handed to a [Vector] or [Batch] stays reachable
// until its Reset. Errors of hot calls are ErrAgain, ErrClosed, io.EOF or a bare syscall.Errno; errors of
// opening and setting up are wrapped, with what was tried and where.
//
// One goroutine at a time uses a Listener, Conn, UDP, Vector, Batch or Inbox: the owner has a lock of its own
// around them already, and a second one here would be paid on every message. A Poller may be used by many.
// Close counts as use: whoever closes a socket makes sure that nobody else is inside a call.
//
// It must not know: what the bytes mean, who a peer is, when to try again.
//
// Addresses are [netip.AddrPort], IPv4 or IPv6 with zones; IPv4 inside IPv6 (::ffff:a.b.c.d) is taken as, and
// given back as, IPv4. Other systems than Linux compile and are refused when a socket is opened.
package socket
