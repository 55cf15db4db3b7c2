// Package tree owns a balanced search tree over addresses: the registration cache looks memory up in one, and the table
// of frequently used buffers can.
//
// It promises that Get, Floor, Set and Delete take O(log n) steps, at most 1.44 log2(n) of them down the tree, and that
// none but a Set which makes the tree larger than it ever was allocates. Keys are numbers, not pointers: the tree keeps
// nothing alive but its values. It knows nothing of what lies at an address. It is not safe for concurrent use.
package tree

// Map is an AVL tree from addresses to values. Its zero value is empty and ready. Nodes live in one slice and name each
// other by index, which halves their size and spares the collector the walk; index 0 is no node.
type Map[V any] struct {
	nodes []node[V]
	root  int32
	free  int32 // list of unused nodes, linked by child[left]
	n     int
}

const (
	left  = 0
	right = 1
)

type node[V any] struct {
	key    uintptr
	child  [2]int32
	height int8 // of the subtree; a leaf's is 1
	value  V
}

// Len is how many keys there are.
func (m *Map[V]) Len() int { return m.n }

// Get finds the value of a key.
func (m *Map[V]) Get(key uintptr) (v V, ok bool) {
	for i := m.root; i != 0; {
		d := &m.nodes[i]
		switch {
		case key < d.key:
			i = d.child[left]
		case key > d.key:
			i = d.child[right]
		default:
			return d.value, true
		}
	}
	return v, false
}

// Floor finds the greatest key that is not above the given one.
func (m *Map[V]) Floor(key uintptr) (at uintptr, v V, ok bool) {
	best := int32(0)
	for i := m.root; i != 0; {
		d := &m.nodes[i]
		if key < d.key {
			i = d.child[left]
			continue
		}
		best = i
		if key == d.key {
			break
		}
		i = d.child[right]
	}
	if best == 0 {
		return 0, v, false
	}
	return m.nodes[best].key, m.nodes[best].value, true
}

// Set gives a key a value, whether it had one or not.
func (m *Map[V]) Set(key uintptr, v V) { m.root = m.set(m.root, key, v) }

func (m *Map[V]) set(i int32, key uintptr, v V) int32 {
	if i == 0 {
		return m.take(key, v)
	}
	if m.nodes[i].key == key {
		m.nodes[i].value = v
		return i
	}
	side := left
	if key > m.nodes[i].key {
		side = right
	}
	sub := m.set(m.nodes[i].child[side], key, v) // may move the nodes
	m.nodes[i].child[side] = sub
	return m.balance(i)
}

// Delete removes a key and tells whether it was there.
func (m *Map[V]) Delete(key uintptr) bool {
	was := m.n
	m.root = m.remove(m.root, key)
	return m.n < was
}

func (m *Map[V]) remove(i int32, key uintptr) int32 {
	if i == 0 {
		return 0
	}
	d := &m.nodes[i]
	switch {
	case key < d.key:
		d.child[left] = m.remove(d.child[left], key)
	case key > d.key:
		d.child[right] = m.remove(d.child[right], key)
	case d.child[left] == 0 || d.child[right] == 0:
		rest := d.child[left] | d.child[right]
		m.give(i)
		return rest
	default: // the next greater node takes this one's place
		rest, next := m.removeFirst(d.child[right])
		m.nodes[next].child = [2]int32{d.child[left], rest}
		m.give(i)
		i = next
	}
	return m.balance(i)
}

// removeFirst takes the node with the smallest key out of a subtree.
func (m *Map[V]) removeFirst(i int32) (rest, first int32) {
	d := &m.nodes[i]
	if d.child[left] == 0 {
		return d.child[right], i
	}
	d.child[left], first = m.removeFirst(d.child[left])
	return m.balance(i), first
}

// take makes a leaf of an unused node.
func (m *Map[V]) take(key uintptr, v V) int32 {
	m.n++
	leaf := node[V]{key: key, height: 1, value: v}
	if i := m.free; i != 0 {
		m.free = m.nodes[i].child[left]
		m.nodes[i] = leaf
		return i
	}
	if len(m.nodes) == 0 {
		m.nodes = append(m.nodes, node[V]{})
	}
	m.nodes = append(m.nodes, leaf)
	return int32(len(m.nodes) - 1)
}

// give lays a node aside, without its value.
func (m *Map[V]) give(i int32) {
	m.n--
	m.nodes[i] = node[V]{child: [2]int32{left: m.free}}
	m.free = i
}

// balance restores the rule at node i, whose subtrees keep it and differ in height by two at most, and returns the node
// that is now on top.
func (m *Map[V]) balance(i int32) int32 {
	d := &m.nodes[i]
	switch l, r := m.height(d.child[left]), m.height(d.child[right]); {
	case l > r+1:
		return m.lift(i, left)
	case r > l+1:
		return m.lift(i, right)
	default:
		d.height = 1 + max(l, r)
		return i
	}
}

// lift puts the child on one side, or that child's inner child if it is the higher one, in the place of node i.
func (m *Map[V]) lift(i int32, side int) int32 {
	other := 1 - side
	c := m.nodes[i].child[side]
	if m.height(m.nodes[c].child[other]) > m.height(m.nodes[c].child[side]) {
		m.nodes[i].child[side] = m.rotate(c, other)
	}
	return m.rotate(i, side)
}

// rotate puts the child on one side in the place of node i, which becomes that child's child.
func (m *Map[V]) rotate(i int32, side int) int32 {
	d := &m.nodes[i]
	c := d.child[side]
	up := &m.nodes[c]
	d.child[side], up.child[1-side] = up.child[1-side], i
	d.height = 1 + max(m.height(d.child[left]), m.height(d.child[right]))
	up.height = 1 + max(m.height(up.child[left]), m.height(up.child[right]))
	return c
}

// height of a subtree; that of none is 0, as node 0 says.
func (m *Map[V]) height(i int32) int8 { return m.nodes[i].height }
