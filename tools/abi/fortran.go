package main

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/weft-mpi/weft/internal/abi/spec"
)

// Fortran programs call the functions of the table by their names in lower case with an underscore behind, and pass all
// arguments by their addresses. Handles are integers; constants that are addresses in C are variables in common blocks,
// known by their addresses; lengths of texts come behind all arguments.

// inFortran tells whether Fortran has a function: not those for tools, nor those that are for C alone.
func inFortran(f *spec.Function) bool {
	switch {
	case f.Large, f.Family.Chapter == 15, strings.HasSuffix(f.Name, "_toint"), strings.HasSuffix(f.Name, "_fromint"), strings.Contains(f.Name, "_fortran_"):
		return false
	}
	return true
}

// byHand are functions whose arguments mean something else in Fortran; they are in special.c.
var byHand = map[string]bool{
	"Init": true, "Init_thread": true, "Comm_spawn": true, "Comm_spawn_multiple": true, "Register_datarep": true, "Grequest_start": true,
	"Comm_create_keyval": true, "Type_create_keyval": true, "Win_create_keyval": true, "Keyval_create": true,
	"Comm_set_attr": true, "Type_set_attr": true, "Win_set_attr": true, "Attr_put": true,
	"Comm_get_attr": true, "Type_get_attr": true, "Win_get_attr": true, "Attr_get": true,
	"Aint_add": true, "Aint_diff": true, "Wtime": true, "Wtick": true, "Buffer_detach": true, "Comm_detach_buffer": true, "Session_detach_buffer": true, "Info_create_env": true,
}

// handleKinds are the kinds of arguments that are handles, by what their functions of conversion are called.
var handleKinds = map[string]string{
	"comm": "Comm", "group": "Group", "win": "Win", "file": "File", "session": "Session", "message": "Message", "info": "Info",
	"errhandler": "Errhandler", "request": "Request", "type": "Type", "op": "Op",
}

// fortranShims is the C file with the functions that Fortran programs call.
func fortranShims() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "/* %s */\n\n#include \"fortran.h\"\n\n", generated)
	for _, f := range spec.Functions() {
		if !inFortran(&f) || byHand[f.Name] {
			continue
		}
		own := !inFace(&f) || callsBack(&f) // faces have none, or one by hand
		if own {
			b.WriteString("#ifndef WEFT_FACE\n")
		}
		shim := fortranShim{f: &f}
		shim.write(&b)
		if own {
			b.WriteString("#endif\n")
		}
	}
	return b.Bytes()
}

// callsBack tells whether a function gets one of the program's, whose arguments a face translates.
func callsBack(f *spec.Function) bool {
	return f.Name == "Op_create" || strings.HasSuffix(f.Name, "_create_errhandler")
}

// fortranShim is such a function while it is written.
type fortranShim struct {
	f                           *spec.Function
	heads, lengths              []string // of its arguments
	before, values, after, free []string
}

func (s *fortranShim) write(b *bytes.Buffer) {
	for _, a := range s.f.Args {
		s.argument(a)
	}
	heads := append(s.heads, "fint *ierror")
	heads = append(heads, s.lengths...)
	low := strings.ToLower(s.f.Name)
	fmt.Fprintf(b, "void pmpi_%s_(%s) {\n", low, strings.Join(heads, ", "))
	for _, line := range s.before {
		fmt.Fprintf(b, "  %s\n", line)
	}
	fmt.Fprintf(b, "  *ierror = MPI_%s(%s);\n", s.f.Name, strings.Join(s.values, ", "))
	for _, line := range append(s.after, s.free...) {
		fmt.Fprintf(b, "  %s\n", line)
	}
	fmt.Fprintf(b, "}\nNAMED(%s)\n", low)
}

