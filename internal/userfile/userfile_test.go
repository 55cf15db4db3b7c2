package userfile

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, n int) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, bytes.Repeat([]byte("x"), n), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for path, want := range map[string]int{write("empty", 0): 0, write("short", 10): 10, write("longest", Most): Most} {
		if text, err := Read(path); err != nil || len(text) != want {
			t.Errorf("%s: %d bytes, %v, want %d", path, len(text), err, want)
		}
	}
	for path, want := range map[string]string{
		"/dev/zero":             "a device",
		dir:                     "a directory",
		write("long", Most+1):   "more than 16 MB",
		"/dev/null":             "a device",
		"/proc/self/fd/1000000": "",
	} {
		text, err := Read(path)
		if err == nil || errors.Is(err, ErrUnfit) == (want == "") || !strings.Contains(err.Error(), want) || text != nil {
			t.Errorf("%s: %d bytes, %v", path, len(text), err)
		}
	}
	if _, err := Read(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}

// Process substitution of a shell names the end of a pipe.
func TestReadPipe(t *testing.T) {
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	go func() {
		_, _ = write.WriteString("h1\nh2\n")
		write.Close()
	}()
	text, err := Read("/proc/self/fd/" + strconv.Itoa(int(read.Fd())))
	if err != nil || string(text) != "h1\nh2\n" {
		t.Errorf("%q, %v", text, err)
	}
}
