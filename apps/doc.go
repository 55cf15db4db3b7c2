// Package apps is what the applications below it have in common: what one is, what a rank of it is given, and
// what it finds out.
//
// The applications are the NAS Parallel Benchmarks, written anew from their specification on package mpi alone.
// They compute what the originals compute, verify it by the official values, and send what the originals send:
// so they are programs to learn from, and loads to measure with. Command run runs them.
package apps
