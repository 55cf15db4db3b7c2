package munge

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// daemon starts a real munge daemon with a key of its own.
func daemon(t *testing.T) Daemon {
	t.Helper()
	path, err := exec.LookPath("munged")
	if err != nil {
		t.Skip("munged is not installed; make test-deps does it")
	}
	dir := t.TempDir()
	for _, d := range []string{dir, filepath.Dir(dir)} { // it insists on being reached by everybody
		if err := os.Chmod(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "key"), bytes.Repeat([]byte("weft"), 32), 0o600); err != nil {
		t.Fatal(err)
	}
	socket := filepath.Join(dir, "socket")
	out := new(bytes.Buffer)
	cmd := exec.Command(path, "--foreground", "--force", "--socket="+socket, "--key-file="+filepath.Join(dir, "key"),
		"--seed-file="+filepath.Join(dir, "seed"), "--pid-file="+filepath.Join(dir, "pid"))
	cmd.Stderr = out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		conn, err := net.Dial("unix", socket)
		if err == nil {
			conn.Close()
			return Daemon(socket)
		}
		if time.Now().After(end) {
			t.Fatalf("munged does not answer: %v\n%s", err, out)
		}
	}
}

// TestDaemon: what a real daemon seals it opens again, once, and only for whom it was sealed.
func TestDaemon(t *testing.T) {
	d, own := daemon(t), uint32(os.Getuid())
	for _, payload := range [][]byte{nil, []byte("x"), {0, 1, 2, 0}, bytes.Repeat([]byte("abc\x00"), PayloadMax/4)} {
		sealed, err := d.Encode(payload, own)
		if err != nil || !strings.HasPrefix(sealed, "MUNGE:") {
			t.Fatalf("%d bytes: %q, %v", len(payload), sealed, err)
		}
		got, uid, err := d.Decode(sealed)
		if err != nil || uid != own || !bytes.Equal(got, payload) {
			t.Errorf("%d bytes: %d bytes by %d, %v", len(payload), len(got), uid, err)
		}
		var no *Refusal
		if _, _, err := d.Decode(sealed); !errors.As(err, &no) || !strings.Contains(no.Text, "eplay") {
			t.Errorf("opened twice: %v", err)
		}
	}
	others, err := d.Encode([]byte("secret"), own+1)
	if err != nil {
		t.Fatal(err)
	}
	var no *Refusal
	if got, _, err := d.Decode(others); own != 0 && !errors.As(err, &no) || own != 0 && got != nil {
		t.Errorf("another's: %q, %v", got, err)
	}
	if _, _, err := d.Decode("MUNGE:nonsense:"); !errors.As(err, &no) {
		t.Errorf("nonsense: %v", err)
	}
	if _, err := d.Encode(make([]byte, PayloadMax+1), own); err == nil {
		t.Error("too much is taken")
	}
}

// TestNobody: no daemon, and one that talks nonsense or goes, are errors at once.
func TestNobody(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "socket")
	if _, err := Daemon(socket).Encode(nil, 0); err == nil {
		t.Error("nobody has sealed it")
	}
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, say := range []string{"", "HTTP/1.1 400 Bad Request\r\n\r\n", string(message(encodeReply, 0, nil)),
		string(message(decodeReply, 0, []byte{0, 0})), string(message(encodeReply, 0, make([]byte, 5)))[:12]} {
		done := make(chan struct{})
		go func() {
			defer close(done)
			conn, err := l.Accept()
			if err != nil {
				return
			}
			defer conn.Close()
			_, _ = io.ReadFull(conn, make([]byte, len(message(encodeRequest, 0, sealing(nil, 0)))))
			_, _ = conn.Write([]byte(say))
		}()
		if got, err := Daemon(socket).Encode(nil, 0); err == nil {
			t.Errorf("%q: %q", say, got)
		}
		<-done
	}
}

func FuzzReplies(f *testing.F) {
	f.Add([]byte{0, 0, 0, 0, 0, 2, 'a', 0})
	f.Add([]byte{6, 3, 'n', 'o', 0, 0, 0, 0, 0})
	f.Add(append([]byte{0, 0, 1, 1, 1, 0, 0, 0, 0, 9, 4, 1, 2, 3, 4}, make([]byte, 28)...))
	f.Fuzz(func(t *testing.T, b []byte) {
		if sealed, err := parseSealed(b); err == nil && len(sealed) > len(b) {
			t.Fatalf("%d bytes of %d", len(sealed), len(b))
		}
		if payload, _, err := parseOpened(b); err == nil && len(payload) > len(b) {
			t.Fatalf("%d bytes of %d", len(payload), len(b))
		}
		if n, err := bodyLength(b, decodeReply); err == nil && n > bodyMax {
			t.Fatal(n)
		}
	})
}
