package simtest

import "testing"

// Mechanisms that are off by default come to what MPI says, too, whatever goes wrong meanwhile.
func TestRivals(t *testing.T) {
	const background = "Engine.Started.Background"
	reaches(t, 30, Options{Channel: "xrc", Profile: "connectx-ddr"}, "Rail.Device.connections", "Rail.Counters.Reads", "Rail.Counters.Writes")
	reaches(t, 30, Options{Settings: []string{"WEFT_PROGRESS=rendezvous"}}, background)
	reaches(t, 30, Options{Settings: []string{"WEFT_PROGRESS=interrupt"}}, background)
	reaches(t, 30, Options{Channel: "srq", Settings: []string{"WEFT_LAB_SRQ_LIMIT=0"}}, "Rail.Device.rnr_retries")
}
