package abi

import (
	"os"
	"reflect"
	"sync"

	"github.com/weft-mpi/weft/internal/abi/spec"
	"github.com/weft-mpi/weft/internal/boot"
	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/progress"
)

// The tool information interface: its control variables are Weft's settings, as texts that cannot be changed any
// more; its performance variables are the counters that WEFT_REPORT writes. There are no events.

// chapterTools has the tool information interface.
var chapterTools = map[string]row{
	"Pcontrol":      {do: func(call) error { return nil }, always: true},
	"T_init_thread": {do: toolInit, always: true}, "T_finalize": {do: toolFinalize, always: true},
	"T_cvar_get_num": {do: tool(countOf(numCvars)), always: true}, "T_cvar_get_index": {do: tool(cvarIndex), always: true}, "T_cvar_get_info": {do: tool(cvarInfo), always: true},
	"T_cvar_handle_alloc": {do: tool(cvarHandle), always: true}, "T_cvar_handle_free": {do: tool(freeCvar), always: true}, "T_cvar_read": {do: tool(readCvar), always: true},
	"T_cvar_write":   {do: tool(writeCvar), always: true},
	"T_pvar_get_num": {do: tool(countOf(numPvars)), always: true}, "T_pvar_get_index": {do: tool(pvarIndex), always: true}, "T_pvar_get_info": {do: tool(pvarInfo), always: true},
	"T_pvar_session_create": {do: tool(newPvarSession), always: true}, "T_pvar_session_free": {do: tool(freePvarSession), always: true},
	"T_pvar_handle_alloc": {do: tool(pvarHandle), always: true}, "T_pvar_handle_free": {do: tool(freePvar), always: true}, "T_pvar_read": {do: tool(readPvar), always: true},
	"T_pvar_start": {do: tool(startPvar), always: true}, "T_pvar_stop": {do: tool(startPvar), always: true}, "T_pvar_write": {do: tool(changePvar), always: true},
	"T_pvar_reset": {do: tool(changePvar), always: true}, "T_pvar_readreset": {do: tool(changePvar), always: true},
	"T_category_get_num": {do: tool(countOf(none)), always: true}, "T_category_changed": {do: tool(countOf(none)), always: true}, "T_category_get_index": {do: tool(noName), always: true},
	"T_category_get_info": {do: tool(noIndex), always: true}, "T_category_get_cvars": {do: tool(noIndex), always: true}, "T_category_get_pvars": {do: tool(noIndex), always: true},
	"T_category_get_categories": {do: tool(noIndex), always: true}, "T_category_get_events": {do: tool(noIndex), always: true}, "T_category_get_num_events": {do: tool(noIndex), always: true},
	"T_enum_get_info": {do: tool(noHandle), always: true}, "T_enum_get_item": {do: tool(noHandle), always: true},
	"T_event_get_num": {do: tool(countOf(none)), always: true}, "T_event_get_index": {do: tool(noName), always: true}, "T_event_get_info": {do: tool(noIndex), always: true},
	"T_event_handle_alloc": {do: tool(noIndex), always: true}, "T_source_get_num": {do: tool(countOf(none)), always: true}, "T_source_get_info": {do: tool(noIndex), always: true},
	"T_source_get_timestamp":    {do: tool(noIndex), always: true},
	"T_event_callback_get_info": {do: tool(noHandle), always: true}, "T_event_callback_set_info": {do: tool(noHandle), always: true},
	"T_event_copy": {do: tool(noHandle), always: true}, "T_event_get_source": {do: tool(noHandle), always: true}, "T_event_get_timestamp": {do: tool(noHandle), always: true},
	"T_event_handle_free": {do: tool(noHandle), always: true}, "T_event_handle_get_info": {do: tool(noHandle), always: true},
	"T_event_handle_set_info": {do: tool(noHandle), always: true}, "T_event_read": {do: tool(noHandle), always: true},
	"T_event_register_callback": {do: tool(noHandle), always: true}, "T_event_set_dropped_handler": {do: tool(noHandle), always: true},
}

