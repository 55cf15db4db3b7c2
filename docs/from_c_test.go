package docs_test

import (
	"go/ast"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// fromC is the page for those who know MPI in C.
const fromC = "using/from-c.md"

// receivers are the types of the variables that the page's tables use.
var receivers = map[string]string{"c": "Comm", "g": "Group", "r": "Request", "m": "Message", "w": "Window", "k": "Cart", "n": "NewComm", "s": "PartSend", "p": "PartRecv", "h": "Float16", "b": "BFloat16"}

var (
	method = regexp.MustCompile(`\b([cgrmwknsphb])\.([A-Z]\w*)|\b(Error|Op|Simulated)\.([A-Z]\w*)`)
	inC    = regexp.MustCompile(`\bMPI_[A-Z*][\w*]*`)
)

// goForms returns the names of package mpi that the page's tables have, methods as Type.Method.
func goForms(page string) []string {
	_, rest := blocks(page)
	var names []string
	for _, m := range mention.FindAllStringSubmatch(rest, -1) {
		names = append(names, m[1])
	}
	for _, m := range method.FindAllStringSubmatch(rest, -1) {
		names = append(names, receivers[m[1]]+m[3]+"."+m[2]+m[4])
	}
	return names
}

// TestFromCIsComplete: what the page calls a form in Go exists, and every call of package mpi is
// one of them.
func TestFromCIsComplete(t *testing.T) {
	forms, names := goForms(read(t, fromC)), exported(t)
	for _, form := range forms {
		if !names[form] {
			t.Errorf("%s: package mpi has no %s", fromC, form)
		}
	}
	for _, d := range declarations(t) {
		if _, ok := d.(*ast.FuncDecl); !ok {
			continue
		}
		for _, call := range declared(d) {
			if !slices.Contains(forms, call) {
				t.Errorf("%s does not have %s: put it beside its call of C, or under Go only", fromC, call)
			}
		}
	}
}

// outdated matches calls of C that no program of today uses: those that MPI-3 removed, variants for
// long counts, and what is for Fortran or for the library itself.
var outdated = regexp.MustCompile(`_c$|_x$|_c2f|_f2c|_c2f08|f082|_f08|_f2f08|_function$|_fn$|_Sizeof|_DUP|_NULL|` +
	`^MPI_(Address|Attr_\w+|Keyval_\w+|Errhandler_(create|get|set)|Type_(extent|hindexed|hvector|struct|lb|ub)|` +
	`Aint|Comm|Datatype|Errhandler|Group|Info|Op|Request|Status|Win|File|Message|Session|Fint|Count|Offset)$`)

// TestFromCKnowsTheHeader: where another MPI is installed, every call in its header is on the page,
// if only by a pattern.
func TestFromCKnowsTheHeader(t *testing.T) {
	var headers []string
	for _, pattern := range []string{"/usr/include/*/mpich/mpi*.h", "/usr/lib/*/openmpi/include/mpi.h"} {
		found, _ := filepath.Glob(pattern)
		headers = append(headers, found...)
	}
	if len(headers) == 0 {
		t.Skip("no header of another MPI is installed")
	}
	var known []*regexp.Regexp
	for _, name := range inC.FindAllString(read(t, fromC), -1) {
		known = append(known, regexp.MustCompile("^"+strings.ReplaceAll(name, "*", `\w*`)+"$"))
	}
	known = append(known, regexp.MustCompile(`^MPI_[A-Z][a-z_]+_init$`)) // "the same ending in _init"
	missing := map[string]bool{}
	for _, header := range headers {
		for _, m := range regexp.MustCompile(`\b(MPI_[A-Z][a-z]\w*) *\(`).FindAllStringSubmatch(read(t, header), -1) {
			name := m[1]
			if !outdated.MatchString(name) && !slices.ContainsFunc(known, func(k *regexp.Regexp) bool { return k.MatchString(name) }) {
				missing[name] = true
			}
		}
	}
	for name := range missing {
		t.Errorf("%s does not name %s", fromC, name)
	}
}
