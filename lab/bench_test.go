package lab

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/lab/measure"
	"github.com/weft-mpi/weft/mpi"
)

func newBench(t *testing.T, o Options) *Bench {
	t.Helper()
	b, err := NewBench(o)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestOptionsAreChecked(t *testing.T) {
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{On: "moon"}, "sim:ne020"},
		{Options{On: "sim:"}, "profile's name is missing"},
		{Options{Settings: []string{"rndv"}}, "name=value"},
		{Options{Settings: []string{"=x"}}, "name=value"},
		{Options{Settings: []string{"rndv=teleport"}}, "WEFT_RNDV"},
		{Options{Settings: []string{"warp=9"}}, "WEFT_WARP"},
	} {
		if _, err := NewBench(c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want an error with %q", c.o, err, c.want)
		}
	}
}

func TestSizes(t *testing.T) {
	if got := newBench(t, Options{}).Sizes(1, 8); !slices.Equal(got, []int{1, 2, 4, 8}) {
		t.Errorf("%v", got)
	}
	if got := newBench(t, Options{Quick: true}).Sizes(1, 100); !slices.Equal(got, []int{1, 8, 64, 100}) {
		t.Errorf("quick: %v", got)
	}
}

func TestSetups(t *testing.T) {
	all := newBench(t, Options{}).Setups("IW2", "host")
	if len(all) != 2 || all[0].On != "sim:ne020" || all[0].Label != "iWARP" || !slices.Contains(all[0].Settings, "rndv=rget") || all[1].On != Host {
		t.Errorf("%+v", all)
	}
	if own := newBench(t, Options{On: "sim:ndr"}).Setups("IW2", "host"); len(own) != 1 || own[0].On != "sim:ndr" || own[0].Settings != nil {
		t.Errorf("the user's wish: %+v", own)
	}
}

// TestHostRun: ranks see the settings of the run, and the environment is as before afterwards.
func TestHostRun(t *testing.T) {
	t.Setenv("WEFT_PROGRESS", "auto")
	b := newBench(t, Options{Settings: []string{"progress=wake"}})
	job := Job{On: Setup{On: Host}, Ranks: 2, Settings: []string{"bsend=1M", "progress=poll"}}
	var seen [2]string
	err := b.Run(t.Context(), job, func(k *measure.Rank) error {
		seen[k.World.Rank()] = os.Getenv("WEFT_BSEND") + " " + os.Getenv("WEFT_PROGRESS")
		before := k.Now()
		k.Compute(1000)
		if k.Now() <= before {
			return errors.New("time stands still")
		}
		_, err := measure.PingPong(k, 8, measure.Loops{Timed: 2})
		return err
	})
	if err != nil || seen[0] != "1M wake" || seen[1] != seen[0] {
		t.Errorf("%v, %q", err, seen)
	}
	if _, left := os.LookupEnv("WEFT_BSEND"); left || os.Getenv("WEFT_PROGRESS") != "auto" {
		t.Error("settings of the run are left behind")
	}
	r := b.NewResult("F3.3")
	b.UseHost()
	b.Finish(r)
	if len(r.Facts) < 3 || r.Version == "" || !slices.Equal(r.Platform, []string{"host"}) || !slices.Equal(r.Settings, []string{"progress=wake"}) {
		t.Errorf("%+v", r)
	}
}