// tools is the state of the interface.
type tools struct {
	mu       sync.Mutex
	uses     int
	cvars    []cvar
	handles  table[cvar]
	sessions table[pvarSession]
	pvars    table[pvar]
}

// cvar is a control variable: a setting.
type cvar struct{ name, value, text string }

// pvarSession is what handles of performance variables belong to.
type pvarSession struct{}

// pvar is a performance variable in a session.
type pvar struct {
	session uintptr
	index   int
}

func toolFailure(class int, text string) error { return &failure{class: class, text: text} }

// tool is a handler of the interface, which has to be initialised.
func tool(do handler) handler {
	return func(c call) error {
		t := &c.p.tools
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.uses == 0 {
			return toolFailure(spec.T_ERR_NOT_INITIALIZED, "MPI_T_init_thread has not been called")
		}
		return do(c)
	}
}

// toolInit is T_init_thread: level, level.
func toolInit(c call) error {
	if err := c.outs(1); err != nil {
		return toolFailure(spec.T_ERR_INVALID, err.Error())
	}
	t := &c.p.tools
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.uses == 0 && t.cvars == nil {
		t.handles.kind, t.sessions.kind, t.pvars.kind = cvarKind, pvarSessionKind, pvarKind
		set, err := boot.ReadSettings(os.Environ())
		if err != nil {
			return toolFailure(spec.T_ERR_CANNOT_INIT, err.Error())
		}
		for _, v := range set.Values.Public() {
			t.cvars = append(t.cvars, cvar{v.Name, v.Value, v.Text})
		}
	}
	t.uses++
	c.setInt(1, spec.THREAD_MULTIPLE)
	return nil
}

func toolFinalize(c call) error {
	t := &c.p.tools
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.uses == 0 {
		return toolFailure(spec.T_ERR_NOT_INITIALIZED, "MPI_T_init_thread has not been called")
	}
	t.uses--
	return nil
}

func none(*Proc) int       { return 0 }
func numCvars(p *Proc) int { return len(p.tools.cvars) }
func numPvars(*Proc) int   { return len(pvarNames()) }

// countOf returns how many of something there are.
func countOf(n func(*Proc) int) handler {
	return func(c call) error {
		if err := c.outs(0); err != nil {
			return toolFailure(spec.T_ERR_INVALID, err.Error())
		}
		c.setInt(0, n(c.p))
		return nil
	}
}

func noName(call) error { return toolFailure(spec.T_ERR_INVALID_NAME, "there is none of that name") }
func noIndex(call) error {
	return toolFailure(spec.T_ERR_INVALID_INDEX, "there is none of that number")
}
func noHandle(call) error { return toolFailure(spec.T_ERR_INVALID_HANDLE, "there is no such handle") }

// setToolText returns a text where argument length, unless null, says how much room there is, and is set to what is needed.
func (c call) setToolText(at, length int, s string) {
	n := c.ptr(length)
	if n == nil {
		return
	}
	room := int(*(*int32)(n))
	*(*int32)(n) = int32(len(s) + 1)
	if room > 0 && c.ptr(at) != nil {
		c.setText(at, -1, room, s)
	}
}

// indexed finds a name in a list.
func (c call) indexOf(at int, names func(int) string, n int) error {
	name, err := c.text(0)
	if err != nil {
		return toolFailure(spec.T_ERR_INVALID, err.Error())
	}
	if err := c.outs(at); err != nil {
		return toolFailure(spec.T_ERR_INVALID, err.Error())
	}
	for i := range n {
		if names(i) == name {
			c.setInt(at, i)
			return nil
		}
	}
	return noName(c)
}

func cvarIndex(c call) error {
	all := c.p.tools.cvars
	return c.indexOf(1, func(i int) string { return all[i].name }, len(all))
}

