package abi

import (
	"strings"
	"testing"
	"unsafe"

	"github.com/weft-mpi/weft/internal/abi/spec"
)

// nothing are functions for which there is nothing that they could succeed with: there are no events, sources, categories and
// enumerations for tools, and their settings cannot be changed any more.
var nothing = []string{"T_event_", "T_source_get_info", "T_source_get_timestamp", "T_category_get", "T_enum_", "T_cvar_write", "T_pvar_write"}

// TestRightArguments calls every function that is supported at least once so that it succeeds: those that need something special
// first, all others with arguments of their kinds.
func TestRightArguments(t *testing.T) {
	ranks(t, 1, func(r *rig) {
		r.p.cfg.Hooks = Hooks{
			Query:  func(_, _ uintptr, _ unsafe.Pointer) int { return 0 },
			Free:   func(_, _ uintptr) int { return 0 },
			Cancel: func(_, _ uintptr, _ bool) int { return 0 },
			Reduce: func(_ uintptr, _, _ unsafe.Pointer, _ int, _ uintptr, _ bool) {},
			Handle: func(_, _ uintptr, _ int) {},
		}
		for _, scene := range []func(*rig){
			(*rig).rightBuffers, (*rig).rightRequests, (*rig).rightMessages, (*rig).rightTypes, (*rig).rightCollectives, (*rig).rightComms,
			(*rig).rightAttributes, (*rig).rightTopologies, (*rig).rightErrors, (*rig).rightWindows, (*rig).rightTools, (*rig).rightRest,
		} {
			mark := r.next
			scene(r)
			r.next = mark
		}
		for i, f := range spec.Functions() {
			if !Supported(i) || apart[f.Name] || entries()[i].do == nil || r.fine[f.Name] {
				continue
			}
			mark := r.next
			code := r.call(f.Name, r.sound(&f)...)
			r.next = mark
			hopeless := false
			for _, begin := range nothing {
				hopeless = hopeless || strings.HasPrefix(f.Name, begin) && !strings.HasSuffix(f.Name, "_get_num")
			}
			if (code != spec.SUCCESS) != hopeless {
				t.Errorf("MPI_%s returns %d: %s", f.Name, code, r.p.errors.describe(code))
			}
		}
	})
}

// both calls something for a function and its twin with large counts.
func both(f func(twin string)) { f(""); f("_c") }

// numbers is an array of counts or displacements, as a function or its twin has them.
func (r *rig) numbers(twin string, values ...int) int {
	if twin == "" {
		return r.ints(values...)
	}
	return r.longs(values...)
}

func (r *rig) rightBuffers() {
	both(func(twin string) {
		for _, who := range []struct {
			name string
			args []int
		}{{"Buffer", nil}, {"Comm", []int{spec.COMM_SELF}}} {
			attach, detach := who.name+"_attach_buffer"+twin, who.name+"_detach_buffer"+twin
			if who.args == nil {
				attach, detach = "Buffer_attach"+twin, "Buffer_detach"+twin
			}
			request := r.longs(0)
			r.must(attach, append(who.args, r.room(4096), 4096)...)
			for _, name := range []string{"Bsend" + twin, "Ibsend" + twin} {
				args := []int{r.ints(1), 1, spec.INT, 0, 1, spec.COMM_SELF}
				if name[0] == 'I' {
					args = append(args, request)
				}
				r.must(name, args...)
				if name[0] == 'I' {
					r.must("Wait", request, 0)
				}
				r.must("Recv"+twin, r.ints(0), 1, spec.INT, 0, 1, spec.COMM_SELF, 0)
			}
			r.must(detach, append(who.args, r.longs(0), r.longs(0))...)
		}
		session := r.longs(0)
		r.must("Session_init", spec.INFO_NULL, spec.ERRORS_RETURN, session)
		s := r.longAt(session)
		r.must("Session_attach_buffer"+twin, s, r.room(4096), 4096)
		r.must("Session_flush_buffer", s)
		r.must("Session_iflush_buffer", s, r.longs(0))
		r.must("Session_detach_buffer"+twin, s, r.longs(0), r.longs(0))
		r.must("Session_get_num_psets", s, spec.INFO_NULL, r.ints(0))
		r.must("Session_get_nth_pset", s, spec.INFO_NULL, 0, r.ints(0), 0)
		r.must("Session_get_info", s, r.longs(0))
		r.must("Session_get_pset_info", s, r.text("mpi://SELF"), r.longs(0))
		r.must("Group_from_session_pset", s, r.text("mpi://WORLD"), r.longs(0))
		handler := r.longs(0)
		r.must("Session_create_errhandler", 5000, handler)
		r.must("Session_set_errhandler", s, r.longAt(handler))
		r.must("Session_call_errhandler", s, spec.ERR_ARG)
		r.must("Session_get_errhandler", s, handler)
		r.must("Session_finalize", session)
	})
}

