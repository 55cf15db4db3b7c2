// Package tune owns how settings are written, checked and explained. What there is to set, packages
// say that have something to set: each declares rows, bound to the fields of its own options, whose
// values are the defaults.
//
// It promises that a value which a row has taken has been checked, and that a bad one is an error
// which names the variable, the value and what would be right. It keeps no state, and knows none of
// the settings.
package tune

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Row is one setting, bound to a field of its owner's options.
type Row struct {
	Name  string // environment variable
	Text  string // what it means
	Alike bool   // ranks decide by it together without talking, or it says how they talk: all of a job must have the same
	// Get is the value in words that Set takes. Set changes it if the words make sense; else its
	// error says what would.
	Get func() string
	Set func(words string) error
}

// Alike marks a row that all ranks of a job must have the same value of.
func Alike(r Row) Row {
	r.Alike = true
	return r
}

// Then has f follow whenever the row has taken a value, for fields that depend on it.
func Then(r Row, f func()) Row {
	set := r.Set
	r.Set = func(words string) error {
		err := set(words)
		if err == nil {
			f()
		}
		return err
	}
	return r
}

// Group is rows that belong together.
type Group struct {
	About string // in a few words
	Rows  []Row
}

// lab begins the names of settings that experiments and tests need, not users.
const lab = "WEFT_LAB_"

// Info describes one setting with its value in some environment.
type Info struct {
	Group   string
	Name    string // environment variable
	Value   string
	Default string
	Origin  string // "default" or "environment"
	Alike   bool   // all ranks of a job must have the same
	Text    string
}

// Lab tells whether the setting is one for experiments and tests.
func (i Info) Lab() bool { return strings.HasPrefix(i.Name, lab) }

// Values are settings in the order of their table.
type Values []Info

// Alike are those that all ranks of a job must have the same value of.
func (v Values) Alike() Values { return v.those(func(i Info) bool { return i.Alike }) }

// Public are those for users; Lab are the others.
func (v Values) Public() Values { return v.those(func(i Info) bool { return !i.Lab() }) }

// Lab are the settings for experiments and tests.
func (v Values) Lab() Values { return v.those(Info.Lab) }

func (v Values) those(wanted func(Info) bool) Values {
	return slices.DeleteFunc(slices.Clone(v), func(i Info) bool { return !wanted(i) })
}

// Names are the names of the settings.
func (v Values) Names() (names []string) {
	for _, i := range v {
		names = append(names, i.Name)
	}
	return names
}

// NewName is what a setting is called that once had another name; "" if none had this one.
func (v Values) NewName(old string) string {
	now := lab + strings.TrimPrefix(old, "WEFT_")
	if slices.Contains(v.Names(), now) {
		return now
	}
	return ""
}

// reserved are the variables that a launcher sets; they are no settings.
var reserved = []string{
	"WEFT_LAUNCHER", "WEFT_RANK", "WEFT_SIZE", "WEFT_LOCAL_RANK", "WEFT_LOCAL_SIZE", "WEFT_LOCAL_CPUS", "WEFT_JOB", "WEFT_SHM_FD",
	"WEFT_LOCAL_RANKS", "WEFT_HOSTS", "WEFT_NODE", "WEFT_HOST", "WEFT_SSH", "WEFT_KEY_FILE", "WEFT_JOINED", "WEFT_LEADER", "WEFT_SIMULATE",
}

// ErrBad is the class of all errors about values that a setting cannot have.
var ErrBad = errors.New("bad setting")

// Read gives the rows the values that an environment in the form of os.Environ has for them, and
// tells what came of it. Unknown WEFT_ names come back as well, so that a caller can warn of a
// misspelt one.
func Read(table []Group, environ []string) (values Values, unknown []string, err error) {
	given := make(map[string]string)
	for _, e := range environ {
		name, value, _ := strings.Cut(e, "=")
		if strings.HasPrefix(name, "WEFT_") {
			given[name] = value
		}
	}
	var bad []error
	for _, g := range table {
		for _, r := range g.Rows {
			words := r.Get()
			info := Info{Group: g.About, Name: r.Name, Value: words, Default: words, Origin: "default", Alike: r.Alike, Text: r.Text}
			if words, ok := given[r.Name]; ok {
				info.Value, info.Origin = words, "environment"
				delete(given, r.Name)
				if err := r.Set(words); err != nil {
					bad = append(bad, fmt.Errorf("%w: %s=%q: %w (default %q: %s)", ErrBad, r.Name, words, err, info.Default, r.Text))
				} else {
					info.Value = r.Get()
				}
			}
			values = append(values, info)
		}
	}
	for name := range given {
		if !slices.Contains(reserved, name) {
			unknown = append(unknown, name)
		}
	}
	slices.Sort(unknown)
	return values, unknown, errors.Join(bad...)
}
