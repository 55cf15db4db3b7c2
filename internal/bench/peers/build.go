package peers

import (
	"context"
	"crypto/sha256"
	_ "embed" // the C sources travel inside the weft binary
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed c/twin.c
var twinSource string

//go:embed c/yield.c
var yieldSource string

// build compiles source and returns the path of the result. The name in the cache carries a hash of everything
// that shapes the result: a changed source, compiler or flag compiles anew, and two users of the cache cannot
// see a half-written file because the result is moved into place whole.
func build(ctx context.Context, cache, name, compiler, source string, flags ...string) (string, error) {
	version, err := exec.CommandContext(ctx, compiler, "--version").Output()
	if err != nil {
		return "", fmt.Errorf("asking %s for its version: %w (`make bench-deps` installs what is needed)", compiler, err)
	}
	key := sha256.Sum256([]byte(strings.Join(append([]string{compiler, string(version), source}, flags...), "\x00")))
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
	file := filepath.Join(dir, "source.c")
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		return "", err
	}
	result := filepath.Join(dir, name)
	args := append([]string{"-w", "-o", result, file}, flags...)
	if out, err := exec.CommandContext(ctx, compiler, args...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", compiler, err, out)
	}
	if err := os.Rename(result, target); err != nil {
		return "", fmt.Errorf("moving the compiled program into the cache: %w", err)
	}
	return target, nil
}
