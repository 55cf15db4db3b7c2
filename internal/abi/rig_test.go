package abi

import (
	"fmt"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/weft-mpi/weft/internal/abi/spec"
	"github.com/weft-mpi/weft/internal/boot"
)

// rig is a rank that calls functions as C does: with words, and memory that is not Go's.
type rig struct {
	testing.TB
	p    *Proc
	mem  []byte
	next int
	rank int
	size int
	fine map[string]bool // functions that have succeeded

	freed map[string]int // handles, by kind
}

// ranks runs f as n ranks of one process, between MPI_Init and MPI_Finalize, with errors returned.
func ranks(t testing.TB, n int, f func(r *rig)) {
	t.Helper()
	crew, err := boot.NewCrew(n, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer crew.Close()
	err = crew.Run(func(rank *boot.Rank) error {
		r := newRig(t, rank)
		defer func() { _ = unix.Munmap(r.mem) }()
		r.must("Init", 0, 0)
		r.must("Comm_set_errhandler", spec.COMM_WORLD, spec.ERRORS_RETURN)
		r.must("Comm_set_errhandler", spec.COMM_SELF, spec.ERRORS_RETURN)
		at := r.ints(0, 0)
		r.must("Comm_rank", spec.COMM_WORLD, at)
		r.must("Comm_size", spec.COMM_WORLD, at+4)
		r.rank, r.size = r.intAt(at), r.intAt(at+4)
		f(r)
		r.must("Finalize")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func newRig(t testing.TB, rank *boot.Rank) *rig {
	mem, err := foreignMemory(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{TB: t, mem: mem, fine: map[string]bool{}}
	r.p = New(Config{
		Join:  func() (*boot.Rank, error) { return rank, nil },
		Leave: func(*boot.Rank) error { return nil }, // the crew does
		Abort: func(_ *boot.Rank, code int, reason string) { panic(fmt.Sprintf("aborted with %d: %s", code, reason)) },
	})
	return r
}

// call calls a function with words and returns its code.
func (r *rig) call(name string, args ...int) int {
	number, ok := spec.Number(name)
	if !ok {
		panic("there is no function MPI_" + name)
	}
	if want := len(spec.Functions()[number].Args); len(args) != want {
		panic(fmt.Sprintf("MPI_%s takes %d arguments, not %d", name, want, len(args)))
	}
	at := r.room(8 * max(len(args), 1))
	for i, a := range args {
		*(*uintptr)(r.at(at + 8*i)) = uintptr(a)
	}
	code := r.p.Call(number, r.at(at))
	if code == spec.SUCCESS {
		r.fine[name] = true
	}
	r.next = at - r.base()
	return code
}

// must is call of a function that succeeds.
func (r *rig) must(name string, args ...int) {
	r.Helper()
	if code := r.call(name, args...); code != spec.SUCCESS {
		panic(fmt.Sprintf("rank %d: MPI_%s%v returns %d: %s", r.rank, name, args, code, r.p.errors.describe(code)))
	}
}

func (r *rig) base() int { return int(uintptr(unsafe.Pointer(unsafe.SliceData(r.mem)))) }

// at is an address of the rig's memory as a pointer.
func (r *rig) at(address int) unsafe.Pointer { return unsafe.Pointer(&r.mem[address-r.base()]) }

// room is n fresh bytes, aligned for everything.
func (r *rig) room(n int) int {
	at := r.next
	r.next += (n + 31) &^ 15
	if r.next > len(r.mem) {
		panic("the rig has no memory left")
	}
	clear(r.mem[at:r.next])
	return r.base() + at
}

// ints is an array of C ints.
func (r *rig) ints(values ...int) int {
	at := r.room(4 * len(values))
	for i, v := range values {
		*(*int32)(r.at(at + 4*i)) = int32(v)
	}
	return at
}

// longs is an array of words.
func (r *rig) longs(values ...int) int {
	at := r.room(8 * len(values))
	for i, v := range values {
		*(*int64)(r.at(at + 8*i)) = int64(v)
	}
	return at
}

// text is a string of C's.
func (r *rig) text(s string) int {
	at := r.room(len(s) + 1)
	copy(r.mem[at-r.base():], s)
	return at
}

func (r *rig) intAt(address int) int  { return int(*(*int32)(r.at(address))) }
func (r *rig) longAt(address int) int { return int(*(*int64)(r.at(address))) }

// intsAt are n C ints.
func (r *rig) intsAt(address, n int) []int32 { return unsafe.Slice((*int32)(r.at(address)), n) }

// want checks a condition.
func (r *rig) want(ok bool, format string, args ...any) {
	if !ok {
		panic(fmt.Sprintf("rank %d of %d: ", r.rank, r.size) + fmt.Sprintf(format, args...))
	}
}
