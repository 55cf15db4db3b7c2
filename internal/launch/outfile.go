package launch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

// folder is a directory that output goes to. It is used by descriptor, so that nobody can put
// another one in its place.
type folder struct {
	*os.File // opened with O_PATH; its name is for messages
}

// openFolder opens the directory at path, wherever links on it lead: it is the one that the user named.
func openFolder(path string) (folder, error) {
	f, err := os.OpenFile(path, unix.O_PATH|unix.O_DIRECTORY, 0)
	return folder{f}, err
}

// at opens what name means from d, without a look at it.
func (d folder) at(name string, flags int) (*os.File, error) {
	path := filepath.Join(d.Name(), name)
	for {
		fd, err := unix.Openat(int(d.Fd()), name, flags|unix.O_CLOEXEC, 0o666)
		switch {
		case err == nil:
			return os.NewFile(uintptr(fd), path), nil
		case !errors.Is(err, unix.EINTR): // as of a pipe that nobody reads yet
			return nil, &fs.PathError{Op: "open", Path: path, Err: err}
		}
	}
}

// sub opens a directory in d, which it makes if there is none.
func (d folder) sub(name string) (folder, error) {
	if err := unix.Mkdirat(int(d.Fd()), name, 0o777); err != nil && !errors.Is(err, unix.EEXIST) {
		return folder{}, &fs.PathError{Op: "mkdir", Path: filepath.Join(d.Name(), name), Err: err}
	}
	f, err := d.open(name, unix.O_PATH|unix.O_DIRECTORY)
	return folder{f}, err
}

// open opens an entry of d. Where others can add entries, what is there may have been put there to
// have one of the user's files overwritten, or his output sent elsewhere: check tells what is
// taken.
func (d folder) open(name string, flags int) (*os.File, error) {
	dir, err := d.Stat()
	if err != nil {
		return nil, err
	}
	if !sharedWithOthers(dir) {
		return d.at(name, flags)
	}
	found, err := d.at(name, unix.O_PATH|unix.O_NOFOLLOW)
	if errors.Is(err, fs.ErrNotExist) && flags&os.O_CREATE != 0 {
		return d.at(name, flags|os.O_EXCL)
	}
	if err != nil {
		return nil, err
	}
	defer found.Close()
	if err := check(dir, found); err != nil {
		return nil, err
	}
	if target, err := linkTarget(found); err == nil {
		return d.at(target, flags)
	}
	return d.again(name, found, flags)
}

// again opens the entry that was found before, and nothing else by its name.
func (d folder) again(name string, found *os.File, flags int) (*os.File, error) {
	f, err := d.at(name, flags&^(os.O_CREATE|os.O_TRUNC)|unix.O_NOFOLLOW)
	if err != nil {
		return nil, err
	}
	before, err := found.Stat()
	after, err2 := f.Stat()
	if err = errors.Join(err, err2); err == nil && !os.SameFile(before, after) {
		err = fmt.Errorf("%s: somebody has exchanged it; name a directory of your own", f.Name())
	}
	if err == nil && flags&os.O_TRUNC != 0 && after.Mode().IsRegular() {
		err = f.Truncate(0)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// linkTarget returns where an open link leads; anything else is an error.
func linkTarget(link *os.File) (string, error) {
	target := make([]byte, unix.PathMax)
	n, err := unix.Readlinkat(int(link.Fd()), "", target)
	return string(target[:max(n, 0)]), err
}

// sharedWithOthers tells whether somebody besides this user and root can add entries to a directory.
func sharedWithOthers(dir fs.FileInfo) bool { return dir.Mode()&0o022 != 0 || !ours(ownerOf(dir)) }

// ours tells whether a user is this one or root.
func ours(uid int) bool { return uid == 0 || uid == os.Getuid() }

func ownerOf(info fs.FileInfo) int { return int(info.Sys().(*syscall.Stat_t).Uid) }

// check refuses an entry of a directory that others can write to, if it is not to be trusted. A
// link must be this user's or root's. Anything else may be of the directory's owner, too, or of
// anybody where not all users can write.
func check(dir fs.FileInfo, entry *os.File) error {
	info, err := entry.Stat()
	if err != nil {
		return err
	}
	owner := ownerOf(info)
	link := info.Mode()&fs.ModeSymlink != 0
	switch {
	case ours(owner), !link && (owner == ownerOf(dir) || dir.Mode()&0o002 == 0):
		return nil
	case link:
		return fmt.Errorf("%s: it is a link that another user (%d) has put there; remove it, or name a directory of your own",
			entry.Name(), owner)
	}
	return fmt.Errorf("%s: it belongs to another user (%d), and everybody can put something there; remove it, or name a directory "+
		"of your own", entry.Name(), owner)
}
