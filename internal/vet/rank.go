package vet

import (
	"go/ast"
	"go/token"
	"go/types"
)

// names is what a file's variables stand for, as far as it can be told because they are set only once.
type names struct {
	sets   map[*types.Var]int      // how often each is set
	ranked map[*types.Var]ast.Expr // numbers and truths, by the expression that they are set to
	comms  map[*types.Var]ast.Expr // communicators and windows, by the communicator that has the same ranks
}

// names looks at the variables of the file, once.
func (u *unit) names() *names {
	if u.known != nil {
		return u.known
	}
	k := &names{map[*types.Var]int{}, map[*types.Var]ast.Expr{}, map[*types.Var]ast.Expr{}}
	u.known = k
	for n := range u.parents {
		switch n := n.(type) {
		case *ast.Ident:
			if v := u.object(n); v != nil && (u.isSet(n) || u.isAddressed(n) || u.isParameter(n)) {
				k.sets[v]++
			}
		case *ast.AssignStmt:
			u.nameAll(n.Lhs, n.Rhs)
		case *ast.ValueSpec:
			for _, id := range n.Names {
				if v := u.object(id); v != nil && len(n.Values) > 0 {
					k.sets[v]++
				}
			}
			u.nameAll(exprs(n.Names), n.Values)
		}
	}
	return k
}

func exprs(ids []*ast.Ident) (all []ast.Expr) {
	for _, id := range ids {
		all = append(all, id)
	}
	return all
}

// isParameter tells whether a name is declared as a parameter or result.
func (u *unit) isParameter(id *ast.Ident) bool {
	_, ok := u.parents[id].(*ast.Field)
	return ok && u.pass.TypesInfo.Defs[id] != nil
}

func (u *unit) isAddressed(e ast.Expr) bool {
	p, ok := u.parent(e).(*ast.UnaryExpr)
	return ok && p.Op == token.AND
}

// nameAll notes what variables are set to.
func (u *unit) nameAll(to, from []ast.Expr) {
	for i, l := range to {
		v := u.variable(l)
		if v == nil {
			continue
		}
		if len(to) == len(from) {
			u.name(v, from[i])
		} else if i == 0 && len(from) == 1 {
			u.name(v, from[0]) // a communicator or window with its error
		}
	}
}

// name notes what a variable is set to, if it tells something about ranks.
func (u *unit) name(v *types.Var, value ast.Expr) {
	if b, ok := v.Type().Underlying().(*types.Basic); ok {
		if b.Info()&(types.IsInteger|types.IsBoolean) != 0 {
			u.known.ranked[v] = value
		}
		return
	}
	c, isCall := u.mpiCall(value)
	switch {
	case !isCall:
		u.known.comms[v] = value
	case sameRanks[c.name]:
		u.known.comms[v] = c.subject()
	}
}

// sameRanks are the calls whose result has the ranks of the communicator or window that they are called with.
var sameRanks = map[string]bool{"Comm.Dup": true, "Comm.WithContext": true, "Window.WithContext": true,
	"CreateWindow": true, "AllocateWindow": true, "SharedWindow": true, "DynamicWindow": true}

// comm is the communicator that an expression has the ranks of: the first that was named so. ok is false if
// it cannot be told, because a variable is set more than once.
func (u *unit) comm(e ast.Expr) (p place, ok bool) {
	k := u.names()
	for range len(k.comms) + 2 {
		if e == nil {
			return place{}, false
		}
		if c, isCall := u.mpiCall(e); isCall && sameRanks[c.name] {
			e = c.subject()
			continue
		}
		if p, ok = u.place(e); !ok || k.sets[p.root] > 1 {
			return place{}, false
		}
		from := k.comms[p.root]
		if from == nil || p.path != "" || !u.isPlaceOrSame(from) {
			return p, true
		}
		e = from
	}
	return place{}, false
}

// isPlaceOrSame tells whether comm can go on with an expression.
func (u *unit) isPlaceOrSame(e ast.Expr) bool {
	if c, isCall := u.mpiCall(e); isCall {
		return sameRanks[c.name]
	}
	_, ok := u.place(e)
	return ok
}

// ranksIn lists the communicators on whose rank an expression depends: by Comm.Rank, or by variables made of it with
// arithmetic. What functions make of a rank is not known.
func (u *unit) ranksIn(e ast.Expr) []place { return u.ranks(e, 0) }

func (u *unit) ranks(e ast.Expr, depth int) (all []place) {
	const deepest = 20 // of variables set to others
	if e == nil || depth > deepest {
		return nil
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		return append(u.ranks(e.X, depth), u.ranks(e.Y, depth)...)
	case *ast.UnaryExpr:
		return u.ranks(e.X, depth)
	case *ast.Ident:
		if v := u.object(e); v != nil && u.names().sets[v] == 1 {
			return u.ranks(u.names().ranked[v], depth+1)
		}
	case *ast.CallExpr:
		if c, ok := u.mpiCall(e); ok && c.name == "Comm.Rank" {
			if p, ok := u.comm(c.subject()); ok {
				return []place{p}
			}
		}
		if u.pass.TypesInfo.Types[e.Fun].IsType() && len(e.Args) == 1 {
			return u.ranks(e.Args[0], depth)
		}
	}
	return nil
}

// rankBranch is the innermost branch around a node that is taken by some ranks only; nil if there is none
// in its function.
func (f *function) rankBranch(n ast.Node) ast.Node {
	for p := n; p != nil && p != f.node; p = f.parents[p] {
		switch around := f.parents[p].(type) {
		case *ast.IfStmt:
			if (p == around.Body || p == around.Else) && len(f.ranksIn(around.Cond)) > 0 {
				return p
			}
		case *ast.BlockStmt:
			s, ok := f.parents[around].(*ast.SwitchStmt)
			if ok && len(f.switchRanks(s)) > 0 {
				return p
			}
		}
	}
	return nil
}

// switchRanks lists the communicators on whose rank the cases of a switch depend.
func (u *unit) switchRanks(s *ast.SwitchStmt) []place {
	all := u.ranksIn(s.Tag)
	for _, c := range s.Body.List {
		for _, e := range c.(*ast.CaseClause).List {
			all = append(all, u.ranksIn(e)...)
		}
	}
	return all
}
