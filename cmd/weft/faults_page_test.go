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

// TestPageOfFaults sees that docs/faults.md and the tests name each other: no row without its test, no test of a fault
// that users cannot read about.
func TestPageOfFaults(t *testing.T) {
	text, err := os.ReadFile("../../docs/faults.md")
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, name := range regexp.MustCompile(`TestFault\w+`).FindAllString(string(text), -1) {
		named[name] = true
	}
	files, err := filepath.Glob("faults_*test.go")
	if err != nil {
		t.Fatal(err)
	}
	existing := map[string]bool{}
	for _, path := range files {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && strings.HasPrefix(fn.Name.Name, "TestFault") {
				existing[fn.Name.Name] = true
				if !named[fn.Name.Name] {
					t.Errorf("docs/faults.md does not name %s", fn.Name.Name)
				}
			}
		}
	}
	for name := range named {
		if !existing[name] {
			t.Errorf("docs/faults.md names %s, which does not exist", name)
		}
	}
	for i, line := range strings.Split(string(text), "\n") {
		if strings.HasPrefix(line, "| ") && !strings.HasPrefix(line, "| event ") && !strings.Contains(line, "`TestFault") {
			t.Errorf("docs/faults.md:%d: a row without a test", i+1)
		}
	}
}
