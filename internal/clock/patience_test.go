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

// What rows of sights lead to: spins, yields and sleeps as PolicyFor counts them out, or less of them.
func TestPatience(t *testing.T) {
	answered, slept := (*Patience).Answered, (*Patience).Slept
	yielded := func(took int64) sight { return func(p *Patience) { p.Yielded(took) } }
	prompt, turn, late := yielded(turnYield-1), yielded(turnYield), yielded(lateYield)
	vain := times(firstCredit/vainCosts, slept)
	fails := times(tryCredit/vainCosts, slept) // a try to poll again
	const any = 1 << 30
	for name, c := range map[string]struct {
		see            sight
		yields, sleeps bool
		changes        uint64
	}{
		"nothing":                      {times(0, slept), false, false, 0},
		"answers":                      {times(10_000, answered), false, false, 0},
		"some vain polls":              {times(firstCredit/vainCosts-1, slept), false, false, 0},
		"vain polls":                   {vain, false, true, 1},
		"a vain poll among answers":    {times(1000, inTurn(slept, times(vainCosts, answered))), false, false, 0},
		"as many vain ones as answers": {times(100, inTurn(slept, answered)), false, true, any},
		"is not tried again at once":   {inTurn(vain, times(firstGap-1, slept)), false, true, 1},
		"is tried again":               {inTurn(vain, times(firstGap, slept)), false, false, 2},
		"answers count as waits":       {inTurn(vain, times(firstGap, answered)), false, false, 2},
		"yields do not":                {inTurn(vain, times(firstGap, prompt)), false, true, 1},
		"the try fails":                {inTurn(vain, times(firstGap, slept), fails), false, true, 3},
		"the next try comes later":     {inTurn(vain, times(firstGap, slept), fails, times(2*firstGap-1, slept)), false, true, 3},
		"but comes":                    {inTurn(vain, times(firstGap, slept), fails, times(2*firstGap, slept)), false, false, 4},
		"the try succeeds":             {inTurn(vain, times(firstGap, slept), times(mostCredit, answered), fails), false, false, 2},
		"then gaps are short again": {inTurn(vain, times(firstGap, slept), times(mostCredit, answered), times(mostCredit/vainCosts, slept),
			times(firstGap, slept)), false, false, 4},
		"prompt yields":             {times(10_000, prompt), false, false, 0},
		"some turns":                {times(mostTurns-1, turn), false, false, 0},
		"turns":                     {times(mostTurns, turn), true, false, 1},
		"as many turns as not":      {times(10_000, inTurn(turn, prompt)), false, false, 0},
		"turns, then some not":      {inTurn(times(100, turn), times(mostTurns-1, prompt)), true, false, 1},
		"turns, then none":          {inTurn(times(100, turn), times(mostTurns, prompt)), false, false, 2},
		"turns and vain polls":      {inTurn(times(mostTurns, turn), vain), true, true, 2},
		"turns when tried again":    {inTurn(vain, times(mostTurns, turn), times(firstGap, slept)), true, false, 3},
		"late yields":               {times(firstCredit/lateCosts, late), true, true, 2},
		"a late yield now and then": {times(1000, inTurn(late, prompt, times(lateCosts, answered))), false, false, 0},
	} {
		p := Learning(PolicyFor(2, 2))
		c.see(&p)
		got := p.Learned()
		if got.Yields != c.yields || got.Sleeps != c.sleeps || p.Shared() != (c.yields || c.sleeps) || c.changes != any && got.Changes != c.changes {
			t.Errorf("%s: %+v, want yields %t, sleeps %t, changes %d", name, got, c.yields, c.sleeps, c.changes)
		}
		want := PolicyFor(2, 2)
		switch {
		case c.sleeps:
			want = want.brief()
		case c.yields:
			want.Spins = 1
		}
		if p.Policy != want {
			t.Errorf("%s: waits by %+v, want %+v", name, p.Policy, want)
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
	times(100, inTurn((*Patience).Slept, func(p *Patience) { p.Yielded(lateYield) }))(&p)
	if p.Policy != told || p.Shared() {
		t.Errorf("it waits by %+v", p.Policy)
	}
	if n := p.Learned(); n.Vain != 100 || n.Late != 100 || n.Turns != 100 {
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
