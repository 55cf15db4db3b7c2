// Package abi is what C programs see of Weft, without C: MPI's functions behind one door. [Proc.Call] takes the
// number of a function and a pointer to its arguments as words, in the caller's memory, and returns an error
// code. The package owns what only the C interface has: handles, requests as objects, error handlers,
// attributes, info objects, datatypes with their envelopes. What moves bytes lies below, in comm and window.
//
// It promises that every function of the table answers: one that is missing with the class
// UNSUPPORTED_OPERATION, wrong arguments with a class of their own, and none of them with a crash, as far as
// pointers are valid.
//
// Small numbers never become Go pointers: a word is looked at as a number first (MPI_IN_PLACE is 1), and
// loaded as a pointer then. Memory that words point to is C's: nothing here keeps a Go pointer in it. Functions in C
// that do without us find pinned memory of ours by Known; see guests.go.
//
// Each chapter of the standard has a file with a table of handlers, one for each family of functions; door.go
// reads the tables. Nothing is global, so several ranks may live in one process.
package abi
