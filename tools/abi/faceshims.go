package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/weft-mpi/weft/internal/abi/spec"
)

// faceByHand are functions that faces have in their own sources: they take or return what needs more
// than a translation.
var faceByHand = map[string]bool{
	"Get_version": true, "Pcontrol": true, "Wtime": true, "Wtick": true, "Aint_add": true, "Aint_diff": true,
	"Comm_create_keyval": true, "Type_create_keyval": true, "Win_create_keyval": true, "Keyval_create": true,
	"Comm_get_attr": true, "Win_get_attr": true, "Attr_get": true, "Op_create": true, "Op_create_c": true, "Grequest_start": true,
	"Comm_create_errhandler": true, "File_create_errhandler": true, "Win_create_errhandler": true, "Session_create_errhandler": true,
	"Type_create_struct": true, "Type_get_contents": true, "Type_get_contents_c": true, "T_event_get_info": true,
}

// wordOf are the arguments that are integers of some kind, by their names; those of some functions come first.
var wordOf = map[string]string{
	"Abort.errorcode": "", "Comm_split.key": "", "Intercomm_create.remote_leader": "", "Topo_test.status": "topology", "Type_create_darray.rank": "",
	"dest": "rank", "source": "rank", "rank": "rank", "target_rank": "rank", "root": "rank", "rank_source": "rank", "rank_dest": "rank",
	"ranks1": "rank", "ranks2": "rank", "tag": "tag", "sendtag": "tag", "recvtag": "tag",
	"errorcode": "error", "errorclass": "error", "error": "error", "required": "thread", "provided": "thread",
	"amode": "access", "assert": "assertion", "lock_type": "lock", "order": "order", "array_of_distribs": "distribution", "array_of_dargs": "distarg",
	"combiner": "combiner", "typeclass": "typeclass", "result": "comparison", "split_type": "split", "whence": "whence",
	"comm_keyval": "keyval", "type_keyval": "keyval", "win_keyval": "keyval", "keyval": "keyval", "key": "keyval",
	"verbosity": "verbosity", "bind": "bind", "scope": "scope", "var_class": "class", "File_set_view.disp": "displacement",
}

// limits are the texts that functions return without being told how long they may be.
var limits = map[string]string{
	"Get_processor_name.name": "PROCESSOR_NAME", "Get_library_version.version": "LIBRARY_VERSION_STRING", "Error_string.string": "ERROR_STRING",
	"Comm_get_name.comm_name": "OBJECT_NAME", "Type_get_name.type_name": "OBJECT_NAME", "Win_get_name.win_name": "OBJECT_NAME",
	"Info_get_nthkey.key": "INFO_KEY", "Open_port.port_name": "PORT_NAME", "Lookup_name.port_name": "PORT_NAME",
}

// kindOf are the types of handles, by the kinds of arguments.
var kindOf = map[string]string{
	"comm": "Comm", "group": "Group", "win": "Win", "file": "File", "session": "Session", "message": "Message", "info": "Info",
	"errhandler": "Errhandler", "request": "Request", "type": "Datatype", "op": "Op",
}

// faceFunctions is the C file with what the faces call: the interface's functions, with its own types.
func faceFunctions() []byte {
	var b, names bytes.Buffer
	fmt.Fprintf(&b, "/* %s */\n\nstruct abi_functions {\n", generated)
	for _, f := range spec.Functions() {
		if !inFace(&f) {
			continue
		}
		args := []string{}
		for _, a := range f.Args {
			args = append(args, abiArgument(a, f.Large))
		}
		if len(args) == 0 {
			args = []string{"void"}
		}
		result := "int"
		if f.Family.Result != "" {
			result = spec.CType(f.Family.Result, f.Large)
		}
		fmt.Fprintf(&b, "  %s (*%s)(%s);\n", result, f.Name, strings.Join(args, ", "))
		fmt.Fprintf(&names, " \\\n  X(%s)", f.Name)
	}
	fmt.Fprintf(&b, "};\n\n#define FUNCTIONS(X)%s\n\nenum {\n", names.String())
	for _, c := range spec.Constants() {
		if name := strings.TrimPrefix(c.Name, "MPI_"); strings.HasPrefix(c.Type, "int") {
			fmt.Fprintf(&b, "  ABI_%s = %s,\n", strings.TrimSuffix(name, "!"), c.Value)
		}
	}
	b.WriteString("};\n")
	return b.Bytes()
}

