// Package vet finds mistakes with the calls of package mpi that types cannot rule out: a request that
// nobody waits for, a buffer used while a request owns it, a collective that only some ranks call, an error
// that is dropped, an object used after its end.
//
// Each check is an analyzer of golang.org/x/tools/go/analysis in a file of its own. They look at one
// function at a time and know nothing of what it calls, so they stay silent when they are not sure: a
// finding is worth reading. [Check] runs them on packages, [Serve] under "go vet -vettool". The package is
// for tools; nothing that a program imports may import it.
package vet

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
)

// mpiPath is the package whose calls are checked.
const mpiPath = "github.com/weft-mpi/weft/mpi"

// page is where the checks are explained.
const page = "https://github.com/weft-mpi/weft/blob/main/docs/using/vet.md"

// checks are what is looked for, in the order the page explains them; look looks at one function of the program.
var checks = []struct {
	name, doc string
	look      func(*function)
}{
	{"request", "find requests that nobody waits for", requests},
	{"buffer", "find buffers that are used while a request owns them", buffers},
	{"collective", "find collective calls that only some ranks reach", collectives},
	{"error", "find errors of package mpi that are dropped", droppedErrors},
	{"freed", "find communicators, windows, requests and memory used after their end", freed},
}

// Analyzers are the checks, one analyzer each.
func Analyzers() (all []*analysis.Analyzer) {
	for _, c := range checks {
		all = append(all, &analysis.Analyzer{Name: c.name, Doc: c.doc, URL: page + "#" + c.name, Run: func(pass *analysis.Pass) (any, error) {
			if concerned(pass.Pkg) {
				examine(pass, c.look)
			}
			return nil, nil
		}})
	}
	return all
}

// program is a package under one check.
type program struct {
	functions map[*types.Func]*function // those that have names
	known     map[*types.Func]promised  // what collective calls they make
}

// examine looks at all functions of a package.
func examine(pass *analysis.Pass, look func(*function)) {
	p := &program{map[*types.Func]*function{}, map[*types.Func]promised{}}
	var all []*function
	for _, file := range pass.Files {
		u := &unit{pass: pass, all: p, parents: parentsOf(file), ignored: ignoredLines(pass.Fset, file), said: map[token.Pos]bool{}}
		all = append(all, functionsOf(u, file)...)
	}
	for _, f := range all {
		if d, named := f.node.(*ast.FuncDecl); named {
			if obj, ok := pass.TypesInfo.Defs[d.Name].(*types.Func); ok {
				p.functions[obj] = f
			}
		}
	}
	for _, f := range all {
		look(f)
	}
}

// concerned tells whether a package can call package mpi.
func concerned(pkg *types.Package) bool {
	for _, p := range pkg.Imports() {
		if p.Path() == mpiPath {
			return true
		}
	}
	return false
}

// unit is one file under one check.
type unit struct {
	pass    *analysis.Pass
	all     *program
	parents map[ast.Node]ast.Node
	ignored map[int][]string   // names of checks by line
	said    map[token.Pos]bool // places that have a finding: one is enough
	known   *names             // what variables stand for, once asked
}

// parentsOf tells for every node of a file which node it is part of.
func parentsOf(file *ast.File) map[ast.Node]ast.Node {
	parents := map[ast.Node]ast.Node{}
	ast.PreorderStack(file, nil, func(n ast.Node, stack []ast.Node) bool {
		if len(stack) > 0 {
			parents[n] = stack[len(stack)-1]
		}
		return true
	})
	return parents
}

// report tells a finding, unless the program says that it is meant to be so.
func (u *unit) report(at ast.Node, format string, args ...any) {
	if u.said[at.Pos()] || u.isIgnored(at.Pos()) {
		return
	}
	u.said[at.Pos()] = true
	u.pass.ReportRangef(at, format, args...)
}

// line is the line of a place, for messages.
func (u *unit) line(pos token.Pos) int { return u.pass.Fset.Position(pos).Line }

// parent is what a node is part of, parentheses left out.
func (u *unit) parent(n ast.Node) ast.Node {
	p := u.parents[n]
	for {
		paren, ok := p.(*ast.ParenExpr)
		if !ok {
			return p
		}
		p = u.parents[paren]
	}
}

// object is the variable that a name stands for, where it is declared and where it is used; nil if it is none.
func (u *unit) object(id *ast.Ident) *types.Var {
	v, _ := u.pass.TypesInfo.ObjectOf(id).(*types.Var)
	return v
}

// variable is the variable that an expression is; nil if it is none.
func (u *unit) variable(e ast.Node) *types.Var {
	if id, ok := unparen(e).(*ast.Ident); ok {
		return u.object(id)
	}
	return nil
}

func unparen(n ast.Node) ast.Node {
	if e, ok := n.(ast.Expr); ok {
		return ast.Unparen(e)
	}
	return n
}
