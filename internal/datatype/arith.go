package datatype

import (
	"errors"
	"fmt"
)

// ErrLayout is what all errors of layouts wrap.
var ErrLayout = errors.New("bad layout")

func badLayout(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrLayout, fmt.Sprintf(format, args...))
}

var errTooLong = badLayout("a size or displacement does not fit in %d bits", intBits)

const intBits = 32 << (^uint(0) >> 63)

// sums is arithmetic that remembers whether a result did not fit.
type sums struct{ wrapped bool }

func (s *sums) add(a, b int) int {
	c := a + b
	if (c > a) != (b > 0) && b != 0 {
		s.wrapped = true
	}
	return c
}

func (s *sums) mul(a, b int) int {
	c := a * b
	if a != 0 && (c/a != b || a == -1 && c == b && b != 0) {
		s.wrapped = true
	}
	return c
}

// err is the error of a result that did not fit.
func (s *sums) err() error {
	if s.wrapped {
		return errTooLong
	}
	return nil
}
