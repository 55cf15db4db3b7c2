package crypt

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
)

const (
	keySize   = 32
	nonceSize = 12
	// perKey is how many records a key seals. With records of MaxPlain bytes, an attacker who sees all of
	// them has a chance of less than one in 2^60 to tell them from noise.
	perKey = 1 << 24
)

// Pair is what one end of a connection seals by, and opens by.
type Pair struct {
	Out Sealer
	In  Opener
}

// NewPair makes the keys of one end of a connection, for the initiator or the responder, out of a secret that
// both ends share. What was said in the open before goes into them: said by the initiator, answered by the
// responder. If these are not the same at both ends, nothing opens.
func NewPair(secret, said, answered []byte, initiator bool) (*Pair, error) {
	salt := sha256.New()
	for _, part := range [][]byte{said, answered} {
		salt.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
		salt.Write(part)
	}
	prk, err := hkdf.Extract(sha256.New, secret, salt.Sum(nil))
	if err != nil {
		return nil, fmt.Errorf("crypt: %w", err)
	}
	names := [2]string{"weft responder", "weft initiator"}
	out, in := names[0], names[1]
	if initiator {
		out, in = in, out
	}
	p := &Pair{}
	if err := p.Out.begin(prk, out); err != nil {
		return nil, err
	}
	return p, p.In.begin(prk, in)
}

// direction is what the records of one direction are sealed by.
type direction struct {
	secret []byte // of this key; the next comes from it
	aead   cipher.AEAD
	iv     uint64 // what the number of a record is mixed with
	nonce  [nonceSize]byte
	number uint64 // of the next record under this key
	after  uint64 // after how many the next key follows
}

func (d *direction) begin(prk []byte, name string) error {
	secret, err := hkdf.Expand(sha256.New, prk, name, keySize)
	if err != nil {
		return fmt.Errorf("crypt: %w", err)
	}
	d.after = perKey
	return d.use(secret)
}

// use begins with the key that a secret leads to.
func (d *direction) use(secret []byte) error {
	key, err := hkdf.Expand(sha256.New, secret, "weft key", keySize)
	if err != nil {
		return fmt.Errorf("crypt: %w", err)
	}
	iv, err := hkdf.Expand(sha256.New, secret, "weft iv", nonceSize)
	if err != nil {
		return fmt.Errorf("crypt: %w", err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return fmt.Errorf("crypt: %w", err)
	}
	if d.aead, err = cipher.NewGCM(block); err != nil {
		return fmt.Errorf("crypt: %w", err)
	}
	d.secret, d.number = secret, 0
	copy(d.nonce[:], iv)
	d.iv = binary.BigEndian.Uint64(iv[nonceSize-8:])
	return nil
}

// next is the nonce of the next record, which is counted.
func (d *direction) next() []byte {
	if d.number == d.after {
		d.renew()
	}
	binary.BigEndian.PutUint64(d.nonce[nonceSize-8:], d.iv^d.number)
	d.number++
	return d.nonce[:]
}

// renew goes on to the next key.
func (d *direction) renew() {
	secret, err := hkdf.Expand(sha256.New, d.secret, "weft next", keySize)
	if err == nil {
		clear(d.secret)
		err = d.use(secret)
	}
	if err != nil {
		panic(err) // begin has tried all of it
	}
}

var (
	errTag  = errors.New("a record was changed on its way, or is not of this connection")
	errSize = errors.New("a record has a length that none has")
	errEnd  = errors.New("there is a record after the end")
)
