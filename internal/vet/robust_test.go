package vet

import (
	"go/ast"
	"go/types"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"
)

// TestStandardLibrary asks everything that the checks ask of every variable, expression and statement of
// packages with all kinds of code in them: nothing panics. None of them calls package mpi, so the checks
// alone would ask little.
func TestStandardLibrary(t *testing.T) {
	if testing.Short() {
		t.Skip("loads many packages")
	}
	t.Parallel()
	paths := []string{"fmt", "sort", "go/types", "encoding/json", "text/template", "slices", "iter"}
	loaded, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax}, paths...)
	if err != nil || len(loaded) != len(paths) {
		t.Fatal(loaded, err)
	}
	asked := 0
	all := &analysis.Analyzer{Name: "all", Doc: "asks everything", Run: func(pass *analysis.Pass) (any, error) {
		for _, a := range checks {
			examine(pass, a.look)
		}
		examine(pass, func(f *function) { asked += askAll(f) })
		return nil, nil
	}}
	graph, err := checker.Analyze([]*analysis.Analyzer{all}, loaded, &checker.Options{Sequential: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range graph.Roots {
		if a.Err != nil || len(a.Diagnostics) > 0 {
			t.Errorf("%s: %v, %v", a.Package.PkgPath, a.Err, a.Diagnostics)
		}
	}
	if asked < 10_000 {
		t.Errorf("only %d questions were asked", asked)
	}
}

// askAll asks what can be asked of the parts of a function and returns how many there were.
func askAll(f *function) (asked int) {
	f.own(func(n ast.Node) {
		asked++
		f.rankBranch(n)
		switch n := n.(type) {
		case *ast.Ident:
			if v, ok := f.pass.TypesInfo.ObjectOf(n).(*types.Var); ok {
				f.waits(n)
				f.needs(call{CallExpr: &ast.CallExpr{Fun: n}}, n)
				f.touch(n, place{v, ""})
				f.touch(n, place{v, ".x[3]"})
				f.comm(n)
				f.local(v)
			}
		case *ast.CallExpr:
			f.holder(n)
			f.behind(n)
			f.mayTalk(n)
			f.after(n, func(ast.Node) bool { return false })
		case *ast.IfStmt:
			f.ways(n, f.ifBranches(n), place{})
		case *ast.SwitchStmt:
			f.ways(n, f.switchBranches(n), place{})
		case ast.Expr:
			f.buffer(n)
			f.ranksIn(n)
		}
	})
	return asked
}
