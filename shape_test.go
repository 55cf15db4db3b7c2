package weft_test

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"
)

// The shape of the lower half, whose rooms a device and a C library stand on: what has more parts than one
// can keep in mind is several things.
const (
	mostFields  = 25  // of a struct
	mostMethods = 7   // of an interface
	mostLines   = 500 // of a file
)

// shaped are the packages with a shape to keep, in rooms: a package and what is below it.
var shaped = []string{"internal/progress", "internal/rail", "internal/engine", "internal/verbs/soft", "internal/verbs/kernel"}

// misshapen is what has more parts than the shape allows, and how many. It may only shrink.
var misshapen = map[string]int{}

// asks are the interfaces that a room looks for in a value by type assertion, though not every value has
// them, and why. What a device or a link can do it says otherwise: by a capability, or a method that
// answers no. The list may only shrink.
var asks = map[string]string{
	"internal/progress: Ended": "what a window hangs on its accesses",
}

// TestShape holds structs, interfaces and files against the limits, and type assertions against the list.
// With -v it says how long each room is.
func TestShape(t *testing.T) {
	var patterns []string
	for _, room := range shaped {
		patterns = append(patterns, "./"+room+"/...")
	}
	packages := load(t, token.NewFileSet(), patterns...)
	for _, room := range shaped {
		files, lines := 0, 0
		for _, p := range packages {
			if below(p.name, []string{room}) {
				files, lines = files+len(p.lines), lines+sum(p.lines)
			}
		}
		t.Logf("%-20s %3d files %6d lines", room, files, lines)
	}
	parts, asked := map[string]int{}, map[string]bool{}
	for _, p := range packages {
		maps.Copy(parts, oversized(p))
		if room := p.name; room == "internal/progress" || room == "internal/rail" {
			for _, name := range assertions(p) {
				asked[name] = true
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		if n, known := parts[name], misshapen[name]; n > known {
			t.Errorf("%s has %d; at most %d fields of a struct, %d methods of an interface, %d lines of a file", name, n, mostFields, mostMethods, mostLines)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(asked)) {
		if asks[name] == "" {
			t.Errorf("%s is looked for by type assertion: have the seam say it, or give a reason in the list", name)
		}
	}
	for name, n := range misshapen {
		if parts[name] < n {
			t.Logf("%s has %d by now, and not %d: the list can shrink", name, parts[name], n)
		}
	}
	for name := range asks {
		if !asked[name] {
			t.Logf("%s is not looked for any more: the list can shrink", name)
		}
	}
}

func sum(lines map[string]int) (n int) {
	for _, l := range lines {
		n += l
	}
	return n
}

// oversized names what of a package has more parts than the shape allows, and how many it has.
func oversized(p loaded) map[string]int {
	parts := map[string]int{}
	for file, lines := range p.lines {
		if lines > mostLines {
			parts[p.name+"/"+file] = lines
		}
	}
	for _, name := range p.pkg.Scope().Names() {
		obj, ok := p.pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok {
			continue
		}
		switch t := obj.Type().Underlying().(type) {
		case *types.Struct:
			if n := fields(t); n > mostFields {
				parts[p.name+"."+name] = n
			}
		case *types.Interface:
			if n := t.NumMethods(); n > mostMethods {
				parts[p.name+"."+name] = n
			}
		}
	}
	return parts
}

// fields counts the fields of a struct, with those of structs without a name in it.
func fields(s *types.Struct) (n int) {
	for f := range s.Fields() {
		if inner, ok := f.Type().(*types.Struct); ok {
			n += fields(inner)
		}
		n++
	}
	return n
}

// assertions names the interfaces that a package's type assertions and type switches look for, once each.
func assertions(p loaded) (all []string) {
	note := func(target ast.Expr) {
		if target == nil || !types.IsInterface(p.info.TypeOf(target)) {
			return
		}
		name := types.TypeString(p.info.TypeOf(target), func(q *types.Package) string { return strings.TrimPrefix(q.Path(), module) })
		if name = strings.TrimPrefix(name, p.name+"."); !slices.Contains(all, p.name+": "+name) {
			all = append(all, p.name+": "+name)
		}
	}
	for _, file := range p.files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeAssertExpr:
				note(n.Type)
			case *ast.TypeSwitchStmt:
				for _, clause := range n.Body.List {
					for _, target := range clause.(*ast.CaseClause).List {
						note(target)
					}
				}
			}
			return true
		})
	}
	slices.Sort(all)
	return all
}

// TestShapeRules: the rules do find what they are for.
func TestShapeRules(t *testing.T) {
	const source = `package rail
		type wide struct{ a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x int; inner struct{ y int } }
		type fits struct{ a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y int }
		type few interface{ A(); B(); C(); D(); E(); F(); G() }
		type many interface{ few; H() }
		func look(v any) bool {
			_, ok := v.(few)
			_, exact := v.(*fits)
			switch v.(type) { case many, error: ok = false; case int: }
			return ok && exact
		}`
	p := check(t, token.NewFileSet(), fixed{}, module+"internal/rail", []string{"rail.go"}, source+strings.Repeat("\n", 500))
	want := map[string]int{"internal/rail.wide": 26, "internal/rail.many": 8, "internal/rail/rail.go": 510}
	if got := oversized(p); !maps.Equal(got, want) {
		t.Errorf("found %v, want %v", got, want)
	}
	if got, want := assertions(p), []string{"internal/rail: error", "internal/rail: few", "internal/rail: many"}; !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}
