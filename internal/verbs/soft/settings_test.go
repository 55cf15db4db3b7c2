package soft

import (
	"slices"
	"testing"

	"github.com/weft-mpi/weft/internal/tune"
)

func TestSettings(t *testing.T) {
	c := Config{NoCRC: true, Silence: 5e9}
	values, _, err := tune.Read([]tune.Group{c.Settings()}, []string{"WEFT_SILENCE=100ms", "WEFT_LAB_CRC=on", "WEFT_ENCRYPT=on"})
	defaults := []string{values[0].Default, values[1].Default, values[2].Default}
	if err != nil || c.NoCRC || !c.Encrypt || c.Silence != 1e8 || !slices.Equal(defaults, []string{"5s", "off", "off"}) {
		t.Errorf("%+v, %+v, %v", c, values, err)
	}
	for _, bad := range []string{"WEFT_SILENCE=-1s", "WEFT_LAB_CRC=maybe"} {
		if _, _, err := tune.Read([]tune.Group{c.Settings()}, []string{bad}); err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
}