// argument adds an argument: how Fortran passes it, and what C gets.
func (s *fortranShim) argument(a spec.Arg) {
	constant, base, behind := a.Split()
	n := a.Name
	head := func(typ string) { s.heads = append(s.heads, typ+" *"+n) }
	value := func(format string, args ...any) { s.values = append(s.values, fmt.Sprintf(format, args...)) }
	handle, isHandle := handleKinds[base]
	typ := spec.CType(base, false)
	switch {
	case isHandle && behind == "":
		head("fint")
		value("MPI_%s_fromint(*%s)", handle, n)
	case isHandle && behind == "*":
		head("fint")
		s.before = append(s.before, fmt.Sprintf("%s c_%s = MPI_%s_fromint(*%s);", typ, n, handle, n))
		value("&c_%s", n)
		s.after = append(s.after, fmt.Sprintf("*%s = MPI_%s_toint(c_%s);", n, handle, n))
	case isHandle:
		head("fint")
		length := s.lengthOf(a)
		s.before = append(s.before, fmt.Sprintf("HANDLES(%s, %s, %s, %s)", handle, typ, n, length))
		value("c_%s", n)
		if !constant {
			s.after = append(s.after, fmt.Sprintf("INTEGERS(%s, %s)", handle, n))
		}
		s.free = append(s.free, fmt.Sprintf("free(c_%s);", n))
	case base == "char":
		s.text(constant, n)
	case base == "status":
		head("fint")
		value("weft_status(%s)", n)
	case base == "void":
		head("void")
		value("weft_buffer(%s)", n)
	case strings.Contains(base, "function"):
		head("void")
		value("(%s *)%s", typ, n)
	case strings.HasSuffix(n, "weights"):
		head("fint")
		value("weft_weights(%s)", n)
	case behind == "":
		head(typ)
		value("*%s", n)
	case behind == "[][3]":
		head(typ)
		value("(int (*)[3])%s", n)
	default:
		head(typ)
		s.pointer(n)
	}
}

// pointer adds an argument that C gets as it is, but that numbers count from 1, and lengths of texts have no zero.
func (s *fortranShim) pointer(n string) {
	switch n {
	case "indx":
		s.values = append(s.values, n)
		s.after = append(s.after, "if (*ierror == MPI_SUCCESS && *indx != MPI_UNDEFINED) ++*indx;")
	case "array_of_indices":
		s.values = append(s.values, n)
		s.after = append(s.after, "if (*outcount != MPI_UNDEFINED) for (int i = 0; i < *outcount; i++) ++array_of_indices[i];")
	case "buflen", "pset_len":
		s.before = append(s.before, fmt.Sprintf("int c_%s = *%s > 0 ? weft_room(*%s) + 1 : 0;", n, n, n))
		s.values = append(s.values, "&c_"+n)
		s.after = append(s.after, fmt.Sprintf("if (*ierror == MPI_SUCCESS && c_%s > 0) *%s = c_%s - 1;", n, n, n))
	default:
		s.values = append(s.values, n)
	}
}

// text adds an argument that is a text: it has blanks at its end and no zero behind.
func (s *fortranShim) text(constant bool, n string) {
	s.heads = append(s.heads, "char *"+n)
	s.lengths = append(s.lengths, "size_t l_"+n)
	if constant {
		s.before = append(s.before, fmt.Sprintf("char *c_%s = weft_text(%s, l_%s);", n, n, n))
		s.values = append(s.values, "c_"+n)
		s.free = append(s.free, fmt.Sprintf("free(c_%s);", n))
		return
	}
	s.before = append(s.before, fmt.Sprintf("char c_%s[WEFT_ROOM + 1] = \"\";", n))
	s.values = append(s.values, "c_"+n)
	when := "*ierror == MPI_SUCCESS"
	for _, a := range s.f.Args {
		switch a.Name {
		case "flag":
			when += " && *flag"
		case "valuelen":
			for i, v := range s.values {
				if v == "*valuelen" {
					s.values[i] = "weft_room(*valuelen)"
				}
			}
		}
	}
	s.after = append(s.after, fmt.Sprintf("if (%s) weft_blanks(%s, l_%s, c_%s);", when, n, n, n))
}

