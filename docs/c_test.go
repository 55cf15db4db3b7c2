package docs_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/abi"
	"github.com/weft-mpi/weft/internal/abi/spec"
)

// cFunctions is which functions the C library has, by chapter of the standard.
func cFunctions(*testing.T) string {
	type chapter struct {
		number, have, all int
		title             string
		missing, there    []string // families
	}
	var chapters []*chapter
	for i, f := range spec.Functions() {
		at := slices.IndexFunc(chapters, func(c *chapter) bool { return c.number == f.Family.Chapter })
		if at < 0 {
			at = len(chapters)
			chapters = append(chapters, &chapter{number: f.Family.Chapter, title: f.Family.Title})
		}
		c := chapters[at]
		c.all++
		list := &c.missing
		if abi.Supported(i) {
			c.have++
			list = &c.there
		}
		if name := "`" + f.Family.Name + "`"; !slices.Contains(*list, name) {
			*list = append(*list, name)
		}
	}
	slices.SortFunc(chapters, func(a, b *chapter) int { return a.number - b.number })
	var b strings.Builder
	b.WriteString("| chapter | functions | there | missing |\n|---|---|---|---|\n")
	have, all := 0, 0
	for _, c := range chapters {
		missing := strings.Join(c.missing, ", ")
		switch {
		case c.have == 0:
			missing = "all"
		case missing == "":
			missing = "none"
		case 5*len(c.there) < len(c.missing):
			missing = "all but " + strings.Join(c.there, ", ")
		}
		fmt.Fprintf(&b, "| %d, %s | %d | %d | %s |\n", c.number, c.title, c.all, c.have, missing)
		have, all = have+c.have, all+c.all
	}
	fmt.Fprintf(&b, "| all | %d | %d | |\n", all, have)
	return b.String()
}

// fortranRing is a program that the tests of the library compile and run.
func fortranRing(t *testing.T) string {
	return "```fortran\n" + read(t, "../cmd/libmpi/testdata/fortran/ring.f90") + "```\n"
}
