package tune

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

// things are one of every kind that can be set.
type things struct {
	size, length, n int
	part            float64
	long            time.Duration
	short           int64
	yes, no         bool
	word, text      string
	kind            uint8
	twice           int
}

func (x *things) table() []Group {
	check := func(words string) error {
		if words == "wrong" {
			return errors.New("must be right")
		}
		return nil
	}
	return []Group{{"first", []Row{
		Bytes("WEFT_SIZE_OF", &x.size, 10, 1<<30, "bytes"),
		BytesOrAuto("WEFT_LAB_LENGTH", &x.length, 0, 1<<20, "bytes, or auto"),
		Then(Count("WEFT_COUNT", &x.n, 1, 100, "a number"), func() { x.twice = 2 * x.n }),
		Share("WEFT_PART", &x.part, "a share"),
	}}, {"second", []Row{
		Time("WEFT_LONG", &x.long, "a time"),
		Time("WEFT_SHORT", &x.short, "nanoseconds"),
		Switch("WEFT_YES", &x.yes, "on or off"),
		Unless("WEFT_NO", &x.no, "on or off, in other words"),
		Alike(Word("WEFT_WORD", &x.word, "a word", "this", "that")),
		Enum("WEFT_LAB_KIND", &x.kind, []string{"zero", "one"}, "a constant"),
		Text("WEFT_TEXT", &x.text, check, "a text"),
	}}}
}

var start = things{size: 1536 << 10, length: Auto, n: 7, part: 0.25, long: time.Minute, short: 20_500, yes: true, no: true, word: "this", kind: 1}

// value finds a setting.
func (v Values) value(t *testing.T, name string) Info {
	t.Helper()
	i := slices.Index(v.Names(), name)
	if i < 0 {
		t.Fatalf("there is no %s", name)
	}
	return v[i]
}

// What options hold is the default, in words that mean the same.
func TestDefaultsAreWhatOptionsHold(t *testing.T) {
	x := start
	values, unknown, err := Read(x.table(), nil)
	if err != nil || len(unknown) > 0 || x != start {
		t.Fatal(x, unknown, err)
	}
	want := []string{"1536K", "auto", "7", "25%", "60s", "20500ns", "on", "off", "this", "one", ""}
	var env []string
	for i, v := range values {
		if v.Default != want[i] || v.Value != want[i] || v.Origin != "default" {
			t.Errorf("%+v, want %s", v, want[i])
		}
		env = append(env, v.Name+"="+v.Default)
	}
	if _, _, err := Read(x.table(), env); err != nil {
		t.Fatal(err)
	}
	if x.twice = 0; x != start {
		t.Errorf("%+v", x)
	}
}

func TestReadTakesAndExplains(t *testing.T) {
	x := start
	values, unknown, err := Read(x.table(), []string{"WEFT_SIZE_OF=64k", "WEFT_LAB_LENGTH=1K", "WEFT_COUNT=9", "WEFT_PART=0.5", "WEFT_LONG=2", "WEFT_SHORT=1.5us",
		"WEFT_YES=off", "WEFT_NO=on", "WEFT_WORD=that", "WEFT_LAB_KIND=zero", "WEFT_TEXT=x=y", "WEFT_TYPO=1", "WEFT_RANK=3", "PATH=/bin"})
	if want := (things{64 << 10, 1 << 10, 9, 0.5, 2 * time.Second, 1500, false, false, "that", "x=y", 0, 18}); err != nil || x != want {
		t.Errorf("%+v %v, want %+v", x, err, want)
	}
	if !slices.Equal(unknown, []string{"WEFT_TYPO"}) {
		t.Errorf("unknown %v", unknown)
	}
	if i := values.value(t, "WEFT_LONG"); i != (Info{"second", "WEFT_LONG", "2s", "60s", "environment", false, "a time"}) {
		t.Errorf("%+v", i)
	}
	if i := values.value(t, "WEFT_SIZE_OF"); i.Value != "64K" { // ranks that mean the same say the same
		t.Errorf("%+v", i)
	}
}

// A value that makes no sense is named, with what would, and changes nothing.
func TestGarbageIsNamed(t *testing.T) {
	for _, bad := range []string{"WEFT_LONG=soon", "WEFT_LONG=-1s", "WEFT_LONG=2562047h", "WEFT_WORD=yes", "WEFT_WORD=", "WEFT_SIZE_OF=-1", "WEFT_SIZE_OF=9", "WEFT_SIZE_OF=1T",
		"WEFT_SIZE_OF=lots", "WEFT_SIZE_OF=", "WEFT_SIZE_OF=auto", "WEFT_YES=1", "WEFT_NO=never", "WEFT_LAB_KIND=two", "WEFT_COUNT=0", "WEFT_COUNT=101", "WEFT_PART=2", "WEFT_PART=-1%",
		"WEFT_TEXT=wrong"} {
		x := start
		values, _, err := Read(x.table(), []string{bad})
		name, words, _ := strings.Cut(bad, "=")
		if !errors.Is(err, ErrBad) || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), words) || !strings.Contains(err.Error(), "must be") {
			t.Errorf("%s: %v", bad, err)
		}
		if x != start || values.value(t, name).Value != words {
			t.Errorf("%s: %+v", bad, x)
		}
	}
}

func TestKindsOfSettings(t *testing.T) {
	x := start
	values, _, err := Read(x.table(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := values.Alike().Names(); !slices.Equal(got, []string{"WEFT_WORD"}) {
		t.Errorf("to be alike: %q", got)
	}
	if got := values.Lab().Names(); !slices.Equal(got, []string{"WEFT_LAB_LENGTH", "WEFT_LAB_KIND"}) {
		t.Errorf("of the lab: %q", got)
	}
	if got := len(values.Public()); got != len(values)-2 {
		t.Errorf("%d are public", got)
	}
	if got := values.NewName("WEFT_LENGTH"); got != "WEFT_LAB_LENGTH" || values.NewName("WEFT_COUNT") != "" || values.NewName("WEFT_X") != "" {
		t.Errorf("new name %q", got)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("WEFT_LONG", "1h")
	f.Add("WEFT_SIZE_OF", "3GiB")
	f.Add("WEFT_PART", "3.5%")
	f.Fuzz(func(t *testing.T, name, words string) {
		x := start
		values, _, err := Read(x.table(), []string{name + "=" + words})
		if x.size < 10 || x.n < 1 || x.long < 0 || x.short < 0 || !(x.part >= 0 && x.part <= 1) || x.length < Auto {
			t.Errorf("%s=%s: %+v", name, words, x)
		}
		for _, i := range values { // what a row says of itself, it takes
			if _, _, again := Read(x.table(), []string{i.Name + "=" + i.Value}); err == nil && again != nil {
				t.Error(again)
			}
		}
	})
}
