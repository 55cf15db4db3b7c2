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
		r.freed = r.freedHandles()
		for i, f := range spec.Functions() {
			if !Supported(i) || apart[f.Name] || entries()[i].do == nil {
				continue
			}
			for k, a := range f.Args { // one of them wrong at a time
				outer, all := r.next, r.wrong(a.Kind)
				inner := r.next
				for _, wrong := range all {
					args := r.sound(&f)
					args[k] = wrong
					code := r.call(f.Name, args...)
					called++
					if isHandle(a.Kind) && code == spec.SUCCESS &&
						!tolerant(f.Name, a.Name) {
						t.Errorf("MPI_%s with %s=0x%x succeeds", f.Name, a.Name, wrong)
					}
					r.next = inner
				}
				r.next = outer
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
	case "comm", "group", "win", "session", "info", "errhandler", "type", "op", "request":
		return true
	}
	return false
}

// stale is a handle that nobody has: of a kind, with an index beyond all.
func stale(k kind) int { return int(k)<<(indexBits+generationBits) | 0x7ffff }

// freedHandles are handles of objects that have been freed, by kind.
func (r *rig) freedHandles() map[string]int {
	all := map[string]int{}
	free := func(kind, name string, at int) {
		all[kind] = r.longAt(at)
		r.must(name, at)
	}
	at := r.longs(0)
	r.must("Comm_dup", spec.COMM_SELF, at)
	free("comm", "Comm_free", at)
	r.must("Comm_group", spec.COMM_SELF, at)
	free("group", "Group_free", at)
	r.must("Type_dup", spec.INT, at)
	free("type", "Type_free", at)
	r.must("Op_create", 5000, 1, at)
	free("op", "Op_free", at)
	r.must("Win_create", r.room(8), 8, 1, spec.INFO_NULL, spec.COMM_SELF, at)
	free("win", "Win_free", at)
	r.must("Info_create", at)
	free("info", "Info_free", at)
	r.must("Comm_create_errhandler", 5000, at)
	free("errhandler", "Errhandler_free", at)
	r.must("Session_init", spec.INFO_NULL, spec.ERRORS_RETURN, at)
	free("session", "Session_finalize", at)
	r.must("Recv_init", at, 0, spec.INT, 0, 0, spec.COMM_SELF, at)
	free("request", "Request_free", at)
	return all
}

// nulls are null handles, where a function must not get one.
var nulls = map[string]int{"comm": spec.COMM_NULL, "group": spec.GROUP_NULL, "type": spec.DATATYPE_NULL, "op": spec.OP_NULL, "win": spec.WIN_NULL,
	"session": spec.SESSION_NULL, "errhandler": spec.ERRHANDLER_NULL}

// kinds are the kinds of handles.
var kinds = map[string]kind{"comm": commKind, "group": groupKind, "type": typeKind, "op": opKind, "win": winKind, "session": sessionKind,
	"info": infoKind, "errhandler": errhandlerKind, "request": requestKind}

// wrong are wrong values of a kind of argument: of handles nothing, null, one of another kind, one that was never there, one that
// has been freed, nonsense; of pointers null and, where handles are, a list of freed ones.
func (r *rig) wrong(kind string) []int {
	if k, ok := kinds[kind]; ok {
		other := spec.INT
		if kind == "type" || kind == "group" {
			other = spec.COMM_WORLD
		}
		all := []int{0, other, stale(k), r.freed[kind], -1}
		if null, ok := nulls[kind]; ok {
			all = append(all, null)
		}
		return all
	}
	switch kind {
	case "int", "count", "displ", "size", "aint", "Count":
		return []int{-77}
	}
	base := strings.TrimRight(strings.TrimPrefix(kind, "<"), "*[]")
	if h, ok := r.freed[base]; ok {
		return []int{0, r.longs(h, h, h, h)}
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
	case a.Kind == "int" && rankArguments[a.Name]:
		return spec.PROC_NULL
	case a.Kind == "int" && a.Name == "root":
		return 0
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
