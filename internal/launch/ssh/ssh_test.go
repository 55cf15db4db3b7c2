package ssh

import (
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/launch/hosts"
)

func TestLine(t *testing.T) {
	for _, c := range []struct {
		command Command
		host    hosts.Host
		want    string
	}{
		{Command{}, hosts.Host{Name: "h"}, "ssh -x -o BatchMode=yes -o ConnectTimeout=10 h exec weft"},
		{Command{Args: []string{"-v"}}, hosts.Host{Name: "h"}, "ssh -x -o BatchMode=yes -o ConnectTimeout=10 -v h exec weft"},
		{Command{Words: []string{"rsh", "-q"}, Port: 22}, hosts.Host{Name: "h"}, "rsh -q -p 22 h exec weft"},
		{Command{Words: []string{"rsh"}, Port: 22}, hosts.Host{Name: "fe80::1", User: "me", Port: 2222}, "rsh -p 2222 me@fe80::1 exec weft"},
	} {
		if got := strings.Join(c.command.Line(c.host, "exec", "weft"), " "); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// A line belongs to whoever asked for it.
func TestLineIsNew(t *testing.T) {
	var c Command
	c.Line(hosts.Host{Name: "h"})[0] = "other"
	if got := c.Line(hosts.Host{Name: "h"})[0]; got != "ssh" {
		t.Errorf("the next line begins with %q", got)
	}
}
