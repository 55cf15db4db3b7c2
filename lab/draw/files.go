package draw

import (
	"errors"
	"io"
	"path/filepath"

	"github.com/weft-mpi/weft/internal/chart"
	"github.com/weft-mpi/weft/lab"
)

// Save writes a result with its diagrams into a directory: ID.json, ID.csv, and ID.svg and ID.pdf or, for several
// panels, ID-a.svg and so on; a state machine is ID-flow.svg. It returns the names of the diagrams.
func Save(dir string, r *lab.Result) ([]string, error) {
	if err := r.Save(dir); err != nil {
		return nil, err
	}
	var names []string
	for i, suffix := range Suffixes(len(r.Panels)) {
		for _, format := range chart.Formats {
			name := lab.FileName(r.ID, suffix+"."+format)
			err := lab.WriteFile(filepath.Join(dir, name), func(w io.Writer) error { return Panel(w, r.Panels[i], format) })
			switch {
			case errors.Is(err, ErrEmpty):
				continue
			case err != nil:
				return names, err
			}
			names = append(names, name)
		}
	}
	if r.Flow != nil {
		name := lab.FileName(r.ID, "-flow.svg")
		if err := lab.WriteFile(filepath.Join(dir, name), func(w io.Writer) error { return Flow(w, r.Flow) }); err != nil {
			return names, err
		}
		names = append(names, name)
	}
	return names, nil
}
