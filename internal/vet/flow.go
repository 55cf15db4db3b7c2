package vet

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/cfg"
	"golang.org/x/tools/go/types/typeutil"
)

// function is a function of the program, or a literal; literals inside it are functions of their own.
type function struct {
	*unit
	node  ast.Node // *ast.FuncDecl or *ast.FuncLit
	body  *ast.BlockStmt
	graph *cfg.CFG // made when first needed
}

// functionsOf lists the functions of a file, outer ones first.
func functionsOf(u *unit, file *ast.File) (all []*function) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Body != nil {
				all = append(all, &function{unit: u, node: n, body: n.Body})
			}
		case *ast.FuncLit:
			all = append(all, &function{unit: u, node: n, body: n.Body})
		}
		return true
	})
	return all
}

// own calls visit for every node of the function, but not for those of literals inside it.
func (f *function) own(visit func(n ast.Node)) { own(f.body, visit) }

// own calls visit for a node and its parts, without function literals.
func own(n ast.Node, visit func(n ast.Node)) {
	ast.Inspect(n, func(n ast.Node) bool {
		if _, literal := n.(*ast.FuncLit); literal || n == nil {
			return false
		}
		visit(n)
		return true
	})
}

// local tells whether a variable lives in the function alone: it is declared in its body or as a parameter,
// and no literal inside mentions it. What others can see changes without our knowing.
func (f *function) local(v *types.Var) bool {
	if v == nil || v.IsField() || v.Pos() < f.node.Pos() || v.Pos() >= f.node.End() {
		return false
	}
	shared := false
	ast.Inspect(f.body, func(n ast.Node) bool {
		literal, ok := n.(*ast.FuncLit)
		if !ok {
			return !shared
		}
		shared = shared || v.Pos() > literal.Pos() && v.Pos() < literal.End()
		for range f.mentions(literal.Body, v) {
			shared = true
		}
		return false
	})
	return !shared
}

// mentions lists where a variable is named in a node, literals included.
func (u *unit) mentions(n ast.Node, v *types.Var) (all []*ast.Ident) {
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && u.object(id) == v {
			all = append(all, id)
		}
		return true
	})
	return all
}

// after follows all paths of the function from a node on, and calls visit for the statements and
// expressions that may be executed after it, each once. visit returns true where a path need not be
// followed further. The variables of a range loop are visited at each turn. alive is false if the node is
// never executed.
func (f *function) after(from ast.Node, visit func(n ast.Node) (stop bool)) (alive bool) {
	if f.graph == nil {
		f.graph = cfg.New(f.body, f.mayReturn)
	}
	first, index := f.find(from)
	if first == nil {
		return false
	}
	seen := map[*cfg.Block]bool{}
	var walk func(b *cfg.Block, nodes []ast.Node)
	walk = func(b *cfg.Block, nodes []ast.Node) {
		for _, n := range nodes {
			if visit(n) {
				return
			}
		}
		for _, next := range b.Succs {
			if !seen[next] {
				seen[next] = true
				walk(next, nodesOf(next))
			}
		}
	}
	walk(first, first.Nodes[index+1:])
	return true
}

// nodesOf are the nodes of a block, with what a range loop sets at each turn.
func nodesOf(b *cfg.Block) []ast.Node {
	loop, ok := b.Stmt.(*ast.RangeStmt)
	if !ok || b.Kind != cfg.KindRangeLoop {
		return b.Nodes
	}
	var set []ast.Node
	for _, e := range []ast.Expr{loop.Key, loop.Value} {
		if e != nil {
			set = append(set, e)
		}
	}
	return append(set, b.Nodes...)
}

// find returns the block that has a node, and its index there.
func (f *function) find(n ast.Node) (*cfg.Block, int) {
	for _, b := range f.graph.Blocks {
		for i, has := range b.Nodes {
			if has.Pos() <= n.Pos() && n.End() <= has.End() && b.Live {
				return b, i
			}
		}
	}
	return nil, 0
}

// mayReturn tells whether a call can return: panic and the ways to end a program or a test cannot.
func (u *unit) mayReturn(c *ast.CallExpr) bool {
	switch f := typeutil.Callee(u.pass.TypesInfo, c).(type) {
	case *types.Builtin:
		return f.Name() != "panic"
	case *types.Func:
		return !endsAll(f)
	}
	return true
}

// endsAll tells whether a function ends the program, the test or the job.
func endsAll(f *types.Func) bool {
	if f.Pkg() == nil {
		return false
	}
	switch f.Pkg().Path() {
	case "os":
		return f.Name() == "Exit"
	case "runtime":
		return f.Name() == "Goexit"
	case "log":
		return strings.HasPrefix(f.Name(), "Fatal") || strings.HasPrefix(f.Name(), "Panic")
	case "testing":
		return strings.HasPrefix(f.Name(), "Fatal") || strings.HasPrefix(f.Name(), "Skip") || f.Name() == "FailNow"
	case mpiPath:
		return f.Name() == "Abort" || f.Name() == "Main"
	}
	return false
}
