package abi

import (
	"errors"
	"fmt"

	"github.com/weft-mpi/weft/internal/abi/spec"
	"github.com/weft-mpi/weft/internal/comm"
	"github.com/weft-mpi/weft/internal/datatype"
	winpkg "github.com/weft-mpi/weft/internal/window"
)

// failure is an error with its class.
type failure struct {
	class int
	text  string
	on    target // the object it concerns, unless it is one of the call's arguments
}

// Error says it in one line.
func (f *failure) Error() string { return f.text }

// bad is an error of a class.
func bad(class int, format string, args ...any) error {
	return &failure{class: class, text: fmt.Sprintf(format, args...)}
}

// target names an object with an error handler.
type target struct {
	kind   kind
	handle uintptr
}

// concerning is err as one of an object.
func concerning(t target, err error) error {
	if err == nil {
		return nil
	}
	return &failure{class: classOf(err), text: err.Error(), on: t}
}

// classOf is the class of an error.
func classOf(err error) int {
	if f := (*failure)(nil); errors.As(err, &f) {
		return f.class
	}
	switch {
	case errors.Is(err, datatype.ErrLayout):
		return spec.ERR_ARG
	case errors.Is(err, winpkg.ErrAttach):
		return spec.ERR_RMA_ATTACH
	}
	return int(comm.Class(err))
}
