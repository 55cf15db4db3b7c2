package main

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/weft-mpi/weft/internal/abi/spec"
)

// A face is what programs see that were compiled for another library: its types and numbers, translated into the
// interface's. The functions of both faces are one file, which is compiled with the header and the tables of each.

// face is another library.
type face struct {
	name     string
	status   string   // the fields of its status
	integers []string // handles that are integers; the others are pointers
	value    func(spec.Constant) string
}

var faces = map[string]*face{
	"mpich": {
		name:     "mpich",
		status:   "  int count_low;\n  int count_high_and_cancelled;\n  int MPI_SOURCE;\n  int MPI_TAG;\n  int MPI_ERROR;\n",
		integers: []string{"Comm", "Datatype", "Errhandler", "Group", "Info", "Message", "Op", "Request", "Session", "Win"},
		value:    func(c spec.Constant) string { return c.MPICH },
	},
	"openmpi": {
		name:   "openmpi",
		status: "  int MPI_SOURCE;\n  int MPI_TAG;\n  int MPI_ERROR;\n  int cancelled;\n  size_t bytes;\n",
		value:  func(c spec.Constant) string { return c.OpenMPI },
	},
}

// isHandle tells whether a constant is a handle of an object.
func isHandle(c spec.Constant) bool {
	_, base, _ := spec.Arg{Kind: strings.TrimPrefix(c.Type, "MPI_")}.Split()
	return strings.HasPrefix(c.Type, "MPI_") && slices.Contains(objects, base)
}

// objects are the types of handles.
var objects = []string{"Comm", "Datatype", "Errhandler", "File", "Group", "Info", "Message", "Op", "Request", "Session", "Win"}

// inFace tells whether faces have a function: those for the interface itself are for nobody else.
func inFace(f *spec.Function) bool { return f.Family.Chapter != 20 }

// header is the face's mpi.h: what the functions are compiled with, not for programs.
func (f *face) header() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "/* %s */\n#ifndef WEFT_FACE_MPI_H\n#define WEFT_FACE_MPI_H\n\n#include <stddef.h>\n#include <stdint.h>\n\n", generated)
	handles(&b, f.integers)
	b.WriteString("#pragma GCC visibility push(default)\n")
	b.WriteString(strings.ReplaceAll(types, "@STATUS@", f.status))
	for _, e := range enums {
		fmt.Fprintf(&b, "typedef int %s;\n", e.name)
	}
	f.objects(&b)
	for _, c := range spec.Constants() {
		if text, ok := f.constant(c); ok {
			fmt.Fprintf(&b, "#define %s %s\n", c.Name, text)
		}
	}
	b.WriteString("\n")
	callbacks(&b)
	for _, fn := range spec.Functions() {
		if inFace(&fn) {
			fmt.Fprintf(&b, "%s;\n%s;\n", declaration("MPI_", &fn), declaration("PMPI_", &fn))
		}
	}
	fmt.Fprintf(&b, "#pragma GCC visibility pop\n\n#include \"../also.h\"\n\n#endif\n")
	return b.Bytes()
}

// constant is a constant's text in the face's header; false if it has none, or not as a number.
func (f *face) constant(c spec.Constant) (string, bool) {
	v := f.value(c)
	switch {
	case v == "" || strings.Contains(c.Type, "function"):
		return "", false
	case c.Type == "=":
		return c.Value, true
	case c.Type == "int" || c.Type == "int!":
		return "(" + v + ")", true
	case isHandle(c) && !isNumber(v):
		return fmt.Sprintf("((%s)&%s)", c.Type, v), true
	}
	return fmt.Sprintf("((%s)%s)", c.Type, v), true
}

func isNumber(s string) bool {
	_, err := strconv.ParseInt(s, 0, 64)
	return err == nil
}

// objects declares the objects whose addresses are handles.
func (f *face) objects(b *bytes.Buffer) {
	for _, c := range spec.Constants() {
		if v := f.value(c); isHandle(c) && v != "" && !isNumber(v) {
			fmt.Fprintf(b, "extern struct weft_object %s;\n", v)
		}
	}
}

// sizes are how many bytes Open MPI's objects have, which programs hold copies of.
var sizes = map[string]int{
	"Comm": 512, "Datatype": 512, "Errhandler": 1024, "File": 1536, "Group": 256, "Info": 256, "Message": 256, "Op": 2048, "Request": 256, "Win": 512,
}

