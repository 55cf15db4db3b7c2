//go:build cgo && linux

package main

import (
	"slices"
	"testing"

	"github.com/weft-mpi/weft/internal/abi"
)

// TestLayout: C and Go lay out alike what they share.
func TestLayout(t *testing.T) {
	if c, g := layout(), abi.GuestLayout(); !slices.Equal(c, g) {
		t.Errorf("C and Go differ:\n%v\n%v", c, g)
	}
}
