package mpi

import (
	"bytes"
	"cmp"
	"encoding/gob"
	"fmt"

	"github.com/weft-mpi/weft/internal/comm"
)

// SendValue sends a value of any type that encoding/gob can encode: strings, maps, structs with pointers. It
// costs an encoding; slices of numbers go faster with [Send].
func SendValue[T any](c *Comm, v T, dst, tag int) error {
	b, err := encode(c, "send value", v, dst, tag)
	if err != nil {
		return err
	}
	return Send(c, b, dst, tag)
}

func encode[T any](c *Comm, op string, v T, peer, tag int) ([]byte, error) {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(&v); err != nil {
		return nil, &Error{Op: op, Comm: c.Name(), Peer: peer, Tag: tag, Err: fmt.Errorf("%w: encoding %T: %w", ErrType, v, err)}
	}
	return b.Bytes(), nil
}

func decode[T any](c *Comm, op string, b []byte, peer, tag int) (v T, err error) {
	if err := gob.NewDecoder(bytes.NewReader(b)).Decode(&v); err != nil {
		return v, &Error{Op: op, Comm: c.Name(), Peer: peer, Tag: tag,
			Err: fmt.Errorf("%w: decoding %d bytes as %T: %w; was it sent by SendValue with the same type?", ErrType, len(b), v, err)}
	}
	return v, nil
}

// RecvValue receives a value that [SendValue] sent. T must be the type that was sent, or one that
// gob takes for it; otherwise it fails with [ErrType].
func RecvValue[T any](c *Comm, src, tag int) (v T, st Status, err error) {
	m, err := Mprobe(c, src, tag)
	if err != nil {
		return v, st, err
	}
	b := make([]byte, m.Status().Bytes)
	if st, err = Mrecv(m, b); err != nil || st.Source == ProcNull {
		return v, st, err
	}
	v, err = decode[T](c, "recv value", b, st.Source, st.Tag)
	return v, st, err
}

// BcastValue returns the value of rank root at every rank. What the others pass is ignored. It
// costs an encoding, as [SendValue] does.
func BcastValue[T any](c *Comm, v T, root int) (T, error) {
	var b []byte
	n := []int{-1}
	var failed error
	if c.Rank() == root {
		if b, failed = encode(c, "bcast value", v, root, comm.None); failed == nil {
			n[0] = len(b)
		}
	}
	if err := Bcast(c, n, root); err != nil || failed != nil {
		return v, cmp.Or(failed, err)
	}
	if n[0] < 0 {
		return v, &Error{Op: "bcast value", Comm: c.Name(), Peer: root, Tag: comm.None, Err: fmt.Errorf("%w: the root could not encode its value", ErrType)}
	}
	if c.Rank() != root {
		b = make([]byte, n[0])
	}
	if err := Bcast(c, b, root); err != nil || c.Rank() == root {
		return v, err
	}
	return decode[T](c, "bcast value", b, root, comm.None)
}
