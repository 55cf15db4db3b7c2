// Package tuner measures what collective algorithms are chosen by: the numbers of a machine, and
// the algorithms themselves.
//
// Sample times trials, plans that take longer the larger one number of a machine is; Fit finds the
// numbers with which the model says that they take what they took, in several jobs, and how sure
// that is.
//
// A Study says in virtual time what the choice costs: the time of the chosen algorithm over that of the best.
//
// Measure runs on all ranks of a job, on a host, on a cluster or in virtual time, and times every
// algorithm that fits a case, in interleaved rounds. Winners and Rules turn the times of one or
// more jobs into rules for the selector of package coll. Check looks whether the chosen algorithms
// keep the order that users may expect: an allgather is not slower than a gather and a broadcast,
// and so on.
//
// Verify runs the rules that came of it against every single algorithm, in rounds of their own, and
// Contests says by the geometric mean over the sizes what choosing is worth.
//
// The package owns the measuring and the choice. It promises that rules it makes parse, that they say
// nothing about machines unlike those that were measured, and that an algorithm which is not clearly faster
// than the one in force does not replace it. It must not know how jobs are started, and starts no
// goroutines.
package tuner
