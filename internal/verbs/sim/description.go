package sim

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/weft-mpi/weft/internal/userfile"
)

// Description is a cluster as users describe it, in a file. What it leaves out is as the profile says.
type Description struct {
	Profile string             `json:"profile"` // a name, or a file; in a file relative to that one
	Change  map[string]float64 `json:"change,omitempty"`
	Nodes   int                `json:"nodes,omitempty"` // 0: as many as the ranks need cores
	Cores   int                `json:"cores,omitempty"`
	Rails   int                `json:"rails,omitempty"`
	// Speed is how many times as fast as this host's the processors are, where computation is measured.
	Speed float64 `json:"speed,omitempty"`
	// Settings are those of the library, NAME=VALUE as weft run --set takes them.
	Settings []string `json:"settings,omitempty"`
}

// Describe gives the description of a cluster: a profile's name, or a file that ends in .json, with a profile in it
// or a description.
func Describe(nameOrPath string) (*Description, error) {
	if !strings.HasSuffix(nameOrPath, ".json") {
		_, err := LoadProfile(nameOrPath)
		return &Description{Profile: nameOrPath}, err
	}
	path, err := filepath.Abs(nameOrPath)
	if err != nil {
		return nil, err
	}
	text, err := userfile.Read(path)
	if err != nil {
		return nil, fmt.Errorf("sim: cluster: %w", err)
	}
	d, err := parseDescription(text)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", nameOrPath, err)
	case d == nil:
		_, err = LoadProfile(path)
		return &Description{Profile: path}, err
	case strings.HasSuffix(d.Profile, ".json") && !filepath.IsAbs(d.Profile):
		d.Profile = filepath.Join(filepath.Dir(path), d.Profile)
	}
	if err := d.Check(); err != nil {
		return nil, fmt.Errorf("%s: %w", nameOrPath, err)
	}
	return d, nil
}

// parseDescription takes what a file has in it: nil if that is a profile.
func parseDescription(text []byte) (*Description, error) {
	var kind struct {
		Parameters json.RawMessage `json:"parameters"`
	}
	if json.Unmarshal(text, &kind) == nil && kind.Parameters != nil {
		return nil, nil
	}
	d := new(Description)
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(d); err != nil {
		return nil, fmt.Errorf("sim: a cluster is described by profile, change, nodes, cores, rails, speed and settings: %w", err)
	}
	if decoder.More() {
		return nil, fmt.Errorf("sim: there is something after the description of the cluster")
	}
	return d, nil
}

// With is the description with what another one says besides: its settings come last.
func (d Description) With(own Description) Description {
	d.Nodes, d.Cores, d.Rails = cmp.Or(own.Nodes, d.Nodes), cmp.Or(own.Cores, d.Cores), cmp.Or(own.Rails, d.Rails)
	d.Speed = cmp.Or(own.Speed, d.Speed)
	d.Settings = slices.Concat(d.Settings, own.Settings)
	return d
}

// Check tells what is wrong with a description.
func (d *Description) Check() error {
	_, err := d.Cluster(1, 0)
	return err
}

// Cluster is what is described, for so many ranks.
func (d *Description) Cluster(ranks int, seed uint64) (Cluster, error) {
	if d.Profile == "" {
		return Cluster{}, fmt.Errorf("sim: %w: the cluster has no \"profile\"; there are %s, or name a file",
			ErrProfile, strings.Join(Profiles(), ", "))
	}
	p, err := LoadProfile(d.Profile)
	for _, name := range slices.Sorted(maps.Keys(d.Change)) {
		if err == nil {
			p, err = p.With(name, d.Change[name])
		}
	}
	if err != nil {
		return Cluster{}, err
	}
	if d.Speed < 0 || d.Speed > maxSpeed {
		return Cluster{}, fmt.Errorf("sim: processors %v times as fast as this host's; there can be 0 to %v", d.Speed, float64(maxSpeed))
	}
	c := Cluster{Nodes: d.Nodes, Profile: p, Rails: d.Rails, Cores: d.Cores, Seed: seed}
	c.fill()
	if each := max(c.Cores, 1); c.Nodes == 0 {
		c.Nodes = (ranks + each - 1) / each
	}
	return c, c.check()
}

// maxSpeed bounds Description.Speed.
const maxSpeed = 1e6
