package tree

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// check walks the tree and holds it against the rules: keys ascend, heights are true, subtrees differ by one at most.
func check[V any](t interface{ Fatalf(string, ...any) }, m *Map[V]) (keys []uintptr) {
	var walk func(i int32) int8
	walk = func(i int32) int8 {
		if i == 0 {
			return 0
		}
		d := m.nodes[i]
		l := walk(d.child[left])
		keys = append(keys, d.key)
		r := walk(d.child[right])
		if d.height != 1+max(l, r) || l-r > 1 || r-l > 1 {
			t.Fatalf("node %d: height %d over %d and %d", d.key, d.height, l, r)
		}
		return d.height
	}
	walk(m.root)
	if !slices.IsSorted(keys) || len(keys) != m.Len() {
		t.Fatalf("keys %v, Len %d", keys, m.Len())
	}
	return keys
}

// TestTwin does random things to a tree and to a map that is sorted when one has to look.
func TestTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var m Map[int]
		twin := map[uintptr]int{}
		key := rapid.UintptrRange(0, 60)
		for i := range rapid.IntRange(0, 200).Draw(t, "steps") {
			k := key.Draw(t, "key")
			switch rapid.IntRange(0, 2).Draw(t, "op") {
			case 0:
				m.Set(k, i)
				twin[k] = i
			case 1:
				_, was := twin[k]
				delete(twin, k)
				if m.Delete(k) != was {
					t.Fatalf("Delete(%d) says %v", k, !was)
				}
			default:
				lookUp(t, &m, twin, k)
			}
		}
		if keys := check(t, &m); !slices.Equal(keys, slices.Sorted(maps.Keys(twin))) {
			t.Fatalf("keys %v, want those of %v", keys, twin)
		}
	})
}

func lookUp(t *rapid.T, m *Map[int], twin map[uintptr]int, k uintptr) {
	v, ok := m.Get(k)
	if want, there := twin[k]; ok != there || v != want {
		t.Fatalf("Get(%d) = %d, %v, want %d, %v", k, v, ok, want, there)
	}
	at, v, ok := m.Floor(k)
	for want := k; ; want-- {
		if value, there := twin[want]; there {
			if !ok || at != want || v != value {
				t.Fatalf("Floor(%d) = %d, %d, %v, want %d, %d", k, at, v, ok, want, value)
			}
			return
		}
		if want == 0 {
			break
		}
	}
	if ok {
		t.Fatalf("Floor(%d) = %d, want none", k, at)
	}
}

// TestStaysLow: in ascending order, the worst for a tree without balance.
func TestStaysLow(t *testing.T) {
	var m Map[struct{}]
	for k := range uintptr(1 << 14) {
		m.Set(k, struct{}{})
	}
	check(t, &m)
	if h := m.nodes[m.root].height; h > 20 { // 1.44 * 14
		t.Errorf("height %d", h)
	}
	for k := range uintptr(1<<14 - 1) {
		m.Delete(k)
	}
	if check(t, &m); m.nodes[m.root].height != 1 {
		t.Errorf("one key is left and the tree is %d high", m.nodes[m.root].height)
	}
}

// TestReuse: nodes given back are used again and forget their values.
func TestReuse(t *testing.T) {
	var m Map[*int]
	for range 3 {
		for k := range uintptr(100) {
			m.Set(k, new(int))
		}
		for k := range uintptr(100) {
			m.Delete(k)
		}
	}
	if len(m.nodes) != 101 || m.Len() != 0 {
		t.Errorf("%d nodes for 100 keys at a time", len(m.nodes)-1)
	}
	for i := range m.nodes {
		if m.nodes[i].value != nil {
			t.Fatal("an unused node keeps a value alive")
		}
	}
	if n := testing.AllocsPerRun(100, func() { m.Set(5, nil); m.Floor(7); m.Get(5); m.Delete(5) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkFloor(b *testing.B) {
	for _, size := range []int{16, 1024, 16384} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			var m Map[int]
			for k := range size {
				m.Set(uintptr(k)*4096, k)
			}
			at := uintptr(0)
			for b.Loop() {
				at = (at*5 + 4097) % (uintptr(size) * 4096)
				if _, _, ok := m.Floor(at); !ok {
					b.Fatal("nothing found")
				}
			}
		})
	}
}
