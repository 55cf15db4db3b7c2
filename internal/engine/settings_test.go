package engine

import (
	"testing"

	"github.com/weft-mpi/weft/internal/tune"
)

// Zero values stand for the defaults, and settings change what they name.
func TestSettings(t *testing.T) {
	want, got := Defaults(), Config{UnexpectedMax: Defaults().UnexpectedMax}.withDefaults()
	if got.SpecThreshold != want.SpecThreshold || got.SpecMinSamples != want.SpecMinSamples || got.SpecWindow != want.SpecWindow ||
		got.MaxUnusedRTR != want.MaxUnusedRTR || got.RoundTrip != want.RoundTrip || got.NoAdapt || got.HoldDone || got.NoInitialProgress {
		t.Errorf("%+v, want %+v", got, want)
	}
	c := Defaults()
	_, unknown, err := tune.Read([]tune.Group{c.Settings()}, []string{"WEFT_UNEXPECTED=64K", "WEFT_LAB_SPEC_THRESHOLD=0", "WEFT_LAB_SPEC_SCOPE=process",
		"WEFT_LAB_SPEC_CHAIN=off", "WEFT_LAB_SPEC_INITIAL=off", "WEFT_LAB_SPEC_RTT=1us"})
	if err != nil || len(unknown) > 0 || c.UnexpectedMax != 64<<10 || !c.NoAdapt || c.SpecScope != PerProcess || !c.HoldDone || !c.NoInitialProgress || c.RoundTrip != 1000 {
		t.Errorf("%+v, unknown %q, %v", c, unknown, err)
	}
	for _, bad := range []string{"WEFT_LAB_SPEC_WINDOW=65", "WEFT_LAB_SPEC_SAMPLES=0", "WEFT_LAB_SPEC_THRESHOLD=101%", "WEFT_UNEXPECTED=-1"} {
		if _, _, err := tune.Read([]tune.Group{c.Settings()}, []string{bad}); err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
}
