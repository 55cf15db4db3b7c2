package abi

import (
	"fmt"
	"sync"

	"github.com/weft-mpi/weft/internal/abi/spec"
	"github.com/weft-mpi/weft/internal/comm"
)

// errhandler says what is done about errors of an object.
type errhandler struct {
	handle uintptr
	kind   handlerKind
	of     kind    // objects it is for
	fn     uintptr // of the program's
}

type handlerKind uint8

// What is done.
const (
	handlerFatal   handlerKind = iota // the job ends; what the standard says if nobody says otherwise
	handlerAborts                     // the processes of the communicator end
	handlerReturns                    // the call returns the code
	handlerCalls                      // a function of the program's is called
)

// userErrors are error classes, codes and texts that the program has added.
type userErrors struct {
	mu    sync.Mutex
	last  int // the highest code in use
	class map[int]int
	text  map[int]string
}

// chapterErrors has error handlers, classes and codes.
var chapterErrors = map[string]row{
	"Comm_create_errhandler": {do: createErrhandler(commKind), always: true}, "Win_create_errhandler": {do: createErrhandler(winKind), always: true},
	"Session_create_errhandler": {do: createErrhandler(sessionKind), always: true}, "File_create_errhandler": {do: createErrhandler(fileKind), always: true},
	"Comm_set_errhandler": {do: setErrhandler}, "Win_set_errhandler": {do: setErrhandler}, "Session_set_errhandler": {do: setErrhandler}, "File_set_errhandler": {do: setErrhandler},
	"Comm_get_errhandler": {do: getErrhandler}, "Win_get_errhandler": {do: getErrhandler}, "Session_get_errhandler": {do: getErrhandler}, "File_get_errhandler": {do: getErrhandler},
	"Comm_call_errhandler": {do: callErrhandler}, "Win_call_errhandler": {do: callErrhandler}, "Session_call_errhandler": {do: callErrhandler}, "File_call_errhandler": {do: callErrhandler},
	"Errhandler_free": {do: freeErrhandler, always: true},
	"Error_class":     {do: errorClass, always: true}, "Error_string": {do: errorString, always: true},
	"Add_error_class": {do: addErrorClass, always: true}, "Add_error_code": {do: addErrorCode, always: true}, "Add_error_string": {do: addErrorString, always: true},
	"Remove_error_class": {do: removeError, always: true}, "Remove_error_code": {do: removeError, always: true}, "Remove_error_string": {do: removeError, always: true},
}

func createErrhandler(of kind) handler {
	return func(c call) error {
		if c.word(0) < firstPage {
			return bad(spec.ERR_ARG, "the error handler is no function")
		}
		if err := c.outs(1); err != nil {
			return err
		}
		e := &errhandler{kind: handlerCalls, of: of, fn: c.word(0)}
		var err error
		if e.handle, err = c.p.errhandlers.add(e); err != nil {
			return err
		}
		c.setHandle(1, e.handle)
		return nil
	}
}

// errhandlerAt is an error handler for objects of a kind.
func (p *Proc) errhandlerAt(h uintptr, of kind) (errhandler, error) {
	switch h {
	case spec.ERRORS_ARE_FATAL:
		return errhandler{handle: h, kind: handlerFatal}, nil
	case spec.ERRORS_ABORT:
		return errhandler{handle: h, kind: handlerAborts}, nil
	case spec.ERRORS_RETURN:
		return errhandler{handle: h, kind: handlerReturns}, nil
	}
	if e := p.errhandlers.get(h); e != nil && e.of == of {
		return *e, nil
	}
	return errhandler{}, bad(spec.ERR_ERRHANDLER, "0x%x is no error handler for this kind of object", h)
}

// alive tells whether a target is an object that errors can concern.
func (p *Proc) alive(t target) bool { return p.handlerPlace(t) != nil }

// handlerPlace is where an object keeps its error handler; nil if it is none.
func (p *Proc) handlerPlace(t target) *errhandler {
	switch t.kind {
	case commKind:
		if cm, err := p.commOf(t.handle); err == nil {
			return &cm.errors
		}
	case winKind:
		if w := p.wins.get(t.handle); w != nil {
			return &w.errors
		}
	case sessionKind:
		if s := p.sessions.get(t.handle); s != nil {
			return &s.errors
		}
	case fileKind: // there are no files yet, but what programs want for all of them
		if t.handle == spec.FILE_NULL {
			return &p.files
		}
	}
	return nil
}

// errhandlerOf is what is done about errors of an object. Before MPI_Init errors are fatal.
func (p *Proc) errhandlerOf(t target) errhandler {
	if at := p.handlerPlace(t); at != nil {
		p.errors.mu.Lock()
		defer p.errors.mu.Unlock()
		return *at
	}
	return errhandler{kind: handlerFatal}
}

// callHandler has the program's function deal with an error.
func (p *Proc) callHandler(h errhandler, t target, code int) int {
	if p.cfg.Hooks.Handle != nil {
		p.cfg.Hooks.Handle(h.fn, t.handle, code)
	}
	return code
}

// handled is argument 0, an object with an error handler.
func (c call) handled() (target, *errhandler, error) {
	t := target{commKind, c.word(0)}
	switch c.f.Args[0].Kind {
	case "win":
		if _, err := c.win(0); err != nil {
			return t, nil, err
		}
		t.kind = winKind
	case "session":
		if _, err := c.session(0); err != nil {
			return t, nil, err
		}
		t.kind = sessionKind
	case "file":
		if t.kind = fileKind; t.handle != spec.FILE_NULL {
			return t, nil, bad(spec.ERR_FILE, "0x%x is no file", t.handle)
		}
	default:
		if _, err := c.comm(0); err != nil {
			return t, nil, err
		}
	}
	return t, c.p.handlerPlace(t), nil
}

