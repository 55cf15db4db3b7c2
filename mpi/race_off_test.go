//go:build !race

package mpi_test

const underRace = false
