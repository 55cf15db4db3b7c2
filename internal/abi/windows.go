package abi

import (
	"unsafe"

	"github.com/weft-mpi/weft/internal/abi/spec"
	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/comm"
	winpkg "github.com/weft-mpi/weft/internal/window"
)

// window is a window as C sees it. Underneath displacements are bytes: units are multiplied here.
type window struct {
	handle     uintptr
	w          *winpkg.Window
	group      *comm.Group
	name       string
	errors     errhandler
	attributes attributes
	info       *info
	flavor     int
	units      []int          // of displacements, by rank
	memory     lent           // what was allocated for it
	block      *winpkg.Window // shared memory: has all of it as rank 0's, if parts lie one behind the other
	from       []int          // then: where the part of each rank begins, and where the last one ends
	base       uintptr
	cells      []int64 // values of predefined attributes, in C's memory: size, unit, flavor, model
}

// The places of window.cells.
const (
	cellSize = iota
	cellUnit
	cellFlavor
	cellModel
	windowCells
)

// chapterWindows makes windows and synchronises.
var chapterWindows = map[string]row{
	"Win_create": {do: createWindow}, "Win_allocate": {do: allocateWindow}, "Win_allocate_shared": {do: allocateWindow}, "Win_create_dynamic": {do: dynamicWindow},
	"Win_attach": {do: attachWindow}, "Win_detach": {do: attachWindow}, "Win_free": {do: freeWindow}, "Win_get_group": {do: windowGroup}, "Win_shared_query": {do: queryShared},
	"Win_fence": {do: fence}, "Win_post": {do: postWindow}, "Win_start": {do: postWindow}, "Win_complete": {do: syncWindow}, "Win_wait": {do: syncWindow}, "Win_test": {do: testWindow},
	"Win_lock": {do: lockWindow}, "Win_lock_all": {do: lockAll}, "Win_unlock": {do: syncOne}, "Win_unlock_all": {do: syncWindow},
	"Win_flush": {do: syncOne}, "Win_flush_local": {do: syncOne}, "Win_flush_all": {do: syncWindow}, "Win_flush_local_all": {do: syncWindow}, "Win_sync": {do: syncWindow},
}

// win is argument i, a window.
func (c call) win(i int) (*window, error) {
	if w := c.p.wins.get(c.word(i)); w != nil {
		return w, nil
	}
	return nil, bad(spec.ERR_WIN, "0x%x is no window, or it has been freed", c.word(i))
}

// windowAttr is a predefined attribute of a window.
func (p *Proc) windowAttr(h uintptr, key int) (uintptr, bool) {
	w := p.wins.get(h)
	if w == nil {
		return 0, false
	}
	cell := func(i int) (uintptr, bool) { return uintptr(unsafe.Pointer(&w.cells[i])), true }
	switch key {
	case spec.WIN_BASE:
		return w.base, true
	case spec.WIN_SIZE:
		return cell(cellSize)
	case spec.WIN_DISP_UNIT:
		return cell(cellUnit)
	case spec.WIN_CREATE_FLAVOR:
		return cell(cellFlavor)
	case spec.WIN_MODEL:
		return cell(cellModel)
	}
	return 0, false
}

// offer is what a rank brings into a window.
type offer struct {
	unit, size int64 // unit -1: something is wrong with its arguments
	apart      int64 // 1: shared memory need not be contiguous
}

