package main

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

//go:embed testdata/objects.py
var objectsPy string

// never is no check at all.
var never = regexp.MustCompile(`$^`)

// clients are the programs, as Debian's packages have them.
func clients() ([]*client, error) {
	parameters, err := os.ReadFile("/usr/share/doc/hpcc/examples/_hpccinf.txt")
	if err != nil {
		return nil, fmt.Errorf("%w; make clients installs it", err)
	}
	all := []*client{
		netpipe("openmpi", "NPopenmpi"),
		netpipe("mpich", "NPmpich2"),
		python("objects, arrays, callbacks", "/usr/bin/python3", "objects.py"),
		python("mpi4py.bench ringtest", "/usr/bin/python3", "-m", "mpi4py.bench", "ringtest", "-n", "10000", "-l", "10"),
		{
			name: "hpcc", what: "HPL, PTRANS, RandomAccess, FFT, latency", as: "openmpi", ranks: 4, argv: []string{"hpcc"},
			files: map[string]string{"hpccinf.txt": string(parameters)}, reports: "hpccoutf.txt",
			ends: "End of HPC Challenge tests", good: regexp.MustCompile(`PASSED|\(passed\)|Success=1`), bad: regexp.MustCompile(`FAILED|\(failed\)|Success=0`),
		},
	}
	for _, library := range []string{"openmpi", "mpich"} {
		more, err := scalapack(library)
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	return all, nil
}

// netpipe checks every byte of messages of up to 64 KiB.
func netpipe(library, program string) *client {
	return &client{name: "netpipe", what: program + " -i", as: library, ranks: 2, argv: []string{program, "-i", "-u", "65536"},
		good: regexp.MustCompile(`Integrity check passed`), bad: regexp.MustCompile(`(?i)integrity check failed`)}
}

func python(what string, argv ...string) *client {
	return &client{name: "mpi4py", what: what, as: "openmpi", ranks: 4, argv: argv, files: map[string]string{"objects.py": objectsPy},
		good: regexp.MustCompile(`passed: |time for`), bad: never}
}

// scalapack is ScaLAPACK's own tests: those in double precision, and those of PBLAS.
func scalapack(library string) (all []*client, err error) {
	dir := filepath.Join("/usr/lib/x86_64-linux-gnu/scalapack", library+"-tests")
	for _, pattern := range []string{"xd*", "PBLAS/dpb?tst"} {
		programs, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return nil, err
		}
		for _, program := range programs {
			files, err := determined(program)
			if err != nil {
				return nil, err
			}
			all = append(all, &client{
				name: "scalapack", what: library + "'s " + filepath.Base(program), as: library, ranks: 4, argv: []string{program},
				dir: dataOf(program), files: files,
				good: regexp.MustCompile(`PASSED`), bad: regexp.MustCompile(`FAILED|[1-9]\d* tests completed and failed`),
			})
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("there are no tests in %s; make clients installs them", dir)
	}
	return all, nil
}

// determined leaves out estimates of conditions, which come out differently from run to run. In Debian's
// ScaLAPACK 2.2.1 they decide by values that were never set (valgrind says so of PSLACON under Open
// MPI), after which ranks part, and abort or wait for ever: xsllt and xdllt do so on Open MPI, xslu on
// Weft.
func determined(program string) (map[string]string, error) {
	name := map[string]string{"xdlu": "LU.dat", "xdllt": "LLT.dat"}[filepath.Base(program)]
	if name == "" {
		return nil, nil
	}
	text, err := os.ReadFile(filepath.Join(dataOf(program), name))
	if err != nil {
		return nil, err
	}
	estimates := regexp.MustCompile(`(?m)^T(\s.*Test Cond)`)
	if !estimates.Match(text) {
		return nil, fmt.Errorf("%s does not say whether to test condition estimates", name)
	}
	return map[string]string{name: estimates.ReplaceAllString(string(text), "F$1")}, nil
}

// dataOf is the directory with the files that a program reads.
func dataOf(program string) string {
	const data = "/usr/share/scalapack"
	if part := filepath.Base(filepath.Dir(program)); !strings.HasSuffix(part, "-tests") {
		return filepath.Join(data, part)
	}
	return data
}
