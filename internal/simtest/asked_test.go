package simtest

import "testing"

// reaches runs seeds with options and fails if one of these counters stays at 0, as that all went well
// shows little then. The short way is for the race detector, and runs a few of the seeds.
func reaches(t *testing.T, last uint64, o Options, counters ...string) {
	t.Helper()
	switch {
	case soaking():
		last *= 4
	case testing.Short():
		last /= 30
	}
	tally := sweep(t, 1, last, o)
	for _, name := range counters {
		t.Logf("%v: %s: %v", o.words(), name, tally.Counters[name])
		if tally.Counters[name] == 0 && !testing.Short() {
			t.Errorf("%v: %s: never happened in %d seeds", o.words(), name, tally.Seeds)
		}
	}
}

// Interfaces that ask programs what becomes of messages, in half of the seeds, have short ones caught, over
// connections and as datagrams, others put straight into place, and long ones come unasked, in time or to
// be thrown away. Connections break in the midst of that.
func TestAsked(t *testing.T) {
	reaches(t, 300, Options{Programs: "unasked", Rendezvous: "rget", Faults: "break"}, "Rail.Counters.Caught", "Rail.Counters.Placed",
		"Rail.Counters.Thrown", "Engine.Unasked", "Engine.Taken", "Rail.Device.borrowed", "Rail.Device.placed", "Rail.Device.cut_off")
}

// Frames are posted inline, in half of the seeds also long ones, over connections that break and as
// datagrams that are lost.
func TestInline(t *testing.T) {
	const inline, late = "Rail.Device.inline", "Rail.Counters.LateAnswers"
	reaches(t, 25, Options{Channel: "srq", Faults: "break"}, inline, late)
	reaches(t, 25, Options{Channel: "sr", Faults: "rail"}, inline, late)
	reaches(t, 25, Options{Channel: "ud", Faults: "loss"}, inline)
	reaches(t, 25, Options{Channel: "hybrid", Faults: "mixed"}, inline, late)
}
