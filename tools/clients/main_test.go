package main

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"
)

// TestWorse: a client may do less than all on Weft only if it does not come to an end on its own library.
func TestWorse(t *testing.T) {
	fine, fewer, failing := outcome{good: 3}, outcome{good: 2}, outcome{good: 2, bad: 1}
	ends := outcome{good: 3, err: errors.New("no end")}
	for _, c := range []struct {
		weft, own outcome
		want      bool
	}{{fine, fine, false}, {failing, failing, false}, {fewer, fine, true}, {failing, fine, true}, {ends, fine, true}, {fine, ends, false}, {ends, ends, false}} {
		if got := c.weft.worse(c.own); got != c.want {
			t.Errorf("%v on Weft, %v on its own: worse is %v", c.weft, c.own, got)
		}
	}
}

// TestRun: a client runs among copies of its files, its report is read, and one that does not end is ended.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "data"), []byte("PASSED\nPASSED\nFAILED\nend\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	c := client{ranks: 2, dir: dir, files: map[string]string{"more": "PASSED\n"}, reports: "report", ends: "end",
		argv: []string{"cat data more > report; rm data"}, good: regexp.MustCompile("PASSED"), bad: regexp.MustCompile("FAILED")}
	launcher := []string{"sh", "-c", `shift; eval "$1"`}
	if got := c.run(launcher, time.Minute); got.err != nil || got.good != 3 || got.bad != 1 {
		t.Errorf("it reports %v", got)
	}
	if _, err := os.Stat(filepath.Join(dir, "data")); err != nil {
		t.Errorf("the client has worked on the files themselves: %v", err)
	}
	c.ends = "the end"
	if got := c.run(launcher, time.Minute); got.err == nil {
		t.Errorf("a report without its end is taken for whole: %v", got)
	}
	c.argv = []string{"exec sleep 1000"}
	if got := c.run(launcher, time.Second/10); got.err == nil || got.took > 30*time.Second {
		t.Errorf("a client that does not end: %v after %v", got, got.took)
	}
}
