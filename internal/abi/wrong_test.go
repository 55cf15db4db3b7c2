package abi

import (
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/abi/spec"
)

// apart are functions that end the process, or begin it.
var apart = map[string]bool{"Init": true, "Init_thread": true, "Finalize": true, "Abort": true, "Session_init": true, "Session_finalize": true}

// ranksOf are arguments that are ranks: nobody's, so that no call waits.
var rankArguments = map[string]bool{"source": true, "dest": true, "rank": true, "target_rank": true}

// TestWrongArguments calls every function that is supported with arguments of which one is wrong: each handle is null,
// freed, of another kind or nonsense; each number negative; each pointer null. Wrong handles are errors, and nothing
// crashes.
func TestWrongArguments(t *testing.T) {
	ranks(t, 1, func(r *rig) {
		called := 0
		for i, f := range spec.Functions() {
			if !Supported(i) || apart[f.Name] || entries()[i].do == nil {
				continue
			}
			for k, a := range f.Args { // one of them wrong at a time
				for _, wrong := range r.wrong(a.Kind) {
					mark := r.next
					args := r.sound(&f)
					args[k] = wrong
					code := r.call(f.Name, args...)
					called++
					if isHandle(a.Kind) && code == spec.SUCCESS && !(a.Kind == "info" && wrong == spec.INFO_NULL) && wrong != 0x301 && !tolerant(f.Name, a.Name) {
						t.Errorf("MPI_%s with %s=0x%x succeeds", f.Name, a.Name, wrong)
					}
					r.next = mark
				}
			}
		}
		t.Logf("%d calls", called)
	})
}

// tolerant are the handles that a function may have as null.
func tolerant(function, argument string) bool {
	return strings.HasSuffix(function, "_get_name") || argument == "sendtype" || argument == "sendtypes"
}

func isHandle(kind string) bool {
	switch kind {
	case "comm", "group", "win", "session", "info", "errhandler", "type", "op":
		return true
	}
	return false
}

// stale is a handle that nobody has: of a kind, with an index beyond all.
func stale(k kind) int { return int(k)<<(indexBits+generationBits) | 0x7ffff }

// wrong are wrong values of a kind of argument.
func (r *rig) wrong(kind string) []int {
	switch kind {
	case "comm":
		return []int{0, spec.COMM_NULL, spec.INT, stale(commKind), -1}
	case "group":
		return []int{0, spec.GROUP_NULL, spec.COMM_WORLD, stale(groupKind), -1}
	case "type":
		return []int{0, spec.DATATYPE_NULL, spec.COMM_WORLD, stale(typeKind), -1}
	case "op":
		return []int{0, spec.OP_NULL, spec.INT, stale(opKind), -1}
	case "win":
		return []int{0, spec.WIN_NULL, spec.INT, stale(winKind), -1}
	case "session":
		return []int{0, spec.SESSION_NULL, spec.INT, stale(sessionKind), -1}
	case "info":
		return []int{0, spec.INT, stale(infoKind), -1}
	case "errhandler":
		return []int{0, spec.ERRHANDLER_NULL, spec.INT, stale(errhandlerKind), -1}
	case "int", "count", "displ", "size", "aint", "Count":
		return []int{-77}
	}
	if (spec.Arg{Kind: kind}).Pointer() {
		return []int{0}
	}
	return nil
}

// sound are arguments of which none makes a call wait.
func (r *rig) sound(f *spec.Function) []int {
	args := make([]int, len(f.Args))
	for i, a := range f.Args {
		args[i] = r.soundOne(a)
	}
	return args
}

func (r *rig) soundOne(a spec.Arg) int {
	handles := map[string]int{"comm": spec.COMM_SELF, "group": spec.GROUP_EMPTY, "type": spec.INT, "op": spec.SUM, "win": spec.WIN_NULL,
		"info": spec.INFO_NULL, "errhandler": spec.ERRORS_RETURN, "request": spec.REQUEST_NULL, "session": spec.SESSION_NULL, "message": spec.MESSAGE_NO_PROC}
	base := strings.TrimPrefix(a.Kind, "<")
	if h, ok := handles[a.Kind]; ok {
		return h
	}
	if h, ok := handles[strings.TrimRight(base, "*[]")]; ok {
		return r.longs(h, h, h, h)
	}
	switch {
	case rankArguments[a.Name]:
		return spec.PROC_NULL
	case a.Kind == "int" && a.Name == "order":
		return spec.ORDER_C
	case strings.HasPrefix(base, "char"):
		return r.text("mpi://SELF")
	case a.Pointer():
		return r.room(512)
	case a.Kind == "...":
		return 0
	}
	return 1
}
