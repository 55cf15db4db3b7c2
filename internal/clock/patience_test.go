package clock

import "testing"

// what a waiting rank may see.
type sight func(p *Patience)

func times(n int, s sight) sight {
	return func(p *Patience) {
		for range n {
			s(p)
		}
	}
}

func inTurn(all ...sight) sight {
	return func(p *Patience) {
		for _, s := range all {
			s(p)
		}
	}
}

// TestPatience: a rank holds on to its processor as long as answers come while it polls, and lets go of it when they do not.
func TestPatience(t *testing.T) {
	answered, slept, late := (*Patience).Answered, (*Patience).Slept, (*Patience).Late
	shares := times(firstCredit/vainCosts, slept)
	fails := times(tryCredit/vainCosts, slept) // a try to poll again
	for name, c := range map[string]struct {
		see     sight
		shared  bool
		changes uint64
	}{
		"nothing":                      {times(0, slept), false, 0},
		"answers":                      {times(10_000, answered), false, 0},
		"some vain polls":              {times(firstCredit/vainCosts-1, slept), false, 0},
		"vain polls":                   {shares, true, 1},
		"late yields":                  {times(firstCredit/lateCosts, late), true, 1},
		"a late yield now and then":    {times(1000, inTurn(late, times(lateCosts, answered))), false, 0},
		"a vain poll among answers":    {times(1000, inTurn(slept, times(vainCosts, answered))), false, 0},
		"as many vain ones as answers": {times(1000, inTurn(slept, answered)), true, 0},
		"is not tried again at once":   {inTurn(shares, times(firstGap-1, slept)), true, 1},
		"is tried again":               {inTurn(shares, times(firstGap, slept)), false, 2},
		"answers count as waits":       {inTurn(shares, times(firstGap, answered)), false, 2},
		"late yields do not":           {inTurn(shares, times(firstGap, late)), true, 1},
		"the try fails":                {inTurn(shares, times(firstGap, slept), fails), true, 3},
		"the next try comes later":     {inTurn(shares, times(firstGap, slept), fails, times(2*firstGap-1, slept)), true, 3},
		"but comes":                    {inTurn(shares, times(firstGap, slept), fails, times(2*firstGap, slept)), false, 4},
		"the try succeeds":             {inTurn(shares, times(firstGap, slept), times(mostCredit, answered), fails), false, 2},
		"then gaps are short again": {inTurn(shares, times(firstGap, slept), times(mostCredit, answered), times(mostCredit/vainCosts, slept),
			times(firstGap, slept)), false, 4},
	} {
		p := Learning(PolicyFor(2, 2))
		c.see(&p)
		got := p.Learned()
		if got.Shared != c.shared || p.Shared() != c.shared || c.changes > 0 && got.Changes != c.changes {
			t.Errorf("%s: shared %t after %d changes, want %t after %d", name, got.Shared, got.Changes, c.shared, c.changes)
		}
		if brief := p.Spins+p.Yields < 10; brief != c.shared {
			t.Errorf("%s: shared is %t, and it waits by %+v", name, c.shared, p.Policy)
		}
	}
}

// TestPatienceHasAnEnd: however often it has failed to poll, a rank tries again.
func TestPatienceHasAnEnd(t *testing.T) {
	p := Learning(PolicyFor(2, 2))
	times(10*mostGap, (*Patience).Slept)(&p)
	if n := p.Learned().Changes; n < 10 {
		t.Errorf("%d changes", n)
	}
}

// TestPatienceAsTold: who was told how to wait keeps to it.
func TestPatienceAsTold(t *testing.T) {
	told := Policy{Spins: 7, Yields: 3}
	p := Patience{Policy: told}
	times(100, inTurn((*Patience).Slept, (*Patience).Late))(&p)
	if p.Policy != told || p.Shared() {
		t.Errorf("it waits by %+v", p.Policy)
	}
	if n := p.Learned(); n.Vain != 100 || n.Late != 100 {
		t.Errorf("%+v", n)
	}
}

// TestBrief: who lets go of the processor never polls for longer than who does not.
func TestBrief(t *testing.T) {
	for _, p := range []Policy{PolicyFor(2, 8), PolicyFor(3, 2), PolicyFor(8, 2), {}} {
		if b := p.brief(); b.Spins > p.Spins || b.Yields > p.Yields {
			t.Errorf("%+v after %+v", b, p)
		}
	}
}
