package vet

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// argument says what a call does to the elements of a slice that it gets.
func (u *unit) argument(c *ast.CallExpr, arg ast.Expr, s span) (access, span) {
	if u.isLater(c) {
		return nothing, s
	}
	if m, ok := u.mpiCall(c); ok {
		return m.does(arg), s
	}
	switch f := typeutil.Callee(u.pass.TypesInfo, c).(type) {
	case *types.Builtin:
		return builtin(f.Name(), c, arg, s)
	case *types.Func:
		return library(f), s
	}
	return nothing, s
}

// isLater tells whether a call is not made where it stands: it is deferred or another goroutine's.
func (u *unit) isLater(c *ast.CallExpr) bool {
	switch u.parent(c).(type) {
	case *ast.DeferStmt, *ast.GoStmt:
		return true
	}
	return false
}

// does says what a call of package mpi does to an argument.
func (c call) does(arg ast.Expr) access {
	r, w := c.buffers()
	switch {
	case w != nil && ast.Unparen(w) == arg:
		return writes
	case r != nil && ast.Unparen(r) == arg:
		return reads
	}
	return nothing
}

// builtin says what a builtin function does to an argument. Of what it may touch only the first element is certain.
func builtin(name string, c *ast.CallExpr, arg ast.Expr, s span) (access, span) {
	first := ast.Unparen(c.Args[0]) == arg
	one := span{s.low, s.low + 1, s.known}
	switch {
	case name == "clear":
		return writes, s
	case name == "copy" && first:
		return writes, one
	case name == "copy":
		return reads, one
	case name == "append" && !first && c.Ellipsis.IsValid():
		return reads, s
	case name == "append" && first && s.known && s.high < whole.high && len(c.Args) > 1: // append(buf[:0], x)
		return writes, span{s.high, s.high + 1, true}
	}
	return nothing, s
}

// library says what a function of the standard library does to slices: those of a few packages read what they get, and
// some change it. Of others nothing is known.
func library(f *types.Func) access {
	if f.Pkg() == nil || f.Signature().Recv() != nil {
		return nothing
	}
	switch name := f.Name(); f.Pkg().Path() {
	case "fmt", "log", "bytes":
		return reads
	case "sort":
		switch name {
		case "Ints", "Float64s", "Slice", "SliceStable":
			return writes
		}
	case "slices":
		switch {
		case strings.HasPrefix(name, "Sort"), name == "Reverse":
			return writes
		case strings.HasPrefix(name, "Index"), strings.HasPrefix(name, "Contains"), strings.HasPrefix(name, "Equal"),
			strings.HasPrefix(name, "Compare"), strings.HasPrefix(name, "Min"), strings.HasPrefix(name, "Max"), name == "Clone":
			return reads
		}
	}
	return nothing
}
