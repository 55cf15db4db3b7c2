package peers

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/bench"
)

// cacheDir keeps the compiled twins of all tests.
var cacheDir string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "weft-peers-")
	if err != nil {
		panic(err)
	}
	cacheDir = dir
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

func TestUnknownPeerNamesTheKnown(t *testing.T) {
	_, err := Open(t.Context(), "lam", Config{Cache: t.TempDir()})
	if err == nil || !strings.Contains(err.Error(), "openmpi mpich") {
		t.Fatalf("error %v does not list the peers", err)
	}
}

func TestMissingPeerSaysWhatToInstall(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for _, name := range Names() {
		if _, err := Open(t.Context(), name, Config{Cache: t.TempDir()}); err == nil || !strings.Contains(err.Error(), "make bench-deps") {
			t.Errorf("%s: error %v does not name `make bench-deps`", name, err)
		}
	}
	if _, err := Open(t.Context(), "weft-c", Config{Cache: t.TempDir()}); err == nil || !strings.Contains(err.Error(), "make install-c") {
		t.Errorf("weft-c: error %v does not name make install-c", err)
	}
	if _, err := Open(t.Context(), "mpich="+t.TempDir(), Config{Cache: t.TempDir()}); err == nil {
		t.Error("a directory without mpicc was accepted")
	}
}

func TestSettings(t *testing.T) {
	openMPI := &Peer{kind: kinds[0], launcher: "/usr/bin/mpirun", cpus: 2, cfg: Config{Bind: true}}
	if got := openMPI.Settings(2); !strings.Contains(got, "--bind-to core") || strings.Contains(got, "yield") {
		t.Errorf("two ranks on two CPUs: %q", got)
	}
	if got := openMPI.Settings(4); !strings.Contains(got, "--bind-to none") || !strings.Contains(got, "mpi_yield_when_idle 1") {
		t.Errorf("four ranks on two CPUs: %q", got)
	}
	mpich := &Peer{kind: kinds[1], launcher: "/usr/bin/mpiexec", yield: "/cache/yield.so", cpus: 2}
	if got := mpich.Settings(4); strings.Contains(got, "/cache") || !strings.Contains(got, "LD_PRELOAD yield.so") {
		t.Errorf("four ranks on two CPUs: %q", got)
	}
}

// open returns the peer or skips where its compiler is not installed.
func open(t *testing.T, name string, net bool) *Peer {
	t.Helper()
	k, _, err := findKind(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath(k.compilers[0]); err != nil {
		t.Skipf("%s is not installed", name)
	}
	p, err := Open(t.Context(), name, Config{Cache: cacheDir, Net: net})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// quickest is the peer whose launcher takes least time to start.
const quickest = "mpich"

// TestTwinKnowsEveryTest asks the twin itself, which takes no launcher.
func TestTwinKnowsEveryTest(t *testing.T) {
	p := open(t, quickest, false)
	text, err := exec.Command(p.twin, "list").Output()
	if err != nil {
		t.Fatal(err)
	}
	known := strings.Fields(string(text))
	var want []string
	for _, test := range bench.Tests() {
		if test.Counter == "" { // others count nothing of ours
			want = append(want, test.Name)
		}
	}
	slices.Sort(known)
	slices.Sort(want)
	if !slices.Equal(known, want) {
		t.Errorf("the twin knows %v, there are %v", known, want)
	}
	if !p.Has("partitioned") || p.Has("nothing") {
		t.Errorf("the peer believes that its twin has %v", p.tests)
	}
}

// TestOlderPeers: libraries before MPI 4 lack what came with it, and nothing else.
func TestOlderPeers(t *testing.T) {
	p := open(t, "openmpi", false)
	version := exec.Command("mpicc.openmpi", "-E", "-x", "c", "-")
	version.Stdin = strings.NewReader("#include <mpi.h>\nthe version MPI_VERSION\n")
	text, err := version.Output()
	if err != nil {
		t.Fatal(err)
	}
	recent := !strings.Contains(string(text), "the version 3")
	for _, test := range bench.Tests() {
		if has := test.Counter == "" && (!test.Recent || recent); p.Has(test.Name) != has {
			t.Errorf("%s: the peer has it: %v; its MPI has parts: %v", test.Name, !has, recent)
		}
	}
}

// TestTwinRuns runs one test of each kind; both peers compile the same source, so one of them runs most.
func TestTwinRuns(t *testing.T) {
	kinds := []string{"latency", "allgather", "bibw", "barrier", "overlap_recv_sender_first", "progress_send_receiver_first",
		"progress_recv_sender_first", "exchange_m2_n2", "reuse", "spectrum_paged", "memory", "idle", "ialltoallv", "irsend", "persistent",
		"put_post", "persistent_pair", "test_loop", "halo3d", "cart2d", "latency_mt", "rate_mt", "partitioned", "alltoall_init"}
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			p := open(t, name, false)
			for i, kind := range kinds {
				if (testing.Short() || name != quickest) && i > 0 {
					continue
				}
				checkTwin(t, p, find(t, kind))
			}
		})
	}
}

