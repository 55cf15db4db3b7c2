package plan

import (
	"bytes"
	"errors"
	"fmt"
	"testing"
)

func TestPrinter(t *testing.T) {
	b := NewBuilder("demo/print", 1, 4)
	tmp := b.Tmp(64)
	s := b.Send(0, in(0, 64))
	r := b.Recv(2, tmp)
	c := b.Copy(out(64, 64), in(0, 64))
	b.Reduce(out(64, 64), tmp, true, c, r, r)
	b.Reduce(out(64, 64), tmp, false, 3)
	b.Gate(4, s)
	const want = `demo/print: rank 1 of 4, 6 steps, scratch 64 bytes
0: send to 0 <- in[0:64]
1: recv from 2 -> tmp[0:64]
2: copy in[0:64] -> out[64:128]
3: reduce out[64:128] = tmp[0:64] ∘ out[64:128] after 1,2
4: reduce out[64:128] = out[64:128] ∘ tmp[0:64] after 3
5: gate after 0,4
`
	p := b.Build()
	if got := p.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if p.Need(In) != 64 || p.Need(Out) != 128 || p.Need(Tmp) != 64 {
		t.Errorf("needs %v", p.need)
	}
}

func TestNamesOfUnknownValues(t *testing.T) {
	if got := Buffer(9).String(); got != "buffer(9)" {
		t.Error(got)
	}
	if got := Kind(99).String(); got != "kind(99)" {
		t.Error(got)
	}
}

func TestMisuseOfABuilderPanics(t *testing.T) {
	for name, misuse := range map[string]func(b *Builder){
		"later step": func(b *Builder) { b.Gate(0) },
		"negative":   func(b *Builder) { b.Gate(-2) },
		"lengths":    func(b *Builder) { b.Copy(out(0, 2), in(0, 1)) },
		"sub":        func(b *Builder) { b.Tmp(4).Sub(2, 3) },
		"rank map":   func(b *Builder) { b.Join(exchange(0, 1), Join{Ranks: []int{1}}) },
	} {
		if !panics(func() { misuse(NewBuilder("misuse", 0, 2)) }) {
			t.Errorf("%s: no panic", name)
		}
	}
}

func TestWithCheckComparesBeforeAnythingElse(t *testing.T) {
	const sigLen = 4
	differ := errors.New("calls differ")
	for _, odd := range []bool{false, true} {
		var plans []*Plan
		var bufs []Bufs
		for rank := range 2 {
			p := WithCheck(exchange(rank, 3), sigLen)
			tmp := make([]byte, p.TmpLen)
			sig := byte(7)
			if odd && rank == 1 {
				sig = 8
			}
			tmp[p.SigSend.Off] = sig
			plans = append(plans, p)
			bufs = append(bufs, Bufs{In: []byte{1, 2, byte(rank)}, Out: make([]byte, 3), Tmp: tmp})
		}
		if err := Check(plans, []Lens{{3, 3}, {3, 3}}); err != nil {
			t.Fatal(err)
		}
		err := Simulate(plans, Simulation{Bufs: bufs, Combine: xor, Verify: func(own, other []byte) error {
			if !bytes.Equal(own, other) {
				return differ
			}
			return nil
		}})
		if odd != errors.Is(err, differ) || !odd && err != nil {
			t.Errorf("odd %v: %v", odd, err)
		}
		if touched := bufs[0].Out[2] != 0; touched == odd {
			t.Errorf("odd %v: result written: %v", odd, touched)
		}
	}
	alone := NewBuilder("alone", 0, 1).Build()
	if WithCheck(alone, sigLen) != alone {
		t.Error("one rank has nobody to compare with")
	}
}

// TestJoin lets ranks 3 and 1 of four exchange over a piece of scratch, and
// then once more over the result.
func TestJoin(t *testing.T) {
	members := []int{3, 1}
	var plans []*Plan
	var bufs []Bufs
	for rank := range 4 {
		b := NewBuilder("joined", rank, 4)
		tmp := b.Tmp(6)
		for local, member := range members {
			if member != rank {
				continue
			}
			own := b.Copy(tmp.Sub(0, 3), in(1, 3))
			sub := exchange(local, 3)
			once := b.Join(sub, Join{Ranks: members, In: tmp.Sub(0, 3), Out: tmp.Sub(3, 3)}, own)
			twice := b.Join(sub, Join{Ranks: members, In: tmp.Sub(3, 3), Out: out(1, 3)}, once)
			b.Join(NewBuilder("empty", 0, 1).Build(), Join{}, twice)
		}
		plans = append(plans, b.Build())
		bufs = append(bufs, Bufs{In: []byte{0, byte(rank), 2, 4}, Out: make([]byte, 4)})
	}
	if err := Check(plans, []Lens{{4, 4}, {4, 4}, {4, 4}, {4, 4}}); err != nil {
		t.Fatal(err)
	}
	// A xor b on both sides, then that xor itself: all zero, except that the
	// combination below counts how often it was asked.
	calls := 0
	err := Simulate(plans, Simulation{Bufs: bufs, Combine: func(dst, src []byte, _ bool) {
		calls++
		for i := range dst {
			dst[i] += src[i]
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(calls, bufs[1].Out, bufs[3].Out, bufs[0].Out); got != "4 [0 8 8 16] [0 8 8 16] [0 0 0 0]" {
		t.Error(got)
	}
}

// TestBuilderAgain: a plan stays as it is when its builder makes another one, which begins with
// nothing of the first.
func TestBuilderAgain(t *testing.T) {
	var b Builder
	make := func(name string, peer, n int) *Plan {
		b.Begin(name, 0, 9)
		last := None
		for range n {
			last = b.Recv(peer, b.Tmp(8), last)
		}
		p := b.Build()
		b.OnNode(3, 64, 2)
		b.ByArrival()
		b.Travel(Copied, 1)
		return p
	}
	first := make("first", 1, 4)
	before := first.String()
	if second, fresh := make("second", 2, 3), make("second", 2, 3); second.String() != fresh.String() || second.TmpLen != 40 ||
		second.Shares() || second.ByArrival || second.Steps[0].Way != Auto {
		t.Errorf("the second plan is %s", second)
	}
	if first.String() != before || first.TmpLen != 56 {
		t.Errorf("the first plan was %s and is %s", before, first)
	}
}
