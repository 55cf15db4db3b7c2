package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestPageOfFaults sees that docs/reference/faults.md and the tests name each other: no row without its
// test, no test of a fault that the page leaves out.
func TestPageOfFaults(t *testing.T) {
	text, err := os.ReadFile("../../docs/reference/faults.md")
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, name := range regexp.MustCompile(`Test(Fault|Net|Run)\w+`).FindAllString(string(text), -1) {
		named[name] = true
	}
	var files []string
	for _, pattern := range []string{"faults_*test.go", "net_*test.go", "run_*test.go"} {
		some, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, some...)
	}
	existing := map[string]bool{}
	for _, path := range files {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && strings.HasPrefix(fn.Name.Name, "Test") {
				existing[fn.Name.Name] = true
				if !named[fn.Name.Name] && strings.HasPrefix(fn.Name.Name, "TestFault") {
					t.Errorf("docs/reference/faults.md does not name %s", fn.Name.Name)
				}
			}
		}
	}
	for name := range named {
		if !existing[name] {
			t.Errorf("docs/reference/faults.md names %s, which does not exist", name)
		}
	}
	for i, line := range strings.Split(string(text), "\n") {
		if strings.HasPrefix(line, "| ") && !strings.HasPrefix(line, "| event ") && !strings.Contains(line, "`Test") {
			t.Errorf("docs/reference/faults.md:%d: a row without a test", i+1)
		}
	}
}
