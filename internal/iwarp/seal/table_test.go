package seal

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func name(k string) []byte { return []byte(k) }

func table(t testing.TB, secret, here string, epoch uint64) *Table[string] {
	t.Helper()
	return tableOf(t, false, secret, here, epoch)
}

func tableOf(t testing.TB, encrypt bool, secret, here string, epoch uint64) *Table[string] {
	t.Helper()
	key, err := NewKey([]byte(secret), encrypt)
	if err != nil {
		t.Fatal(err)
	}
	return NewTable(key, here, epoch, name)
}

// open fails if a datagram is not taken as it should be.
func open(t testing.TB, at *Table[string], b []byte, from string, want Verdict, body string) {
	t.Helper()
	if got, v := at.Open(b, from); v != want || string(got) != body {
		t.Errorf("%q, %v; want %q, %v", got, v, body, want)
	}
}

func TestSealAndOpen(t *testing.T) {
	a, b := table(t, "secret", "a", 7), table(t, "secret", "b", 9)
	for _, body := range []string{"x", "hello", string(make([]byte, 65000))} {
		d := a.Seal([]byte("before"+body), 6, "b")
		if len(d) != 6+len(body)+Size || !bytes.HasPrefix(d, []byte("before"+body)) {
			t.Fatalf("%d bytes of %d", len(d), len(body))
		}
		open(t, b, d[6:], "a", Genuine, body)
		open(t, b, d[6:], "a", Replayed, "")
		open(t, a, b.Seal([]byte(body), 0, "a"), "b", Genuine, body)
	}
}

// The seal can be made from what docs/building/wire.md says alone.
func TestSealIsAsWritten(t *testing.T) {
	mac := func(key string, parts ...string) string {
		h := hmac.New(sha256.New, []byte(key))
		for _, p := range parts {
			h.Write([]byte(p))
		}
		return string(h.Sum(nil))
	}
	key := mac(mac(string(make([]byte, 32)), "secret"), "weft datagrams", "\x00\x00\x00\x00\x00\x00\x00\x07", "\x04here", "\x05there", "\x01")
	block, err := aes.NewCipher([]byte(key))
	if err != nil {
		t.Fatal(err)
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		t.Fatal(err)
	}
	stamp := []byte("\x00\x00\x00\x00\x00\x00\x00\x07\x00\x00\x00\x01")
	want := append(append([]byte("hello"), stamp...), gcm.Seal(nil, stamp, nil, []byte("hello"))...)
	if got := table(t, "secret", "here", 7).Seal([]byte("hello"), 0, "there"); !bytes.Equal(got, want) {
		t.Errorf("%x, want %x", got, want)
	}
}

// No bit of a datagram can be changed, it cannot be cut or made longer, and it is good in one place only.
func TestForgeries(t *testing.T) {
	a := table(t, "secret", "a", 7)
	d := a.Seal([]byte("hello"), 0, "b")
	fresh := func() *Table[string] { return table(t, "secret", "b", 9) }
	known := fresh()
	open(t, known, a.Seal([]byte("first"), 0, "b"), "a", Genuine, "first")
	for _, b := range []*Table[string]{fresh(), known} {
		for i := range len(d) * 8 {
			forged := bytes.Clone(d)
			forged[i/8] ^= 1 << (i % 8)
			if _, v := b.Open(forged, "a"); v == Genuine {
				t.Fatalf("bit %d can be changed", i)
			}
		}
		for n := range d {
			open(t, b, d[:n], "a", Forged, "")
		}
		open(t, b, append(bytes.Clone(d), 0), "a", Forged, "")
		open(t, b, d, "c", Forged, "") // another sender
		if n := len(b.in); n > 1 {
			t.Errorf("%d senders are known", n)
		}
	}
	open(t, table(t, "secret", "c", 9), d, "a", Forged, "") // for another receiver
	open(t, table(t, "other", "b", 9), d, "a", Forged, "")  // of another job
	open(t, a, d, "b", Forged, "")                          // back to its sender
	open(t, known, d, "a", Genuine, "hello")
}

// A sender that begins anew is heard; what it sent before is not heard any more.
func TestEpochs(t *testing.T) {
	b := table(t, "secret", "b", 1)
	before, after := table(t, "secret", "a", 7), table(t, "secret", "a", 8)
	old := before.Seal([]byte("old"), 0, "b")
	open(t, b, before.Seal([]byte("one"), 0, "b"), "a", Genuine, "one")
	open(t, b, after.Seal([]byte("two"), 0, "b"), "a", Genuine, "two")
	open(t, b, old, "a", Old, "")
	open(t, b, before.Seal([]byte("three"), 0, "b"), "a", Old, "")
	forged := after.Seal([]byte("four"), 0, "b")
	forged[len(forged)-Size+7] = 200 // of an epoch that nobody has begun
	open(t, b, forged, "a", Forged, "")
	open(t, b, after.Seal([]byte("five"), 0, "b"), "a", Genuine, "five")
}

