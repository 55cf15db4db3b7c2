package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/cluster"
)

// A rank on another host is killed, then a host falls silent: the others go on without them, over TCP and over datagrams.
func TestNetOutlive(t *testing.T) {
	for _, channel := range []string{"", "--set channel=ud"} {
		if channel != "" && testing.Short() {
			continue
		}
		t.Run(channel, func(t *testing.T) {
			t.Parallel()
			f := newBox(t, cluster.Config{Hosts: 3})
			j := f.job(t, "--recover --host h0:2,h1:2,h2:2 "+channel, "outlive", "3")
			j.more(t, "is process", 6)
			process := regexp.MustCompile(`rank 3 is process (\d+)`).FindStringSubmatch(j.out.String())
			if out, err := f.Command("h1", "kill", "-9", process[1]).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			j.more(t, "5 ranks go on", 1)
			if err := f.Crash("h2"); err != nil {
				t.Fatal(err)
			}
			if code := j.code(t); code != 0 {
				t.Errorf("code %d", code)
			}
			for _, want := range []string{"weft: rank 3 (pid ", "and the others go on", "weft: host h2 has been silent for 5s; ranks 4-5 were there", "3 ranks go on"} {
				if !strings.Contains(j.out.String(), want) {
					t.Errorf("no %q in\n%s", want, j.out.String())
				}
			}
		})
	}
}
