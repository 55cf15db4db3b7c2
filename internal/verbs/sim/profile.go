package sim

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/weft-mpi/weft/internal/userfile"
)

//go:embed profiles/*.json
var embedded embed.FS

// Profile describes the hosts and interfaces of one platform.
type Profile struct {
	Name       string           `json:"name"`
	Title      string           `json:"title"`
	Parameters map[string]Param `json:"parameters"`

	// Targets are what documents say of the platform as a whole; Calibrate compares. They change nothing.
	Targets map[string]Param `json:"targets"`
}

// Param is one parameter: its value, and where that comes from.
type Param struct {
	Value float64 `json:"value"`
	How   How     `json:"how"`
	// Figures are those of the documents that the value is taken from or was fitted to, such as F3.8 or
	// 002.F5.1: a result of ours that agrees with them proves little.
	Figures []string `json:"figures,omitempty"`
	Source  string   `json:"source"`
}

// How a value became known.
type How string

// Where values come from.
const (
	Stated   How = "stated"   // a document says so
	Measured How = "measured" // it follows from a measurement, by arithmetic
	Fitted   How = "fitted"   // chosen so that the model shows what the figures do
	Assumed  How = "assumed"  // we had to choose
)

// figureID is the form of a figure's name.
var figureID = regexp.MustCompile(`^(00[1-9]\.)?[FT][0-9]+(\.[0-9]+)?[a-g]?$`)

// ErrProfile is what is wrong with a profile.
var ErrProfile = errors.New("invalid profile")

// Profiles lists the names of the profiles that come with the program.
func Profiles() []string {
	files, err := fs.Glob(embedded, "profiles/*.json")
	if err != nil {
		return nil
	}
	for i, f := range files {
		files[i] = strings.TrimSuffix(strings.TrimPrefix(f, "profiles/"), ".json")
	}
	slices.Sort(files)
	return files
}

// LoadProfile gives one of Profiles, or reads a file if the name ends in .json.
func LoadProfile(nameOrPath string) (*Profile, error) {
	if !strings.HasSuffix(nameOrPath, ".json") {
		text, err := embedded.ReadFile("profiles/" + nameOrPath + ".json")
		if err != nil {
			return nil, fmt.Errorf("sim: no profile %q; there are %s, or name a file that ends in .json", nameOrPath,
				strings.Join(Profiles(), ", "))
		}
		return ParseProfile(text)
	}
	text, err := userfile.Read(nameOrPath)
	if err != nil {
		return nil, fmt.Errorf("sim: profile: %w", err)
	}
	p, err := ParseProfile(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", nameOrPath, err)
	}
	return p, nil
}

// maxProfile bounds the size of a profile, in bytes.
const maxProfile = 1 << 20

// ParseProfile checks and returns a profile in JSON. Every parameter must be there, and no other.
func ParseProfile(text []byte) (*Profile, error) {
	if len(text) > maxProfile {
		return nil, fmt.Errorf("sim: %w: %d bytes are too many", ErrProfile, len(text))
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	p := new(Profile)
	if err := d.Decode(p); err != nil {
		return nil, fmt.Errorf("sim: %w: %w", ErrProfile, err)
	}
	if d.More() {
		return nil, fmt.Errorf("sim: %w: there is something after the profile", ErrProfile)
	}
	if err := p.Check(); err != nil {
		return nil, err
	}
	return p, nil
}

// Check tells what is wrong with a profile.
func (p *Profile) Check() error {
	if p.Name == "" {
		return fmt.Errorf("sim: %w: it has no name", ErrProfile)
	}
	for _, name := range slices.Sorted(maps.Keys(p.Parameters)) {
		if _, known := parameters[name]; !known {
			return fmt.Errorf("sim: %w %s: there is no parameter %q; see docs/reference/profiles.md for their names", ErrProfile, p.Name, name)
		}
	}
	for _, name := range ParameterNames() {
		par, there := p.Parameters[name]
		k := parameters[name]
		switch {
		case !there:
			return fmt.Errorf("sim: %w %s: parameter %q (%s) is missing", ErrProfile, p.Name, name, k.text)
		case !(par.Value >= k.low && par.Value <= k.high):
			return fmt.Errorf("sim: %w %s: %s is %v, it must lie between %v and %v", ErrProfile, p.Name, name, par.Value, k.low, k.high)
		case k.whole && par.Value != float64(int64(par.Value)):
			return fmt.Errorf("sim: %w %s: %s is %v, it must be a whole number", ErrProfile, p.Name, name, par.Value)
		}
		if err := par.known(); err != nil {
			return fmt.Errorf("sim: %w %s: %s %w", ErrProfile, p.Name, name, err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.Targets)) {
		t := p.Targets[name]
		if TargetText(name) == "" {
			return fmt.Errorf("sim: %w %s: there is no target %q; see docs/reference/profiles.md for their names", ErrProfile, p.Name, name)
		}
		if !(t.Value > 0 && t.Value < 1e12) {
			return fmt.Errorf("sim: %w %s: target %s is %v, it must be more than 0", ErrProfile, p.Name, name, t.Value)
		}
		if err := t.known(); err != nil {
			return fmt.Errorf("sim: %w %s: target %s %w", ErrProfile, p.Name, name, err)
		}
	}
	return nil
}

// Broadcasts tells whether the hardware has a broadcast that loses nothing.
func (p *Profile) Broadcasts() bool { return p.get("multicast") == 2 }

// Global tells whether everybody knows where everybody's memory is.
func (p *Profile) Global() bool { return p.get("global") == 1 }

// Syncs tells whether the network has a barrier of its own.
func (p *Profile) Syncs() bool { return p.get("sync_us") > 0 }

// Chains tells whether interfaces begin sends by themselves when events come.
func (p *Profile) Chains() bool { return p.get("chain_us") > 0 }

// known tells what is missing of the origin of a value.
func (par *Param) known() error {
	switch {
	case !slices.Contains([]How{Stated, Measured, Fitted, Assumed}, par.How):
		return fmt.Errorf("is known by %q; say stated, measured, fitted or assumed", par.How)
	case par.Source == "":
		return errors.New("does not say where its value comes from")
	case par.How == Fitted && len(par.Figures) == 0:
		return errors.New("is fitted; name the figures in \"figures\"")
	case par.How == Assumed && len(par.Figures) > 0:
		return fmt.Errorf("is assumed, but names figures %v; say fitted", par.Figures)
	}
	for _, id := range par.Figures {
		if !figureID.MatchString(id) {
			return fmt.Errorf("names a figure %q; they are called F3.8, T5.3 or 002.F5.1", id)
		}
	}
	return nil
}

// With returns a copy of the profile in which one parameter has another value.
func (p *Profile) With(name string, value float64) (*Profile, error) {
	if _, known := parameters[name]; !known {
		return nil, fmt.Errorf("sim: %w %s: there is no parameter %q", ErrProfile, p.Name, name)
	}
	q := *p
	q.Parameters = maps.Clone(p.Parameters)
	q.Parameters[name] = Param{Value: value, How: Assumed, Source: "changed for a run"}
	return &q, q.Check()
}

// get is the value of a parameter.
func (p *Profile) get(name string) float64 {
	if _, known := parameters[name]; !known {
		panic("sim: no parameter " + name)
	}
	return p.Parameters[name].Value
}
