package shm

import (
	"testing"

	"github.com/weft-mpi/weft/internal/tune"
)

func TestSettings(t *testing.T) {
	var c Config
	values, _, err := tune.Read([]tune.Group{c.Settings()}, []string{"WEFT_LAB_EAGER_MAX=4K", "WEFT_CMA=off"})
	if err != nil || c.EagerMax != 4<<10 || !c.NoCMA || values[0].Default != "0" || values[1].Default != "on" {
		t.Errorf("%+v, %+v, %v", c, values, err)
	}
	for _, bad := range []string{"WEFT_LAB_EAGER_MAX=17M", "WEFT_CMA=yes"} {
		if _, _, err := tune.Read([]tune.Group{c.Settings()}, []string{bad}); err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
}
