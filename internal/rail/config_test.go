package rail

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weft-mpi/weft/internal/rail/reuse"
	"github.com/weft-mpi/weft/internal/tune"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/soft"
)

// read makes options of an environment.
func read(t *testing.T, env ...string) (Options, tune.Values) {
	t.Helper()
	o := Defaults()
	values, unknown, err := tune.Read([]tune.Group{o.Settings()}, env)
	if err != nil || len(unknown) > 0 {
		t.Fatal(env, unknown, err)
	}
	return o, values
}

// functions are compared by whether there is one.
var functions = cmp.Comparer(func(a, b func() reuse.Thresholds) bool { return (a == nil) == (b == nil) })

// The defaults are values that settings can have, and mean what they say.
func TestDefaults(t *testing.T) {
	_, values := read(t)
	var all []string
	for _, i := range values {
		all = append(all, i.Name+"="+i.Default)
	}
	got, again := read(t, all...)
	if diff := cmp.Diff(Defaults(), got, functions); diff != "" {
		t.Errorf("what the settings say by default (+) is not the default (-):\n%s", diff)
	}
	for _, i := range again {
		if i.Value != i.Default {
			t.Errorf("%s=%s is read as %s", i.Name, i.Default, i.Value)
		}
	}
}

// A channel that the device cannot carry is refused, with a word about what to do.
func TestChannelOfAnotherDevice(t *testing.T) {
	dev, err := soft.Open(soft.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	cfg := Config{Options: Defaults(), Device: dev, Size: 1}
	cfg.Channel = XRC
	if _, err := New(cfg); !errors.Is(err, verbs.ErrUnsupported) || !strings.Contains(err.Error(), "WEFT_CHANNEL") {
		t.Error(err)
	}
}

// What is left to the device is decided when the link is made.
func TestSettle(t *testing.T) {
	o := Defaults()
	o.settle()
	if o.Vbuf != plainVbuf || o.EagerAlone != 0 || o.Unasked != 0 || o.Prefix != 0 || o.Quiet != 30e9 || o.Flow.Credit != 0 {
		t.Errorf("by default: %+v", o)
	}
	o = Defaults()
	o.Channel, o.NoReconnect, o.Prefix, o.Vbuf = SR, true, 1<<20, 2000
	o.settle()
	if o.Vbuf != 2000 || o.Prefix != o.EagerMax || o.Quiet != 0 || o.Flow.Credit != o.SRFirst {
		t.Errorf("chosen: %+v", o)
	}
}

// Some settings stand for more than one field, or for none that looks like them.
func TestSettings(t *testing.T) {
	o, values := read(t, "WEFT_CHANNEL=hybrid", "WEFT_PORTS=20000-20100", "WEFT_LAB_UD_TIMEOUT=1s", "WEFT_LAB_REUSE_COSTS=paper", "WEFT_LAB_REUSE_TABLE=tree",
		"WEFT_LAB_PLACE=off", "WEFT_LAB_VBUF=auto")
	if o.Channel != Hybrid || o.Ports != [2]uint16{20000, 20100} || o.Flow.Timeout != 1e9 || o.Flow.MinTimeout != 1e7 || o.Reuse.Thresholds == nil ||
		o.Reuse.Index != reuse.Tree || !o.NoPlace || o.Vbuf != tune.Auto {
		t.Errorf("%+v", o)
	}
	if i := values[slices.Index(values.Names(), "WEFT_PORTS")]; i.Value != "20000-20100" || i.Default != "" {
		t.Errorf("%+v", i)
	}
	if o, _ = read(t, "WEFT_PORTS=77"); o.Ports != [2]uint16{77, 77} || o.formatPorts() != "77" {
		t.Errorf("one port: %v", o.Ports)
	}
	for _, bad := range []string{"WEFT_PORTS=0", "WEFT_PORTS=5-4", "WEFT_PORTS=1-70000", "WEFT_CHANNEL=", "WEFT_LAB_VBUF=100", "WEFT_LAB_RC_MAX=-1", "WEFT_LAB_REUSE_SPEC=200%"} {
		o := Defaults()
		if _, _, err := tune.Read([]tune.Group{o.Settings()}, []string{bad}); err == nil || !cmp.Equal(o, Defaults(), functions) {
			t.Errorf("%s: %v, %+v", bad, err, o)
		}
	}
}
