package auth

import (
	"bytes"
	"net/netip"
	"testing"
)

// TestDress: what was dressed is undressed again, and nothing that is cut short or lacks the mark.
func TestDress(t *testing.T) {
	n, proof := NewNonce(), prove([]byte("k"), "test")
	for _, private := range [][]byte{nil, []byte("x"), bytes.Repeat([]byte{7}, 252)} {
		b := Dress(n, proof, private)
		gotN, gotProof, gotPrivate, ok := Undress(b)
		if !ok || gotN != n || gotProof != proof || !bytes.Equal(gotPrivate, private) {
			t.Errorf("%d bytes: %v", len(private), ok)
		}
		for i := range Size {
			if _, _, _, ok := Undress(b[:i]); ok {
				t.Errorf("%d of %d bytes were enough", i, Size)
			}
		}
		if kind, gotN, _, said, ok := UndressAny(Secret.Dress(n, proof, private)); !ok || kind != Secret || gotN != n || !bytes.Equal(said, private) {
			t.Errorf("secret, %d bytes: %v, %q", len(private), ok, kind)
		}
		if _, _, _, ok := Undress(Secret.Dress(n, proof, private)); ok {
			t.Error("what asks for a secret connection passes for a plain one")
		}
		b[0] ^= 1
		if _, _, _, ok := Undress(b); ok {
			t.Error("the mark does not matter")
		}
	}
	if NewNonce() == n {
		t.Error("a number came twice")
	}
}

// TestProofsDiffer: each proof is good for one key, one purpose, one place and one pair of numbers.
func TestProofsDiffer(t *testing.T) {
	key, a, b := []byte("key"), Nonce{1}, Nonce{2}
	here, there := netip.MustParseAddrPort("127.0.0.1:1"), netip.MustParseAddrPort("127.0.0.1:2")
	seen := map[[ProofSize]byte]string{}
	for what, p := range map[string][ProofSize]byte{
		"request": Request(key, a, here, nil), "to another port": Request(key, a, there, nil),
		"with another number": Request(key, b, here, nil), "with private data": Request(key, a, here, []byte("x")),
		"with another key": Request([]byte("kez"), a, here, nil), "on another address": Request(key, a,
			netip.MustParseAddrPort("127.0.0.2:1"), nil),
		"reply": Reply(key, a, b, false, nil), "reject": Reply(key, a, b, true, nil),
		"reply the other way round": Reply(key, b, a, false, nil), "first message": First(key, a, b),
		"parts": prove(key, "p", []byte("ab"), []byte("c")), "parts cut elsewhere": prove(key, "p", []byte("a"), []byte("bc")),
		"secret request": Secret.Request(key, a, here, nil), "secret reply": Secret.Reply(key, a, b, false, nil),
		"secret reject": Secret.Reply(key, a, b, true, nil),
		"one part":      prove(key, "p", []byte("abc")), "purpose and part": prove(key, "pa", []byte("bc")),
	} {
		if other, ok := seen[p]; ok {
			t.Errorf("%q and %q have the Same proof", what, other)
		}
		seen[p] = what
	}
	mapped := netip.AddrPortFrom(netip.AddrFrom16(here.Addr().As16()), here.Port())
	if !Same(Request(key, a, here, nil), Request(key, a, mapped, nil)) {
		t.Error("an IPv4 address and the Same in IPv6 are different places")
	}
}
