package doctor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// hca is a port that nothing is wrong with.
func hca() Adapter {
	return Adapter{Name: "mlx5_0", Port: 1, Kind: "RoCE", State: "ACTIVE", Usable: true, MTU: 4096}
}

// TestJudgeRDMA: each thing that keeps an adapter from being used has its cure.
func TestJudgeRDMA(t *testing.T) {
	for _, c := range []struct {
		what      string
		change    func(f *Facts, a *Adapter)
		grade     Grade
		check     string
		text, fix string
	}{
		{"all well", func(*Facts, *Adapter) {}, OK, "", "", ""},
		{"no cable", func(_ *Facts, a *Adapter) { a.State = "DOWN" }, Warn, "rdma", "mlx5_0 port 1 is DOWN", "cable"},
		{"no subnet manager", func(_ *Facts, a *Adapter) { a.State, a.Kind = "INIT", "InfiniBand" }, Warn, "rdma", "INIT", "subnet manager"},
		{"no address", func(_ *Facts, a *Adapter) { a.Usable = false }, Warn, "rdma", "no address", "IP address"},
		{"no permission", func(f *Facts, _ *Adapter) { f.RDMA.Denied, f.RDMA.Trouble = true, "permission denied" }, Warn, "rdma", "permission", "group"},
		{"no files", func(f *Facts, _ *Adapter) { f.RDMA.Trouble = "there is no /dev/infiniband/uverbs*" }, Warn, "rdma", "no /dev", "ib_uverbs"},
		{"no library", func(f *Facts, _ *Adapter) { f.RDMA.Library = false }, Warn, "rdma", "libibverbs", "install"},
		{"little locked memory", func(f *Facts, _ *Adapter) { f.Locked.Now = 64 << 10 }, Warn, "rdma", "64 KiB", "ulimit -l"},
	} {
		f := healthy("h", 1)
		a := hca()
		f.RDMA.Library = true
		c.change(f, &a)
		f.RDMA.Adapters = []Adapter{a}
		expect(t, c.what, judgeHost(f, Circumstances{}), c.grade, c.check, c.text, c.fix)
	}
	if got := judgeHost(healthy("h", 1), Circumstances{}); strings.Contains(got[len(got)-1].Check, "rdma") {
		t.Errorf("a host without adapters: %+v", got)
	}
}

// TestJudgeAdapters: hosts must have the same kind, and packets of the same length.
func TestJudgeAdapters(t *testing.T) {
	names := []string{"a", "unreached", "b"}
	for _, c := range []struct {
		what   string
		change func(b *Facts)
		grade  Grade
		text   string
	}{
		{"alike", func(*Facts) {}, OK, ""},
		{"one has none", func(b *Facts) { b.RDMA.Adapters = nil }, Warn, "RoCE: a"},
		{"kinds", func(b *Facts) { b.RDMA.Adapters[0].Kind = "InfiniBand" }, Warn, "InfiniBand: b; RoCE: a"},
		{"one has more", func(b *Facts) {
			b.RDMA.Adapters = append(b.RDMA.Adapters, Adapter{Name: "x", Kind: "InfiniBand", State: "ACTIVE", Usable: true})
		}, OK, ""},
		{"lengths", func(b *Facts) { b.RDMA.Adapters[0].MTU = 1500 }, Warn, "different lengths"},
	} {
		facts := map[string]*Facts{"a": healthy("a", 1), "b": healthy("b", 2)}
		for _, f := range facts {
			f.RDMA.Adapters = []Adapter{hca()}
		}
		c.change(facts["b"])
		facts["unreached"] = nil
		check := ""
		if c.grade != OK {
			check = "rdma"
		}
		expect(t, c.what, judgeAdapters(names, facts), c.grade, check, c.text, "")
	}
}

// TestGatherRDMA: adapters are found, and their files are tried.
func TestGatherRDMA(t *testing.T) {
	if r := gatherRDMA(fstest.MapFS{}, t.TempDir()); len(r.Adapters) > 0 || r.Trouble != "" {
		t.Errorf("a host without adapters has %+v", r)
	}
	sys := fstest.MapFS{}
	for name, text := range map[string]string{"node_type": "1: CA", "ports/1/state": "1: DOWN", "ports/1/link_layer": "InfiniBand"} {
		sys["class/infiniband/mlx5_0/"+name] = &fstest.MapFile{Data: []byte(text + "\n")}
	}
	dev := t.TempDir()
	if r := gatherRDMA(sys, dev); len(r.Adapters) != 1 || r.Adapters[0].State != "DOWN" || r.Adapters[0].Kind != "InfiniBand" || !strings.Contains(r.Trouble, "uverbs") {
		t.Errorf("without files: %+v", r)
	}
	if err := os.WriteFile(filepath.Join(dev, "uverbs0"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if r := gatherRDMA(sys, dev); r.Trouble != "" || r.Denied {
		t.Errorf("with a file: %+v", r)
	}
	sys["class/infiniband/mlx5_0/ports/1/lid"] = &fstest.MapFile{Data: []byte("nonsense\n")}
	if r := gatherRDMA(sys, dev); r.Trouble == "" {
		t.Errorf("nonsense is read as %+v", r)
	}
}
