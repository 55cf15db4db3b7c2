// Command abi writes what follows from the table of MPI's application binary interface: the header, the
// functions that lead from C and Fortran into the library, those of the faces for programs that were
// compiled for other libraries, the list of symbols, and the values for Go. Run it by go generate.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// outputs are the files, from the root of the repository, and who writes them.
var outputs = map[string]func() []byte{
	"cmd/libmpi/include/mpi.h":    header,
	"cmd/libmpi/shims.c":          shims,
	"cmd/libmpi/numbers.h":        numbers,
	"cmd/libmpi/symbols.map":      symbols,
	"cmd/libmpi/fortran/shims.c":  fortranShims,
	"cmd/libmpi/fortran/mpi.f90":  module,
	"cmd/libmpi/include/mpif.h":   include,
	"internal/abi/spec/values.go": values,

	"cmd/libmpi/faces/shims.c":          faceShims,
	"cmd/libmpi/faces/functions.h":      faceFunctions,
	"cmd/libmpi/faces/mpich/mpi.h":      faces["mpich"].header,
	"cmd/libmpi/faces/mpich/tables.h":   faces["mpich"].tables,
	"cmd/libmpi/faces/openmpi/mpi.h":    faces["openmpi"].header,
	"cmd/libmpi/faces/openmpi/tables.h": faces["openmpi"].tables,
}

func main() {
	root := "../../.." // go generate runs in the directory of the table
	if len(os.Args) > 1 {
		root = os.Args[1]
	}
	for name, write := range outputs {
		if err := os.WriteFile(filepath.Join(root, name), write(), 0o644); err != nil {
			fmt.Fprintln(os.Stderr, "abi:", err)
			os.Exit(1)
		}
	}
}