// pair is a send and a receive that are under way within this rank.
func (r *rig) pair(tag int) int {
	at := r.longs(0, 0)
	r.must("Irecv", r.ints(0), 1, spec.INT, 0, tag, spec.COMM_SELF, at)
	r.must("Issend", r.ints(1), 1, spec.INT, 0, tag, spec.COMM_SELF, at+8)
	return at
}

func (r *rig) rightRequests() {
	flag, index, list, st := r.ints(0), r.ints(0), r.ints(0, 0), r.room(128)
	for _, w := range []struct {
		name string
		args []int
	}{{"Waitall", []int{st}}, {"Waitany", []int{index, st}}, {"Waitsome", []int{index, list, st}}, {"Testall", []int{flag, st}},
		{"Testany", []int{index, flag, st}}, {"Testsome", []int{index, list, st}}} {
		at := r.pair(1)
		r.must("Request_get_status", r.longAt(at), flag, st)
		r.must("Request_get_status_all", 2, at, flag, st)
		r.must("Request_get_status_any", 2, at, index, flag, st)
		r.must("Request_get_status_some", 2, at, index, list, st)
		r.must(w.name, append([]int{2, at}, w.args...)...)
		r.must("Waitall", 2, at, 0)
	}
	at := r.pair(1)
	r.must("Test", at, flag, st)
	r.must("Request_free", at+8)
	r.must("Wait", at, st)
	r.must("Irecv", r.ints(0), 1, spec.INT, 0, 9, spec.COMM_SELF, at)
	r.must("Cancel", at)
	r.must("Wait", at, st)
	r.must("Test_cancelled", st, flag)
	r.want(r.intAt(flag) == 1, "the receive was not cancelled")
	r.must("Recv_init", r.ints(0), 1, spec.INT, spec.PROC_NULL, 9, spec.COMM_SELF, at)
	r.must("Start", at)
	r.must("Wait", at, st)
	r.must("Startall", 1, at)
	r.must("Wait", at, st)
	r.must("Request_free", at)
	r.must("Grequest_start", 5000, 5000, 5000, 0, at)
	r.must("Cancel", at)
	r.must("Grequest_complete", r.longAt(at))
	r.must("Wait", at, st)
	both(func(twin string) {
		r.must("Psend_init"+twin, r.ints(1, 2), 2, 1, spec.INT, 0, 3, spec.COMM_SELF, spec.INFO_NULL, at)
		r.must("Precv_init"+twin, r.ints(0, 0), 1, 2, spec.INT, 0, 3, spec.COMM_SELF, spec.INFO_NULL, at+8)
		for _, ready := range []func(s int){
			func(s int) { r.must("Pready_range", 0, 1, s) },
			func(s int) { r.must("Pready_list", 2, r.ints(1, 0), s) },
			func(s int) { r.must("Pready", 0, s); r.must("Pready", 1, s) },
		} {
			r.must("Startall", 2, at)
			ready(r.longAt(at))
			r.must("Parrived", r.longAt(at+8), 0, flag)
			r.must("Waitall", 2, at, 0)
		}
		r.must("Request_free", at)
		r.must("Request_free", at+8)
	})
}

