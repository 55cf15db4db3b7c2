package crypt

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"testing"

	"pgregory.net/rapid"
)

// ends makes both ends of a connection.
func ends(t testing.TB, secret string) (initiator, responder *Pair) {
	t.Helper()
	pair := func(initiator bool) *Pair {
		p, err := NewPair([]byte(secret), []byte("said"), []byte("answered"), initiator)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	return pair(true), pair(false)
}

func TestSealAndOpen(t *testing.T) {
	a, b := ends(t, "secret")
	for _, n := range []int{1, 2, 100, MaxPlain} {
		plain := bytes.Repeat([]byte("plain "), MaxPlain)[:n]
		for _, way := range []struct{ from, to *Pair }{{a, b}, {b, a}} {
			kept := bytes.Clone(plain)
			record := way.from.Out.Seal([]byte("before"), plain)[6:]
			if !bytes.Equal(plain, kept) || len(record) != n+Overhead || n > 10 && bytes.Contains(record, plain[:10]) {
				t.Fatalf("%d bytes: what was sealed has changed, or can be read", n)
			}
			if size, err := RecordSize(record); size != len(record) || err != nil {
				t.Fatalf("%d bytes: a record of %d, %v; want %d", n, size, err, len(record))
			}
			if got, err := way.to.In.Open(nil, record); err != nil || !bytes.Equal(got, plain) {
				t.Fatalf("%d bytes: %d, %v", n, len(got), err)
			}
			together := append(append([]byte("before"), 0, 0), plain...)
			record = way.from.Out.SealFrom(together, 6)[6:]
			if got, err := way.to.In.Open(record[HeadSize:HeadSize], record); err != nil || !bytes.Equal(got, plain) {
				t.Fatalf("%d bytes, where they are: %d, %v", n, len(got), err)
			}
		}
	}
}

// Records can be made from what docs/building/wire.md says alone.
func TestRecordsAreAsWritten(t *testing.T) {
	mac := func(key string, parts ...string) string {
		h := hmac.New(sha256.New, []byte(key))
		for _, p := range parts {
			h.Write([]byte(p))
		}
		return string(h.Sum(nil))
	}
	salt := sha256.Sum256([]byte("\x00\x00\x00\x00\x00\x00\x00\x04said\x00\x00\x00\x00\x00\x00\x00\x08answered"))
	secret := mac(mac(string(salt[:]), "secret"), "weft initiator", "\x01")
	a, _ := ends(t, "secret")
	a.Out.after = 2
	for i := range 5 {
		if i > 0 && i%2 == 0 {
			secret = mac(secret, "weft next", "\x01")
		}
		block, err := aes.NewCipher([]byte(mac(secret, "weft key", "\x01")))
		if err != nil {
			t.Fatal(err)
		}
		gcm, err := cipher.NewGCM(block)
		if err != nil {
			t.Fatal(err)
		}
		nonce := []byte(mac(secret, "weft iv", "\x01")[:12])
		binary.BigEndian.PutUint64(nonce[4:], binary.BigEndian.Uint64(nonce[4:])^uint64(i%2))
		want := gcm.Seal([]byte{0, 21}, nonce, []byte("hello"), []byte{0, 21})
		if got := a.Out.Seal(nil, []byte("hello")); !bytes.Equal(got, want) {
			t.Fatalf("record %d: %x, want %x", i, got, want)
		}
	}
}

// No bit of a record can be changed; one that is left out, repeated, sent back or of another connection does
// not open, nor does anything behind it; and nothing wrong is left in memory.
func TestTampering(t *testing.T) {
	a, _ := ends(t, "secret")
	first, second := a.Out.Seal(nil, []byte("first")), a.Out.Seal(nil, []byte("second"))
	fails := func(what string, to *Pair, record []byte) {
		t.Helper()
		const before = "WHAT WAS THERE"
		memory := []byte(before)
		got, err := to.In.Open(memory[:0], record)
		if !errors.Is(err, errTag) || got != nil {
			t.Errorf("%s: %q, %v", what, got, err)
		}
		for i := range memory {
			if memory[i] != 0 && memory[i] != before[i] {
				t.Errorf("%s: it leaves %q in memory", what, memory)
				break
			}
		}
		if _, err := to.In.Open(nil, first); err == nil {
			t.Errorf("%s: what follows opens", what)
		}
	}
	for i := range len(first) * 8 {
		_, b := ends(t, "secret")
		changed := bytes.Clone(first)
		if changed[i/8] ^= 1 << (i % 8); i >= HeadSize*8 {
			fails("a bit", b, changed)
			continue
		}
		if n, err := RecordSize(changed); err == nil && n <= len(first) { // else more is awaited
			fails("a bit of the length", b, changed[:n])
		}
	}
	_, b := ends(t, "secret")
	fails("left out", b, second)
	other, _ := ends(t, "another secret")
	_, b = ends(t, "secret")
	fails("of another connection", b, other.Out.Seal(nil, []byte("first")))
	back, _ := ends(t, "secret")
	fails("sent back", back, first)
	_, b = ends(t, "secret")
	if got, err := b.In.Open(nil, first); err != nil || string(got) != "first" {
		t.Fatalf("%q, %v", got, err)
	}
	fails("repeated", b, first)
	p, err := NewPair([]byte("secret"), []byte("sai"), []byte("danswered"), false)
	if err != nil {
		t.Fatal(err)
	}
	fails("said something else", p, first)
}

// A stream that has come to its end is told from one that was cut off, and ends there.
func TestEnd(t *testing.T) {
	a, b := ends(t, "secret")
	for _, plain := range []string{"x", ""} {
		if b.In.Ended() {
			t.Error("ended too early")
		}
		record := a.Out.Seal(nil, []byte(plain))
		if plain == "" {
			x, _ := ends(t, "secret")
			x.Out.Seal(nil, []byte("x"))
			if want := x.Out.End(nil); !bytes.Equal(record, want) {
				t.Errorf("%x, want %x", record, want)
			}
		}
		if got, err := b.In.Open(nil, record); err != nil || string(got) != plain {
			t.Fatalf("%q, %v", got, err)
		}
	}
	if !b.In.Ended() {
		t.Error("it has not ended")
	}
	if _, err := b.In.Open(nil, a.Out.Seal(nil, []byte("x"))); err != errEnd {
		t.Errorf("%v after the end", err)
	}
}

func TestRecordSizes(t *testing.T) {
	for _, row := range []struct {
		b    []byte
		n    int
		want error
	}{
		{nil, 0, nil}, {[]byte{1}, 0, nil}, {[]byte{0, 16}, Overhead, nil}, {[]byte{0, 15}, 0, errSize}, {[]byte{0, 0}, 0, errSize},
		{binary.BigEndian.AppendUint16(nil, MaxPlain+16), MaxRecord, nil}, {binary.BigEndian.AppendUint16(nil, MaxPlain+17), 0, errSize},
		{[]byte{255, 255}, 0, errSize},
	} {
		if n, err := RecordSize(row.b); n != row.n || err != row.want {
			t.Errorf("%x: %d, %v; want %d, %v", row.b, n, err, row.n, row.want)
		}
	}
}

// A key is used for so many records, and both ends go on with the next at the same one.
func TestKeysFollow(t *testing.T) {
	a, b := ends(t, "secret")
	a.Out.after, b.In.after = 3, 3
	seen := map[string]bool{}
	for i := range 10 {
		record := a.Out.Seal(nil, []byte("the same"))
		if seen[string(record)] {
			t.Fatalf("record %d has come before", i)
		}
		seen[string(record)] = true
		if got, err := b.In.Open(nil, record); err != nil || string(got) != "the same" {
			t.Fatalf("record %d: %q, %v", i, got, err)
		}
	}
	if a.Out.number != 1 {
		t.Errorf("number %d under the last key", a.Out.number)
	}
}

// receive has a reader receive some of a stream, and returns the rest.
func receive(r *Reader, stream []byte, most int) []byte {
	if !r.Lent() {
		r.Lend(make([]byte, MaxRecord+100))
	}
	n := copy(r.Room(), stream[:min(most, len(stream))])
	r.Got(n)
	return stream[n:]
}

// However a stream is cut into records, received and read, it is the same at the other end.
func TestReader(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, err := NewPair([]byte("secret"), nil, nil, true)
		if err != nil {
			t.Fatal(err)
		}
		b, err := NewPair([]byte("secret"), nil, nil, false)
		if err != nil {
			t.Fatal(err)
		}
		var said, stream, heard []byte
		size := rapid.OneOf(rapid.IntRange(1, 100), rapid.IntRange(1, MaxPlain), rapid.Just(MaxPlain))
		for _, n := range rapid.SliceOfN(size, 0, 8).Draw(t, "records") {
			from := len(said)
			for i := range n {
				said = append(said, byte(i+n))
			}
			stream = a.Out.Seal(stream, said[from:])
		}
		stream = a.Out.End(stream)
		r := Reader{In: &b.In}
		asks := rapid.OneOf(rapid.IntRange(0, 100), rapid.IntRange(0, 3*MaxPlain))
		for len(heard) < len(said) || !b.In.Ended() {
			if !r.Ready() {
				before := len(stream)
				if stream = receive(&r, stream, asks.Draw(t, "comes")+1); len(stream) == before {
					t.Fatal("nothing is ready, and there is no room")
				}
			}
			part := make([]byte, asks.Draw(t, "asks")+1)
			n, err := r.Read(part)
			if err != nil {
				t.Fatal(err)
			}
			heard = append(heard, part[:n]...)
			if buf := r.Back(); buf == nil && !r.Lent() {
				t.Fatal("memory is lost")
			}
		}
		if !bytes.Equal(heard, said) || len(stream) > 0 || r.Lent() {
			t.Fatalf("%d bytes of %d, %d behind the end", len(heard), len(said), len(stream))
		}
	})
}