// abiArgument declares an argument of the interface's: all handles are one type there.
func abiArgument(a spec.Arg, large bool) string {
	_, base, behind := a.Split()
	stars := strings.ReplaceAll(behind, "[]", "*")
	switch {
	case kindOf[base] != "":
		return "abi_handle " + stars
	case base == "status":
		return "abi_status " + stars
	case strings.Contains(base, "function"):
		return "void *"
	}
	return a.Declare(large)
}

// faceShims is the C file with the functions of a face.
func faceShims() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "/* %s */\n\n#include \"face.h\"\n\n", generated)
	for _, f := range spec.Functions() {
		if !inFace(&f) {
			continue
		}
		if f.Large { // Open MPI 4 has none
			b.WriteString("#ifdef WEFT_FACE_MPICH\n")
		}
		if !faceByHand[f.Name] {
			shim := faceShim{f: &f}
			shim.write(&b)
			fmt.Fprintf(&b, "#pragma weak MPI_%s = PMPI_%s\n", f.Name, f.Name)
			if f.Form == spec.Persistent && f.Family.Chapter != 3 && !f.Large { // Open MPI's names before they became the standard's
				fmt.Fprintf(&b, "#pragma weak MPIX_%s = PMPI_%s\n#pragma weak PMPIX_%s = PMPI_%s\n", f.Name, f.Name, f.Name, f.Name)
			}
		}
		if f.Large {
			b.WriteString("#endif\n")
		}
	}
	return b.Bytes()
}

// faceShim is such a function while it is written.
type faceShim struct {
	f                     *spec.Function
	before, values, after []string
}

func (s *faceShim) write(b *bytes.Buffer) {
	for _, a := range s.f.Args {
		s.argument(a)
	}
	fmt.Fprintf(b, "%s {\n", declaration("PMPI_", s.f))
	for _, line := range s.before {
		fmt.Fprintf(b, "  %s\n", line)
	}
	call := fmt.Sprintf("abi.%s(%s)", s.f.Name, strings.Join(s.values, ", "))
	if len(s.after) == 0 {
		fmt.Fprintf(b, "  return out_error(%s);\n}\n", call)
		return
	}
	fmt.Fprintf(b, "  int code = %s;\n", call)
	for _, line := range s.after {
		fmt.Fprintf(b, "  %s\n", line)
	}
	b.WriteString("  return out_error(code);\n}\n")
}

// argument adds an argument: what is to be done before and after the call, and what is passed.
func (s *faceShim) argument(a spec.Arg) {
	constant, base, behind := a.Split()
	n := a.Name
	value := func(format string, args ...any) { s.values = append(s.values, fmt.Sprintf(format, args...)) }
	before := func(format string, args ...any) { s.before = append(s.before, fmt.Sprintf(format, args...)) }
	after := func(format string, args ...any) { s.after = append(s.after, fmt.Sprintf(format, args...)) }
	kind := kindOf[base]
	switch {
	case kind != "" && behind == "":
		value("in_%s(%s)", kind, n)
	case kind != "" && behind == "*" && s.changes(a):
		before("abi_handle c_%s = %s ? in_%s(*%s) : 0;", n, n, kind, n)
		value("%s ? &c_%s : 0", n, n)
		after("if (%s) *%s = out_%s(c_%s);", n, n, kind, n)
	case kind != "" && behind == "*":
		before("abi_handle c_%s = 0;", n)
		value("%s ? &c_%s : 0", n, n)
		after("if (c_%s) *%s = out_%s(c_%s);", n, n, kind, n)
	case kind != "":
		before("TAKE(%s, %s, %s)", kind, n, s.lengthOf(a))
		value("c_%s", n)
		if !constant {
			after("GIVE(%s, %s)", kind, n)
		}
		after("DROP(%s)", n)
	case base == "status" && n == "array_of_statuses":
		before("TAKE_STATUSES(%s, %s)", n, s.lengthOf(a))
		value("c_%s", n)
		after("GIVE_STATUSES(%s)", n)
		after("DROP(%s)", n)
	case base == "status":
		before("abi_status r_%s, *c_%s = in_status(%s, &r_%s);", n, n, n, n)
		value("c_%s", n)
		if !constant {
			after("out_status(%s, c_%s);", n, n)
		}
	case base == "char" && limits[s.f.Name+"."+n] != "":
		before("char c_%s[ABI_MAX_%s] = \"\";", n, limits[s.f.Name+"."+n])
		value("%s ? c_%s : 0", n, n)
		length := "0"
		if n != "key" && n != "port_name" {
			length = "resultlen"
		}
		after("if (code == 0) out_text(%s, MPI_MAX_%s, c_%s, %s);", n, limits[s.f.Name+"."+n], n, length)
	case base == "void":
		value("in_buffer(%s)", n)
	case strings.HasSuffix(n, "weights"):
		value("in_weights(%s)", n)
	case base == "T_pvar_handle" && behind == "":
		value("in_pvar(%s)", n)
	case strings.Contains(base, "function"):
		value("(void *)%s", n)
	default:
		s.integer(a, behind)
	}
}