func setErrhandler(c call) error {
	t, at, err := c.handled()
	if err != nil {
		return err
	}
	h, err := c.p.errhandlerAt(c.word(1), t.kind)
	if err != nil {
		return err
	}
	c.p.errors.mu.Lock()
	defer c.p.errors.mu.Unlock()
	*at = h
	return nil
}

// getErrhandler returns a handle of its own, which the program frees.
func getErrhandler(c call) error {
	t, _, err := c.handled()
	if err != nil {
		return err
	}
	if err := c.outs(1); err != nil {
		return err
	}
	h := c.p.errhandlerOf(t)
	if h.kind == handlerCalls {
		copied := h
		if copied.handle, err = c.p.errhandlers.add(&copied); err != nil {
			return err
		}
		h.handle = copied.handle
	} else if h.handle == 0 {
		h.handle = spec.ERRORS_ARE_FATAL
	}
	c.setHandle(1, h.handle)
	return nil
}

func callErrhandler(c call) error {
	t, _, err := c.handled()
	if err != nil {
		return err
	}
	code := c.int(1)
	switch h := c.p.errhandlerOf(t); h.kind {
	case handlerCalls:
		c.p.callHandler(h, t, code)
	case handlerReturns:
	default:
		c.p.die(h, code, fmt.Sprintf("MPI_%s: %s", c.f.Name, c.p.errors.describe(code)))
	}
	return nil
}

func freeErrhandler(c call) error {
	h, err := c.handleAt(0)
	if err != nil {
		return err
	}
	if h < spec.ERRORS_ARE_FATAL || h > spec.ERRORS_RETURN {
		if c.p.errhandlers.remove(h) == nil {
			return bad(spec.ERR_ERRHANDLER, "0x%x is no error handler that can be freed", h)
		}
	}
	c.setHandle(0, spec.ERRHANDLER_NULL)
	return nil
}

// known tells whether a code is the standard's or has been added.
func (u *userErrors) known(code int) bool {
	_, added := u.class[code]
	return added || code >= 0 && code <= spec.ERR_LASTCODE
}

// describe is the text of a code.
func (u *userErrors) describe(code int) string {
	u.mu.Lock()
	defer u.mu.Unlock()
	if text, found := u.text[code]; found {
		return text
	}
	return comm.ErrorClass(code).String()
}

func errorClass(c call) error {
	if err := c.outs(1); err != nil {
		return err
	}
	u, code := &c.p.errors, c.int(0)
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.known(code) {
		return bad(spec.ERR_ARG, "%d is no error code", code)
	}
	if class, added := u.class[code]; added {
		code = class
	}
	c.setInt(1, code)
	return nil
}

func errorString(c call) error {
	if err := c.outs(1, 2); err != nil {
		return err
	}
	u, code := &c.p.errors, c.int(0)
	u.mu.Lock()
	known := u.known(code)
	u.mu.Unlock()
	if !known {
		return bad(spec.ERR_ARG, "%d is no error code", code)
	}
	c.setText(1, 2, spec.MAX_ERROR_STRING, u.describe(code))
	return nil
}

// add makes a code of a class; of its own if class is negative.
func (u *userErrors) add(p *Proc, class int) int {
	if u.class == nil {
		u.class, u.text, u.last = map[int]int{}, map[int]string{}, spec.ERR_LASTCODE
	}
	u.last++
	if class < 0 {
		class = u.last
	}
	u.class[u.last], u.text[u.last] = class, ""
	if p.cells != nil {
		p.cells[spec.LASTUSEDCODE-spec.TAG_UB] = int32(u.last)
	}
	return u.last
}

func addErrorClass(c call) error {
	if err := c.outs(0); err != nil {
		return err
	}
	u := &c.p.errors
	u.mu.Lock()
	defer u.mu.Unlock()
	c.setInt(0, u.add(c.p, -1))
	return nil
}

func addErrorCode(c call) error {
	if err := c.outs(1); err != nil {
		return err
	}
	u, class := &c.p.errors, c.int(0)
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.known(class) {
		return bad(spec.ERR_ARG, "%d is no error class", class)
	}
	c.setInt(1, u.add(c.p, class))
	return nil
}

func addErrorString(c call) error {
	text, err := c.text(1)
	if err != nil {
		return err
	}
	u, code := &c.p.errors, c.int(0)
	u.mu.Lock()
	defer u.mu.Unlock()
	if _, added := u.class[code]; !added {
		return bad(spec.ERR_ARG, "error code %d was not added by the program", code)
	}
	if len(text) >= spec.MAX_ERROR_STRING {
		return bad(spec.ERR_ARG, "the text has %d bytes; at most %d are kept", len(text), spec.MAX_ERROR_STRING-1)
	}
	u.text[code] = text
	return nil
}

// removeError is Remove_error_class, Remove_error_code and Remove_error_string.
func removeError(c call) error {
	u, code := &c.p.errors, c.int(0)
	u.mu.Lock()
	defer u.mu.Unlock()
	class, added := u.class[code]
	switch {
	case !added, c.f.Name == "Remove_error_class" && class != code, c.f.Name == "Remove_error_code" && class == code:
		return bad(spec.ERR_ARG, "%d was not added by the program", code)
	case c.f.Name == "Remove_error_string":
		u.text[code] = ""
	default:
		delete(u.class, code)
		delete(u.text, code)
	}
	return nil
}