// What is not the end of a record leaves nothing to read and is wrong for good.
func TestReaderFails(t *testing.T) {
	for i := range 40 {
		a, b := ends(t, "secret")
		stream := a.Out.Seal(a.Out.Seal(nil, []byte("good")), []byte("another one"))
		if i += len("good") + Overhead; i >= len(stream) {
			break
		}
		stream[i] ^= 4
		r, heard := Reader{In: &b.In}, []byte(nil)
		receive(&r, stream, len(stream))
		part, failed := make([]byte, 3), error(nil)
		for r.Ready() && failed == nil {
			var n int
			n, failed = r.Read(part)
			heard = append(heard, part[:n]...)
		}
		if string(heard) != "good" {
			t.Fatalf("byte %d: %q", i, heard)
		}
		if whole := i >= len("good")+Overhead+HeadSize; whole && failed == nil {
			t.Errorf("byte %d: no error", i)
		}
		if n, err := r.Read(part); n != 0 || failed != nil && err == nil {
			t.Errorf("byte %d: %d bytes after it failed, %v", i, n, err)
		}
	}
}

func TestNothingIsAllocated(t *testing.T) {
	a, b := ends(t, "secret")
	r := Reader{In: &b.In}
	buf, out, part := make([]byte, 2*MaxRecord), make([]byte, 0, MaxRecord), make([]byte, 100)
	plain := make([]byte, 250)
	once := func() {
		r.Lend(buf)
		r.Got(copy(r.Room(), a.Out.Seal(out, plain)))
		for r.Ready() {
			if _, err := r.Read(part); err != nil {
				t.Fatal(err)
			}
		}
		if r.Back() == nil {
			t.Fatal("something is left")
		}
	}
	once()
	if n := testing.AllocsPerRun(100, once); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// FuzzReader: whatever comes, only what was sealed is heard, in order, up to the first thing that is wrong.
func FuzzReader(f *testing.F) {
	said := []byte("one two three, and something longer to cut records by")
	seal := func(t testing.TB) []byte {
		a, _ := ends(t, "secret")
		return a.Out.End(a.Out.Seal(a.Out.Seal(a.Out.Seal(nil, said[:3]), said[3:14]), said[14:]))
	}
	good := seal(f)
	f.Add(good, 7)
	f.Add(good[:30], 100)
	f.Add(append(bytes.Clone(good[:21]), good...), 1)
	f.Add([]byte{255, 255, 0}, 3)
	f.Fuzz(func(t *testing.T, stream []byte, ask int) {
		_, b := ends(t, "secret")
		r, part := Reader{In: &b.In}, make([]byte, min(max(ask, 1), 1<<16))
		var heard []byte
		whole := bytes.Equal(stream, good)
		for failed := false; !failed && (r.Ready() || len(stream) > 0); {
			if !r.Ready() {
				stream = receive(&r, stream, len(part))
			}
			n, err := r.Read(part)
			heard, failed = append(heard, part[:n]...), err != nil
		}
		if !bytes.HasPrefix(said, heard) || whole && (len(heard) < len(said) || !b.In.Ended()) {
			t.Errorf("%q is heard", heard)
		}
	})
}

// What a core seals, and opens, in the longest records.
func BenchmarkRecords(b *testing.B) {
	from, to := ends(b, "secret")
	plain := make([]byte, MaxPlain)
	record := make([]byte, 0, MaxPlain+Overhead)
	for name, each := range map[string]func() error{
		"seal": func() error { record = from.Out.Seal(record[:0], plain); return nil },
		"both": func() error {
			record = from.Out.Seal(record[:0], plain)
			_, err := to.In.Open(record[HeadSize:HeadSize], record)
			return err
		},
	} {
		from, to = ends(b, "secret")
		b.Run(name, func(b *testing.B) {
			b.SetBytes(MaxPlain)
			for b.Loop() {
				if err := each(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
