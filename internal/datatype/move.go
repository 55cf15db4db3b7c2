package datatype

import "unsafe"

// A mover copies between packed bytes and the memory that a node describes. Both are named by a pointer that stays where
// it is, and by integers: no pointer ever points outside of what it belongs to, as the garbage collector wants it.
type mover struct {
	packed unsafe.Pointer
	mem    unsafe.Pointer // displacement 0
	out    bool           // from packed to mem
}

// chunk is how many items are gone through once for each of their pieces: few enough to stay in the nearest cache.
const chunk = 128

// move copies bytes from..to of the packed node, which is placed at disp; they are at..at+to-from of packed.
func (m *mover) move(n *node, disp, at, from, to int) {
	disp += n.off
	if n.form == run {
		m.piece(at, disp+from, to-from)
		return
	}
	i := n.part(from)
	if first := n.start(i); from > first || to < n.start(i+1) { // in the midst of a part
		end := min(to, n.start(i+1))
		m.part(n, i, disp, at, from-first, end-first)
		at += end - from
		from = end
		i++
	}
	if from == to {
		return
	}
	last := n.part(to) // behind the last whole part
	m.parts(n, i, last, disp, at)
	if first := n.start(last); first < to {
		m.part(n, last, disp, at+first-from, 0, to-first)
	}
}

// part copies bytes from..to of one part.
func (m *mover) part(n *node, i, disp, at, from, to int) {
	switch n.form {
	case repeat:
		m.move(n.kid, disp+i*n.stride, at, from, to)
	case runs:
		m.piece(at, disp+n.offs[i]+from, to-from)
	default:
		m.move(n.kids[i], disp+n.offs[i], at, from, to)
	}
}

// parts copies whole parts, those from i to before end.
func (m *mover) parts(n *node, i, end, disp, at int) {
	switch n.form {
	case repeat:
		m.repeated(n, i, end, disp, at)
	case runs:
		m.runs(n, i, end, disp, at)
	default:
		for ; i < end; i++ {
			k := n.kids[i]
			m.move(k, disp+n.offs[i], at, 0, k.size)
			at += k.size
		}
	}
}

// repeated copies whole parts of a repeat.
func (m *mover) repeated(n *node, i, end, disp, at int) {
	k := n.kid
	disp += i * n.stride
	switch {
	case k.form == run:
		m.strided(at, k.size, disp+k.off, n.stride, k.size, end-i)
	case k.tiny != nil && end-i > 1:
		for ; i < end; i += chunk {
			count := min(end-i, chunk)
			for _, t := range k.tiny {
				m.strided(at+t.at, k.size, disp+t.off, n.stride, t.len, count)
			}
			at += count * k.size
			disp += count * n.stride
		}
	default:
		for ; i < end; i++ {
			m.move(k, disp, at, 0, k.size)
			at += k.size
			disp += n.stride
		}
	}
}

// runs copies whole runs of a list.
func (m *mover) runs(n *node, i, end, disp, at int) {
	offs := n.offs[i:end]
	switch n.even {
	case 4:
		listed[[4]byte](m, offs, disp, at)
	case 8:
		listed[[8]byte](m, offs, disp, at)
	case 16:
		listed[[16]byte](m, offs, disp, at)
	default:
		for j, off := range offs {
			size := n.start(i+j+1) - n.start(i+j)
			m.piece(at, disp+off, size)
			at += size
		}
	}
}

// A cell is a block of fixed size, which is copied by a few instructions.
type cell interface {
	[1]byte | [2]byte | [4]byte | [8]byte | [12]byte | [16]byte | [24]byte | [32]byte
}

// listed copies blocks of a fixed size anywhere in memory.
func listed[W cell](m *mover, offs []int, disp, at int) {
	size := int(unsafe.Sizeof(*new(W)))
	if m.out {
		for _, off := range offs {
			*(*W)(unsafe.Add(m.mem, disp+off)) = *(*W)(unsafe.Add(m.packed, at))
			at += size
		}
		return
	}
	for _, off := range offs {
		*(*W)(unsafe.Add(m.packed, at)) = *(*W)(unsafe.Add(m.mem, disp+off))
		at += size
	}
}

// piece copies a run of bytes.
func (m *mover) piece(at, off, n int) {
	dst, src := unsafe.Add(m.packed, at), unsafe.Add(m.mem, off)
	if m.out {
		dst, src = src, dst
	}
	switch n {
	case 4:
		*(*[4]byte)(dst) = *(*[4]byte)(src)
	case 8:
		*(*[8]byte)(dst) = *(*[8]byte)(src)
	default:
		copy(unsafe.Slice((*byte)(dst), n), unsafe.Slice((*byte)(src), n))
	}
}

// strided copies count blocks of size bytes at equal distances: atStride in packed, offStride in memory.
func (m *mover) strided(at, atStride, off, offStride, size, count int) {
	dst, d, dStride := m.packed, at, atStride
	src, s, sStride := m.mem, off, offStride
	if m.out {
		dst, d, dStride, src, s, sStride = src, s, sStride, dst, d, dStride
	}
	switch size {
	case 1:
		words[[1]byte](dst, d, dStride, src, s, sStride, count)
	case 2:
		words[[2]byte](dst, d, dStride, src, s, sStride, count)
	case 4:
		words[[4]byte](dst, d, dStride, src, s, sStride, count)
	case 8:
		words[[8]byte](dst, d, dStride, src, s, sStride, count)
	case 12:
		words[[12]byte](dst, d, dStride, src, s, sStride, count)
	case 16:
		words[[16]byte](dst, d, dStride, src, s, sStride, count)
	case 24:
		words[[24]byte](dst, d, dStride, src, s, sStride, count)
	case 32:
		words[[32]byte](dst, d, dStride, src, s, sStride, count)
	default:
		for ; count > 0; count-- {
			copy(unsafe.Slice((*byte)(unsafe.Add(dst, d)), size), unsafe.Slice((*byte)(unsafe.Add(src, s)), size))
			d += dStride
			s += sStride
		}
	}
}

// words is strided for blocks of a fixed size. Four at a time let the processor load ahead of its stores.
func words[W cell](dst unsafe.Pointer, d, dStride int, src unsafe.Pointer, s, sStride, count int) {
	for ; count >= 4; count -= 4 {
		*(*W)(unsafe.Add(dst, d)) = *(*W)(unsafe.Add(src, s))
		*(*W)(unsafe.Add(dst, d+dStride)) = *(*W)(unsafe.Add(src, s+sStride))
		*(*W)(unsafe.Add(dst, d+2*dStride)) = *(*W)(unsafe.Add(src, s+2*sStride))
		*(*W)(unsafe.Add(dst, d+3*dStride)) = *(*W)(unsafe.Add(src, s+3*sStride))
		d += 4 * dStride
		s += 4 * sStride
	}
	for ; count > 0; count-- {
		*(*W)(unsafe.Add(dst, d)) = *(*W)(unsafe.Add(src, s))
		d += dStride
		s += sStride
	}
}
