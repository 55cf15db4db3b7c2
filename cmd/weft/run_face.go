package main

import (
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A program that was compiled for another library runs on Weft's if the loader finds Weft's face for
// that library: one of its name, with its types and numbers.

// faceLibraries are the names of the libraries that programs need, by the name of the face.
var faceLibraries = map[string][]string{
	"openmpi": {"libmpi.so.40", "libmpi_mpifh.so.40", "libmpi_usempif08.so.40", "libmpi_usempi_ignore_tkr.so.40"},
	"mpich":   {"libmpi.so.12", "libmpich.so.12", "libmpichfort.so.12"},
}

// setFace reads the value of --as.
func (o *runOptions) setFace(name string) error {
	if faceLibraries[name] == nil {
		return fmt.Errorf("%q is neither openmpi nor mpich", name)
	}
	o.as = name
	return nil
}

// faceDirectory is where the libraries of a face are: they are installed with the C library, and so is weft.
func faceDirectory(name string) (string, error) {
	var tried []string
	for _, find := range []func() (string, error){func() (string, error) { return exec.LookPath(os.Args[0]) }, os.Executable} {
		program, err := find()
		if err != nil {
			continue
		}
		if program, err = filepath.Abs(program); err != nil {
			return "", err
		}
		dir := filepath.Join(filepath.Dir(filepath.Dir(program)), "lib/weft", name)
		if _, err := os.Stat(dir); err == nil {
			return dir, nil
		}
		tried = append(tried, dir)
	}
	return "", fmt.Errorf("--as %s: there is no %s; make install-c PREFIX=DIR installs it, and DIR/bin/weft knows it",
		name, strings.Join(slices.Compact(tried), " nor "))
}

// wearFace has the programs of the job find the face's libraries first, and checks that these have what they need.
func (o *runOptions) wearFace() error {
	if o.as == "" {
		return nil
	}
	dir, err := faceDirectory(o.as)
	if err != nil {
		return err
	}
	for i := range o.apps {
		if err := checkFace(o.as, dir, o.apps[i].argv[0]); err != nil {
			return err
		}
	}
	o.libraries = dir
	return nil
}

// withFace puts the face before other directories of libraries.
func (o *runOptions) withFace(env []string) []string {
	if o.libraries == "" {
		return env
	}
	value := "LD_LIBRARY_PATH=" + o.libraries
	if before, set := lookup(env, "LD_LIBRARY_PATH"); set && before != "" {
		value += ":" + before
	}
	return replaceVariable(env, "LD_LIBRARY_PATH", value)
}

// checkFace says what a program needs that the face has not. Of programs that are no files of the
// loader's, such as scripts, nothing is known before they run.
func checkFace(face, dir, program string) error {
	path, err := exec.LookPath(program)
	if err != nil {
		return nil // whoever starts it says so
	}
	f, err := elf.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	needed, err := f.ImportedLibraries()
	if err != nil {
		return nil
	}
	for other, names := range faceLibraries {
		if i := slices.IndexFunc(names, func(name string) bool { return slices.Contains(needed, name) }); i >= 0 && other != face {
			return fmt.Errorf("%s needs %s: run it --as %s", program, names[i], other)
		}
	}
	missing, err := missingSymbols(f, dir, needed)
	if err == nil && len(missing) > 0 {
		return fmt.Errorf("%s needs what Weft has not: %s", program, strings.Join(missing, ", "))
	}
	return nil
}

// missingSymbols are the names of MPI that a program looks for and the libraries of a directory do not
// have. The library of Open MPI's module mpi_f08 is no part of the face: the one of the system stands
// over it, and has the names of that module.
func missingSymbols(f *elf.File, dir string, needed []string) ([]string, error) {
	modern := slices.Contains(needed, "libmpi_usempif08.so.40")
	wanted, err := f.ImportedSymbols()
	if err != nil {
		return nil, err
	}
	there := map[string]bool{}
	files, err := filepath.Glob(filepath.Join(dir, "*.so*"))
	if err != nil {
		return nil, err
	}
	for _, name := range files {
		if err := addSymbols(there, name); err != nil {
			return nil, err
		}
	}
	var missing []string
	for _, s := range wanted {
		name := strings.ToLower(strings.TrimPrefix(s.Name, "P"))
		ours := strings.HasPrefix(name, "mpi_") || strings.HasPrefix(name, "mpix_") || strings.HasPrefix(name, "ompi_")
		if elsewhere := modern && strings.HasSuffix(name, "_f08_"); ours && !elsewhere && !there[s.Name] {
			missing = append(missing, s.Name)
		}
	}
	return missing, nil
}

// addSymbols adds what a library has.
func addSymbols(to map[string]bool, library string) error {
	f, err := elf.Open(library)
	if err != nil {
		return err
	}
	defer f.Close()
	all, err := f.DynamicSymbols()
	for _, s := range all {
		if s.Section != elf.SHN_UNDEF {
			to[s.Name] = true
		}
	}
	return err
}