// foundWindow opens a window on a communicator, gives it its handle, and returns that by argument i. A rank that has
// found something wrong with its arguments says so to the others before anybody gives up.
func (c call) foundWindow(i int, cm *communicator, w *window, cfg winpkg.Config, unit int, hints *info, wrong error) error {
	mine, all := []offer{{unit: int64(unit), size: int64(cfg.Len)}}, make([]offer, cm.c.Size())
	if wrong != nil {
		mine[0].unit = -1
	} else if v, _ := hints.get("alloc_shared_noncontig"); v == "true" {
		mine[0].apart = 1
	}
	in := bytesOf(mine)
	if err := cm.c.Run(&comm.Call{Op: coll.Allgather, Name: cfg.Op, Bytes: len(in), Elem: 1, In: in, Out: bytesOf(all)}); err != nil {
		return err
	}
	together := cfg.Kind == winpkg.Shared
	w.from = make([]int, 1, len(all)+1)
	for r, o := range all {
		if o.unit < 0 && wrong == nil {
			wrong = bad(spec.ERR_OTHER, "rank %d could not bring in its part", r)
		}
		w.units = append(w.units, int(o.unit))
		w.from = append(w.from, w.from[r]+int(o.size))
		together = together && o.apart == 0
	}
	if wrong != nil {
		return wrong
	}
	cfg.Unit = 1
	if together {
		var err error
		if cfg, err = w.ofBlock(cm, cfg); err != nil {
			return err
		}
	}
	inner, err := winpkg.New(cm.c, cfg)
	if err != nil {
		return err
	}
	w.w, w.group, w.errors = inner, cm.c.Group(), errhandler{}
	w.info = windowInfo(hints)
	if mem := inner.Mem(); w.base == 0 && len(mem) > 0 {
		w.base = uintptr(unsafe.Pointer(unsafe.SliceData(mem)))
	}
	cells, err := foreignMemory(8 * windowCells)
	if err != nil {
		return err
	}
	w.cells = unsafe.Slice((*int64)(unsafe.Pointer(unsafe.SliceData(cells))), windowCells)
	w.cells[cellSize], w.cells[cellUnit] = int64(len(inner.Mem())), int64(unit)
	w.cells[cellFlavor], w.cells[cellModel] = int64(w.flavor), spec.WIN_UNIFIED
	if w.handle, err = c.p.wins.add(w); err != nil {
		return err
	}
	c.setHandle(i, w.handle)
	return nil
}

// windowInfo is what a window knows of itself: hints, or what the standard says.
func windowInfo(hints *info) *info {
	o := hints.clone()
	for key, value := range map[string]string{"no_locks": "false", "accumulate_ordering": "rar,raw,war,waw", "accumulate_ops": "same_op_no_op",
		"same_size": "false", "same_disp_unit": "false"} {
		if _, found := o.get(key); !found {
			o.set(key, value)
		}
	}
	return o
}

// ofBlock makes the memory of a shared window, which is all rank 0's, and describes the window of our part: others reach that as
// memory of ours, wherever it is.
func (w *window) ofBlock(cm *communicator, cfg winpkg.Config) (winpkg.Config, error) {
	rank := cm.c.Rank()
	if cfg.Len = 0; rank == 0 {
		cfg.Len = w.from[len(w.from)-1]
	}
	var err error
	if w.block, err = winpkg.New(cm.c, cfg); err != nil {
		return cfg, bad(classOf(err), "%v; the memory of all ranks, %d bytes, comes in one piece from rank 0: WEFT_ARENA says how much it has, "+
			"and with the info key alloc_shared_noncontig each rank brings its own", err, w.from[len(w.from)-1])
	}
	mem, err := w.block.Query(0)
	if err != nil {
		return cfg, err
	}
	return winpkg.Config{Op: cfg.Op, Kind: winpkg.Created, Unit: 1, Mem: mem[w.from[rank]:w.from[rank+1]:w.from[rank+1]]}, nil
}

// part is the memory of a rank of a shared window.
func (w *window) part(rank int) ([]byte, error) {
	if w.block == nil || uint(rank) >= uint(len(w.units)) {
		return w.w.Query(rank)
	}
	mem, err := w.block.Query(0)
	if err != nil {
		return nil, err
	}
	return mem[w.from[rank]:w.from[rank+1]], nil
}

// extentOf are the first arguments of functions that make windows with memory: size and unit.
func (c call) windowSize(size, unit, infoAt int) (n, u int, hints *info, err error) {
	if n = c.long(size); n < 0 || n > maxElements {
		return 0, 0, nil, bad(spec.ERR_SIZE, "size is %d", n)
	}
	if u = c.large(unit); u < 1 {
		return 0, 0, nil, bad(spec.ERR_DISP, "disp_unit is %d", u)
	}
	hints, err = c.optionalInfo(infoAt)
	return n, u, hints, err
}

