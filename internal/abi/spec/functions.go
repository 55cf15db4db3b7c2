package spec

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed functions.txt
var functionsText string

// Form is which of the functions of a family one is.
type Form uint8

// The forms.
const (
	Plain      Form = iota
	Starting        // I...: it starts the operation, and has a request behind the family's arguments
	Persistent      // ..._init: it makes a request that starts the operation again and again
)

// Family is functions that do the same in several forms.
type Family struct {
	Name       string
	Chapter    int
	Title      string // of the chapter
	Args       []Arg
	Result     string // kind of what it returns; empty: an error code
	Deprecated string // version of the standard; empty: it is not
	large      bool   // there is a twin with large counts
	starting   bool
	persistent string // "+init" or "+start"; empty: there is none
}

// Arg is an argument: its name and its kind, see functions.txt.
type Arg struct{ Name, Kind string }

// Function is one function of the interface.
type Function struct {
	Name   string // without MPI_
	Family *Family
	Form   Form
	Large  bool // its counts are MPI_Count
	Args   []Arg
}

// Functions returns all functions, by name. Their places are the numbers by which C calls Go.
var Functions = sync.OnceValue(func() []Function {
	var all []Function
	for _, f := range Families() {
		all = f.functions(all)
	}
	slices.SortFunc(all, func(a, b Function) int { return strings.Compare(a.Name, b.Name) })
	return all
})

// Families returns all families, in the order of the table.
var Families = sync.OnceValue(func() []*Family {
	all, err := parseFamilies(functionsText)
	if err != nil {
		panic(err) // the table is part of the program
	}
	return all
})

// Number returns the number of a function; false if there is none of that name.
func Number(name string) (int, bool) {
	return slices.BinarySearchFunc(Functions(), name, func(f Function, name string) int { return strings.Compare(f.Name, name) })
}

// parseFamilies reads the table.
func parseFamilies(text string) (all []*Family, err error) {
	chapter, title := 0, ""
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if rest, ok := strings.CutPrefix(line, "chapter "); ok {
			var number string
			number, title, _ = strings.Cut(rest, " ")
			if chapter, err = strconv.Atoi(number); err != nil {
				return nil, fmt.Errorf("line %d: %w", i+1, err)
			}
			continue
		}
		f, err := parseFamily(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		f.Chapter, f.Title = chapter, title
		all = append(all, f)
	}
	return all, nil
}

// parseFamily reads a row.
func parseFamily(line string) (*Family, error) {
	head, tail, ok := strings.Cut(line, "|")
	fields := strings.Fields(head)
	if !ok || len(fields) == 0 {
		return nil, fmt.Errorf("%q is not NAME FLAGS | ARGUMENTS", line)
	}
	f := &Family{Name: fields[0]}
	for _, flag := range fields[1:] {
		switch {
		case flag == "+c":
			f.large = true
		case flag == "+I":
			f.starting = true
		case flag == "+init" || flag == "+start":
			f.persistent = flag
		case flag[0] == '=':
			f.Result = flag[1:]
		case flag[0] == '-':
			f.Deprecated = flag[1:]
		default:
			return nil, fmt.Errorf("%s: unknown flag %s", f.Name, flag)
		}
	}
	for _, word := range strings.Fields(tail) {
		name, kind, ok := strings.Cut(word, ":")
		if !ok || name == "" || kind == "" {
			return nil, fmt.Errorf("%s: %q is not name:kind", f.Name, word)
		}
		f.Args = append(f.Args, Arg{name, kind})
	}
	return f, nil
}

// functions adds the functions of the family.
func (f *Family) functions(all []Function) []Function {
	add := func(name string, form Form, more ...Arg) {
		args := append(slices.Clone(f.Args), more...)
		all = append(all, Function{name, f, form, false, args})
		if f.large {
			all = append(all, Function{name + "_c", f, form, true, args})
		}
	}
	request := Arg{"request", "request*"}
	add(f.Name, Plain)
	if f.starting {
		add("I"+strings.ToLower(f.Name[:1])+f.Name[1:], Starting, request)
	}
	switch f.persistent {
	case "+init":
		add(f.Name+"_init", Persistent, Arg{"info", "info"}, request)
	case "+start":
		add(f.Name+"_init", Persistent, request)
	}
	return all
}
