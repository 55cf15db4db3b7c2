package datatype

// Kinds says which elements a layout has, in the order of their bytes when packed: so many of one kind,
// then so many of another. Invalid stands for plain bytes of no kind. The zero Kinds has none.
type Kinds struct {
	terms    []term
	elements int
}

// A term is n elements of a kind, or n times the kinds of another list.
type term struct {
	n    int
	kind Kind
	sub  *Kinds // nil: kind counts
}

func kindsOf(k Kind, n int) Kinds {
	if n == 0 {
		return Kinds{}
	}
	return Kinds{[]term{{n: n, kind: k}}, n}
}

// Elements is how many there are.
func (k Kinds) Elements() int { return k.elements }

// Uniform returns the kind of all elements, if they have the same.
func (k Kinds) Uniform() (Kind, bool) {
	if len(k.terms) != 1 || k.terms[0].sub != nil {
		return Invalid, false
	}
	return k.terms[0].kind, true
}

// Runs calls yield with every run of elements of one kind, until it answers false. Neighbouring runs may be of the
// same kind.
func (k Kinds) Runs(yield func(Kind, int) bool) { k.runs(yield) }

func (k Kinds) runs(yield func(Kind, int) bool) bool {
	for _, t := range k.terms {
		if t.sub == nil {
			if !yield(t.kind, t.n) {
				return false
			}
			continue
		}
		for range t.n {
			if !t.sub.runs(yield) {
				return false
			}
		}
	}
	return true
}

// times is the list n times over.
func (k Kinds) times(n int) Kinds {
	switch {
	case n == 0 || len(k.terms) == 0:
		return Kinds{}
	case n == 1:
		return k
	case len(k.terms) == 1:
		t := k.terms[0]
		t.n *= n
		return Kinds{[]term{t}, k.elements * n}
	}
	return Kinds{[]term{{n: n, sub: &k}}, k.elements * n}
}

// joined is the lists one after the other. What it may grow in is its own.
func (k Kinds) joined(o Kinds) Kinds {
	for _, t := range o.terms {
		if last := len(k.terms) - 1; last >= 0 && t.kind == k.terms[last].kind && t.sub == k.terms[last].sub {
			k.terms[last].n += t.n
		} else {
			k.terms = append(k.terms, t)
		}
	}
	k.elements += o.elements
	return k
}

// within is how many whole elements the first bytes of the packed form hold, and how many bytes are left over.
func (k Kinds) within(bytes int) (elements, rest int) {
	for _, t := range k.terms {
		size := t.kindBytes()
		fit := t.n
		if size > 0 {
			fit = min(fit, bytes/size)
		}
		bytes -= fit * size
		if t.sub == nil {
			elements += fit
		} else {
			elements += fit * t.sub.elements
		}
		if fit == t.n {
			continue
		}
		if t.sub != nil {
			more, left := t.sub.within(bytes)
			return elements + more, left
		}
		break
	}
	return elements, bytes
}

// kindBytes is what one of the term takes.
func (t *term) kindBytes() (n int) {
	switch {
	case t.sub == nil && t.kind == Invalid:
		return 1
	case t.sub == nil:
		return t.kind.Size()
	}
	for i := range t.sub.terms {
		n += t.sub.terms[i].n * t.sub.terms[i].kindBytes()
	}
	return n
}
