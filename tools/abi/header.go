package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/weft-mpi/weft/internal/abi/spec"
)

//go:embed types.h
var types string

//go:embed older.h
var older string

// enums are the groups of constants that have a type of their own, by the beginning of their names.
var enums = []struct{ begin, name string }{
	{"MPI_T_CB_REQUIRE_", "MPI_T_cb_safety"},
	{"MPI_T_SOURCE_", "MPI_T_source_order"},
}

// events are the callbacks of the tool interface.
const events = `typedef void (MPI_T_event_cb_function)(MPI_T_event_instance, MPI_T_event_registration, MPI_T_cb_safety, void *);
typedef void (MPI_T_event_free_cb_function)(MPI_T_event_registration, MPI_T_cb_safety, void *);
typedef void (MPI_T_event_dropped_cb_function)(MPI_Count, MPI_T_event_registration, int, MPI_T_cb_safety, void *);
`

// status is how the interface lays out a status: eight integers, of which five are the library's.
const status = "  int MPI_SOURCE;\n  int MPI_TAG;\n  int MPI_ERROR;\n  int MPI_internal[5];\n"

// header is mpi.h.
func header() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "/* %s */\n#ifndef WEFT_MPI_H\n#define WEFT_MPI_H\n\n#include <stdint.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n", generated)
	handles(&b, nil)
	b.WriteString(strings.ReplaceAll(types, "@STATUS@", status))
	for _, e := range enums {
		fmt.Fprintf(&b, "typedef enum %s {\n%s} %s;\n\n", e.name, enumerators(func(name string) bool { return strings.HasPrefix(name, e.begin) }), e.name)
	}
	fmt.Fprintf(&b, "enum {\n%s};\n\n", enumerators(func(name string) bool {
		for _, e := range enums {
			if strings.HasPrefix(name, e.begin) {
				return false
			}
		}
		return true
	}))
	macros(&b)
	callbacks(&b)
	for _, f := range spec.Functions() {
		fmt.Fprintf(&b, "%s;\n%s;\n", declaration("MPI_", &f), declaration("PMPI_", &f))
	}
	b.WriteString("\n")
	b.WriteString(older)
	b.WriteString("\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n")
	return b.Bytes()
}

// handles declares the handle types: pointers, but for those that are integers.
func handles(b *bytes.Buffer, integers []string) {
	for _, name := range []string{"Comm", "Datatype", "Errhandler", "File", "Group", "Info", "Message", "Op", "Request", "Session", "Win",
		"T_enum", "T_cvar_handle", "T_pvar_handle", "T_pvar_session", "T_event_registration", "T_event_instance"} {
		if slices.Contains(integers, name) {
			fmt.Fprintf(b, "typedef int MPI_%s;\n", name)
			continue
		}
		fmt.Fprintf(b, "typedef struct MPI_ABI_%s *MPI_%s;\n", name, name)
	}
	b.WriteString("\n")
}

// enumerators lists the constants of type int whose names are wanted.
func enumerators(wanted func(string) bool) string {
	var lines []string
	for _, c := range spec.Constants() {
		if c.Type == "int" && wanted(c.Name) {
			lines = append(lines, fmt.Sprintf("  %s = %s", c.Name, c.Value))
		}
	}
	return strings.Join(lines, ",\n") + "\n"
}

// macros defines the other constants.
func macros(b *bytes.Buffer) {
	for _, c := range spec.Constants() {
		switch c.Type {
		case "int":
		case "int!", "=":
			fmt.Fprintf(b, "#define %s %s\n", c.Name, c.Value)
		default:
			fmt.Fprintf(b, "#define %s ((%s)%s)\n", c.Name, c.Type, c.Value)
		}
	}
	b.WriteString("\n")
}

// attributed are the objects that have attributes, handled those that have error handlers.
var (
	attributed = []string{"Comm", "Type", "Win"}
	handled    = []string{"Comm", "File", "Win", "Session"}
)

// callbacks declares the types of functions that programs bring.
func callbacks(b *bytes.Buffer) {
	for _, o := range attributed {
		handle := "MPI_" + o
		if o == "Type" {
			handle = "MPI_Datatype"
		}
		fmt.Fprintf(b, "typedef int (MPI_%s_copy_attr_function)(%s, int, void *, void *, void *, int *);\n", o, handle)
		fmt.Fprintf(b, "typedef int (MPI_%s_delete_attr_function)(%s, int, void *, void *);\n", o, handle)
	}
	for _, o := range handled {
		fmt.Fprintf(b, "typedef void (MPI_%s_errhandler_function)(MPI_%s *, int *, ...);\n", o, o)
		fmt.Fprintf(b, "typedef MPI_%s_errhandler_function MPI_%s_errhandler_fn;\n", o, o)
	}
	b.WriteString(events)
	b.WriteString("\n")
}
