package page

import (
	"bytes"
	"context"
	"fmt"
	"image/png"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weft-mpi/weft/lab"
)

// browser returns the path of Chromium. A machine without one that could install it fails: `make test-deps` does. Only
// where there is no such package the test is skipped.
func browser(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("left out of short tests: starts a browser")
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if _, err := exec.LookPath("apt-get"); err != nil {
		t.Skip("this machine has no Chromium, and no apt-get to install it with")
	}
	t.Fatal("there is no Chromium on this machine: run `make test-deps`, which installs it")
	return ""
}

// chromium runs the browser without a window and returns what it prints: to standard output, and about the page's
// console to standard error.
func chromium(t *testing.T, path string, args ...string) (out, log string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
		"--enable-logging=stderr", "--hide-scrollbars", "--user-data-dir=" + profile(t)}, args...)...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, stderr.String())
	}
	return stdout.String(), stderr.String()
}

// profile returns a directory for the browser's files. Processes of the browser may outlive it and write
// there for a moment, so removing the directory is tried again for a while.
func profile(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "weft-browser-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for range 500 {
			if os.RemoveAll(dir) == nil {
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
		t.Errorf("%s cannot be removed", dir)
	})
	return dir
}

// visits is a server that remembers what was asked for.
type visits struct {
	mu    sync.Mutex
	paths []string
}

func (v *visits) all() []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return append([]string(nil), v.paths...)
}

// serve shows a page on the loopback interface and notes every request.
func serve(t *testing.T, page string) (string, *visits) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	seen := &visits{}
	server := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen.mu.Lock()
		seen.paths = append(seen.paths, r.URL.Path)
		seen.mu.Unlock()
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		// Whatever the page wants from elsewhere is an error in the console.
		w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:")
		fmt.Fprint(w, page)
	})}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(l) // ends with Close
	}()
	t.Cleanup(func() {
		_ = server.Close()
		<-done
	})
	return "http://" + l.Addr().String() + "/", seen
}

// ruler notes how far the page is wider than the window. It is the test's own; the page has no script.
const ruler = "<script>document.body.dataset.over = document.documentElement.scrollWidth - window.innerWidth</script>"

// TestPageInABrowser opens the page as people do, in a narrow window: every figure is there after the browser has read
// it, nothing was loaded from elsewhere, nothing was complained about, and nobody has to scroll sideways.
func TestPageInABrowser(t *testing.T) {
	path := browser(t)
	address, seen := serve(t, write(t, contents(t))+ruler)
	dom, log := chromium(t, path, "--window-size=500,900", "--dump-dom", address)
	if !strings.Contains(dom, `data-over="0"`) {
		_, over, _ := strings.Cut(dom, `data-over="`)
		t.Errorf("the page is wider than its window by %.8q", over)
	}
	for _, f := range lab.Figures() {
		if !strings.Contains(dom, `<section id="`+Anchor(f.ID)+`"`) {
			t.Errorf("the browser sees no section of %s", f.ID)
		}
	}
	if n := strings.Count(dom, `class="plot"`); n != 3 {
		t.Errorf("the browser sees %d drawings, want the counts, a diagram and a timeline", n)
	}
	if !strings.Contains(dom, "</html>") || !strings.Contains(dom, "Made by a test.") {
		t.Error("the page is cut off")
	}
	if all := seen.all(); len(all) != 1 || all[0] != "/" {
		t.Errorf("the page had the browser fetch %v", all)
	}
	for line := range strings.Lines(log) {
		if strings.Contains(line, "CONSOLE") {
			t.Errorf("console: %s", line)
		}
	}
}

// TestConsoleIsHeard: what the test above looks for would be seen.
func TestConsoleIsHeard(t *testing.T) {
	path := browser(t)
	address, seen := serve(t, `<!DOCTYPE html><title>bad</title><link rel="icon" href="data:,"><img src="/picture.png">`)
	_, log := chromium(t, path, "--dump-dom", address)
	if !strings.Contains(log, "CONSOLE") {
		t.Errorf("a page that may not load a picture leaves no trace (asked for: %v):\n%s", seen.all(), log)
	}
}

// TestDarkScreens takes a picture of the page for somebody who prefers dark screens.
func TestDarkScreens(t *testing.T) {
	path := browser(t)
	dir := t.TempDir()
	file, shot := filepath.Join(dir, "index.html"), filepath.Join(dir, "shot.png")
	if err := os.WriteFile(file, []byte(write(t, contents(t))), 0o644); err != nil {
		t.Fatal(err)
	}
	chromium(t, path, "--window-size=500,900", "--blink-settings=preferredColorScheme=0", "--screenshot="+shot, "file://"+file)
	f, err := os.Open(shot)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	picture, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	if r, g, b, _ := picture.At(2, 2).RGBA(); r+g+b > 3*0x3000 {
		t.Errorf("the page's corner is as bright as %#x", (r+g+b)/3)
	}
}
