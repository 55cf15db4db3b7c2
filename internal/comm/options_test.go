package comm

import (
	"testing"

	"github.com/weft-mpi/weft/internal/tune"
)

func TestOptions(t *testing.T) {
	o := Defaults()
	_, unknown, err := tune.Read([]tune.Group{o.Settings()}, []string{"WEFT_BSEND=0", "WEFT_LAB_COMM_NUMBERS=9", "WEFT_LAB_RMA_PUT=1", "WEFT_LAB_RMA_GET=2", "WEFT_LAB_RMA_COPY=3", "WEFT_LAB_RMA_MEET=off"})
	if want := (Options{0, 9, WindowEnv{1, 2, 3, false}}); err != nil || len(unknown) > 0 || o != want {
		t.Errorf("%+v, want %+v; unknown %q, %v", o, want, unknown, err)
	}
	for _, bad := range []string{"WEFT_BSEND=much", "WEFT_LAB_RMA_PUT=2G", "WEFT_LAB_RMA_MEET=1"} {
		if _, _, err := tune.Read([]tune.Group{o.Settings()}, []string{bad}); err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
}
