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

// Programs of ScaLAPACK that come to no end, on any library: they compare numbers that are not set.
var endless = map[string]bool{}

// scalapack is ScaLAPACK's own tests: those in double precision, of PBLAS and of BLACS.
func scalapack(library string) (all []*client, err error) {
	dir := filepath.Join("/usr/lib/x86_64-linux-gnu/scalapack", library+"-tests")
	for _, pattern := range []string{"xd*", "PBLAS/dpb?tst", "BLACS/x?btest"} {
		programs, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return nil, err
		}
		for _, program := range programs {
			base := filepath.Base(program)
			if endless[base] {
				continue
			}
			all = append(all, &client{
				name: "scalapack", what: library + "'s " + base, as: library, ranks: 4, argv: []string{program}, dir: dataOf(program),
				good: regexp.MustCompile(`PASSED`), bad: regexp.MustCompile(`FAILED|[1-9]\d* tests completed and failed`),
			})
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("there are no tests in %s; make clients installs them", dir)
	}
	return all, nil
}

// dataOf is the directory with the files that a program reads.
func dataOf(program string) string {
	const data = "/usr/share/scalapack"
	if part := filepath.Base(filepath.Dir(program)); !strings.HasSuffix(part, "-tests") {
		return filepath.Join(data, part)
	}
	return data
}