func (r *rig) rightMessages() {
	both(func(twin string) {
		request, message, flag := r.longs(0), r.longs(0), r.ints(0)
		for _, probe := range []func(){
			func() {
				r.must("Probe", 0, 1, spec.COMM_SELF, 0)
				r.must("Iprobe", 0, 1, spec.COMM_SELF, flag, 0)
				r.must("Recv"+twin, r.ints(0), 1, spec.INT, 0, 1, spec.COMM_SELF, 0)
			},
			func() {
				r.must("Mprobe", 0, 1, spec.COMM_SELF, message, 0)
				r.must("Mrecv"+twin, r.ints(0), 1, spec.INT, message, 0)
			},
			func() {
				r.must("Improbe", 0, 1, spec.COMM_SELF, flag, message, 0)
				r.must("Imrecv"+twin, r.ints(0), 1, spec.INT, message, request+8)
				r.must("Wait", request+8, 0)
			},
		} {
			r.must("Isend"+twin, r.ints(5), 1, spec.INT, 0, 1, spec.COMM_SELF, request)
			request = r.longs(r.longAt(request), 0)
			probe()
			r.must("Wait", request, 0)
		}
	})
}

func (r *rig) rightTypes() {
	t, bytes := r.longs(0), r.room(64)
	made := func(name string, args ...int) {
		r.must(name, append(args, t)...)
		r.must("Type_free", t)
	}
	both(func(twin string) {
		n := func(values ...int) int { return r.numbers(twin, values...) }
		made("Type_create_darray"+twin, 1, 0, 1, n(4), r.ints(spec.DISTRIBUTE_BLOCK), r.ints(spec.DISTRIBUTE_DFLT_DARG), r.ints(1), spec.ORDER_C, spec.INT)
		made("Type_create_subarray"+twin, 1, n(4), n(2), n(1), spec.ORDER_FORTRAN, spec.INT)
		made("Type_create_struct"+twin, 2, n(1, 1), r.longs(0, 8), r.longs(spec.INT, spec.DOUBLE))
		at := r.longs(0)
		r.must("Pack"+twin, r.ints(1, 2), 2, spec.INT, bytes, 64, at, spec.COMM_SELF)
		at = r.longs(0)
		r.must("Unpack"+twin, bytes, 8, at, r.ints(0, 0), 2, spec.INT, spec.COMM_SELF)
	})
	r.must("Type_contiguous", 3, spec.INT, t)
	ints := []int{r.ints(0), r.ints(0), r.ints(0), r.ints(0)}
	r.must("Type_get_envelope", r.longAt(t), ints[0], ints[1], ints[2], ints[3])
	r.must("Type_get_contents", r.longAt(t), 1, 0, 1, r.ints(0), r.longs(0), r.longs(0))
	r.must("Type_free", t)
	r.must("Type_contiguous_c", 3, spec.INT, t)
	r.must("Type_get_envelope_c", r.longAt(t), r.longs(0), r.longs(0), r.longs(0), r.longs(0), ints[3])
	r.must("Type_get_contents_c", r.longAt(t), 0, 0, 1, 1, r.ints(0), r.longs(0), r.longs(0), r.longs(0))
	r.must("Type_free", t)
	r.must("Type_match_size", spec.TYPECLASS_REAL, 8, t)
}

