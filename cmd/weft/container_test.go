package main

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// apart are the words that put a rank into namespaces of its own, as a container does.
var apart = []string{"unshare", "--pid", "--ipc", "--mount", "--uts", "--fork", "--kill-child", "--mount-proc"}

// unshares skips the test where no namespaces can be made.
func unshares(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	if out, err := exec.Command(apart[0], append(apart[1:], "true")...).CombinedOutput(); err != nil {
		t.Skipf("no namespaces here: %v: %s", err, out)
	}
}

// Ranks of a job each of which is in namespaces of its own see that they cannot read each other's memory:
// processes have other numbers there, or are not to be seen. Long messages then go through shared memory,
// and arrive whole.
func TestRanksInContainers(t *testing.T) {
	t.Parallel()
	unshares(t)
	dir := t.TempDir()
	words := append(append([]string{"--set", "report=" + dir, "-n", "2"}, apart...), "faulty", "large", "8", "back")
	faultJob{argv: words}.run(t, 0)
	for _, name := range []string{"rank-0.json", "rank-1.json"} {
		var r struct {
			Engine struct{ Reads, Pushes, ArrivedBytes uint64 }
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err == nil {
			err = json.Unmarshal(text, &r)
		}
		if err != nil || r.Engine.Reads > 0 || r.Engine.Pushes == 0 || r.Engine.ArrivedBytes < 8<<20 {
			t.Errorf("%s: %+v, %v", name, r.Engine, err)
		}
	}
}

// Such ranks end with their job, whatever they are doing.
func TestEndOfRanksInContainers(t *testing.T) {
	t.Parallel()
	unshares(t)
	r := faultJob{argv: append(append([]string{"-n", "3"}, apart...), "faulty", "traffic", "rendezvous")}.start(t)
	r.await(t, "ready", 3)
	r.signal(unix.SIGTERM)
	r.end(t, 143)
}

// imageBuilds and imageCopies are the lines of the Dockerfile that say what is built and where it goes.
var (
	imageBuilds = regexp.MustCompile(`(?m)^RUN CGO_ENABLED=0 go build -o /out/(\S+) (\./\S+)$`)
	imageCopies = regexp.MustCompile(`(?m)^COPY --from=build /out/(\S+) (/\S+)$`)
)

// What the Dockerfile builds runs in a root that holds nothing else but /dev/null: no libraries, no shell,
// no /proc, no /tmp. To build it takes half a minute.
func TestImage(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 || os.Getenv("WEFT_SOAK") == "" {
		t.Skip("needs root and WEFT_SOAK=1")
	}
	file, err := os.ReadFile("../../tools/container/Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	root, out := t.TempDir(), t.TempDir()
	for _, m := range imageBuilds.FindAllStringSubmatch(string(file), -1) {
		build := exec.Command("go", "build", "-o", filepath.Join(out, m[1]), m[2])
		build.Dir, build.Env = "../..", append(os.Environ(), "CGO_ENABLED=0")
		if text, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
	}
	copies := imageCopies.FindAllStringSubmatch(string(file), -1)
	if len(copies) != 2 {
		t.Fatalf("%d files go into the image", len(copies))
	}
	for _, m := range copies {
		to := filepath.Join(root, m[2])
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(filepath.Join(out, m[1]), to); err != nil {
			t.Fatal(err)
		}
	}
	dev := filepath.Join(root, "dev")
	if err := os.Mkdir(dev, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mknod(filepath.Join(dev, "null"), unix.S_IFCHR|0o666, int(unix.Mkdev(1, 3))); err != nil {
		t.Skipf("no devices can be made here: %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	run := exec.CommandContext(ctx, "/usr/local/bin/weft", "run", "--oversubscribe", "-n", "3", "/prog")
	run.Path, run.Err = "/usr/local/bin/weft", nil // in the root, and not here
	run.Env, run.Dir = []string{"PATH=/usr/local/bin"}, "/"
	run.SysProcAttr = &syscall.SysProcAttr{Chroot: root}
	if text, err := run.CombinedOutput(); err != nil || !strings.Contains(string(text), "3.14159") {
		t.Errorf("%v: %s", err, text)
	}
}
