package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"
)

// requests finds requests that nobody can wait for: dropped where they are made, kept in a variable that
// nobody looks at again, or overwritten by the next one.
func requests(f *function) {
	f.own(func(n ast.Node) {
		c, ok := n.(*ast.CallExpr)
		if !ok || !f.isRequest(c) {
			return
		}
		switch h := f.holder(c); {
		case h.lost:
			f.report(c, "nobody waits for the request of %s: %s. Keep it and call Wait, or Free to let it run to its end",
				f.callName(c), whyWait)
		case h.v == nil || !f.mortal(h.v) || h.list && !f.ownList(h.v):
		case !f.everUsed(h.v):
			f.report(c, "nobody waits for the request of %s, which is kept in %s: %s. Call %s",
				f.callName(c), h.v.Name(), whyWait, h.advice())
		case h.list || !f.local(h.v):
		case !f.reaches(c, h.v), f.overwrittenInLoop(c, h.v):
			f.report(c, "the request of %s in %s is overwritten before anybody waits for it: %s. Wait for it first, or collect requests in a slice and call mpi.Waitall",
				f.callName(c), h.v.Name(), whyWait)
		}
	})
}

const whyWait = "its buffer stays the library's, and its error is lost"

// holder is where a new request goes.
type holder struct {
	lost bool       // nowhere
	v    *types.Var // to a variable; nil if it is passed on
	list bool       // the variable is a slice or an array of requests
}

func (h holder) advice() string {
	if h.list {
		return "mpi.Waitall(" + h.v.Name() + ")"
	}
	return h.v.Name() + ".Wait()"
}

// holder finds where a request goes that an expression makes.
func (u *unit) holder(e ast.Expr) holder {
	switch p := u.parent(e).(type) {
	case *ast.ExprStmt:
		return holder{lost: true}
	case *ast.AssignStmt:
		for i, r := range p.Rhs {
			if ast.Unparen(r) == e && len(p.Lhs) == len(p.Rhs) {
				return u.target(p.Lhs[i], e)
			}
		}
	case *ast.ValueSpec:
		for i, r := range p.Values {
			if ast.Unparen(r) == e && len(p.Names) == len(p.Values) {
				return u.target(p.Names[i], e)
			}
		}
	case *ast.KeyValueExpr:
		if lit, ok := u.parent(p).(*ast.CompositeLit); ok && isList(u.pass.TypesInfo.TypeOf(lit)) {
			return u.holder(lit)
		}
	case *ast.CompositeLit:
		if isList(u.pass.TypesInfo.TypeOf(p)) {
			return u.holder(p)
		}
	case *ast.CallExpr:
		if u.builtinName(p) == "append" {
			return u.holder(p)
		}
	}
	return holder{}
}

// target is the holder that an assignment to an expression means.
func (u *unit) target(to, value ast.Expr) holder {
	list := isList(u.pass.TypesInfo.TypeOf(value))
	if index, ok := ast.Unparen(to).(*ast.IndexExpr); ok {
		to, list = index.X, true
		if !isList(u.pass.TypesInfo.TypeOf(to)) {
			return holder{}
		}
	}
	id, ok := ast.Unparen(to).(*ast.Ident)
	if !ok {
		return holder{}
	}
	return holder{lost: id.Name == "_", v: u.object(id), list: list}
}

// isList tells whether a type is a slice or an array of requests.
func isList(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Slice:
		return isMPI(t.Elem(), "Request")
	case *types.Array:
		return isMPI(t.Elem(), "Request")
	}
	return false
}

// mortal tells whether a variable dies with the function, parameters and results left out, which others see.
func (f *function) mortal(v *types.Var) bool {
	return v.Pos() > f.body.Pos() && v.Pos() < f.body.End()
}

// ownList tells whether the requests in a variable are in no other list: it is only ever set to a new list,
// or to itself with more of them.
func (f *function) ownList(v *types.Var) bool {
	for _, id := range f.mentions(f.body, v) {
		a, ok := f.parent(id).(*ast.AssignStmt)
		if !ok || !f.isSet(id) {
			continue
		}
		i := slices.Index(a.Lhs, ast.Expr(id))
		if i < 0 || len(a.Lhs) != len(a.Rhs) || !f.isNewList(a.Rhs[i], v) {
			return false
		}
	}
	return true
}

