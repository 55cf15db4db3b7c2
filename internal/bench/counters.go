package bench

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Counters are what the ranks of a run counted, summed over the ranks. A name is the path to a number in a rank's
// report, joined by dots; elements of a list go by their Name, or else their number.
type Counters map[string]float64

// maxReport bounds one rank's report.
const maxReport = 4 * mib

// ReadCounters adds up the reports rank-N.json that ranks left in a directory, and returns how many there were.
func ReadCounters(dir string) (sum Counters, ranks int, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "rank-*.json"))
	if err != nil {
		return nil, 0, err
	}
	sum = Counters{}
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			return nil, 0, err
		}
		if info.Size() > maxReport {
			return nil, 0, fmt.Errorf("report %s is longer than %d bytes", file, maxReport)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, 0, err
		}
		if err := sum.add(text); err != nil {
			return nil, 0, fmt.Errorf("report %s: %w", file, err)
		}
	}
	return sum, len(files), nil
}

// KeepReports copies the reports in dir to another directory, where those of ranks with the same numbers are replaced.
func KeepReports(dir, to string) error {
	files, err := filepath.Glob(filepath.Join(dir, "rank-*.json"))
	if err != nil {
		return err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, filepath.Base(file)), text, 0o644); err != nil {
			return fmt.Errorf("WEFT_REPORT: %w", err)
		}
	}
	return nil
}

func (c Counters) add(text []byte) error {
	var tree any
	if err := json.Unmarshal(text, &tree); err != nil {
		return err
	}
	c.walk("", tree)
	return nil
}

func (c Counters) walk(path string, node any) {
	below := func(name string) string { return strings.TrimPrefix(path+"."+name, ".") }
	switch node := node.(type) {
	case float64:
		c[path] += node
	case map[string]any:
		for name, child := range node {
			c.walk(below(name), child)
		}
	case []any:
		for i, child := range node {
			name := fmt.Sprint(i)
			if fields, ok := child.(map[string]any); ok {
				if text, ok := fields["Name"].(string); ok && text != "" {
					name = text
				}
			}
			c.walk(below(name), child)
		}
	}
}

// text lists the counters below the given names that are not 0.
func (c Counters) text(names []string) string {
	var parts []string
	for _, name := range names {
		found := c.Under(name)
		for _, path := range slices.Sorted(maps.Keys(found)) {
			if found[path] != 0 {
				parts = append(parts, fmt.Sprintf("%s %.0f", path, found[path]))
			}
		}
	}
	return strings.Join(parts, ", ")
}

// Under returns the counters of that name and those whose path begins with it.
func (c Counters) Under(name string) Counters {
	found := Counters{}
	for path, v := range c {
		if path == name || strings.HasPrefix(path, name+".") {
			found[path] = v
		}
	}
	return found
}
