package sim_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/verbs/sim"
)

// written writes a file into dir and returns its path.
func written(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestDescribe: a cluster is named by a profile, by a file with one, or by a description of what is different.
func TestDescribe(t *testing.T) {
	dir := t.TempDir()
	profile, err := sim.LoadProfile("ndr")
	if err != nil {
		t.Fatal(err)
	}
	own, err := profile.With("hop_us", 7)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(own)
	if err != nil {
		t.Fatal(err)
	}
	file := written(t, dir, "own.json", string(text))
	described := written(t, dir, "cluster.json", `{"profile": "own.json", "change": {"wire_mb_s": 100}, "nodes": 3, "cores": 2, "rails": 2, "speed": 1.5, "settings": ["channel=ud"]}`)
	small := written(t, dir, "small.json", `{"profile": "ndr", "cores": 4}`)
	for _, c := range []struct {
		name                string
		ranks               int
		hop, wire           float64
		nodes, cores, rails int
	}{
		{"ndr", 65, .15, 49470, 2, 64, 1}, {file, 2, 7, 49470, 1, 64, 1}, {described, 100, 7, 100, 3, 2, 2}, {small, 9, .15, 49470, 3, 4, 1},
	} {
		d, err := sim.Describe(c.name)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		got, err := d.Cluster(c.ranks, 0)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		hop, wire := got.Profile.Parameters["hop_us"].Value, got.Profile.Parameters["wire_mb_s"].Value
		if hop != c.hop || wire != c.wire || got.Nodes != c.nodes || got.Cores != c.cores || got.Rails != c.rails {
			t.Errorf("%s: %d nodes of %d cores and %d rails, hop %v, wire %v; want %+v", c.name, got.Nodes, got.Cores, got.Rails, hop, wire, c)
		}
	}
}

// TestDescribeRefuses: what is wrong with a description is an error that says so.
func TestDescribeRefuses(t *testing.T) {
	dir := t.TempDir()
	for text, want := range map[string]string{
		`{"nodes": 2}`:                                 `has no "profile"`,
		`{"profile": "nrd"}`:                           `no profile "nrd"`,
		`{"profile": "missing.json"}`:                  "missing.json",
		`{"profile": "ndr", "node": 2}`:                `unknown field "node"`,
		`{"profile": "ndr", "change": {"hop": 1}}`:     `no parameter "hop"`,
		`{"profile": "ndr", "change": {"hop_us": -1}}`: "must lie between",
		`{"profile": "ndr", "nodes": -1}`:              "cluster of -1 nodes",
		`{"profile": "ndr", "nodes": 100000}`:          "cluster of 100000 nodes",
		`{"profile": "ndr", "cores": 5000}`:            "5000 cores",
		`{"profile": "ndr", "cores": -5}`:              "-5 cores",
		`{"profile": "ndr", "speed": -1}`:              "-1 times as fast",
		`{"profile": "ndr"} {}`:                        "something after",
		`[]`:                                           "a cluster is described by",
		`{"parameters": {}}`:                           "it has no name",
		`{"profile": "ndr", "settings": "channel=ud"}`: "cannot unmarshal",
	} {
		if _, err := sim.Describe(written(t, dir, "c.json", text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	if _, err := sim.Describe(filepath.Join(dir, "nothing.json")); err == nil {
		t.Error("a file that is not there is no error")
	}
}

// FuzzDescription: what a file may have in it is a cluster or an error.
func FuzzDescription(f *testing.F) {
	f.Add([]byte(`{"profile": "ndr", "change": {"hop_us": 1}, "nodes": 3, "cores": 2, "rails": 2, "speed": 1.5, "settings": ["channel=ud"]}`))
	f.Add([]byte(`{"parameters": {"hop_us": {"value": 1}}}`))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := sim.Describe(written(t, dir, "c.json", string(text)))
		if err != nil {
			return
		}
		if c, err := d.Cluster(7, 0); err != nil || c.Nodes < 1 || c.Cores < 1 || c.Rails < 1 {
			t.Errorf("%s: %+v, %v", text, c, err)
		}
	})
}
