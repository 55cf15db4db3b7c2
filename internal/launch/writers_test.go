package launch

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/weft-mpi/weft/internal/launch/frame"
)

// stranger is somebody who is neither this user nor root.
const stranger = 4711

// newPlace makes a directory that others may not change, with a program in it.
func newPlace(t *testing.T) (dir, prog string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if w, err := writersOf(dir); err != nil || !w.within(writers{}) {
		t.Skipf("others can change the temporary directory of this test: %+v, %v", w, err)
	}
	prog = filepath.Join(dir, "sub", "prog")
	must(t, os.Mkdir(filepath.Dir(prog), 0o755))
	must(t, os.WriteFile(prog, []byte("#!/bin/sh\n"), 0o755))
	return dir, prog
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// exposures are ways to put a program where others can change it, or seem to; change returns the
// path to ask for.
var exposures = []struct {
	name   string
	change func(t *testing.T, dir, prog string) string
	want   func(gid int) writers
	root   bool // only root can try it
}{
	{"private", func(_ *testing.T, _, prog string) string { return prog }, nil, false},
	{"a file that all can write", func(t *testing.T, _, prog string) string {
		must(t, os.Chmod(prog, 0o777))
		return prog
	}, func(gid int) writers { return writers{groups: []int{gid}, anybody: true} }, false},
	{"a directory that all can write", func(t *testing.T, dir, prog string) string {
		must(t, os.Chmod(dir, 0o757))
		return prog
	}, func(int) writers { return writers{anybody: true} }, false},
	{"a directory of a group", func(t *testing.T, _, prog string) string {
		must(t, os.Chmod(filepath.Dir(prog), 0o775))
		return prog
	}, func(gid int) writers { return writers{groups: []int{gid}} }, false},
	{"a sticky directory", func(t *testing.T, dir, prog string) string {
		must(t, os.Chmod(dir, 0o777|os.ModeSticky))
		return prog
	}, nil, false},
	{"a link out of a safe place", func(t *testing.T, dir, prog string) string {
		must(t, os.Chmod(filepath.Dir(prog), 0o757))
		must(t, os.Mkdir(filepath.Join(dir, "safe"), 0o700))
		link := filepath.Join(dir, "safe", "link")
		must(t, os.Symlink("../sub/./prog", link))
		return link
	}, func(int) writers { return writers{anybody: true} }, false},
	{"a link into a safe place", func(t *testing.T, dir, prog string) string {
		must(t, os.Mkdir(filepath.Join(dir, "open"), 0o700))
		link := filepath.Join(dir, "open", "link")
		must(t, os.Symlink(prog, link))
		must(t, os.Chmod(filepath.Dir(link), 0o757))
		return link
	}, func(int) writers { return writers{anybody: true} }, false},
	{"a stranger's file", func(t *testing.T, dir, prog string) string {
		must(t, os.Chmod(filepath.Dir(prog), 0o777|os.ModeSticky))
		must(t, os.Chown(prog, stranger, -1))
		return prog
	}, func(int) writers { return writers{users: []int{stranger}} }, true},
	{"a stranger's link in a sticky directory", func(t *testing.T, dir, prog string) string {
		must(t, os.Chmod(dir, 0o777|os.ModeSticky))
		link := filepath.Join(dir, "link")
		must(t, os.Symlink("sub", link))
		must(t, os.Lchown(link, stranger, -1))
		return filepath.Join(link, "prog")
	}, func(int) writers { return writers{users: []int{stranger}} }, true},
}

func TestWriters(t *testing.T) {
	for _, c := range exposures {
		t.Run(c.name, func(t *testing.T) {
			if c.root && os.Getuid() != 0 {
				t.Skip("takes root")
			}
			dir, prog := newPlace(t)
			got, err := writersOf(c.change(t, dir, prog))
			var want writers
			if c.want != nil {
				want = c.want(os.Getgid())
			}
			if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%+v, %v, want %+v", got, err, want)
			}
		})
	}
	dir, _ := newPlace(t)
	must(t, os.Symlink("round", filepath.Join(dir, "round")))
	for _, path := range []string{filepath.Join(dir, "round"), filepath.Join(dir, "nowhere", "prog")} {
		if w, err := writersOf(path); err == nil {
			t.Errorf("%s: %+v", path, w)
		}
	}
}

// Somebody puts the very program in its place, to exchange it between the agent's look and its
// start: an agent has a file that strangers can change sent again, and takes one that only those
// can change who can at the launcher.
func TestAgentDistrustsStrangers(t *testing.T) {
	for _, c := range exposures {
		t.Run(c.name, func(t *testing.T) {
			if c.root && os.Getuid() != 0 {
				t.Skip("takes root")
			}
			dir, prog := newPlace(t)
			path := c.change(t, dir, prog)
			p := program{path: prog, source: prog}
			must(t, p.describe())
			var who writers
			if c.want != nil {
				who = c.want(os.Getgid())
			}
			for _, trusted := range []writers{{}, who} {
				want := frame.Differs
				if who.within(trusted) {
					want = frame.Ready
				}
				d := newDepot()
				ask := frame.Program{Path: path, Size: p.size, Sum: p.sum[:], Users: trusted.users, Groups: trusted.groups}
				must(t, d.onProgram(&ask, func(m frame.Message) {
					if f := m.(*frame.Found); f.State != want {
						t.Errorf("state %d with %+v trusted, want %d", f.State, trusted, want)
					}
				}))
			}
		})
	}
}
