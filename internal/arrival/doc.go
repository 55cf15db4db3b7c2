// Package arrival records when ranks come to collective operations and when they leave them, and says how
// far apart they come.
//
// A Recorder observes the communicators of one rank (comm.Env.Observer). Its clock is aligned with rank 0's
// when it starts, and the alignment carries its error bound. At the end all ranks hand their records to
// rank 0, which joins them into a Profile: one line per call, with the arrival and exit of every rank. A
// Profile is summed up per routine and call site by the imbalance factors of the literature (Qian, "Design
// and evaluation of efficient collective communications on modern interconnects and multi-core clusters",
// chapter 6): the mean distance from the mean arrival, and the distance between the first and the last,
// each divided by the time that one message of the call's length takes.
//
// The package owns the records, the alignment and the sums. It promises that the worst factor of a call is
// never below the average one, and that observing changes no result. It must not know links or algorithms,
// and prints nothing.
package arrival
