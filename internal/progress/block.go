package progress

import (
	"encoding/binary"
	"math/bits"
	"sync/atomic"
	"unsafe"

	"github.com/weft-mpi/weft/internal/plan"
	"github.com/weft-mpi/weft/internal/wire"
)

var le = binary.LittleEndian

// The block of a Commons, in cache lines: two that name the halls, then for every rank of the node what it
// has left, which of its runs have failed, what of its memory cannot be trusted, what it called in them,
// who sleeps until it does something, and the flags of its slots; behind them the slips of the slots, and
// the shelves. Every line but the one for sleepers has one writer. Nothing but flags is ever written where
// flags are, so that what is found there is 0 or the mark of a run.
const (
	line      = 64
	lineFlags = line / 8       // flags in a line
	slots     = 64             // runs that a rank may be ahead of the others
	shelves   = 16             // the same where runs need more than flags and slips
	shelfRoom = plan.ShortNode // bytes of a shelf
	halls     = 2              // the same where runs need more than a shelf
	leftAt    = 0              // of a rank's lines
	failedAt  = line
	tornAt    = failedAt + slots*8              // a whole number of lines
	saidAt    = tornAt + slots*8                // likewise
	sleepAt   = saidAt + slots*saidLen          // likewise
	saidLen   = 8 + int(unsafe.Sizeof(Terms{})) // bytes of what a rank says of a call: half a line
)

// block is the memory of a Commons, and where things are in it. All accesses are atomic but those to
// shelves and slips.
type block struct {
	mem    []byte
	base   unsafe.Pointer
	words  int // of a set of ranks
	copies int // of a flag
	flags  int // bytes from a rank's first line to its flags
	rank   int // bytes of a rank
	ranks  int
	slips  int // where the slips are, each in a pair of lines: for every slot one of each rank
	ruled  int // what has to be zero at first
	shelf  int // where the first shelf is: on pages of their own, for they are not touched before they are used
	size   int
}

// layout says where things are in the block.
func (c *Commons) layout() (b block) {
	b.ranks, b.copies, b.words = len(c.procs), c.copies(), (len(c.procs)+63)/64
	b.flags = sleepAt + (b.words+lineFlags-1)/lineFlags*line
	b.rank = b.flags + slots*b.copies*line
	b.slips = (b.rankAt(b.ranks) + plan.SlipLen - 1) &^ (plan.SlipLen - 1)
	b.ruled = b.slips + slots*b.ranks*plan.SlipLen
	b.shelf = (b.ruled + shelfRoom - 1) &^ (shelfRoom - 1)
	b.size = b.shelf + shelves*shelfRoom
	if b.ranks == 1 {
		b.words = 0 // nobody sleeps for us
	}
	return b
}

// enterBlock begins to use the block.
func (c *Commons) enterBlock(mem []byte) {
	c.block = c.layout()
	c.block.mem, c.block.base, c.state = mem, pointer(mem), open
}

func pointer(b []byte) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(b)) }

func (b *block) word(at int) *uint64 { return (*uint64)(unsafe.Add(b.base, at)) }

func (b *block) rankAt(i int) int { return halls*line + i*b.rank }

// leftOf is the run that rank i has left, with all before it.
func (b *block) leftOf(i int) uint64         { return atomic.LoadUint64(b.word(b.rankAt(i) + leftAt)) }
func (b *block) setLeft(i int, run uint64)   { atomic.StoreUint64(b.word(b.rankAt(i)+leftAt), run) }
func (b *block) failure(i int, r uint64) int { return b.rankAt(i) + failedAt + int(r%slots)*8 }

// fail tells that a run has failed at rank i, hasFailed whether it has.
func (b *block) fail(i int, run uint64) { atomic.StoreUint64(b.word(b.failure(i, run)), run) }
func (b *block) hasFailed(i int, run uint64) bool {
	return atomic.LoadUint64(b.word(b.failure(i, run))) == run
}

// tear tells that what rank i has lent to a run is the program's again, torn whether it is. Who fetches has
// to see that before what the program writes there, so it is written at once, in virtual time too, where
// memory is what it is at once.
func (b *block) tear(i int, run uint64) { atomic.StoreUint64(b.word(b.tornWord(i, run)), run) }
func (b *block) torn(i int, run uint64) bool {
	return atomic.LoadUint64(b.word(b.tornWord(i, run))) == run
}
func (b *block) tornWord(i int, r uint64) int { return b.rankAt(i) + tornAt + int(r%slots)*8 }

// said is where rank i says on which terms it has made a call, whether that shares memory or not:
// the call's brand, then the terms word by word. Nobody looks before something is wrong, so that
// saying it costs next to nothing.
func (b *block) said(i int, call uint32) *[saidLen / 8]uint64 {
	return (*[saidLen / 8]uint64)(unsafe.Pointer(b.word(b.rankAt(i) + saidAt + int(call%slots)*saidLen)))
}

