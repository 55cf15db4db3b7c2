package desk

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func open(t *testing.T, dir string, answer func(context.Context) ([]byte, error)) *Desk {
	t.Helper()
	d, err := Open(dir, answer)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

func jobs(t *testing.T, dir string, want int) []Job {
	t.Helper()
	all, err := Jobs(dir)
	if err != nil || len(all) != want {
		t.Fatalf("%d jobs, %v, want %d", len(all), err, want)
	}
	return all
}

// Two jobs of one process, one of which ends; what is said arrives.
func TestAsk(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "desk")
	jobs(t, dir, 0)
	first := open(t, dir, func(context.Context) ([]byte, error) { return []byte("one"), nil })
	open(t, dir, func(context.Context) ([]byte, error) { return make([]byte, 4<<20), nil })
	for _, j := range jobs(t, dir, 2) {
		if text, err := j.Ask(); err != nil || j.Pid != os.Getpid() || string(text) != "one" && len(text) != 4<<20 {
			t.Errorf("%d bytes, %v", len(text), err)
		}
	}
	first.Close()
	jobs(t, dir, 1)
}

// Who says nothing, or something else, gets no answer and is in nobody's way; who gives no answer in the end is
// waited for, until the desk is closed.
func TestAskers(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "desk")
	waiting := make(chan struct{}, 1)
	d := open(t, dir, func(ctx context.Context) ([]byte, error) {
		waiting <- struct{}{}
		<-ctx.Done()
		return nil, ctx.Err()
	})
	job := jobs(t, dir, 1)[0]
	for range askersMax - 2 {
		conn, err := net.Dial("unix", job.path)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
	}
	rude, err := net.Dial("unix", job.path)
	if err != nil {
		t.Fatal(err)
	}
	defer rude.Close()
	_, _ = rude.Write([]byte("GET / HTTP/1.1\r\n\r\n"))
	if n, _ := rude.Read(make([]byte, 1)); n > 0 {
		t.Error("an answer to what was no question")
	}
	asked := make(chan error)
	go func() {
		_, err := job.Ask()
		asked <- err
	}()
	<-waiting
	d.Close()
	if err := <-asked; !errors.Is(err, ErrNoAnswer) {
		t.Errorf("of a job that has ended: %v", err)
	}
	jobs(t, dir, 0)
}

// The socket of a launcher that was killed is removed by the next who looks, unless it is so young that its launcher
// may just be making it. Other files stay.
func TestStale(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "desk")
	open(t, dir, func(context.Context) ([]byte, error) { return nil, nil })
	stale := func(name string, old time.Duration) string {
		path := filepath.Join(dir, name)
		l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
		if err != nil {
			t.Fatal(err)
		}
		l.SetUnlinkOnClose(false)
		l.Close()
		when := time.Now().Add(-old)
		if err := os.Chtimes(path, when, when); err != nil {
			t.Fatal(err)
		}
		return path
	}
	dead, young := stale("12-ab", time.Hour), stale("13-ab", -time.Hour)
	file := filepath.Join(dir, "14-ab")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	jobs(t, dir, 1)
	for path, want := range map[string]bool{dead: false, young: true, file: true} {
		if _, err := os.Lstat(path); (err == nil) != want {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// A directory is used only if nobody else can be in it.
func TestDirectory(t *testing.T) {
	for name, make := range map[string]func(path string) error{
		"open":    func(path string) error { return errors.Join(os.Mkdir(path, 0o700), os.Chmod(path, 0o755)) },
		"link":    func(path string) error { return os.Symlink(t.TempDir(), path) },
		"file":    func(path string) error { return os.WriteFile(path, nil, 0o700) },
		"foreign": func(path string) error { return errors.Join(os.Mkdir(path, 0o700), os.Chown(path, 65534, 65534)) },
	} {
		if name == "foreign" && os.Geteuid() != 0 {
			continue
		}
		path := filepath.Join(t.TempDir(), name)
		if err := make(path); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path, nil); err == nil {
			t.Errorf("%s: a launcher uses it", name)
		}
		if _, err := Jobs(path); err == nil {
			t.Errorf("%s: a user trusts it", name)
		}
	}
}
