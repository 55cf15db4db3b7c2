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
