// Package examples holds small programs for a first afternoon, in this order: hello, ring, pingpong, pi, workpool,
// heat, tally; and stuck, which hangs on purpose. Each is a directory with one program that uses the public package mpi
// alone, and says at its head what it shows and how to run it. The tutorial (docs/using/tutorial.md) walks through them.
//
// The package itself owns no code, only the test that starts all of them as real processes.
package examples
