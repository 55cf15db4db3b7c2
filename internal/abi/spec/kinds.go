package spec

import "strings"

// basics are the C types of kinds that are not named like theirs; the second one is that of the twin with large counts.
var basics = map[string][2]string{
	"void": {"void", "void"}, "int": {"int", "int"}, "char": {"char", "char"}, "double": {"double", "double"},
	"count": {"int", "MPI_Count"}, "displ": {"int", "MPI_Aint"}, "size": {"MPI_Aint", "MPI_Count"},
	"Count": {"MPI_Count", "MPI_Count"}, "aint": {"MPI_Aint", "MPI_Aint"}, "offset": {"MPI_Offset", "MPI_Offset"},
	"comm": {"MPI_Comm", "MPI_Comm"}, "group": {"MPI_Group", "MPI_Group"}, "win": {"MPI_Win", "MPI_Win"}, "file": {"MPI_File", "MPI_File"},
	"session": {"MPI_Session", "MPI_Session"}, "message": {"MPI_Message", "MPI_Message"}, "info": {"MPI_Info", "MPI_Info"},
	"errhandler": {"MPI_Errhandler", "MPI_Errhandler"}, "request": {"MPI_Request", "MPI_Request"}, "type": {"MPI_Datatype", "MPI_Datatype"},
	"op": {"MPI_Op", "MPI_Op"}, "status": {"MPI_Status", "MPI_Status"},
}

// split takes a kind apart: const, base, and the stars or brackets behind.
func split(kind string) (constant bool, base, behind string) {
	base, constant = strings.CutPrefix(kind, "<")
	if i := strings.IndexAny(base, "*["); i >= 0 {
		base, behind = base[:i], base[i:]
	}
	return constant, base, behind
}

// CType is the C type of a kind without stars and brackets.
func CType(base string, large bool) string {
	if b, ok := basics[base]; ok {
		if large {
			return b[1]
		}
		return b[0]
	}
	name, twin := strings.CutSuffix(base, "/c")
	if twin && large {
		name += "_c"
	}
	return "MPI_" + name
}

// Split takes the kind of the argument apart: const, base, and the stars or brackets behind.
func (a Arg) Split() (constant bool, base, behind string) { return split(a.Kind) }

// Declare is the argument as C declares it.
func (a Arg) Declare(large bool) string {
	if a.Kind == "..." {
		return "..."
	}
	constant, base, behind := split(a.Kind)
	stars := strings.TrimRight(behind, "[]0123456789")
	text := CType(base, large) + " " + stars + a.Name + behind[len(stars):]
	if constant {
		text = "const " + text
	}
	return text
}

// Pointer tells whether the argument is passed by its address.
func (a Arg) Pointer() bool {
	_, base, behind := split(a.Kind)
	return behind != "" || strings.Contains(base, "function")
}
