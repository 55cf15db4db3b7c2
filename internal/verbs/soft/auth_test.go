package soft

import (
	"bytes"
	"net/netip"
	"testing"
)

// TestDress: what was dressed is undressed again, and nothing that is cut short or lacks the mark.
func TestDress(t *testing.T) {
	n, proof := newNonce(), prove([]byte("k"), "test")
	for _, private := range [][]byte{nil, []byte("x"), bytes.Repeat([]byte{7}, maxPrivate)} {
		b := dress(n, proof, private)
		gotN, gotProof, gotPrivate, ok := undress(b)
		if !ok || gotN != n || gotProof != proof || !bytes.Equal(gotPrivate, private) {
			t.Errorf("%d bytes: %v", len(private), ok)
		}
		for i := range authSize {
			if _, _, _, ok := undress(b[:i]); ok {
				t.Errorf("%d of %d bytes were enough", i, authSize)
			}
		}
		b[0] ^= 1
		if _, _, _, ok := undress(b); ok {
			t.Error("the mark does not matter")
		}
	}
	if newNonce() == n {
		t.Error("a number came twice")
	}
}

// TestProofsDiffer: each proof is good for one key, one purpose, one place and one pair of numbers.
func TestProofsDiffer(t *testing.T) {
	key, a, b := []byte("key"), nonce{1}, nonce{2}
	here, there := netip.MustParseAddrPort("127.0.0.1:1"), netip.MustParseAddrPort("127.0.0.1:2")
	seen := map[[proofSize]byte]string{}
	for what, p := range map[string][proofSize]byte{
		"request": proveRequest(key, a, here, nil), "to another port": proveRequest(key, a, there, nil),
		"with another number": proveRequest(key, b, here, nil), "with private data": proveRequest(key, a, here, []byte("x")),
		"with another key": proveRequest([]byte("kez"), a, here, nil), "on another address": proveRequest(key, a,
			netip.MustParseAddrPort("127.0.0.2:1"), nil),
		"reply": proveReply(key, a, b, false, nil), "reject": proveReply(key, a, b, true, nil),
		"reply the other way round": proveReply(key, b, a, false, nil), "first message": proveFirst(key, a, b),
		"parts": prove(key, "p", []byte("ab"), []byte("c")), "parts cut elsewhere": prove(key, "p", []byte("a"), []byte("bc")),
		"one part": prove(key, "p", []byte("abc")), "purpose and part": prove(key, "pa", []byte("bc")),
	} {
		if other, ok := seen[p]; ok {
			t.Errorf("%q and %q have the same proof", what, other)
		}
		seen[p] = what
	}
	mapped := netip.AddrPortFrom(netip.AddrFrom16(here.Addr().As16()), here.Port())
	if !same(proveRequest(key, a, here, nil), proveRequest(key, a, mapped, nil)) {
		t.Error("an IPv4 address and the same in IPv6 are different places")
	}
}