// createWindow is Win_create: base, size, unit, info, communicator, window.
func createWindow(c call) error {
	cm, err := c.intracomm(4)
	if err != nil {
		return err
	}
	n, unit, hints, err := c.windowSize(1, 2, 3)
	var mem []byte
	if err == nil {
		mem, err = c.bytesAt(0, n)
	}
	if err == nil {
		err = c.outs(5)
	}
	w := &window{flavor: spec.WIN_FLAVOR_CREATE, base: c.word(0)}
	return c.foundWindow(5, cm, w, winpkg.Config{Op: "win_create", Kind: winpkg.Created, Mem: mem}, unit, hints, err)
}

// allocateWindow is Win_allocate and Win_allocate_shared: size, unit, info, communicator, pointer to the base, window.
func allocateWindow(c call) error {
	cm, err := c.intracomm(3)
	if err != nil {
		return err
	}
	n, unit, hints, err := c.windowSize(0, 1, 2)
	if err == nil {
		err = c.outs(4, 5)
	}
	w := &window{flavor: spec.WIN_FLAVOR_ALLOCATE}
	cfg := winpkg.Config{Op: "win_allocate", Kind: winpkg.Created}
	if c.f.Family.Name == "Win_allocate_shared" {
		w.flavor = spec.WIN_FLAVOR_SHARED
		cfg = winpkg.Config{Op: "win_allocate_shared", Kind: winpkg.Shared, Len: n}
	} else if err == nil && n > 0 {
		if w.memory, err = c.p.lend(n); err == nil {
			cfg.Mem = w.memory.b[:n]
		}
	}
	if err = c.foundWindow(5, cm, w, cfg, unit, hints, err); err != nil {
		if w.memory.b != nil {
			_ = c.p.takeBack(w.memory)
		}
		return err
	}
	c.setHandle(4, w.base)
	return nil
}

// dynamicWindow is Win_create_dynamic: info, communicator, window.
func dynamicWindow(c call) error {
	cm, err := c.intracomm(1)
	if err != nil {
		return err
	}
	hints, err := c.optionalInfo(0)
	if err == nil {
		err = c.outs(2)
	}
	w := &window{flavor: spec.WIN_FLAVOR_DYNAMIC}
	return c.foundWindow(2, cm, w, winpkg.Config{Op: "win_create_dynamic", Kind: winpkg.Dynamic, Addressed: true}, 1, hints, err)
}

// attachWindow is Win_attach (window, base, size) and Win_detach (window, base).
func attachWindow(c call) error {
	w, err := c.win(0)
	if err != nil {
		return err
	}
	if w.flavor != spec.WIN_FLAVOR_DYNAMIC {
		return bad(spec.ERR_RMA_FLAVOR, "the window is not a dynamic one")
	}
	if c.f.Name == "Win_detach" {
		return w.w.DetachAt(int(c.word(1)))
	}
	n := c.long(2)
	if n < 0 {
		return bad(spec.ERR_SIZE, "size is %d", n)
	}
	mem, err := c.bytesAt(1, n)
	if err != nil {
		return err
	}
	if n == 0 {
		return nil
	}
	_, err = w.w.Attach(mem)
	return err
}

func freeWindow(c call) error {
	h, err := c.handleAt(0)
	if err != nil {
		return err
	}
	w := c.p.wins.get(h)
	if w == nil {
		return bad(spec.ERR_WIN, "0x%x is no window, or it has been freed", h)
	}
	if err := c.p.deleteAttributes(winKind, w.handle, &w.attributes); err != nil {
		return err
	}
	if err := w.w.Free(); err != nil {
		return err
	}
	c.p.wins.remove(h)
	c.setHandle(0, spec.WIN_NULL)
	if w.block != nil {
		if err := w.block.Free(); err != nil {
			return err
		}
	}
	if w.memory.b != nil {
		return c.p.takeBack(w.memory)
	}
	return nil
}

func windowGroup(c call) error {
	w, err := c.win(0)
	if err != nil {
		return err
	}
	return c.newGroup(1, w.group)
}

