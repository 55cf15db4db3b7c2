package interop

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"time"
)

// guest is the machine with siw. It runs shell commands for us, sent as HTTP requests (tools/interop/vm.sh).
type guest struct {
	addr netip.Addr // the guest, as we see it
	host string     // we, as the guest sees us
	rail netip.Addr // our address on the way to the guest
}

// Ports of the programs in the guest.
const (
	portCommands = 8000
	portPeer     = 7999
	portRping    = 7174
	portUcmatose = 7471
	portPerftest = 18515
)

// findGuest reads WEFT_INTEROP, which tools/interop/run.sh sets: the guest's address and, after a comma, ours as the
// guest sees it. Without it there is no guest.
func findGuest() (*guest, error) {
	value := os.Getenv("WEFT_INTEROP")
	if value == "" {
		return nil, nil
	}
	first, second, ok := strings.Cut(value, ",")
	addr, err := netip.ParseAddr(first)
	if err != nil || !ok {
		return nil, fmt.Errorf("WEFT_INTEROP=%q is not GUEST,HOST, two addresses; tools/interop/run.sh sets it", value)
	}
	// What the kernel would use to get there.
	c, err := net.Dial("udp", netip.AddrPortFrom(addr, portCommands).String())
	if err != nil {
		return nil, err
	}
	defer c.Close()
	local := c.LocalAddr().(*net.UDPAddr).AddrPort().Addr()
	return &guest{addr: addr, host: second, rail: local.Unmap()}, nil
}

// direct tells whether our TCP segments reach the guest as they are. Otherwise QEMU cuts the stream anew, anywhere, and
// siw calls a CRC wrong that is cut off its pad.
func (g *guest) direct() bool { return g.host == g.rail.String() }

// run runs a shell script in the guest and returns its output; an exit code other than 0 is an error.
func (g *guest) run(script string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*Patience)
	defer cancel()
	url := fmt.Sprintf("http://%v/cgi-bin/run", netip.AddrPortFrom(g.addr, portCommands))
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(script))
	if err != nil {
		return "", err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return "", err
	}
	out, code, ok := strings.Cut(string(body), "##CODE ")
	if !ok {
		return out, fmt.Errorf("the guest did not finish %q: %s", script, out)
	}
	if n, err := strconv.Atoi(strings.TrimSpace(code)); err != nil || n != 0 {
		return out, fmt.Errorf("%q ended with code %s in the guest: %s", script, strings.TrimSpace(code), out)
	}
	return out, nil
}

// siwSettings are the settings of siw that are constants in the kernel and parameters in our guest.
type siwSettings struct {
	Revision   int  // of MPA, when siw connects
	CRC        bool // whether siw asks for CRCs
	PeerToPeer bool // whether siw asks for peer-to-peer mode when it connects
}

// yesNo is a switch as a parameter of a module.
var yesNo = map[bool]string{true: "Y", false: "N"}

func (g *guest) set(s siwSettings) error {
	_, err := g.run(fmt.Sprintf("cd /sys/module/siw/parameters && echo %d >mpa_version && echo %s >mpa_crc_required && echo %s >peer_to_peer",
		s.Revision, yesNo[s.CRC], yesNo[s.PeerToPeer]))
	return err
}

// turns mends siw, or leaves it as it is shipped (tools/interop/siw-turn.c), and counts overlaps
// anew. To provoke its faults, sockets of the guest hold little, so that siw has to stop within
// long messages, and its threads linger where they meet.
func (g *guest) turns(mend, provoke bool) error {
	most, linger := 4<<20, 0 // what Linux has
	if provoke {
		most, linger = 32<<10, 2000
	}
	_, err := g.run(fmt.Sprintf("cd /sys/module/siw/parameters && echo %s >take_turns && echo %d >linger && echo 0 >overlaps && "+
		"echo 4096 16384 %d >/proc/sys/net/ipv4/tcp_wmem", yesNo[mend], linger, most))
	return err
}

// overlaps is how often a thread of siw came to a send queue on which another one worked.
func (g *guest) overlaps() (int, error) {
	out, err := g.run("cat /sys/module/siw/parameters/overlaps")
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(out))
}

// program is a program that runs in the guest.
type program struct {
	g    *guest
	name string
}

// start starts a program in the background, after ending any that an earlier case left behind. If port is
// not 0 it returns when the program listens there.
func (g *guest) start(port int, name, command string) (*program, error) {
	p := &program{g, name}
	script := "killall -q -9 siwpeer rping ucmatose ib_send_lat ib_write_bw ib_read_bw\n"
	script += fmt.Sprintf("rm -f /run/%[1]s.*; (timeout 60 %[2]s >/run/%[1]s.out 2>&1 </dev/null; echo $? >/run/%[1]s.code) >/dev/null 2>&1 &\n", name, command)
	if port != 0 {
		script += fmt.Sprintf("for i in $(seq 100); do netstat -ltn | grep -q ':%d ' && exit 0; test -e /run/%s.code && break; usleep 50000; done\n", port, name) +
			fmt.Sprintf("cat /run/%s.out; exit 1", name)
	}
	_, err := g.run(script)
	return p, err
}

// finish waits for the program's end and returns its output and exit code.
func (p *program) finish() (string, int, error) {
	script := fmt.Sprintf("for i in $(seq 300); do test -e /run/%[1]s.code && break; usleep 50000; done\n"+
		"cat /run/%[1]s.out; echo \"##EXIT $(cat /run/%[1]s.code)\"", p.name)
	out, err := p.g.run(script)
	if err != nil {
		return out, 0, err
	}
	text, code, _ := strings.Cut(out, "##EXIT ")
	n, err := strconv.Atoi(strings.TrimSpace(code))
	if err != nil {
		return text, 0, fmt.Errorf("%s does not end in the guest; it printed: %s", p.name, text)
	}
	return text, n, nil
}

// succeed waits for the program's end, which must be with code 0.
func (p *program) succeed() (string, error) {
	out, code, err := p.finish()
	if err == nil && code != 0 {
		err = fmt.Errorf("%s ended with code %d in the guest; it printed: %s", p.name, code, out)
	}
	return out, err
}

// settle gives siw time where the protocol gives it none: after it has answered a request for a connection it overlooks
// what arrives until it has got ready.
func settle() { time.Sleep(100 * time.Millisecond) }