// say tells on which terms rank i makes a call. The place is that of a call before it, which somebody
// may be looking at: the brand, one word, is that of the one call or of the other, and what is between
// is found out by who reads it. Who reads it shares our address space only if that is told.
func (b *block) say(i int, t *Terms, shared bool) {
	at, words := b.said(i, t.Number), (*[saidLen/8 - 1]uint64)(unsafe.Pointer(t))
	at[1], at[2], at[3] = words[0], words[1], words[2]
	if shared {
		atomic.StoreUint64(&at[0], t.brand())
	} else { // without the fence, which would take longer than all the rest
		at[0] = t.brand()
	}
}

// brandOf is the brand of a call of rank i; 0 if it has not said it, or not any more.
func (b *block) brandOf(i int, call uint32) uint64 {
	if brand := atomic.LoadUint64(&b.said(i, call)[0]); uint32(brand) == call {
		return brand
	}
	return 0
}

// terms is what rank i has said of a call with a brand. Where they are being overwritten by those of
// a later call only what the brand tells is known. They are read from the last word to the first, the
// other way round than they are written, so that one of the later call does not come with a first word
// that still is of ours.
func (b *block) terms(i int, brand uint64) (t *Terms, whole bool) {
	t = new(Terms)
	at, words := b.said(i, uint32(brand)), (*[saidLen/8 - 1]uint64)(unsafe.Pointer(t))
	for w := len(words) - 1; w >= 0; w-- {
		words[w] = atomic.LoadUint64(&at[w+1])
	}
	if t.brand() != brand {
		return branded(brand), false
	}
	return t, true
}

// sleeps notes that rank i sleeps until rank of does something. It is a full fence.
func (b *block) sleeps(i, of int) {
	atomic.OrUint64(b.word(b.rankAt(of)+sleepAt+i/64*8), 1<<(i%64))
}

// sleepers takes the i-th word of the set of ranks that sleep until rank self does something.
func (b *block) sleepers(self, i int) uint64 {
	w := b.word(b.rankAt(self) + sleepAt + i*8)
	if atomic.LoadUint64(w) == 0 {
		return 0
	}
	return atomic.SwapUint64(w, 0)
}

// setHall names the memory that run's hall has from that run on.
func (b *block) setHall(run uint64, k wire.Key) {
	at := int(run%halls) * line
	atomic.StoreUint64(b.word(at+8), k.Addr)
	atomic.StoreUint64(b.word(at+16), uint64(k.Slot))
	atomic.StoreUint64(b.word(at), run)
}

// grown tells whether it has been named: 0 if not yet.
func (b *block) grown(run uint64) uint64 {
	if v := atomic.LoadUint64(b.word(int(run%halls) * line)); v == run {
		return v
	}
	return 0
}

func (b *block) hallKey(run uint64) wire.Key {
	at := int(run%halls) * line
	return wire.Key{Addr: atomic.LoadUint64(b.word(at + 8)), Slot: uint32(atomic.LoadUint64(b.word(at + 16)))}
}

func (b *block) shelfMem(run uint64) []byte {
	at := b.shelf + int(run%shelves)*shelfRoom
	return b.mem[at : at+shelfRoom]
}

// slipMem is the slips of a run.
func (b *block) slipMem(run uint64) []byte {
	n := b.ranks * plan.SlipLen
	at := b.slips + int(run%slots)*n
	return b.mem[at : at+n]
}

// flags are those of all ranks in one run.
type flags struct {
	base   unsafe.Pointer // rank 0's
	stride int            // from one rank to the next
	far    int            // from the flags for ranks that are near to those for ranks that are far
	slips  unsafe.Pointer // nil, or where flag 0 of rank 0 is
}

func (b *block) slotFlags(run uint64) flags {
	at := b.rankAt(0) + b.flags + int(run%slots)*b.copies*line
	return flags{base: unsafe.Add(b.base, at), stride: b.rank, far: line}
}

// at is a flag of rank i.
func (f *flags) at(i int, flag int32, far bool) *uint64 {
	if flag == 0 && f.slips != nil {
		off := i * plan.SlipLen
		if far {
			off += 8
		}
		return (*uint64)(unsafe.Add(f.slips, off))
	}
	off := i*f.stride + int(flag)*8
	if far {
		off += f.far
	}
	return (*uint64)(unsafe.Add(f.base, off))
}

func trailing(w uint64) int { return bits.TrailingZeros64(w) }

// roundUp is a length that need not grow again soon.
func roundUp(n int) int {
	if n == 0 {
		return 0
	}
	return max(1<<bits.Len(uint(n-1)), 4<<10)
}

// aligned is n bytes of Go's memory at the start of a cache line.
func aligned(n int) []byte {
	b := make([]byte, n+line)
	skip := -int(uintptr(pointer(b))) & (line - 1)
	return b[skip : skip+n : skip+n]
}
