// Package boot owns bring-up and tear-down of ranks. It is the only package that knows the concrete links and
// the ways a process can have been started.
//
// It promises that a process finds its place in the job or fails with an error that says why: a launcher's
// environment that it cannot use is never taken for a single rank. Whatever it opens it closes, and a rank
// whose launcher dies ends at once.
package boot
