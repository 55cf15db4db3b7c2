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

// reportParts are the parts of a rank's report that count something: their names there, what they are about, and the
// types they have.
var reportParts = []struct{ name, about, pkg, kind string }{
	{"Engine", "messages, and how long ones were negotiated", "engine", "Counters"},
	{"Rail.Counters", "frames, long messages and connections between hosts", "rail", "Counters"},
	{"Rail.Rails", "each network interface", "rail", "RailReport"},
	{"Rail.Flow", "the numbered streams of frames", "rail/flow", "Counters"},
	{"Rail.Regcache", "registrations of memory", "rail/regcache", "Counters"},
	{"Rail.Reuse", "buffers that are used often", "rail/reuse", "Counters"},
	{"Commons", "collectives through the memory of a node", "progress", "CommonsCounters"},
	{"Plans", "algorithms of collectives", "progress", "PlanCounters"},
	{"Windows", "operations on windows", "progress", "RMACounters"},
	{"Pages", "huge pages", "pages", "Counters"},
	{"Waits", "how the rank waits", "clock", "Learned"},
}

// counters is the table of all counters, with the comments of their fields.
func counters(t *testing.T) string {
	var b strings.Builder
	b.WriteString("| counter | counts |\n|---|---|\n")
	for _, part := range reportParts {
		structs := structsOf(t, filepath.Join(root, "internal", part.pkg))
		fmt.Fprintf(&b, "| **%s** | %s |\n", part.name, part.about)
		writeFields(t, &b, structs, part.kind, "")
	}
	return b.String()
}

// structsOf returns the struct types of a package, tests aside.
func structsOf(t *testing.T, dir string) map[string]*ast.StructType {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*ast.StructType{}
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
						all[s.(*ast.TypeSpec).Name.Name] = kind
					}
				}
			}
		}
	}
	return all
}

// writeFields adds a row for each field of a struct, and for those of the structs within it.
func writeFields(t *testing.T, b *strings.Builder, structs map[string]*ast.StructType, kind, prefix string) {
	t.Helper()
	for _, field := range structs[kind].Fields.List {
		of := ""
		if id, ok := field.Type.(*ast.Ident); ok && structs[id.Name] != nil {
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