// cvarInfo is T_cvar_get_info: number, name, its length, verbosity, type, enumeration, description, its length, binding, scope.
func cvarInfo(c call) error {
	all, i := c.p.tools.cvars, c.int(0)
	if i < 0 || i >= len(all) {
		return noIndex(c)
	}
	c.setToolText(1, 2, all[i].name)
	c.setInt(3, spec.T_VERBOSITY_USER_BASIC)
	c.setHandle(4, spec.CHAR)
	c.setHandle(5, spec.T_ENUM_NULL)
	c.setToolText(6, 7, all[i].text)
	c.setInt(8, spec.T_BIND_NO_OBJECT)
	c.setInt(9, spec.T_SCOPE_READONLY)
	return nil
}

// cvarHandle is T_cvar_handle_alloc: number, object, handle, count.
func cvarHandle(c call) error {
	t, i := &c.p.tools, c.int(0)
	if i < 0 || i >= len(t.cvars) {
		return noIndex(c)
	}
	if err := c.outs(2, 3); err != nil {
		return toolFailure(spec.T_ERR_INVALID, err.Error())
	}
	h, err := t.handles.add(&t.cvars[i])
	if err != nil {
		return toolFailure(spec.T_ERR_OUT_OF_HANDLES, err.Error())
	}
	c.setHandle(2, h)
	c.setInt(3, len(t.cvars[i].value)+1)
	return nil
}

// dropHandle takes a handle that an argument points to out of a table, and sets it to null.
func dropHandle[T any](c call, i int, t *table[T]) error {
	h, err := c.handleAt(i)
	if err != nil || t.remove(h) == nil {
		return noHandle(c)
	}
	c.setHandle(i, 0)
	return nil
}

func freeCvar(c call) error { return dropHandle(c, 0, &c.p.tools.handles) }

func readCvar(c call) error {
	v := c.p.tools.handles.get(c.word(0))
	if v == nil {
		return noHandle(c)
	}
	if err := c.outs(1); err != nil {
		return toolFailure(spec.T_ERR_INVALID, err.Error())
	}
	c.setText(1, -1, len(v.value)+1, v.value)
	return nil
}

func writeCvar(c call) error {
	if c.p.tools.handles.get(c.word(0)) == nil {
		return noHandle(c)
	}
	return toolFailure(spec.T_ERR_CVAR_SET_NEVER, "settings are read when the rank comes up")
}

// counters are the counters of a rank; of nobody, zero ones.
func counters(r *boot.Rank) []any {
	var e engine.Counters
	var commons progress.CommonsCounters
	var windows progress.RMACounters
	if r != nil {
		e, _ = r.Counters()
		commons, windows = r.Commons(), r.Windows()
	}
	return []any{e, commons, windows}
}

// eachCounter calls f with every counter that is a number.
func eachCounter(r *boot.Rank, f func(name string, value uint64)) {
	for i, group := range counters(r) {
		v := reflect.ValueOf(group)
		for k := range v.NumField() {
			name := []string{"messages.", "commons.", "windows."}[i] + v.Type().Field(k).Name
			switch field := v.Field(k); {
			case field.CanUint():
				f(name, field.Uint())
			case field.CanInt():
				f(name, uint64(field.Int()))
			}
		}
	}
}

// pvarNames are the names of the counters.
var pvarNames = sync.OnceValue(func() (names []string) {
	eachCounter(nil, func(name string, _ uint64) { names = append(names, name) })
	return names
})

// pvarIndex is T_pvar_get_index: name, class, number.
func pvarIndex(c call) error {
	if c.int(1) != spec.T_PVAR_CLASS_COUNTER {
		return noName(c)
	}
	return c.indexOf(2, func(i int) string { return pvarNames()[i] }, len(pvarNames()))
}

