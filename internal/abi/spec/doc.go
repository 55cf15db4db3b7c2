// Package spec is the table of MPI 5.0's application binary interface: every function with its arguments, and
// every constant with its value. What C programs see of Weft is written from it: the header, the functions that
// lead into the library, the list of symbols, the Go constants of values.go, and the faces for programs that were
// compiled for other libraries, whose values of the constants the table has, too. Names, types and values are
// facts of the standard.
//
// The package knows nothing of what the functions do.
package spec

//go:generate go run ../../../tools/abi
