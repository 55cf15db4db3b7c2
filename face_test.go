package weft_test

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"
)

// TestPublicFace: what programs see of the library is the library's own: no exported name, field, method,
// parameter or result has a type that they cannot look up.
func TestPublicFace(t *testing.T) {
	for _, p := range load(t, token.NewFileSet(), "./mpi") {
		for _, c := range strangers(p) {
			t.Error(c)
		}
	}
}

// TestStrangers: the rule does find what it is for.
func TestStrangers(t *testing.T) {
	const source = `package mpi
		import "github.com/weft-mpi/weft/internal/spell"
		type hidden struct{}
		type own struct{ Field spell.Set }
		type Alias = spell.Set
		type Made spell.Set
		type Whole struct{ Field *spell.Set; hidden hidden }
		type Embeds struct{ own }
		type Opaque struct{ hidden spell.Set }
		type Face interface{ Take(map[string]spell.Set) }
		func (Opaque) Method() []spell.Set { return nil }
		func Takes(func(spell.Set)) {}
		func Gives() hidden { return hidden{} }
		func Bound[T spell.Set]() {}
		func Fine(Opaque, error) {}
		func inside(spell.Set) {}
		var Inferred = make(chan spell.Set)
		const Number = spell.Number`
	spell := types.NewPackage(module+"internal/spell", "spell")
	set := types.NewNamed(types.NewTypeName(token.NoPos, spell, "Set", nil), types.Typ[types.Int], nil)
	spell.Scope().Insert(set.Obj())
	spell.Scope().Insert(types.NewConst(token.NoPos, spell, "Number", types.Typ[types.UntypedInt], constant.MakeInt64(1)))
	spell.MarkComplete()
	var got []string
	for _, c := range strangers(check(t, token.NewFileSet(), fixed{spell}, module+"mpi", []string{"mpi.go"}, source)) {
		name, _, _ := strings.Cut(c, ":")
		got = append(got, name)
	}
	want := []string{"Alias", "Bound", "Embeds", "Face", "Gives", "Inferred", "Made", "Opaque.Method", "Takes", "Whole"}
	if !slices.Equal(got, want) {
		t.Errorf("complaints about %q, want %q", got, want)
	}
}

// fixed imports one package.
type fixed struct{ pkg *types.Package }

func (f fixed) Import(string) (*types.Package, error) { return f.pkg, nil }

// strangers lists the exported names of a package whose types are not for everybody.
func strangers(p loaded) (all []string) {
	declared := map[string]types.Type{} // what a type is declared as: another one's name, or what it is made of
	for _, file := range p.files {
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok {
				declared[spec.Name.Name] = p.info.TypeOf(spec.Type)
			}
			return true
		})
	}
	for _, name := range p.pkg.Scope().Names() { // sorted
		obj := p.pkg.Scope().Lookup(name)
		if !obj.Exported() {
			continue
		}
		typ := obj.Type()
		if _, ok := obj.(*types.TypeName); ok {
			typ = declared[name]
		}
		if found := stranger(p.pkg, typ); found != nil {
			all = append(all, fmt.Sprintf("%s: programs cannot look up %v", name, found))
		}
		if named, ok := obj.Type().(*types.Named); ok && typ != obj.Type() {
			all = append(all, methods(p.pkg, named)...)
		}
	}
	return all
}

// methods lists the methods of a type with strangers in their signatures.
func methods(pkg *types.Package, named *types.Named) (all []string) {
	for m := range named.Methods() {
		if found := stranger(pkg, m.Type()); found != nil && m.Exported() {
			all = append(all, fmt.Sprintf("%s.%s: programs cannot look up %v", named.Obj().Name(), m.Name(), found))
		}
	}
	return all
}

// stranger is a part of t that shows and is not for everybody; nil if there is none.
func stranger(pkg *types.Package, t types.Type) types.Type {
	l := look{pkg: pkg, seen: map[types.Type]bool{}}
	l.walk(t)
	return l.found
}

// look goes through a type for strangers.
type look struct {
	pkg   *types.Package
	seen  map[types.Type]bool
	found types.Type
}

func (l *look) walk(t types.Type) {
	if l.found != nil || l.seen[t] {
		return
	}
	l.seen[t] = true
	switch t := t.(type) {
	case *types.Alias:
		l.named(t, t.Obj(), t.TypeArgs())
	case *types.Named:
		l.named(t, t.Obj(), t.TypeArgs())
	case *types.Struct:
		for f := range t.Fields() {
			if f.Exported() || f.Embedded() {
				l.walk(f.Type())
			}
		}
	case *types.Interface:
		for m := range t.Methods() {
			if m.Exported() { // others keep foreign types out, and do not show
				l.walk(m.Type())
			}
		}
		for e := range t.EmbeddedTypes() {
			l.walk(e)
		}
	case *types.Signature:
		for p := range t.TypeParams().TypeParams() {
			l.walk(p.Constraint())
		}
		l.walk(t.Params())
		l.walk(t.Results())
	case *types.Tuple:
		for v := range t.Variables() {
			l.walk(v.Type())
		}
	case *types.Union:
		for term := range t.Terms() {
			l.walk(term.Type())
		}
	case *types.Map:
		l.walk(t.Key())
		l.walk(t.Elem())
	case interface{ Elem() types.Type }: // pointers, slices, arrays, channels
		l.walk(t.Elem())
	}
}

// named looks at a type by its name.
func (l *look) named(t types.Type, obj *types.TypeName, args *types.TypeList) {
	switch {
	case obj.Pkg() == nil: // error, any
	case strings.HasPrefix(obj.Pkg().Path(), module+"internal/"), obj.Pkg() == l.pkg && !obj.Exported():
		l.found = t
	}
	for arg := range args.Types() {
		l.walk(arg)
	}
}
