package window

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/comm"
	"github.com/weft-mpi/weft/internal/progress"
	"github.com/weft-mpi/weft/internal/wire"
)

// Kind says where a window's memory comes from.
type Kind uint8

// The kinds.
const (
	Created   Kind = iota // the user's
	Allocated             // the library's
	Shared                // the library's, and every rank may load and store every other's
	Dynamic               // the user's, attached and detached as the program goes
)

// Config is one rank's part of a window.
type Config struct {
	Op   string // what the user called
	Kind Kind
	Mem  []byte // Created: the user's memory
	Len  int    // Allocated and Shared: how many bytes
	Unit int    // bytes of an element: displacements count in it

	Addressed bool // Dynamic: addresses are places in the target's memory, not numbers of the library's
}

// part is what a rank knows of one rank's memory, its own included.
type part struct {
	proc       int
	size, unit int
	elements   int // how many there are
	reach      progress.Reach
	ctl        *control      // native windows
	open       atomic.Uint32 // epochs
	claimed    atomic.Bool   // a lock is held, or asked for
	touched    atomic.Bool   // in core.touched: there is something to flush; changed under the loop's lock

	// The rest is under the loop's lock.
	flying  int  // answers, reads and writes that have not come
	dirty   bool // packets that nobody answers have been sent since the last flush
	unacked int  // bytes in these packets
	err     error
	waits   []*progress.Request // who waits until nothing flies
}

// core is what all handles of a window share.
type core struct {
	loop   *progress.Loop
	id     uint32
	kind   Kind
	self   int // our rank
	native bool
	quick  bool   // fences meet in shared memory
	mem    []byte // ours
	arena  []byte // the same if it is to be given back
	ctlMem []byte
	places progress.Places
	parts  []part
	limits comm.WindowEnv

	epoch atomic.Uint32
	held  atomic.Int32 // targets that are locked
	mu    sync.Mutex   // of what epochs keep below
	group []int        // ranks of Start
	// Ranks of Post that Wait or Test still has to hear from, and what it has begun with them.
	origins []int
	calls   []comm.Request
	leaving []comm.Request // words to targets that an epoch is over, which had not left when it ended

	// The rest is under the loop's lock.
	flying  int
	waits   []*progress.Request
	touched []*part
	busy    atomic.Int32 // how many they are, for those who have no lock
	answers []answer
	freeIDs []uint32
	flights *flight // recycled
	bounces [][]byte
	locks   lockTable
	regions regions
	lost    error           // of the first peer that was lost
	told    bool            // the others know of it
	fence   progress.Handle // the barrier of a fence that is under way
	meets   []meeting       // fences that sleep until all ranks have come
	stats   stats
}

// stats count what takes no lock: operations of several goroutines at a time.
type stats struct{ near, copied, native, met atomic.Uint64 }

// Window is a window, perhaps with a context that its calls obey.
type Window struct {
	*core
	c *comm.Comm
}

// record is what ranks tell each other about their parts.
const recordSize = 4 + 4 + 8 + 3*12

type record struct {
	bad       bool
	unit      int
	size      int
	near, far wire.Key
	ctl       wire.Key
}

var le = binary.LittleEndian

func (r *record) append(b []byte) []byte {
	bad := uint32(0)
	if r.bad {
		bad = 1
	}
	b = le.AppendUint32(b, bad)
	b = le.AppendUint32(b, uint32(r.unit))
	b = le.AppendUint64(b, uint64(r.size))
	for _, k := range []wire.Key{r.near, r.far, r.ctl} {
		b = le.AppendUint32(le.AppendUint64(b, k.Addr), k.Slot)
	}
	return b
}

func (r *record) parse(b []byte) {
	r.bad, r.unit, r.size = le.Uint32(b) != 0, int(le.Uint32(b[4:])), int(le.Uint64(b[8:]))
	for i, k := range []*wire.Key{&r.near, &r.far, &r.ctl} {
		k.Addr, k.Slot = le.Uint64(b[16+12*i:]), le.Uint32(b[24+12*i:])
	}
}

