package vet

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// mayTalk tells whether a call of somebody else's function may end in a call of package mpi: it may unless
// it is a function of the standard library, or one that gets nothing but plain values.
func (u *unit) mayTalk(c *ast.CallExpr) bool {
	if u.pass.TypesInfo.Types[c.Fun].IsType() {
		return false
	}
	switch f := typeutil.Callee(u.pass.TypesInfo, c).(type) {
	case *types.Builtin:
		return false
	case *types.Func:
		if f.Pkg() == nil || isStandard(f.Pkg().Path()) {
			return u.anyArgument(c, isFunction)
		}
		return f.Signature().Recv() != nil || u.anyArgument(c, func(t types.Type) bool { return !isPlain(t) })
	}
	return true
}

func (u *unit) anyArgument(c *ast.CallExpr, is func(types.Type) bool) bool {
	for _, a := range c.Args {
		if t := u.pass.TypesInfo.TypeOf(a); t != nil && is(t) {
			return true
		}
	}
	return false
}

// standard are the first parts of the paths of the standard library. A path of a module need not have a dot either.
var standard = strings.Fields("archive bufio bytes cmp compress container context crypto database debug embed encoding errors expvar flag fmt " +
	"go hash html image index io iter log maps math mime net os path plugin reflect regexp runtime slices sort strconv strings structs " +
	"sync syscall testing text time unicode unique unsafe weak")

// isStandard tells whether a package is of the standard library.
func isStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return slices.Contains(standard, first)
}

func isFunction(t types.Type) bool {
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

// isPlain tells whether values of a type are numbers, strings, or lists of them: nothing to call.
func isPlain(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return true
	case *types.Slice:
		return isPlain(t.Elem())
	case *types.Array:
		return isPlain(t.Elem())
	}
	return false
}

// fails tells whether statements end the job, or the rank with an error made on the spot, which comes to the same.
func (f *function) fails(list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	switch last := list[len(list)-1].(type) {
	case *ast.ExprStmt:
		c, ok := last.X.(*ast.CallExpr)
		return ok && !f.mayReturn(c)
	case *ast.ReturnStmt:
		return len(last.Results) > 0 && f.isFreshError(last.Results[len(last.Results)-1])
	case *ast.BlockStmt:
		return f.fails(last.List)
	}
	return false
}

// isFreshError tells whether an expression makes an error.
func (u *unit) isFreshError(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr: // &T{}
		_, ok := e.X.(*ast.CompositeLit)
		return ok
	case *ast.CallExpr:
		f, ok := typeutil.Callee(u.pass.TypesInfo, e).(*types.Func)
		return ok && (f.FullName() == "errors.New" || f.FullName() == "fmt.Errorf")
	}
	return false
}
