package main

import (
	"testing"

	"golang.org/x/sys/unix"
)

// stuck is what the launcher's report of a stall begins with.
const stuck = "weft: the job seems stuck"

// A rank that stays out of a collective is named, with those who wait for it and the call they wait in. The job goes
// on until somebody ends it.
func TestFaultStallOfCollective(t *testing.T) {
	t.Parallel()
	r := faultJob{ranks: 4, flags: "--set stall=1", program: "absent 2"}.start(t)
	r.awaitSaid(t, "missing:")
	r.signal(unix.SIGTERM)
	r.end(t, 143)
	r.says(t, stuck+`: 3 of 4 ranks wait`, `allreduce, call \d+ on world`, `ranks 0-1,3 wait in allreduce for [\d.]+ s at \S+\.go:\d+`,
		`missing: rank 2, running outside MPI`)
}

// A rank that never comes to the making of a communicator, or to a message in parts: those who wait are named, with
// the call.
func TestFaultStallOfPartners(t *testing.T) {
	for what, want := range map[string]string{
		"group":   `rank 0 waits in create_group with rank 2, tag 3 .*\n *peer: rank 2, running outside MPI\n *rank 1 waits in create_group with rank 0`,
		"cart":    `(?s)cart, call \d+ on world.*missing: rank 2`,
		"graph":   `(?s)graph, call \d+ on world.*missing: rank 2`,
		"idup":    `wait in idup`,
		"psend":   `ranks? 0.* waits? in psend .*rank 2|ranks 0-1 wait in psend`,
		"precv":   `ranks? 0.* waits? in precv .*rank 2|ranks 0-1 wait in precv`,
		"unready": `ranks? 0.* waits? in psend .*rank 2|ranks 0-1 wait in psend`,
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			r := faultJob{ranks: 3, flags: "--set stall=1", program: "partner " + what}.start(t)
			r.awaitSaid(t, "seems stuck")
			r.signal(unix.SIGTERM)
			r.end(t, 143)
			r.says(t, stuck+`: 2 of 3 ranks wait`, want)
			if testing.Verbose() {
				t.Log(r.said.String())
			}
		})
	}
}

// Two ranks that both send first, each waiting for the other's receive.
func TestFaultStallOfSends(t *testing.T) {
	t.Parallel()
	r := faultJob{ranks: 2, flags: "--set stall=1", program: "deadlock"}.start(t)
	r.awaitSaid(t, "0 to 1, 1 to 0")
	r.signal(unix.SIGTERM)
	r.end(t, 143)
	r.says(t, stuck+`: 2 of 2 ranks wait`, `2 ranks wait in a circle: 0 for 1, 1 for 0`,
		`ranks 0-1 wait in ssend, tag 5 \(8 bytes, world\) for [\d.]+ s at \S+\.go:\d+: 0 to 1, 1 to 0`)
}

// A message with another tag than its receiver asks for is named, beside what the receiver asks for.
func TestFaultStallOfTags(t *testing.T) {
	t.Parallel()
	r := faultJob{ranks: 3, flags: "--set stall=1", program: "mistag"}.start(t)
	r.awaitSaid(t, "nobody asks for")
	r.signal(unix.SIGTERM)
	r.end(t, 143)
	r.says(t, `rank 2 waits in recv from rank 1, tag 8`, `rank 2 has a message from rank 1 with tag 7, 40 bytes, that nobody asks for; rank 2 waits for tag 8`,
		`Finalize`)
}

// Ranks that call different collectives fail in check mode, and the error names both and where they are.
func TestFaultMismatch(t *testing.T) {
	t.Parallel()
	r := faultJob{ranks: 3, flags: "--set check=on", program: "disagree"}.run(t, 40)
	r.says(t, `ranks called different collectives`, `rank \d calls allreduce`, `rank 2 calls bcast`,
		`(?s)faults_traffic_test\.go:\d+.*faults_traffic_test\.go:\d+`)
}

// Ranks that pass different counts fail by default, and the error names both.
func TestFaultMiscount(t *testing.T) {
	t.Parallel()
	r := faultJob{ranks: 3, program: "miscount"}.run(t, 40)
	r.says(t, `ranks called different collectives`, `rank [02] calls allreduce of 32 bytes of int with sum, rank 1 calls allreduce of 40 bytes of int with sum|rank 1 calls allreduce of 40 bytes of int with sum, rank [02] calls allreduce of 32 bytes of int with sum`)
}

// A job that never ends is ended by its time limit.
func TestFaultTimeLimit(t *testing.T) {
	t.Parallel()
	r := faultJob{ranks: 2, limit: 1, program: "traffic messages"}.run(t, 110)
	r.says(t, `its time limit`)
}
