package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/weft-mpi/weft/internal/bench/figure"
	"github.com/weft-mpi/weft/internal/chart"
)

// plotAuto is what --plot without a name stands for.
const plotAuto = "auto"

// pictureEnds are those of names that may be meant for a figure, though not all of them can be drawn.
var pictureEnds = []string{".svg", ".pdf", ".png", ".gif", ".jpg", ".eps", ".ps", ".webp"}

// plotOption lets --plot go without a name: it takes the next word only if that ends like a picture's name.
func plotOption(args []string) []string {
	var all []string
	for i := 0; i < len(args); i++ {
		switch {
		case args[i] != "-plot" && args[i] != "--plot":
			all = append(all, args[i])
		case i+1 < len(args) && slices.Contains(pictureEnds, strings.ToLower(filepath.Ext(args[i+1]))):
			all = append(all, "--plot="+args[i+1])
			i++
		default:
			all = append(all, "--plot="+plotAuto)
		}
	}
	return all
}

// plotPath is the file of a figure: the one that was asked for, or the first of NAME.svg, NAME-2.svg and so
// on that is not there yet. No figure, no file.
func plotPath(asked, name string) (string, error) {
	switch asked {
	case "":
		return "", nil
	case plotAuto:
		path := name + ".svg"
		for i := 2; exists(path); i++ {
			path = fmt.Sprintf("%s-%d.svg", name, i)
		}
		return path, chart.CheckPath(path)
	}
	return asked, chart.CheckPath(asked)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// saveFigure writes the figure and, under the same name, its numbers as CSV.
func saveFigure(path string, f figure.Figure, writeCSV func(io.Writer) error) error {
	return saveFigures(path, []figure.Figure{f}, writeCSV)
}

// saveFigures writes the figures and, under the name that was asked for, their numbers as CSV, and says so.
// When there are several, each carries its own name too.
func saveFigures(path string, figures []figure.Figure, writeCSV func(io.Writer) error) error {
	ext := filepath.Ext(path)
	stem := strings.TrimSuffix(path, ext)
	var names []string
	for _, f := range figures {
		name := path
		if len(figures) > 1 {
			name = stem + "-" + f.Name + ext
		}
		if err := f.Save(name); err != nil {
			return err
		}
		names = append(names, name)
	}
	if err := writeFile(stem+".csv", writeCSV); err != nil {
		return err
	}
	_, err := fmt.Fprintf(os.Stderr, "drew %s; the numbers are in %s.csv\n", strings.Join(names, ", "), stem)
	return err
}

// writeFile creates a file and has it filled.
func writeFile(path string, fill func(io.Writer) error) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(fill(file), file.Close())
}