// lengthOf is how many handles an array has.
func (s *fortranShim) lengthOf(a spec.Arg) string {
	neighbors := s.f.Family.Name == "Neighbor_alltoallw"
	switch {
	case a.Name == "sendtypes" && neighbors:
		return "weft_degree(*comm, 1)"
	case a.Name == "recvtypes" && neighbors:
		return "weft_degree(*comm, 0)"
	case a.Name == "sendtypes":
		return "weft_buffer(sendbuf) == MPI_IN_PLACE ? 0 : weft_peers(*comm)"
	case a.Name == "recvtypes":
		return "weft_peers(*comm)"
	}
	for _, b := range s.f.Args {
		switch b.Name {
		case "count", "incount", "max_datatypes":
			return "*" + b.Name
		}
	}
	panic("nobody knows how many handles " + a.Name + " of MPI_" + s.f.Name + " has")
}

// fortranConstant is a constant's value in Fortran; false if it has none.
func fortranConstant(c spec.Constant) (string, bool) {
	name := c.Name
	switch {
	case strings.HasPrefix(name, "MPI_T_"), strings.HasPrefix(name, "MPI_F_"), strings.Contains(c.Type, "function"), strings.Contains(c.Type, "*"):
		return "", false
	case c.Type == "=":
		for _, o := range spec.Constants() {
			if o.Name == c.Value {
				return fortranConstant(o)
			}
		}
		return "", false
	}
	v, err := strconv.ParseInt(c.Value, 0, 64)
	if err != nil {
		panic(err) // the table is part of the program
	}
	if strings.HasPrefix(name, "MPI_MAX_") { // there is no zero behind a text
		v--
	}
	return strconv.FormatInt(v, 10), true
}

// own are constants that Fortran alone has.
var own = [][2]string{
	{"MPI_STATUS_SIZE", "8"}, {"MPI_SOURCE", "1"}, {"MPI_TAG", "2"}, {"MPI_ERROR", "3"},
	{"MPI_ADDRESS_KIND", "8"}, {"MPI_COUNT_KIND", "8"}, {"MPI_OFFSET_KIND", "8"}, {"MPI_INTEGER_KIND", "4"},
}

// commons are variables that stand for addresses: how they are declared.
var commons = []struct{ name, typ, shape string }{
	{"MPI_BOTTOM", "INTEGER", ""}, {"MPI_IN_PLACE", "INTEGER", ""}, {"MPI_BUFFER_AUTOMATIC", "INTEGER", ""},
	{"MPI_STATUS_IGNORE", "INTEGER", "(8)"}, {"MPI_STATUSES_IGNORE", "INTEGER", "(8,1)"}, {"MPI_ERRCODES_IGNORE", "INTEGER", "(1)"},
	{"MPI_UNWEIGHTED", "INTEGER", "(1)"}, {"MPI_WEIGHTS_EMPTY", "INTEGER", "(1)"},
	{"MPI_ARGV_NULL", "CHARACTER*1", "(1)"}, {"MPI_ARGVS_NULL", "CHARACTER*1", "(1,1)"},
}

// fortranFunctions are subroutines of the library that programs pass.
var fortranFunctions = []string{
	"MPI_NULL_COPY_FN", "MPI_DUP_FN", "MPI_NULL_DELETE_FN", "MPI_COMM_NULL_COPY_FN", "MPI_COMM_DUP_FN", "MPI_COMM_NULL_DELETE_FN",
	"MPI_TYPE_NULL_COPY_FN", "MPI_TYPE_DUP_FN", "MPI_TYPE_NULL_DELETE_FN", "MPI_WIN_NULL_COPY_FN", "MPI_WIN_DUP_FN", "MPI_WIN_NULL_DELETE_FN",
}

