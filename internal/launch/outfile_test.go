package launch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// printed runs a job of two ranks that print their number.
func printed(t *testing.T, out Output) error {
	t.Helper()
	m := newMark()
	job := Job{Specs: []Spec{{N: 2, Argv: []string{"/bin/sh", "-c", "echo rank $WEFT_RANK"}, Env: append(os.Environ(), string(m))}}, Output: out}
	return runJob(t, job, m).err
}

func holds(t *testing.T, path, want string) {
	t.Helper()
	if text, err := os.ReadFile(path); err != nil || string(text) != want {
		t.Errorf("%s holds %q, %v, want %q", path, text, err, want)
	}
}

// Output goes where it always went, whoever may write to the directory, and through links of one's own.
func TestOutputFiles(t *testing.T) {
	for name, mode := range map[string]os.FileMode{"private": 0o700, "a group's": 0o775, "everybody's": 0o777, "sticky": 0o777 | os.ModeSticky} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			must(t, os.Chmod(dir, mode))
			logs := filepath.Join(dir, "logs")
			for range 2 { // the second time everything is there
				must(t, printed(t, Output{Dir: logs + "/"}))
				holds(t, logs+"/rank.1/stdout", "rank 1\n")
				must(t, printed(t, Output{OutPattern: filepath.Join(dir, "%r.out")}))
				holds(t, dir+"/1.out", "rank 1\n")
			}
			must(t, os.Symlink("logs", filepath.Join(dir, "link")))
			must(t, os.Truncate(logs+"/rank.1/stdout", 0))
			must(t, printed(t, Output{Dir: filepath.Join(dir, "link")}))
			holds(t, logs+"/rank.1/stdout", "rank 1\n")
			must(t, os.Symlink(filepath.Join(dir, "target"), filepath.Join(dir, "one")))
			must(t, printed(t, Output{OutPattern: filepath.Join(dir, "one")}))
			if info, err := os.Stat(filepath.Join(dir, "target")); err != nil || info.Size() != int64(2*len("rank 0\n")) {
				t.Errorf("through a link of one's own: %v, %v", info, err)
			}
			must(t, printed(t, Output{OutPattern: "/dev/null"}))
			if err := printed(t, Output{OutPattern: logs + "/"}); err == nil {
				t.Error("a directory is taken for a file")
			}
		})
	}
}

// Others have put links, files and pipes where output will go, in directories that they can write
// to or that are theirs.
func TestOutputNotWhereOthersSay(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("takes root to be somebody else")
	}
	const precious = "precious\n"
	for _, c := range []struct {
		name  string
		mode  os.FileMode
		owner int // of the directory
		plant func(t *testing.T, dir, victim string)
		says  string // "" if output may go there
	}{
		{"rank's link", 0o777, 0, func(t *testing.T, dir, victim string) {
			plantLink(t, filepath.Dir(victim), filepath.Join(dir, "logs", "rank.0"))
		}, "rank.0: it is a link that another user (4711)"},
		{"file's link", 0o777 | os.ModeSticky, 0, func(t *testing.T, dir, victim string) {
			must(t, os.Mkdir(filepath.Join(dir, "logs", "rank.0"), 0o700))
			must(t, os.Chmod(filepath.Join(dir, "logs", "rank.0"), 0o777|os.ModeSticky))
			plantLink(t, victim, filepath.Join(dir, "logs", "rank.0", "stdout"))
		}, "stdout: it is a link that another user (4711)"},
		{"dangling link", 0o777, 0, func(t *testing.T, dir, victim string) {
			plantLink(t, filepath.Dir(victim)+"/new", filepath.Join(dir, "logs", "rank.0"))
		}, "rank.0: it is a link"},
		{"link in a group's directory", 0o775, 0, func(t *testing.T, dir, victim string) {
			plantLink(t, filepath.Dir(victim), filepath.Join(dir, "logs", "rank.0"))
		}, "rank.0: it is a link that another user (4711)"},
		{"link in a stranger's directory", 0o755, stranger, func(t *testing.T, dir, victim string) {
			plantLink(t, filepath.Dir(victim), filepath.Join(dir, "logs", "rank.0"))
		}, "rank.0: it is a link that another user (4711)"},
		{"directory", 0o777, 0, func(t *testing.T, dir, _ string) {
			path := filepath.Join(dir, "logs", "rank.0")
			must(t, os.Mkdir(path, 0o777))
			must(t, os.Chown(path, stranger, -1))
		}, "rank.0: it belongs to another user (4711)"},
		{"directory of a group's member", 0o775, 0, func(t *testing.T, dir, _ string) {
			path := filepath.Join(dir, "logs", "rank.0")
			must(t, os.Mkdir(path, 0o775))
			must(t, os.Chown(path, stranger, -1))
		}, ""},
		{"pipe", 0o777, 0, func(t *testing.T, dir, _ string) {
			must(t, os.Mkdir(filepath.Join(dir, "logs", "rank.0"), 0o777))
			must(t, os.Chmod(filepath.Join(dir, "logs", "rank.0"), 0o777))
			pipe := filepath.Join(dir, "logs", "rank.0", "stdout")
			must(t, unix.Mkfifo(pipe, 0o666))
			must(t, os.Chown(pipe, stranger, -1))
		}, "stdout: it belongs to another user (4711)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, home := t.TempDir(), t.TempDir()
			victim := filepath.Join(home, "stdout")
			must(t, os.WriteFile(victim, []byte(precious), 0o600))
			logs := filepath.Join(dir, "logs")
			must(t, os.Mkdir(logs, 0o700))
			c.plant(t, dir, victim)
			must(t, os.Chown(logs, c.owner, -1))
			must(t, os.Chmod(logs, c.mode))
			err := printed(t, Output{Dir: logs})
			if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, want %q", err, c.says)
			}
			holds(t, victim, precious)
			if entries, err := os.ReadDir(home); err != nil || len(entries) != 1 {
				t.Errorf("made in another directory: %v, %v", entries, err)
			}
		})
	}
}

// plantLink makes a link that belongs to somebody else.
func plantLink(t *testing.T, to, at string) {
	t.Helper()
	must(t, os.Symlink(to, at))
	must(t, os.Lchown(at, stranger, -1))
}
