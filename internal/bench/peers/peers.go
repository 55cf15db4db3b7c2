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
	"slices"
	"strings"

	"github.com/weft-mpi/weft/internal/bench"
)

// Peer is one MPI library with its compiled twin. It is used by one goroutine at a time.
type Peer struct {
	kind     kind
	launcher string // path of its mpirun or mpiexec
	twin     string // path of the compiled twin
	yield    string // path of the preloaded yield library, or empty
	cfg      Config
	cpus     int
	tests    []string // that the twin has: some need a newer library
}

// Config says how peers are run.
type Config struct {
	Cache string   // directory of the compiled twins
	Bind  bool     // bind each rank to a core as long as there are enough cores
	Net   bool     // between ranks use TCP even on one host
	Iface string   // over these interfaces, joined by commas; empty: the loopback on one host, all between hosts
	Hosts []string // run the ranks there; nil: here

	Packed bool // hosts are HOST:N and filled one after the other; otherwise ranks go round the hosts
	Shared bool // hosts are parts of this machine and share its processors
}

// interfaces returns what a TCP transport is to use, or nothing to let it choose.
func (c Config) interfaces() string {
	if c.Iface == "" && len(c.Hosts) == 0 {
		return "lo"
	}
	return c.Iface
}

// kind is what the libraries differ in.
type kind struct {
	name      string
	compilers []string // names to try, most specific first
	launchers []string
	preload   bool // needs yield.c when ranks outnumber the CPUs
	own       bool // Weft's C library, which is where the user has installed it
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
	{
		name:      "weft-c",
		compilers: []string{"mpicc"},
		launchers: []string{"mpiexec"},
		own:       true,
		arguments: weftArguments,
	},
}

// Names lists the libraries of others that Open knows. Besides, it knows weft-c=DIR.
func Names() (names []string) {
	for _, k := range kinds {
		if !k.own {
			names = append(names, k.name)
		}
	}
	return names
}

// Open finds the library called name, compiles its twin unless the cache already holds it, and returns it ready to
// measure. name may be NAME=DIR to take mpicc and mpirun or mpiexec from DIR.
func Open(ctx context.Context, name string, cfg Config) (*Peer, error) {
	k, dir, err := findKind(name)
	if err != nil {
		return nil, err
	}
	if k.own && dir == "" {
		return nil, fmt.Errorf("%s needs the directory of its mpicc: --peer %s=DIR/bin after make install-c PREFIX=DIR", k.name, k.name)
	}
	compiler, err := findProgram(k.name, dir, k.compilers)
	if err != nil {
		return nil, err
	}
	p := &Peer{kind: k, cfg: cfg, cpus: runtime.NumCPU()}
	if p.launcher, err = findProgram(k.name, dir, k.launchers); err != nil {
		return nil, err
	}
	if p.twin, err = build(ctx, cfg.Cache, "twin-"+k.name, compiler, "c/twin", "-O2", "-pthread"); err != nil {
		return nil, fmt.Errorf("compiling the benchmark for %s: %w", k.name, err)
	}
	list, err := exec.CommandContext(ctx, p.twin, "list").Output()
	if err != nil {
		return nil, fmt.Errorf("asking the benchmark for %s what it has: %w", k.name, err)
	}
	p.tests = strings.Fields(string(list))
	if k.preload {
		if p.yield, err = build(ctx, cfg.Cache, "yield.so", "gcc", "c/yield", "-O2", "-shared", "-fPIC", "-ldl"); err != nil {
			return nil, fmt.Errorf("compiling the yield library for %s: %w", k.name, err)
		}
	}
	return p, nil
}

// Has tells whether the library can be measured by a test: it may be too old for it.
func (p *Peer) Has(test string) bool { return slices.Contains(p.tests, test) }

func findKind(name string) (kind, string, error) {
	name, dir, _ := strings.Cut(name, "=")
	for _, k := range kinds {
		if k.name == name {
			return k, dir, nil
		}
	}
	return kind{}, "", fmt.Errorf("no peer is called %q; there are: %s weft-c=DIR", name, strings.Join(Names(), " "))
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

// crowded says whether ranks share CPUs, as far as can be known from here: other hosts are taken to be like this one.
func (p *Peer) crowded(ranks int) bool {
	if p.cfg.Shared {
		return ranks > p.cpus
	}
	return ranks > p.cpus*max(len(p.cfg.Hosts), 1)
}

// binding is none where hosts share processors, since each would bind its ranks to the same.
func (p *Peer) binding(ranks int) string {
	if p.cfg.Bind && !p.cfg.Shared && !p.crowded(ranks) {
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
	if p.cfg.Net {
		args = append(args, "--mca", "pml", "ob1", "--mca", "btl", "tcp,self")
		if names := p.cfg.interfaces(); names != "" {
			args = append(args, "--mca", "btl_tcp_if_include", names)
		}
	}
	if len(p.cfg.Hosts) > 0 {
		// Over TCP its windows by UCX are chosen first and then cannot be made (4.1.4).
		args = append(args, "--mca", "osc", "^ucx", "--host", strings.Join(p.cfg.Hosts, ","), "--map-by")
		if p.cfg.Packed {
			return append(args, "slot")
		}
		return append(args, "node")
	}
	return args
}

// mpichArguments preloads yield.c when ranks share cores: MPICH over UCX has no switch for it.
func mpichArguments(p *Peer, ranks int) []string {
	args := []string{"-bind-to", p.binding(ranks)}
	if p.crowded(ranks) {
		args = append(args, "-genv", "LD_PRELOAD", p.yield)
	}
	if p.cfg.Net {
		args = append(args, "-genv", "UCX_TLS", "tcp,self")
		if names := p.cfg.interfaces(); names != "" {
			args = append(args, "-genv", "UCX_NET_DEVICES", names)
		}
	}
	if len(p.cfg.Hosts) > 0 {
		args = append(args, "-hosts", strings.Join(p.cfg.Hosts, ","))
		if !p.cfg.Packed {
			args = append(args, "-ppn", "1")
		}
	}
	return args
}

// weftArguments starts Weft's C library as Weft itself is measured.
func weftArguments(p *Peer, ranks int) []string {
	args := []string{"--bind-to", p.binding(ranks)}
	if p.crowded(ranks) {
		args = append(args, "--oversubscribe")
	}
	if p.cfg.Net {
		args = append(args, "--set", "links=rail")
		if names := p.cfg.interfaces(); names != "" {
			args = append(args, "--iface", names)
		}
	}
	if len(p.cfg.Hosts) > 0 {
		args = append(args, "--host", strings.Join(p.cfg.Hosts, ","))
		if !p.cfg.Packed {
			args = append(args, "--map-by", "node")
		}
	}
	return args
}

// Measure runs the twin once in fresh processes. When ctx ends, the launcher is asked to end its ranks, then
// killed.
func (p *Peer) Measure(ctx context.Context, cases ...bench.Case) (bench.Outcome, error) {
	args := append(p.kind.arguments(p, cases[0].Ranks), "-n", fmt.Sprint(cases[0].Ranks), p.twin, fmt.Sprint(cases[0].Window))
	for _, c := range cases {
		args = append(args, c.Test.Name, bench.FormatSteps(c.Steps))
	}
	return bench.Execute(ctx, p.launcher, args, nil, nil)
}

// CacheDir returns the directory in which compiled twins are kept for this user.
func CacheDir() (string, error) {
	base, err := os.UserCacheDir()
	if err != nil {
		return "", errors.Join(errors.New("no cache directory for the compiled benchmarks: set XDG_CACHE_HOME"), err)
	}
	return filepath.Join(base, "weft", "bench"), nil
}