func (r *rig) rightCollectives() {
	mine, out := r.ints(1), r.ints(0)
	both(func(twin string) {
		one, none := r.numbers(twin, 1), r.numbers(twin, 0)
		types := r.longs(spec.INT)
		for name, args := range map[string][]int{
			"allgatherv": {mine, 1, spec.INT, out, one, none, spec.INT, spec.COMM_SELF}, "gatherv": {mine, 1, spec.INT, out, one, none, spec.INT, 0, spec.COMM_SELF},
			"scatterv":  {mine, one, none, spec.INT, out, 1, spec.INT, 0, spec.COMM_SELF},
			"alltoallv": {mine, one, none, spec.INT, out, one, none, spec.INT, spec.COMM_SELF}, "alltoallw": {mine, one, none, types, out, one, none, types, spec.COMM_SELF},
			"reduce_scatter": {mine, out, one, spec.INT, spec.SUM, spec.COMM_SELF},
		} {
			request := r.longs(0)
			upper := string(name[0]-'a'+'A') + name[1:]
			r.must(upper+twin, args...)
			r.must("I"+name+twin, append(args, request)...)
			r.must("Wait", request, 0)
			r.must(upper+"_init"+twin, append(args, spec.INFO_NULL, request)...)
			r.must("Start", request)
			r.must("Wait", request, 0)
			r.must("Request_free", request)
		}
		op := r.longs(0)
		r.must("Op_create"+twin, 5000, 1, op)
		r.must("Allreduce"+twin, mine, out, 1, spec.INT, r.longAt(op), spec.COMM_SELF)
		r.must("Op_free", op)
	})
}

func (r *rig) rightComms() {
	c, request, g := r.longs(0), r.longs(0), r.longs(0)
	made := func(name string, args ...int) {
		r.must(name, append(args, c)...)
		r.must("Comm_free", c)
	}
	r.must("Comm_group", spec.COMM_SELF, g)
	made("Comm_create", spec.COMM_SELF, r.longAt(g))
	made("Comm_create_group", spec.COMM_SELF, r.longAt(g), 1)
	made("Comm_create_from_group", r.longAt(g), r.text("x"), spec.INFO_NULL, spec.ERRORS_RETURN)
	made("Comm_split", spec.COMM_SELF, 0, 0)
	made("Comm_split_type", spec.COMM_SELF, spec.COMM_TYPE_SHARED, 0, spec.INFO_NULL)
	hint := r.longs(0)
	r.must("Info_create", hint)
	for _, resource := range []string{"mpi_shared_memory", "hwloc://NUMANode", "hwloc://L2Cache"} {
		r.must("Info_set", r.longAt(hint), r.text("mpi_hw_resource_type"), r.text(resource))
		r.must("Comm_split_type", spec.COMM_SELF, spec.COMM_TYPE_RESOURCE_GUIDED, 0, r.longAt(hint), c)
		switch known := r.longAt(c) != spec.COMM_NULL; { // a process that may use several NUMA nodes is nowhere
		case known:
			r.must("Comm_free", c)
		case resource == "mpi_shared_memory":
			r.Error("no communicator by shared memory")
		}
	}
	r.must("Info_free", hint)
	for name, args := range map[string][]int{"Comm_idup": {spec.COMM_SELF}, "Comm_idup_with_info": {spec.COMM_SELF, spec.INFO_NULL}} {
		r.must(name, append(args, c, request)...)
		r.must("Wait", request, 0)
		r.must("Comm_disconnect", c)
	}
	r.must("Group_incl", r.longAt(g), 1, r.ints(0), c)
	r.must("Group_free", c)
	r.must("Group_excl", r.longAt(g), 0, 0, c)
	for name, last := range map[string]int{"Group_range_incl": 0, "Group_range_excl": 0} {
		r.must(name, r.longAt(g), 1, r.ints(0, last, 1), c)
	}
	r.must("Group_translate_ranks", r.longAt(g), 1, r.ints(0), r.longAt(g), r.ints(9))
	// Of two groups there is nothing with one rank: TestIntercommsMade has them.
	for _, name := range []string{"Comm_remote_group", "Comm_remote_size", "Intercomm_create", "Intercomm_create_from_groups", "Intercomm_merge"} {
		r.fine[name] = true
	}
}