// integer adds an argument that may be an integer of some kind.
func (s *faceShim) integer(a spec.Arg, behind string) {
	n := a.Name
	w, special := wordOf[s.f.Name+"."+n]
	if !special {
		w = wordOf[n]
	}
	constant, base, _ := a.Split()
	switch {
	case w == "" || base != "int" && base != "offset":
		s.values = append(s.values, n)
	case behind == "":
		s.values = append(s.values, fmt.Sprintf("in_%s(%s)", w, n))
	case behind == "*" && w == "keyval":
		s.before = append(s.before, fmt.Sprintf("int c_%s = %s ? in_keyval(*%s) : 0;", n, n, n))
		s.values = append(s.values, fmt.Sprintf("%s ? &c_%s : 0", n, n))
		s.after = append(s.after, fmt.Sprintf("if (%s) *%s = out_keyval(c_%s);", n, n, n))
	case behind == "*":
		s.values = append(s.values, n)
		s.after = append(s.after, fmt.Sprintf("if (code == 0 && %s) *%s = out_%s(*%s);", n, n, w, n))
	case constant:
		s.before = append(s.before, fmt.Sprintf("TAKE_INTS(%s, %s, %s)", w, n, s.lengthOf(a)))
		s.values = append(s.values, "c_"+n)
		s.after = append(s.after, fmt.Sprintf("DROP(%s)", n))
	default:
		s.values = append(s.values, n)
		s.after = append(s.after, fmt.Sprintf("if (code == 0) for (int i = 0; i < %s; i++) %s[i] = out_%s(%s[i]);", s.lengthOf(a), n, w, n))
	}
}

// changes tells whether a function reads a handle before it sets it.
func (s *faceShim) changes(a spec.Arg) bool {
	switch s.f.Name {
	case "Wait", "Test", "Start", "Cancel", "Request_free", "Mrecv", "Imrecv", "Mrecv_c", "Imrecv_c", "Type_commit", "Comm_disconnect", "Session_finalize", "File_close":
		return a.Name != "request" || !strings.HasPrefix(s.f.Name, "Imrecv")
	}
	return strings.HasSuffix(s.f.Name, "_free")
}

// lengthOf is how many elements an array has.
func (s *faceShim) lengthOf(a spec.Arg) string {
	neighbors := s.f.Family.Name == "Neighbor_alltoallw"
	switch {
	case a.Name == "sendtypes" && neighbors:
		return "degree(in_Comm(comm), 1)"
	case a.Name == "recvtypes" && neighbors:
		return "degree(in_Comm(comm), 0)"
	case a.Name == "sendtypes":
		return "in_buffer((void *)sendbuf) == ABI_IN_PLACE ? 0 : peers(in_Comm(comm))"
	case a.Name == "recvtypes":
		return "peers(in_Comm(comm))"
	}
	for _, b := range s.f.Args {
		switch b.Name {
		case "count", "incount", "max_datatypes", "ndims", "n":
			return b.Name
		}
	}
	panic("nobody knows how many elements " + a.Name + " of MPI_" + s.f.Name + " has")
}
