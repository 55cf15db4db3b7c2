// Package soak keeps a job busy with random messages and finds out whether every one of them arrived once,
// whole and in order. It is what "weft soak" runs as its ranks, and the mischief that "weft soak --box"
// does to the network meanwhile.
//
// It owns the plan of a round, the payloads, the rank's part in a round, the mischief, and the proof that
// the mischief was felt. All ranks derive a round's plan from the seed alone, so each knows exactly what it
// must receive; two runs with the same seed and number of ranks exchange the same messages. It promises
// that a message which is missing, doubled, damaged or out of order is named by round, ranks and number,
// and that a round which does not end is reported. It knows nothing of links, channels and protocols: it
// uses the public package mpi alone.
package soak
