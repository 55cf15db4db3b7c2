package vet

import (
	"go/ast"
	"go/types"
	"slices"
)

// buffers finds buffers that are written while a request still reads them, and touched at all while one writes them.
func buffers(f *function) {
	f.own(func(n ast.Node) {
		c, ok := f.mpiCall(n)
		switch {
		case ok && c.name == "Start":
			f.restarts(c)
		case ok && f.starts(c):
			in, out := c.buffers()
			f.inFlight(flight{call: c, holder: f.holder(c.CallExpr), holds: reads}, in)
			f.inFlight(flight{call: c, holder: f.holder(c.CallExpr), holds: writes}, out)
		}
	})
}

// restarts follows the buffers of persistent requests from their start on.
func (f *function) restarts(c call) {
	for _, arg := range c.Args {
		v := f.variable(arg)
		if v == nil {
			continue
		}
		f.own(func(n ast.Node) {
			made, ok := f.mpiCall(n)
			if ok && made.persists() && f.holder(made.CallExpr).v == v {
				read, written := made.buffers()
				f.inFlight(flight{call: c, holder: holder{v: v}, holds: reads}, read)
				f.inFlight(flight{call: c, holder: holder{v: v}, holds: writes}, written)
			}
		})
	}
}

// flight is an operation under way: a buffer, and the variable with the request that owns it.
type flight struct {
	call
	holder holder
	holds  access // what the operation does with the buffer
	place  place
	span   span
}

// inFlight follows a buffer from the start of an operation until somebody may have waited for it.
func (f *function) inFlight(fl flight, buffer ast.Expr) {
	if buffer == nil {
		return
	}
	var ok bool
	if fl.place, fl.span, ok = f.buffer(buffer); !ok || !f.local(fl.place.root) {
		return
	}
	v := fl.holder.v
	if v != nil && !f.local(v) {
		return
	}
	f.sameList(fl)
	if v == nil && !fl.holder.lost {
		return // passed on: who has it may wait for it
	}
	f.after(fl.CallExpr, func(n ast.Node) (stop bool) {
		if v != nil && f.mayWait(n, v) || fl.place.path != "" && f.callsOthers(n) {
			return true
		}
		return f.conflict(fl, n)
	})
}

// conflict reports what a node does to a buffer in flight, and tells whether to look no further.
func (f *function) conflict(fl flight, n ast.Node) (stop bool) {
	for _, id := range f.mentionsOwn(n, fl.place.root) {
		does, where := f.touch(id, fl.place)
		if does == rebinds {
			stop = true
		}
		if clash(fl.holds, does) && fl.span.meets(where) && !f.otherRanks(fl, id) && !f.waitsBetween(fl, id) {
			f.reportConflict(fl, id, does)
			return true
		}
	}
	return stop
}

// waitsBetween tells whether something between the start of an operation and a mention may wait for it,
// though there is a path around it, such as that of a loop without a turn.
func (f *function) waitsBetween(fl flight, id *ast.Ident) bool {
	if fl.holder.v == nil {
		return false
	}
	from, to := fl.End(), id.Pos()
	if to < from { // in a later turn of a loop around both
		loop := f.loopAround(fl.CallExpr, id)
		if loop == nil {
			return false
		}
		from, to = loop.Pos(), loop.End()
	}
	return slices.ContainsFunc(f.mentions(f.body, fl.holder.v), func(id *ast.Ident) bool {
		return from <= id.Pos() && id.Pos() < to && f.waits(id)
	})
}

// loopAround is the innermost loop that has two nodes.
func (f *function) loopAround(a, b ast.Node) ast.Node {
	for p := f.parents[a]; p != nil && p != f.node; p = f.parents[p] {
		switch p.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			if p.Pos() <= b.Pos() && b.End() <= p.End() {
				return p
			}
		}
	}
	return nil
}

// clash tells whether the program may not do something while the operation does something else.
func clash(operation, program access) bool {
	return operation == writes && program == reads || program == writes
}

// reportConflict says which use of a buffer comes too early.
func (f *function) reportConflict(fl flight, id *ast.Ident, does access) {
	done, harm := "written", "the message may carry either value"
	switch {
	case does == reads:
		done, harm = "read", "what it holds is not defined yet"
	case fl.holds == writes:
		harm = "what comes may overwrite it, or be overwritten"
	}
	f.report(id, "%v is %s while the %s of line %d owns it: %s. Wait for the request first, or use another buffer",
		fl.place, done, fl.short(), f.line(fl.Pos()), harm)
}

// sameList looks for other operations with the buffer that are begun next to it, in one list of requests or assignment.
func (f *function) sameList(fl flight) {
	own(f.parent(fl.CallExpr), func(n ast.Node) {
		c, ok := f.mpiCall(n)
		if ok && c.Pos() >= fl.End() && f.starts(c) && f.parent(c.CallExpr) == f.parent(fl.CallExpr) {
			f.conflict(fl, c.CallExpr)
		}
	})
}

// mentionsOwn is mentions without those in literals.
func (u *unit) mentionsOwn(n ast.Node, v *types.Var) (all []*ast.Ident) {
	own(n, func(n ast.Node) {
		if id, ok := n.(*ast.Ident); ok && u.object(id) == v {
			all = append(all, id)
		}
	})
	return all
}

// mayWait tells whether a node may wait for the requests in a variable.
func (f *function) mayWait(n ast.Node, v *types.Var) bool {
	for _, id := range f.mentions(n, v) {
		if f.waits(id) || f.isSet(id) && !f.appends(id) || f.pass.TypesInfo.Defs[id] != nil {
			return true
		}
	}
	return false
}

// appends tells whether a variable is set to itself with more elements.
func (f *function) appends(id *ast.Ident) bool {
	a, ok := f.parent(id).(*ast.AssignStmt)
	if !ok || len(a.Rhs) != 1 {
		return false
	}
	c, ok := ast.Unparen(a.Rhs[0]).(*ast.CallExpr)
	return ok && f.builtinName(c) == "append" && f.variable(c.Args[0]) == f.object(id)
}

// callsOthers tells whether a node calls a function of the program's, which may change fields that we follow.
func (f *function) callsOthers(n ast.Node) (found bool) {
	own(n, func(n ast.Node) {
		c, ok := n.(*ast.CallExpr)
		if !ok || f.pass.TypesInfo.Types[c.Fun].IsType() || f.builtinName(c) != "" {
			return
		}
		_, ours := f.mpiCall(c)
		found = found || !ours
	})
	return found
}

// otherRanks tells whether a mention is for other ranks than the operation, or for a rank whose part in it
// differs: it stands in a branch by rank that does not have the operation too.
func (f *function) otherRanks(fl flight, id *ast.Ident) bool {
	branch := f.rankBranch(id)
	if branch == nil || branch.Pos() <= fl.Pos() && fl.End() <= branch.End() {
		return false
	}
	return rooted[fl.operation()] || f.rankBranch(fl.CallExpr) != nil
}
