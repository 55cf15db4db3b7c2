package simtest

import "testing"

// Interfaces that ask programs what becomes of messages, in half of the seeds, have short ones caught, over connections and as datagrams, others put
// straight into place, and long ones come unasked, in time or to be thrown away. Connections break in the midst of that.
func TestAsked(t *testing.T) {
	tally := sweep(t, 1, 300, Options{Programs: "unasked", Rendezvous: "rget", Faults: "break"})
	for _, name := range []string{"Rail.Counters.Caught", "Rail.Counters.Placed", "Rail.Counters.Thrown", "Engine.Unasked", "Engine.Taken",
		"Rail.Device.caught", "Rail.Device.steered", "Rail.Device.cut_off",
		"Rail.Device.caught_placed"} {
		t.Logf("%s: %v", name, tally.Counters[name])
		if tally.Counters[name] == 0 {
			t.Errorf("%s: never happened in %d seeds", name, tally.Seeds)
		}
	}
}

// Interfaces that programs hand messages to, in half of the seeds, get answers from the program's own memory and frames of all kinds, over connections
// that break and as datagrams that are lost.
func TestHanded(t *testing.T) {
	for _, o := range []Options{{Channel: "srq", Faults: "break"}, {Channel: "sr", Faults: "rail"}, {Channel: "ud", Faults: "loss"}, {Channel: "hybrid", Faults: "mixed"}} {
		tally := sweep(t, 1, 60, o)
		for _, name := range []string{"Rail.Device.handed", "Rail.Counters.LateAnswers"} {
			t.Logf("%v: %s: %v", o.words(), name, tally.Counters[name])
			if tally.Counters[name] == 0 && (name == "Rail.Device.handed" || o.Channel != "ud") {
				t.Errorf("%v: %s: never happened in %d seeds", o.words(), name, tally.Seeds)
			}
		}
	}
}

// Payloads of bursts stay with their program, which wants them back before the peer has them, or after; connections break meanwhile.
func TestLent(t *testing.T) {
	tally := sweep(t, 1, 200, Options{Channel: "srq", Faults: "break",
		Settings: []string{"WEFT_VBUF=33792", "WEFT_NET_EAGER_MAX=65536", "WEFT_HOLD=100us", "WEFT_PROGRESS=auto"}})
	for _, name := range []string{"Rail.Counters.Lent", "Rail.Counters.Recalled"} {
		t.Logf("%s: %v", name, tally.Counters[name])
		if tally.Counters[name] == 0 {
			t.Errorf("%s: never happened in %d seeds", name, tally.Seeds)
		}
	}
}
