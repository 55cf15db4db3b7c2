package wire

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// access encodes an access whole.
func access(a Access, blocks ...Block) []byte {
	b := AppendAccess(nil, &a, len(blocks))
	for _, k := range blocks {
		b = AppendBlock(b, k)
	}
	return append(b, a.Data...)
}

var payloads = [][]byte{
	access(Access{Verb: RMAPut, Data: []byte("hello")}, Block{8, 5}),
	access(Access{Verb: RMAGet, ID: 7}, Block{1 << 40, 100}, Block{0, 3}),
	access(Access{Verb: RMAAcc, Elem: 4, Op: 1, Data: make([]byte, 16)}, Block{0, 8}, Block{16, 8}),
	access(Access{Verb: RMAFetch, Elem: 4, Op: 1, ID: 1<<32 - 1, Data: make([]byte, 8)}, Block{0, 8}),
	access(Access{Verb: RMASwap, Elem: 4, ID: 3, Data: make([]byte, 16)}, Block{0, 8}),
	AppendRMASync(nil, RMASync{Verb: RMAFlush, ID: 1}),
	AppendRMASync(nil, RMASync{Verb: RMALock, Exclusive: true, ID: 2}),
	AppendRMASync(nil, RMASync{Verb: RMAUnlock}),
	AppendRMASync(nil, RMASync{Verb: RMALost}),
	AppendRMAAnswer(nil, RMAAnswer{Verb: RMAData, ID: 4, Data: []byte("bytes")}),
	AppendRMAAnswer(nil, RMAAnswer{Verb: RMADone, ID: 5}),
	AppendRMAAnswer(nil, RMAAnswer{Verb: RMAFail, Data: []byte("why")}),
}

// again parses a payload and appends it anew.
func again(b []byte) ([]byte, error) {
	switch v := RMAVerb(b); {
	case v >= RMAData:
		a, err := ParseRMAAnswer(b)
		return AppendRMAAnswer(nil, a), err
	case v >= RMAFlush:
		s, err := ParseRMASync(b)
		return AppendRMASync(nil, s), err
	default:
		a, err := ParseAccess(b)
		if err != nil {
			return nil, err
		}
		out := AppendAccess(nil, &a, a.Blocks.Len())
		total := 0
		for i := range a.Blocks.Len() {
			out = AppendBlock(out, a.Blocks.At(i))
			total += a.Blocks.At(i).Len
		}
		if total != a.Blocks.Bytes() || total < 0 {
			return nil, errors.New("the blocks do not add up")
		}
		return append(out, a.Data...), nil
	}
}

func TestRMATwins(t *testing.T) {
	seen := map[Verb]bool{}
	for _, b := range payloads {
		seen[RMAVerb(b)] = true
		if got, err := again(b); err != nil || !bytes.Equal(got, b) {
			t.Errorf("%v: %x became %x, %v", RMAVerb(b), b, got, err)
		}
		fixed := map[bool]int{true: accessSize, false: 8}[RMAVerb(b) <= RMASwap]
		for cut := range fixed {
			if _, err := again(b[:cut]); err == nil {
				t.Errorf("%v cut at %d is taken", RMAVerb(b), cut)
			}
		}
	}
	for v := Verb(1); v < lastVerb; v++ {
		if !seen[v] || v.String() == Verb(0).String() {
			t.Errorf("%v has no sample or no name", v)
		}
	}
}

func TestRMAParseRefuses(t *testing.T) {
	put := access(Access{Verb: RMAPut}, Block{1, 2})
	patch := func(b []byte, at int, v byte) []byte {
		b = bytes.Clone(b)
		b[at] = v
		return b
	}
	for name, c := range map[string]struct {
		b    []byte
		want error
	}{
		"an access with another's verb": {patch(put, 0, byte(lastVerb)), ErrVerb},
		"more blocks than bytes":        {patch(put, 8, 2), ErrShort},
		"a reserved byte":               {patch(put, 3, 1), ErrRange},
		"an offset below zero":          {access(Access{Verb: RMAPut}, Block{-1, 2}), ErrRange},
		"lengths beyond an int":         {access(Access{Verb: RMAPut}, Block{0, 1 << 62}, Block{0, 1 << 62}), ErrRange},
		"a lock of no known kind":       {patch(AppendRMASync(nil, RMASync{Verb: RMALock}), 1, 2), ErrRange},
		"a flush with a tail":           {append(AppendRMASync(nil, RMASync{Verb: RMAFlush}), 0), ErrRange},
		"an answer's reserved byte":     {patch(AppendRMAAnswer(nil, RMAAnswer{Verb: RMADone}), 2, 1), ErrRange},
		"an answer with a tail":         {append(AppendRMAAnswer(nil, RMAAnswer{Verb: RMADone}), 0), ErrRange},
	} {
		if _, err := again(c.b); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	if _, err := ParseRMASync(put); err == nil {
		t.Error("a put is a sync")
	}
	if _, err := ParseRMAAnswer(put); err == nil {
		t.Error("a put is an answer")
	}
	if diff := cmp.Diff(Blocks(put[accessSize:]).At(0), Block{1, 2}); diff != "" {
		t.Error(diff)
	}
}

func FuzzRMA(f *testing.F) {
	for _, b := range payloads {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := again(b)
		if err == nil && !bytes.Equal(got, b) {
			t.Fatalf("%x became %x", b, got)
		}
	})
}