// sweep measures a line of latencies in virtual time and returns it as saved.
func sweep(t *testing.T, o Options, machine string) []byte {
	t.Helper()
	b := newBench(t, o)
	r := b.NewResult("F3.3")
	s := r.AddPanel("latency", Bytes, Microseconds).Line("x")
	on := b.Setups(machine)[0]
	err := b.Run(t.Context(), Job{On: on, Ranks: 2}, func(k *measure.Rank) error {
		return measure.Sweep(k, []int{1, 4096, 1 << 20}, s.Add, func(size int) (float64, error) {
			return measure.PingPong(k, size, b.Loops(on, size))
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	b.Finish(r)
	var out bytes.Buffer
	if err := r.WriteJSON(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestVirtualTimeRepeats: the same run gives the same bytes, whatever the machine does meanwhile.
func TestVirtualTimeRepeats(t *testing.T) {
	first := sweep(t, Options{Version: "x"}, "IB1")
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if second := sweep(t, Options{Version: "x"}, "IB1"); !bytes.Equal(first, second) {
		t.Errorf("two runs differ:\n%s\n%s", first, second)
	}
	if other := sweep(t, Options{Version: "x"}, "IW1"); bytes.Equal(first, other) {
		t.Error("two networks do not differ")
	}
}

func TestSimErrors(t *testing.T) {
	b := newBench(t, Options{On: "sim:nowhere"})
	body := func(*measure.Rank) error { return nil }
	if err := b.Run(t.Context(), Job{On: b.Setups()[0], Ranks: 2}, body); !errors.Is(err, ErrPlatform) || !strings.Contains(err.Error(), "nowhere") {
		t.Errorf("a profile that there is not: %v", err)
	}
	b = newBench(t, Options{})
	on := b.Setups("IB1")[0]
	ctx, cancel := context.WithCancel(t.Context())
	err := b.Run(ctx, Job{On: on, Ranks: 2}, func(k *measure.Rank) error {
		return measure.Sweep(k, []int{1, 2}, func(x, _ float64) { cancel() }, func(size int) (float64, error) {
			return measure.PingPong(k, size, measure.Loops{Timed: 1})
		})
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled run: %v", err)
	}
	if err := b.Run(ctx, Job{On: on, Ranks: 2}, body); !errors.Is(err, context.Canceled) {
		t.Errorf("a run after the end: %v", err)
	}
	boom := errors.New("boom")
	err = b.Run(t.Context(), Job{On: on, Ranks: 2}, func(k *measure.Rank) error {
		if k.Lead() {
			return boom
		}
		_, err := mpi.Recv(k.World, make([]byte, 1), 0, 0)
		return err
	})
	if !errors.Is(err, boom) {
		t.Errorf("a rank that fails: %v", err)
	}
}

// TestWatch: a long message on a library of the MVAPICH kind is RTS, CTS, a write and its end, in this order.
func TestWatch(t *testing.T) {
	b := newBench(t, Options{})
	var rec Recorder
	err := b.Run(t.Context(), Job{On: b.Setups("IB1")[0], Ranks: 2, Watch: &rec}, func(k *measure.Rank) error {
		if err := mpi.Barrier(k.World); err != nil {
			return err
		}
		rec.Start(int64(k.Now()))
		buf := make([]byte, 100_000)
		if k.Lead() {
			defer k.Span("send")()
			return mpi.Send(k.World, buf, 1, 0)
		}
		defer k.Span("receive")()
		_, err := mpi.Recv(k.World, buf, 0, 0)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	tl := rec.Timeline("x", "rank 0", "rank 1")
	var words []string
	for _, a := range tl.Arrows {
		if a.Received <= a.Sent {
			t.Errorf("%s arrives before it leaves", a.What)
		}
		if a.What != "EAGER" {
			words = append(words, a.What)
		}
	}
	if got := strings.Join(words, " "); got != "RTS CTS write DONE" {
		t.Errorf("packets: %s", got)
	}
	if len(tl.Spans) == 0 || tl.Spans[len(tl.Spans)-1].What == "" {
		t.Errorf("spans: %+v", tl.Spans)
	}
}

func sample() *Result {
	r := &Result{ID: "F3.3", Title: "sample", Command: "weft lab run F3.3", Version: "x"}
	p := r.AddPanel("latency", Bytes, Microseconds)
	p.Line("a").Add(1, 2)
	p.Line("a").Add(1024, 4.5)
	p.Line("b").Add(1, 3)
	p.Claim("everywhere", 7)
	p.ClaimAt("here", 1, 2.5)
	r.AddTable("words", "one", "two").Add("x", "y")
	r.Note("number", 4, "us")
	r.Hold(Prediction, AtLeast("enough", 2, 3, "us"), AtMost("not too much", 2, 3, "us"))
	r.Notes = append(r.Notes, "a remark")
	return r
}

func TestSaveAndLoad(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	later, first := sample(), sample()
	later.ID = "F3.5"
	for _, r := range []*Result{later, first} {
		if err := r.Save(dir); err != nil {
			t.Fatal(err)
		}
	}
	all, err := Load(dir)
	if err != nil || len(all) != 2 || all[0].ID != "F3.3" {
		t.Fatalf("%v, %v", all, err)
	}
	var a, b bytes.Buffer
	if err := errors.Join(first.WriteJSON(&a), all[0].WriteJSON(&b)); err != nil || a.String() != b.String() {
		t.Errorf("%v; saved and loaded differ:\n%s\n%s", err, a.String(), b.String())
	}
	csv, err := os.ReadFile(filepath.Join(dir, "F3.3.csv"))
	if err != nil || !strings.Contains(string(csv), "latency,a,1024,bytes,4.5,us\n") || !strings.Contains(string(csv), ",number,,,4,us\n") {
		t.Errorf("%v\n%s", err, csv)
	}
}

func TestLoadRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"a broken file": "{", "a strange figure": `{"id":"F9.9"}`, "no id": `{}`, "a null panel": `{"id":"F3.3","panels":[null]}`,
		"a null line": `{"id":"F3.3","panels":[{"series":[null]}]}`, "a null table": `{"id":"F3.3","tables":[null]}`,
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "x.json"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(dir); !errors.Is(err, ErrStored) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Load(t.TempDir()); !errors.Is(err, ErrStored) {
		t.Errorf("an empty directory: %v", err)
	}
	if _, err := Load(filepath.Join(t.TempDir(), "none")); err == nil || !strings.Contains(err.Error(), "no directory") {
		t.Errorf("no directory: %v", err)
	}
	bad := sample()
	bad.Panels[0].Line("a").Add(2, bad.Panels[0].Line("a").At(99))
	if err := bad.Save(t.TempDir()); err == nil {
		t.Error("a value that is none was saved")
	}
}

func FuzzReadResult(f *testing.F) {
	var b bytes.Buffer
	if err := sample().WriteJSON(&b); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add([]byte(`{"id":"F3.3","panels":[{"x":{"scale":"sizes"},"series":[{"points":[{"x":-1,"y":0}]}]}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := ReadResult(bytes.NewReader(text))
		if err != nil {
			return
		}
		var once, twice bytes.Buffer
		if err := r.WriteJSON(&once); err != nil {
			t.Fatal(err)
		}
		again, err := ReadResult(bytes.NewReader(once.Bytes()))
		if err != nil {
			t.Fatalf("what was read cannot be read again: %v", err)
		}
		if err := again.WriteJSON(&twice); err != nil || once.String() != twice.String() {
			t.Errorf("%v; read and written twice differ", err)
		}
		if err := r.WriteText(&twice); err != nil {
			t.Error(err)
		}
	})
}

func TestCompare(t *testing.T) {
	a, b := sample(), sample()
	b.Panels[0].Series[0].Points[1].Y = 9
	b.Panels[0].Series = b.Panels[0].Series[:1]
	b.Checks[1].Pass = true
	c, err := Compare(a, b, "old", "new")
	if err != nil {
		t.Fatal(err)
	}
	if s := c.Panels[0].Line("a"); s.At(1) != 1 || s.At(1024) != 2 {
		t.Errorf("ratios %+v", s.Points)
	}
	var text bytes.Buffer
	if err := c.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"new over old", `only old has the line "b"`, "geometric mean of the ratio: 1.41 times", "3 us (fail)", "3 us (pass)", "prediction  1 of 2  2 of 2", "1K", "2.000"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
	b.ID = "F3.5"
	if _, err := Compare(a, b, "old", "new"); err == nil {
		t.Error("two figures were compared")
	}
	if _, err := Compare(&Result{ID: "F3.3"}, &Result{ID: "F3.3"}, "old", "new"); err == nil {
		t.Error("nothing was compared with nothing")
	}
}

func TestText(t *testing.T) {
	var text bytes.Buffer
	if err := sample().WriteText(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"F3.3  sample", "latency (us)", "1K  4.5  none", "checks: 1 of 2 predictions kept", "fail  prediction  not too much  at most 2 us", "number: 4 us", "a remark", "  x    y"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
	if missed := sample().Missed(); len(missed) != 1 || missed[0].Bar != "not too much" {
		t.Errorf("missed %+v", missed)
	}
}
