//go:build rdma && linux && (amd64 || arm64)

package kernel_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/kernel/ffi"
	"github.com/weft-mpi/weft/internal/verbs/kernel/ibv"
)

// inProvider runs the test or benchmark again, as a process that finds a libibverbs of ours, in C, instead of the system's. It
// answers false in that process.
func inProvider(tb testing.TB, args ...string) (started bool) {
	tb.Helper()
	if os.Getenv("WEFT_TEST_PROVIDER") != "" {
		return false
	}
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		tb.Skip("no C compiler: ", err)
	}
	if _, err := os.Stat("/usr/include/infiniband/verbs.h"); err != nil {
		tb.Skip("no headers of libibverbs (Debian: libibverbs-dev): ", err)
	}
	dir := tb.TempDir()
	if out, err := exec.Command(gcc, "-O2", "-shared", "-fPIC", "-o", filepath.Join(dir, "libibverbs.so.1"), "testdata/provider.c").CombinedOutput(); err != nil {
		tb.Fatalf("the provider does not compile: %v\n%s", err, out)
	}
	self := exec.Command(os.Args[0], args...)
	self.Env = append(os.Environ(), "LD_LIBRARY_PATH="+dir, "WEFT_TEST_PROVIDER=1")
	out, err := self.CombinedOutput()
	tb.Logf("%s", out)
	if err != nil {
		tb.Error(err)
	}
	return true
}

// TestProvider: the device works on a libibverbs, from opening it to closing, and posting and polling there allocate nothing.
func TestProvider(t *testing.T) {
	if inProvider(t, "-test.run=^TestProvider$") {
		return
	}
	ctx, err := ffi.Open("loop0", true)
	if err != nil {
		t.Fatal(err)
	}
	qp, cq, wrs := sender(t, ctx)
	out := make([]verbs.Completion, 4)
	post(qp, cq, wrs, out)
	if out[0].ID != wrs[0].ID || out[0].Status != verbs.OK || out[0].QP != qp.Num() {
		t.Errorf("a send is done: %+v", out[0])
	}
	if n := testing.AllocsPerRun(1000, func() { post(qp, cq, wrs, out) }); n > 0 {
		t.Errorf("%v allocations per message", n)
	}
}

// BenchmarkProvider measures a post and a poll on a driver in C: by the device, and by the driver alone. The difference is
// Weft's own share. Its log is what the process has said that has the driver.
func BenchmarkProvider(b *testing.B) {
	if inProvider(b, "-test.run=^$", "-test.bench=^BenchmarkProvider$", "-test.benchmem", "-test.count=15", "-test.benchtime=200ms") {
		return
	}
	open := func(b *testing.B) ibv.Context {
		ctx, err := ffi.Open("loop0", true)
		if err != nil {
			b.Fatal(err)
		}
		return ctx
	}
	b.Run("device", func(b *testing.B) {
		qp, cq, wrs := sender(b, open(b))
		out := make([]verbs.Completion, 4)
		for b.Loop() {
			post(qp, cq, wrs, out)
		}
	})
	b.Run("driver", func(b *testing.B) {
		ctx := open(b)
		pd, err := ctx.NewPD()
		if err != nil {
			b.Fatal(err)
		}
		cq, err := ctx.NewCQ(64)
		if err != nil {
			b.Fatal(err)
		}
		init := &ibv.QPInit{Cap: ibv.QPCap{SendWR: 64, RecvWR: 1, SendSGE: 1, RecvSGE: 1}, Type: ibv.UD}
		qp, err := pd.NewQP(init, cq, cq, nil)
		if err != nil {
			b.Fatal(err)
		}
		wr, wc := &ibv.SendWR{Flags: ibv.SendSignaled}, make([]ibv.WC, 32)
		for b.Loop() {
			if err := qp.PostSend(wr); err != nil {
				b.Fatal(err)
			}
			if n, err := cq.Poll(wc); n != 1 || err != nil {
				b.Fatal(n, err)
			}
		}
	})
}
