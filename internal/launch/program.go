package launch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// StartError is a job that never ran: a program that cannot be found, built or executed. Code is the exit code that
// tells a shell which.
type StartError struct {
	Code int
	Text string // says what, for which rank, and what to do
}

func (e *StartError) Error() string { return e.Text }

func startError(code int, format string, args ...any) *StartError {
	return &StartError{code, fmt.Sprintf(format, args...)}
}

// programs turns what users write into paths of executables, building Go packages on the way.
type programs struct {
	ctx   context.Context
	dir   string            // where built programs go; must exist when a Go package is asked for
	built map[string]string // package as written: executable
	guard *watchdog         // ends a build whose launcher was killed

	say  func(format string, args ...any) // tells the user of a build that takes longer than slow
	slow time.Duration
}

// slowBuild is how long a program may be built in silence.
const slowBuild = time.Second

// path returns the absolute path of the executable for spec, whose first rank is rank.
func (p *programs) path(spec Spec, rank int) (string, error) {
	name := spec.Argv[0]
	if IsGoPackage(name) {
		if p.built[name] == "" {
			path, err := p.build(name, rank)
			if err != nil {
				return "", err
			}
			p.built[name] = path
		}
		return p.built[name], nil
	}
	if strings.ContainsRune(name, filepath.Separator) {
		return executableFile(name, rank)
	}
	path, err := exec.LookPath(name)
	if err != nil && !errors.Is(err, exec.ErrDot) {
		return "", notInPath(name, rank)
	}
	return filepath.Abs(path)
}

// IsGoPackage tells whether name is to be built before it is run: a .go file, a pattern with "...", or a directory. A
// directory named without a slash yields to a program of the same name in PATH, as it does in a shell.
func IsGoPackage(name string) bool {
	if strings.HasSuffix(name, ".go") || strings.Contains(name, "...") {
		return true
	}
	if info, err := os.Stat(name); err != nil || !info.IsDir() {
		return false
	}
	if strings.ContainsRune(name, filepath.Separator) || name == "." || name == ".." {
		return true
	}
	_, err := exec.LookPath(name)
	return err != nil
}

func executableFile(name string, rank int) (string, error) {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", startError(CodeNotFound, "rank %d: program %s does not exist; check the path (relative to %s)",
			rank, name, workingDir())
	case err != nil:
		return "", startError(CodeNotExecutable, "rank %d: program %s: %v", rank, name, err)
	case info.Mode()&0o111 == 0 || !info.Mode().IsRegular():
		return "", startError(CodeNotExecutable, "rank %d: %s is not executable (mode %v); chmod +x %s, "+
			"or name its interpreter first", rank, name, info.Mode(), name)
	}
	return filepath.Abs(name)
}

func notInPath(name string, rank int) error {
	if _, err := os.Stat(name); err == nil {
		return startError(CodeNotFound, "rank %d: program %s is not in PATH; for the file in this directory write ./%s",
			rank, name, name)
	}
	return startError(CodeNotFound, "rank %d: program %s is not in PATH and no such file is in %s; "+
		"check the name, or give its path", rank, name, workingDir())
}

func workingDir() string {
	dir, err := os.Getwd()
	if err != nil {
		return "the working directory"
	}
	return dir
}

// build compiles one main package. go writes executables into a directory of their own, so that their number tells
// whether the package was one program.
func (p *programs) build(name string, rank int) (string, error) {
	if _, err := exec.LookPath("go"); err != nil {
		return "", startError(CodeNotFound, "rank %d: %s is a Go package, but the go command is not in PATH; "+
			"build it elsewhere and run the executable", rank, name)
	}
	into := filepath.Join(p.dir, fmt.Sprintf("program%d", len(p.built)))
	if err := os.Mkdir(into, 0o700); err != nil {
		return "", err
	}
	cmd := exec.CommandContext(p.ctx, "go", "build", "-o", into+string(filepath.Separator), name)
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		cmd.Dir, cmd.Args[len(cmd.Args)-1] = name, "." // it may belong to another module than this directory
	}
	// go starts compilers; as a group they can be ended together. go itself also dies by PDEATHSIG, should
	// the launcher be killed before the watchdog knows of the group: it would go on to write the program
	// after its directory is gone.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return unix.Kill(-cmd.Process.Pid, unix.SIGKILL) }
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	err := cmd.Start()
	if err == nil {
		p.guard.guard(cmd.Process.Pid)
		err = p.await(cmd, name)
	}
	if err != nil {
		if p.ctx.Err() != nil {
			return "", p.ctx.Err()
		}
		return "", startError(CodeFailure, "rank %d: go build %s failed:\n%s", rank, name,
			strings.TrimRight(output.String(), "\n"))
	}
	return onlyFile(into, name, rank)
}

// await waits for a build to end, and tells of it when that takes long.
func (p *programs) await(cmd *exec.Cmd, name string) error {
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		return err
	case <-time.After(p.slow):
		p.say("building %s ...", name)
		return <-ended
	}
}

func onlyFile(dir, name string, rank int) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	if len(entries) == 1 {
		return filepath.Join(dir, entries[0].Name()), nil
	}
	var found []string
	for _, e := range entries {
		found = append(found, e.Name())
	}
	return "", startError(CodeFailure, "rank %d: %s matches %d programs (%s); name one of them",
		rank, name, len(found), strings.Join(found, ", "))
}
