// Package nic holds what every RDMA NIC made of software consists of: the table of memory regions and keys,
// completion rings, receive queues, send queues, and the queue of asynchronous events.
//
// It owns their rules (what a key allows, in which order work completes, what an overflow does) and promises to
// allocate nothing once a queue has grown to its working size; queues start small, so that thousands of idle ones
// cost little. Nothing here locks: a device guards its parts with its own lock. It knows no network and no time.
package nic
