package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/mpi"
)

// write makes a directory with the given files.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestCounts(t *testing.T) {
	dir := write(t, map[string]string{
		"a.txt":     "The quick brown fox jumps over the lazy dog.",
		"b.txt":     "The dog sleeps; the FOX doesn't.",
		"sub/c.txt": strings.Repeat("über die ", 100),
		"empty.txt": "",
	})
	const rest = "13 different ones\n     100 die\n     100 über\n       4 the\n       2 dog\n       2 fox\n"
	for _, n := range []int{1, 2, 3, 7} {
		var out bytes.Buffer
		err := mpi.Run(n, func(world *mpi.Comm) error { return run(world, &out, 5, []string{dir}) })
		if err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf("4 files on %d ranks: 216 words, %s", n, rest); out.String() != want {
			t.Errorf("got\n%swant\n%s", out.String(), want)
		}
	}
}

// TestMany: maps that are too long to be sent at once, by all ranks to all.
func TestMany(t *testing.T) {
	files := map[string]string{}
	for f := range 4 {
		var text strings.Builder
		for i := range 20_000 {
			fmt.Fprintf(&text, "%s ", strings.Map(func(r rune) rune { return r - '0' + 'a' }, fmt.Sprint(100_000+i)))
		}
		files[fmt.Sprint(f)] = text.String()
	}
	dir := write(t, files)
	var out bytes.Buffer
	if err := mpi.Run(4, func(world *mpi.Comm) error { return run(world, &out, 1, []string{dir}) }); err != nil {
		t.Fatal(err)
	}
	if want := "4 files on 4 ranks: 80000 words, 20000 different ones\n       4 baaaaa\n"; out.String() != want {
		t.Errorf("got %q", out.String())
	}
}

// TestDeal: every file goes to one rank, and the shares are about even.
func TestDeal(t *testing.T) {
	var files []file
	for i := range 20 {
		files = append(files, file{fmt.Sprint(i), int64(100 + i)})
	}
	seen := map[string]bool{}
	for _, share := range deal(files, 3) {
		var bytes int64
		for _, f := range share {
			bytes += f.Size
			seen[f.Path] = true
		}
		if bytes < 600 || bytes > 840 {
			t.Errorf("a rank reads %d bytes of %d", bytes, 20*100+190)
		}
	}
	if len(seen) != len(files) {
		t.Errorf("%d of %d files are read", len(seen), len(files))
	}
}

func TestBadArguments(t *testing.T) {
	empty := t.TempDir()
	for want, paths := range map[string][]string{
		"name files or directories": nil,
		"no such file or directory": {filepath.Join(empty, "missing")},
		"no files in":               {empty},
	} {
		err := mpi.Run(2, func(world *mpi.Comm) error { return run(world, new(bytes.Buffer), 5, paths) })
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", paths, err)
		}
	}
	if err := mpi.Run(1, func(world *mpi.Comm) error { return run(world, new(bytes.Buffer), -1, []string{empty}) }); err == nil {
		t.Error("-top -1 was accepted")
	}
}