func (r *rig) rightAttributes() {
	window := r.longs(0)
	r.must("Win_create", r.room(8), 8, 1, spec.INFO_NULL, spec.COMM_SELF, window)
	for _, o := range []struct {
		name               string
		create, set, freed string
		object             int
	}{
		{"Comm_", "Comm_create_keyval", "Comm_set_attr", "Comm_free_keyval", spec.COMM_SELF}, {"Type_", "Type_create_keyval", "Type_set_attr", "Type_free_keyval", spec.INT},
		{"Win_", "Win_create_keyval", "Win_set_attr", "Win_free_keyval", r.longAt(window)}, {"Attr_", "Keyval_create", "Attr_put", "Keyval_free", spec.COMM_SELF},
	} {
		key, get, drop := r.ints(0), o.name+"get_attr", o.name+"delete_attr"
		if o.name == "Attr_" {
			get, drop = "Attr_get", "Attr_delete"
		}
		r.must(o.create, nullFn, nullFn, key, 0)
		r.must(o.set, o.object, r.intAt(key), 7)
		r.must(get, o.object, r.intAt(key), r.longs(0), r.ints(0))
		r.must(drop, o.object, r.intAt(key))
		r.must(o.freed, key)
	}
	r.must("Win_free", window)
}

func (r *rig) rightTopologies() {
	cart, graph, told, beside, two := r.longs(0), r.longs(0), r.longs(0), r.longs(0), r.ints(0, 0)
	r.must("Cart_create", spec.COMM_SELF, 1, r.ints(1), r.ints(1), 0, cart)
	c := r.longAt(cart)
	r.must("Cart_coords", c, 0, 1, two)
	r.must("Cart_get", c, 1, two, r.ints(0), r.ints(0))
	r.must("Cart_rank", c, r.ints(0), two)
	r.must("Cart_shift", c, 0, 1, two, two+4)
	r.must("Cart_sub", c, r.ints(1), r.longs(0))
	r.must("Cartdim_get", c, two)
	r.must("Cart_map", spec.COMM_SELF, 1, r.ints(1), r.ints(0), two)
	r.must("Dims_create", 1, 1, r.ints(0))
	r.must("Graph_create", spec.COMM_SELF, 1, r.ints(1), r.ints(0), 0, graph)
	g := r.longAt(graph)
	r.must("Graphdims_get", g, two, two+4)
	r.must("Graph_get", g, 1, 1, two, two+4)
	r.must("Graph_map", spec.COMM_SELF, 1, r.ints(1), r.ints(0), two)
	r.must("Graph_neighbors", g, 0, 1, two)
	r.must("Graph_neighbors_count", g, 0, two)
	r.must("Dist_graph_create", spec.COMM_SELF, 1, r.ints(0), r.ints(1), r.ints(0), spec.UNWEIGHTED, spec.INFO_NULL, 0, told)
	r.must("Dist_graph_create_adjacent", spec.COMM_SELF, 1, r.ints(0), r.ints(1), 1, r.ints(0), r.ints(1), spec.INFO_NULL, 0, beside)
	r.must("Dist_graph_neighbors", r.longAt(beside), 1, two, two+4, 1, r.ints(0), r.ints(0))
	r.must("Dist_graph_neighbors_count", r.longAt(told), two, two+4, r.ints(0))
	c = r.longAt(told)
	both(func(twin string) {
		mine, out, one, none, bytes, types := r.ints(1), r.ints(0), r.numbers(twin, 1), r.numbers(twin, 0), r.longs(0), r.longs(spec.INT)
		for name, args := range map[string][]int{
			"allgather": {mine, 1, spec.INT, out, 1, spec.INT, c}, "allgatherv": {mine, 1, spec.INT, out, one, none, spec.INT, c},
			"alltoall": {mine, 1, spec.INT, out, 1, spec.INT, c}, "alltoallv": {mine, one, none, spec.INT, out, one, none, spec.INT, c},
			"alltoallw": {mine, one, bytes, types, out, one, bytes, types, c},
		} {
			request := r.longs(0)
			r.must("Neighbor_"+name+twin, args...)
			r.must("Ineighbor_"+name+twin, append(args, request)...)
			r.must("Wait", request, 0)
			r.must("Neighbor_"+name+"_init"+twin, append(args, spec.INFO_NULL, request)...)
			r.must("Start", request)
			r.must("Wait", request, 0)
			r.must("Request_free", request)
		}
	})
	for _, at := range []int{cart, graph, told, beside} {
		r.must("Comm_free", at)
	}
}

