package tune

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestDefaultsAreGood(t *testing.T) {
	s, unknown, err := Read(nil)
	if err != nil || len(unknown) != 0 {
		t.Fatal(unknown, err)
	}
	if s.Stall != time.Minute || s.Arena != 1<<30 || !s.CMA || s.Check != "auto" {
		t.Errorf("defaults: %+v", s)
	}
}

func TestReadTakesAndExplains(t *testing.T) {
	s, unknown, err := Read([]string{"WEFT_STALL=2", "WEFT_EAGER_MAX=64k", "WEFT_TYPO=1", "WEFT_RANK=3", "PATH=/bin"})
	if err != nil || s.Stall != 2*time.Second || s.EagerMax != 65536 {
		t.Errorf("%+v %v", s, err)
	}
	if len(unknown) != 1 || unknown[0] != "WEFT_TYPO" {
		t.Errorf("unknown %v", unknown)
	}
	for _, i := range s.All() {
		want := "default"
		if i.Name == "WEFT_STALL" || i.Name == "WEFT_EAGER_MAX" {
			want = "environment"
		}
		if i.Origin != want {
			t.Errorf("%s: origin %s", i.Name, i.Origin)
		}
	}
}

func TestGarbageIsNamed(t *testing.T) {
	for _, bad := range []string{"WEFT_STALL=soon", "WEFT_STALL=-1s", "WEFT_STALL=2562047h", "WEFT_CHECK=yes", "WEFT_PROGRESS=", "WEFT_EAGER_MAX=-1",
		"WEFT_EAGER_MAX=1T", "WEFT_ARENA=lots", "WEFT_ARENA=", "WEFT_CMA=1", "WEFT_WAIT=never", "WEFT_HELP=me"} {
		_, _, err := Read([]string{bad})
		name, value, _ := strings.Cut(bad, "=")
		if !errors.Is(err, ErrBad) || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), value) {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("WEFT_STALL", "1h")
	f.Add("WEFT_ARENA", "3GiB")
	f.Fuzz(func(t *testing.T, name, value string) {
		s, _, err := Read([]string{name + "=" + value})
		if err == nil && (s.EagerMax < 0 || s.Arena < 0 || s.Stall < 0) {
			t.Errorf("%s=%s: %+v", name, value, s)
		}
	})
}

// TestAlikeNames: what must be the same on all ranks is a tunable, named once.
func TestAlikeNames(t *testing.T) {
	set, _, err := Read(nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, i := range set.Alike() {
		names = append(names, i.Name)
	}
	want := slices.Sorted(slices.Values(alike))
	if got := slices.Sorted(slices.Values(names)); !slices.Equal(got, want) {
		t.Errorf("%q are to be the same on all ranks, %q are tunables", want, got)
	}
}
