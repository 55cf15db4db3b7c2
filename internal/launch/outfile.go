package launch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// folder is a directory that output goes to. It is used by descriptor, so that nobody can put another one in its place.
type folder struct {
	fd   *os.File
	path string // for messages
}

// openFolder opens the directory at path, wherever links on it lead: it is the one that the user named.
func openFolder(path string) (folder, error) {
	fd, err := os.OpenFile(path, unix.O_PATH|unix.O_DIRECTORY, 0)
	return folder{fd, path}, err
}

func (d folder) close() { d.fd.Close() }

// in names an entry by way of the descriptor.
func (d folder) in(name string) string {
	return "/proc/self/fd/" + strconv.Itoa(int(d.fd.Fd())) + "/" + name
}

// sub opens a directory in d, which it makes if there is none.
func (d folder) sub(name string) (folder, error) {
	if err := os.Mkdir(d.in(name), 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return folder{}, d.named(name, err)
	}
	fd, err := d.open(name, unix.O_PATH|unix.O_DIRECTORY)
	return folder{fd, filepath.Join(d.path, name)}, err
}

// open opens an entry of d. Where others can add entries, what is there may have been put there to have one of the user's
// files overwritten, or his output sent elsewhere: trusted tells what is taken.
func (d folder) open(name string, flags int) (*os.File, error) {
	info, err := d.fd.Stat()
	if err != nil {
		return nil, d.named(name, err)
	}
	if !sharedWithOthers(info) {
		f, err := os.OpenFile(d.in(name), flags, 0o666)
		return f, d.named(name, err)
	}
	there, err := os.OpenFile(d.in(name), unix.O_PATH|unix.O_NOFOLLOW, 0)
	if errors.Is(err, fs.ErrNotExist) && flags&os.O_CREATE != 0 {
		f, err := os.OpenFile(d.in(name), flags|os.O_EXCL, 0o666)
		return f, d.named(name, err)
	}
	if err != nil {
		return nil, d.named(name, err)
	}
	defer there.Close()
	path, err := d.trusted(info, there)
	if err != nil {
		return nil, d.named(name, err)
	}
	f, err := os.OpenFile(path, flags, 0o666)
	return f, d.named(name, err)
}

// sharedWithOthers tells whether somebody besides this user and root can add entries to a directory.
func sharedWithOthers(dir fs.FileInfo) bool { return dir.Mode()&0o022 != 0 || !ours(ownerOf(dir)) }

// ours tells whether a user is this one or root.
func ours(uid int) bool { return uid == 0 || uid == os.Getuid() }

func ownerOf(info fs.FileInfo) int { return int(info.Sys().(*syscall.Stat_t).Uid) }

// trusted returns the path by which to open an entry of a directory that others can write to, open as there. A link must be
// this user's or root's. Anything else may be of the directory's owner, too, or of anybody where not all users can write.
func (d folder) trusted(dir fs.FileInfo, there *os.File) (string, error) {
	info, err := there.Stat()
	if err != nil {
		return "", err
	}
	self := "/proc/self/fd/" + strconv.Itoa(int(there.Fd()))
	owner := ownerOf(info)
	if info.Mode()&fs.ModeSymlink == 0 {
		if ours(owner) || owner == ownerOf(dir) || dir.Mode()&0o002 == 0 {
			return self, nil
		}
		return "", fmt.Errorf("it belongs to another user (%d), and everybody can put something there; remove it, or name a directory of "+
			"your own", owner)
	}
	if !ours(owner) {
		return "", fmt.Errorf("it is a link that another user (%d) has put there; remove it, or name a directory of your own", owner)
	}
	target := make([]byte, unix.PathMax)
	n, err := unix.Readlinkat(int(there.Fd()), "", target) // of this very link
	if err != nil {
		return "", err
	}
	if path := string(target[:n]); filepath.IsAbs(path) {
		return path, nil
	}
	return d.in(string(target[:n])), nil
}

// named makes the error of an entry one that names its path.
func (d folder) named(name string, err error) error {
	if err == nil {
		return nil
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Errorf("%s: %w", filepath.Join(d.path, name), err)
}