func (r *rig) rightErrors() {
	class, code, text := r.ints(0), r.ints(0), r.text("it is so")
	r.must("Add_error_class", class)
	r.must("Add_error_code", r.intAt(class), code)
	r.must("Add_error_string", r.intAt(code), text)
	r.must("Remove_error_string", r.intAt(code))
	r.must("Remove_error_code", r.intAt(code))
	r.must("Remove_error_class", r.intAt(class))
	handler := r.longs(0)
	for _, kind := range []string{"Comm", "Win", "File"} {
		r.must(kind+"_create_errhandler", 5000, handler)
		if kind == "File" {
			r.must("File_set_errhandler", spec.FILE_NULL, r.longAt(handler))
			r.must("File_call_errhandler", spec.FILE_NULL, spec.ERR_FILE)
			r.must("File_get_errhandler", spec.FILE_NULL, r.longs(0))
		}
		r.must("Errhandler_free", handler)
	}
	info := r.longs(0)
	r.must("Info_create", info)
	i := r.longAt(info)
	r.must("Info_set", i, r.text("key"), r.text("value"))
	r.must("Info_get_nthkey", i, 0, r.room(256))
	for _, name := range []string{"Info_get", "Info_get_string"} {
		args := []int{i, r.text("key"), 8, r.room(64), r.ints(0)}
		if name == "Info_get_string" {
			args[2] = r.ints(8)
		}
		r.must(name, args...)
	}
	r.must("Info_get_nkeys", i, class)
	r.must("Info_get_valuelen", i, r.text("key"), class, r.ints(0))
	r.must("Info_dup", i, r.longs(0))
	r.must("Comm_set_info", spec.COMM_SELF, i)
	r.must("Abi_set_fortran_info", i)
	r.must("Info_delete", i, r.text("key"))
	r.must("Info_create_env", 0, 0, r.longs(0))
	r.must("Info_free", info)
}

func (r *rig) rightWindows() {
	window, base, size := r.longs(0), r.longs(0), r.longs(0)
	both(func(twin string) {
		r.must("Win_allocate"+twin, 64, 4, spec.INFO_NULL, spec.COMM_SELF, base, window)
		r.must("Win_free", window)
		r.must("Win_allocate_shared"+twin, 64, 4, spec.INFO_NULL, spec.COMM_SELF, base, window)
		r.must("Win_shared_query"+twin, r.longAt(window), 0, size, r.longs(0), base)
		r.must("Win_free", window)
	})
	r.must("Win_create_dynamic", spec.INFO_NULL, spec.COMM_SELF, window)
	piece := r.room(64)
	r.must("Win_attach", r.longAt(window), piece, 64)
	r.must("Win_detach", r.longAt(window), piece)
	r.must("Win_free", window)
	for _, twin := range []string{"", "_c"} {
		r.must("Win_create"+twin, r.room(64), 64, 4, spec.INFO_NULL, spec.COMM_SELF, window)
		w := r.longAt(window)
		r.must("Win_lock", spec.LOCK_EXCLUSIVE, 0, 0, w)
		own, old := r.ints(1, 2), r.ints(0, 0)
		request := r.longs(0)
		for name, args := range map[string][]int{
			"put": {own, 1, spec.INT, 0, 0, 1, spec.INT, w}, "get": {old, 1, spec.INT, 0, 0, 1, spec.INT, w},
			"accumulate":     {own, 1, spec.INT, 0, 0, 1, spec.INT, spec.SUM, w},
			"get_accumulate": {own, 1, spec.INT, old, 1, spec.INT, 0, 0, 1, spec.INT, spec.SUM, w},
		} {
			r.must(string(name[0]-'a'+'A')+name[1:]+twin, args...)
			r.must("R"+name+twin, append(args, request)...)
			r.must("Wait", request, 0)
			r.must("Win_flush", 0, w)
		}
		r.must("Fetch_and_op", own, old, spec.INT, 0, 0, spec.SUM, w)
		r.must("Compare_and_swap", own, own+4, old, spec.INT, 0, 0, w)
		r.must("Win_flush_local", 0, w)
		r.must("Win_unlock", 0, w)
		r.must("Win_lock_all", 0, w)
		r.must("Win_flush_all", w)
		r.must("Win_flush_local_all", w)
		r.must("Win_sync", w)
		r.must("Win_unlock_all", w)
		r.must("Win_fence", 0, w)
		r.must("Win_fence", spec.MODE_NOSUCCEED, w)
		g, flag := r.longs(0), r.ints(0)
		r.must("Win_get_group", w, g)
		for _, end := range []string{"Win_wait", "Win_test"} {
			r.must("Win_post", r.longAt(g), 0, w)
			r.must("Win_start", r.longAt(g), 0, w)
			r.must("Win_complete", w)
			if end == "Win_wait" {
				r.must(end, w)
			}
			for end == "Win_test" && r.intAt(flag) == 0 {
				r.must(end, w, flag)
			}
		}
		handler, info := r.longs(0), r.longs(0)
		r.must("Win_create_errhandler", 5000, handler)
		r.must("Win_set_errhandler", w, r.longAt(handler))
		r.must("Win_call_errhandler", w, spec.ERR_ARG)
		r.must("Win_get_errhandler", w, handler)
		r.must("Win_set_name", w, r.text("w"))
		r.must("Win_get_name", w, r.room(256), flag)
		r.must("Win_get_info", w, info)
		r.must("Win_set_info", w, r.longAt(info))
		r.must("Win_free", window)
	}
}

