package lab

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// ErrStored is the class of errors about saved results that cannot be read.
var ErrStored = errors.New("bad saved result")

// Check finds what would keep a result from being saved: numbers that are none, bars that do not say what they mean.
func (r *Result) Check() error {
	if r.ID == "" {
		return errors.New("a result without an id")
	}
	for _, p := range r.Panels {
		for _, s := range p.Series {
			for _, pt := range s.Points {
				if !finite(pt.X) || !finite(pt.Y) {
					return fmt.Errorf("%s: %s: the point (%g, %g) of %q is not a number", r.ID, p.Title, pt.X, pt.Y, s.Name)
				}
			}
		}
	}
	for _, s := range r.Scalars {
		if !finite(s.Value) {
			return fmt.Errorf("%s: %q is not a number", r.ID, s.Name)
		}
	}
	for _, c := range r.Checks {
		if err := c.check(); err != nil {
			return fmt.Errorf("%s: %w", r.ID, err)
		}
	}
	return nil
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// FileName is the name of a file that belongs to a result, in a directory of results.
func FileName(id, suffix string) string { return id + suffix }

// WriteJSON writes the result as JSON.
func (r *Result) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// WriteCSV writes the points of all lines, one row each.
func (r *Result) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	rows := [][]string{{"panel", "series", "x", "x_unit", "y", "y_unit"}}
	for _, p := range r.Panels {
		for _, s := range p.Series {
			for _, pt := range s.Points {
				rows = append(rows, []string{p.Title, s.Name, decimal(pt.X), p.X.Unit, decimal(pt.Y), p.Y.Unit})
			}
		}
	}
	for _, s := range r.Scalars {
		rows = append(rows, []string{"", s.Name, "", "", decimal(s.Value), s.Unit})
	}
	return out.WriteAll(rows)
}

func decimal(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// Save writes ID.json and ID.csv into a directory, each whole or not at all.
func (r *Result) Save(dir string) error {
	if err := r.Check(); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for suffix, write := range map[string]func(io.Writer) error{".json": r.WriteJSON, ".csv": r.WriteCSV} {
		if err := WriteFile(filepath.Join(dir, FileName(r.ID, suffix)), write); err != nil {
			return err
		}
	}
	return nil
}

// WriteFile has write fill a file, which appears whole or not at all.
func WriteFile(path string, write func(io.Writer) error) error {
	file, err := os.CreateTemp(filepath.Dir(path), ".lab-*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name()) // gone already when the rename succeeded
	err = write(file)
	if err = errors.Join(err, file.Chmod(0o644), file.Close()); err == nil {
		err = os.Rename(file.Name(), path)
	}
	return err
}

// mostStored is how long a saved result may be; those of experiments are a thousandth of it.
const mostStored = 64 << 20

// Load reads the results that Save left in a directory, in the catalogue's order. A directory without any is an error.
func Load(dir string) ([]*Result, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, err
	}
	order := map[string]int{}
	for i, f := range Figures() {
		order[f.ID] = i
	}
	var all []*Result
	for _, path := range paths {
		r, err := loadFile(path)
		if err != nil {
			return nil, err
		}
		if _, known := order[r.ID]; !known {
			return nil, fmt.Errorf("%w: %s: there is no figure %q", ErrStored, path, r.ID)
		}
		all = append(all, r)
	}
	if len(all) == 0 {
		if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("there is no directory %s; `weft lab run ID --save DIR` makes one", dir)
		}
		return nil, fmt.Errorf("%w: %s holds no results; `weft lab run ID --save DIR` saves some", ErrStored, dir)
	}
	slices.SortFunc(all, func(a, b *Result) int { return order[a.ID] - order[b.ID] })
	return all, nil
}

func loadFile(path string) (*Result, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	r, err := ReadResult(io.LimitReader(file, mostStored))
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrStored, path, err)
	}
	return r, nil
}

// ReadResult reads a result from JSON and checks it.
func ReadResult(from io.Reader) (*Result, error) {
	var r Result
	if err := json.NewDecoder(from).Decode(&r); err != nil {
		return nil, err
	}
	for _, p := range r.Panels {
		if p == nil || slices.Contains(p.Series, nil) {
			return nil, errors.New("a panel or line is null")
		}
	}
	if slices.Contains(r.Tables, nil) {
		return nil, errors.New("a table is null")
	}
	return &r, r.Check()
}
