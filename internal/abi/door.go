package abi

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/weft-mpi/weft/internal/abi/spec"
	"github.com/weft-mpi/weft/internal/boot"
)

// Config is what a rank's C face stands on.
type Config struct {
	Join  func() (*boot.Rank, error) // brings the rank up
	Leave func(*boot.Rank) error     // ends it; all ranks call it
	Abort func(r *boot.Rank, code int, reason string)
	Exit  func(code int) // ends the process; r of Abort is nil before Join
	Hooks Hooks
	// Shares tells that memory of the rank's Env is not Go's: ranks in one process have no other.
	Shares bool
	Guests *Guests // nil: all calls come here
}

// Proc is one rank as C programs see it.
type Proc struct {
	cfg                    Config
	mu                     sync.Mutex // of what follows
	state                  atomic.Uint32
	uses                   int  // sessions, and the world model
	initialised, worldOver bool // the world model: MPI_Init, MPI_Finalize
	level                  int  // of threads, as provided
	main                   int  // thread that called MPI_Init
	rank                   *boot.Rank
	world                  *communicator
	self                   *communicator

	objects
	lobby    lobby
	standard [lastType - firstType + 1]*dtype
	keyvals  keyvals
	errors   userErrors
	files    errhandler // of files that are going to be opened
	memory   memory
	fortran  fortran
	tools    tools
	f90Types map[f90Key]uintptr
	buffer   sendBuffer // of the process
	leaving  leaving
	cells    []int32 // values of predefined attributes, in C's memory
}

// The states of a process.
const (
	fresh uint32 = iota
	running
	finalized
)

// New makes a process that has not been initialised.
func New(cfg Config) *Proc {
	p := &Proc{cfg: cfg, standard: standardTypes(), files: errhandler{handle: spec.ERRORS_RETURN, kind: handlerReturns}} // the standard
	p.objects.init()
	p.objects.addPosted(&p.lobby.posts)
	p.keyvals.init()
	return p
}

// handler carries out the functions of a family.
type handler func(c call) error

// A row says how a family is served.
type row struct {
	do     handler
	always bool // also before MPI_Init and after MPI_Finalize
}

// chapters are the tables of handlers, by the names of families.
var chapters = []map[string]row{
	chapterP2P, chapterRequests, chapterBuffers, chapterTypes, chapterMakeTypes, chapterPack, chapterColl, chapterOps, chapterGroups, chapterComms,
	chapterAttributes, chapterNames, chapterErrors, chapterEnvironment, chapterInfo, chapterStart, chapterSessions, chapterExternal, chapterInterface, chapterTools, chapterCart,
	chapterWindows, chapterAccess, chapterGrequests, chapterFromGroup, chapterInter, chapterGraphs, chapterNeighbors, chapterParts,
}

// entry is a function with its handler.
type entry struct {
	spec.Function
	row
}

// entries are the functions by number.
var entries = sync.OnceValue(func() []entry {
	all := make([]entry, len(spec.Functions()))
	for i, f := range spec.Functions() {
		all[i].Function = f
		for _, chapter := range chapters {
			if r, ok := chapter[f.Family.Name]; ok {
				all[i].row = r
			}
		}
	}
	return all
})

// Supported tells whether a function does anything but say that it is missing.
func Supported(number int) bool {
	switch f := &entries()[number]; {
	case f.do != nil, f.Family.Result != "":
		return true
	}
	return false
}

// Call carries out a function of the table. args points to as many words as it has arguments. The result is
// an error code.
func (p *Proc) Call(number int, args unsafe.Pointer) int {
	e := &entries()[number]
	c := call{p: p, f: e, a: args}
	if p.state.Load() != running && !e.always {
		return c.failed(p.notRunning(e))
	}
	if e.do == nil {
		return c.failed(bad(spec.ERR_UNSUPPORTED_OPERATION, "this library does not have the function yet"))
	}
	if err := e.do(c); err != nil {
		return c.failed(err)
	}
	return spec.SUCCESS
}

// notRunning is the error of a call too early or too late.
func (p *Proc) notRunning(e *entry) error {
	when := "before MPI_Init"
	if p.state.Load() == finalized {
		when = "after MPI_Finalize"
	}
	return &failure{class: spec.ERR_OTHER, text: fmt.Sprintf("called %s", when)}
}

// failed has the error handler of the object concerned deal with an error, and returns its code.
func (c call) failed(err error) int {
	code := classOf(err)
	h, target := c.handlerFor(err)
	switch h.kind {
	case handlerCalls:
		return c.p.callHandler(h, target, code)
	case handlerReturns:
		return code
	}
	c.p.die(h, code, fmt.Sprintf("MPI_%s: %v", c.f.Name, err))
	return code
}

// die ends the job, or what is left of it, because of an error that nobody handles.
func (p *Proc) die(_ errhandler, code int, what string) {
	rank := 0
	p.mu.Lock()
	r := p.rank
	p.mu.Unlock()
	if p.world != nil {
		rank = p.world.c.Rank()
	}
	fmt.Fprintf(os.Stderr, "weft: rank %d: %s\n", rank, what)
	p.cfg.Abort(r, code, what)
}

// handlerFor finds the error handler that an error concerns: that of the error's own object, or of the first
// communicator, window or session among the arguments, or of MPI_COMM_SELF.
func (c call) handlerFor(err error) (errhandler, target) {
	if c.f.Family.Chapter == 15 {
		return errhandler{kind: handlerReturns}, target{} // the standard: tools get codes
	}
	var f *failure
	if errors.As(err, &f) && c.p.alive(f.on) {
		return c.p.errhandlerOf(f.on), f.on
	}
	for i, a := range c.f.Args {
		var t target
		switch a.Kind {
		case "comm":
			t = target{commKind, c.word(i)}
		case "win":
			t = target{winKind, c.word(i)}
		case "session":
			t = target{sessionKind, c.word(i)}
		case "file":
			t = target{fileKind, spec.FILE_NULL}
			return c.p.errhandlerOf(t), t
		default:
			continue
		}
		if c.p.alive(t) {
			return c.p.errhandlerOf(t), t
		}
	}
	t := target{commKind, spec.COMM_SELF}
	h := c.p.errhandlerOf(t)
	if h.handle == 0 { // nobody has set one: programs of MPI 3 set that of MPI_COMM_WORLD
		t.handle = spec.COMM_WORLD
		h = c.p.errhandlerOf(t)
	}
	return h, t
}
