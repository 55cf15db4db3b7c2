package soft

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"net/netip"
)

// Between processes of a job that has a key, the private data of the MPA start-up frames begins with a mark, a
// random number and a proof; what the user said follows. The request's proof keeps strangers from being heard at
// all, the reply's convinces the initiator, and the initiator's answer to the reply's number, sent as the first
// message of the stream, convinces the responder that the request was not an old one played again.
const (
	authMark  = "WFT1"
	nonceSize = 16
	proofSize = 16
	authSize  = len(authMark) + nonceSize + proofSize
)

type nonce [nonceSize]byte

func newNonce() nonce {
	var n nonce
	rand.Read(n[:])
	return n
}

// prove makes a proof of knowing key, for one purpose and about parts.
func prove(key []byte, purpose string, parts ...[]byte) [proofSize]byte {
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
	var out [proofSize]byte
	copy(out[:], h.Sum(nil))
	return out
}

// dress puts mark, number and proof before what the user said.
func dress(n nonce, proof [proofSize]byte, private []byte) []byte {
	b := append(make([]byte, 0, authSize+len(private)), authMark...)
	b = append(b, n[:]...)
	b = append(b, proof[:]...)
	return append(b, private...)
}

// undress takes them apart again.
func undress(b []byte) (n nonce, proof [proofSize]byte, private []byte, ok bool) {
	if len(b) < authSize || string(b[:len(authMark)]) != authMark {
		return n, proof, nil, false
	}
	b = b[len(authMark):]
	copy(n[:], b)
	copy(proof[:], b[nonceSize:])
	return n, proof, b[nonceSize+proofSize:], true
}

// proveRequest is about the listener's address too, so that a request cannot be sent on to another listener.
func proveRequest(key []byte, a nonce, to netip.AddrPort, private []byte) [proofSize]byte {
	where, _ := netip.AddrPortFrom(to.Addr().Unmap().WithZone(""), to.Port()).MarshalBinary()
	return prove(key, "weft request", a[:], where, private)
}

func proveReply(key []byte, a, b nonce, rejected bool, private []byte) [proofSize]byte {
	purpose := "weft reply"
	if rejected {
		purpose = "weft reject"
	}
	return prove(key, purpose, a[:], b[:], private)
}

func proveFirst(key []byte, a, b nonce) [proofSize]byte {
	return prove(key, "weft first message", a[:], b[:])
}

func same(a, b [proofSize]byte) bool { return hmac.Equal(a[:], b[:]) }

// nonces remembers the numbers of the last requests, so that one that was recorded and is played again goes nowhere.
// The proof in the first message would find that out too, but only after the program has been asked.
type nonces struct {
	known map[nonce]bool
	ring  []nonce
	next  int
}

const maxNonces = 4096

// add remembers a number; it answers false if it knows it already.
func (r *nonces) add(n nonce) bool {
	if r.known[n] {
		return false
	}
	if r.known == nil {
		r.known = map[nonce]bool{}
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
