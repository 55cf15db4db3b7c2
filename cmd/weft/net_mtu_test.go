package main

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/weft-mpi/weft/internal/cluster"
)

// narrow gives interfaces of a host another MTU, "eth0 1400" each.
func (f *fleet) narrow(t *testing.T, host string, interfaces ...string) {
	t.Helper()
	for _, i := range interfaces {
		var name string
		var mtu int
		if _, err := fmt.Sscan(i, &name, &mtu); err != nil {
			t.Fatal(err)
		}
		if out, err := f.Command(host, "ip", "link", "set", "dev", name, "mtu", fmt.Sprint(mtu)).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
}

// Hosts whose interfaces have different MTUs send each other datagrams that both can carry.
func TestNetUnequalMTU(t *testing.T) {
	for _, c := range []struct {
		name   string
		config cluster.Config
		narrow []string // on the second host
	}{
		{"one rail", cluster.Config{Hosts: 2}, []string{"eth0 1400"}},
		{"the second rail is wider", cluster.Config{Hosts: 2, Rails: 2, MTU: 9000}, []string{"eth0 1500", "eth1 4000"}},
		{"tiny", cluster.Config{Hosts: 2}, []string{"eth0 600"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := newBox(t, c.config)
			f.narrow(t, "h1", c.narrow...)
			for _, channel := range []string{"ud", "rd", "hybrid"} {
				j := f.job(t, "--host h0:2,h1:2 --host-timeout 120 --timeout 100 --set channel="+channel, "soak", "3", "4")
				j.good(t)
				if m := regexp.MustCompile(`(\d+) collectives and (\d+) messages right`).FindString(j.out.String()); m == "" {
					t.Errorf("%s: the job says\n%s", channel, tail(j.out.String()))
				}
			}
		})
	}
}
