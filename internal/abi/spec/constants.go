package spec

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"
)

//go:embed constants.txt
var constantsText string

// Constant is a constant of the interface.
type Constant struct {
	Name  string
	Type  string // "int", "int!", "=" or a type to cast to, see constants.txt
	Value string
	// What the headers of other libraries have: a number, or the name of an object; empty if nothing is known.
	OpenMPI, MPICH string
	Fortran        string // the number of Open MPI's object in its Fortran, likewise
}

// Constants returns all constants, in the order of the table.
var Constants = sync.OnceValue(func() []Constant {
	all, err := parseConstants(constantsText)
	if err != nil {
		panic(err) // the table is part of the program
	}
	return all
})

// parseConstants reads the table.
func parseConstants(text string) (all []Constant, err error) {
	for i, line := range strings.Split(text, "\n") {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0][0] == '#' {
			continue
		}
		if len(fields) != 6 {
			return nil, fmt.Errorf("line %d: %q is not NAME TYPE VALUE OPENMPI MPICH FORTRAN", i+1, line)
		}
		known := func(s string) string {
			if s == "-" {
				return ""
			}
			return s
		}
		all = append(all, Constant{fields[0], fields[1], fields[2], known(fields[3]), known(fields[4]), known(fields[5])})
	}
	return all, nil
}
