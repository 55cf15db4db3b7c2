package launch

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// remarksOf are the lines of the launcher, all of which must be remarks, in order.
func remarksOf(t *testing.T, text string) (all []Remark) {
	t.Helper()
	for line := range strings.Lines(text) {
		var m Remark
		if err := json.Unmarshal([]byte(line), &m); err != nil || m.Time == "" || m.Level == "" || m.Event == "" || m.Text == "" {
			t.Errorf("%v: %q is no remark", err, line)
		}
		if (m.Rank != nil) != slices.Contains([]string{"start", "exit", "death", "abort", "protocol", "code", "absent", "stubborn"}, m.Event) {
			t.Errorf("a remark has a rank that should not, or the other way round: %q", line)
		}
		all = append(all, m)
	}
	return all
}

// With LogJSON every message of the launcher is an object with what a program wants to know; starts and ends are told of, and
// what ranks write is not changed.
func TestLogJSON(t *testing.T) {
	for _, c := range []struct {
		mode string
		code int
		want map[string]int // events, and how many
		rank int            // that the death or abort is about
		of   int            // its code
	}{
		{"ok", 0, map[string]int{"job": 1, "start": 3, "exit": 3, "end": 1}, -1, 0},
		{"late 1 4", 4, map[string]int{"job": 1, "start": 3, "death": 1, "exit": 3, "end": 1}, 1, 4},
		{"abort 1 42 no more", 42, map[string]int{"job": 1, "start": 3, "abort": 1, "exit": 3, "end": 1}, 1, 42},
		{"mute 1", 1, map[string]int{"job": 1, "start": 3, "protocol": 1, "exit": 3, "end": 1}, 1, 0},
		{"stall", 0, map[string]int{"job": 1, "start": 3, "stall": 1, "exit": 3, "end": 1}, -1, 0},
	} {
		t.Run(c.mode, func(t *testing.T) {
			t.Parallel()
			m := newMark()
			job := testJob(t, 3, c.mode, m)
			job.LogJSON, job.Output.MergeStderr = true, true
			o := runJob(t, job, m)
			all := remarksOf(t, o.msg.String())
			got := map[string]int{}
			for _, r := range all {
				got[r.Event]++
				if about := r.Event == "death" || r.Event == "abort" || r.Event == "protocol"; about && (*r.Rank != c.rank || r.Pid == 0 || r.Host == "" || r.Level != "error") {
					t.Errorf("%+v is not about rank %d", r, c.rank)
				} else if r.Code != nil && (r.Event == "death" || r.Event == "abort") && *r.Code != c.of {
					t.Errorf("%+v has another code than %d", r, c.of)
				}
			}
			if o.code != c.code || len(got) != len(c.want) {
				t.Errorf("code %d, events %v, want %d, %v", o.code, got, c.code, c.want)
			}
			for event, n := range c.want {
				if got[event] != n {
					t.Errorf("%d times %s, want %d", got[event], event, n)
				}
			}
			if last := all[len(all)-1]; last.Event != "end" || last.Code == nil || *last.Code != c.code {
				t.Errorf("the last word is %+v", last)
			}
		})
	}
}

// A job that cannot be set up begins and ends, too.
func TestLogJSONOfNothing(t *testing.T) {
	m := newMark()
	job := testJob(t, 1, "", m)
	job.Specs[0].Argv, job.LogJSON = []string{"/no/such/program"}, true
	o := runJob(t, job, m)
	if all := remarksOf(t, o.msg.String()); o.err == nil || len(all) != 2 || *all[1].Code != CodeNotFound {
		t.Errorf("%v, said %+v", o.err, all)
	}
}

// The end of a rank that a signal has killed is a remark whose text is on one line, whatever the rank wrote.
func TestLogJSONOfLastWords(t *testing.T) {
	m := newMark()
	job := testJob(t, 2, "words 0 5", m)
	job.LogJSON = true
	o := runJob(t, job, m)
	for _, r := range remarksOf(t, o.msg.String()) {
		if r.Event == "death" && !strings.Contains(r.Text, "its last words:\n    recv on world") {
			t.Errorf("%+v", r)
		}
		if r.Event == "exit" && *r.Rank == 1 && *r.Code != codeSignal+int(unix.SIGTERM) {
			t.Errorf("%+v", r)
		}
	}
}