func checkTwin(t *testing.T, p *Peer, test bench.Test) {
	t.Helper()
	steps := []bench.Step{{Size: 16, Iterations: 2, Warmup: 1, Batches: 3, Share: 50, Work: 1000}, {Size: 64, Iterations: 1, Batches: 2}}
	out, err := measure(t, p, bench.Case{Test: test, Ranks: 2, Window: 4, Steps: steps})
	if err != nil {
		t.Fatalf("%s: %v", test.Name, err)
	}
	if len(out.Rows) != 2 || out.Rows[0].Size != 16 || out.Rows[0].Share != 50 || out.Library == "" {
		t.Fatalf("%s gave %+v", test.Name, out)
	}
	part := test.Shape == bench.Overlap || test.Shape == bench.Progress // of a transfer: it may well be 0
	if !part && out.Rows[0].Value <= 0 || part && out.Rows[0].Base <= 0 {
		t.Errorf("%s measured nothing: %+v", test.Name, out.Rows[0])
	}
}

// measure gives a library three minutes, one by one: MPICH was seen to hang over TCP, and what is tested
// here is how it is run.
func measure(t *testing.T, p *Peer, c bench.Case) (out bench.Outcome, err error) {
	t.Helper()
	for range 3 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		out, err = p.Measure(ctx, c)
		hung := ctx.Err() != nil
		cancel()
		if !hung {
			break
		}
		t.Logf("%s did not end within a minute: %v", c.Test.Name, err)
	}
	return out, err
}

// TestPeersRunOverTCP: the settings that take shared memory away are understood by the libraries.
func TestPeersRunOverTCP(t *testing.T) {
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			p := open(t, name, true)
			out, err := measure(t, p, bench.Case{Test: find(t, "crossing"), Ranks: 2, Window: 1,
				Steps: []bench.Step{{Size: 256 << 10, Iterations: 2, Batches: 1}}})
			if err != nil || len(out.Rows) != 1 || out.Rows[0].Value <= 0 {
				t.Errorf("%+v, %v", out, err)
			}
		})
	}
}

func TestSettingsBetweenHosts(t *testing.T) {
	cfg := Config{Net: true, Hosts: []string{"h0", "h1"}, Iface: "rail0,rail1"}
	for i, want := range []string{"--mca btl tcp,self --mca btl_tcp_if_include rail0,rail1 --mca osc ^ucx --host h0,h1 --map-by node",
		"-genv UCX_NET_DEVICES rail0,rail1 -hosts h0,h1", "--set links=rail --iface rail0,rail1 --host h0,h1 --map-by node"} {
		p := &Peer{kind: kinds[i], launcher: "mpirun", cpus: 1, cfg: cfg}
		if got := p.Settings(2); !strings.Contains(got, want) || strings.Contains(got, "yield") {
			t.Errorf("%s: %q, want %q in it and no sharing of CPUs", kinds[i].name, got, want)
		}
	}
	box := Config{Bind: true, Shared: true, Packed: true, Hosts: []string{"h0:2", "h1:2"}}
	for i, want := range []string{"--bind-to none --allow-run-as-root --oversubscribe --mca mpi_yield_when_idle 1 --mca osc ^ucx --host h0:2,h1:2 --map-by slot",
		"-hosts h0:2,h1:2", "--oversubscribe --host h0:2,h1:2"} {
		p := &Peer{kind: kinds[i], launcher: "mpirun", cpus: 2, cfg: box}
		got := strings.Replace(p.Settings(4), "--bind-to none --oversubscribe", "--bind-to none --allow-run-as-root --oversubscribe", 1)
		if !strings.HasSuffix(got, want) {
			t.Errorf("%s, hosts that share two CPUs: %q, want %q at its end", kinds[i].name, got, want)
		}
	}
	p := &Peer{kind: kinds[0], launcher: "mpirun", cpus: 2, cfg: Config{Net: true}}
	if got := p.Settings(2); !strings.Contains(got, "btl_tcp_if_include lo") {
		t.Errorf("on one host: %q", got)
	}
}

// find returns a test of the table.
func find(t *testing.T, name string) bench.Test {
	t.Helper()
	test, err := bench.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return test
}

func TestCompiledTwinIsReused(t *testing.T) {
	p := open(t, "mpich", false)
	before, err := os.Stat(p.twin)
	if err != nil {
		t.Fatal(err)
	}
	again := open(t, "mpich", false)
	after, err := os.Stat(again.twin)
	if err != nil || !os.SameFile(before, after) {
		t.Errorf("the second Open compiled anew (%v)", err)
	}
	left, err := filepath.Glob(filepath.Join(cacheDir, "build-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

func TestMeasureReportsFailureAndCancellation(t *testing.T) {
	p := open(t, "mpich", false)
	c := bench.Case{Ranks: 2, Window: 4, Steps: []bench.Step{{Size: 8, Iterations: 1, Batches: 1}}}
	c.Test.Name = "nothing"
	if _, err := p.Measure(t.Context(), c); err == nil || !strings.Contains(err.Error(), "no such test") {
		t.Errorf("a wrong test gave %v, want the twin's own words", err)
	}
	c.Test.Name = "latency"
	c.Steps[0].Iterations = 100_000_000
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, err := p.Measure(ctx, c); err == nil || !strings.Contains(err.Error(), "did not finish") {
		t.Errorf("an endless run gave %v", err)
	}
}
