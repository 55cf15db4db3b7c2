//go:build race

package mpi_test

// underRace shrinks tests whose size, not whose concurrency, is the point.
const underRace = true