// isNewList tells whether an expression makes a list of requests, or one out of v that nobody else has.
func (f *function) isNewList(e ast.Expr, v *types.Var) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return true
	case *ast.CallExpr:
		name := f.builtinName(e)
		return name == "make" || name == "append" && f.variable(e.Args[0]) == v
	}
	return false
}

// everUsed tells whether any mention of a variable in the function, literals included, may wait for the request in it.
func (f *function) everUsed(v *types.Var) bool {
	for _, id := range f.mentions(f.body, v) {
		if f.waits(id) {
			return true
		}
	}
	return false
}

// reaches tells whether a path leads from the making of a request to something that may wait for it.
func (f *function) reaches(c *ast.CallExpr, v *types.Var) (found bool) {
	alive := f.after(c, func(n ast.Node) (stop bool) {
		overwritten := false
		for _, id := range f.mentions(n, v) {
			found = found || f.waits(id)
			overwritten = overwritten || f.isSet(id)
		}
		return found || overwritten
	})
	return found || !alive
}

// overwrittenInLoop tells whether each turn of a loop overwrites the request that the turn before has made.
func (f *function) overwrittenInLoop(c *ast.CallExpr, v *types.Var) bool {
	assignment, ok := f.parent(c).(*ast.AssignStmt)
	if !ok || assignment.Tok != token.ASSIGN {
		return false
	}
	body, ok := f.parent(assignment).(*ast.BlockStmt)
	if !ok || v.Pos() > body.Pos() {
		return false
	}
	switch f.parent(body).(type) {
	case *ast.ForStmt, *ast.RangeStmt:
	default:
		return false
	}
	leaves := false
	own(body, func(n ast.Node) {
		switch n.(type) {
		case *ast.BranchStmt, *ast.ReturnStmt:
			leaves = true // the loop may have one turn only
		}
	})
	for _, id := range f.mentions(f.parent(body), v) {
		if f.waits(id) {
			return false
		}
	}
	return !leaves
}

// waits tells whether a mention of a variable with requests may wait for them, or hand them to somebody who
// does. Storing another one, counting them, asking and cancelling do not.
func (u *unit) waits(id *ast.Ident) bool {
	if u.pass.TypesInfo.Defs[id] != nil || u.isSet(id) {
		return false
	}
	switch p := u.parent(id).(type) {
	case *ast.IndexExpr:
		return !(ast.Unparen(p.X) == id && u.isSet(p))
	case *ast.AssignStmt: // _ = r
		return len(p.Lhs) != 1 || !isBlank(p.Lhs[0])
	case *ast.RangeStmt:
		return p.Value != nil
	case *ast.SelectorExpr:
		c, ok := u.mpiCall(u.parent(p))
		return !ok || c.name != "Request.Active" && c.name != "Request.Cancel"
	case *ast.CallExpr:
		return u.passes(p, id)
	}
	return true
}

// passes tells whether a call that gets requests may wait for them.
func (u *unit) passes(c *ast.CallExpr, id *ast.Ident) bool {
	if m, ok := u.mpiCall(c); ok {
		return m.name != "Cancel" && m.name != "Start"
	}
	switch u.builtinName(c) {
	case "len", "cap":
		return false
	case "append": // to itself
		a, ok := u.parent(c).(*ast.AssignStmt)
		return !ok || ast.Unparen(c.Args[0]) != id || len(a.Lhs) != 1 || u.variable(a.Lhs[0]) != u.object(id)
	}
	return true
}

// callName is the name of the function that a call calls, as the program writes it.
func (u *unit) callName(c *ast.CallExpr) string {
	if m, ok := u.mpiCall(c); ok {
		return m.short()
	}
	if f := typeutil.Callee(u.pass.TypesInfo, c); f != nil {
		return f.Name()
	}
	return "the call"
}
