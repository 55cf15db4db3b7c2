package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
)

// Key is the secret of a job, prepared for deriving keys from it.
type Key struct {
	prk     []byte
	encrypt bool
}

// NewKey prepares a secret, for datagrams that can be read or, with encrypt, for such that cannot. Those of
// one sort are forgeries to receivers of the other. It fails where the program is not to use AES-GCM with numbers of its
// own (GODEBUG=fips140=only).
func NewKey(secret []byte, encrypt bool) (*Key, error) {
	prk, err := hkdf.Extract(sha256.New, secret, nil)
	if err == nil {
		k := &Key{prk, encrypt}
		if _, err = k.derive(0, nil, nil); err == nil {
			return k, nil
		}
	}
	return nil, fmt.Errorf("keyed datagrams: %w", err)
}

// direction is the cipher of what is sent from one address to another in an epoch of the sender's.
func (k *Key) direction(epoch uint64, from, to []byte) cipher.AEAD {
	aead, err := k.derive(epoch, from, to)
	if err != nil {
		panic(err) // NewKey has tried
	}
	return aead
}

func (k *Key) derive(epoch uint64, from, to []byte) (cipher.AEAD, error) {
	name := "weft datagrams"
	if k.encrypt {
		name = "weft secret datagrams"
	}
	info := binary.BigEndian.AppendUint64([]byte(name), epoch)
	info = append(append(info, byte(len(from))), from...)
	info = append(append(info, byte(len(to))), to...)
	key, err := hkdf.Expand(sha256.New, k.prk, string(info), 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}
