package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestTutorialQuotesTheExamples holds every piece of code in the tutorial to the programs it comes from.
func TestTutorialQuotesTheExamples(t *testing.T) {
	files, err := filepath.Glob("../examples/*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	var code strings.Builder
	for _, f := range files {
		code.WriteString(read(t, f))
	}
	quoted := 0
	all, _ := blocks(read(t, "using/tutorial.md"))
	for _, b := range all {
		if b.language != "go" {
			continue
		}
		quoted++
		if !strings.Contains(code.String(), b.text) {
			t.Errorf("tutorial.md:%d: no example contains\n%s", b.line, b.text)
		}
	}
	if quoted < 5 {
		t.Errorf("the tutorial quotes only %d pieces", quoted)
	}
}

// declarations returns what package mpi declares, without its tests.
func declarations(t *testing.T) (all []ast.Decl) {
	t.Helper()
	files, err := filepath.Glob("../mpi/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, f.Decls...)
	}
	return all
}

// exported returns the exported names of package mpi, methods as Type.Method.
func exported(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, d := range declarations(t) {
		for _, name := range declared(d) {
			names[name] = true
		}
	}
	return names
}

// declared returns the exported names that a declaration introduces.
func declared(d ast.Decl) (names []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		name := d.Name.Name
		if d.Recv != nil {
			receiver := d.Recv.List[0].Type
			if star, ok := receiver.(*ast.StarExpr); ok {
				receiver = star.X
			}
			if id, ok := receiver.(*ast.Ident); ok && id.IsExported() && d.Name.IsExported() {
				return []string{id.Name + "." + name}
			}
			return nil
		}
		if d.Name.IsExported() {
			names = append(names, name)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				names = append(names, s.Name.Name)
			case *ast.ValueSpec:
				for _, id := range s.Names {
					names = append(names, id.Name)
				}
			}
		}
	}
	var own []string
	for _, n := range names {
		if ast.IsExported(n) {
			own = append(own, n)
		}
	}
	return own
}

var mention = regexp.MustCompile(`\bmpi\.([A-Z]\w*)`)

// TestNamesExist sees that every mpi.Name in a page is a name of package mpi.
func TestNamesExist(t *testing.T) {
	names := exported(t)
	for _, path := range pages(t) {
		for _, m := range mention.FindAllStringSubmatch(read(t, path), -1) {
			if !names[m[1]] {
				t.Errorf("%s: package mpi has no %s", path, m[0])
			}
		}
	}
}

// TestAPIPageIsComplete sees that api.md names everything that package mpi exports.
func TestAPIPageIsComplete(t *testing.T) {
	page := read(t, "using/api.md") + read(t, "using/errors.md")
	for name := range exported(t) {
		if !regexp.MustCompile("[`. ,]" + regexp.QuoteMeta(name) + `\b`).MatchString(page) {
			t.Errorf("api.md does not name %s", name)
		}
	}
}

// TestArchitectureNamesPackages sees that the table of packages in architecture.md has a place for each of them.
func TestArchitectureNamesPackages(t *testing.T) {
	page := read(t, "building/architecture.md")
	named := func(name string) bool { return strings.Contains(page, "`"+name+"`") }
	found := 0
	err := filepath.WalkDir("../internal", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if d.Name() == "testdata" {
			return filepath.SkipDir
		}
		if files, _ := filepath.Glob(filepath.Join(path, "*.go")); len(files) == 0 {
			return nil
		}
		found++
		if dir := strings.TrimPrefix(path, "../"); !named(dir) && !named(filepath.Base(dir)) {
			t.Errorf("architecture.md does not name %s", dir)
		}
		return nil
	})
	if err != nil || found < 20 {
		t.Errorf("%d packages, %v", found, err)
	}
}
