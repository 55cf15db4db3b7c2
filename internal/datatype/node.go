package datatype

import "slices"

// A node is where packed bytes lie in memory: a run of them, the same again and again at equal
// distances, or a list of places. It never changes. Nodes may be shared; a nil node has no bytes.
type node struct {
	form form
	off  int // of everything below, from where the node itself is placed
	size int // packed bytes, at least 1

	n      int // repeat: how often
	stride int // repeat: bytes from one to the next
	kid    *node

	offs   []int   // runs and list: where each part is placed
	starts []int   // packed bytes before each part, and in all; nil if all parts have even bytes
	even   int     // but for a run: what each part has; 0 if they differ
	kids   []*node // list: what each part is

	tiny []piece // what there is below, if that is little
}

type form uint8

const (
	run form = iota
	repeat
	runs // a list of runs
	list
)

// A piece is bytes that lie together.
type piece struct{ at, off, len int }

// mostTiny is how many pieces are little.
const mostTiny = 8

// placed is a node at a displacement.
type placed struct {
	off  int
	node *node
}

// shifted is the node off bytes further on.
func (n *node) shifted(off int) *node {
	if n == nil || off == 0 {
		return n
	}
	c := *n
	c.off += off
	c.tiny = c.findTiny()
	return &c
}

// repeated is the node n times, stride bytes apart, as simple as it can be.
func repeated(kid *node, n, stride int) node {
	switch {
	case n == 1:
		return *kid
	case kid.form == run && stride == kid.size:
		return node{form: run, off: kid.off, size: n * kid.size}
	case kid.form == repeat && stride == kid.n*kid.stride:
		return node{form: repeat, off: kid.off, size: n * kid.size, n: n * kid.n, stride: kid.stride, kid: kid.kid, even: kid.even}
	}
	return node{form: repeat, size: n * kid.size, n: n, stride: stride, kid: kid, even: kid.size}
}

// repeatOf is repeated, to be kept.
func repeatOf(kid *node, n, stride int) *node {
	if kid == nil || n == 0 {
		return nil
	}
	if n == 1 {
		return kid
	}
	c := repeated(kid, n, stride)
	c.tiny = c.findTiny()
	return &c
}

// findTiny lists what is below the node, if that is little.
func (n *node) findTiny() []piece {
	var all []piece
	switch {
	case n.form == repeat && n.n <= mostTiny && n.kid.form == run:
		for i := range n.n {
			all = append(all, piece{i * n.kid.size, n.off + i*n.stride + n.kid.off, n.kid.size})
		}
	case n.form == runs && len(n.offs) <= mostTiny:
		for i, off := range n.offs {
			all = append(all, piece{n.start(i), n.off + off, n.start(i+1) - n.start(i)})
		}
	}
	return all
}

// start is how many packed bytes there are before part i.
func (n *node) start(i int) int {
	if n.starts == nil {
		return i * n.even
	}
	return n.starts[i]
}

// part finds the part that has the packed byte at.
func (n *node) part(at int) int {
	if n.starts == nil {
		return at / n.even
	}
	i, found := slices.BinarySearch(n.starts, at)
	if !found {
		i--
	}
	return i
}

// join is the parts one after the other, as simple as they can be.
func join(parts []placed) *node {
	parts = merged(parts)
	if len(parts) == 0 {
		return nil
	}
	if first := parts[0]; len(parts) == 1 {
		return first.node.shifted(first.off)
	}
	if stride, ok := regular(parts); ok {
		return repeatOf(parts[0].node, len(parts), stride).shifted(parts[0].off)
	}
	n := &node{form: runs, offs: make([]int, len(parts)), even: parts[0].node.size}
	for i, p := range parts {
		n.offs[i] = p.off
		if n.size += p.node.size; p.node.size != n.even {
			n.even = 0
		}
		if p.node.form != run {
			n.form = list
		}
	}
	if n.even == 0 {
		n.starts = make([]int, 1, len(parts)+1)
		for i, p := range parts {
			n.starts = append(n.starts, n.starts[i]+p.node.size)
		}
	}
	if n.form == runs {
		for i, p := range parts {
			n.offs[i] += p.node.off
		}
	} else {
		n.kids = make([]*node, len(parts))
		for i, p := range parts {
			n.kids[i] = p.node
		}
	}
	n.tiny = n.findTiny()
	return n
}

// merged is the parts without those that have no bytes, with runs that touch as one, and with what is tiny in
// place of what holds it.
func merged(parts []placed) []placed {
	out := make([]placed, 0, len(parts))
	add := func(off, size int, whole *node) {
		if last := len(out) - 1; last >= 0 && out[last].node.form == run {
			if was := out[last]; was.off+was.node.off+was.node.size == off {
				out[last] = placed{was.off, &node{form: run, off: was.node.off, size: was.node.size + size}}
				return
			}
		}
		if whole == nil {
			whole = &node{form: run, size: size}
		} else {
			off -= whole.off
		}
		out = append(out, placed{off, whole})
	}
	for _, p := range parts {
		switch n := p.node; {
		case n == nil:
		case n.form == run:
			add(p.off+n.off, n.size, n)
		case n.tiny != nil && len(parts) <= mostTiny:
			for _, t := range n.tiny {
				add(p.off+t.off, t.len, nil)
			}
		default:
			out = append(out, p)
		}
	}
	return out
}

// regular tells whether all parts are the same at equal distances.
func regular(parts []placed) (stride int, ok bool) {
	first := parts[0]
	stride = parts[1].off + parts[1].node.runOff() - first.off - first.node.runOff()
	for i, p := range parts[1:] {
		same := p.node == first.node || p.node.form == run && first.node.form == run && p.node.size == first.node.size
		if !same || p.off+p.node.runOff()-first.off-first.node.runOff() != (i+1)*stride {
			return 0, false
		}
	}
	return stride, true
}

// runOff is the displacement of a run; other nodes are the same only if that is, too.
func (n *node) runOff() int {
	if n.form == run {
		return n.off
	}
	return 0
}
