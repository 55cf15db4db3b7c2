package vet

import (
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// unbuffered are the calls with slices that are no buffers of an operation, or whose buffers are the
// program's until later, or that may read and write different elements of one slice.
var unbuffered = map[string]bool{
	"Alloc": true, "AllocateWindow": true, "Attach": true, "CreateWindow": true, "Detach": true, "Free": true, "Query": true,
	"SharedWindow": true, "Pack": true, "Unpack": true, "SendrecvLayout": true, "AlltoallLayout": true, "IalltoallLayout": true,
	"PsendInit": true, "ReduceLocal": true, "PrecvInit": true,
}

// TestTables: every call of package mpi that moves the elements of a slice is in the table of buffers, and
// every name in the tables is one of package mpi.
func TestTables(t *testing.T) {
	t.Parallel()
	loaded, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedDeps | packages.NeedExportFile}, mpiPath)
	if err != nil || len(loaded) != 1 || len(loaded[0].Errors) > 0 {
		t.Fatal(loaded, err)
	}
	scope := loaded[0].Types.Scope()
	for _, name := range scope.Names() {
		f, ok := scope.Lookup(name).(*types.Func)
		if !ok || !f.Exported() || unbuffered[name] || !takesElements(f.Signature()) {
			continue
		}
		if op := (call{name: name}).operation(); roles[op] == (role{}) {
			t.Errorf("%s has no row in the table of buffers", name)
		}
	}
	for name := range roles {
		checkName(t, scope, name)
	}
	for name, class := range ends {
		checkName(t, scope, name)
		checkName(t, scope, class)
	}
	for _, table := range []map[string]bool{collective, harmless, sameRanks, rooted, unbuffered} {
		for name := range table {
			checkName(t, scope, name)
		}
	}
}

// takesElements tells whether a function has a slice of a type of the caller's as parameter.
func takesElements(s *types.Signature) bool {
	for p := range s.Params().Variables() {
		if slice, ok := p.Type().(*types.Slice); ok {
			if _, generic := slice.Elem().(*types.TypeParam); generic {
				return true
			}
		}
	}
	return false
}

// checkName looks up a name in package mpi, of a method as Type.Method.
func checkName(t *testing.T, scope *types.Scope, name string) {
	t.Helper()
	outer, method, isMethod := strings.Cut(name, ".")
	obj := scope.Lookup(outer)
	if obj == nil {
		t.Errorf("package mpi has no %s", name)
		return
	}
	if isMethod {
		if found, _, _ := types.LookupFieldOrMethod(obj.Type(), true, obj.Pkg(), method); found == nil {
			t.Errorf("package mpi has no %s", name)
		}
	}
}

// TestStandardNames: the packages of the standard library are known by the first part of their path, others are not.
func TestStandardNames(t *testing.T) {
	t.Parallel()
	loaded, err := packages.Load(&packages.Config{Mode: packages.NeedName}, "std")
	if err != nil || len(loaded) < 100 {
		t.Fatal(len(loaded), err)
	}
	for _, p := range loaded {
		if first, _, _ := strings.Cut(p.PkgPath, "/"); first != "vendor" && first != "internal" && !isStandard(p.PkgPath) {
			t.Errorf("%s is not known", p.PkgPath)
		}
	}
	for _, path := range []string{"hello", "hello/os", "example.com/fmt", "main"} {
		if isStandard(path) {
			t.Errorf("%s is taken for the standard library's", path)
		}
	}
}
