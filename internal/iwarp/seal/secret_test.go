package seal

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"testing"
)

func secretTable(t testing.TB, here string, epoch uint64) *Table[string] {
	t.Helper()
	return tableOf(t, true, "secret", here, epoch)
}

// What is encrypted arrives as it was and cannot be read on the way; it is good once, for one receiver of its sort.
func TestEncrypt(t *testing.T) {
	a, b := secretTable(t, "a", 7), secretTable(t, "b", 9)
	for _, body := range []string{"x", "hello, this is plain text", string(make([]byte, 65000))} {
		sealed := func() []byte {
			d := a.Seal([]byte("before"+body), 6, "b")
			if len(d) != 6+len(body)+Size || !bytes.HasPrefix(d, []byte("before")) || len(body) > 10 && bytes.Contains(d, []byte(body[:10])) {
				t.Fatalf("%d bytes of %d, or they can be read", len(d), len(body))
			}
			return d[6:]
		}
		d := sealed()
		kept := bytes.Clone(d)
		open(t, b, d, "a", Genuine, body)
		open(t, b, kept, "a", Replayed, "")
		open(t, b, sealed(), "c", Forged, "")
		open(t, secretTable(t, "c", 1), sealed(), "a", Forged, "")
		open(t, table(t, "secret", "b", 1), sealed(), "a", Forged, "")
		open(t, tableOf(t, true, "other", "b", 1), sealed(), "a", Forged, "")
		open(t, secretTable(t, "b", 1), table(t, "secret", "a", 7).Seal([]byte(body), 0, "b"), "a", Forged, "")
		open(t, a, sealed(), "b", Forged, "")
	}
}

// No bit of an encrypted datagram can be changed, and it cannot be cut or made longer.
func TestEncryptedForgeries(t *testing.T) {
	a := secretTable(t, "a", 7)
	d := a.Seal([]byte("hello"), 0, "b")
	for i := range len(d) * 8 {
		forged := bytes.Clone(d)
		forged[i/8] ^= 1 << (i % 8)
		open(t, secretTable(t, "b", 9), forged, "a", Forged, "")
	}
	for n := range d {
		open(t, secretTable(t, "b", 9), bytes.Clone(d[:n]), "a", Forged, "")
	}
	open(t, secretTable(t, "b", 9), append(bytes.Clone(d), 0), "a", Forged, "")
	open(t, secretTable(t, "b", 9), d, "a", Genuine, "hello")
}

// It can be made from what docs/building/wire.md says alone.
func TestEncryptionIsAsWritten(t *testing.T) {
	mac := func(key string, parts ...string) string {
		h := hmac.New(sha256.New, []byte(key))
		for _, p := range parts {
			h.Write([]byte(p))
		}
		return string(h.Sum(nil))
	}
	key := mac(mac(string(make([]byte, 32)), "secret"), "weft secret datagrams", "\x00\x00\x00\x00\x00\x00\x00\x07", "\x04here", "\x05there", "\x01")
	block, err := aes.NewCipher([]byte(key))
	if err != nil {
		t.Fatal(err)
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		t.Fatal(err)
	}
	stamp := []byte("\x00\x00\x00\x00\x00\x00\x00\x07\x00\x00\x00\x01")
	want := append(gcm.Seal(nil, stamp, []byte("hello"), nil), stamp...)
	if got := secretTable(t, "here", 7).Seal([]byte("hello"), 0, "there"); !bytes.Equal(got, want) {
		t.Errorf("%x, want %x", got, want)
	}
}

// A key encrypts so many datagrams, then the next epoch begins, and the receiver follows.
func TestEncryptingKeysAreUsedUp(t *testing.T) {
	a, b := secretTable(t, "a", 7), secretTable(t, "b", 1)
	a.perKey = 3
	seen := map[string]bool{}
	for range 10 {
		d := a.Seal([]byte("the same"), 0, "b")
		if seen[string(d[:8])] {
			t.Fatal("the same bytes came twice")
		}
		seen[string(d[:8])] = true
		open(t, b, d, "a", Genuine, "the same")
	}
	if s := a.out["b"]; s.epoch != 10 || s.count != 1 {
		t.Errorf("epoch %d, number %d", s.epoch, s.count)
	}
}
