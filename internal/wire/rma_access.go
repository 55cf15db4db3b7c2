package wire

import "fmt"

// Access is the payload of PUT, GET, ACCUMULATE, FETCH and SWAP: verb(1) elem(1) op(1) 0(1) id(4)
// blocks(4), then for each block offset(8) length(8), then the data. What elem and op mean is the window's
// business.
type Access struct {
	Verb     Verb
	Elem, Op uint8
	ID       uint32 // what the answer is to name; 0 if none is expected
	Blocks   Blocks
	Data     []byte
}

// Block is a piece of a window's memory, in bytes.
type Block struct{ Off, Len int }

// Blocks are encoded blocks.
type Blocks []byte

const (
	accessSize = 12
	// BlockSize is how many bytes one encoded block takes.
	BlockSize = 16
	// AccessSize is how many bytes an access of one block takes before its data.
	AccessSize = accessSize + BlockSize
)

// AppendAccess begins the payload of an access: blocks and data are to be appended by the caller, who promises how many
// blocks there are.
func AppendAccess(b []byte, a *Access, blocks int) []byte {
	b = append(b, byte(a.Verb), a.Elem, a.Op, 0)
	b = le.AppendUint32(b, a.ID)
	return le.AppendUint32(b, uint32(blocks))
}

// AppendBlock adds a block.
func AppendBlock(b []byte, k Block) []byte {
	b = le.AppendUint64(b, uint64(k.Off))
	return le.AppendUint64(b, uint64(k.Len))
}

// ParseAccess reads an access. Its slices share b's memory. The blocks' lengths add up to an int.
func ParseAccess(b []byte) (a Access, err error) {
	switch {
	case len(b) < accessSize:
		return a, ErrShort
	case Verb(b[0]) < RMAPut || Verb(b[0]) > RMASwap:
		return a, ErrVerb
	case b[3] != 0:
		return a, fmt.Errorf("%w: reserved byte %#x", ErrRange, b[3])
	}
	a.Verb, a.Elem, a.Op, a.ID = Verb(b[0]), b[1], b[2], le.Uint32(b[4:])
	n := int(le.Uint32(b[8:]))
	b = b[accessSize:]
	if n > len(b)/BlockSize {
		return a, ErrShort
	}
	a.Blocks, a.Data = Blocks(b[:n*BlockSize]), b[n*BlockSize:]
	total := 0
	for i := range n {
		off, length := le.Uint64(a.Blocks[i*BlockSize:]), le.Uint64(a.Blocks[i*BlockSize+8:])
		if off > 1<<62 || length > 1<<62-uint64(total) {
			return Access{}, fmt.Errorf("%w: block %d is %d bytes at %d", ErrRange, i, length, off)
		}
		total += int(length)
	}
	return a, nil
}

// Len is how many blocks there are.
func (k Blocks) Len() int { return len(k) / BlockSize }

// At returns the i-th block.
func (k Blocks) At(i int) Block {
	return Block{Off: int(le.Uint64(k[i*BlockSize:])), Len: int(le.Uint64(k[i*BlockSize+8:]))}
}

// Bytes is the sum of the blocks' lengths.
func (k Blocks) Bytes() (n int) {
	for i := range k.Len() {
		n += k.At(i).Len
	}
	return n
}