// queryShared is Win_shared_query: window, rank, size, unit, pointer to the base. MPI_PROC_NULL asks for the lowest rank
// that has memory.
func queryShared(c call) error {
	w, err := c.win(0)
	if err != nil {
		return err
	}
	if err := c.outs(2, 3, 4); err != nil {
		return err
	}
	if w.flavor != spec.WIN_FLAVOR_SHARED {
		return bad(spec.ERR_RMA_FLAVOR, "the window is not a shared one")
	}
	rank, first := c.int(1), c.int(1)
	if rank == spec.PROC_NULL {
		first, rank = 0, len(w.units)-1
	}
	for ; first <= rank; first++ {
		mem, err := w.part(first)
		if err != nil {
			return err
		}
		if len(mem) == 0 && first < rank {
			continue
		}
		c.setLong(2, len(mem))
		c.setLarge(3, w.units[first])
		c.setHandle(4, 0)
		if len(mem) > 0 {
			c.setHandle(4, uintptr(unsafe.Pointer(unsafe.SliceData(mem))))
		}
		break
	}
	return nil
}

// assertion is argument i, what the program promises.
func (c call) assertion(i int) (a winpkg.Assert, err error) {
	word := c.int(i)
	for bit, meaning := range map[int]winpkg.Assert{
		spec.MODE_NOCHECK: winpkg.NoCheck, spec.MODE_NOSTORE: winpkg.NoStore, spec.MODE_NOPUT: winpkg.NoPut,
		spec.MODE_NOPRECEDE: winpkg.NoPrecede, spec.MODE_NOSUCCEED: winpkg.NoSucceed,
	} {
		if word&bit != 0 {
			a |= meaning
			word &^= bit
		}
	}
	if word != 0 {
		return 0, bad(spec.ERR_ASSERT, "assert is %d", c.int(i))
	}
	return a, nil
}

// fence is Win_fence: assertion, window.
func fence(c call) error {
	w, err := c.win(1)
	if err != nil {
		return err
	}
	a, err := c.assertion(0)
	if err != nil {
		return err
	}
	return w.w.Fence(a)
}

// postWindow is Win_post and Win_start: group, assertion, window.
func postWindow(c call) error {
	w, err := c.win(2)
	if err != nil {
		return err
	}
	g, err := c.group(0)
	if err != nil {
		return err
	}
	a, err := c.assertion(1)
	if err != nil {
		return err
	}
	if c.f.Name == "Win_post" {
		return w.w.Post(g.g, a)
	}
	return w.w.StartGroup(g.g, a)
}

// syncWindow is what takes nothing but a window.
func syncWindow(c call) error {
	w, err := c.win(0)
	if err != nil {
		return err
	}
	switch c.f.Name {
	case "Win_complete":
		return w.w.Complete()
	case "Win_wait":
		return w.w.Wait()
	case "Win_unlock_all":
		return w.w.UnlockAll()
	case "Win_flush_all":
		return w.w.FlushAll()
	case "Win_flush_local_all":
		return w.w.FlushLocalAll()
	}
	return w.w.Sync()
}

func testWindow(c call) error {
	w, err := c.win(0)
	if err != nil {
		return err
	}
	if err := c.outs(1); err != nil {
		return err
	}
	over, err := w.w.Test()
	c.setFlag(1, over)
	return err
}

// lockWindow is Win_lock: kind, rank, assertion, window.
func lockWindow(c call) error {
	w, err := c.win(3)
	if err != nil {
		return err
	}
	kind := c.int(0)
	if kind != spec.LOCK_EXCLUSIVE && kind != spec.LOCK_SHARED {
		return bad(spec.ERR_LOCKTYPE, "lock_type is %d", kind)
	}
	a, err := c.assertion(2)
	if err != nil || c.int(1) == spec.PROC_NULL {
		return err
	}
	return w.w.Lock(c.int(1), kind == spec.LOCK_EXCLUSIVE, a)
}

// lockAll is Win_lock_all: assertion, window.
func lockAll(c call) error {
	w, err := c.win(1)
	if err != nil {
		return err
	}
	a, err := c.assertion(0)
	if err != nil {
		return err
	}
	return w.w.LockAll(a)
}

// syncOne is Win_unlock, Win_flush and Win_flush_local: rank, window.
func syncOne(c call) error {
	w, err := c.win(1)
	if err != nil {
		return err
	}
	rank := c.int(0)
	switch {
	case rank == spec.PROC_NULL:
		return nil
	case c.f.Name == "Win_unlock":
		return w.w.Unlock(rank)
	case c.f.Name == "Win_flush":
		return w.w.Flush(rank)
	}
	return w.w.FlushLocal(rank)
}
