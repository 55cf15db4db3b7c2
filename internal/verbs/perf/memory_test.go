package perf

import "testing"

func TestKernelFigures(t *testing.T) {
	if v, err := kilobytes("MemTotal: 5 kB\nSlab:     123 kB\n", "Slab"); err != nil || v != 123*kib {
		t.Errorf("%d, %v", v, err)
	}
	for _, text := range []string{"", "Slab: many kB", "Slab: 5 pages", "Slab:", "Slabs: 5 kB", "Slab: -5 kB"} {
		if v, err := kilobytes(text, "Slab"); err == nil {
			t.Errorf("%q gave %d", text, v)
		}
	}
	text := "sockets: used 150\nTCP: inuse 5 orphan 0 tw 0 alloc 7 mem 3\nUDP: inuse 3 mem 2\nRAW: inuse 0\nmem\n"
	if got := socketPages(text); got != 5 {
		t.Errorf("%d pages", got)
	}
}

func TestMemoryUsedIsPlausible(t *testing.T) {
	u, err := memoryUsed()
	if err != nil {
		t.Fatal(err)
	}
	if u.heap <= 0 || u.rss < u.heap/2 || u.kernel <= 0 {
		t.Errorf("%+v", u)
	}
}

func FuzzKernelFigures(f *testing.F) {
	f.Add("Slab: 5 kB")
	f.Add("TCP: mem")
	f.Fuzz(func(t *testing.T, text string) {
		if v, err := kilobytes(text, "Slab"); err == nil && v < 0 {
			t.Errorf("%d bytes", v)
		}
		socketPages(text)
	})
}
