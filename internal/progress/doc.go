// Package progress owns the only loop of a rank: it serialises the engine and the links, carries out the
// engine's actions, runs plans, and puts callers to sleep and wakes them.
//
// It promises that somebody always makes progress. Who waits for a request drives the loop (it
// polls the links itself: the lowest latency); further waiters park and take over when the driver
// leaves; when nobody waits but something is pending, a background goroutine sleeps on the doorbell
// and drives while the program computes. A waiting rank polls briefly, yields, then sleeps: it
// never burns a processor that its partner needs, and learns from what comes of its polling whether
// it does. All methods may be called by any number of goroutines.
//
// It knows links only by what Link says of them, and nothing of ranks in communicators, types or reductions.
package progress
