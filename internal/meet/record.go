package meet

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"net"
)

// recordMax is the most bytes of a record before it is sealed.
const recordMax = 16 << 10

// records is a connection that carries sealed records: their length, then what AES-GCM makes of them, numbered. One
// goroutine may read and one may write at a time.
type records struct {
	net.Conn
	in, out   cipher.AEAD
	got, sent uint64
	left      []byte // of the last record, not yet read
	buffer    []byte // of the reader
}

// seal makes a connection of two ranks that know a secret after they have said about to each other.
func seal(c net.Conn, secret, about []byte, leads bool) (*records, error) {
	toLeader, err := sealer(secret, about, "weft meeting, to the leader")
	if err != nil {
		return nil, err
	}
	fromLeader, err := sealer(secret, about, "weft meeting, from the leader")
	if err != nil {
		return nil, err
	}
	if leads {
		return &records{Conn: c, in: toLeader, out: fromLeader}, nil
	}
	return &records{Conn: c, in: fromLeader, out: toLeader}, nil
}

func sealer(secret, about []byte, purpose string) (cipher.AEAD, error) {
	key, err := hkdf.Key(sha256.New, secret, about, purpose, 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// nonce is the number of a record. Keys are those of one connection and one direction.
func nonce(n uint64) []byte { return binary.BigEndian.AppendUint64(make([]byte, 4, 12), n) }

// Write sends b in as many records as it takes.
func (r *records) Write(b []byte) (n int, err error) {
	for first := true; first || n < len(b); first = false {
		part := b[n:min(n+recordMax, len(b))]
		wire := binary.BigEndian.AppendUint16(nil, uint16(len(part)+r.out.Overhead()))
		wire = r.out.Seal(wire, nonce(r.sent), part, nil)
		r.sent++
		if _, err := r.Conn.Write(wire); err != nil {
			return n, err
		}
		n += len(part)
	}
	return n, nil
}

// Read reads from the last record, or waits for the next.
func (r *records) Read(b []byte) (int, error) {
	for len(r.left) == 0 {
		var err error
		if r.left, err = r.next(); err != nil {
			return 0, err
		}
	}
	n := copy(b, r.left)
	r.left = r.left[n:]
	return n, nil
}

// next takes one record. An end between two records is io.EOF.
func (r *records) next() ([]byte, error) {
	var head [2]byte
	if _, err := io.ReadFull(r.Conn, head[:]); err != nil {
		return nil, err
	}
	n := int(binary.BigEndian.Uint16(head[:]))
	if n < r.in.Overhead() || n > recordMax+r.in.Overhead() {
		return nil, fmt.Errorf("a record of %d bytes", n)
	}
	if cap(r.buffer) < n {
		r.buffer = make([]byte, recordMax+r.in.Overhead())
	}
	sealed := r.buffer[:n]
	if _, err := io.ReadFull(r.Conn, sealed); err != nil {
		return nil, err
	}
	plain, err := r.in.Open(sealed[:0], nonce(r.got), sealed, nil)
	if err != nil {
		return nil, fmt.Errorf("record %d was not sealed by a rank of this job", r.got)
	}
	r.got++
	return plain, nil
}