// alsoThere are objects of Open MPI that the interface has not: their names, numbers in Fortran and what
// stands for them.
var alsoThere = [][3]string{
	{"ompi_mpi_lb", "4", "0"}, {"ompi_mpi_ub", "3", "0"}, {"ompi_mpi_c_complex", "69", "0x212"},
	{"ompi_mpi_2cplex", "26", "0"}, {"ompi_mpi_2dblcplex", "27", "0"}, {"ompi_mpi_integer16", "12", "0"}, {"ompi_mpi_real2", "28", "0"},
}

// tables is the C file with the face's translations of constants and handles.
func (f *face) tables() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "/* %s */\n\n", generated)
	if len(f.integers) > 0 {
		f.integerHandles(&b)
	} else {
		f.objectHandles(&b)
	}
	for _, w := range words {
		f.translation(&b, w)
	}
	return b.Bytes()
}

// integerHandles writes how handles that are integers are translated.
func (f *face) integerHandles(b *bytes.Buffer) {
	for _, o := range objects {
		var in, out strings.Builder
		seen := map[string]bool{}
		for _, c := range spec.Constants() {
			v := f.value(c)
			if c.Type != "MPI_"+o || v == "" || seen[v] {
				continue
			}
			seen[v] = true
			fmt.Fprintf(&in, "  case %s: return (abi_handle)%s;\n", v, c.Value)
			fmt.Fprintf(&out, "  case %s: return (MPI_%s)(intptr_t)%s;\n", c.Value, o, v)
		}
		fmt.Fprintf(b, "static NOINLINE abi_handle in_%s(MPI_%s h) {\n  switch ((int)(intptr_t)h) {\n%s  }\n  return made((int)(intptr_t)h);\n}\n", o, o, in.String())
		fmt.Fprintf(b, "static NOINLINE MPI_%s out_%s(abi_handle h) {\n  switch ((uintptr_t)h) {\n%s  }\n  return (MPI_%s)(intptr_t)mark(h);\n}\n", o, o, out.String(), o)
	}
}

// objectHandles lists the objects whose addresses are handles, and how handles are translated by them.
func (f *face) objectHandles(b *bytes.Buffer) {
	b.WriteString("/* name, bytes, handle of the interface, number in Fortran */\n#define OBJECTS(X)")
	seen := map[string]bool{}
	for _, c := range spec.Constants() {
		if v := f.value(c); isHandle(c) && v != "" && !isNumber(v) && !seen[v] {
			seen[v] = true
			fmt.Fprintf(b, " \\\n  X(%s, %d, %s, %s)", v, sizes[strings.TrimPrefix(c.Type, "MPI_")], c.Value, c.Fortran)
		}
	}
	b.WriteString("\n\n#define UNKNOWN_OBJECTS(X)")
	for _, o := range alsoThere {
		fmt.Fprintf(b, " \\\n  X(%s, %d, %s, %s)", o[0], sizes["Datatype"], o[2], o[1])
	}
	b.WriteString("\n\n")
	for _, o := range objects {
		fmt.Fprintf(b, "#define in_%s(h) in_object(h)\n#define out_%s(h) ((MPI_%s)out_object(h))\n", o, o, o)
		var numbers strings.Builder
		for _, c := range spec.Constants() {
			if c.Type == "MPI_"+o && c.Fortran != "" {
				fmt.Fprintf(&numbers, "  case %s: return &%s;\n", c.Fortran, f.value(c))
			}
		}
		fmt.Fprintf(b, "#define FORTRAN_%s %s\n", o, strings.Join(strings.Split(strings.TrimSpace(numbers.String()), "\n"), " \\\n"))
	}
}

// word is a kind of integer whose values differ between libraries.
type word struct {
	name  string
	names []string // of constants, without MPI_; a * at the end stands for all that begin so
	mask  bool     // values are added up
}

