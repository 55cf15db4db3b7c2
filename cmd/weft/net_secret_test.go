package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/cluster"
)

// A job that encrypts does all that others do, by connections and by datagrams, with ranks spread unevenly.
func TestNetEncrypted(t *testing.T) {
	f := newBox(t, cluster.Config{Hosts: 2})
	for _, options := range []string{"--host h0:3,h1:1", "--host h0:2,h1:2 --set channel=rd", "--host h0:1,h1:2 --set channel=hybrid --set lab_promote=64"} {
		t.Run(strings.TrimPrefix(options, "--host "), func(t *testing.T) {
			j := f.job(t, fmt.Sprintf("--encrypt --host-timeout 60 %s", options), "rounds")
			j.more(t, "round", 2)
			j.end(t)
		})
	}
}