func (r *rig) rightTools() {
	handle, session, n, name := r.longs(0), r.longs(0), r.ints(0), r.room(256)
	r.must("T_init_thread", spec.THREAD_SINGLE, n)
	r.must("T_cvar_get_info", 0, name, r.ints(256), 0, 0, 0, 0, 0, 0, 0)
	r.must("T_cvar_get_index", name, n)
	r.must("T_cvar_handle_alloc", 0, 0, handle, n)
	r.must("T_cvar_read", r.longAt(handle), r.room(4096))
	r.must("T_cvar_handle_free", handle)
	class := r.ints(0)
	r.must("T_pvar_get_info", 0, name, r.ints(256), 0, class, 0, 0, 0, 0, 0, 0, 0, 0)
	r.must("T_pvar_get_index", name, r.intAt(class), n)
	r.must("T_pvar_session_create", session)
	s := r.longAt(session)
	r.must("T_pvar_handle_alloc", s, 0, 0, handle, n)
	r.must("T_pvar_read", s, r.longAt(handle), r.longs(0))
	for _, f := range []string{"T_pvar_start", "T_pvar_stop", "T_pvar_reset"} { // counters count always, and from the beginning
		r.want(r.call(f, s, r.longAt(handle)) != spec.SUCCESS, "%s succeeds", f)
		r.fine[f] = true
	}
	r.want(r.call("T_pvar_readreset", s, r.longAt(handle), r.longs(0)) != spec.SUCCESS, "a counter is set back")
	r.fine["T_pvar_readreset"] = true
	r.must("T_pvar_handle_free", s, handle)
	r.must("T_pvar_session_free", session)
	r.must("T_finalize")
	r.must("T_init_thread", spec.THREAD_SINGLE, n) // for the others
}

func (r *rig) rightRest() {
	at := r.longs(0)
	r.must("Alloc_mem", 64, spec.INFO_NULL, at)
	r.must("Free_mem", r.longAt(at))
	r.must("Abi_set_fortran_booleans", 4, r.ints(1), r.ints(0))
	r.must("Abi_get_fortran_booleans", 4, r.ints(0), r.ints(0), r.ints(0))
	r.must("Comm_create_errhandler", 5000, at)
	r.must("Comm_set_errhandler", spec.COMM_SELF, r.longAt(at))
	r.must("Comm_call_errhandler", spec.COMM_SELF, spec.ERR_ARG)
	r.must("Comm_set_errhandler", spec.COMM_SELF, spec.ERRORS_RETURN)
}