var words = []word{
	{name: "rank", names: []string{"ANY_SOURCE", "PROC_NULL", "ROOT"}},
	{name: "tag", names: []string{"ANY_TAG"}},
	{name: "error", names: []string{"ERR_*", "T_ERR_*"}},
	{name: "thread", names: []string{"THREAD_*"}},
	{name: "order", names: []string{"ORDER_*"}},
	{name: "distribution", names: []string{"DISTRIBUTE_NONE", "DISTRIBUTE_BLOCK", "DISTRIBUTE_CYCLIC"}},
	{name: "distarg", names: []string{"DISTRIBUTE_DFLT_DARG"}},
	{name: "combiner", names: []string{"COMBINER_*"}},
	{name: "typeclass", names: []string{"TYPECLASS_*"}},
	{name: "comparison", names: []string{"IDENT", "CONGRUENT", "SIMILAR", "UNEQUAL"}},
	{name: "topology", names: []string{"CART", "GRAPH", "DIST_GRAPH"}},
	{name: "split", names: []string{"COMM_TYPE_*"}},
	{name: "lock", names: []string{"LOCK_*"}},
	{name: "flavor", names: []string{"WIN_FLAVOR_*"}},
	{name: "model", names: []string{"WIN_UNIFIED", "WIN_SEPARATE"}},
	{name: "whence", names: []string{"SEEK_*"}},
	{name: "keyval", names: []string{"KEYVAL_INVALID", "TAG_UB", "IO", "HOST", "WTIME_IS_GLOBAL", "APPNUM", "LASTUSEDCODE", "UNIVERSE_SIZE",
		"WIN_BASE", "WIN_DISP_UNIT", "WIN_SIZE", "WIN_CREATE_FLAVOR", "WIN_MODEL"}},
	{name: "displacement", names: []string{"DISPLACEMENT_CURRENT"}},
	{name: "access", names: []string{"MODE_APPEND", "MODE_CREATE", "MODE_DELETE_ON_CLOSE", "MODE_EXCL", "MODE_RDONLY", "MODE_RDWR",
		"MODE_SEQUENTIAL", "MODE_UNIQUE_OPEN", "MODE_WRONLY"}, mask: true},
	{name: "assertion", names: []string{"MODE_NO*"}, mask: true},
	{name: "verbosity", names: []string{"T_VERBOSITY_*"}},
	{name: "bind", names: []string{"T_BIND_*"}},
	{name: "scope", names: []string{"T_SCOPE_*"}},
	{name: "class", names: []string{"T_PVAR_CLASS_*"}},
}

func (w word) has(name string) bool {
	name = strings.TrimPrefix(name, "MPI_")
	return slices.ContainsFunc(w.names, func(n string) bool {
		begin, all := strings.CutSuffix(n, "*")
		return name == n || all && strings.HasPrefix(name, begin)
	})
}

// translation writes the two functions that translate a kind of integer. What is no constant stays as it is.
func (f *face) translation(b *bytes.Buffer, w word) {
	var in, out strings.Builder
	seen := map[string]bool{}
	for _, c := range spec.Constants() {
		v := f.value(c)
		if !w.has(c.Name) || v == "" {
			continue
		}
		if c.Name == "MPI_ERR_LASTCODE" { // behind it are those that programs make
			fmt.Fprintf(&in, "  default: if (v >= %s) return v - %s + %s;\n", v, v, c.Value)
			fmt.Fprintf(&out, "  default: if (v >= %s) return v - %s + %s;\n", c.Value, c.Value, v)
			continue
		}
		if w.mask {
			fmt.Fprintf(&in, "  if (v & %s) r |= %s;\n", v, c.Value)
			fmt.Fprintf(&out, "  if (v & %s) r |= %s;\n", c.Value, v)
			continue
		}
		if !seen[v] {
			fmt.Fprintf(&in, "  case %s: return %s;\n", v, c.Value)
		}
		seen[v] = true
		fmt.Fprintf(&out, "  case %s: return %s;\n", c.Value, v)
	}
	typ, begin, end := "int", "  switch (v) {\n", "  }\n  return v;\n"
	if w.name == "displacement" {
		typ = "MPI_Offset"
	}
	if w.mask {
		begin, end = "  int r = 0;\n", "  return r;\n"
	}
	for _, side := range []struct{ name, text string }{{"in", in.String()}, {"out", out.String()}} {
		fmt.Fprintf(b, "static NOINLINE %s %s_%s(%s v) {\n%s%s%s}\n", typ, side.name, w.name, typ, begin, side.text, end)
	}
}