// declarations are the constants, in a form that is good for old and new sources: statements from column 7 on.
func declarations(b *bytes.Buffer) {
	parameter := func(typ, name, value string) {
		fmt.Fprintf(b, "      %s %s\n      PARAMETER (%s=%s)\n", typ, name, name, value)
	}
	for _, c := range spec.Constants() {
		value, ok := fortranConstant(c)
		switch {
		case c.Type == "MPI_Offset":
			parameter("INTEGER*8", c.Name, value)
		case ok:
			parameter("INTEGER", c.Name, value)
		}
	}
	for _, o := range own {
		parameter("INTEGER", o[0], o[1])
	}
	for _, name := range []string{"MPI_SUBARRAYS_SUPPORTED", "MPI_ASYNC_PROTECTS_NONBLOCKING"} {
		parameter("LOGICAL", name, ".FALSE.")
	}
	for _, c := range commons {
		fmt.Fprintf(b, "      %s %s%s\n      COMMON /WEFT_%s/ %s\n", c.typ, c.name, c.shape, c.name, c.name)
	}
	for _, name := range fortranFunctions {
		fmt.Fprintf(b, "      EXTERNAL %s\n", name)
	}
}

// include is mpif.h.
func include() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "! %s\n", generated)
	declarations(&b)
	for _, prefix := range []string{"MPI_", "PMPI_"} {
		fmt.Fprintf(&b, "      DOUBLE PRECISION %sWTIME, %sWTICK\n      EXTERNAL %sWTIME, %sWTICK\n", prefix, prefix, prefix, prefix)
		fmt.Fprintf(&b, "      INTEGER*8 %sAINT_ADD, %sAINT_DIFF\n      EXTERNAL %sAINT_ADD, %sAINT_DIFF\n", prefix, prefix, prefix, prefix)
	}
	return b.Bytes()
}

// module is the source of the module mpi: the constants, and the interfaces of functions whose arguments may be of any type.
func module() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "! %s\nmodule mpi\n      implicit none\n", generated)
	declarations(&b)
	b.WriteString("interface\n")
	for _, prefix := range []string{"MPI_", "PMPI_"} {
		for _, f := range []string{"WTIME", "WTICK"} {
			fmt.Fprintf(&b, "double precision function %s%s()\nend function\n", prefix, f)
		}
		for _, f := range []string{"AINT_ADD", "AINT_DIFF"} {
			fmt.Fprintf(&b, "integer(kind=8) function %s%s(a, b)\ninteger(kind=8), intent(in) :: a, b\nend function\n", prefix, f)
		}
	}
	for _, f := range spec.Functions() {
		if inFortran(&f) && !byHand[f.Name] && choice(&f) {
			for _, prefix := range []string{"MPI_", "PMPI_"} {
				fortranInterface(&b, prefix, &f)
			}
		}
	}
	b.WriteString("end interface\nend module\n")
	return b.Bytes()
}

// choice tells whether a function has arguments of any type.
func choice(f *spec.Function) bool {
	found := false
	for _, a := range f.Args {
		if _, base, _ := a.Split(); base == "void" {
			found = true
		}
		if a.Name == "baseptr" { // of a type that old and new programs do not agree about
			return false
		}
	}
	return found
}

// fortranInterface declares a subroutine.
func fortranInterface(b *bytes.Buffer, prefix string, f *spec.Function) {
	names, lines := []string{}, []string{}
	for _, a := range f.Args {
		names = append(names, a.Name)
		_, base, behind := a.Split()
		typ, shape := "integer", ""
		switch base {
		case "void":
			lines = append(lines, "!GCC$ ATTRIBUTES NO_ARG_CHECK :: "+a.Name, "!DIR$ IGNORE_TKR "+a.Name)
			typ, shape = "type(*)", "(*)"
		case "char":
			typ = "character(len=*)"
		case "aint", "size", "Count", "offset":
			typ = "integer(kind=8)"
		case "status":
			shape = "(*)"
		}
		if strings.HasPrefix(behind, "[") {
			shape = "(*)"
		}
		if a.Name == "flag" {
			typ = "logical"
		}
		lines = append(lines, fmt.Sprintf("%s :: %s%s", typ, a.Name, shape))
	}
	names = append(names, "ierror")
	fmt.Fprintf(b, "subroutine %s%s(%s)\n%s\ninteger :: ierror\nend subroutine\n", prefix, f.Name, strings.Join(names, ", &\n"), strings.Join(lines, "\n"))
}
