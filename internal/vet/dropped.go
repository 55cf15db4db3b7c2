package vet

import (
	"go/ast"
	"go/types"
)

// droppedErrors finds calls of package mpi whose error nobody looks at. Who means it writes _ = in front; a
// deferred call is left alone.
func droppedErrors(f *function) {
	f.own(func(n ast.Node) {
		var e ast.Expr
		switch n := n.(type) {
		case *ast.ExprStmt:
			e = n.X
		case *ast.GoStmt:
			e = n.Call
		default:
			return
		}
		if c, ok := f.mpiCall(e); ok && f.givesError(c) {
			f.report(c, "the error of %s is dropped: if the call fails, the program goes on as if it had not. Return the error, or write %s to say that it does not matter",
				c.short(), blanks(f.results(c)))
		}
	})
}

// results is how many values a call gives.
func (u *unit) results(c call) int {
	if t, ok := u.pass.TypesInfo.TypeOf(c.CallExpr).(*types.Tuple); ok {
		return t.Len()
	}
	return 1
}

// givesError tells whether the last value of a call is an error.
func (u *unit) givesError(c call) bool {
	t := u.pass.TypesInfo.TypeOf(c.CallExpr)
	if tuple, ok := t.(*types.Tuple); ok {
		if tuple.Len() == 0 {
			return false
		}
		t = tuple.At(tuple.Len() - 1).Type()
	}
	return types.Identical(t, types.Universe.Lookup("error").Type())
}

// blanks is an assignment that drops n values.
func blanks(n int) string {
	text := "_"
	for range n - 1 {
		text += ", _"
	}
	return text + " ="
}
