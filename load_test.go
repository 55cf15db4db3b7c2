package weft_test

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// loaded is a package as the compiler sees it, without its tests.
type loaded struct {
	name  string // without the module
	pkg   *types.Package
	info  *types.Info
	files []*ast.File
	lines map[string]int // by file
}

// load parses and checks packages; others that they import are taken as compiled.
func load(t *testing.T, fset *token.FileSet, patterns ...string) (all []loaded) {
	cmd := exec.Command("go", append([]string{"list", "-export", "-deps", "-json=Dir,ImportPath,GoFiles,Export,DepOnly"}, patterns...)...)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	type listed struct {
		Dir, ImportPath, Export string
		GoFiles                 []string
		DepOnly                 bool
	}
	var own []listed
	compiled := map[string]string{}
	for d := json.NewDecoder(out); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		compiled[p.ImportPath] = p.Export
		if !p.DepOnly {
			own = append(own, p)
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("go list: %v", err)
	}
	imports := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(compiled[path]) })
	for _, p := range own {
		var paths []string
		for _, name := range p.GoFiles {
			paths = append(paths, filepath.Join(p.Dir, name))
		}
		all = append(all, check(t, fset, imports, p.ImportPath, paths, nil))
	}
	return all
}

// check parses and checks one package; with a source, that is its only file.
func check(t *testing.T, fset *token.FileSet, imports types.Importer, path string, paths []string, source any) loaded {
	l := loaded{name: path[len(module):], info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}, lines: map[string]int{}}
	for _, path := range paths {
		file, err := parser.ParseFile(fset, path, source, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		l.files = append(l.files, file)
		l.lines[filepath.Base(path)] = fset.File(file.FileStart).LineCount()
	}
	var err error
	if l.pkg, err = (&types.Config{Importer: imports}).Check(path, fset, l.files, l.info); err != nil {
		t.Fatal(err)
	}
	return l
}
