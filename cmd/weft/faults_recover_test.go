package main

import (
	"strings"
	"testing"
)

// Ranks die of SIGKILL in the middle of traffic, one and two at a time, until one is left: the others go on without
// them each time, and the job ends well.
func TestFaultOutlive(t *testing.T) {
	for _, kind := range []string{"messages", "long", "collectives", "any", "windows"} {
		for _, flags := range []string{"--recover", "--recover --set links=rail", "--recover --set links=rail --set channel=ud"} {
			if testing.Short() && strings.Contains(flags, "links") && kind != "collectives" && kind != "long" {
				continue
			}
			t.Run(kind+strings.TrimPrefix(flags, "--recover"), func(t *testing.T) {
				t.Parallel()
				r := faultJob{ranks: 6, program: "outlive " + kind, flags: flags}.run(t, 0)
				r.printed(t, "the last of 6 is left", 1)
				r.says(t, `weft: rank \d \(pid \d+ on .*\) was killed by signal 9 .* and the others go on`)
			})
		}
	}
}

// A death is an error of the calls that need the dead, and of no others.
func TestFaultBystand(t *testing.T) {
	for _, flags := range []string{"--recover", "--recover --set links=rail"} {
		t.Run(flags, func(t *testing.T) {
			t.Parallel()
			r := faultJob{ranks: 5, program: "bystand", flags: flags}.run(t, 0)
			r.printed(t, "nobody else minds", 1)
		})
	}
}

// A job that survives deaths says what has become of those who had a reason to end, and ends with their code: an exit
// is none of a host's failures. Where nobody is left the code is that of the first.
func TestFaultRecoverCodes(t *testing.T) {
	for _, c := range []struct {
		program string
		code    int
		says    string
	}{
		{"exit 1 3", 3, `rank 1 \(.*\) exited with code 3 without Finalize, and the others go on`},
		{"abort 1 42", 42, `aborted the job with code 42`},
		{"kill init 1 9 0", 137, `\Aweft: rank 1 \(pid \d+ on .*\) was killed by signal 9 `},
	} {
		t.Run(c.program, func(t *testing.T) {
			t.Parallel()
			faultJob{ranks: 3, program: c.program, flags: "--recover"}.run(t, c.code).says(t, c.says)
		})
	}
}
