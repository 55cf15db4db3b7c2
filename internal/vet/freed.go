package vet

import (
	"fmt"
	"go/ast"
	"go/types"
)

// freed finds what is used after its end: communicators and windows after Free, requests after Wait or
// Free, memory after [mpi.Free]. Only uses behind the end in the same list of statements count, so that the
// end is certain to have come. Who hands the error of the end to another function may expect it to fail.
func freed(f *function) {
	f.own(func(n ast.Node) {
		c, ok := f.mpiCall(n)
		if !ok {
			return
		}
		switch f.parent(c.CallExpr).(type) {
		case *ast.ExprStmt, *ast.AssignStmt:
		default:
			return
		}
		if c.name == "Free" && len(c.Args) == 2 {
			if p, _, ok := f.buffer(c.Args[1]); ok && p.path == "" && f.local(p.root) {
				f.usedAfter(c, p.root, func(id *ast.Ident) string { return f.touches(c, id) })
			}
		}
		class, isEnd := ends[c.name]
		if v := f.variable(c.subject()); isEnd && f.local(v) && !f.mentionsClass(class) && (class != "ErrRequest" || f.isStarted(v)) {
			f.usedAfter(c, v, func(id *ast.Ident) string { return f.needs(c, id) })
		}
	})
}

// ends are the calls that end what they are called with, and the error that later calls give: a function that names it
// expects it.
var ends = map[string]string{"Comm.Free": "ErrComm", "Window.Free": "ErrWindow",
	"Request.Free": "ErrRequest", "Request.Wait": "ErrRequest", "Wait": "ErrRequest"}

// mentionsClass tells whether the function names a variable of package mpi.
func (f *function) mentionsClass(name string) (found bool) {
	f.own(func(n ast.Node) {
		id, ok := n.(*ast.Ident)
		if !ok || id.Name != name {
			return
		}
		v := f.object(id)
		found = found || v != nil && v.Pkg() != nil && v.Pkg().Path() == mpiPath
	})
	return found
}

// usedAfter reports the first use of a variable behind the call that ends it. mistake says what is wrong
// with a mention, if anything is.
func (f *function) usedAfter(c call, v *types.Var, mistake func(*ast.Ident) string) {
	own, behind := f.behind(c.CallExpr)
	if len(behind) == 0 {
		return
	}
	said := false // the first use tells it all
	f.after(c.CallExpr, func(n ast.Node) (stop bool) {
		if n.Pos() >= own.Pos() && n.End() <= own.End() {
			return false // what becomes of its error
		}
		if n.Pos() < behind[0].Pos() || n.End() > behind[len(behind)-1].End() {
			return true
		}
		for _, id := range f.mentionsOwn(n, v) {
			if f.isSet(id) || f.pass.TypesInfo.Defs[id] != nil {
				stop = true
			} else if text := mistake(id); text != "" && !said {
				f.report(id, "%s", text)
				said = true
			}
		}
		return stop || said
	})
}

// behind is the statement that has a call, in the innermost list around it, and the statements behind it.
func (f *function) behind(c *ast.CallExpr) (own ast.Node, behind []ast.Stmt) {
	for p := ast.Node(c); p != nil && p != f.node; p = f.parents[p] {
		if behind, ok := following(f.parents[p], p); ok {
			return p, behind
		}
	}
	return nil, nil
}

// isStarted tells whether a variable has a request of an operation that was started, once for each request.
func (f *function) isStarted(v *types.Var) (started bool) {
	again := false
	f.own(func(n ast.Node) {
		if c, ok := f.mpiCall(n); ok && f.isRequest(c.CallExpr) && f.holder(c.CallExpr).v == v {
			started = true
			again = again || c.persists()
		}
	})
	return started && !again
}

// harmless are the methods that work on what has ended.
var harmless = map[string]bool{
	"Comm.Name": true, "Comm.SetName": true, "Comm.Rank": true, "Comm.Size": true, "Comm.Group": true, "Comm.Self": true,
	"Comm.WithContext": true, "Comm.Wtime": true, "Comm.Abort": true,
	"Window.Name": true, "Window.SetName": true, "Window.Group": true, "Window.WithContext": true,
	"Request.Active": true, "Request.Cancel": true, "Cancel": true,
}

// needs says what a mention of a communicator, window or request wants of it that it does not give after its end.
func (f *function) needs(end call, id *ast.Ident) string {
	e := f.parent(id)
	if s, ok := e.(*ast.SelectorExpr); ok {
		e = f.parent(s)
	}
	c, ok := f.mpiCall(e)
	if !ok || harmless[c.name] || f.isLater(c.CallExpr) || ast.Unparen(c.subject()) != ast.Expr(id) {
		return ""
	}
	return fmt.Sprintf("%s uses %s, which the %s of line %d has ended: the call fails. Call it before, or with a new one",
		c.short(), id.Name, end.short(), f.line(end.Pos()))
}

// touches says what a mention does with the elements of memory that was given back.
func (f *function) touches(end call, id *ast.Ident) string {
	does := map[access]string{reads: "read", writes: "written"}
	what, _ := f.touch(id, place{root: f.object(id)})
	if does[what] == "" {
		return ""
	}
	return fmt.Sprintf("%s is %s, but the Free of line %d has given it back: it may be somebody else's memory. Use it before",
		id.Name, does[what], f.line(end.Pos()))
}
