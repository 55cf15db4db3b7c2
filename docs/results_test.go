package docs_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// table is a table of a page: the nearest heading above it, the names of its columns, and its cells.
type table struct {
	heading string
	columns []string
	rows    [][]string
}

// tables returns the tables of a page.
func tables(page string) []table {
	var all []table
	heading, open := "", false
	for _, line := range strings.Split(page, "\n") {
		if strings.HasPrefix(line, "#") {
			heading = strings.TrimLeft(line, "# ")
		}
		if !strings.HasPrefix(line, "|") {
			open = false
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		switch {
		case !open:
			all = append(all, table{heading: heading, columns: cells})
			open = true
		case !strings.HasPrefix(cells[0], "---"):
			last := &all[len(all)-1]
			last.rows = append(last.rows, cells)
		}
	}
	return all
}

// TestResultsSayWhereTheyComeFrom: every file of results names its command and its date before anything measured, and
// the list of files names every file.
func TestResultsSayWhereTheyComeFrom(t *testing.T) {
	files, err := filepath.Glob("results/*.md")
	if err != nil || len(files) < 5 {
		t.Fatalf("%v, found %v", err, files)
	}
	list := read(t, "results/README.md")
	for _, path := range files {
		if name := filepath.Base(path); name != "README.md" && !strings.Contains(list, "("+name+")") {
			t.Errorf("results/README.md does not list %s", name)
		}
		all := tables(read(t, path))
		if path != filepath.Join("results", "README.md") && (len(all) < 2 || !states(all[0], "command") || !states(all[0], "date")) {
			t.Errorf("%s does not begin with the command and the date", path)
		}
	}
}

// states tells whether a table has a row for a fact.
func states(facts table, name string) bool {
	return slices.ContainsFunc(facts.rows, func(row []string) bool { return row[0] == name && len(row) == 2 && row[1] != "" })
}

// summaries are the rows of the table of ratios: which points of which file belong together.
var summaries = []struct {
	where, what, file, heading, operation string
	long                                  bool // messages above 8 KB; else those up to 8 KB. Not asked for collectives.
}{
	{where: "one host", what: "half a round trip, up to 8 KB", file: "latency-host", heading: "latency"},
	{where: "one host", what: "half a round trip, 16 KB to 4 MB", file: "latency-host", heading: "latency", long: true},
	{where: "one host", what: "bandwidth, up to 8 KB", file: "bw-host", heading: "bw"},
	{where: "one host", what: "bandwidth, 16 KB to 4 MB", file: "bw-host", heading: "bw", long: true},
	{where: "one host", what: "barrier", file: "suite-host", heading: "Collectives", operation: "barrier"},
	{where: "one host", what: "bcast", file: "collectives-host", operation: "bcast"},
	{where: "one host", what: "allreduce", file: "collectives-host", operation: "allreduce"},
	{where: "one host", what: "allgather", file: "collectives-host", operation: "allgather"},
	{where: "one host", what: "alltoall", file: "collectives-host", operation: "alltoall"},
	{where: "over TCP", what: "half a round trip, up to 8 KB", file: "tcp", heading: "latency"},
	{where: "over TCP", what: "half a round trip, 16 KB to 4 MB", file: "tcp", heading: "latency", long: true},
	{where: "over TCP", what: "bandwidth, up to 8 KB", file: "tcp", heading: "bw"},
	{where: "over TCP", what: "bandwidth, 16 KB to 4 MB", file: "tcp", heading: "bw", long: true},
	{where: "two hosts", what: "bcast", file: "collectives-box", operation: "bcast"},
	{where: "two hosts", what: "allreduce", file: "collectives-box", operation: "allreduce"},
	{where: "two hosts", what: "allgather", file: "collectives-box", operation: "allgather"},
	{where: "two hosts", what: "alltoall", file: "collectives-box", operation: "alltoall"},
}

// ratioTable sums up the files of results: by operation, the median over the points of Weft's time divided by that of
// the fastest other library.
func ratioTable(t *testing.T) string {
	var b strings.Builder
	b.WriteString("| where | what | points | median ratio | slower |\n|---|---|---|---|---|\n")
	for _, s := range summaries {
		var all []float64
		for _, tab := range tables(read(t, "results/"+s.file+".md")) {
			if !strings.HasPrefix(tab.heading, s.heading) {
				continue
			}
			for _, row := range tab.rows {
				if s.operation == row[0] || s.operation == "" && strings.HasSuffix(row[0], "B") && s.long == above8K(row[0]) {
					all = append(all, ratios(t, tab, row)...)
				}
			}
		}
		if len(all) == 0 {
			t.Fatalf("%s has nothing about %s", s.file, s.what)
		}
		slices.Sort(all)
		median := (all[(len(all)-1)/2] + all[len(all)/2]) / 2
		slower := len(all) - len(slices.DeleteFunc(slices.Clone(all), func(r float64) bool { return r > 1 }))
		fmt.Fprintf(&b, "| %s | %s | %d | %.2f | %d |\n", s.where, s.what, len(all), median, slower)
	}
	return b.String()
}

// above8K tells it of a size such as "16 KB".
func above8K(size string) bool {
	return strings.HasSuffix(size, "MB") || strings.HasSuffix(size, "KB") && len(size) > len("8 KB")
}

// grid matches the ratio in a cell that also has times: "0.708 / 1.510: 0.81 [0.80-0.83]".
var grid = regexp.MustCompile(`: ([0-9.]+) \[`)

// ratios returns the ratios of times that a row holds, to the fastest peer: one if it has a column for each
// peer, one for each cell of a grid. Ratios of bandwidths are turned over.
func ratios(t *testing.T, tab table, row []string) (all []float64) {
	t.Helper()
	number := func(text string) float64 {
		value, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatalf("%v: %v", row, err)
		}
		return value
	}
	worst := 0.0
	for i, cell := range row {
		if m := grid.FindStringSubmatch(cell); m != nil {
			all = append(all, number(m[1]))
		}
		if !strings.HasPrefix(tab.columns[i], "weft/") {
			continue
		}
		ratio := number(strings.Fields(cell)[0])
		if strings.HasPrefix(tab.heading, "bw") {
			ratio = 1 / ratio
		}
		worst = max(worst, ratio)
	}
	if worst > 0 {
		all = append(all, worst)
	}
	return all
}
