package peers

import (
	"context"
	"crypto/sha256"
	"embed"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// The C sources travel inside the weft binary.
//
//go:embed c
var sources embed.FS

// readSources returns the files below a directory of the embedded sources by their names.
func readSources(dir string) (map[string]string, error) {
	entries, err := sources.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for _, e := range entries {
		text, err := sources.ReadFile(path.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		files[e.Name()] = string(text)
	}
	return files, nil
}

// build compiles the sources in a directory together and returns the path of the result. The name in the cache
// carries a hash of everything that shapes the result: a changed source, compiler or flag compiles anew, and two
// users of the cache cannot see a half-written file because the result is moved into place whole.
func build(ctx context.Context, cache, name, compiler, from string, flags ...string) (string, error) {
	files, err := readSources(from)
	if err != nil {
		return "", err
	}
	version, err := exec.CommandContext(ctx, compiler, "--version").Output()
	if err != nil {
		return "", fmt.Errorf("asking %s for its version: %w (`make bench-deps` installs what is needed)", compiler, err)
	}
	parts := append([]string{compiler, string(version)}, flags...)
	for _, file := range slices.Sorted(maps.Keys(files)) {
		parts = append(parts, file, files[file])
	}
	key := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	target := filepath.Join(cache, fmt.Sprintf("%x-%s", key[:8], name))
	if info, err := os.Stat(target); err == nil && info.Mode().IsRegular() {
		return target, nil
	}
	if err := os.MkdirAll(cache, 0o700); err != nil {
		return "", fmt.Errorf("making the cache directory: %w", err)
	}
	dir, err := os.MkdirTemp(cache, "build-")
	if err != nil {
		return "", fmt.Errorf("making a directory to compile in: %w", err)
	}
	defer os.RemoveAll(dir)
	result := filepath.Join(dir, name)
	args := []string{"-w", "-o", result}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(files[file]), 0o600); err != nil {
			return "", err
		}
		if filepath.Ext(file) == ".c" {
			args = append(args, filepath.Join(dir, file))
		}
	}
	args = append(args, flags...)
	if out, err := exec.CommandContext(ctx, compiler, args...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", compiler, err, out)
	}
	if err := os.Rename(result, target); err != nil {
		return "", fmt.Errorf("moving the compiled program into the cache: %w", err)
	}
	return target, nil
}