// When the numbers of an epoch are used up the next one begins, and the receiver follows.
func TestNumbersAreUsedUp(t *testing.T) {
	a, b := table(t, "secret", "a", 7), table(t, "secret", "b", 1)
	open(t, b, a.Seal([]byte("x"), 0, "b"), "a", Genuine, "x")
	a.out["b"].count = math.MaxUint32 - 1
	for range 3 {
		open(t, b, a.Seal([]byte("x"), 0, "b"), "a", Genuine, "x")
	}
	if s := a.out["b"]; s.epoch != 8 || s.count != 2 {
		t.Errorf("epoch %d, number %d", s.epoch, s.count)
	}
}

// A table that knows as many senders as it may goes on with these.
func TestTableIsBounded(t *testing.T) {
	b := table(t, "secret", "b", 1)
	b.most = 3
	for i := range 5 {
		want, body := Genuine, "x"
		if i >= b.most {
			want, body = Crowded, ""
		}
		from := fmt.Sprint("a", i)
		open(t, b, table(t, "secret", from, 7).Seal([]byte("x"), 0, "b"), from, want, body)
	}
	open(t, b, table(t, "secret", "a1", 8).Seal([]byte("x"), 0, "b"), "a1", Genuine, "x")
}

// Of what several senders send, and the network repeats and turns round, everything is heard once.
func TestNetworkRepeats(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key, err := NewKey([]byte("secret"), false)
		if err != nil {
			t.Fatal(err)
		}
		var all [][]byte
		senders := []string{"a", "c"}
		for _, from := range senders {
			out := NewTable(key, from, 7, name)
			for i := range rapid.IntRange(0, 60).Draw(t, "datagrams") {
				all = append(all, out.Seal(fmt.Appendf(nil, "%s%d", from, i), 0, "b"))
			}
		}
		at := rapid.Permutation(slices.Concat(all, all, all)).Draw(t, "order")
		b, heard := NewTable(key, "b", 1, name), map[string]bool{}
		for _, d := range at {
			body, v := b.Open(d, string(d[0]))
			if v == Genuine && heard[string(body)] {
				t.Fatalf("%q came twice", body)
			}
			heard[string(body)] = true
		}
		if delete(heard, ""); len(heard) != len(all) {
			t.Fatalf("%d of %d are heard", len(heard), len(all))
		}
	})
}

func TestSealsAllocateNothing(t *testing.T) {
	for _, encrypt := range []bool{false, true} {
		a, b := tableOf(t, encrypt, "secret", "a", 7), tableOf(t, encrypt, "secret", "b", 1)
		buf := make([]byte, 100, 100+Size)
		once := func() {
			if _, v := b.Open(a.Seal(buf, 0, "b"), "a"); v != Genuine {
				t.Fatal(v)
			}
		}
		once()
		if n := testing.AllocsPerRun(100, once); n != 0 {
			t.Errorf("%v allocations, encrypted: %v", n, encrypt)
		}
	}
}

// FuzzOpen: what was not sealed is not genuine, and what was not genuine leaves no state, encrypted or not.
func FuzzOpen(f *testing.F) {
	keys, sealed := map[bool]*Key{}, map[bool][]byte{}
	for _, encrypt := range []bool{false, true} {
		key, err := NewKey([]byte("secret"), encrypt)
		if err != nil {
			f.Fatal(err)
		}
		d := NewTable(key, "a", 7, name).Seal([]byte("hello"), 0, "b")
		keys[encrypt], sealed[encrypt] = key, d
		f.Add([]byte{}, "a", encrypt)
		f.Add(d, "a", encrypt)
		f.Add(d, "a", !encrypt)
		f.Add(d, "b", encrypt)
		f.Add(d[:Size], "a", encrypt)
	}
	f.Fuzz(func(t *testing.T, b []byte, from string, encrypt bool) {
		at := NewTable(keys[encrypt], "b", 9, name)
		genuine := from == "a" && bytes.Equal(b, sealed[encrypt])
		body, v := at.Open(bytes.Clone(b), from[:min(len(from), 255)]) // what is encrypted is opened where it is
		if genuine != (v == Genuine) || genuine && string(body) != "hello" || !genuine && len(at.in) != 0 {
			t.Errorf("%q from %q: %v, %d senders known", b, from, v, len(at.in))
		}
	})
}
