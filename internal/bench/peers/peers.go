// Package peers runs the benchmarks of `weft bench` on other MPI libraries, so that Weft can be held against them.
//
// It owns the C twins of the measuring loops, their compilation into a cache directory, and the command lines and
// environment with which each library is at its best on one host. It promises that a peer which is missing or
// broken gives an error that says what to install, and that no process of a run is left when Measure returns.
//
// It must not know what the numbers are for: it turns a bench.Case into a bench.Outcome.
package peers

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/weft-mpi/weft/internal/bench"
)

// Peer is one MPI library with its compiled twin. It is used by one goroutine at a time.
type Peer struct {
	kind     kind
	launcher string // path of its mpirun or mpiexec
	twin     string // path of the compiled twin
	yield    string // path of the preloaded yield library, or empty
	bind     bool
	cpus     int
}

// kind is what the libraries differ in.
type kind struct {
	name      string
	compilers []string // names to try, most specific first
	launchers []string
	preload   bool // needs yield.c when ranks outnumber the CPUs
	arguments func(p *Peer, ranks int) []string
}

var kinds = []kind{
	{
		name:      "openmpi",
		compilers: []string{"mpicc.openmpi", "mpicc"},
		launchers: []string{"mpirun.openmpi", "mpirun"},
		arguments: openMPIArguments,
	},
	{
		name:      "mpich",
		compilers: []string{"mpicc.mpich", "mpicc"},
		launchers: []string{"mpiexec.mpich", "mpiexec"},
		preload:   true,
		arguments: mpichArguments,
	},
}

// Names lists the libraries that Open knows.
func Names() []string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = k.name
	}
	return names
}

// Open finds the library called name, compiles its twin unless cache already holds it, and returns it ready to
// measure. name may be NAME=DIR to take mpicc and mpirun or mpiexec from DIR. bind binds each rank to a core as
// long as there are enough cores.
func Open(ctx context.Context, name, cache string, bind bool) (*Peer, error) {
	k, dir, err := findKind(name)
	if err != nil {
		return nil, err
	}
	compiler, err := findProgram(k.name, dir, k.compilers)
	if err != nil {
		return nil, err
	}
	p := &Peer{kind: k, bind: bind, cpus: runtime.NumCPU()}
	if p.launcher, err = findProgram(k.name, dir, k.launchers); err != nil {
		return nil, err
	}
	if p.twin, err = build(ctx, cache, "twin-"+k.name, compiler, twinSource, "-O2"); err != nil {
		return nil, fmt.Errorf("compiling the benchmark for %s: %w", k.name, err)
	}
	if k.preload {
		if p.yield, err = build(ctx, cache, "yield.so", "gcc", yieldSource, "-O2", "-shared", "-fPIC", "-ldl"); err != nil {
			return nil, fmt.Errorf("compiling the yield library for %s: %w", k.name, err)
		}
	}
	return p, nil
}

func findKind(name string) (kind, string, error) {
	name, dir, _ := strings.Cut(name, "=")
	for _, k := range kinds {
		if k.name == name {
			return k, dir, nil
		}
	}
	return kind{}, "", fmt.Errorf("no peer is called %q; there are: %s", name, strings.Join(Names(), " "))
}

// findProgram looks for the first of names, in dir when given, else in PATH. The plain name (mpicc, mpirun) could
// belong to any library, so it only counts inside a directory that the user named.
func findProgram(peer, dir string, names []string) (string, error) {
	if dir == "" {
		path, err := exec.LookPath(names[0])
		if err != nil {
			return "", fmt.Errorf("%s is not installed here (no %s in PATH): run `make bench-deps`, or name its bin directory: --peer %s=DIR",
				peer, names[0], peer)
		}
		return path, nil
	}
	for _, name := range names {
		if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("%s: neither of %s is an executable in %s", peer, strings.Join(names, ", "), dir)
}

// Name returns the name of the library.
func (p *Peer) Name() string { return p.kind.name }

// Settings returns the launcher's arguments on that many ranks, but for the number itself.
func (p *Peer) Settings(ranks int) string {
	args := strings.Join(p.kind.arguments(p, ranks), " ")
	if p.yield != "" {
		args = strings.ReplaceAll(args, p.yield, "yield.so (sched_yield when a poll finds nothing)")
	}
	return filepath.Base(p.launcher) + " " + args
}

func (p *Peer) crowded(ranks int) bool { return ranks > p.cpus }

func (p *Peer) binding(ranks int) string {
	if p.bind && !p.crowded(ranks) {
		return "core"
	}
	return "none"
}

// openMPIArguments lets idle ranks yield when they share cores; binding would then pin them on top of each other.
func openMPIArguments(p *Peer, ranks int) []string {
	args := []string{"--bind-to", p.binding(ranks)}
	if os.Geteuid() == 0 {
		args = append(args, "--allow-run-as-root")
	}
	if p.crowded(ranks) {
		args = append(args, "--oversubscribe", "--mca", "mpi_yield_when_idle", "1")
	}
	return args
}

// mpichArguments preloads yield.c when ranks share cores: MPICH over UCX has no switch for it.
func mpichArguments(p *Peer, ranks int) []string {
	args := []string{"-bind-to", p.binding(ranks)}
	if p.crowded(ranks) {
		args = append(args, "-genv", "LD_PRELOAD", p.yield)
	}
	return args
}

// grace is how long a launcher may take to end its ranks after SIGTERM before it is killed.
const grace = 3 * time.Second

// Measure runs the twin once in fresh processes. When ctx ends, the launcher is asked to end its ranks, then
// killed.
func (p *Peer) Measure(ctx context.Context, c bench.Case) (bench.Outcome, error) {
	args := append(p.kind.arguments(p, c.Ranks), "-n", fmt.Sprint(c.Ranks), p.twin, c.Test.Name, fmt.Sprint(c.Window), bench.FormatSteps(c.Steps))
	cmd := exec.CommandContext(ctx, p.launcher, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = grace
	var complaints bench.Tail
	cmd.Stderr = &complaints
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return bench.Outcome{}, err
	}
	if err := cmd.Start(); err != nil {
		return bench.Outcome{}, err
	}
	// Whatever the launcher left behind in its process group goes with it.
	defer func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }()
	out, readErr := bench.ReadRun(stdout, nil)
	waitErr := cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return out, fmt.Errorf("did not finish: %w", context.Cause(ctx))
	case waitErr != nil:
		return out, fmt.Errorf("%w%s", waitErr, complaints.Quoted())
	case readErr != nil:
		return out, fmt.Errorf("%w%s", readErr, complaints.Quoted())
	}
	return out, nil
}

// CacheDir returns the directory in which compiled twins are kept for this user.
func CacheDir() (string, error) {
	base, err := os.UserCacheDir()
	if err != nil {
		return "", errors.Join(errors.New("no cache directory for the compiled benchmarks: set XDG_CACHE_HOME"), err)
	}
	return filepath.Join(base, "weft", "bench"), nil
}
