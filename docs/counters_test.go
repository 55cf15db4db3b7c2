package docs_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// reportParts are the parts of a rank's report that count something: their names there, and the types they have.
var reportParts = []struct{ name, pkg, kind string }{
	{"Engine", "engine", "Counters"},
	{"Rail.Counters", "rail", "Counters"},
	{"Rail.Rails", "rail", "RailReport"},
	{"Rail.Flow", "rail/flow", "Counters"},
	{"Rail.Regcache", "rail/regcache", "Counters"},
	{"Rail.Reuse", "rail/reuse", "Counters"},
	{"Commons", "progress", "CommonsCounters"},
	{"Windows", "progress", "RMACounters"},
	{"Pages", "pages", "Counters"},
	{"Waits", "clock", "Learned"},
}

// counters is the table of all counters, with the comments of their fields.
func counters(t *testing.T) string {
	var b strings.Builder
	b.WriteString("| counter | counts |\n|---|---|\n")
	for _, part := range reportParts {
		structs := structsOf(t, filepath.Join(root, "internal", part.pkg))
		fmt.Fprintf(&b, "| **%s** | %s |\n", part.name, structs[part.kind].about)
		writeFields(t, &b, structs, part.kind, "")
	}
	return b.String()
}

// structure is a type of a package with its comment.
type structure struct {
	fields *ast.FieldList
	about  string
}

// structsOf returns the struct types of a package, tests aside.
func structsOf(t *testing.T, dir string) map[string]structure {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]structure{}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE {
				for _, s := range g.Specs {
					if kind, ok := s.(*ast.TypeSpec).Type.(*ast.StructType); ok {
						all[s.(*ast.TypeSpec).Name.Name] = structure{kind.Fields, line(g.Doc)}
					}
				}
			}
		}
	}
	return all
}

// writeFields adds a row for each field of a struct, and for those of the structs within it.
func writeFields(t *testing.T, b *strings.Builder, structs map[string]structure, kind, prefix string) {
	t.Helper()
	for _, field := range structs[kind].fields.List {
		of := ""
		if id, ok := field.Type.(*ast.Ident); ok && structs[id.Name].fields != nil {
			of = id.Name
		}
		var names []string
		for _, n := range field.Names {
			names = append(names, "`"+prefix+n.Name+"`")
		}
		switch {
		case of != "" && len(names) == 0:
			writeFields(t, b, structs, of, prefix)
		case of != "":
			writeFields(t, b, structs, of, prefix+field.Names[0].Name+".")
		case field.Comment == nil:
			t.Errorf("a comment must say what %s of %s counts", strings.Join(names, ", "), kind)
		default:
			fmt.Fprintf(b, "| %s | %s |\n", strings.Join(names, ", "), line(field.Comment))
		}
	}
}

// line makes one line of a comment, safe inside a table.
func line(c *ast.CommentGroup) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(c.Text()), " "), "|", `\|`)
}
