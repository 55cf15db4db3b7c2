// Package perf measures what lies behind the verbs seam, between two processes: latency, bandwidth, many connections
// at once, the cost of registration, the memory of a connection; and, beside it, what plain sockets do in the same
// two processes.
//
// It owns the table of tests, the measuring loops on both ends, the control connection over which the client tells
// the server what to do, the statistics, the comparison in interleaved rounds and the bars of the suite.
//
// It promises that both ends poll without sleeping, that the data of every batch is checked after the clock has
// stopped, so that a broken transport cannot look fast, that a peer that goes away ends in an error and not in a
// hang, and that a ratio is only ever formed between batches of the same round.
//
// It must not know any concrete device (an [Opener] brings one), nor flags, terminals and files.
//
// # Words
//
// A way is one kind of connection between the two processes: queue pairs of one type, or a raw socket. A batch is
// one timed loop on a way. The client leads: it chooses ways and batches, sends first and keeps the clock. The
// server follows.
package perf
