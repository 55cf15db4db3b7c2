// Package team makes one device of several, so that a rank can use several adapters: their rails are its rails.
//
// It owns who of them does what. Memory is registered with all of them: it has one local key, and a remote key for each
// rail (MR.RailKey), since adapters do not agree on keys. A queue pair belongs to the device of its rail. Receives that are
// shared are dealt out to the devices, so that none lacks while another has more. Datagrams are the first device's.
//
// It promises what its devices do, with two differences: the watermark of a shared receive queue is passed when one
// device has less than its share left, and a bell rings for every completion. It knows no concrete device.
package team
