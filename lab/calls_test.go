package lab

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestTrace: every call leaves calls and packets in its timeline and nothing that came before or after, and
// the same ones every time.
func TestTrace(t *testing.T) {
	for _, name := range CallNames() {
		var first *Timeline
		for range 2 {
			got, err := newBench(t, Options{}).Trace(t.Context(), name, 3, 3000, time.Microsecond)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if first == nil {
				first = got
			}
			if !reflect.DeepEqual(got, first) {
				t.Errorf("%s: two runs differ", name)
			}
		}
		if len(first.Lanes) != 3 || len(first.Spans) < 2 || len(first.Arrows) == 0 {
			t.Errorf("%s: %d lanes, %d calls, %d packets", name, len(first.Lanes), len(first.Spans), len(first.Arrows))
		}
		begin, end := first.Spans[0].From, first.Spans[0].To
		for _, s := range first.Spans {
			begin, end = min(begin, s.From), max(end, s.To)
		}
		if i := slices.IndexFunc(first.Arrows, func(a Arrow) bool { return a.Sent < begin || a.Sent > end }); i >= 0 {
			t.Errorf("%s: from %d to %d the ranks are in their calls, and %+v", name, begin, end, first.Arrows[i])
		}
	}
	for _, c := range []struct{ on, name, want string }{{"", "sing", "allreduce"}, {"host", "send", "virtual time"}} {
		if _, err := newBench(t, Options{On: Platform(c.on)}).Trace(t.Context(), c.name, 2, 8, 0); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s on %q: %v", c.name, c.on, err)
		}
	}
}