// New makes a window. All ranks of c call it. They meet on c, which has kept its plans since the last window.
func New(c *comm.Comm, cfg Config) (*Window, error) {
	if c.Remote() != nil {
		return nil, c.Env().Fault(&comm.Error{Op: cfg.Op, Comm: c.Name(), Peer: comm.None, Tag: comm.None, Err: comm.ErrTwo})
	}
	d, err := c.Dup()
	if err != nil {
		return nil, err
	}
	d.SetName("window of " + c.Name())
	env := d.Env()
	w := &Window{&core{loop: env.Loop, id: d.Context(), kind: cfg.Kind, self: d.Rank(), limits: env.Window}, d}
	w.locks.init()
	w.regions.addressed = cfg.Addressed
	own, failed := w.prepare(cfg)
	all := make([]byte, recordSize*d.Size())
	call := &comm.Call{Op: coll.Allgather, Name: cfg.Op, Bytes: recordSize, Elem: 1, In: own.append(nil), Out: all}
	if err := c.Run(call); err != nil {
		return nil, errors.Join(err, failed, w.release())
	}
	if err := w.learn(cfg.Op, all); err != nil || failed != nil {
		return nil, errors.Join(failed, err, w.release(), d.Free())
	}
	if err := w.agree(c, cfg); err != nil {
		return nil, errors.Join(err, w.release(), d.Free())
	}
	return w, nil
}

// controlSize is what is allocated for a control: cache lines of its own.
const controlSize = 192

// prepare gets our memory and names it to others. An error is told to all before anybody gives up.
func (w *Window) prepare(cfg Config) (own record, err error) {
	env := w.c.Env()
	own.bad, own.unit, w.mem = true, cfg.Unit, cfg.Mem
	if cfg.Kind == Dynamic {
		return record{unit: 1}, nil
	}
	if cfg.Kind != Created && cfg.Len > 0 {
		if w.arena, err = env.Alloc(cfg.Len); err == nil {
			w.mem = w.arena
		} else if cfg.Kind == Shared {
			return own, w.fail(cfg.Op, comm.None, fmt.Errorf("%w: %w", ErrShared, err))
		} else {
			w.mem = bytesOf(make([]uint64, (cfg.Len+7)/8))[:cfg.Len]
		}
	}
	if w.ctlMem, err = env.Alloc(controlSize); err != nil {
		w.ctlMem = bytesOf(make([]uint64, controlSize/8)) // then the window will not be native
	}
	ctl, err := w.loop.Place(w.ctlMem)
	if err == nil {
		err = w.loop.Unplace(progress.Places{Far: ctl.Far}) // no device touches it
	}
	if err == nil {
		w.places, err = w.loop.Place(w.mem)
	}
	if err != nil {
		return own, w.fail(cfg.Op, comm.None, fmt.Errorf("%w: %w", ErrWindow, err))
	}
	return record{unit: cfg.Unit, size: len(w.mem), near: w.places.Near, far: w.places.Far, ctl: ctl.Near}, nil
}

func bytesOf(words []uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), 8*len(words))
}

// learn takes in what the others have told. The window is native as far as we can see if all memory is near.
func (w *Window) learn(op string, all []byte) error {
	w.parts = make([]part, w.c.Size())
	w.native = w.kind != Dynamic
	procs := w.c.Members()
	for i := range w.parts {
		var r record
		r.parse(all[i*recordSize:])
		if r.bad {
			return w.fail(op, i, fmt.Errorf("%w: the rank could not bring in its part", ErrWindow))
		}
		p := &w.parts[i]
		p.proc, p.size, p.unit = procs[i], r.size, r.unit
		if r.unit > 0 {
			p.elements = r.size / r.unit
		}
		if w.kind == Dynamic {
			continue
		}
		if i == w.self {
			p.reach.Mem, p.ctl = w.mem, controlAt(w.ctlMem)
			continue
		}
		if r.size == 0 {
			p.reach.Mem = []byte{}
		} else {
			p.reach = w.loop.Reach(p.proc, progress.Places{Near: r.near, Far: r.far}, r.size)
		}
		if ctl := w.loop.Reach(p.proc, progress.Places{Near: r.ctl}, controlSize).Mem; ctl != nil {
			p.ctl = controlAt(ctl)
		}
		w.native = w.native && p.ctl != nil && p.near()
	}
	return nil
}

