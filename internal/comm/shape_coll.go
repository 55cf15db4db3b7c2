package comm

import (
	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/datatype"
)

// Shapes are the buffers of a collective whose data do not lie next to each other: In and Out of its Call are the packed
// forms of these, one after the other, and counts and displacements are those of packed bytes. So every algorithm
// serves every shape.
type Shapes struct{ In, Out []datatype.Shape }

// shaped is a collective on shapes that is under way. The room of all of them is one.
type shaped struct {
	*Copy
	out []datatype.Shape
	at  int // of the packed Out in the room
}

// RunShapes is Run on shapes, which take the place of In and Out.
func (c *Comm) RunShapes(call *Call, s *Shapes) error {
	k, err := c.load(call, s)
	if err != nil {
		return err
	}
	err = c.Run(call)
	k.Ended(err)
	return err
}

// StartShapes is Start on shapes, which take the place of In and Out.
func (c *Comm) StartShapes(call *Call, s *Shapes) Request {
	k, err := c.load(call, s)
	if err != nil {
		return Failed(err)
	}
	return c.start(call, k)
}

// load packs the buffers of a call.
func (c *Comm) load(call *Call, s *Shapes) (*shaped, error) {
	in, out := packedLen(s.In), packedLen(s.Out)
	for _, o := range s.Out {
		if o.Overlaps() {
			return nil, c.fail(call.name(), ErrTwice)
		}
	}
	if err := c.shapesApart(call, s.Out); err != nil {
		return nil, err
	}
	k := &shaped{c.env.space(in + out), s.Out, in}
	call.In, call.Out = k.Bytes[:in:in], k.Bytes[in:in+out]
	packAll(call.In, s.In)
	if call.InPlace || call.Op == coll.Bcast || call.Op == coll.Exscan { // these read it, or leave it as it is
		packAll(call.Out, s.Out)
	}
	return k, nil
}

func packedLen(shapes []datatype.Shape) (n int) {
	for _, s := range shapes {
		n += s.Len()
	}
	return n
}

func packAll(dst []byte, shapes []datatype.Shape) {
	for _, s := range shapes {
		dst = dst[s.Pack(dst, 0):]
	}
}

// Ended unpacks the result.
func (k *shaped) Ended(err error) {
	if err == nil {
		src := k.Bytes[k.at:]
		for _, s := range k.out {
			src = src[s.Unpack(src, 0):]
		}
	}
	k.Copy.Ended(err)
}
