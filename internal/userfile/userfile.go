// Package userfile reads files that users name: host lists, rules, profiles.
//
// It owns the limits of such a file, so that a mistaken name gives an error and not a program that
// reads for ever. It must not know what is in it.
package userfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Most is how many bytes a file may have: far more than any that was written for its purpose.
const Most = 16 << 20

// ErrUnfit marks something that can be opened but is not a file to read: a device, a directory, or
// one that is too long.
var ErrUnfit = errors.New("not a file to read")

// Read returns all of a file, or of a pipe, as a shell makes of <(command). It waits for the end of a pipe.
func Read(path string) ([]byte, error) {
	// Looked at first: opening a device may do something.
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if err := fit(path, info); err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return nil, err
	}
	if err := fit(path, info); err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(f, Most+1))
	if err == nil && len(text) > Most {
		err = fmt.Errorf("%s is %w: it has more than %d MB; is it the right one?", path, ErrUnfit, Most>>20)
	}
	if err != nil {
		return nil, err
	}
	return text, nil
}

// fit refuses what is neither a file nor a pipe.
func fit(path string, info fs.FileInfo) error {
	if info.Mode().IsRegular() || info.Mode()&fs.ModeNamedPipe != 0 {
		return nil
	}
	kind := "a device"
	switch {
	case info.IsDir():
		kind = "a directory"
	case info.Mode()&fs.ModeSocket != 0:
		kind = "a socket"
	}
	return fmt.Errorf("%s is %w but %s; name a file or a pipe", path, ErrUnfit, kind)
}
