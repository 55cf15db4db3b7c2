package main

import (
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// quickExit spares the second that a program under the race detector sleeps before it ends, in all processes to come.
func quickExit(t *testing.T) { t.Setenv("GORACE", "atexit_sleep_ms=0") }

func TestVerbsAsUsersRunIt(t *testing.T) {
	quickExit(t)
	for line, want := range map[string]string{
		"verbs ping":                             `(?m)^64 bytes to \S+ and back over RC: seq 5, data right: Send [\d.]+ us, Write [\d.]+ us, Read [\d.]+ us\n# it works: 5 of 5 rounds$`,
		"verbs ping -n 1 -s 3K":                  `(?m)^3072 bytes to`,
		"verbs send_lat -s 2,4K -n 50":           `(?m)^#bytes +#iterations +t_min\[usec\].*99\.9%\[usec\]\n2 +50 .*\n4096 +50 `,
		"verbs ib_write_lat -n 50":               `(?m)^64 +50 `,
		"verbs read_lat -n 50":                   `(?m)^64 +50 `,
		"verbs send_lat -n 20 -s 4K --markers":   `(?m)^# send_lat, RC with markers.*\n#bytes .*\n4096 +20 `,
		"verbs write_bw -n 50 --no-crc":          `(?m)^# write_bw, RC without CRC.*\n#bytes +#iterations +BW peak\[MB/sec\].*\n65536 +50 `,
		"verbs read_bw -n 40 -q 3 -s 1K":         `(?m)^1024 +40 `,
		"verbs send_bw -n 40 -b -s 1K":           `(?m)both directions\n.*\n1024 +40 `,
		"verbs multi_lat -q 4 -n 20":             `(?m)^64 +1 +20 .*\n64 +2 +20 .*\n64 +4 +20 `,
		"verbs multi_bw -q 2 -n 20 -s 1K":        `(?m)^1024 +1 +20 .*\n1024 +2 +20 `,
		"verbs reg -s 4K -n 20":                  `(?m)^4096 +20 +[\d.]+ +[\d.]+ +[\d.]+ +[\d.]+$`,
		"verbs mem -c RC -q 40":                  `(?m)^RC +40 +-?\d+ +-?\d+ +-?\d+$`,
		"verbs send_lat --raw --rounds 2 -n 20":  `(?m)^64 +[\d.]+ +[\d.]+ +[\d.]+ +\[[\d.]+-[\d.]+\]$`,
		"verbs write_bw --raw --rounds 2 -s 16K": `(?m)^16384 +[\d.]+ +[\d.]+ `,
	} {
		out, _ := runWeft(t, 0, line+" --gentle")
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("%s: no %s in\n%s", line, want, out)
		}
	}
}

func TestVerbsOverIPv6(t *testing.T) {
	quickExit(t)
	lis, err := net.Listen("tcp6", "[::1]:0")
	if err != nil {
		t.Skip("this host has no IPv6")
	}
	lis.Close()
	if out, _ := runWeft(t, 0, "verbs ping -n 1 --bind ::1 --gentle"); !strings.Contains(out, "it works: 1 of 1") {
		t.Errorf("got %s", out)
	}
}

func TestVerbsJSONAndFigures(t *testing.T) {
	quickExit(t)
	dir := t.TempDir()
	for name, line := range map[string]string{
		"plain":   "verbs send_lat -s 8,64 -n 20",
		"multi":   "verbs multi_lat -s 8,64 -q 2 -n 20",
		"compare": "verbs send_lat -s 8,64 -n 20 --raw --rounds 2",
		"reg":     "verbs reg -s 4K,64K -n 20",
	} {
		figure := filepath.Join(dir, name+".svg")
		out, _ := runWeft(t, 0, line+" --gentle --json --plot "+figure)
		var r struct {
			Test string
			Rows any
		}
		if err := json.Unmarshal([]byte(out), &r); err != nil || !strings.Contains(line, r.Test) || r.Rows == nil {
			t.Errorf("%s: %v\n%s", line, err, out)
		}
		for _, ext := range []string{".svg", ".csv"} {
			if info, err := os.Stat(filepath.Join(dir, name+ext)); err != nil || info.Size() == 0 {
				t.Errorf("%s: %v", line, err)
			}
		}
	}
}

// A server in one process, clients in others, with a key.
func TestVerbsServer(t *testing.T) {
	quickExit(t)
	key, other := filepath.Join(t.TempDir(), "key"), filepath.Join(t.TempDir(), "other")
	for path, text := range map[string]string{key: "0123456789abcdef", other: "0123456789abcdeX"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), program(t), "verbs", "--server", "--child", "-p", "0", "--bind", "127.0.0.1", "--gentle", "--key-file", key)
	cmd.Env = append(os.Environ(), asWeft+"=1")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var address [64]byte
	n, err := stdout.Read(address[:])
	if err != nil {
		t.Fatal(err)
	}
	host, port, _ := strings.Cut(strings.TrimSpace(string(address[:n])), ":")
	client := "verbs ping " + host + " -n 1 --gentle -p " + port
	if out, _ := runWeft(t, 0, client+" --key-file "+key); !strings.Contains(out, "it works: 1 of 1") {
		t.Errorf("got %s", out)
	}
	if _, stderr := runWeft(t, 1, client+" --key-file "+other); !strings.Contains(stderr, "different keys") {
		t.Errorf("another key: %s", stderr)
	}
	if _, stderr := runWeft(t, 1, client); !strings.Contains(stderr, "wants a key") {
		t.Errorf("no key: %s", stderr)
	}
	stdin.Close()
	if err := cmd.Wait(); err != nil {
		t.Errorf("the server ended with %v", err)
	}
}

func TestVerbsFailsClearly(t *testing.T) {
	quickExit(t)
	open, short := filepath.Join(t.TempDir(), "open"), filepath.Join(t.TempDir(), "short")
	if err := os.WriteFile(open, []byte("0123456789abcdef"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(short, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"verbs ping 127.0.0.1 -p 1":       "weft verbs --server",
		"verbs ping --key-file /no/such":  "no such file",
		"verbs ping --key-file " + open:   "chmod 600",
		"verbs ping --key-file /dev/null": "not a file",
		"verbs ping --key-file " + short:  "16 to 4096 bytes",
		"verbs ping --bind 192.0.2.7":     "did not start",
	} {
		if _, stderr := runWeft(t, 1, line); !strings.Contains(stderr, want) {
			t.Errorf("%s: no %q in %s", line, want, stderr)
		}
	}
}

func TestVerbsEndsOnInterrupt(t *testing.T) {
	quickExit(t)
	cmd := exec.CommandContext(t.Context(), program(t), "verbs", "ping", "-n", "1000000", "--gentle")
	cmd.Env = append(os.Environ(), asWeft+"=1")
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var some [1]byte
	if _, err := stdout.Read(some[:]); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(unix.SIGINT); err != nil {
		t.Fatal(err)
	}
	go func() {
		var rest [4096]byte
		for {
			if _, err := stdout.Read(rest[:]); err != nil {
				return
			}
		}
	}()
	_ = cmd.Wait() // the code says it all
	if code := cmd.ProcessState.ExitCode(); code != 130 {
		t.Errorf("exit code %d", code)
	}
}