// pvarInfo is T_pvar_get_info: number, name, its length, verbosity, class, type, enumeration, description, its length, binding, readonly,
// continuous, atomic.
func pvarInfo(c call) error {
	i := c.int(0)
	if i < 0 || i >= len(pvarNames()) {
		return noIndex(c)
	}
	c.setToolText(1, 2, pvarNames()[i])
	c.setInt(3, spec.T_VERBOSITY_USER_DETAIL)
	c.setInt(4, spec.T_PVAR_CLASS_COUNTER)
	c.setHandle(5, spec.UNSIGNED_LONG_LONG)
	c.setHandle(6, spec.T_ENUM_NULL)
	c.setToolText(7, 8, "see docs/reference/counters.md")
	c.setInt(9, spec.T_BIND_NO_OBJECT)
	for _, flag := range []int{10, 11} {
		c.setInt(flag, 1)
	}
	c.setInt(12, 0)
	return nil
}

func newPvarSession(c call) error {
	if err := c.outs(0); err != nil {
		return toolFailure(spec.T_ERR_INVALID, err.Error())
	}
	h, err := c.p.tools.sessions.add(new(pvarSession))
	if err != nil {
		return toolFailure(spec.T_ERR_OUT_OF_SESSIONS, err.Error())
	}
	c.setHandle(0, h)
	return nil
}

func freePvarSession(c call) error {
	if dropHandle(c, 0, &c.p.tools.sessions) != nil {
		return toolFailure(spec.T_ERR_INVALID_SESSION, "there is no such session")
	}
	return nil
}

// pvarHandle is T_pvar_handle_alloc: session, number, object, handle, count.
func pvarHandle(c call) error {
	t, i := &c.p.tools, c.int(1)
	if t.sessions.get(c.word(0)) == nil {
		return toolFailure(spec.T_ERR_INVALID_SESSION, "there is no such session")
	}
	if i < 0 || i >= len(pvarNames()) {
		return noIndex(c)
	}
	if err := c.outs(3, 4); err != nil {
		return toolFailure(spec.T_ERR_INVALID, err.Error())
	}
	h, err := t.pvars.add(&pvar{c.word(0), i})
	if err != nil {
		return toolFailure(spec.T_ERR_OUT_OF_HANDLES, err.Error())
	}
	c.setHandle(3, h)
	c.setInt(4, 1)
	return nil
}

// pvar is arguments 0 and 1, a session and a handle of its.
func (c call) pvar(h uintptr) (*pvar, error) {
	t := &c.p.tools
	if t.sessions.get(c.word(0)) == nil {
		return nil, toolFailure(spec.T_ERR_INVALID_SESSION, "there is no such session")
	}
	v := t.pvars.get(h)
	if v == nil || v.session != c.word(0) {
		return nil, noHandle(c)
	}
	return v, nil
}

func freePvar(c call) error {
	h, err := c.handleAt(1)
	if err != nil {
		return noHandle(c)
	}
	if _, err := c.pvar(h); err != nil {
		return err
	}
	return dropHandle(c, 1, &c.p.tools.pvars)
}

// readPvar is T_pvar_read: session, handle, buffer.
func readPvar(c call) error {
	v, err := c.pvar(c.word(1))
	if err != nil {
		return err
	}
	if err := c.outs(2); err != nil {
		return toolFailure(spec.T_ERR_INVALID, err.Error())
	}
	i := 0
	eachCounter(c.p.rank, func(_ string, value uint64) {
		if i == v.index {
			c.setLong(2, int(value))
		}
		i++
	})
	return nil
}

// startPvar is T_pvar_start and T_pvar_stop: all variables count all the time.
func startPvar(c call) error {
	if c.word(1) != spec.T_PVAR_ALL_HANDLES {
		if _, err := c.pvar(c.word(1)); err != nil {
			return err
		}
		return toolFailure(spec.T_ERR_PVAR_NO_STARTSTOP, "the variable counts all the time")
	}
	return nil
}

// changePvar is T_pvar_write, T_pvar_reset and T_pvar_readreset: nothing can be changed.
func changePvar(c call) error {
	if c.f.Name == "T_pvar_reset" && c.word(1) == spec.T_PVAR_ALL_HANDLES {
		return nil
	}
	if _, err := c.pvar(c.word(1)); err != nil {
		return err
	}
	return toolFailure(spec.T_ERR_PVAR_NO_WRITE, "the variable cannot be changed")
}
