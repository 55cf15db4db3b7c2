package calls

import (
	"fmt"
	"math/bits"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

// Nobody is the peer of calls that are not sends to one rank.
const Nobody = -1

// Recorder counts the calls of one rank. It may be used by several goroutines.
type Recorder struct {
	now   func() int64
	began int64

	guard Guard // nil: nobody
	log   *log  // nil: calls are counted, but not kept

	mu    sync.Mutex
	tally map[key]*tally
	peers map[int]*Peer
}

// Guard is told when the program is inside a call. A call may be inside another.
type Guard interface {
	Enter()
	Leave()
}

// Tell has a guard told of every call from now on. It comes before the first one.
func (r *Recorder) Tell(g Guard) { r.guard = g }

const (
	depth = 2         // places of the program that calls are told apart by: many programs have functions around calls
	most  = 4 + depth // and those in the library on the way there: finding more places takes longer
)

// key is a kind of call, and where it came from.
type key struct {
	name   string
	places [most]uintptr
}

// tally is what calls of one kind from one place have cost.
type tally struct {
	count, bytes   int64
	time, longest  int64 // nanoseconds
	shortest, peak int64 // nanoseconds; bytes
	sizes          [sizes]int64
}

// sizes is the number of classes of lengths: class 0 is no byte, class n lengths below 2^n that are in no class before.
const sizes = 64

// Start begins to count. now is the rank's time in nanoseconds.
func Start(now func() int64) *Recorder {
	return &Recorder{now: now, began: now(), tally: map[key]*tally{}, peers: map[int]*Peer{}}
}

// Call is a call that has begun.
type Call struct {
	name  string
	to    Message
	bytes int
	start int64
}

// Begin notes that a call begins. peer is the process that a message goes to, or Nobody; bytes is what goes out.
func (r *Recorder) Begin(name string, peer, bytes int) Call {
	return r.BeginSend(name, Message{Peer: peer}, bytes)
}

// BeginSend is Begin of a call that sends a message.
func (r *Recorder) BeginSend(name string, to Message, bytes int) Call {
	if r.guard != nil {
		r.guard.Enter()
	}
	return Call{name, to, bytes, r.now()}
}

// End notes that a call is over. The caller defers it, so that it is called straight from what the program called.
func (r *Recorder) End(c Call) {
	took := r.now() - c.start
	k := key{name: c.name}
	runtime.Callers(3, k.places[:]) // without this function, and what defers it
	r.add(k, c, took)
	if r.log != nil {
		r.keep(k, c, took)
	}
	if r.guard != nil {
		r.guard.Leave()
	}
}

func (r *Recorder) add(k key, c Call, took int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := r.tally[k]
	if t == nil {
		t = &tally{shortest: took}
		r.tally[k] = t
	}
	t.add(took, int64(c.bytes))
	if c.to.Peer == Nobody {
		return
	}
	p := r.peers[c.to.Peer]
	if p == nil {
		p = &Peer{Rank: c.to.Peer}
		r.peers[c.to.Peer] = p
	}
	p.Messages++
	p.Bytes += int64(c.bytes)
}

func (t *tally) add(took, bytes int64) {
	t.count++
	t.time += took
	t.longest, t.shortest = max(t.longest, took), min(t.shortest, took)
	t.bytes += bytes
	t.peak = max(t.peak, bytes)
	t.sizes[bits.Len64(uint64(bytes))]++
}

// place names where in the program a call came from: the innermost function that is not the library's, and its
// caller, " < " between them.
func place(places [most]uintptr, library func(function string) bool) string {
	var names []string
	n := 0
	for n < len(places) && places[n] != 0 {
		n++
	}
	frames := runtime.CallersFrames(places[:n])
	for more := n > 0; more && len(names) < depth; {
		var f runtime.Frame
		if f, more = frames.Next(); f.File == "" || library(f.Function) || strings.HasPrefix(f.Function, "runtime.") {
			continue
		}
		names = append(names, fmt.Sprintf("%s/%s:%d", filepath.Base(filepath.Dir(f.File)), filepath.Base(f.File), f.Line))
	}
	if len(names) == 0 {
		return "unknown"
	}
	return strings.Join(names, " < ")
}
