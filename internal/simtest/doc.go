// Package simtest owns random MPI programs and what they must come to: a seed becomes a job (its shape, its
// settings, its misfortunes) and a program, the job runs in virtual time, and a reference model of message
// passing judges what every call of every rank returned.
//
// It promises that a program is a correct one, that it ends on every correct implementation whatever the order in which
// messages of different senders arrive, and that the model accepts all outcomes that the MPI standard allows and no
// others. The same seed does the same things at the same nanoseconds, so a failure is repeated, made smaller and kept.
//
// It must not know how messages travel: settings and faults are names to it, counters are read from reports.
package simtest
