// Package auth has both ends of a connection prove to each other that they know the key of their job, in
// what they say to each other while it is made.
//
// It owns the proofs and their format. A proof tells nothing about the key, and is good for one purpose,
// one place and one pair of random numbers. It knows no sockets: devices carry what is said.
package auth

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"net/netip"
)

// Between processes of a job that has a key, what is said when a connection is made begins with a mark, a random number
// and a proof; what the user said follows. The request's proof keeps strangers from being heard at
// all, the reply's convinces the initiator, and the initiator's answer to the reply's number, sent as the first
// message after that, convinces the responder that the request was not an old one played again.
const (
	Mark      = "WFT1"
	NonceSize = 16
	ProofSize = 16
	Size      = len(Mark) + NonceSize + ProofSize
)

// Kind is what a side wants the connection to be. It is the mark, and proofs of one kind are not good for the
// other. The functions that name no kind are about plain connections.
type Kind string

// Connections of both kinds are for those who know the key only.
const (
	Plain  Kind = Mark   // what is said when it stands can be read, and changed
	Secret Kind = "WFT2" // it is encrypted
)

// Nonce is a random number, used once.
type Nonce [NonceSize]byte

// NewNonce draws a number.
func NewNonce() Nonce {
	var n Nonce
	rand.Read(n[:])
	return n
}

// prove makes a proof of knowing key, for one purpose and about parts.
func prove(key []byte, purpose string, parts ...[]byte) [ProofSize]byte {
	h := hmac.New(sha256.New, key)
	write := func(b []byte) {
		var n [4]byte
		binary.BigEndian.PutUint32(n[:], uint32(len(b)))
		h.Write(n[:])
		h.Write(b)
	}
	write([]byte(purpose))
	for _, p := range parts {
		write(p)
	}
	var out [ProofSize]byte
	copy(out[:], h.Sum(nil))
	return out
}

// Dress puts mark, number and proof before what the user said.
func Dress(n Nonce, proof [ProofSize]byte, private []byte) []byte {
	return Plain.Dress(n, proof, private)
}

// Dress does so for a connection of a kind.
func (k Kind) Dress(n Nonce, proof [ProofSize]byte, private []byte) []byte {
	b := append(make([]byte, 0, Size+len(private)), k...)
	b = append(b, n[:]...)
	b = append(b, proof[:]...)
	return append(b, private...)
}

// Undress takes them apart again.
func Undress(b []byte) (n Nonce, proof [ProofSize]byte, private []byte, ok bool) {
	kind, n, proof, private, ok := UndressAny(b)
	return n, proof, private, ok && kind == Plain
}

// UndressAny does so whatever kind of connection it is about.
func UndressAny(b []byte) (kind Kind, n Nonce, proof [ProofSize]byte, private []byte, ok bool) {
	if len(b) < Size {
		return kind, n, proof, nil, false
	}
	kind = Kind(b[:len(Mark)])
	b = b[len(Mark):]
	copy(n[:], b)
	copy(proof[:], b[NonceSize:])
	return kind, n, proof, b[NonceSize+ProofSize:], kind == Plain || kind == Secret
}

// names is the purpose of a proof for a connection of the kind.
func (k Kind) names(purpose string) string {
	if k == Secret {
		return "weft secret " + purpose
	}
	return "weft " + purpose
}

// Request proves the right to ask for a connection. It is about the listener's address too, so that a
// request cannot be sent on to another listener.
func Request(key []byte, a Nonce, to netip.AddrPort, private []byte) [ProofSize]byte {
	return Plain.Request(key, a, to, private)
}

// Request does so for a connection of a kind.
func (k Kind) Request(key []byte, a Nonce, to netip.AddrPort, private []byte) [ProofSize]byte {
	where, _ := netip.AddrPortFrom(to.Addr().Unmap().WithZone(""), to.Port()).MarshalBinary()
	return prove(key, k.names("request"), a[:], where, private)
}

// Reply proves that the responder has understood the request, and accepts or rejects it.
func Reply(key []byte, a, b Nonce, rejected bool, private []byte) [ProofSize]byte {
	return Plain.Reply(key, a, b, rejected, private)
}

// Reply does so for a connection of a kind. A responder that wants another kind than the initiator rejects the
// request in its own.
func (k Kind) Reply(key []byte, a, b Nonce, rejected bool, private []byte) [ProofSize]byte {
	purpose := k.names("reply")
	if rejected {
		purpose = k.names("reject")
	}
	return prove(key, purpose, a[:], b[:], private)
}

// First proves that the initiator has understood the reply.
func First(key []byte, a, b Nonce) [ProofSize]byte {
	return prove(key, "weft first message", a[:], b[:])
}

// Same compares proofs, in a time that does not tell where they differ.
func Same(a, b [ProofSize]byte) bool { return hmac.Equal(a[:], b[:]) }

// Nonces remembers the numbers of the last requests, so that one that was recorded and is played again goes nowhere.
// The proof in the first message would find that out too, but only after the program has been asked.
type Nonces struct {
	known map[Nonce]bool
	ring  []Nonce
	next  int
}

const maxNonces = 4096

// Add remembers a number; it answers false if it knows it already.
func (r *Nonces) Add(n Nonce) bool {
	if r.known[n] {
		return false
	}
	if r.known == nil {
		r.known = map[Nonce]bool{}
	}
	if len(r.ring) < maxNonces {
		r.ring = append(r.ring, n)
	} else {
		delete(r.known, r.ring[r.next])
		r.ring[r.next] = n
		r.next = (r.next + 1) % maxNonces
	}
	r.known[n] = true
	return true
}
