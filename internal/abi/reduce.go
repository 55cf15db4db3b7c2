package abi

import (
	"github.com/weft-mpi/weft/internal/abi/spec"
	"github.com/weft-mpi/weft/internal/coll"
)

// reducing adds the reduction: arguments type and operation.
func (c call) reducing(k *collective, typ, op int) (*dtype, error) {
	t, err := c.committedType(typ)
	if err != nil {
		return nil, err
	}
	o, err := c.p.opOf(c.word(op))
	if err != nil {
		return nil, err
	}
	r, err := c.p.reduction(o, t)
	if err != nil {
		return nil, err
	}
	k.call.Elem = max(t.size, 1)
	k.call.Combine, k.call.Commutative, k.call.Reduction, k.call.Foreign, k.call.Fold = r.combine, r.commutative, r.name, r.foreign, r.fold
	return t, nil
}

// vector is Allreduce, Scan and Exscan: send buffer, receive buffer, count, type, operation, communicator.
func vector(op coll.Op) handler {
	return func(c call) error {
		k, err := c.collective(5, op)
		if err != nil {
			return err
		}
		t, err := c.reducing(k, 3, 4)
		if err != nil {
			return err
		}
		n, err := c.count(2)
		if err != nil {
			return err
		}
		return c.vectors(k, 0, 1, n, t)
	}
}

// vectors adds vectors of n elements that are reduced, from argument in to argument out, and performs the call.
func (c call) vectors(k *collective, in, out, n int, t *dtype) error {
	v, err := c.viewAt(out, n, t)
	if err != nil {
		return err
	}
	k.call.Bytes, k.call.InPlace = v.bytes(), c.inPlace(k, in)
	k.out(v, k.call.InPlace || k.call.Op == coll.Exscan) // rank 0's stays as it is
	if !k.call.InPlace {
		from, err := c.viewAt(in, n, t)
		if err != nil {
			return err
		}
		k.in(from)
	}
	return c.perform(k)
}

// reduce is Reduce: send buffer, receive buffer, count, type, operation, root, communicator.
func reduce(c call) error {
	k, err := c.collective(6, coll.Reduce)
	if err != nil {
		return err
	}
	at, err := c.root(5, k)
	if err != nil {
		return err
	}
	t, err := c.reducing(k, 3, 4)
	if err != nil {
		return err
	}
	n, err := c.count(2)
	if err != nil {
		return err
	}
	switch {
	case at == atRoot && k.on.inter():
		v, err := c.viewAt(1, n, t)
		if err != nil {
			return err
		}
		k.call.Bytes = v.bytes()
		k.out(v, false)
		return c.perform(k)
	case at == atRoot:
		return c.vectors(k, 0, 1, n, t)
	case at == noPart:
		return c.perform(k)
	case c.inPlace(k, 0):
		return bad(spec.ERR_BUFFER, "MPI_IN_PLACE is for the root alone")
	}
	from, err := c.viewAt(0, n, t)
	if err != nil {
		return err
	}
	k.in(from)
	k.call.Bytes = from.bytes()
	return c.perform(k)
}

// reduceScatterBlock is Reduce_scatter_block: send buffer, receive buffer, count, type, operation, communicator.
func reduceScatterBlock(c call) error {
	n, err := c.count(2)
	if err != nil {
		return err
	}
	k, err := c.collective(5, coll.ReduceScatter)
	if err != nil {
		return err
	}
	if n > maxElements/k.on.c.Size() {
		return bad(spec.ERR_COUNT, "%d elements for each rank", n)
	}
	t, err := c.reducing(k, 3, 4)
	if err != nil {
		return err
	}
	k.call.Bytes = n * t.size
	return c.scattered(k, n, n*k.on.c.Size(), t)
}

// reduceScatter is Reduce_scatter: send buffer, receive buffer, counts, type, operation, communicator.
func reduceScatter(c call) error {
	k, err := c.collective(5, coll.ReduceScatter)
	if err != nil {
		return err
	}
	t, err := c.reducing(k, 3, 4)
	if err != nil {
		return err
	}
	counts, err := c.counts(2, k.on.c.Size())
	if err != nil {
		return err
	}
	all := 0
	for _, n := range counts {
		all += n
	}
	k.call.RecvCounts = counts // in elements: comm counts in Elem
	return c.scattered(k, counts[k.on.c.Rank()], all, t)
}

// scattered adds the vector of all ranks and the block of our own, and performs the call. In place, the
// vector is where the block goes.
func (c call) scattered(k *collective, own, all int, t *dtype) error {
	k.call.InPlace = c.inPlace(k, 0)
	if k.call.InPlace {
		v, err := c.viewAt(1, all, t)
		if err != nil {
			return err
		}
		if _, plain := v.plain(); plain {
			k.out(v, true)
			return c.perform(k)
		}
		b := make([]byte, v.bytes())
		block := view{v.base, own, t}
		k.call.Out = b
		k.before = append(k.before, func() { v.pack(b) })
		k.after = append(k.after, func() { block.unpack(b) })
		return c.perform(k)
	}
	v, err := c.viewAt(1, own, t)
	if err != nil {
		return err
	}
	k.out(v, false)
	from, err := c.viewAt(0, all, t)
	if err != nil {
		return err
	}
	k.in(from)
	return c.perform(k)
}

// reduceLocal is Reduce_local: in, inout, count, type, operation.
func reduceLocal(c call) error {
	var k collective
	t, err := c.reducing(&k, 3, 4)
	if err != nil {
		return err
	}
	n, err := c.count(2)
	if err != nil {
		return err
	}
	in, err := c.viewAt(0, n, t)
	if err != nil {
		return err
	}
	inout, err := c.viewAt(1, n, t)
	if err != nil {
		return err
	}
	if n == 0 {
		return nil
	}
	b, scratch := inout.room()
	if scratch {
		inout.pack(b)
	}
	k.call.Combine(b, in.packed(), true)
	if scratch {
		inout.unpack(b)
	}
	return nil
}
