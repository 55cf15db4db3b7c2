package sim

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/clock"
)

// TestProfiles: all that the program comes with are complete, and named as their files.
func TestProfiles(t *testing.T) {
	names := Profiles()
	if len(names) != 13 {
		t.Errorf("profiles %v", names)
	}
	for _, name := range names {
		p, err := LoadProfile(name)
		if err != nil {
			t.Fatal(err)
		}
		if p.Name != name || p.Title == "" {
			t.Errorf("%s calls itself %q, %q", name, p.Name, p.Title)
		}
	}
	for _, name := range ParameterNames() {
		if ParameterText(name) == "" {
			t.Errorf("parameter %s has no text", name)
		}
	}
}

// TestOwnProfile: a user copies a file and edits it.
func TestOwnProfile(t *testing.T) {
	text, err := embedded.ReadFile("profiles/ne020.json")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "mine.json")
	mine := strings.Replace(string(text), `"name": "ne020"`, `"name": "mine"`, 1)
	if err := os.WriteFile(file, []byte(mine), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := LoadProfile(file)
	if err != nil || p.Name != "mine" {
		t.Fatalf("%+v, %v", p, err)
	}
	fast, err := p.With("hop_us", 0)
	if err != nil || fast.get("hop_us") != 0 || p.get("hop_us") == 0 {
		t.Errorf("With: %v", err)
	}
	if _, err := p.With("hopp_us", 0); err == nil {
		t.Error("changed a parameter that there is not")
	}
	if _, err := p.With("incast", 7); err == nil {
		t.Error("took a value out of range")
	}
}

// TestBadProfiles: what is wrong is said, with the name of the parameter.
func TestBadProfiles(t *testing.T) {
	text, _ := embedded.ReadFile("profiles/ne020.json")
	spoil := func(f func(p *Profile)) []byte {
		var p Profile
		if err := json.Unmarshal(text, &p); err != nil {
			t.Fatal(err)
		}
		f(&p)
		b, _ := json.Marshal(p)
		return b
	}
	set := func(name string, v Param) func(*Profile) { return func(p *Profile) { p.Parameters[name] = v } }
	for says, b := range map[string][]byte{
		"no name":                        spoil(func(p *Profile) { p.Name = "" }),
		`no parameter "speed"`:           spoil(set("speed", Param{Value: 1, How: Stated, Source: "x"})),
		`parameter "hop_us"`:             spoil(func(p *Profile) { delete(p.Parameters, "hop_us") }),
		"incast is 2":                    spoil(set("incast", Param{Value: 2, How: Stated, Source: "x"})),
		"whole number":                   spoil(set("slots", Param{Value: 1.5, How: Stated, Source: "x"})),
		"stated, measured, fitted":       spoil(set("hop_us", Param{Value: 1, How: "guessed", Source: "x"})),
		"where its value comes from":     spoil(set("hop_us", Param{Value: 1, How: Stated, Source: ""})),
		"is fitted; name":                spoil(set("hop_us", Param{Value: 1, How: Fitted, Source: "x"})),
		`names a figure "3.8"`:           spoil(set("hop_us", Param{Value: 1, How: Fitted, Source: "x", Figures: []string{"F3.6", "3.8"}})),
		"is assumed, but names":          spoil(set("hop_us", Param{Value: 1, How: Assumed, Source: "x", Figures: []string{"F3.8"}})),
		`no target "speed"`:              spoil(func(p *Profile) { p.Targets["speed"] = Param{Value: 1, How: Stated, Source: "x"} }),
		"target latency_us is 0":         spoil(func(p *Profile) { p.Targets["latency_us"] = Param{Value: 0, How: Stated, Source: "x"} }),
		"target latency_us does not say": spoil(func(p *Profile) { p.Targets["latency_us"] = Param{Value: 1, How: Stated, Source: ""} }),
		`unknown field "extra"`:          []byte(`{"extra": 1}`),
		"after the profile":              append(text, []byte(`{}`)...),
		"unexpected EOF":                 text[:len(text)/2],
		"are too many":                   make([]byte, maxProfile+1),
	} {
		_, err := ParseProfile(b)
		if !errors.Is(err, ErrProfile) || !strings.Contains(err.Error(), says) {
			t.Errorf("want %q, got: %v", says, err)
		}
	}
	for _, name := range []string{"nonesuch", "../profiles/ne020", "nonesuch.json", ""} {
		if _, err := LoadProfile(name); err == nil {
			t.Errorf("loaded %q", name)
		}
	}
}

// TestBadClusters are refused.
func TestBadClusters(t *testing.T) {
	p, _ := LoadProfile("ne020")
	s := clock.NewScheduler(0)
	for _, c := range []Cluster{{Nodes: 1}, {Profile: p}, {Nodes: 1 << 20, Profile: p}, {Nodes: 1, Profile: p, Rails: 9},
		{Nodes: 1, Profile: p, Cores: -1}, {Nodes: 1, Profile: &Profile{Name: "empty"}}} {
		if _, err := New(s, c); err == nil {
			t.Errorf("made a cluster of %d nodes, %d rails, %d cores", c.Nodes, c.Rails, c.Cores)
		}
	}
	f, err := New(s, Cluster{Nodes: 300, Profile: p, Rails: 3})
	if err != nil {
		t.Fatal(err)
	}
	if c := f.Cluster(); c.Cores != 8 || c.Rails != 3 {
		t.Errorf("cluster %+v", c)
	}
	d, err := f.Open(299)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range d.Rails() {
		if !d.Prefixes()[i].Contains(r.Addr) || f.portAt(r.Addr) != d.node.ports[i] {
			t.Errorf("rail %d: %v in %v", i, r.Addr, d.Prefixes()[i])
		}
	}
	if _, err := f.Open(300); err == nil {
		t.Error("opened a node that there is not")
	}
	if _, err := f.Host(-1, 0); err == nil {
		t.Error("the clock of a node that there is not")
	}
}

// FuzzProfile: a profile is taken or refused, and what is taken can be simulated.
func FuzzProfile(f *testing.F) {
	for _, name := range Profiles() {
		text, _ := embedded.ReadFile("profiles/" + name + ".json")
		f.Add(text)
	}
	f.Add([]byte(`{"name":"x","parameters":{"slots":{"value":1e308}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := ParseProfile(text)
		if err != nil {
			return
		}
		if _, err := New(clock.NewScheduler(0), Cluster{Nodes: 1, Profile: p}); err != nil {
			t.Fatal(err)
		}
	})
}
