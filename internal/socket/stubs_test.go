package socket

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The stubs for other systems must not drift from what Linux offers: their users compile on both.
func TestStubsMatchLinux(t *testing.T) {
	files, err := filepath.Glob("*_linux.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files to compare: %v", err)
	}
	linux, other := map[string]string{}, map[string]string{}
	for _, f := range files {
		exported(t, f, linux)
	}
	exported(t, "other.go", other)
	if diff := cmp.Diff(linux, other); diff != "" {
		t.Errorf("linux (-) and other systems (+) differ:\n%s", diff)
	}
}

// exported collects the exported functions and methods of a file, with parameter and result types, and the exported
// fields of its exported structs.
func exported(t *testing.T, file string, into map[string]string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			if d.Recv != nil {
				name = types.ExprString(d.Recv.List[0].Type) + "." + name
			}
			if ast.IsExported(strings.TrimPrefix(name, "*")) && d.Name.IsExported() {
				into[name] = types.ExprString(d.Type)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if s, ok := s.(*ast.TypeSpec); ok && s.Name.IsExported() {
					into[s.Name.Name] = fields(s)
				}
			}
		}
	}
}

func fields(s *ast.TypeSpec) string {
	st, ok := s.Type.(*ast.StructType)
	if !ok {
		return types.ExprString(s.Type)
	}
	var all []string
	for _, f := range st.Fields.List {
		for _, n := range f.Names {
			if n.IsExported() {
				all = append(all, n.Name+" "+types.ExprString(f.Type))
			}
		}
	}
	return strings.Join(all, "; ")
}
