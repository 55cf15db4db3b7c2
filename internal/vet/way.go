package vet

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"
)

// way is what the ranks that execute some statements do, as far as collective calls on one communicator are concerned.
type way struct {
	steps    []step
	straight bool            // each of them is made once; else some may be left out or repeated
	others   map[string]bool // operations on communicators that may be the same under another name
}

// step is one collective call.
type step struct {
	at              ast.Node // the call in the statements
	operation, name string   // "Bcast", and "Ibcast" as it is called
	through         string   // the function of the program that makes it; empty if the statements do
}

func sameOperation(a, b step) bool { return a.operation == b.operation }

// has tells whether an operation may be on a way.
func (w way) has(operation string) bool {
	for _, s := range w.steps {
		if s.operation == operation {
			return true
		}
	}
	return w.others[operation]
}

// way lists the collective calls on a communicator in some statements, with those of the package's
// functions that they call; ok is false if there may be more.
func (f *function) way(comm place, list []ast.Stmt) (w way, ok bool) {
	w, ok = way{straight: true, others: map[string]bool{}}, true
	for _, s := range list {
		own(s, func(n ast.Node) {
			e, isCall := n.(*ast.CallExpr)
			if !isCall || !ok {
				return
			}
			var found []deed
			found, ok = f.deeds(e)
			for _, d := range found {
				on, known := f.comm(d.comm)
				if !known || on != comm {
					w.others[d.operation] = true
					continue
				}
				w.steps = append(w.steps, step{e, d.operation, d.name, d.through})
				w.straight = w.straight && d.through == "" && !f.isConditional(e, s)
			}
		})
	}
	return w, ok
}

// isConditional tells whether a part of a statement may be left out or repeated when the statement is executed.
func (u *unit) isConditional(n, s ast.Node) bool {
	for ; n != s && n != nil; n = u.parents[n] {
		switch p := u.parents[n].(type) {
		case *ast.IfStmt:
			if n == p.Body || n == p.Else {
				return true
			}
		case *ast.ForStmt:
			return n != p.Init
		case *ast.RangeStmt:
			return n == p.Body
		case *ast.CaseClause, *ast.CommClause:
			return true
		}
	}
	return false
}

// deed is a collective call that a call leads to.
type deed struct {
	comm            ast.Expr // of the communicator or window, as the caller writes it
	operation, name string
	through         string
}

// deeds lists the collective calls that a call leads to; ok is false if they are not known.
func (u *unit) deeds(e *ast.CallExpr) (all []deed, ok bool) {
	if c, ours := u.mpiCall(e); ours {
		if collective[c.operation()] {
			all = []deed{{c.subject(), c.operation(), c.short(), ""}}
		}
		return all, !u.anyArgument(e, isFunction)
	}
	if !u.mayTalk(e) {
		return nil, true
	}
	callee, static := typeutil.Callee(u.pass.TypesInfo, e).(*types.Func)
	if !static || e.Ellipsis.IsValid() {
		return nil, false
	}
	promises, ok := u.all.promises(callee)
	for _, p := range promises {
		if p.parameter >= len(e.Args) {
			return nil, false
		}
		all = append(all, deed{e.Args[p.parameter], p.operation, p.name, callee.Name()})
	}
	return all, ok
}

// promise is a collective call that a function makes on the communicator or window that is its parameter.
type promise struct {
	parameter       int
	operation, name string
}

// promises lists the collective calls of a function of the package; ok is false if it may make others.
func (p *program) promises(callee *types.Func) (all []promise, ok bool) {
	f := p.functions[callee.Origin()]
	if f == nil {
		return nil, false
	}
	if known, found := p.known[callee]; found {
		return known.all, known.ok
	}
	p.known[callee] = promised{} // whoever asks while we look has called itself
	parameters, ok := callee.Signature().Params(), true
	ast.Inspect(f.body, func(n ast.Node) bool {
		e, isCall := n.(*ast.CallExpr)
		if !isCall || !ok {
			return ok
		}
		var found []deed
		found, ok = f.deeds(e)
		for _, d := range found {
			on, known := f.comm(d.comm)
			i := indexOf(parameters, on)
			if ok = ok && known && i >= 0; ok {
				all = append(all, promise{i, d.operation, d.name})
			}
		}
		return ok
	})
	p.known[callee] = promised{all, ok}
	return all, ok
}

// promised is what is known of a function.
type promised struct {
	all []promise
	ok  bool
}

// indexOf is the index of the parameter that a place is, -1 if it is none.
func indexOf(parameters *types.Tuple, p place) int {
	for i := range parameters.Len() {
		if p.path == "" && parameters.At(i) == p.root {
			return i
		}
	}
	return -1
}
