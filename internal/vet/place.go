package vet

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"slices"
	"strconv"
	"strings"
)

// place is a variable, or a part of one that can be told from its other parts: v, v.field, v[3].
type place struct {
	root *types.Var
	path string // ".field", "[3]", and such one after the other
}

// String is the place as a program writes it.
func (p place) String() string { return p.root.Name() + p.path }

// span is a range of elements. One that is not known may be any.
type span struct {
	low, high int64
	known     bool
}

var whole = span{0, math.MaxInt64, true}

// meets tells whether two spans certainly have an element in common, taking for granted that neither is empty.
func (s span) meets(o span) bool {
	switch {
	case s == whole || o == whole:
		return s.known || o.known
	case !s.known || !o.known:
		return false
	}
	return s.low < o.high && o.low < s.high
}

// buffer is the place and the elements of a slice that is given to a call; ok is false if they are not known.
func (u *unit) buffer(e ast.Expr) (p place, s span, ok bool) {
	e = ast.Unparen(e)
	s = whole
	if slice, sliced := e.(*ast.SliceExpr); sliced {
		e, s = ast.Unparen(slice.X), u.bounds(slice)
	}
	p, ok = u.place(e)
	return p, s, ok && s.known
}

// place is the place that an expression names.
func (u *unit) place(e ast.Expr) (place, bool) {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v := u.object(e)
		return place{root: v}, v != nil
	case *ast.SelectorExpr:
		if s := u.pass.TypesInfo.Selections[e]; s == nil || s.Kind() != types.FieldVal {
			return place{}, false
		}
		p, ok := u.place(e.X)
		p.path += "." + e.Sel.Name
		return p, ok
	case *ast.IndexExpr:
		i, constant := u.constant(e.Index)
		p, ok := u.place(e.X)
		p.path += "[" + strconv.FormatInt(i, 10) + "]"
		return p, ok && constant
	}
	return place{}, false
}

// bounds are the elements of a slice expression.
func (u *unit) bounds(e *ast.SliceExpr) span {
	s := whole
	for bound, to := range map[ast.Expr]*int64{e.Low: &s.low, e.High: &s.high} {
		if bound == nil {
			continue
		}
		i, ok := u.constant(bound)
		if *to = i; !ok {
			return span{}
		}
	}
	return s
}

// constant is the value of a constant index.
func (u *unit) constant(e ast.Expr) (int64, bool) {
	v := u.pass.TypesInfo.Types[e].Value
	if v == nil || v.Kind() != constant.Int {
		return 0, false
	}
	return constant.Int64Val(v)
}

// access is what happens to a place at one mention of its variable.
type access uint8

const (
	nothing access = iota // its elements are not touched, as far as one can see
	reads
	writes
	rebinds // the place names other memory from now on, or may
)

// touch says what a mention of the root variable does to the elements of a place, and to which.
func (u *unit) touch(id *ast.Ident, p place) (access, span) {
	var e ast.Expr = id
	if u.pass.TypesInfo.Defs[id] != nil {
		return rebinds, whole
	}
	for rest := p.path; rest != ""; {
		if u.isSet(e) {
			return rebinds, whole
		}
		part, ok := u.parent(e).(ast.Expr)
		if !ok {
			return nothing, whole
		}
		step, ok := u.step(part, e)
		switch {
		case ok && strings.HasPrefix(rest, step):
			e, rest = part, rest[len(step):]
		case step == "[" && u.isSet(part):
			return rebinds, whole // one of them
		default:
			return nothing, whole
		}
	}
	return u.use(e, whole)
}

// step is how an expression gets to a part of another: ".field" or "[3]", or "[" if the index is not known.
func (u *unit) step(part, of ast.Expr) (string, bool) {
	switch part := part.(type) {
	case *ast.SelectorExpr:
		return "." + part.Sel.Name, true
	case *ast.IndexExpr:
		if ast.Unparen(part.X) != of {
			return "", false
		}
		if i, ok := u.constant(part.Index); ok {
			return "[" + strconv.FormatInt(i, 10) + "]", true
		}
		return "[", false
	}
	return "", false
}

// isSet tells whether an expression is assigned to.
func (u *unit) isSet(e ast.Expr) bool {
	switch p := u.parent(e).(type) {
	case *ast.AssignStmt:
		return slices.ContainsFunc(p.Lhs, func(l ast.Expr) bool { return ast.Unparen(l) == e })
	case *ast.IncDecStmt:
		return true
	case *ast.RangeStmt:
		return p.Key == e || p.Value == e
	}
	return false
}

// use says what the context of a slice or array does to its elements.
func (u *unit) use(e ast.Expr, s span) (access, span) {
	switch p := u.parent(e).(type) {
	case *ast.IndexExpr:
		if ast.Unparen(p.X) != e {
			return nothing, s
		}
		return u.element(p, s)
	case *ast.SliceExpr:
		if ast.Unparen(p.X) != e || s != whole {
			return nothing, s
		}
		return u.use(p, u.bounds(p))
	case *ast.RangeStmt:
		if ast.Unparen(p.X) == e && p.Value != nil && !isBlank(p.Value) {
			return reads, s
		}
	case *ast.CallExpr:
		return u.argument(p, e, s)
	}
	if u.isSet(e) {
		return rebinds, s
	}
	return nothing, s
}

// element says what happens to an element of a slice or array.
func (u *unit) element(e *ast.IndexExpr, of span) (access, span) {
	s := span{}
	if i, ok := u.constant(e.Index); ok && of == whole {
		s = span{i, i + 1, true}
	}
	switch p := u.parent(e).(type) {
	case *ast.UnaryExpr:
		if p.Op == token.AND {
			return nothing, s
		}
	case *ast.SelectorExpr:
		return u.member(p, s)
	}
	if u.isSet(e) {
		return writes, s
	}
	return reads, s
}

// member says what happens to an element by one of its fields.
func (u *unit) member(e *ast.SelectorExpr, s span) (access, span) {
	if sel := u.pass.TypesInfo.Selections[e]; sel == nil || sel.Kind() != types.FieldVal {
		return nothing, s // a method, which may do anything
	}
	switch p := u.parent(e).(type) {
	case *ast.UnaryExpr:
		if p.Op == token.AND {
			return nothing, s
		}
	case *ast.SelectorExpr:
		return u.member(p, s)
	}
	if u.isSet(e) {
		return writes, s
	}
	return reads, s
}

func isBlank(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "_"
}
