package lab

import (
	"math"
	"strings"
	"testing"
)

func line(name string, ys ...float64) *Series {
	s := &Series{Name: name}
	for i, y := range ys {
		s.Add(math.Pow(2, float64(i)), y)
	}
	return s
}

func TestBars(t *testing.T) {
	up, down, hill := line("up", 1, 2, 3, 4), line("down", 4, 3, 2, 1), line("hill", 1, 5, 2, 1)
	flat, none := line("flat", 100, 104, 97, 100), &Series{Name: "none"}
	values := []Scalar{{"a", 3, "us"}, {"b", 2, "us"}}
	for _, c := range []struct {
		check Check
		pass  bool
		ours  string // part of what it says about us
	}{
		{Within("x", 7, 7.3, 5, "us"), true, "7.3 us"},
		{Within("x", 7, 7.4, 5, "us"), false, "7.4 us"},
		{Within("x", 7, math.NaN(), 5, "us"), false, "none"},
		{AtLeast("x", 2, 2, ""), true, "2"},
		{AtLeast("x", 2, 1.99, ""), false, "1.99"},
		{AtLeast("x", 2, math.Inf(1), ""), false, "none"},
		{AtMost("x", 10, 10, "%"), true, "10 %"},
		{AtMost("x", 10, 10.5, "%"), false, "10.5 %"},
		{Between("x", 12, 18, 12, "%"), true, "12 %"},
		{Between("x", 12, 18, 18.1, "%"), false, "18.1 %"},
		{Between("x", 12, 18, 11.9, "%"), false, "11.9 %"},
		{Exactly("x", 7904, 7904, ""), true, "7904"},
		{Exactly("x", 7904, 7905, ""), false, "7905"},
		{Exactly("x", 0, math.NaN(), ""), false, "none"},
		{Rising("x", up, 0), true, "4 places"},
		{Rising("x", hill, 0), false, "5 at 2, 2 at 4"},
		{Rising("x", flat, 10), true, "rises"},
		{Rising("x", none, 0), false, "none"},
		{Falling("x", down, 0), true, "falls"},
		{Falling("x", up, 0), false, "1 at 1, 2 at 2"},
		{Flat("x", flat, 5), true, "+4.0% at 2"},
		{Flat("x", up, 5), false, "+300.0% at 8"},
		{Flat("x", none, 5), false, "none"},
		{PeakAt("x", hill, 2, 2), true, "5 at 2"},
		{PeakAt("x", hill, 4, 8), false, "5 at 2"},
		{PeakAt("x", none, 4, 8), false, "none"},
		{LeastAt("x", down, 4, 8), true, "1 at 8"},
		{LeastAt("x", up, 4, 8), false, "1 at 1"},
		{RatioAt("x", down, up, 1, 3), true, "4 times"},
		{RatioAt("x", down, up, 8, 3), false, "0.25 times"},
		{RatioAt("x", down, up, 3, 3), false, "none"},
		{Crossing("x", up, down, 4, 8), true, "4"},
		{Crossing("x", up, down, 8, 16), false, "4"},
		{Crossing("x", down, up, 4, 8), false, "1"},
		{Crossing("x", up, line("high", 9, 9, 9, 9), 4, 8), false, "none"},
		{Crossing("x", hill, line("two", 2, 2, 3, 0), 2, 2), false, "2"},
		{Lowest("x", "b", values), true, "a 3 us, b 2 us"},
		{Lowest("x", "a", values), false, "b 2 us"},
		{Lowest("x", "a", nil), false, ""},
		{Share("x", 0.75, up, func(y float64) bool { return y > 1 }), true, "3 of 4"},
		{Share("x", 0.8, up, func(y float64) bool { return y > 1 }), false, "3 of 4"},
		{Share("x", 0, none, func(float64) bool { return true }), false, "0 of 0"},
		{Holds("x", "a", "b", true), true, "b"},
	} {
		if c.check.Pass != c.pass || !strings.Contains(c.check.Ours, c.ours) {
			t.Errorf("%+v: want %v and %q", c.check, c.pass, c.ours)
		}
		if c.check.Bar == "" || c.check.Paper == "" {
			t.Errorf("%+v does not say what is demanded", c.check)
		}
	}
}

func TestBecause(t *testing.T) {
	if c := AtLeast("x", 2, 1, "").Because("the model has no caches"); !strings.HasSuffix(c.Why, "; the model has no caches") || c.Verdict() != "fail" {
		t.Errorf("%+v", c)
	}
	if c := AtLeast("x", 2, 3, "").Because("never"); c.Why != "" || c.Verdict() != "pass" {
		t.Errorf("%+v", c)
	}
}

func TestSeries(t *testing.T) {
	up, down := line("up", 1, 2, 3, 4), line("down", 4, 3, 2, 1)
	if x, y := down.Max(); x != 1 || y != 4 {
		t.Errorf("greatest %g at %g", y, x)
	}
	if m := up.Between(2, 4).Mean(); m != 2.5 {
		t.Errorf("mean %g", m)
	}
	if q := up.Over(line("half", 2, 4)); len(q.Points) != 2 || q.At(1) != 0.5 || q.Name != "up / half" {
		t.Errorf("%+v", q)
	}
	if d := up.Minus(down); d.At(1) != -3 || len(d.Points) != 4 {
		t.Errorf("%+v", d)
	}
	if v := up.At(3); !math.IsNaN(v) {
		t.Errorf("a value where there is none: %g", v)
	}
}

func TestNumbersAsPeopleSayThem(t *testing.T) {
	for v, want := range map[float64]string{1: "1", 512: "512", 1024: "1K", 65536: "64K", 1 << 20: "1M", 1500: "1500", 0.5: "0.5"} {
		if got := place(v); got != want {
			t.Errorf("%g: %q, want %q", v, got, want)
		}
	}
	for v, want := range map[float64]string{1.4186: "1.42 us", 12.93: "12.9 us", 1069.6: "1070 us", 3: "3 us"} {
		if got := number(v, "us"); got != want {
			t.Errorf("%g: %q, want %q", v, got, want)
		}
	}
}
