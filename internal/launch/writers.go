package launch

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// writers is who, besides this user and root, can change what a path leads to: the file itself, or
// the directories and links on the way to it. The numbers are those of this host.
type writers struct {
	users, groups []int
	anybody       bool
}

// linksMax is how many links a path may lead through, as many as the kernel follows.
const linksMax = 40

// writersOf follows an absolute path as the kernel would. What it finds holds until one of those
// who were found, this user or root changes something: nobody else can.
func writersOf(path string) (writers, error) {
	var w writers
	if err := w.add("/"); err != nil {
		return writers{}, err
	}
	at, links := "/", 0
	for {
		name, rest, _ := strings.Cut(strings.TrimLeft(path, "/"), "/")
		if name == "" {
			return w, nil
		}
		path = rest
		next := filepath.Join(at, name) // at has no links in it, so ".." is what it says
		if err := w.add(next); err != nil {
			return writers{}, err
		}
		target, err := os.Readlink(next)
		if err != nil {
			at = next // no link
			continue
		}
		if links++; links > linksMax {
			return writers{}, fmt.Errorf("%s: %w", next, unix.ELOOP)
		}
		if filepath.IsAbs(target) {
			at = "/"
		}
		path = target + "/" + path
	}
}

// add counts those who can change one file, directory or link. The owner can, whatever the mode
// says. In a directory with the sticky bit, as /tmp is, everybody can add entries, but only owners
// can replace theirs.
func (w *writers) add(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return fmt.Errorf("%s: nobody says whose it is", path)
	}
	if uid := int(st.Uid); uid != 0 && uid != os.Getuid() && !slices.Contains(w.users, uid) {
		w.users = append(w.users, uid)
	}
	mode := info.Mode()
	if mode&fs.ModeSymlink != 0 || mode.IsDir() && mode&fs.ModeSticky != 0 {
		return nil
	}
	if gid := int(st.Gid); mode&0o020 != 0 && !slices.Contains(w.groups, gid) {
		w.groups = append(w.groups, gid)
	}
	w.anybody = w.anybody || mode&0o002 != 0
	return nil
}

// within tells whether all of w are trusted. Everybody never is.
func (w writers) within(trusted writers) bool {
	strange := func(n int, known []int) bool { return !slices.Contains(known, n) }
	return !w.anybody &&
		!slices.ContainsFunc(w.users, func(n int) bool { return strange(n, trusted.users) }) &&
		!slices.ContainsFunc(w.groups, func(n int) bool { return strange(n, trusted.groups) })
}
