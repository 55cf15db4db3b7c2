package rail

import "testing"

// Reserved buffers are one registration, however many, and only those that are missing.
func TestPoolReserves(t *testing.T) {
	l := newRig(t, 1, nil).links[0]
	p := l.newPool(17<<10, 100)
	p.reserve(40)
	if len(p.slabs) != 1 || len(p.all) != 40 {
		t.Errorf("40 buffers are %d registrations of %d buffers", len(p.slabs), len(p.all))
	}
	for range 30 {
		p.get()
	}
	p.reserve(10)
	if len(p.slabs) != 1 {
		t.Error("more memory, although enough was free")
	}
	p.reserve(40)
	if len(p.slabs) != 2 || len(p.all) != 70 {
		t.Errorf("30 buffers more are %d registrations of %d buffers in all", len(p.slabs)-1, len(p.all))
	}
	p.reserve(1000)
	p.reserve(1000)
	if len(p.slabs) != 3 || len(p.all) != 100 {
		t.Errorf("the limit is 100 buffers, there are %d", len(p.all))
	}
}

// A pool that runs out again and again registers in growing steps; what was reserved does not make the steps larger.
func TestPoolGrows(t *testing.T) {
	l := newRig(t, 1, nil).links[0]
	const size, asked, n = slabBytes / 4, 1000, 400
	p := l.newPool(size, 1<<20)
	p.reserve(asked)
	for range asked + n {
		if p.get() == nil {
			t.Fatal("no buffer")
		}
	}
	if first := p.slabs[1].n; first != 4 {
		t.Errorf("the first step is %d buffers", first)
	}
	if steps := len(p.slabs) - 1; steps > 14 { // 100 of the least size
		t.Errorf("%d buffers are %d registrations", n, steps)
	}
	if more := len(p.all) - asked; more > n+n/growth {
		t.Errorf("%d buffers for %d", more, n)
	}
}

// What is given back whole is not reserved again in smaller pieces.
func TestPoolTrimsReservations(t *testing.T) {
	l := newRig(t, 1, nil).links[0]
	p := l.newPool(17<<10, 1000)
	p.reserve(10)
	memory := l.Counters.Memory
	p.reserve(50)
	if p.trim(); l.Counters.Memory != memory || len(p.slabs) != 1 {
		t.Errorf("%d bytes in %d pieces are left of %d", l.Counters.Memory, len(p.slabs), memory)
	}
	p.reserve(50)
	if len(p.slabs) != 2 || len(p.all) != 50 {
		t.Errorf("%d pieces, %d buffers", len(p.slabs), len(p.all))
	}
}
