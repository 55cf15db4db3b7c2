package comm

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/wire"
	"pgregory.net/rapid"
)

// TestContexts: no two communicators of a job share a number, whoever leads them, and
// messages of different kinds of one never meet.
func TestContexts(t *testing.T) {
	seen := map[uint32]string{}
	for _, leader := range []int{0, 1, 2, 4095, maxLeaders - 1} {
		for _, id := range []uint32{worldID, selfID, lastID, firstID, 1<<idBits - 1} {
			for kind := wire.Messages; kind <= wire.Service; kind++ {
				ctx := wire.ContextOf(contextOf(leader, id), kind)
				if other, taken := seen[ctx]; taken {
					t.Errorf("leader %d, number %d, kind %d shares its context with %s", leader, id, kind, other)
				}
				seen[ctx] = fmt.Sprint(leader, id, kind)
			}
		}
	}
}

// TestNumbers: numbers are handed out once, come back, marked, and are not used again at once.
func TestNumbers(t *testing.T) {
	var e Env
	used := map[uint32]bool{}
	for range 1<<idBits - firstID {
		id, err := e.propose()
		if err != nil || used[id] || id < firstID || id >= 1<<idBits {
			t.Fatalf("number %d, %v", id, err)
		}
		used[id] = true
	}
	if _, err := e.propose(); !errors.Is(err, ErrLimit) {
		t.Errorf("more numbers than there are: %v", err)
	}
	e.withdraw(77)
	if id, err := e.propose(); err != nil || id != 77|again {
		t.Errorf("got %d, %v", id, err)
	}
	var fresh Env
	first, _ := fresh.propose()
	fresh.withdraw(first)
	if second, _ := fresh.propose(); second == first {
		t.Error("a number is used again at once: stray messages could meet their successor")
	}
}

// TestSignatures: what one rank writes another reads, cut to its room; calls compare by all but the place.
func TestSignatures(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := func(most int, name string) string {
			return rapid.StringMatching(fmt.Sprintf(`[a-z_.:/]{0,%d}`, most)).Draw(t, name)
		}
		s := signature{word(16, "op"), rapid.Int64().Draw(t, "root"), rapid.Int64().Draw(t, "bytes"), word(32, "type"), word(16, "reduction"), word(32, "way"), word(64, "site")}
		b := make([]byte, signatureLen)
		s.put(b)
		got := parseSignature(b)
		if got != s {
			t.Fatalf("wrote %+v, read %+v", s, got)
		}
		got.site = "elsewhere"
		if !got.same(s) {
			t.Fatal("the place matters")
		}
		got.bytes++
		if got.same(s) {
			t.Fatal("the length does not matter")
		}
	})
	long := signature{op: strings.Repeat("x", 100), typ: strings.Repeat("y", 100), site: strings.Repeat("z", 100)}
	b := make([]byte, signatureLen)
	long.put(b)
	if got := parseSignature(b); len(got.op) != 16 || len(got.typ) != 32 || len(got.site) != 64 {
		t.Errorf("read %+v", got)
	}
}

// FuzzSignature: any bytes of a peer are read without harm.
func FuzzSignature(f *testing.F) {
	f.Add(make([]byte, signatureLen))
	f.Add([]byte(strings.Repeat("\xff", signatureLen)))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < signatureLen {
			return
		}
		s := parseSignature(b)
		again := make([]byte, signatureLen)
		s.put(again)
		if back := parseSignature(again); back != s {
			t.Errorf("%+v became %+v", s, back)
		}
		_ = s.String()
	})
}

// TestErrorText names operation, communicator, peer, tag and cause, and leaves out what there is not.
func TestErrorText(t *testing.T) {
	for want, e := range map[string]*Error{
		"mpi: recv on world with rank 3, tag 7: rank out of range":        {"recv", "world", 3, 7, ErrRank},
		"mpi: recv on world with any rank, any tag: request cancelled":    {"recv", "world", AnySource, AnyTag, ErrCancelled},
		"mpi: allreduce on world.dup: ranks called different collectives": {"allreduce", "world.dup", None, None, ErrMismatch},
		"mpi: init: job aborted": {"init", "", None, None, ErrAborted},
	} {
		if e.Error() != want {
			t.Errorf("%q, want %q", e.Error(), want)
		}
		if !errors.Is(e, e.Err) {
			t.Errorf("%v does not unwrap", e)
		}
	}
}

// TestClass: every error of the packages has its class in the standard, wrapped or not, and every class a text.
func TestClass(t *testing.T) {
	for _, c := range classes {
		err := fmt.Errorf("%w: details", c.err)
		if got := Class(&Error{Op: "x", Err: err}); got != c.class {
			t.Errorf("%v has class %d (%v), want %d", err, got, got, c.class)
		}
	}
	for _, err := range []error{context.Canceled, errors.New("anything")} {
		if Class(err) != ClassOther {
			t.Errorf("%v has class %d", err, Class(err))
		}
	}
	if Class(nil) != ClassSuccess {
		t.Errorf("no error has class %d", Class(nil))
	}
	// Numbers that the standard's interface gives, at both ends and around what later versions have added.
	for c, number := range map[ErrorClass]int{ClassBuffer: 1, ClassTopology: 11, ClassTruncate: 15, ClassOther: 16, ClassAccess: 20,
		ClassInfo: 34, ClassNotSame: 40, ClassRMASync: 50, ClassWin: 56, ClassRMAFlavor: 57, ClassProcAborted: 58, ClassErrhandler: 61, LastClass: 62} {
		if int(c) != number {
			t.Errorf("%v is %d, want %d", c, c, number)
		}
	}
	seen := map[string]bool{}
	for c := ClassSuccess; c <= LastClass; c++ {
		if seen[c.String()] || c.String() == "" {
			t.Errorf("class %d: %q", c, c)
		}
		seen[c.String()] = true
	}
}

func TestTail(t *testing.T) {
	if tail("short", 63) != "short" || tail("a/long/path.go:12", 10) != "path.go:12" {
		t.Error(tail("a/long/path.go:12", 10))
	}
}
