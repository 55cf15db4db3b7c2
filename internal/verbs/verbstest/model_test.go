package verbstest_test

import (
	"testing"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/verbstest"
	"github.com/weft-mpi/weft/internal/verbs/verbstest/model"
)

// models opens devices of one fabric, spoiled by hooks.
func models(hooks model.Hooks) verbstest.Opener {
	return func(_ testing.TB, n int) []verbs.Device {
		f := model.New(hooks)
		var devs []verbs.Device
		for range n {
			devs = append(devs, f.Open())
		}
		return devs
	}
}

// TestModel holds the model to the seam, and the suite to the model.
func TestModel(t *testing.T) {
	verbstest.Run(t, models(model.Hooks{}), verbstest.Options{})
}

// TestOneDevice runs the suite with both ends on one device.
func TestOneDevice(t *testing.T) {
	verbstest.Run(t, func(_ testing.TB, n int) []verbs.Device {
		d := model.New(model.Hooks{}).Open()
		devs := make([]verbs.Device, n)
		for i := range devs {
			devs[i] = d
		}
		return devs
	}, verbstest.Options{Brief: true})
}
