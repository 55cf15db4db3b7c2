package doctor

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Exit codes of a shell and of ssh.
const (
	codeNotFound = 127
	codeSSH      = 255
)

// judgeContact says why there is no session with a host, and what to do.
func judgeContact(host string, err error) Finding {
	s := &sheet{host: host}
	var u *unreached
	switch {
	case !errors.As(err, &u):
		s.fail("ssh", "install ssh, or name another command with --ssh", "ssh cannot be run: %v", err)
	case u.late:
		s.fail("ssh", "try it by hand: ssh "+host+" true; see what its shell waits for", "weft's agent did not answer in time%s", quoted(u.said))
	case u.code == codeNotFound:
		s.fail("weft", "install weft there, in a directory of the PATH of ssh commands: scp $(command -v weft) "+host+":/usr/local/bin/",
			"ssh works, but there is no weft%s", quoted(u.said))
	case u.code == codeSSH:
		s.fail("ssh", sshFix(host, u.said), "ssh does not get there%s", quoted(u.said))
	case !errors.Is(err, errSilent) && u.cause != nil && !errors.Is(u.cause, errSilent):
		s.fail("version", "install the same weft on all hosts", "%v", u.cause)
	default:
		s.fail("weft", "see what happens by hand: ssh "+host+" weft doctor; install the same weft on all hosts",
			"ssh works, but weft's agent ended with code %d%s", u.code, quoted(u.said))
	}
	return s.findings[0]
}

// sshFix reads what ssh said.
func sshFix(host, said string) string {
	for _, c := range []struct{ words, fix string }{
		{"Permission denied", "let it in without a password: ssh-copy-id " + host},
		{"Host key verification failed", "accept its key once: ssh " + host + " true"},
		{"Could not resolve", "give the name an address in DNS or /etc/hosts"},
		{"refused", "start the ssh server there, or name its port in the host file: " + host + " port=2222"},
	} {
		if strings.Contains(said, c.words) {
			return c.fix
		}
	}
	return "see that the host is up and its network plugged in: ssh " + host + " true"
}

func quoted(said string) string {
	if said == "" {
		return ""
	}
	return fmt.Sprintf(" (%s)", said)
}

// largestOffset is by how much clocks may differ before time stamps of different hosts confuse people.
const largestOffset = time.Second

// clock is what is known of another host's clock: it is ahead of ours by offset, give or take error.
type clock struct {
	offset, error time.Duration
}

// judgeMeeting looks at what came of the first words with a host.
func judgeMeeting(host string, h hello, ours string, remote bool, c clock) []Finding {
	s := &sheet{host: host}
	if remote {
		s.ok("ssh", "works without a password")
		if lines := strings.Count(strings.TrimSpace(h.noise), "\n") + 1; strings.TrimSpace(h.noise) != "" {
			s.warn("shell", "let its start-up files print only when interactive: [ -t 1 ] || return",
				"its shell prints %d line(s) when a command is run by ssh%s", lines, quoted(lastLine(h.noise)))
		}
	}
	if h.version != ours {
		s.fail("version", "install the same weft on all hosts", "weft there is %s, here %s", h.version, ours)
	} else {
		s.ok("version", "weft %s", h.version)
	}
	if !remote {
		return s.findings
	}
	if off := c.offset.Abs(); off > largestOffset+c.error {
		way := "ahead"
		if c.offset < 0 {
			way = "behind"
		}
		s.warn("clock", "let the hosts follow the same clock: chrony or systemd-timesyncd", "its clock is %v %s", off.Round(10*time.Millisecond), way)
	} else {
		s.ok("clock", "within %v of this host's", (off + c.error).Round(time.Millisecond))
	}
	return s.findings
}
