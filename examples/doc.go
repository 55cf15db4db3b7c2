// Package examples holds small programs. Each is a directory with one program that uses the public
// package mpi alone, and says at its head what it shows and how to run it.
//
// Seven are for a first afternoon, in this order: hello, ring, pingpong, pi, workpool, heat, tally.
// The tutorial (docs/using/tutorial.md) walks through them. Eleven are closer to real work, to
// start a program of one's own from: matmul, montecarlo, plate, life, samplesort, wordcount,
// consensus, reorder, pipeline, farm, survive. One hangs on purpose, to show what is said about it: stuck.
//
// The package itself owns no code, only the test that starts all of them as real processes.
package examples
