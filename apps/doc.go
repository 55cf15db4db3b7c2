// Package apps is what the applications below it have in common: what one is, what a rank of it is given, and
// what it finds out.
//
// The applications are the NAS Parallel Benchmarks, a radix sort and bodies that attract each other,
// written anew from their specification on package mpi alone. They compute what the originals compute,
// verify it by the official values, and send what the originals send: so they are programs to learn from,
// and loads to measure with. Command run runs them. With the arithmetic left out (Env.Instead) they are
// loads for models of clusters: the figures of the lab use them so.
package apps
