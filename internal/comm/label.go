package comm

import (
	"fmt"
	"hash/fnv"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/weft-mpi/weft/internal/engine"
)

// In check mode every message of the program's says of which kind its elements are and where it was sent,
// and every receive knows the same of itself. Both are a label: the kind in the highest byte, then which
// program, then where in its code.
const (
	kindShift    = 56
	programShift = 32
	programMask  = 1<<(kindShift-programShift) - 1
)

// Labels tells whether messages have labels.
func (c *Comm) Labels() bool { return c.compares }

// Labelled returns a handle for one message, of elements of this kind, that the caller of the library sends
// or receives now.
func (c *Comm) Labelled(k reflect.Kind) *Comm {
	return &Comm{core: c.core, goctx: c.goctx, choosing: c.choosing, whole: c.whole, label: uint64(k)<<kindShift | spot()}
}

// compareTypes is the error of a message that was sent as elements of another type than it is received as.
func compareTypes(st engine.Status, own uint64) error {
	sent, received := reflect.Kind(st.Label>>kindShift), reflect.Kind(own>>kindShift)
	if st.Label == 0 || own == 0 || alike(sent, received) {
		return nil
	}
	return fmt.Errorf("%w: sent as %v%s, received as %v%s", ErrElement, sent, spotName(st.Label), received, spotName(own))
}

// alike tells whether elements of one kind may be received as such of another: numbers of the same sort and
// size. Bytes may be anything, and so may what is made of several.
func alike(a, b reflect.Kind) bool {
	sa, sb := sortOf(a), sortOf(b)
	return sa == sb || sa == anything || sb == anything
}

const anything = 0

// sortOf is what kinds have in common that are the same to messages: sort and size of a number.
func sortOf(k reflect.Kind) int {
	const integer, float, whole, truth = 100, 200, 300, 400
	switch k {
	case reflect.Int16, reflect.Uint16:
		return integer + 2
	case reflect.Int32, reflect.Uint32:
		return integer + 4
	case reflect.Int, reflect.Uint, reflect.Int64, reflect.Uint64, reflect.Uintptr:
		return integer + 8
	case reflect.Float32:
		return float + 4
	case reflect.Float64:
		return float + 8
	case reflect.Complex64:
		return whole + 8
	case reflect.Complex128:
		return whole + 16
	case reflect.Bool:
		return truth
	}
	return anything
}

// program is a number for this program, by which ranks know whether they run the same.
var program = sync.OnceValue(func() uint64 {
	h := fnv.New32a()
	if info, ok := debug.ReadBuildInfo(); ok {
		fmt.Fprint(h, info)
	}
	return uint64(h.Sum32()) & programMask
})

// origin is a place in the code that others are measured from: programs may be loaded anywhere.
var origin = reflect.ValueOf(IsLibrary).Pointer()

// spot is where in the program the library was called, as labels have it.
func spot() uint64 {
	var pcs [24]uintptr
	for _, pc := range pcs[:runtime.Callers(2, pcs[:])] {
		if !known.ofLibrary(pc) {
			return program()<<programShift | uint64(uint32(pc-origin))
		}
	}
	return 0
}

// spotName is the file and line of a label, behind " at ".
func spotName(label uint64) string {
	if label>>programShift&programMask != program() {
		return " by another program"
	}
	pc := origin + uintptr(int64(int32(label)))
	frames := runtime.CallersFrames([]uintptr{pc})
	for {
		f, more := frames.Next()
		if f.File != "" && !IsLibrary(f.Function) {
			return fmt.Sprintf(" at %s:%d", f.File, f.Line)
		}
		if !more {
			return ""
		}
	}
}

// IsLibrary tells whether a function is the library's, by its full name.
func IsLibrary(name string) bool {
	return strings.HasPrefix(name, "github.com/weft-mpi/weft/mpi.") || strings.HasPrefix(name, "github.com/weft-mpi/weft/internal/")
}

// places remembers which places in the code are within the library: to find out takes long.
type places struct {
	mu  sync.RWMutex
	all map[uintptr]bool
}

var known places

func (p *places) ofLibrary(pc uintptr) bool {
	p.mu.RLock()
	library, found := p.all[pc]
	p.mu.RUnlock()
	if found {
		return library
	}
	library = true
	frames := runtime.CallersFrames([]uintptr{pc})
	for more := true; more && library; { // some may have been inlined into a function of the program's
		var f runtime.Frame
		f, more = frames.Next()
		library = IsLibrary(f.Function)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.all == nil {
		p.all = map[uintptr]bool{}
	}
	p.all[pc] = library
	return library
}