// What ranks find out about a window as a whole.
const (
	isNative byte = 1 << iota
	isQuick
)

// agree finds out whether the window is native for everybody, and opens it. When it returns, all ranks have.
func (w *Window) agree(c *comm.Comm, cfg Config) error {
	w.loop.OpenWindow(w.id, w, true)
	own, all := []byte{0}, make([]byte, w.c.Size())
	if w.native {
		own[0] = isNative
	}
	if w.mayMeet() {
		own[0] |= isQuick
	}
	err := c.Run(&comm.Call{Op: coll.Allgather, Name: cfg.Op, Bytes: 1, Elem: 1, In: own, Out: all})
	agreed := own[0]
	for _, b := range all {
		agreed &= b
	}
	w.native, w.quick = agreed&isNative != 0, agreed == isNative|isQuick
	if err == nil && w.native { // nobody will send packets
		w.loop.CloseWindow(w.id, true)
		w.loop.OpenWindow(w.id, w, false)
	}
	if err == nil && cfg.Kind == Shared && !w.native {
		err = w.fail(cfg.Op, comm.None, fmt.Errorf("%w: not all ranks are on one host; make one communicator per host with SplitShared", ErrShared))
	}
	if err != nil {
		w.loop.CloseWindow(w.id, !w.native)
	}
	return err
}

// release gives back what prepare got.
func (w *Window) release() error {
	env := w.c.Env()
	err := w.loop.Unplace(w.places)
	for _, b := range [][]byte{w.arena, w.ctlMem} {
		if b != nil {
			_ = env.Free(b) // what Alloc did not give is the garbage collector's
		}
	}
	w.arena, w.ctlMem = nil, nil
	return err
}

// Free ends the window: all ranks call it, and it waits for them. No epoch may be open but that of a fence.
func (w *Window) Free() error {
	if err := w.settled("free", started|posted|allHeld); err != nil {
		return err
	}
	err := w.flushAll("free", true)
	met := w.meetLast("free") // not in the memory that is given back
	if w.epoch.Swap(freed)&freed != 0 {
		return w.gone("free", comm.None)
	}
	w.loop.CloseWindow(w.id, !w.native)
	w.report()
	err = errors.Join(err, met, w.release())
	if met != nil {
		return errors.Join(err, w.c.Free())
	}
	err = errors.Join(err, w.collect("free", w.leaving)) // all have come to Free, so all have waited for them
	w.c.Leave()
	return err
}

// report adds what was counted without a lock to the loop's counters.
func (w *Window) report() {
	w.loop.Enter()
	defer w.loop.Exit()
	n := w.loop.RMA()
	n.Near += w.stats.near.Load()
	n.Copied += w.stats.copied.Load()
	n.Native += w.stats.native.Load()
	n.Met += w.stats.met.Load()
}

// WithContext returns a handle to the same window whose calls obey ctx.
func (w *Window) WithContext(ctx context.Context) *Window {
	return &Window{w.core, w.c.WithContext(ctx)}
}

// Comm is the window's own communicator: its ranks are those of the communicator that the window was made on.
func (w *Window) Comm() *comm.Comm { return w.c }

// Kind is where the memory comes from.
func (w *Window) Kind() Kind { return w.kind }

// Native tells whether all ranks reach all memory by loads and stores.
func (w *Window) Native() bool { return w.native }

// Mem is our own memory.
func (w *Window) Mem() []byte { return w.mem }

// Query returns the memory of a rank of a native window, to be loaded and stored.
func (w *Window) Query(rank int) ([]byte, error) {
	switch {
	case w.epoch.Load()&freed != 0:
		return nil, w.gone("query", rank)
	case uint(rank) >= uint(len(w.parts)):
		return nil, w.fail("query", rank, fmt.Errorf("%w: the window has ranks 0 to %d", comm.ErrRank, len(w.parts)-1))
	case w.kind != Shared:
		return nil, w.fail("query", rank, fmt.Errorf("%w: only windows of SharedWindow can be loaded and stored by others", ErrShared))
	}
	return w.parts[rank].reach.Mem, nil
}
